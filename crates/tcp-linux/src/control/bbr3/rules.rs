//! Constants and rules in which Google's kernel code and the IETF's draft differ.

use super::super::bandwidth::ONE;

/// The loss test, with constants in 1/256, and the undo.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) struct Rules {
    pub(super) drain_gain: u64,
    pub(super) down_gain: u64,
    /// The most rounds of Drain.
    pub(super) drain_rounds: u8,
    pub(super) loss_test: LossTest,
    /// True if an undo restores bounds and phase as they were before the first spurious loss, not
    /// only as they were at the start of recovery.
    pub(super) undoes_first_losses: bool,
}

/// The comparison of losses with 2 % of the packets in flight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LossTest {
    /// Compares whole packets: 5/256 of those in flight, rounded down, so that one loss is too many
    /// below 52.
    Whole,
    /// Compares the share exactly.
    Exact,
}

/// The tolerated share of losses: 2 % in 1/256, rounded down.
const TOLERATED: u64 = ONE * 2 / 100;
/// The tolerated losses are one packet in 50, or 2 %.
const ONE_IN: u64 = 50;

impl Rules {
    /// The rules of Google's kernel code (google/bbr, branch v3).
    pub(in super::super) const GOOGLE: Rules = Rules {
        drain_gain: ONE * 1000 / 2885,
        down_gain: ONE * 91 / 100,
        drain_rounds: u8::MAX,
        loss_test: LossTest::Whole,
        undoes_first_losses: false,
    };

    /// draft-ietf-ccwg-bbr at commit 4ce5e87: sections 5.3.2 (drain), 5.6.1 (gains), 5.5.10.2 (loss test), 5.5.11 (undo).
    pub(in super::super) const DRAFT: Rules = Rules {
        drain_gain: ONE / 2,
        down_gain: ONE * 90 / 100,
        drain_rounds: 3,
        loss_test: LossTest::Exact,
        undoes_first_losses: true,
    };
}

impl LossTest {
    /// True if more than 2 % of the packets in flight were lost.
    pub(super) fn fails(self, losses: u32, in_flight: u32) -> bool {
        let (losses, in_flight) = (u64::from(losses), u64::from(in_flight));
        match self {
            LossTest::Whole => losses > in_flight * TOLERATED / ONE,
            LossTest::Exact => losses * ONE_IN > in_flight,
        }
    }

    /// Packets that could be sent after `in_flight`, of which `losses` were lost, before losses
    /// reach 2 %: (2 % less losses) / 98 %.
    pub(super) fn packets_left(self, in_flight: u32, losses: u32) -> u32 {
        let (in_flight, losses) = (u64::from(in_flight), u64::from(losses));
        let left = match self {
            LossTest::Whole => {
                let budget = (in_flight * TOLERATED).div_ceil(ONE);
                budget.saturating_sub(losses) * ONE / (ONE - TOLERATED)
            }
            LossTest::Exact => in_flight.saturating_sub(losses * ONE_IN) / (ONE_IN - 1),
        };
        left as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// In integers, one loss is too many below 52 packets, two below 103; exactly, below 50 and
    /// 100.
    #[test]
    fn losses_are_too_many_beyond_a_fiftieth() {
        let fails =
            |test: LossTest, losses, flights: [u32; 2]| flights.map(|n| test.fails(losses, n));
        assert_eq!(fails(LossTest::Whole, 1, [51, 52]), [true, false]);
        assert_eq!(fails(LossTest::Whole, 2, [102, 103]), [true, false]);
        assert_eq!(fails(LossTest::Exact, 1, [49, 50]), [true, false]);
        assert_eq!(fails(LossTest::Exact, 2, [99, 100]), [true, false]);
    }

    #[test]
    fn packets_are_left_until_losses_reach_a_fiftieth() {
        assert_eq!(LossTest::Whole.packets_left(49, 0), 1);
        assert_eq!(LossTest::Whole.packets_left(49, 2), 0);
        assert_eq!(LossTest::Exact.packets_left(49, 0), 1);
        assert_eq!(LossTest::Exact.packets_left(148, 2), 0);
        assert_eq!(LossTest::Exact.packets_left(198, 2), 2);
    }
}
