//! The order of time for tables whose rows are nearly in that order.
//!
//! A row is written when the packet's fate is known, which may be long after its arrival. The rows
//! of later groups bound the times of everything that follows: everything before the least of them
//! can be output. Only the overlap of row groups is kept.

use crate::error::TraceError;

/// A time, and the row that orders events of one instant.
pub(crate) trait Timed {
    fn at(&self) -> (u64, u64);
}

/// A table that yields the events of one row group after another.
pub(crate) trait Groups {
    /// Events.
    type Event: Timed + Clone;
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
    /// Events that a later one may precede.
    waiting: Vec<G::Event>,
    /// Events with their order; those before `taken` have been output. Keys are sorted instead of
    /// events, which are larger.
    events: Vec<G::Event>,
    order: Vec<Key>,
    taken: usize,
}

/// Time, row and place of an event; the place keeps the steps of a row apart.
type Key = (u64, u64, u32);

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
            events: Vec::new(),
            order: Vec::new(),
            taken: 0,
        })
    }

    /// Reads on until some events can no longer be preceded by later ones.
    fn refill(&mut self) -> Result<(), TraceError> {
        while self.taken == self.order.len() && self.next < self.groups.count() {
            self.events.clear();
            self.events.append(&mut self.waiting);
            self.groups.read(self.next, &mut self.events)?;
            self.next += 1;
            let key = |(event, place): (&G::Event, u32)| (event.at().0, event.at().1, place);
            self.order.clear();
            self.order.extend(self.events.iter().zip(0..).map(key));
            self.order.sort_unstable();
            let bound = self.bounds[self.next];
            let due = self.order.partition_point(|(t_ps, _, _)| *t_ps < bound);
            let later = self.order.drain(due..);
            let later = later.map(|(_, _, place)| self.events[place as usize].clone());
            self.waiting.extend(later);
            self.taken = 0;
        }
        Ok(())
    }

    pub(crate) fn peek(&mut self) -> Result<Option<&G::Event>, TraceError> {
        self.refill()?;
        let next = self.order.get(self.taken);
        Ok(next.map(|(_, _, place)| &self.events[*place as usize]))
    }

    pub(crate) fn pop(&mut self) -> Option<G::Event> {
        let (_, _, place) = *self.order.get(self.taken)?;
        self.taken += 1;
        Some(self.events[place as usize].clone())
    }
}
