//! Exact units for network simulation: points in time, spans, rates, sizes and ids, with their
//! string forms ("10Mbps", "20ms", "1.5KB", "40pkts").
//!
//! Everything is an integer: picoseconds, bits per second, bytes. A picosecond clock in 64 bits
//! spans 213 days; one byte at 400 Gb/s lasts 20 ps.
//!
//! **Rounding.** A transmission time rounds *up* to the next picosecond
//! ([`Rate::transmission_time`]), the bytes that fit a span round *down* ([`Rate::bytes_in`]), so
//! neither ever beats the line. [`Transmitter`] keeps the remainder, for totals that must be exact
//! over a long run.
//!
//! **Overflow.** The `checked_*` methods and unit conversions return `None` on overflow, and
//! operators panic: nothing ever wraps.
//!
//! This crate has no networks and no dependencies.
//!
//! ```
//! use pacesim_units::{Bytes, Rate, Span};
//!
//! let rate: Rate = "15Mbps".parse()?;
//! let packet: Bytes = "1KB".parse()?;
//! // 8000 bits / 15 Mbit/s = 533.333... us, rounded up to a whole picosecond.
//! assert_eq!(rate.transmission_time(packet), Some(Span::from_ps(533_333_334)));
//! # Ok::<(), pacesim_units::ParseError>(())
//! ```

mod amount;
mod bytes;
mod capacity;
mod dispatch;
pub mod flags;
mod ids;
pub mod laws;
mod parse;
pub mod port;
mod rate;
mod remaining;
pub mod telemetry;
mod time;
mod transmitter;
mod window;

pub use bytes::Bytes;
pub use capacity::Capacity;
pub use ids::{ConnectionId, FlowId, LinkId, NodeId};
pub use parse::{ParseError, Quantity, Reason, unit_like, unit_named};
pub use rate::Rate;
pub use remaining::Remaining;
pub use time::{PS_PER_SECOND, Span, Time};
pub use transmitter::Transmitter;
pub use window::Window;
