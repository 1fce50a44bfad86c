//! Recordings of a run, read back.
//!
//! [`Recording`] is a results folder with the names of its flows and links. [`Recording::packets`]
//! and [`Recording::senders`] visit the rows of `packets.parquet` and `tcp.parquet` in the order of
//! the files; [`Recording::events`] is one stream of both in order of time. [`Recording::numbers`]
//! visits those of `ends.parquet`. All read one row group at a time, so recordings may exceed memory.

mod error;
mod events;
mod folder;
mod in_time;
mod names;
mod numbers;
mod packets;
mod senders;

pub use error::TraceError;
pub use events::{Event, Events, Seen, Step, Steps, What};
pub use folder::{Flow, Link, Recording, What as Table};
pub use numbers::NumberRow;
pub(crate) use numbers::Numbers;
pub use senders::SenderRow;
