//! One end of a flow, whatever its transport: the trait [`End`], and what passes between an end, the
//! network and the application.
//!
//! An end is a state machine driven by explicit time. It receives packets and their contents, is
//! woken, transmits, announces its next wake-up, and tells events: a round trip, a transfer that is
//! done, its current limit. TCP's two ends are in `pacesim-tcp`; others are users' own.
//!
//! **Forbidden knowledge.** No network, no engine, no clock, no other end: all that an end knows of
//! its peer came in packets.
//!
//! **Order of calls.** [`End`] describes it.
//!
//! ```
//! use pacesim_transport::{Content, Datagram, End, Header};
//! use pacesim_units::Time;
//!
//! /// A receiving end that answers each packet.
//! #[derive(Default)]
//! struct Echo(Option<Header>);
//!
//! impl End for Echo {
//!     fn receive(&mut self, _now: Time, packet: &Header, _content: Content) {
//!         self.0 = Some(*packet);
//!     }
//!
//!     fn transmit(&mut self, now: Time) -> Option<Datagram> {
//!         let packet = self.0.take()?;
//!         Some(Datagram::new(now, packet.seq, 40))
//!     }
//! }
//!
//! let mut end = Echo::default();
//! let packet = Header { seq: 7, size: 1000, stamp: Time::ZERO, flags: Default::default() };
//! end.receive(Time::ZERO, &packet, Content::None);
//! assert_eq!(end.transmit(Time::ZERO).map(|answer| answer.seq), Some(7));
//! assert_eq!(end.transmit(Time::ZERO), None);
//! ```

mod amount;
pub mod application;
mod backlog;
mod content;
mod end;
pub mod laws;
mod sacks;
mod standing;

pub use amount::{Amount, DataError, Transfer};
pub use backlog::Backlog;
pub use content::{AckOptions, Content};
pub use end::{Command, Datagram, Delivered, End, EndEvent, Header, Settled, Wish};
pub use sacks::{Block, MAX_SACK_BLOCKS, SackBlocks};
pub use standing::{Answers, Counters, Gauges, Limit, Standing};
