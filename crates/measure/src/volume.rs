//! The volume of packets per interval, as a series.

use pacesim_units::{Bytes, Span, Time};

/// Cuts a stream of packets into intervals `[start + i·s, start + (i+1)·s)` and emits the bytes of
/// each complete one, including empty ones.
///
/// ```
/// use pacesim_measure::VolumeSeries;
/// use pacesim_units::{Bytes, Span, Time};
///
/// let mut volumes = Vec::new();
/// let mut series = VolumeSeries::new(Time::ZERO, Span::from_ms(1)).expect("a length");
/// let mut keep = |_start, volume: Bytes| volumes.push(volume.get());
/// series.add(Time::ZERO + Span::from_us(300), Bytes(1500), &mut keep);
/// series.add(Time::ZERO + Span::from_us(999), Bytes(500), &mut keep);
/// series.finish(Time::ZERO + Span::from_us(2500), &mut keep);
/// assert_eq!(volumes, [2000, 0]); // the third is not complete
/// ```
#[derive(Clone, Debug)]
pub struct VolumeSeries {
    interval: Span,
    start: Time,
    end: Time,
    volume: Bytes,
}

impl VolumeSeries {
    /// Intervals of this length from `start` on; `None` if it is zero or the first ends beyond the
    /// end of time.
    pub fn new(start: Time, interval: Span) -> Option<VolumeSeries> {
        let end = start.checked_add(interval)?;
        (!interval.is_zero()).then_some(VolumeSeries {
            interval,
            start,
            end,
            volume: Bytes::ZERO,
        })
    }

    /// Adds a packet, in time order; `emit` is called with the start and the volume of each
    /// interval that ends by then. Costs a comparison and an addition within an interval.
    #[inline]
    pub fn add(&mut self, at: Time, size: Bytes, emit: impl FnMut(Time, Bytes)) {
        debug_assert!(self.start <= at, "packets come in time order");
        if at >= self.end {
            self.finish(at, emit);
        }
        self.volume += size;
    }

    /// Emits the intervals that end by `until`.
    pub fn finish(&mut self, until: Time, mut emit: impl FnMut(Time, Bytes)) {
        while self.end <= until && self.start < self.end {
            emit(self.start, std::mem::take(&mut self.volume));
            self.start = self.end;
            // The last interval before the end of time is never complete.
            self.end = self.end.saturating_add(self.interval);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn an_interval_needs_a_length_and_an_end() {
        for (from, interval) in [(Time::ZERO, Span::ZERO), (Time::from_ps(1), Span::MAX)] {
            let refused = VolumeSeries::new(from, interval).is_none();
            assert!(refused, "{interval} from {from}");
        }
    }

    #[test]
    fn the_end_of_time_ends_the_series() {
        let late = Time::from_ps(u64::MAX - 5);
        let mut series = VolumeSeries::new(late, Span::from_ps(4)).expect("a length");
        let mut starts = Vec::new();
        series.finish(Time::NEVER, |start, _| starts.push(start));
        assert_eq!(starts.len(), 2);
    }

    proptest! {
        #[test]
        fn volumes_agree_with_dividing_each_time(
            packets in prop::collection::vec((0u64..30, 1u64..1500), 0..100),
            interval in 1u64..50,
            rest in 0u64..100,
        ) {
            let start = 1000;
            let (origin, length) = (Time::from_ps(start), Span::from_ps(interval));
            let mut series = VolumeSeries::new(origin, length).expect("a length");
            let (mut now, mut got, mut by_index) = (0, Vec::new(), Vec::new());
            for (gap, size) in packets {
                now += gap;
                let at = Time::from_ps(start + now);
                series.add(at, Bytes(size), |began, volume| got.push((began, volume)));
                by_index.push((now / interval, size));
            }
            let until = Time::from_ps(start + now + rest);
            series.finish(until, |began, volume| got.push((began, volume)));
            let complete = (now + rest) / interval;
            let expected: Vec<_> = (0..complete).map(|index| {
                let inside = by_index.iter().filter(|(i, _)| *i == index);
                (Time::from_ps(start + index * interval), Bytes(inside.map(|(_, size)| size).sum()))
            }).collect();
            prop_assert_eq!(got, expected);
        }
    }
}
