//! The order of time for tables whose rows are nearly in that order.
//!
//! A row is written when the packet's fate is known, which may be long after its arrival. The rows
//! of later groups bound the times of everything that follows: everything before the least of them
//! can be output. Only the overlap of row groups is kept.

use crate::trace::error::TraceError;

/// A table whose rows have events at one time or several.
pub(crate) trait Groups {
    /// A row of the table.
    type Row;
    /// Number of row groups.
    fn count(&self) -> usize;
    /// A lower bound of the times of a group's events.
    fn least(&self, group: usize) -> Result<u64, TraceError>;
    /// Appends the rows of a group.
    fn read(&mut self, group: usize, to: &mut Vec<Self::Row>) -> Result<(), TraceError>;
    /// Visits the times of a row's events, each with the number of its step, in order.
    fn times(&self, row: &Self::Row, visit: impl FnMut(u64, u8));
}

/// The events of a table in the order of time.
pub(crate) struct InTime<G: Groups> {
    groups: G,
    /// For each group the least time in it or in those after it.
    bounds: Vec<u64>,
    next: usize,
    /// Rows with events that are not yet output, in the order of the table.
    rows: Vec<G::Row>,
    /// The events of `rows` in order: those before `taken` have been output, those before `due` are
    /// preceded by nothing unread.
    order: Vec<Key>,
    taken: usize,
    due: usize,
    /// Kept for its memory.
    spare: Vec<Key>,
}

/// An event of a row: the order is that of time, of the table, and of a row's steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Key {
    t_ps: u64,
    place: u32,
    step: u8,
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
            order: Vec::new(),
            taken: 0,
            due: 0,
            spare: Vec::new(),
        })
    }

    /// Reads on until some events can no longer be preceded by later ones.
    fn refill(&mut self) -> Result<(), TraceError> {
        while self.taken == self.due && self.next < self.groups.count() {
            self.keep_open_rows();
            let first = self.rows.len();
            self.groups.read(self.next, &mut self.rows)?;
            self.next += 1;
            let order = &mut self.order;
            for (row, place) in self.rows[first..].iter().zip(first as u32..) {
                self.groups
                    .times(row, |t_ps, step| order.push(Key { t_ps, place, step }));
            }
            sort(order, &mut self.spare);
            let bound = self.bounds[self.next];
            self.due = order.partition_point(|key| key.t_ps < bound);
        }
        Ok(())
    }

    /// Drops the rows whose events have all been output.
    fn keep_open_rows(&mut self) {
        self.order.drain(..self.taken);
        (self.taken, self.due) = (0, 0);
        let mut places = vec![None; self.rows.len()];
        for key in &self.order {
            places[key.place as usize] = Some(0);
        }
        for (place, new) in places.iter_mut().flatten().zip(0..) {
            *place = new;
        }
        let mut of_row = places.iter();
        self.rows
            .retain(|_| of_row.next().is_some_and(Option::is_some));
        for key in &mut self.order {
            key.place = places[key.place as usize].unwrap_or(0);
        }
    }

    /// The time of the next event.
    #[inline]
    pub(crate) fn peek(&mut self) -> Result<Option<u64>, TraceError> {
        if self.taken == self.due {
            self.refill()?;
        }
        Ok(self.order[..self.due].get(self.taken).map(|key| key.t_ps))
    }

    /// The next event: its time, the number of its step, and its row.
    #[inline]
    pub(crate) fn pop(&mut self) -> Option<(u64, u8, &G::Row)> {
        let key = *self.order[..self.due].get(self.taken)?;
        self.taken += 1;
        Some((key.t_ps, key.step, &self.rows[key.place as usize]))
    }

    /// Visits the next events up to this time: the time of each, the number of its step, its row.
    pub(crate) fn for_each_until<V>(&mut self, until: u64, mut visit: V) -> Result<(), TraceError>
    where
        V: FnMut(u64, u8, &G::Row) -> Result<(), TraceError>,
    {
        while self.peek()?.is_some() {
            for key in &self.order[self.taken..self.due] {
                if key.t_ps > until {
                    return Ok(());
                }
                self.taken += 1;
                visit(key.t_ps, key.step, &self.rows[key.place as usize])?;
            }
        }
        Ok(())
    }
}

/// Sorts by time, and leaves events of one time as they are: into buckets of equal length, which are
/// short since the times of a row group are spread, and in each of these.
fn sort(keys: &mut Vec<Key>, spare: &mut Vec<Key>) {
    const BITS: u32 = 17;
    let Some(first) = keys.first().copied() else {
        return;
    };
    if keys.is_sorted_by_key(|key| key.t_ps) {
        return;
    }
    let times = keys.iter().map(|key| key.t_ps);
    let (least, most) = times.fold((u64::MAX, 0), |(least, most), t| {
        (least.min(t), most.max(t))
    });
    let shift = (u64::BITS - (most - least).leading_zeros()).saturating_sub(BITS);
    let bucket = |key: &Key| ((key.t_ps - least) >> shift) as usize;
    let mut ends = vec![0_u32; 1 << BITS];
    keys.iter().for_each(|key| ends[bucket(key)] += 1);
    let mut before = 0;
    for end in &mut ends {
        (*end, before) = (before, before + *end);
    }
    spare.resize(keys.len(), first);
    for key in keys.iter() {
        let end = &mut ends[bucket(key)];
        spare[*end as usize] = *key;
        *end += 1;
    }
    std::mem::swap(keys, spare);
    let mut from = 0;
    for end in ends {
        let end = end as usize;
        if end - from > 1 {
            keys[from..end].sort_by_key(|key| key.t_ps);
        }
        from = end;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows with two events: groups of pairs of times.
    struct Pairs(Vec<Vec<Row>>);

    impl Groups for Pairs {
        type Row = Row;

        fn count(&self) -> usize {
            self.0.len()
        }

        fn least(&self, group: usize) -> Result<u64, TraceError> {
            Ok(self.0[group].iter().map(|row| row.0).min().unwrap_or(0))
        }

        fn read(&mut self, group: usize, to: &mut Vec<(u64, u64)>) -> Result<(), TraceError> {
            to.extend(&self.0[group]);
            Ok(())
        }

        fn times(&self, row: &(u64, u64), mut visit: impl FnMut(u64, u8)) {
            visit(row.0, 0);
            visit(row.1, 1);
        }
    }

    type Row = (u64, u64);

    /// All events, and the most rows at once.
    fn events(groups: Vec<Vec<Row>>) -> (Vec<(u64, u8, Row)>, usize) {
        let mut stream = InTime::new(Pairs(groups)).unwrap();
        let (mut found, mut most) = (Vec::new(), 0);
        while let Some(t) = stream.peek().unwrap() {
            most = most.max(stream.rows.len());
            let (t_ps, step, row) = stream.pop().unwrap();
            assert_eq!(t_ps, t);
            found.push((t_ps, step, *row));
        }
        (found, most)
    }

    #[test]
    fn groups_that_overlap_are_output_in_order_of_time_table_and_step() {
        let mut state = 7_u64;
        let mut draw = |below: u64| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (state >> 33) % below
        };
        let wide = 1 << 40;
        let groups: Vec<Vec<_>> = (0..20)
            .map(|group| {
                let row = |_| {
                    let from = group * wide / 2 + draw(3) * draw(wide);
                    (from, from + draw(2) * draw(4 * wide))
                };
                (0..50).map(row).collect()
            })
            .collect();
        let rows = groups.iter().flatten().enumerate();
        let mut expected: Vec<_> = rows
            .flat_map(|(place, row)| [(row.0, place, 0, *row), (row.1, place, 1, *row)])
            .collect();
        expected.sort();
        let expected: Vec<_> = expected.iter().map(|of| (of.0, of.2, of.3)).collect();
        assert_eq!(events(groups).0, expected);
    }

    #[test]
    fn only_rows_with_open_events_are_kept() {
        let open = [(0, 1000), (1, 2)].to_vec();
        let groups = (1..100).map(|group| vec![(10 * group, 10 * group + 1); 4]);
        let (found, most) = events(std::iter::once(open).chain(groups).collect());
        assert_eq!(found.len(), 2 * (2 + 99 * 4));
        assert!(most <= 1 + 2 * 4, "{most} rows at once");
    }

    #[test]
    fn the_order_holds_over_all_bits_of_a_time() {
        let times = [
            u64::MAX,
            0,
            1 << 63,
            1 << 11,
            (1 << 11) - 1,
            1 << 33,
            0,
            u64::MAX - 1,
        ];
        let mut keys: Vec<Key> = times
            .iter()
            .zip(0..)
            .map(|(t_ps, place)| Key {
                t_ps: *t_ps,
                place,
                step: 0,
            })
            .collect();
        let mut expected = keys.clone();
        expected.sort_by_key(|key| key.t_ps);
        sort(&mut keys, &mut Vec::new());
        assert_eq!(keys, expected);
    }
}
