//! Confidence intervals.

use crate::Running;
use crate::distributions::{normal_quantile, student_quantile};

/// An estimate and its confidence interval at a given level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// Point estimate.
    pub estimate: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
}

impl Interval {
    /// True if a value lies in it, ends included.
    pub fn contains(&self, value: f64) -> bool {
        self.low <= value && value <= self.high
    }

    /// Half the distance between the ends.
    pub fn half_width(&self) -> f64 {
        (self.high - self.low) / 2.0
    }

    /// This interval if all of it is at 0 or above, else the interval of a mean that cannot be
    /// negative, on a logarithmic scale: with u, the half width over the mean (above 1), the lower
    /// end is the mean times exp(−u), and the upper end the mean times 1 + u + u²/2, the
    /// exponential to its second order, since u is up to 13 with two samples.
    ///
    /// Few positive samples are wide in this sense only if they are skewed. Student's upper end is
    /// then too low: of exponential samples, it covers in 87.9 % with n = 3 and 88.2 % with n = 5,
    /// this one in 92.4 and 90.7 % (measured).
    ///
    /// ```
    /// let losses = pacesim_measure::mean_interval(&[0.1, 0.2, 3.0], 0.95).expect("samples");
    /// assert!(losses.low < -2.9);
    /// let positive = losses.of_nonnegative();
    /// assert!(positive.low > 0.0 && positive.high > losses.high);
    /// ```
    pub fn of_nonnegative(self) -> Interval {
        if self.low >= 0.0 || self.estimate.is_nan() || self.estimate <= 0.0 {
            return self;
        }
        let u = self.half_width() / self.estimate;
        Interval {
            low: self.estimate * libm::exp(-u),
            high: self.estimate * (1.0 + u + 0.5 * u * u),
            ..self
        }
    }

    /// The interval of a Gaussian estimate with known standard deviation; `None`
    /// unless 0 < level < 1.
    pub(crate) fn gaussian(estimate: f64, std_dev: f64, level: f64) -> Option<Interval> {
        let z = normal_quantile(upper(level)?)?;
        Some(Interval::around(estimate, z * std_dev))
    }

    fn around(estimate: f64, half_width: f64) -> Interval {
        Interval {
            estimate,
            low: estimate - half_width,
            high: estimate + half_width,
        }
    }
}

/// Student's interval of the mean of independent samples, such as one result of each replication;
/// `None` below two samples or unless 0 < level < 1.
///
/// ```
/// let goodputs = [9.1, 9.3, 8.9, 9.2, 9.0];
/// let interval = pacesim_measure::mean_interval(&goodputs, 0.95).expect("samples");
/// assert!((interval.estimate - 9.1).abs() < 1e-12);
/// assert!((interval.half_width() - 0.19632).abs() < 1e-5); // 2.77645·sd/√5
/// ```
pub fn mean_interval(samples: &[f64], level: f64) -> Option<Interval> {
    let running: Running = samples.iter().copied().collect();
    let std_error = (running.variance()? / running.count() as f64).sqrt();
    let t = student_quantile(upper(level)?, (running.count() - 1) as f64)?;
    Some(Interval::around(running.mean()?, t * std_error))
}

/// The interval of the mean of samples of a quantity that cannot be negative: Student's, or
/// [`Interval::of_nonnegative`] where that reaches below 0. `None` as for [`mean_interval`]. With a
/// negative sample it is Student's.
pub fn nonnegative_mean_interval(samples: &[f64], level: f64) -> Option<Interval> {
    let interval = mean_interval(samples, level)?;
    Some(if samples.iter().all(|sample| *sample >= 0.0) {
        interval.of_nonnegative()
    } else {
        interval
    })
}

/// Wilson's interval of a proportion of independent trials; also valid if none or all succeed.
/// `None` without trials, with more successes than trials, or unless 0 < level < 1.
///
/// ```
/// let loss = pacesim_measure::wilson_interval(0, 100, 0.95).expect("trials");
/// assert!(loss.low == 0.0 && (loss.high - 0.036993).abs() < 1e-6);
/// ```
pub fn wilson_interval(successes: u64, trials: u64, level: f64) -> Option<Interval> {
    if trials == 0 || successes > trials {
        return None;
    }
    let n = trials as f64;
    share_interval(successes as f64 / n, n, level)
}

/// Wilson's interval of a share among an effective number of independent trials, which is smaller
/// than their number where successes are correlated. `None` unless 0 <= share <= 1, 0 < trials and
/// 0 < level < 1.
///
/// ```
/// let clustered = pacesim_measure::share_interval(0.0, 50.0, 0.95).expect("trials");
/// assert!(clustered.high > pacesim_measure::share_interval(0.0, 100.0, 0.95).expect("trials").high);
/// ```
pub fn share_interval(share: f64, trials: f64, level: f64) -> Option<Interval> {
    if !(0.0..=1.0).contains(&share) || trials.is_nan() || trials <= 0.0 {
        return None;
    }
    let (z, n) = (normal_quantile(upper(level)?)?, trials);
    let shrink = 1.0 + z * z / n;
    let centre = (share + z * z / (2.0 * n)) / shrink;
    let half_width = z / shrink * (share * (1.0 - share) / n + z * z / (4.0 * n * n)).sqrt();
    Some(Interval {
        estimate: share,
        // Rounding must not exclude the estimate itself, above all at 0 and 1.
        low: (centre - half_width).max(0.0).min(share),
        high: (centre + half_width).min(1.0).max(share),
    })
}

/// The level of each of several intervals with which all of them cover at `level` (Bonferroni);
/// `level` itself for none or one.
///
/// ```
/// assert!((pacesim_measure::bonferroni(0.95, 5) - 0.99).abs() < 1e-15);
/// ```
pub fn bonferroni(level: f64, intervals: usize) -> f64 {
    1.0 - (1.0 - level) / intervals.max(1) as f64
}

/// The probability below the upper end of a two-sided interval.
pub(crate) fn upper(level: f64) -> Option<f64> {
    (0.0 < level && level < 1.0).then(|| 1.0 - (1.0 - level) / 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Random;

    #[test]
    fn too_little_to_know_gives_no_interval() {
        assert_eq!(mean_interval(&[1.0], 0.95), None);
        assert_eq!(mean_interval(&[1.0, 2.0], 1.0), None);
        assert_eq!(mean_interval(&[1.0, 2.0], f64::NAN), None);
        assert_eq!(wilson_interval(0, 0, 0.9), None);
        assert_eq!(wilson_interval(2, 1, 0.9), None);
        assert_eq!(Interval::gaussian(1.0, 1.0, 0.0), None);
    }

    #[test]
    fn the_interval_of_two_samples_is_the_tables() {
        // t(1, .975)/2 · |difference|.
        let interval = mean_interval(&[1.0, 3.0], 0.95).expect("two");
        assert!(
            (interval.half_width() - 12.7062047362).abs() < 1e-9,
            "{:?}",
            interval.half_width()
        );
        assert!(
            interval.contains(2.0) && !interval.contains(20.0),
            "{interval:?}"
        );
    }

    #[test]
    fn intervals_cover_as_often_as_they_say() {
        let (mut random, runs, level) = (Random::new(3), 4000, 0.9);
        let covered = (0..runs).filter(|_| {
            let samples: Vec<f64> = (0..5).map(|_| 10.0 + random.normal()).collect();
            mean_interval(&samples, level).expect("five").contains(10.0)
        });
        let covered = covered.count() as u64;
        let share = wilson_interval(covered, runs, 0.9999).expect("runs");
        assert!(share.contains(level), "{share:?}");
    }

    /// The share of intervals of `n` samples that hold their mean, of Student's and of those of
    /// positive quantities.
    fn covered(n: usize, mean: f64, mut sample: impl FnMut() -> f64) -> (f64, f64) {
        const RUNS: usize = 4000;
        let (mut plain, mut positive) = (0, 0);
        for _ in 0..RUNS {
            let samples: Vec<f64> = (0..n).map(|_| sample()).collect();
            let student = mean_interval(&samples, 0.95).expect("samples");
            let ours = nonnegative_mean_interval(&samples, 0.95).expect("samples");
            assert!(ours.low >= 0.0 && ours.contains(ours.estimate), "{ours:?}");
            let reaches_below = student.low < 0.0;
            assert!(reaches_below || student == ours, "{samples:?}");
            plain += usize::from(student.contains(mean));
            positive += usize::from(ours.contains(mean));
        }
        (plain as f64 / RUNS as f64, positive as f64 / RUNS as f64)
    }

    #[test]
    fn intervals_of_positive_quantities_stay_above_zero_and_cover_no_less() {
        let mut random = Random::new(17);
        for n in [2, 3, 5, 10, 20] {
            let (plain, positive) = covered(n, 1.0, || random.exponential());
            let least = if n < 10 { plain + 0.015 } else { plain - 0.001 };
            assert!(positive >= least, "exponential, {n}: {positive}, {plain}");
            assert!(positive >= 0.89, "exponential, {n}: {positive}");
            for (sigma, lost) in [(0.3, 0.0), (0.7, 0.002), (1.0, 0.003), (1.5, 0.01)] {
                let mean = libm::exp(0.5 * sigma * sigma);
                let (plain, positive) = covered(n, mean, || libm::exp(sigma * random.normal()));
                assert!(
                    positive >= plain - lost,
                    "lognormal {sigma}, {n}: {positive}, {plain}"
                );
            }
        }
    }

    #[test]
    fn numbers_that_may_be_negative_keep_students_interval() {
        let samples = [-1.0, 4.0, 0.5];
        let student = mean_interval(&samples, 0.95);
        assert_eq!(nonnegative_mean_interval(&samples, 0.95), student);
        let zeros = nonnegative_mean_interval(&[0.0; 4], 0.95).expect("samples");
        assert_eq!((zeros.low, zeros.high), (0.0, 0.0));
    }

    #[test]
    fn wilson_bounds_solve_their_quadratic() {
        // (share − p)² = z²·p(1 − p)/n at both ends (Wilson 1927).
        let (n, level) = (37, 0.95);
        let z = normal_quantile(0.975).expect("in range");
        for successes in 1..n {
            let interval = wilson_interval(successes, n, level).expect("trials");
            for p in [interval.low, interval.high] {
                let apart = interval.estimate - p;
                let expected = z * z * p * (1.0 - p) / n as f64;
                assert!(
                    (apart * apart - expected).abs() < 1e-14,
                    "{:?} and {:?}",
                    apart * apart,
                    expected
                );
            }
        }
        let (none, all) = (wilson_interval(0, n, level), wilson_interval(n, n, level));
        let (none, all) = (none.expect("trials"), all.expect("trials"));
        assert_eq!((none.low, all.high), (0.0, 1.0));
        assert!(
            (none.high + all.low - 1.0).abs() < 1e-15,
            "{:?}",
            none.high + all.low
        );
    }
}
