//! The part of a series that is still warm-up.

use crate::Running;

/// Number of samples that [`mser5`] averages into one.
const FIVE: usize = 5;
/// A cut leaves at least this number of batches: a few values may be similar by chance.
const LEAST_LEFT: usize = 10;

/// The point at which a series is truncated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cut {
    /// Number of values at the beginning that are warm-up.
    pub warmup: usize,
    /// Length of the whole series.
    pub length: usize,
}

impl Cut {
    /// True if more than half is warm-up. The series is then too short to show an end of the
    /// warm-up: run longer (Franklin and White, *Stationarity tests and MSER-5*, WSC 2008).
    pub fn takes_more_than_half(&self) -> bool {
        2 * self.warmup > self.length
    }
}

/// The cut that gives the most precise mean: the least Σ(x − x̄)² / n² of the n values that remain
/// (White, *An effective truncation heuristic for bias reduction in simulation output*, Simulation
/// 69, 1997); the earliest one in case of a tie. At least ten values and a tenth of all remain.
/// `None` below twenty values, or if one is not a number.
///
/// ```
/// let mut series = vec![9.0, 7.0, 5.0, 4.0];
/// series.extend((0..60).map(|i| f64::from(i % 3)));
/// let cut = pacesim_measure::mser(&series).expect("long enough");
/// assert_eq!((cut.warmup, cut.takes_more_than_half()), (4, false));
/// ```
pub fn mser(series: &[f64]) -> Option<Cut> {
    let length = series.len();
    if length < 2 * LEAST_LEFT || !series.iter().all(|x| x.is_finite()) {
        return None;
    }
    let least_left = LEAST_LEFT.max(length / 10);
    let mut rest = Running::new();
    let mut best = (f64::INFINITY, 0);
    // Backwards, so that the remainder grows by one value at a time.
    for (warmup, x) in series.iter().enumerate().rev() {
        rest.add(*x);
        let n = rest.count() as f64;
        let square_error = rest.variance().unwrap_or(0.0) * (n - 1.0) / (n * n);
        if length - warmup >= least_left && square_error <= best.0 {
            best = (square_error, warmup);
        }
    }
    Some(Cut {
        warmup: best.1,
        length,
    })
}

/// [`mser`] of the means of each five values (MSER-5), in values of the series; an incomplete last
/// five is ignored. `None` below a hundred values.
pub fn mser5(series: &[f64]) -> Option<Cut> {
    let mean = |five: &[f64]| five.iter().sum::<f64>() / FIVE as f64;
    let means: Vec<f64> = series.chunks_exact(FIVE).map(mean).collect();
    let cut = mser(&means)?;
    Some(Cut {
        warmup: FIVE * cut.warmup,
        length: series.len(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Queue, Random};
    use crate::{Interval, wilson_interval};
    use proptest::prelude::*;

    /// Each cut on its own, in two passes.
    fn brute_force(series: &[f64]) -> usize {
        let least_left = LEAST_LEFT.max(series.len() / 10);
        let error = |warmup: usize| {
            let rest = &series[warmup..];
            let n = rest.len() as f64;
            let mean = rest.iter().sum::<f64>() / n;
            rest.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / (n * n)
        };
        let cuts = 0..=series.len() - least_left;
        let best = cuts.min_by(|a, b| error(*a).total_cmp(&error(*b)));
        best.expect("there is a cut")
    }

    #[test]
    fn too_little_has_no_cut() {
        assert_eq!(mser(&[1.0; 19]), None);
        assert_eq!(mser5(&[1.0; 99]), None);
        let mut series = [1.0; 50];
        assert_eq!(mser(&series).map(|cut| cut.warmup), Some(0));
        series[20] = f64::NAN;
        assert_eq!(mser(&series), None);
    }

    #[test]
    fn a_start_that_decays_is_cut_off() {
        // 20·0.95^t is below the noise from t = 60 on.
        let mut random = Random::new(21);
        let decay = |t: i32| 20.0 * libm::pow(0.95, f64::from(t));
        let series: Vec<f64> = (0..2000).map(|t| decay(t) + random.normal()).collect();
        let cut = mser5(&series).expect("long");
        assert!((25..300).contains(&cut.warmup), "{cut:?}");
        assert!(!cut.takes_more_than_half(), "{cut:?}");
        assert_eq!(cut.warmup % 5, 0);
    }

    #[test]
    fn a_series_that_never_settles_is_said_to() {
        let series: Vec<f64> = (0..400).map(f64::from).collect();
        let cut = mser5(&series).expect("long");
        assert!(cut.takes_more_than_half(), "{cut:?}");
    }

    #[test]
    fn a_stationary_series_loses_little() {
        let mut random = Random::new(4);
        let mut lost = Running::new();
        for _ in 0..200 {
            let series: Vec<f64> = (0..1000).map(|_| random.normal()).collect();
            let cut = mser5(&series).expect("long");
            assert!(!cut.takes_more_than_half(), "{cut:?}");
            lost.add(cut.warmup as f64);
        }
        assert!(lost.mean().expect("some") < 100.0, "{:?}", lost.mean());
    }

    /// Number of intervals that cover the truth, among 1000 series.
    fn covered(interval: impl Fn(&mut Queue) -> Interval) -> u64 {
        let truth = Queue::mean_number();
        let covers = |seed: &u64| interval(&mut Queue::new(*seed)).contains(truth);
        (0..1000).filter(covers).count() as u64
    }

    #[test]
    fn replications_cover_as_often_as_they_say() {
        // Ten short replications behind a warm-up of 100 service times each.
        let covered = covered(|queue| {
            let one = |_| {
                *queue = Queue::new(queue.seed_of_next());
                queue.mean_over(100.0);
                queue.mean_over(1000.0)
            };
            let means: Vec<f64> = (0..10).map(one).collect();
            crate::mean_interval(&means, 0.95).expect("ten")
        });
        assert!((930..=970).contains(&covered), "{covered}");
        let share = wilson_interval(covered, 1000, 0.999).expect("trials");
        assert!(share.contains(0.95), "{share:?}");
    }

    proptest! {
        #[test]
        fn the_cut_is_that_of_trying_all(
            series in prop::collection::vec(-5.0..5.0, 20..150),
            start in prop::collection::vec(5.0..50.0, 0..30),
        ) {
            let series = [start, series].concat();
            let cut = mser(&series).expect("long");
            prop_assert_eq!(cut.warmup, brute_force(&series));
        }
    }
}
