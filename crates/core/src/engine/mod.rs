//! The order of events.
//!
//! A component (a link, a timer) has at most one pending wake-up, so the engine
//! orders components, not events. [`EventQueue`] is the small interface; [`Wheel`]
//! the default, chosen by measurement; [`FourAryHeap`], [`WinnerTree`] and
//! [`StdHeap`] are there to be compared with. [`Calendar`] puts links and timers in
//! one order.

mod calendar;
mod four_ary_heap;
mod queue;
mod slots;
mod std_heap;
mod wheel;
mod winner_tree;

pub use calendar::{Calendar, Wake};
pub use four_ary_heap::FourAryHeap;
pub use queue::{EventQueue, laws, laws_in_motion};
pub use std_heap::StdHeap;
pub use wheel::Wheel;
pub use winner_tree::WinnerTree;
