//! Effect of an edge pacer's delay on TCP: eq. (1)–(4) of the edge paper.
//!
//! Pacing with delay `d` cuts the loss of the smooth aggregate exponentially and adds `d` to the
//! round trip. Loads are below one; `d` counts packet times in (2) and (3); in (4) all times are in
//! one unit chosen by the caller.
//!
//! Fig. 9's two regimes ("about 90 %" and "99.9 %") result if `d` and the round trip enter (4) as
//! plain numbers of milliseconds; that is inferred, as the paper does not state it.
//!
//! ```
//! use pacesim_analytic::edge;
//!
//! assert!(edge::rises(0.90, 0.0, 200.0)?); // low load: more pacing pays
//! assert!(!edge::rises(0.95, 0.0, 200.0)?);
//! # Ok::<(), pacesim_analytic::SolveError>(())
//! ```

use crate::error::require;
use crate::{Range, SolveError};

/// Standard deviation divided by mean of the rate of paced Poisson traffic, `1/sqrt(2 λ d)` (eq.
/// 2).
pub fn burstiness(load: f64, delay: f64) -> Result<f64, SolveError> {
    Range::PROPER_SHARE.check("load", load)?;
    Range::POSITIVE.check("delay", delay)?;
    Ok(1.0 / (2.0 * load * delay).sqrt())
}

/// Chernoff bound on the loss without buffers, `(λ e^(1-λ))^(2d)` (eq. 3): the probability that a
/// Poisson count of mean `2dλ` exceeds `2d`.
pub(crate) fn loss_bound(load: f64, delay: f64) -> Result<f64, SolveError> {
    Range::NON_NEGATIVE.check("delay", delay)?;
    Ok(libm::exp(-2.0 * delay * decay(load)?))
}

/// `-(ln λ + 1 - λ)`: the exponential rate at which half the loss bound falls per unit of delay.
pub fn decay(load: f64) -> Result<f64, SolveError> {
    Range::PROPER_SHARE.check("load", load)?;
    // -(ln(1 - x) + x) with x = 1 - λ: both terms near -x for loads near one.
    let x = 1.0 - load;
    Ok(-(libm::log1p(-x) + x))
}

const MOST_GAIN: f64 = 600.0;

/// The throughput measure, relative to no pacing (eq. 4):
/// `RTT0 / ((RTT0 + d) (λ e^(1-λ))^d)`.
pub fn throughput(load: f64, delay: f64, base_rtt: f64) -> Result<f64, SolveError> {
    Range::NON_NEGATIVE.check("delay", delay)?;
    Range::POSITIVE.check("base_rtt", base_rtt)?;
    let decay = decay(load)?;
    require(
        delay * decay <= MOST_GAIN,
        "delay x -(ln load + 1 - load) <= 600 (the measure stays within the floats)",
        || format!("delay {delay} at load {load}"),
        || format!("delays up to {}", MOST_GAIN / decay),
    )?;
    Ok(libm::exp(delay * decay) * base_rtt / (base_rtt + delay))
}

/// True if throughput rises with the delay at this delay: the relative gain from
/// less loss, [`decay`], exceeds the relative cost in round trip, `1/(RTT0 + d)`.
pub fn rises(load: f64, delay: f64, base_rtt: f64) -> Result<bool, SolveError> {
    Range::NON_NEGATIVE.check("delay", delay)?;
    Range::POSITIVE.check("base_rtt", base_rtt)?;
    Ok(decay(load)? > 1.0 / (base_rtt + delay))
}

/// The delay from which on throughput rises; zero if it rises from the start.
pub(crate) fn turning_delay(load: f64, base_rtt: f64) -> Result<f64, SolveError> {
    Range::POSITIVE.check("base_rtt", base_rtt)?;
    Ok((1.0 / decay(load)? - base_rtt).max(0.0))
}

/// The load above which throughput no longer rises at zero delay, by bisection.
pub(crate) fn turning_load(base_rtt: f64) -> Result<f64, SolveError> {
    let (mut low, mut high) = (1e-9, 1.0 - 1e-12);
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if rises(middle, 0.0, base_rtt)? {
            low = middle
        } else {
            high = middle
        }
    }
    Ok(low)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_chernoff_table_matches() {
        for (load, delay, bound, digit) in [
            (0.6, 10.0, 0.10899, 1e-5),
            (0.6, 20.0, 0.011879, 1e-6),
            (0.6, 30.0, 0.0012946, 1e-7),
            (0.6, 40.0, 1.411e-4, 1e-7),
            (0.6, 50.0, 1.5378e-5, 1e-9),
            (0.6, 70.0, 1.827e-7, 1e-10),
            (0.8, 10.0, 0.62947, 1e-5),
            (0.8, 50.0, 0.09883, 1e-5),
            (0.8, 70.0, 0.03916, 1e-5),
            (0.8, 100.0, 0.0097673, 1e-7),
        ] {
            let ours = loss_bound(load, delay).unwrap();
            assert!(
                (ours - bound).abs() <= 0.5001 * digit,
                "{load} {delay}: {ours}"
            );
        }
    }

    #[test]
    fn burstiness_is_that_of_the_low_pass_filter() {
        for (load, delay, beta) in [
            (0.8, 10.0, 0.250),
            (0.8, 100.0, 0.0791),
            (0.8, 1000.0, 0.0250),
            (0.6, 50.0, 0.129),
        ] {
            assert!(
                (burstiness(load, delay).unwrap() - beta).abs() < 5.1e-4,
                "{:?} and {:?}",
                burstiness(load, delay).unwrap(),
                beta
            );
        }
    }

    #[test]
    fn fig_9_rises_at_low_load_and_falls_at_high_load() {
        assert!(
            (decay(0.9).unwrap() - 0.00536).abs() < 5e-6,
            "{:?}",
            decay(0.9).unwrap()
        );
        assert!(
            (decay(0.95).unwrap() - 0.00129).abs() < 5e-6,
            "{:?}",
            decay(0.95).unwrap()
        );
        let curve = |load: f64| -> Vec<f64> {
            let delays = (0..=100).map(f64::from);
            delays
                .map(|d| throughput(load, d, 200.0).unwrap())
                .collect()
        };
        assert!(curve(0.90).is_sorted_by(|a, b| a < b));
        assert!(curve(0.999).is_sorted_by(|a, b| a > b));
    }

    #[test]
    fn throughput_has_its_least_value_at_the_turning_delay() {
        let turn = turning_delay(0.95, 200.0).unwrap();
        let at = |d: f64| throughput(0.95, d, 200.0).unwrap();
        assert!(at(turn) < at(turn - 1.0) && at(turn) < at(turn + 1.0));
        assert_eq!(turning_delay(0.9, 200.0).unwrap(), 0.0);
    }

    #[test]
    fn loads_near_one_keep_their_digits() {
        // -(ln λ + 1 - λ) = x²/2 + x³/3 + ... with x = 1 - λ.
        let x = 1.0 - (1.0 - 1e-5);
        let series = x * x / 2.0 + x * x * x / 3.0;
        assert!(
            (decay(1.0 - 1e-5).unwrap() / series - 1.0).abs() < 1e-5,
            "{:?} and {:?}",
            decay(1.0 - 1e-5).unwrap(),
            series
        );
    }
}
