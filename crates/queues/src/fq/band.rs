//! A band of fq, with the flows of one priority, new flows first.

use std::collections::VecDeque;

/// A band: the flows of one priority that may send, by their places.
#[derive(Debug)]
pub(super) struct Band {
    quantum: i64,
    credit: i64,
    new: VecDeque<u32>,
    old: VecDeque<u32>,
    /// Number of packets that wait in the band.
    pub(super) packets: u64,
}

impl Band {
    pub(super) fn new(quantum: i64) -> Band {
        Band {
            quantum,
            credit: 0,
            new: VecDeque::new(),
            old: VecDeque::new(),
            packets: 0,
        }
    }

    pub(super) fn add_new(&mut self, place: u32) {
        self.new.push_back(place);
    }

    pub(super) fn add_old(&mut self, place: u32) {
        self.old.push_back(place);
    }

    pub(super) fn has_credit(&self) -> bool {
        self.credit > 0
    }

    /// True if the band has credit and a flow.
    pub(super) fn may_send(&self) -> bool {
        self.has_credit() && self.first().is_some()
    }

    /// Adds the credit of another round, up to that of one round.
    pub(super) fn refill(&mut self) {
        self.credit = (self.credit + self.quantum).min(self.quantum);
    }

    pub(super) fn spend(&mut self, size: u32) {
        self.credit -= i64::from(size);
    }

    /// The flow at its turn, and true if it is a new one.
    pub(super) fn first(&self) -> Option<(u32, bool)> {
        let new = self.new.front().map(|place| (*place, true));
        new.or_else(|| self.old.front().map(|place| (*place, false)))
    }

    /// Removes the first flow.
    pub(super) fn take_first(&mut self) {
        let _taken = self.new.pop_front().or_else(|| self.old.pop_front());
    }
}
