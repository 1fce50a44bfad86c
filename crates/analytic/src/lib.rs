//! stub
pub mod anomaly;
pub mod buffer;
pub mod bulk;
pub mod bulk_det;
pub mod edge;
mod error;
pub mod fec;
pub mod fec_network;
pub mod markov;
mod numeric;
pub mod qlbp;
pub mod queueing;
mod stationary;
pub mod throughput;
pub use error::{Range, SolveError};
pub use stationary::Stationary;
