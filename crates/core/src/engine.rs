//! The order of events.
//!
//! A component (a link, a timer) has at most one pending wake-up, so the engine
//! orders components, not events. [`EventQueue`] is the small interface; [`Wheel`]
//! the one in use, chosen by measurement: `benches` has three others. [`Calendar`] puts
//! links and timers in one order.

mod calendar;
mod queue;
mod slots;
mod wheel;

pub use calendar::{Calendar, Wake};
pub use queue::{EventQueue, laws, laws_in_motion};
pub use wheel::Wheel;
