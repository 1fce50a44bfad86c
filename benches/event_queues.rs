//! Alternative event queues to compare with the engine's.

mod four_ary_heap;
mod std_heap;
mod winner_tree;

pub use four_ary_heap::FourAryHeap;
pub use std_heap::StdHeap;
pub use winner_tree::WinnerTree;
