//! The order of time for tables whose rows are nearly in it.
//!
//! A row stands in its table when the packet's fate is known, which may be long after it came. The
//! rows of later groups bound the times of what is still to come: everything before the least of
//! them may go out. Only the overlap of row groups is kept.

use std::collections::VecDeque;

use crate::error::TraceError;

/// A time, and the row that orders events of one instant.
pub(crate) trait Timed {
    fn at(&self) -> (u64, u64);
}

/// A table that yields the events of one row group after another.
pub(crate) trait Groups {
    /// Events.
    type Event: Timed;
    /// Number of row groups.
    fn count(&self) -> usize;
    /// A lower bound of the times of a group's events.
    fn least(&self, group: usize) -> Result<u64, TraceError>;
    /// Appends the events of a group.
    fn read(&self, group: usize, to: &mut Vec<Self::Event>) -> Result<(), TraceError>;
}

/// The events of a table in the order of time.
pub(crate) struct InTime<G: Groups> {
    groups: G,
    /// For each group the least time in it or in those after it.
    bounds: Vec<u64>,
    next: usize,
    waiting: Vec<G::Event>,
    ready: VecDeque<G::Event>,
}

impl<G: Groups> InTime<G> {
    pub(crate) fn new(groups: G) -> Result<InTime<G>, TraceError> {
        let count = groups.count();
        let mut bounds = vec![u64::MAX; count + 1];
        for group in (0..count).rev() {
            bounds[group] = bounds[group + 1].min(groups.least(group)?);
        }
        Ok(InTime {
            groups,
            bounds,
            next: 0,
            waiting: Vec::new(),
            ready: VecDeque::new(),
        })
    }

    /// Moves what nothing later can precede to `ready`.
    fn refill(&mut self) -> Result<(), TraceError> {
        while self.ready.is_empty() && self.next < self.groups.count() {
            self.groups.read(self.next, &mut self.waiting)?;
            self.next += 1;
            self.waiting.sort_by_key(Timed::at);
            let bound = self.bounds[self.next];
            let due = self.waiting.partition_point(|event| event.at().0 < bound);
            let later = self.waiting.split_off(due);
            // No copy: what is due keeps its memory until it is taken.
            self.ready = std::mem::replace(&mut self.waiting, later).into();
        }
        Ok(())
    }

    pub(crate) fn peek(&mut self) -> Result<Option<&G::Event>, TraceError> {
        self.refill()?;
        Ok(self.ready.front())
    }

    pub(crate) fn pop(&mut self) -> Option<G::Event> {
        self.ready.pop_front()
    }
}
