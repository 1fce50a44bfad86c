//! How much buffer: the rules of thumb, and the idle probability behind the
//! kilobyte regime. Rates in bit/s, times in seconds, buffers in bytes or, where
//! said, packets.

use crate::{Range, SolveError, numeric};

/// Bandwidth × delay, in bytes: one long flow keeps the link busy (zerobuf §1.1).
pub fn bandwidth_delay_product(rate_bps: f64, rtt_s: f64) -> Result<f64, SolveError> {
    Range::POSITIVE.check("rate_bps", rate_bps)?;
    Range::POSITIVE.check("rtt_s", rtt_s)?;
    Ok(rate_bps * rtt_s / 8.0)
}

/// The same over √n, in bytes: n desynchronised long flows (zerobuf §1.2).
pub fn small_buffer(rate_bps: f64, rtt_s: f64, flows: f64) -> Result<f64, SolveError> {
    Range::at_least(1.0).check("flows", flows)?;
    Ok(bandwidth_delay_product(rate_bps, rtt_s)? / flows.sqrt())
}

/// Packets that suffice paced TCP to reach a share `throughput` (θ) of what a
/// lossless link would give, `log(W²/(2(1 - θ))) / log(1/ρ)`, W the largest window:
/// the buffer at which a Poisson-like overflow chance ρ^B falls to `2(1 - θ)/W²`,
/// few enough losses for the saw-tooth to stay near W (the argument of zerobuf §1.3
/// and its reference 4).
pub fn log_window_rule(window: f64, load: f64, throughput: f64) -> Result<f64, SolveError> {
    Range::at_least(2.0).check("window", window)?;
    Range::PROPER_SHARE.check("load", load)?;
    Range::PROPER_SHARE.check("throughput", throughput)?;
    let packets = libm::log(window * window / (2.0 * (1.0 - throughput)));
    Ok(packets / -libm::log(load))
}

/// A straight line through ln P(idle) against buffer (zerobuf Fig. 7).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct IdleFit {
    /// B*: minus one over the slope; in the unit of the buffers.
    pub b_star: f64,
    /// The line's value at no buffer; ideally 0.
    pub intercept: f64,
    /// Share of the variance explained.
    pub r_squared: f64,
}

/// Fits `P = e^(-B/B*)` to measured (buffer, idle probability) pairs by least
/// squares of the logarithms.
pub fn fit_b_star(points: &[(f64, f64)]) -> Result<IdleFit, SolveError> {
    Range::at_least(2.0).check("points", points.len() as f64)?;
    for &(_, idle) in points {
        Range::closed(f64::MIN_POSITIVE, 1.0).check("idle probability", idle)?;
    }
    let n = points.len() as f64;
    let logs: Vec<(f64, f64)> = points.iter().map(|&(b, p)| (b, libm::log(p))).collect();
    let mean_b = numeric::sum(logs.iter().map(|l| l.0)) / n;
    let mean_y = numeric::sum(logs.iter().map(|l| l.1)) / n;
    let moment =
        |f: fn(f64, f64) -> f64| numeric::sum(logs.iter().map(|l| f(l.0 - mean_b, l.1 - mean_y)));
    let (bb, by, yy) = (
        moment(|b, _| b * b),
        moment(|b, y| b * y),
        moment(|_, y| y * y),
    );
    Range::POSITIVE.check("spread of the buffers", bb)?;
    let slope = by / bb;
    Range::open(f64::NEG_INFINITY, 0.0).check("slope of ln P against buffer", slope)?;
    Ok(IdleFit {
        b_star: -1.0 / slope,
        intercept: mean_y - slope * mean_b,
        r_squared: by * by / (bb * yy),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::anomaly::idle_probability;

    #[test]
    fn the_papers_examples_come_out() {
        // 40 Gbps, 250 ms: 1.25 GB; with 10 000 flows 12.5 MB.
        assert_eq!(bandwidth_delay_product(40e9, 0.25).unwrap(), 1.25e9);
        assert_eq!(small_buffer(40e9, 0.25, 10_000.0).unwrap(), 12.5e6);
    }

    #[test]
    fn the_log_rule_needs_a_few_dozen_packets_and_grows_slowly() {
        let at = |window| log_window_rule(window, 0.75, 0.9).unwrap();
        assert!((20.0..50.0).contains(&at(64.0)));
        let doubling = 2.0 * libm::log(2.0) / libm::log(4.0 / 3.0);
        assert!((at(128.0) - at(64.0) - doubling).abs() < 1e-12);
    }

    #[test]
    fn the_fit_finds_the_b_star_that_made_the_data() {
        let points: Vec<(f64, f64)> = (5..50)
            .map(|b| (f64::from(b), idle_probability(f64::from(b), 7.0)))
            .collect();
        let fit = fit_b_star(&points).unwrap();
        assert!((fit.b_star - 7.0).abs() < 1e-12 && fit.intercept.abs() < 1e-12);
        assert!((fit.r_squared - 1.0).abs() < 1e-12);
    }

    #[test]
    fn idle_probabilities_that_rise_have_no_b_star() {
        let error = fit_b_star(&[(1.0, 0.1), (2.0, 0.2)]).unwrap_err();
        assert!(error.to_string().contains("below 0"), "{error}");
    }
}
