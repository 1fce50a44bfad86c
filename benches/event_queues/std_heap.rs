//! The standard library's heap, for reference.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use pacesim_units::Time;

use pacesim_core::engine::{EventQueue, TiedPlace, Ties};

/// A binary heap of full keys. Moving a wake-up leaves its old entry behind, which is dropped when
/// it reaches the root.
#[derive(Debug)]
pub struct StdHeap {
    heap: BinaryHeap<Reverse<(Time, Time, TiedPlace, u32)>>,
    pending: Vec<Option<Time>>,
    began: Vec<Time>,
    words: Vec<u64>,
    ties: Ties,
}

impl EventQueue for StdHeap {
    fn with_components(n: usize) -> StdHeap {
        StdHeap {
            heap: BinaryHeap::new(),
            pending: vec![None; n],
            began: vec![Time::ZERO; n],
            words: vec![0; n],
            ties: Ties::BY_NUMBER,
        }
    }

    fn grow(&mut self, n: usize) {
        self.pending.resize(n, None);
        self.began.resize(n, Time::ZERO);
        self.words.resize(n, 0);
    }

    fn ties_mut(&mut self) -> &mut Ties {
        &mut self.ties
    }

    fn set(&mut self, id: u32, at: Time, began: Time) {
        self.pending[id as usize] = Some(at);
        self.began[id as usize] = began;
        let place = self.ties.place(at, id, self.words[id as usize]);
        self.heap.push(Reverse((at, began, place, id)));
    }

    fn clear(&mut self, id: u32) {
        self.pending[id as usize] = None;
    }

    fn first(&mut self) -> Option<Time> {
        let pending = self.pending.iter().flatten();
        pending.min().copied()
    }

    fn take_first(&mut self, until: Time) -> Option<(Time, u32)> {
        while let Some(Reverse((at, began, _, id))) = self.heap.peek().copied() {
            let place = id as usize;
            let is_pending = self.pending[place] == Some(at) && self.began[place] == began;
            if is_pending && at > until {
                return None;
            }
            self.heap.pop();
            if is_pending {
                self.pending[place] = None;
                return Some((at, id));
            }
        }
        None
    }

    fn at(&self, id: u32) -> Time {
        self.pending[id as usize].expect("only armed components are asked for their time")
    }

    fn began(&self, id: u32) -> Time {
        self.began[id as usize]
    }

    fn word(&self, id: u32) -> u64 {
        self.words[id as usize]
    }

    fn word_mut(&mut self, id: u32) -> &mut u64 {
        &mut self.words[id as usize]
    }
}
