//! Packet-level forward error correction by XOR, edge to edge, as two state machines.
//!
//! After every `k` data packets of a pair of edges the [`Encoder`] sends a repair packet: the XOR
//! of these. The [`Decoder`] at the other edge keeps a running XOR of the packets that arrive; with
//! the repair packet it recovers a single missing packet of a block. If two packets are missing, or
//! one and the repair packet, they remain lost (zerobuf section 5.2).
//!
//! The code works on [`Symbol`]s: real packets are [`Frame`]s of bytes, padded with zeros for the
//! XOR and identical when they are repaired; a simulator may code the identities of packets
//! instead. A data packet carries its [`Place`] from encoder to decoder, a repair packet its
//! [`Cover`].
//!
//! This crate knows no engine, no network and no clock: time is an argument that never runs
//! backwards. [`laws`] states the laws of a code, and tests it.
//!
//! The order of calls, at the encoder: [`Encoder::data`] for a packet, then, and at
//! [`Encoder::next_wake`], [`Encoder::poll`] until there is no repair packet. At the decoder:
//! [`Decoder::data`] or [`Decoder::repair`], then, and at [`Decoder::next_wake`], [`Decoder::poll`]
//! until there is no packet to pass on.
//!
//! ```
//! use pacesim_fec::{Config, Decoder, Encoder, Frame, Order, Out};
//! use pacesim_units::Time;
//!
//! let packets = [&b"one"[..], b"twenty-two", b"3"];
//! let mut encoder = Encoder::new(Config::block(3));
//! let places = packets.map(|p| encoder.data(Time::ZERO, &Frame::of(p), p.len() as u32));
//! let repair = encoder.poll(Time::ZERO).expect("three packets are a block");
//!
//! let mut decoder = Decoder::new(1, Order::Late);
//! for i in [0, 2] {
//!     decoder.data(Time::ZERO, places[i], i, &Frame::of(packets[i]));
//! }
//! decoder.repair(Time::ZERO, repair.cover, &repair.value);
//! let out: Vec<_> = std::iter::from_fn(|| decoder.poll(Time::ZERO)).collect();
//! assert_eq!(out[..2], [Out::Arrived(0), Out::Arrived(2)]);
//! assert_eq!(out[2], Out::Repaired(Frame::of(b"twenty-two"), Time::ZERO));
//! ```

mod adaptation;
mod bytes;
mod decoder;
mod encoder;
pub mod laws;
mod order;
mod sizes;
mod small_queue;
mod symbol;

pub use adaptation::{Adaptation, Follower, LossReport};
pub use bytes::{Broken, Frame};
pub use decoder::{Decoder, DecoderCounters, Out};
pub use encoder::{Config, Encoder, Repair, RepairSize};
pub use order::Order;
pub use sizes::{LossShare, SizeTable};
pub use symbol::{Cover, Place, Symbol};
