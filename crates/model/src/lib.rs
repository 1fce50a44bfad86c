//! The input of a world: a network and its traffic, one record for every node, link and flow.
//!
//! A scenario describes groups and distributions; expanding these for one seed and one replication
//! gives a [`Model`]. Library users may also write it by hand: [`Model::new`], then
//! [`Model::add_node`], [`Model::add_link`] and [`Model::add_flow`]. It is plain data: everything
//! that happens in a run is a pure function of it. Custom parts go into it as well, such as
//! [`pacer::OwnPacer`], [`queue::OwnQueue`] and [`source::OwnSource`].
//!
//! The crate has no scenarios, no worlds and no notion of passing time.
//!
//! ```
//! use pacesim_model::{Model, Sizes, Traffic};
//! use pacesim_units::{Bytes, Rate, Span};
//!
//! let mut model = Model::new("one port", Span::from_secs(1));
//! let (a, b) = (model.add_node("a"), model.add_node("b"));
//! let port = model.add_link(a, b, Rate::from_mbps(10), Span::from_ms(5));
//! let (rate, size) = (Rate::from_mbps(5), Sizes::Constant(Bytes(1000)));
//! let flow = model.add_flow(a, b, Traffic::Poisson { rate, size });
//! assert_eq!(model.paths().there(&model.flows[flow.index()]), Some(vec![port]));
//! ```

pub mod application;
mod arrival;
pub mod change;
mod clipped;
mod compose;
pub mod delay_box;
mod derived;
mod distribution;
mod division;
mod exchange;
mod extras;
pub mod fec;
pub mod host;
mod loss;
pub mod middlebox;
mod model;
mod multipath;
mod name;
pub mod pacer;
pub mod path_choice;
mod paths;
mod payload;
mod pieces;
mod port;
pub mod queue;
pub mod range;
mod recorded_line;
pub mod self_similar;
pub mod source;
pub mod switch;
pub mod tasks;
mod transfers;
pub mod transport;
mod video;
mod wire_bytes;
mod workload;

pub use pacesim_tape as tape;

pub use derived::{Stages, Stated};
pub use division::Division;
pub use exchange::{After, Exchange, Step};
pub use model::*;
pub use multipath::{Hashed, MOST_PATHS, PathRule, SaltOfLinks, Salts, Spray, path_hash};
pub use name::Name;
pub use paths::{Leg, PathKey, Paths};
pub use payload::{Identity, Payload, Redundancy};
pub use recorded_line::RecordedLine;
pub use tasks::{Barrier, Task};
pub use transfers::{Carrier, PauseFrom, Schedule, TransferSizes, Transfers};
pub use video::{FirstFrame, FrameUnit, Video};
pub use wire_bytes::MOST_PACKETS;
pub use workload::Workload;
