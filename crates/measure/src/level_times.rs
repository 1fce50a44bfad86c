//! Time that a level, such as a queue's length, spends at each height.

use pacesim_units::{Span, Time};

use crate::{Histogram, Tail};

/// The time that a step function spends at each level: the shares of time in which a buffer is idle
/// or full, and the distribution in between. Each time is an exact integer; the resolution of
/// levels in between is that of the bins.
///
/// ```
/// use pacesim_measure::{Histogram, LevelTimes};
/// use pacesim_units::Time;
///
/// let bins = Histogram::linear(1, 1, 10).expect("bins");
/// let mut queue = LevelTimes::new(Time::ZERO, 0, 3, bins);
/// queue.set(Time::from_ps(10), 2);
/// queue.set(Time::from_ps(30), 3);
/// let end = Time::from_ps(40);
/// assert_eq!((queue.idle(end), queue.full(end)), (Some(0.25), Some(0.25)));
/// let above = queue.tail(end).into_iter().find(|point| point.from == 2);
/// assert_eq!(above.map(|point| point.share), Some(0.75));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LevelTimes {
    /// Number of picoseconds at each level.
    times: Histogram,
    idle: Span,
    full: Span,
    full_from: u64,
    start: Time,
    changed: Time,
    level: u64,
}

impl LevelTimes {
    /// Starts at `start` with the level of that moment. The buffer is idle at zero and full from
    /// `full_from` on; `bins` separate levels and are empty.
    pub fn new(start: Time, level: u64, full_from: u64, bins: Histogram) -> LevelTimes {
        LevelTimes {
            times: bins,
            idle: Span::ZERO,
            full: Span::ZERO,
            full_from,
            start,
            changed: start,
            level,
        }
    }

    /// Sets the level from `now` on; never before the time of the last call.
    #[inline]
    pub fn set(&mut self, now: Time, level: u64) {
        if level != self.level {
            self.advance(now);
            self.level = level;
        }
    }

    /// Forgets the past but keeps the level, as at the end of a warm-up.
    pub fn reset(&mut self, now: Time) {
        self.times.reset();
        (self.idle, self.full) = (Span::ZERO, Span::ZERO);
        (self.start, self.changed) = (now, now);
    }

    /// The share of time until `until` in which the level was zero; `None` if no time has passed.
    pub fn idle(&self, until: Time) -> Option<f64> {
        self.share(until, |closed| closed.idle)
    }

    /// The share of time in which the buffer was full.
    pub fn full(&self, until: Time) -> Option<f64> {
        self.share(until, |closed| closed.full)
    }

    /// The share of time at or above each edge of the bins; empty if no time has passed.
    pub fn tail(&self, until: Time) -> Vec<Tail> {
        self.until(until).times.tail()
    }

    fn share(&self, until: Time, of: fn(&LevelTimes) -> Span) -> Option<f64> {
        let closed = self.until(until);
        let whole = until - self.start;
        (!whole.is_zero()).then(|| of(&closed).as_ps() as f64 / whole.as_ps() as f64)
    }

    fn until(&self, until: Time) -> LevelTimes {
        let mut closed = self.clone();
        closed.advance(until);
        closed
    }

    fn advance(&mut self, now: Time) {
        let held = now - self.changed;
        self.times.add_repeated(self.level, held.as_ps());
        if self.level == 0 {
            self.idle += held;
        }
        if self.level >= self.full_from {
            self.full += held;
        }
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
    fn without_time_there_are_no_shares() {
        let bins = Histogram::linear(0, 1, 5).expect("bins");
        let level = LevelTimes::new(at(5), 0, 4, bins);
        assert_eq!((level.idle(at(5)), level.full(at(5))), (None, None));
        let tail = level.tail(at(5));
        assert!(tail.is_empty(), "{tail:?}");
    }

    #[test]
    fn a_queue_has_the_distribution_of_the_closed_form() {
        // M/M/1/K: p(n) is proportional to 0.8^n, n from 0 to 10.
        let mut queue = crate::testing::Queue::new(3);
        let bins = Histogram::linear(0, 1, 12).expect("bins");
        let mut level = LevelTimes::new(at(0), 0, 10, bins);
        let ps = |time: f64| at((time * 1e6) as u64);
        let end = 400_000.0;
        let mut now = 0.0;
        while now < end {
            let (number, until) = queue.step();
            level.set(ps(now), u64::from(number));
            now += until;
        }
        let weight = |n: u64| libm::pow(0.8, n as f64);
        let total: f64 = (0..=10).map(weight).sum();
        let (idle, full) = (level.idle(ps(now)), level.full(ps(now)));
        assert!((idle.expect("time") - 1.0 / total).abs() < 0.01, "{idle:?}");
        assert!(
            (full.expect("time") - weight(10) / total).abs() < 0.003,
            "{full:?}"
        );
        for point in level.tail(ps(now)) {
            let above: f64 = (point.from..=10).map(weight).sum();
            assert!((point.share - above / total).abs() < 0.015, "{point:?}");
        }
    }

    proptest! {
        /// Shares against the level at every single picosecond.
        #[test]
        fn shares_agree_with_sampling_every_picosecond(
            steps in prop::collection::vec((0u64..20, 0u64..6), 1..40),
            cut in 0usize..40,
            rest in 1u64..20,
        ) {
            let bins = Histogram::linear(0, 1, 8).expect("bins");
            let mut level = LevelTimes::new(at(100), 2, 5, bins);
            let (mut now, mut current, mut samples) = (100, 2, Vec::new());
            for (i, &(held, next)) in steps.iter().enumerate() {
                samples.extend((0..held).map(|_| current));
                now += held;
                if i == cut {
                    level.reset(at(now));
                    samples.clear();
                }
                (current, _) = (next, level.set(at(now), next));
            }
            samples.extend((0..rest).map(|_| current));
            let share = |is: &dyn Fn(u64) -> bool| {
                samples.iter().filter(|&&x| is(x)).count() as f64 / samples.len() as f64
            };
            let until = at(now + rest);
            prop_assert_eq!(level.idle(until), Some(share(&|x| x == 0)));
            prop_assert_eq!(level.full(until), Some(share(&|x| x >= 5)));
            for point in level.tail(until) {
                prop_assert_eq!(point.share, share(&|x| x >= point.from));
            }
        }
    }
}
