//! Shares of packets with few events, for which the spread between runs does not measure precision.
//!
//! Ten runs without a loss have mean 0 and no spread; they only show that the loss is below a
//! bound, which follows from the number of packets (Wilson 1927). Losses are clustered, so packets
//! count by their effective number, which is smaller the more the shares of runs differ in excess
//! of independent packets.

use pacesim::measure::{normal_quantile, share_interval};
/// The number of independent events above which the spread of runs is sufficient.
const MANY: f64 = 30.0;

/// Shares of packets, run by run.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    runs: u32,
    packets: f64,
    events: f64,
    /// The sum of packets times the square of their share.
    squares: f64,
    /// True if a run lacks its number of packets.
    has_gaps: bool,
}

impl Tally {
    /// Adds a run: its share among this many packets. One without a share had none whose fate is
    /// known, and tells nothing.
    pub fn add(&mut self, share: Option<f64>, packets: Option<f64>) {
        let Some(packets) = packets else {
            self.has_gaps = true;
            return;
        };
        let Some(share) = share else {
            return;
        };
        self.runs += 1;
        self.packets += packets;
        self.events += packets * share;
        self.squares += packets * share * share;
    }

    /// The counts behind these shares; `None` with fewer than two runs, with gaps, or with many
    /// events.
    pub fn rare(&self) -> Option<Counts> {
        if self.has_gaps || self.runs < 2 || self.packets <= 0.0 {
            return None;
        }
        let share = self.events / self.packets;
        let apart = self.squares - share * share * self.packets;
        let variance = apart / f64::from(self.runs - 1);
        let of_independent = share * (1.0 - share);
        let clustering = if of_independent > 0.0 {
            (variance / of_independent).max(1.0)
        } else {
            1.0
        };
        let events = share.min(1.0 - share) * self.packets / clustering;
        (events < MANY).then_some(Counts {
            share,
            packets: self.packets,
            clustering,
        })
    }
}

/// Counts of events among the packets of several runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Counts {
    share: f64,
    packets: f64,
    /// The number of packets that count as one, since losses are clustered.
    clustering: f64,
}

impl Counts {
    /// The counts behind shares of packets, one per run; `None` unless events are few.
    pub fn rare(shares: &[Option<f64>], packets: &[Option<f64>]) -> Option<Counts> {
        let mut tally = Tally::default();
        let runs = shares.iter().zip(packets);
        runs.for_each(|(share, packets)| tally.add(*share, *packets));
        tally.rare().filter(|_| shares.len() == packets.len())
    }

    /// The share of events among all packets.
    pub fn share(&self) -> f64 {
        self.share
    }

    /// The confidence interval of the share.
    pub fn interval(&self, level: f64) -> Option<(f64, f64)> {
        let interval = share_interval(self.share, self.packets / self.clustering, level);
        interval.map(|interval| (interval.low, interval.high))
    }

    /// Advice for a claim that the share is at most this: the number of packets that would show it.
    pub fn lacking(&self, most: f64, level: f64) -> Option<String> {
        let z = normal_quantile(0.5 + level / 2.0)?;
        if most <= self.share {
            let none = most == 0.0 && self.share == 0.0;
            return none.then(|| {
                "no number of packets shows that there is none: claim a bound above zero".to_owned()
            });
        }
        // Wilson's upper end then falls to the bound.
        let off = most - self.share;
        let independent = z * z * most * (1.0 - most) / (off * off);
        let more = independent * self.clustering - self.packets;
        (more > 0.0).then(|| format!("{} more packets are needed to tell", rounded(more)))
    }
}

/// Rounds to two digits, which is enough for an estimate.
fn rounded(packets: f64) -> String {
    let digits = libm::floor(libm::log10(packets.max(1.0))) as i32 - 1;
    let step = libm::pow(10.0, f64::from(digits.max(0)));
    format!("some {}", libm::ceil(packets / step) * step)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rare(runs: &[(f64, f64)]) -> Option<Counts> {
        let (shares, packets): (Vec<_>, Vec<_>) =
            runs.iter().map(|(s, n)| (Some(*s), Some(*n))).unzip();
        Counts::rare(&shares, &packets)
    }

    #[test]
    fn no_loss_among_few_packets_is_no_proof() {
        let counts = rare(&[(0.0, 50.0), (0.0, 50.0), (0.0, 49.0)]).expect("few events");
        let (low, high) = counts.interval(0.95).expect("packets");
        assert_eq!(low, 0.0);
        // Wilson: z^2 / (n + z^2) with z = 1.95996.
        assert!((high - 0.025_133).abs() < 1e-5, "{high}");
        // z^2 (1 - b) / b = 3837.6 independent packets, less the 149 present.
        let lacking = counts.lacking(0.001, 0.95);
        assert_eq!(
            lacking.as_deref(),
            Some("some 3700 more packets are needed to tell")
        );
        let never = counts.lacking(0.0, 0.95).expect("advice");
        assert!(never.contains("above zero"), "{never}");
        assert_eq!(
            counts.lacking(0.5, 0.95),
            None,
            "a wide bound lacks nothing"
        );
    }

    #[test]
    fn losses_that_come_together_count_less() {
        let apart = rare(&[(0.001, 10_000.0), (0.001, 10_000.0)]).expect("20 events");
        let together = rare(&[(0.002, 10_000.0), (0.0, 10_000.0)]).expect("20 events");
        let width = |counts: &Counts| {
            let (low, high) = counts.interval(0.95).expect("packets");
            high - low
        };
        assert!(
            width(&together) > 2.0 * width(&apart),
            "{together:?} {apart:?}"
        );
    }

    #[test]
    fn many_events_and_single_runs_are_for_others() {
        assert_eq!(rare(&[(0.1, 1000.0), (0.1, 1000.0)]), None);
        assert_eq!(rare(&[(0.0, 1000.0)]), None);
        let one_lacks = Counts::rare(&[None, Some(0.0)], &[Some(1.0), Some(1.0)]);
        assert_eq!(one_lacks, None, "one run is left");
        assert_eq!(
            Counts::rare(&[Some(0.0), Some(0.0)], &[None, Some(1.0)]),
            None
        );
    }

    #[test]
    fn a_run_without_packets_tells_nothing() {
        let runs = [(Some(0.0), 50.0), (None, 0.0), (Some(0.0), 99.0)];
        let (shares, packets): (Vec<_>, Vec<_>) =
            runs.iter().map(|(share, n)| (*share, Some(*n))).unzip();
        let counts = Counts::rare(&shares, &packets).expect("few events");
        assert_eq!(Some(counts), rare(&[(0.0, 50.0), (0.0, 99.0)]));
    }

    /// 1000 studies of eight runs with losses of 0.1 %: the coverage of intervals matches their
    /// level.
    #[test]
    fn intervals_of_rare_events_cover() {
        let mut word = 7_u64;
        let mut uniform = move || {
            word = word
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (word >> 11) as f64 / (1_u64 << 53) as f64
        };
        let (mut held, mut all) = (0, 0);
        for _ in 0..1000 {
            let mut run = || {
                let losses = (0..1000).filter(|_| uniform() < 0.001).count();
                (losses as f64 / 1000.0, 1000.0)
            };
            let runs: Vec<(f64, f64)> = (0..8).map(|_| run()).collect();
            if let Some(counts) = rare(&runs) {
                let (low, high) = counts.interval(0.95).expect("packets");
                held += u32::from((low..=high).contains(&0.001));
                all += 1;
            }
        }
        assert!(all > 990, "{all} studies have few events");
        assert!(
            f64::from(held) >= 0.94 * f64::from(all),
            "{held} of {all} intervals hold the truth"
        );
    }
}
