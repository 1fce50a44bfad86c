//! TIMELY (Mittal et al., SIGCOMM 2015): a rate from the gradient of round trips.
//!
//! rtt_diff ← (1 − α) rtt_diff + α (rtt − previous rtt), gradient = rtt_diff / minRTT, and
//!
//! * rtt < T_low: R ← R + δ;
//! * rtt > T_high: R ← R (1 − β (1 − T_high / rtt));
//! * gradient ≤ 0: R ← R + δ, after five increases in a row R + N δ;
//! * else R ← R (1 − β gradient).
//!
//! Source of the rounding: `UpdateRateTimely` in `rdma-hw.cc` of
//! alibaba-edu/High-Precision-Congestion-Control at 9f4be2a, which has one sample per round trip.
//! The algorithm has no unique fixed point: any split of the rates is one (Zhu et al., ECN or delay,
//! CoNEXT 2016). The patch of that paper ([`Law::Error`]) replaces the last two rules by
//!
//! * R ← (1 − w) δ + R (1 − β w e), with e = (rtt − T_low) / T_low and w = 2 gradient + 1/2, at least 0 and at
//!   most 1,
//!
//! whose only fixed point is a rate of δ / (β e) for all.

use pacesim_units::{Rate, Span};

/// The settings of a sender.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimelyConfig {
    /// Rate of the line, and the largest rate.
    pub line: Rate,
    /// The rate at first.
    pub first: Rate,
    /// The least rate.
    pub minimum: Rate,
    /// Weight α of a new difference.
    pub weight: f64,
    /// Factor β of decreases.
    pub decrease: f64,
    /// T_low.
    pub low: Span,
    /// T_high.
    pub high: Span,
    /// The round trip to which differences relate.
    pub least_round_trip: Span,
    /// Additive increase δ in bit/s.
    pub additive_bps: u64,
    /// Increase N δ after `steps` increases in a row, in bit/s.
    pub hyper_bps: u64,
    /// Increases in a row before larger ones.
    pub steps: u32,
    /// The rule between T_low and T_high.
    pub law: Law,
    /// True if round trips below T_low have larger increases too, as in the code of HPCC's authors;
    /// in the paper these are always δ.
    pub hyper_below_low: bool,
}

/// The rule for round trips between T_low and T_high.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Law {
    /// By the gradient alone.
    Gradient,
    /// By the distance from T_low, weighted by the gradient.
    Error,
}

/// A source of the algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variant {
    /// The paper's text.
    Paper,
    /// The code of HPCC's authors, with the settings of its script.
    Artifact,
    /// The patch of Zhu et al. (CoNEXT 2016), with its β.
    Patched,
}

const MEGABIT: u64 = 1_000_000;

impl Variant {
    /// The variant on a line of this rate.
    pub fn config(self, line: Rate) -> TimelyConfig {
        let artifact = TimelyConfig {
            line,
            first: line,
            minimum: Rate::from_mbps(1000),
            weight: 0.875,
            decrease: 0.8,
            low: Span::from_us(50),
            high: Span::from_us(500),
            least_round_trip: Span::from_us(20),
            additive_bps: 5 * MEGABIT,
            hyper_bps: 50 * MEGABIT,
            steps: 5,
            law: Law::Gradient,
            hyper_below_low: true,
        };
        let paper = TimelyConfig {
            minimum: Rate::from_mbps(10),
            additive_bps: 10 * MEGABIT,
            hyper_bps: 50 * MEGABIT,
            hyper_below_low: false,
            ..artifact
        };
        match self {
            Variant::Artifact => artifact,
            Variant::Paper => paper,
            Variant::Patched => TimelyConfig {
                decrease: 0.008,
                hyper_bps: paper.additive_bps,
                law: Law::Error,
                ..paper
            },
        }
    }
}

/// A sender's rate.
#[derive(Clone, Debug)]
pub struct Timely {
    config: TimelyConfig,
    rate_bps: u64,
    increases: u32,
    previous: Option<Span>,
    /// rtt_diff in nanoseconds.
    difference_ns: f64,
}

impl Timely {
    /// A sender at its first rate.
    pub fn new(config: TimelyConfig) -> Timely {
        Timely {
            rate_bps: config.first.as_bps(),
            increases: 0,
            previous: None,
            difference_ns: 0.0,
            config,
        }
    }

    /// A round trip was measured. The first is only stored.
    pub fn sample(&mut self, round_trip: Span) {
        let previous = self.previous.replace(round_trip);
        let Some(previous) = previous else {
            return;
        };
        let config = &self.config;
        let weight = config.weight;
        let new = nanoseconds(round_trip) - nanoseconds(previous);
        self.difference_ns = (1.0 - weight) * self.difference_ns + weight * new;
        let gradient = self.difference_ns / nanoseconds(config.least_round_trip);
        if round_trip < config.low {
            self.increase(config.hyper_below_low);
        } else if round_trip > config.high {
            let share = nanoseconds(config.high) / nanoseconds(round_trip);
            self.decrease(1.0 - config.decrease * (1.0 - share));
        } else if config.law == Law::Error {
            self.follow_error(round_trip, gradient);
        } else if gradient <= 0.0 {
            self.increase(true);
        } else {
            self.decrease((1.0 - config.decrease * gradient).max(0.0));
        }
    }

    fn follow_error(&mut self, round_trip: Span, gradient: f64) {
        let config = &self.config;
        let weight = (2.0 * gradient + 0.5).clamp(0.0, 1.0);
        let low = nanoseconds(config.low);
        let error = (nanoseconds(round_trip) - low) / low;
        let kept = (1.0 - config.decrease * weight * error).max(0.0);
        let rate = (1.0 - weight) * config.additive_bps as f64 + self.rate_bps as f64 * kept;
        let [least, most] = [config.minimum, config.line].map(Rate::as_bps);
        self.rate_bps = (rate as u64).clamp(least, most);
        self.increases = 0;
    }

    fn increase(&mut self, may_be_hyper: bool) {
        let config = &self.config;
        let is_hyper = may_be_hyper && self.increases >= config.steps;
        let step = if is_hyper {
            config.hyper_bps
        } else {
            config.additive_bps
        };
        self.rate_bps = self.rate_bps.saturating_add(step).min(config.line.as_bps());
        self.increases += 1;
    }

    fn decrease(&mut self, factor: f64) {
        let rate = (self.rate_bps as f64 * factor) as u64;
        self.rate_bps = rate.max(self.config.minimum.as_bps());
        self.increases = 0;
    }

    /// The rate at which to send.
    pub fn rate(&self) -> Rate {
        Rate::from_bps(self.rate_bps).expect("at least the least rate")
    }

    /// rtt_diff in nanoseconds.
    pub fn difference_ns(&self) -> f64 {
        self.difference_ns
    }

    /// Increases in a row.
    pub fn increases(&self) -> u32 {
        self.increases
    }
}

fn nanoseconds(span: Span) -> f64 {
    span.as_ps() as f64 / 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rates in Mbps after a fall and eight round trips of 30 us.
    fn rates(variant: Variant) -> Vec<u64> {
        let mut sender = Timely::new(variant.config(Rate::from_mbps(10_000)));
        sender.sample(Span::from_us(60));
        sender.sample(Span::from_us(600));
        let round_trips = (0..8).map(|_| {
            sender.sample(Span::from_us(30));
            sender.rate().as_bps() / 1_000_000
        });
        round_trips.collect()
    }

    /// At 62.5 us, a quarter above T_low, the rate is 10 Mbps / (0.008 / 4), from above and from below.
    #[test]
    fn the_patch_has_one_fixed_point() {
        for first_us in [45, 600] {
            let config = Variant::Patched.config(Rate::from_mbps(10_000));
            let mut sender = Timely::new(config);
            (0..30).for_each(|_| sender.sample(Span::from_us(first_us)));
            (0..10_000).for_each(|_| sender.sample(Span::from_ns(62_500)));
            let mbps = sender.rate().as_bps() as f64 / 1e6;
            assert!((mbps - 5000.0).abs() < 1.0, "{mbps}");
        }
    }

    #[test]
    fn below_t_low_the_papers_increases_stay_small_and_those_of_the_artifact_do_not() {
        let fallen = (10_000.0 * (1.0 - 0.8 * (1.0 - 500.0 / 600.0))) as u64;
        let papers: Vec<u64> = (1..9).map(|n| fallen + 10 * n).collect();
        assert_eq!(rates(Variant::Paper), papers);
        let artifacts: Vec<u64> = (1..9)
            .map(|n| fallen + 5 * n.min(5) + 50 * n.saturating_sub(5))
            .collect();
        assert_eq!(rates(Variant::Artifact), artifacts);
    }
}
