//! Averages over time of a level that steps, such as a queue's length.

use pacesim_units::{Span, Time};

use crate::wide::{Sum192, spread};

/// The time-weighted mean, spread and maximum of a step function.
///
/// The areas under the level and under its square are exact integers that cannot overflow: levels
/// and times have 64 bits, their sums of products 128 and 192. Decreasing times panic. A level that
/// is set and replaced at the same instant has no weight, but counts for the maximum.
///
/// ```
/// use pacesim_measure::TimeWeighted;
/// use pacesim_units::Time;
///
/// let mut queue = TimeWeighted::new(Time::ZERO, 0);
/// queue.set(Time::from_ps(10), 6);
/// assert_eq!(queue.mean(Time::from_ps(30)), Some(4.0));
/// queue.reset(Time::from_ps(30)); // the end of the warm-up: six are still there
/// assert_eq!(queue.mean(Time::from_ps(40)), Some(6.0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeWeighted {
    area: u128,
    square_area: Sum192,
    start: Time,
    changed: Time,
    level: u64,
    max: u64,
}

impl TimeWeighted {
    /// Starts at `start` with the level of that moment.
    pub fn new(start: Time, level: u64) -> TimeWeighted {
        TimeWeighted {
            area: 0,
            square_area: Sum192::default(),
            start,
            changed: start,
            level,
            max: level,
        }
    }

    /// Sets the level from `now` on.
    #[inline]
    pub fn set(&mut self, now: Time, level: u64) {
        self.advance(now);
        self.level = level;
        self.max = self.max.max(level);
    }

    /// Forgets the past but keeps the level, as at the end of a warm-up.
    pub fn reset(&mut self, now: Time) {
        *self = TimeWeighted::new(now, self.level);
    }

    /// The present level.
    #[inline]
    pub fn level(&self) -> u64 {
        self.level
    }

    /// The greatest level since the start, including the one at the start.
    #[inline]
    pub fn max(&self) -> u64 {
        self.max
    }

    /// The area under the level until `until`, in level × ps.
    pub fn area(&self, until: Time) -> u128 {
        self.until(until).area
    }

    /// The mean level until `until`; `None` if no time has passed.
    pub fn mean(&self, until: Time) -> Option<f64> {
        let span = self.span(until)?;
        Some(self.area(until) as f64 / span.as_ps() as f64)
    }

    /// The time-weighted variance of the level until `until`; `None` if no time has
    /// passed.
    pub fn variance(&self, until: Time) -> Option<f64> {
        let span = self.span(until)?.as_ps();
        let closed = self.until(until);
        let squared = spread(span, closed.area, &closed.square_area);
        Some(squared / span as f64 / span as f64)
    }

    fn span(&self, until: Time) -> Option<Span> {
        let span = until - self.start;
        (!span.is_zero()).then_some(span)
    }

    fn until(&self, until: Time) -> TimeWeighted {
        let mut closed = *self;
        closed.advance(until);
        closed
    }

    #[inline]
    fn advance(&mut self, now: Time) {
        let held = (now - self.changed).as_ps();
        let level = u128::from(self.level);
        self.area += level * u128::from(held);
        self.square_area.add_product(level * level, held);
        self.changed = now;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn at(ps: u64) -> Time {
        Time::from_ps(ps)
    }

    #[test]
    fn without_time_there_is_no_mean() {
        let level = TimeWeighted::new(at(5), 3);
        assert_eq!(
            (level.mean(at(5)), level.variance(at(5)), level.max()),
            (None, None, 3)
        );
    }

    #[test]
    fn an_instant_peak_has_no_weight_but_is_the_maximum() {
        let mut level = TimeWeighted::new(at(0), 1);
        level.set(at(5), 9);
        level.set(at(5), 1);
        assert_eq!((level.mean(at(10)), level.max()), (Some(1.0), 9));
        level.reset(at(10));
        assert_eq!(level.max(), 1);
    }

    #[test]
    fn the_largest_levels_do_not_overflow() {
        let mut level = TimeWeighted::new(at(0), u64::MAX);
        level.set(at(u64::MAX - 1), 0);
        assert_eq!(level.variance(at(u64::MAX - 1)), Some(0.0));
        assert_eq!(level.mean(at(u64::MAX - 1)), Some(u64::MAX as f64));
    }

    #[test]
    #[should_panic(expected = "the earlier time is later")]
    fn time_does_not_go_back() {
        TimeWeighted::new(at(5), 0).set(at(4), 1);
    }

    proptest! {
        /// Areas against the level at every single picosecond.
        #[test]
        fn areas_agree_with_sampling_every_picosecond(
            steps in prop::collection::vec((0u64..20, 0u64..1000), 1..40),
            rest in 1u64..20,
        ) {
            let mut level = TimeWeighted::new(at(100), 7);
            let (mut now, mut samples) = (100, Vec::new());
            for &(held, next) in &steps {
                samples.extend((0..held).map(|_| level.level()));
                now += held;
                level.set(at(now), next);
            }
            samples.extend((0..rest).map(|_| level.level()));
            let sampled: crate::Moments = samples.into_iter().collect();
            let until = at(now + rest);
            prop_assert_eq!(level.area(until), sampled.sum());
            prop_assert_eq!(level.mean(until), sampled.mean());
            prop_assert_eq!(level.variance(until), sampled.population_variance());
        }
    }
}
