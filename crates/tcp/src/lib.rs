//! TCP as two state machines: a [`Sender`] and a [`Receiver`], which take the time and arrivals as
//! arguments, and return packets to send and the time of the next call.
//!
//! Five variants (Tahoe, Reno, NewReno, SACK, FACK) under two profiles: [`Profile::Ns2`] is
//! packet-exact against ns-2 2.35 (`tests/ns2_traces.rs`), [`Profile::Rfc`] follows the RFCs with
//! today's defaults. `PROFILES.md` next to this crate's manifest has the table of differences. Each
//! sender may pace its packets ([`Pacing`]).
//!
//! **Forbidden knowledge.** No clock, no randomness, no network: no engine,
//! link, queue or packet pool. Packets exist here only as sequence numbers.
//!
//! **Order of calls.** After each input to a sender (`on_data`, `on_ack`,
//! `on_timer`): `poll_transmit` until `None`; `poll_event` until `None` if events
//! are wanted; then read `next_timeout` again. A receiver answers at once with at
//! most one [`Ack`]. One wake-up per side is enough, and one that has become stale
//! is harmless.
//!
//! **The parts.** The window's arithmetic is a [`CongestionControl`]; detection and repair of holes
//! are in `textbook/{classic,pipe,fack,rfc6675}.rs`, each with its own state and the steps that
//! `textbook/recovery.rs` names; shared steps are in `textbook/{common,ack,timer,transmit}.rs`. A
//! flow without losses owns no scoreboard, one that is not watched keeps no events.
//!
//! ```
//! use std::sync::Arc;
//! use pacesim_tcp::{Amount, Config, Receiver, Sender, Variant};
//! use pacesim_units::{Span, Time};
//!
//! let config = Arc::new(Config::ns2(Variant::NewReno));
//! assert!(config.validate().is_empty());
//! let mut sender = Sender::new(&config, Span::ZERO);
//! let mut receiver = Receiver::new(&config);
//!
//! // A network that takes 50 ms in each direction and holds any number of packets.
//! let mut now = Time::ZERO;
//! let mut rounds = Vec::new();
//! sender.on_data(now, Amount::Packets(20))?;
//! while !sender.is_done() {
//!     let mut acks = Vec::new();
//!     while let Some(segment) = sender.poll_transmit(now) {
//!         let arrives = now + Span::from_ms(50);
//!         acks.extend(receiver.on_data(arrives, segment.seq, segment.stamp));
//!     }
//!     rounds.push(acks.len());
//!     now += Span::from_ms(100);
//!     for ack in &acks {
//!         sender.on_ack(now, ack);
//!     }
//! }
//! // The SYN, then slow start; what was sent is the SYN and 20 packets.
//! assert_eq!(rounds, [1, 2, 4, 8, 6]);
//! # Ok::<(), pacesim_tcp::DataError>(())
//! ```

use pacesim_tcp_common::{config, control, event, packet, totals, transfer};

mod end;
mod pacing;
mod receiver;
mod rtt;
mod scoreboard;
mod sender;
mod seqset;
mod textbook;

pub use config::{
    AckRule, AfterIdle, Clock, Config, Details, EcnEcho, Hystart, LinuxDetails, Pacing, Profile,
    Variant,
};
pub use control::{
    AckSample, CongestionControl, Control, Cubic, Growth, Halving, LossKind, LossSample,
    OwnControl, Reno, SentSample, Setup,
};
pub use end::ReceiverEnd;
pub use event::{EventMask, SenderEvent, WindowReason};
pub use pacesim_tcp_common::{ConfigProblem, laws};
pub use pacesim_tcp_linux::{CubicCurve, LinuxState, Model, Reduction};
pub use packet::{Ack, Block, MAX_SACK_BLOCKS, SackBlocks, Segment};
pub use receiver::{Arrival, Receiver};
pub use sender::{Sender, Settled};
pub use totals::{Counters, Limit, RttState, Standing};
pub use transfer::{Amount, DataError};
