//! Parts shared by all of TCP's machines: a connection's configuration, packets, events, the
//! application's data, and the trait of congestion controls with its laws.
//!
//! **Excluded** are the machines: detection and repair of losses, timers. Packets exist here only
//! as sequence numbers.
//!
//! Users name these through `pacesim-tcp`, which has the machines.
//!
//! ```
//! use pacesim_tcp_common::config::{Config, Variant};
//!
//! assert!(Config::rfc(Variant::Sack).validate().is_empty());
//! ```

pub mod bandwidth;
pub mod clock;
pub mod config;
pub mod control;
pub mod draws;
pub mod event;
pub mod filter;
pub mod laws;
pub mod marks;
pub mod pace;
pub mod packet;
mod problem;
mod profile;
pub mod rack;
pub mod rates;
pub mod rtt;
pub mod timer;
pub mod totals;
pub mod transfer;
pub mod undo;

pub use problem::ConfigProblem;
