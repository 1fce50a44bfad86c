//! Active queue management in steady state: CoDel's control law, PI2's and RED's equilibria with long TCP flows.
//!
//! Flows are Reno's, with an acknowledgement for every packet and without time-outs: a window of √(3/2)/√p packets at a signal probability p.

use crate::numeric::last_where;
use crate::throughput::ACK_EVERY_PACKET;
use crate::{Range, SolveError};

/// The times of CoDel's drops after it enters its dropping state, in seconds: each
/// `interval/√count` after the one before (RFC 8289, section 5.3).
pub fn codel_drops(interval_s: f64, drops: u32) -> Result<Vec<f64>, SolveError> {
    Range::POSITIVE.check("interval", interval_s)?;
    let mut at = 0.0;
    let times = (1..=drops).map(|count| {
        let before = at;
        at += interval_s / f64::from(count).sqrt();
        before
    });
    Ok(times.collect())
}

/// The time until CoDel drops at `drops_per_s` from a load that does not react: count drops take
/// about 2·interval·√count.
pub fn codel_time_to(interval_s: f64, drops_per_s: f64) -> Result<f64, SolveError> {
    Range::POSITIVE.check("interval", interval_s)?;
    Range::POSITIVE.check("excess", drops_per_s)?;
    Ok(2.0 * interval_s * interval_s * drops_per_s)
}

/// Long flows over one link.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Flows {
    /// The rate of the link, in packets per second.
    pub packets_per_s: f64,
    /// The round trip without the queue, in seconds.
    pub rtt_s: f64,
    /// The number of flows.
    pub count: f64,
}

impl Flows {
    fn check(&self) -> Result<(), SolveError> {
        Range::POSITIVE.check("rate", self.packets_per_s)?;
        Range::POSITIVE.check("rtt", self.rtt_s)?;
        Range::POSITIVE.check("flows", self.count)?;
        Ok(())
    }

    /// The window of each flow if the link is full and packets wait this long.
    pub fn window(&self, delay_s: f64) -> f64 {
        self.packets_per_s * (self.rtt_s + delay_s) / self.count
    }

    /// The signal probability that holds this window, at most 1.
    pub fn probability(&self, delay_s: f64) -> f64 {
        let root = ACK_EVERY_PACKET / self.window(delay_s);
        (root * root).min(1.0)
    }
}

/// PI2's equilibrium (RFC 9332): the delay is the target for any number of flows, and the base
/// probability is the root of their signal probability.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pi2 {
    /// The probability of a drop or a mark of a classic packet.
    pub classic: f64,
    /// The base probability, its root.
    pub base: f64,
    /// The probability of a mark of an L4S packet, at most 1.
    pub coupled: f64,
    /// The window of each flow in packets.
    pub window: f64,
}

/// PI2's equilibrium for these flows at this target and coupling.
pub fn pi2(flows: &Flows, target_s: f64, coupling: f64) -> Result<Pi2, SolveError> {
    flows.check()?;
    Range::NON_NEGATIVE.check("target", target_s)?;
    Range::POSITIVE.check("coupling", coupling)?;
    let classic = flows.probability(target_s);
    let base = classic.sqrt();
    Ok(Pi2 {
        classic,
        base,
        coupled: (coupling * base).min(1.0),
        window: flows.window(target_s),
    })
}

/// RED's curve (gentle): the drop probability at a mean queue, in packets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Red {
    /// The mean queue from which packets are dropped.
    pub min_th: f64,
    /// The mean queue at which the drop probability is `max_p`.
    pub max_th: f64,
    /// The probability at `max_th`; from there it grows to 1 at twice that queue.
    pub max_p: f64,
}

impl Red {
    pub(crate) fn check(&self) -> Result<(), SolveError> {
        Range::NON_NEGATIVE.check("min_th", self.min_th)?;
        Range::open(self.min_th, f64::INFINITY).check("max_th", self.max_th)?;
        Range::PROPER_SHARE.check("max_p", self.max_p)?;
        Ok(())
    }

    /// The probability for each packet, before drops are spread.
    pub fn probability(&self, mean: f64) -> f64 {
        let above = (mean - self.max_th) / self.max_th;
        match mean {
            mean if mean < self.min_th => 0.0,
            mean if mean < self.max_th => {
                self.max_p * (mean - self.min_th) / (self.max_th - self.min_th)
            }
            _ => (self.max_p + (1.0 - self.max_p) * above).min(1.0),
        }
    }

    /// The dropped share once drops are spread evenly over 1/p to 2/p packets (ns-2's `wait`).
    pub fn share(&self, mean: f64) -> f64 {
        2.0 / 3.0 * self.probability(mean)
    }

    /// The mean queue at which this share of an unresponsive load is dropped, at most 2/3.
    pub fn mean_for(&self, share: f64) -> Result<f64, SolveError> {
        self.check()?;
        Range::open(0.0, 2.0 / 3.0).check("excess", share)?;
        Ok(last_where(0.0, 2.0 * self.max_th, |mean| {
            self.share(mean) < share
        }))
    }

    /// The mean queue at which long flows fill the link: their signal probability falls with the
    /// queueing delay, while the curve rises.
    pub fn mean_with(&self, flows: &Flows) -> Result<f64, SolveError> {
        self.check()?;
        flows.check()?;
        let wanted = |mean: f64| flows.probability(mean / flows.packets_per_s);
        Ok(last_where(0.0, 2.0 * self.max_th, |mean| {
            self.share(mean) < wanted(mean)
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codel_drops_come_at_the_sums_of_inverse_roots() {
        let us: Vec<f64> = codel_drops(0.1, 6)
            .unwrap()
            .iter()
            .map(|s| (s * 1e6).round())
            .collect();
        assert_eq!(
            us,
            [0.0, 100_000.0, 170_711.0, 228_446.0, 278_446.0, 323_167.0]
        );
        // 20 % of 1000 packets per second: the sum of inverse roots is 2·√count to a part in
        // 1.5/√count.
        let count = 20.0 * 20.0;
        let last = *codel_drops(0.1, count as u32).unwrap().last().unwrap();
        assert!(
            (last / codel_time_to(0.1, 200.0).unwrap() - 1.0).abs() < 0.05,
            "{last}"
        );
    }

    #[test]
    fn red_finds_the_mean_of_the_measured_overload() {
        let red = Red {
            min_th: 5.0,
            max_th: 15.0,
            max_p: 0.1,
        };
        // ns-2.35: 17.36 to 17.39 at 120 %, of which 1/6 is dropped.
        assert!((red.mean_for(1.0 / 6.0).unwrap() - 17.5).abs() < 1e-9);
        let flows = Flows {
            packets_per_s: 1250.0,
            rtt_s: 0.1,
            count: 10.0,
        };
        let mean = red.mean_with(&flows).unwrap();
        let gap = red.share(mean) - flows.probability(mean / 1250.0);
        assert!(gap.abs() < 1e-9, "{mean}: {gap}");
    }

    #[test]
    fn pi2_squares_its_base_probability() {
        let flows = Flows {
            packets_per_s: 1000.0,
            rtt_s: 0.085,
            count: 5.0,
        };
        let pi2 = pi2(&flows, 0.015, 2.0).unwrap();
        assert_eq!(pi2.window, 20.0);
        assert!((pi2.classic - 1.5 / 400.0).abs() < 1e-12);
        assert!((pi2.coupled - 2.0 * pi2.classic.sqrt()).abs() < 1e-12);
    }
}
