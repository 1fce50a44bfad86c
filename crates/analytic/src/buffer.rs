//! Rules of thumb for buffers. Rates in bit/s, times in seconds, buffers in bytes or, where stated,
//! in packets.

use crate::{Range, SolveError};

/// Bandwidth × delay, in bytes: one long flow keeps the link busy (zerobuf §1.1).
pub(crate) fn bandwidth_delay_product(rate_bps: f64, rtt_s: f64) -> Result<f64, SolveError> {
    Range::POSITIVE.check("rate_bps", rate_bps)?;
    Range::POSITIVE.check("rtt_s", rtt_s)?;
    Ok(rate_bps * rtt_s / 8.0)
}

/// The same divided by √n, in bytes: n desynchronised long flows (zerobuf §1.2).
pub(crate) fn small_buffer(rate_bps: f64, rtt_s: f64, flows: f64) -> Result<f64, SolveError> {
    Range::at_least(1.0).check("flows", flows)?;
    Ok(bandwidth_delay_product(rate_bps, rtt_s)? / flows.sqrt())
}

/// The packets with which paced TCP reaches a share `throughput` (θ) of its throughput on a
/// lossless link, `log(W²/(2(1 - θ))) / log(1/ρ)`, W the largest window: the buffer at which a
/// Poisson-like overflow probability ρ^B falls to `2(1 - θ)/W²`, few enough losses for the
/// saw-tooth to stay near W (the argument of zerobuf §1.3 and its reference 4).
pub(crate) fn log_window_rule(window: f64, load: f64, throughput: f64) -> Result<f64, SolveError> {
    Range::at_least(2.0).check("window", window)?;
    Range::PROPER_SHARE.check("load", load)?;
    Range::PROPER_SHARE.check("throughput", throughput)?;
    let packets = libm::log(window * window / (2.0 * (1.0 - throughput)));
    Ok(packets / -libm::log(load))
}

#[cfg(test)]
mod tests {
    use super::*;

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
        assert!(
            (at(128.0) - at(64.0) - doubling).abs() < 1e-12,
            "{:?} and {:?}",
            at(128.0) - at(64.0),
            doubling
        );
    }
}
