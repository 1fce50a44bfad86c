//! The gaps between events, such as departures from a link.

use pacesim_units::Time;

use crate::{Histogram, Moments};

/// Mean, variation and distribution of the time from each event to the next.
///
/// ```
/// use pacesim_measure::{Gaps, Histogram};
/// use pacesim_units::Time;
///
/// let mut gaps = Gaps::new(Histogram::linear(0, 10, 5).expect("bins"));
/// [0, 10, 20, 50].into_iter().for_each(|ps| gaps.add(Time::from_ps(ps)));
/// assert_eq!(gaps.moments().count(), 3);
/// assert_eq!(gaps.moments().mean(), Some(50.0 / 3.0));
/// assert_eq!(gaps.histogram().bins().nth(1).map(|bin| bin.count), Some(2));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gaps {
    last: Option<Time>,
    moments: Moments,
    histogram: Histogram,
}

impl Gaps {
    /// No events; `bins`, in picoseconds, are empty.
    pub fn new(bins: Histogram) -> Gaps {
        Gaps {
            last: None,
            moments: Moments::new(),
            histogram: bins,
        }
    }

    /// Adds an event, in time order.
    #[inline]
    pub fn add(&mut self, at: Time) {
        if let Some(last) = self.last.replace(at) {
            let gap = (at - last).as_ps();
            self.moments.add(gap);
            self.histogram.add(gap);
        }
    }

    /// Forgets the gaps but not the last event, as at the end of a warm-up.
    pub fn reset(&mut self) {
        self.moments.reset();
        self.histogram.reset();
    }

    /// Count, mean and variation of the gaps, in picoseconds.
    pub fn moments(&self) -> &Moments {
        &self.moments
    }

    /// The histogram of the gaps.
    pub fn histogram(&self) -> &Histogram {
        &self.histogram
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Random;

    fn bins() -> Histogram {
        Histogram::logarithmic(1_000, 100_000_000, 4).expect("bins")
    }

    #[test]
    fn one_event_has_no_gap_and_a_reset_keeps_the_last() {
        let mut gaps = Gaps::new(bins());
        gaps.add(Time::from_ps(5));
        assert_eq!(gaps.moments().count(), 0);
        gaps.reset();
        gaps.add(Time::from_ps(12));
        assert_eq!((gaps.moments().count(), gaps.moments().max()), (1, Some(7)));
        gaps.reset();
        assert_eq!((gaps.moments().count(), gaps.histogram().count()), (0, 0));
    }

    #[test]
    fn poisson_events_have_exponential_gaps() {
        let mut random = Random::new(6);
        let (mut gaps, mut now) = (Gaps::new(bins()), 0.0);
        for _ in 0..200_000 {
            now += 1e6 * random.exponential();
            gaps.add(Time::from_ps(now as u64));
        }
        let cv = gaps.moments().cv().expect("gaps");
        assert!((cv - 1.0).abs() < 0.02, "{cv}");
        for point in gaps.histogram().tail() {
            let expected = libm::exp(-(point.from as f64) / 1e6);
            assert!((point.share - expected).abs() < 0.005, "{point:?}");
        }
    }
}
