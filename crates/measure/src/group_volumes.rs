//! Volume per interval of several groups at once.

use pacesim_units::{Bytes, Span, Time};

use crate::VolumeSeries;

/// The bytes of each group in the intervals of a [`VolumeSeries`]: throughput over time of flows
/// and groups of flows. The state is one number per group.
///
/// ```
/// use pacesim_measure::GroupVolumes;
/// use pacesim_units::{Bytes, Span, Time};
///
/// let mut rows = Vec::new();
/// let mut volumes = GroupVolumes::new(Time::ZERO, Span::from_ms(1), 2).expect("a length");
/// let at = |us| Time::ZERO + Span::from_us(us);
/// let mut keep = |_start, of_groups: &[Bytes]| rows.push(of_groups.to_vec());
/// volumes.add(at(100), 0, Bytes(1500), &mut keep);
/// volumes.add(at(200), 1, Bytes(500), &mut keep);
/// volumes.add(at(1200), 1, Bytes(700), &mut keep);
/// volumes.finish(at(2000), &mut keep);
/// assert_eq!(rows, [[Bytes(1500), Bytes(500)], [Bytes(0), Bytes(700)]]);
/// ```
#[derive(Clone, Debug)]
pub struct GroupVolumes {
    clock: VolumeSeries,
    volumes: Vec<Bytes>,
}

impl GroupVolumes {
    /// Intervals of this length from `start` on, for groups numbered from 0; `None` if the length
    /// is zero or the first interval ends beyond the end of time.
    pub fn new(start: Time, interval: Span, groups: usize) -> Option<GroupVolumes> {
        Some(GroupVolumes {
            clock: VolumeSeries::new(start, interval)?,
            volumes: vec![Bytes::ZERO; groups],
        })
    }

    /// Adds a packet of a group, in time order; `emit` is called with the start and the volumes of
    /// each interval that ends by then.
    #[inline]
    pub fn add(&mut self, at: Time, group: usize, size: Bytes, emit: impl FnMut(Time, &[Bytes])) {
        self.finish(at, emit);
        self.volumes[group] += size;
    }

    /// Emits the intervals that end by `until`.
    #[inline]
    pub fn finish(&mut self, until: Time, mut emit: impl FnMut(Time, &[Bytes])) {
        let volumes = &mut self.volumes;
        self.clock.finish(until, |start, _| {
            emit(start, volumes);
            volumes.fill(Bytes::ZERO);
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn each_group_is_as_a_series_of_its_own(
            packets in prop::collection::vec((0u64..30, 0usize..3, 1u64..1500), 0..100),
            interval in 1u64..50,
            rest in 0u64..100,
        ) {
            let length = Span::from_ps(interval);
            let mut all = GroupVolumes::new(Time::ZERO, length, 3).expect("a length");
            let mut rows: Vec<Vec<Bytes>> = Vec::new();
            let one = || VolumeSeries::new(Time::ZERO, length).expect("a length");
            let mut alone = [one(), one(), one()];
            let mut columns = [vec![], vec![], vec![]];
            let mut now = 0;
            for (gap, group, size) in packets {
                now += gap;
                let at = Time::from_ps(now);
                all.add(at, group, Bytes(size), |_, row| rows.push(row.to_vec()));
                alone[group].add(at, Bytes(size), |_, volume| columns[group].push(volume));
            }
            let until = Time::from_ps(now + rest);
            all.finish(until, |_, row| rows.push(row.to_vec()));
            for (group, series) in alone.iter_mut().enumerate() {
                series.finish(until, |_, volume| columns[group].push(volume));
                let column: Vec<Bytes> = rows.iter().map(|row| row[group]).collect();
                prop_assert_eq!(&column, &columns[group]);
            }
        }
    }
}
