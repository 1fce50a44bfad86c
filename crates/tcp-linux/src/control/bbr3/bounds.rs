//! Bounds on packets in flight: a lasting one found by probes, and, with one on the bandwidth, one
//! by recent losses.

use super::super::super::connection::{Connection, State};
use super::super::super::segments::Lost;
use super::super::bandwidth::{GAIN_BITS, ONE};
use super::rules::LossTest;
use super::{Bbr3, LEAST_WINDOW, Mode};

/// The value of a bound that is absent.
pub(super) const FREE: u32 = u32::MAX;
/// The factor that remains after a loss, which reduces by 30 %.
const KEPT: u64 = ONE - ONE * 30 / 100;
/// The share of room left to others, 15 %.
const HEADROOM: u64 = ONE * 15 / 100;

#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    /// Bound on packets in flight by the last probe.
    pub(super) lasting: u32,
    /// Bounds on packets in flight and bandwidth by losses since the last probe.
    pub(super) recent: u32,
    pub(super) bandwidth: u64,
}

impl Bounds {
    pub(super) const NONE: Bounds = Bounds {
        lasting: FREE,
        recent: FREE,
        bandwidth: u64::MAX,
    };
    pub(super) const ZERO: Bounds = Bounds {
        lasting: 0,
        recent: 0,
        bandwidth: 0,
    };

    /// Raises the bounds to at least these.
    pub(super) fn widen_to(&mut self, other: Bounds) {
        self.lasting = self.lasting.max(other.lasting);
        self.recent = self.recent.max(other.recent);
        self.bandwidth = self.bandwidth.max(other.bandwidth);
    }

    pub(super) fn forget_losses(&mut self) {
        self.recent = FREE;
        self.bandwidth = u64::MAX;
    }

    /// The lasting bound less the headroom for others.
    pub(super) fn with_headroom(&self) -> u32 {
        if self.lasting == FREE {
            return FREE;
        }
        let room = (share_of_packets(self.lasting, HEADROOM) as u32).max(1);
        self.lasting.saturating_sub(room).max(LEAST_WINDOW)
    }
}

/// A share of packets, given in 1/256.
fn share_of_packets(packets: u32, of_256: u64) -> u64 {
    (u64::from(packets) * of_256) >> GAIN_BITS
}

/// The packets in flight at which losses became too many, before the packet that revealed it.
pub(super) fn level_of_losses(test: LossTest, lost: &Lost) -> u32 {
    let (Some(before), Some(lost_before)) =
        (lost.in_flight.checked_sub(1), lost.losses.checked_sub(1))
    else {
        return FREE;
    };
    before + test.packets_left(before, lost_before)
}

impl Bbr3 {
    /// True if these losses, of these packets in flight, exceed random losses.
    pub(super) fn is_too_high(&self, losses: u32, in_flight: u32) -> bool {
        losses > 0 && in_flight > 0 && self.rules.loss_test.fails(losses, in_flight)
    }

    /// Saves bounds and phase before the first loss of an episode, if an undo restores them.
    pub(super) fn save_before_losses(&mut self, conn: &Connection) {
        let begins = conn.state < State::Recovery && self.mode_before.is_none();
        if self.rules.undoes_first_losses && begins {
            self.bounds_before = self.bounds;
            self.mode_before = Some(self.mode);
        }
    }

    /// Starts the rounds of losses with the first loss.
    pub(super) fn note_loss(&mut self, conn: &Connection) {
        if !self.loss_in_round {
            self.loss_round.end = conn.rates.delivered;
        }
        self.loss_in_round = true;
        self.loss_in_cycle = true;
    }

    /// Reduces the bound to this level after a probe went too far, once per probe.
    pub(super) fn fall_back(&mut self, conn: &mut Connection, level: u32, app_limited: bool) {
        self.probe.was_too_high = true;
        self.probe.shows = false;
        if !app_limited {
            let target = share_of_packets(self.target(conn), KEPT) as u32;
            self.bounds.lasting = level.max(target);
        }
        if self.mode == Mode::Up {
            self.begin_down(conn);
        }
    }

    /// The packets to have in flight: those that fill the path, unless the window is smaller.
    pub(super) fn target(&self, conn: &Connection) -> u32 {
        self.in_flight_for(conn, self.bandwidth(), ONE)
            .min(conn.window.size)
    }

    /// Reduces the recent bounds once per round with losses or marks, not below the packets
    /// delivered in it.
    pub(super) fn lower_bounds(&mut self, conn: &Connection) {
        if self.mode.pushes() {
            return;
        }
        let mut marked = FREE;
        if self.marking.in_round {
            self.bounds.recent = self.recent_or(conn.window.size);
            marked = share_of_packets(self.bounds.recent, self.marking.kept()) as u32;
        }
        if self.loss_in_round {
            if self.bounds.bandwidth == u64::MAX {
                self.bounds.bandwidth = self.greatest();
            }
            self.bounds.recent = self.recent_or(conn.window.size);
            let bandwidth = (self.bounds.bandwidth * KEPT) >> GAIN_BITS;
            self.bounds.bandwidth = bandwidth.max(self.latest.bandwidth);
            let packets = share_of_packets(self.bounds.recent, KEPT) as u32;
            self.bounds.recent = packets.max(self.latest.in_flight);
        }
        self.bounds.recent = self.bounds.recent.min(marked);
        self.bounds.bandwidth = self.bounds.bandwidth.max(1);
    }

    fn recent_or(&self, size: u32) -> u32 {
        match self.bounds.recent {
            FREE => size,
            recent => recent,
        }
    }

    /// The bound on the window in the current phase.
    pub(super) fn cap(&self) -> u32 {
        let lasting = match self.mode {
            Mode::Up | Mode::Down | Mode::Refill => self.bounds.lasting,
            Mode::Cruise | Mode::ProbeRtt => self.bounds.with_headroom(),
            Mode::Startup | Mode::Drain => FREE,
        };
        lasting.min(self.bounds.recent).max(LEAST_WINDOW)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lost(in_flight: u32, losses: u32) -> Lost {
        Lost {
            in_flight,
            losses,
            is_app_limited: false,
            is_sampled: true,
        }
    }

    #[test]
    fn the_level_is_the_flight_in_which_losses_reached_a_fiftieth() {
        assert_eq!(level_of_losses(LossTest::Whole, &lost(50, 1)), 49 + 1);
        assert_eq!(level_of_losses(LossTest::Whole, &lost(50, 3)), 49);
        assert_eq!(level_of_losses(LossTest::Whole, &lost(0, 1)), FREE);
    }

    #[test]
    fn room_is_left_below_the_lasting_bound() {
        let bounds = |lasting| Bounds {
            lasting,
            ..Bounds::NONE
        };
        assert_eq!(bounds(67).with_headroom(), 58);
        assert_eq!(bounds(5).with_headroom(), 4);
        assert_eq!(bounds(FREE).with_headroom(), FREE);
    }
}
