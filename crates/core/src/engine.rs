//! The event queue, which determines the order of events.
//!
//! A component (a link, a timer) has at most one pending wake-up, so the engine orders components,
//! not events. [`EventQueue`] is the interface; [`Wheel`] is the implementation in use, chosen by
//! measurement against three others in `benches`. [`Calendar`] puts links and timers in one order.

mod calendar;
mod queue;
mod slots;
mod ties;
mod wheel;

pub use calendar::{Calendar, Wake};
pub use queue::{EventQueue, laws, laws_in_motion};
pub use ties::{DrawnTies, TiedPlace, Ties};
pub use wheel::Wheel;
