//! Real hosts through a simulated network, in real time.
//!
//! The TCP and UDP of this machine's kernel send packets; a [`World`](pacesim::World) that a clock
//! drives delays, queues, paces and drops them. Each host is a network namespace with one device,
//! and the world's side of that device is a packet socket: a *door*. The kernel stamps each packet
//! at the door, the packet enters the world at its stamp, and the loop writes it to the door of its
//! destination when the world has delivered it.
//!
//! 1. [`Plan::new`] checks a model and makes some of its flows real;
//! 2. [`run`] carries them, and returns an [`Outcome`]: the world for its rows, the [`Entry`] of each
//!    packet, the [`Departure`] of each, the bytes that receivers counted, and a [`Verdict`];
//! 3. [`replay`] feeds the entries to a world without a clock, which has the same fingerprint.
//!
//! The crate reads clocks and may start threads; it knows no files and no arguments. It works on
//! Linux only, and is empty elsewhere.

#![cfg(target_os = "linux")]

mod beside;
mod clock;
mod coders;
mod command;
mod door;
mod drive;
mod error;
mod header;
mod host;
mod judge;
mod lateness;
mod namespace;
mod netlink;
mod plan;
mod record;
mod replay;
mod run;
mod slab;
mod sys;
mod tcp;

pub use beside::{Beside, beside};
pub use command::Ended;
pub use drive::{Departure, Entry};
pub use error::LiveError;
pub use header::Foreign;
pub use host::{Arrival, Received, Transfer};
pub use judge::{Evidence, Verdict};
pub use lateness::Lateness;
pub use namespace::separate_user;
pub use plan::{Command, Plan, Real, Settings};
pub use replay::replay;
pub use run::{Outcome, run};
