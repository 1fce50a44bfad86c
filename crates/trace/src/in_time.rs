//! The order of time for tables whose rows are nearly in that order.
//!
//! A row is written when the packet's fate is known, which may be long after its arrival. The rows
//! of later groups bound the times of everything that follows: everything before the least of them
//! can be output. Only the overlap of row groups is kept.

use crate::error::TraceError;

/// A table whose rows have events at one time or several.
pub(crate) trait Groups {
    /// A row of the table.
    type Row: Clone;
    /// The greatest number of events of a row.
    const STEPS: usize;
    /// Number of row groups.
    fn count(&self) -> usize;
    /// A lower bound of the times of a group's events.
    fn least(&self, group: usize) -> Result<u64, TraceError>;
    /// Appends the rows of a group.
    fn read(&self, group: usize, to: &mut Vec<Self::Row>) -> Result<(), TraceError>;
    /// Visits the times of a row's events, each with the number of its step.
    fn times(&self, row: &Self::Row, visit: impl FnMut(u64, usize));
}

/// The events of a table in the order of time.
pub(crate) struct InTime<G: Groups> {
    groups: G,
    /// For each group the least time in it or in those after it.
    bounds: Vec<u64>,
    next: usize,
    /// Rows with events that are not yet output, in the order of the table.
    rows: Vec<G::Row>,
    /// The events before this time have been output.
    from: u64,
    /// The events of `rows` that nothing unread precedes; those before `taken` have been output.
    order: Vec<Key>,
    taken: usize,
    /// The events of each step, kept for their memory.
    by_step: Vec<Vec<Key>>,
}

/// An event of a row: the order is that of time, of the table, and of a row's steps.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    t_ps: u64,
    place: u32,
    step: u32,
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
            rows: Vec::new(),
            from: 0,
            order: Vec::new(),
            taken: 0,
            by_step: vec![Vec::new(); G::STEPS],
        })
    }

    /// Reads on until some events can no longer be preceded by later ones.
    fn refill(&mut self) -> Result<(), TraceError> {
        while self.taken == self.order.len() && self.next < self.groups.count() {
            self.keep_open_rows();
            self.groups.read(self.next, &mut self.rows)?;
            self.next += 1;
            self.sort();
            self.from = self.bounds[self.next];
            let due = self.order.partition_point(|key| key.t_ps < self.from);
            self.order.truncate(due);
            self.taken = 0;
        }
        Ok(())
    }

    /// Drops the rows whose events have all been output.
    fn keep_open_rows(&mut self) {
        let (groups, from) = (&self.groups, self.from);
        self.rows.retain(|row| {
            let mut is_open = false;
            groups.times(row, |t_ps, _| is_open |= t_ps >= from);
            is_open
        });
    }

    /// The events of all rows that have not been output. Those of one step are nearly in order
    /// already, so a merge sort has little left to do.
    fn sort(&mut self) {
        for (row, place) in self.rows.iter().zip(0..) {
            self.groups.times(row, |t_ps, step| {
                if t_ps >= self.from {
                    let key = Key {
                        t_ps,
                        place,
                        step: step as u32,
                    };
                    self.by_step[step].push(key);
                }
            });
        }
        self.order.clear();
        for step in &mut self.by_step {
            self.order.append(step);
        }
        self.order.sort();
    }

    /// The time of the next event.
    pub(crate) fn peek(&mut self) -> Result<Option<u64>, TraceError> {
        self.refill()?;
        Ok(self.order.get(self.taken).map(|key| key.t_ps))
    }

    /// The next event: its time, the number of its step, and its row.
    pub(crate) fn pop(&mut self) -> Option<(u64, usize, &G::Row)> {
        let key = *self.order.get(self.taken)?;
        self.taken += 1;
        Some((key.t_ps, key.step as usize, &self.rows[key.place as usize]))
    }
}
