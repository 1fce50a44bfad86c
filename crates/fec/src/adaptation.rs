//! Block sizes that follow the loss measured by a pair (zerobuf 5.4.5).

use std::sync::Arc;

use pacesim_units::Span;

use crate::sizes::{LossShare, SizeTable};

/// Rule by which the size of a pair's blocks follows its loss.
#[derive(Clone, Debug, PartialEq)]
pub struct Adaptation {
    /// Table of block sizes by loss.
    pub sizes: Arc<SizeTable>,
    /// Packets over which the loss is smoothed; until that many are measured the size keeps its
    /// initial value.
    pub smoothing: u32,
    /// Least time between two reports.
    pub report_every: Span,
}

/// Report of the decoder to the encoder: totals since the start, so that the loss of a report does
/// no harm. Counts wrap at 2^32.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LossReport {
    /// Packets whose fate is known.
    pub settled: u32,
    /// Missing packets among them.
    pub lost: u32,
}

/// Measures the loss by reports, and chooses the size of blocks.
#[derive(Clone, Debug)]
pub struct Follower {
    adaptation: Adaptation,
    known: LossReport,
    /// Number of packets that the mean loss covers, at most the smoothing length.
    measured: u32,
    loss: LossShare,
    size: u16,
}

impl Follower {
    /// Starts without measurements and with this block size.
    pub fn new(adaptation: Adaptation, size: u16) -> Follower {
        Follower {
            adaptation,
            known: LossReport::default(),
            measured: 0,
            loss: LossShare::default(),
            size,
        }
    }

    /// Takes a report, and returns the block size from now on.
    pub fn report(&mut self, report: LossReport) -> u16 {
        let packets = report.settled.wrapping_sub(self.known.settled);
        // A reordered packet may count as lost before it arrives.
        let lost = report.lost.wrapping_sub(self.known.lost) as i32;
        self.known = report;
        let lost = (lost.max(0) as u32).min(packets);
        self.loss.mix(self.measured, packets, lost);
        self.measured = (self.measured.saturating_add(packets)).min(self.adaptation.smoothing);
        if self.measured == self.adaptation.smoothing {
            self.size = self.adaptation.sizes.size(self.loss, self.size);
        }
        self.size
    }

    /// The measured loss.
    pub fn loss(&self) -> f64 {
        self.loss.as_f64()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn follower(smoothing: u32) -> Follower {
        let adaptation = Adaptation {
            sizes: Arc::new(SizeTable::for_residual(1e-3, 1, 100)),
            smoothing,
            report_every: Span::from_ms(100),
        };
        Follower::new(adaptation, 10)
    }

    #[test]
    fn the_size_stays_until_enough_is_measured() {
        let mut follower = follower(1000);
        let report = |settled, lost| LossReport { settled, lost };
        assert_eq!(follower.report(report(999, 500)), 10);
        assert_eq!(follower.report(report(1000, 500)), 1);
    }

    #[test]
    fn a_report_that_is_lost_does_no_harm() {
        let (mut all, mut some) = (follower(100), follower(100));
        for i in 1..=40 {
            let report = LossReport {
                settled: 100 * i,
                lost: 2 * i,
            };
            all.report(report);
            if i % 4 == 0 {
                some.report(report);
            }
        }
        for loss in [all.loss(), some.loss()] {
            assert!((loss - 0.02).abs() < 1e-6, "{loss}");
        }
        assert_eq!(all.size, some.size);
    }

    #[test]
    fn counts_go_round() {
        let mut follower = follower(100);
        let before = LossReport {
            settled: u32::MAX - 99,
            lost: u32::MAX - 9,
        };
        follower.known = before;
        follower.report(LossReport {
            settled: 100,
            lost: 10,
        });
        assert!((follower.loss() - 0.1).abs() < 1e-6, "{}", follower.loss());
    }

    #[test]
    fn what_comes_after_it_counted_as_lost_is_no_negative_loss() {
        let mut follower = follower(1);
        let report = |settled, lost| LossReport { settled, lost };
        follower.report(report(100, 50));
        follower.report(report(200, 40));
        let loss = follower.loss();
        assert!((0.0..0.5).contains(&loss), "{loss}");
    }
}
