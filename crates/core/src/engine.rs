//! The order of events.
//!
//! A component (a link, a timer) has at most one pending wake-up, so the engine
//! orders components, not events. [`EventQueue`] is the small interface; [`Wheel`]
//! the one in use, chosen by measurement; three others are there for benchmarks and
//! tests to compare it with. [`Calendar`] puts links and timers in
//! one order.

mod calendar;
mod four_ary_heap;
mod queue;
mod slots;
mod std_heap;
mod wheel;
mod winner_tree;

pub use calendar::{Calendar, Wake};
#[doc(hidden)]
pub use four_ary_heap::FourAryHeap;
pub use queue::{EventQueue, laws, laws_in_motion};
#[doc(hidden)]
pub use std_heap::StdHeap;
pub use wheel::Wheel;
#[doc(hidden)]
pub use winner_tree::WinnerTree;
