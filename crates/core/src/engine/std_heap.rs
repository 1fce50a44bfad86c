//! The standard library's heap, as the yardstick.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use pacesim_units::Time;

use super::EventQueue;

/// A binary heap of full keys. A moved wake-up leaves its old entry behind, which is
/// dropped when it comes up.
#[derive(Debug)]
pub struct StdHeap {
    heap: BinaryHeap<Reverse<(Time, Time, u32)>>,
    pending: Vec<Option<(Time, Time)>>,
}

impl EventQueue for StdHeap {
    fn with_components(n: usize) -> StdHeap {
        StdHeap {
            heap: BinaryHeap::new(),
            pending: vec![None; n],
        }
    }

    fn set(&mut self, id: u32, at: Time, began: Time) {
        self.pending[id as usize] = Some((at, began));
        self.heap.push(Reverse((at, began, id)));
    }

    fn clear(&mut self, id: u32) {
        self.pending[id as usize] = None;
    }

    fn first(&mut self) -> Option<(Time, u32)> {
        while let Some(Reverse((at, began, id))) = self.heap.peek().copied() {
            if self.pending[id as usize] == Some((at, began)) {
                return Some((at, id));
            }
            self.heap.pop();
        }
        None
    }

    fn began(&self, id: u32) -> Time {
        self.pending[id as usize].expect("an armed component").1
    }
}
