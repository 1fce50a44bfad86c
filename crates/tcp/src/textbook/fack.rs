//! ns-2's Fack: packets below the forward-most SACKed one have left the network.

use pacesim_units::Time;

use super::board::Board;
use super::common::Common;
use super::repair::{Choice, Repair};
use super::{Permit, UNLIMITED};
use crate::control::LossKind;
use crate::packet::Ack;
use crate::scoreboard::Scoreboard;

/// Loss state of ns-2's Fack.
#[derive(Debug, Default)]
pub(super) struct Fack {
    /// Value of `next` at the start of recovery, which ends beyond it.
    recover: u32,
    /// Twice the amount of its former size that the window temporarily retains.
    ramp: u32,
    board: Board,
}

impl Repair for Fack {
    /// Takes any ACK with blocks as a duplicate.
    #[inline]
    fn takes_as_duplicate(&self, ack: &Ack) -> bool {
        !ack.sacks.is_empty()
    }

    #[inline]
    fn on_new_ack(&mut self, _common: &Common, ack: &Ack) {
        self.board.clear(ack.next);
    }

    /// Updates the scoreboard and the timer, but neither opens the window nor releases packets.
    fn on_duplicate(&mut self, common: &mut Common, now: Time, ack: &Ack) {
        let fack = self.learn(common, now, ack);
        if fack - common.seq.una > common.config.dupack_threshold {
            self.enter(common, now, fack);
        }
    }

    fn on_recovery_ack(&mut self, common: &mut Common, now: Time, ack: &Ack) {
        let acked = ack.next - common.seq.una;
        self.learn(common, now, ack);
        common.grow(now, acked, None);
        if ack.sacks.is_empty() && common.seq.una > self.recover {
            self.leave(common, now);
        }
        common.permit = Permit::Repair(UNLIMITED);
    }

    fn episode_end(&self) -> u32 {
        self.recover + 1
    }

    fn in_flight(&self, common: &Common) -> u32 {
        let fack = self.board.get().map_or(common.seq.una, Scoreboard::fack);
        common.flight_from(fack)
    }

    /// Leaves the recovery running at a timeout, with the same end.
    fn on_timeout(&mut self, common: &mut Common) {
        self.board.clear(common.seq.una);
    }

    fn on_sent(&mut self, choice: Choice, next: u32) {
        self.board.on_sent(choice, next);
    }

    /// Holes first, then new data, while the packets that may be in the network are fewer than the
    /// window; after the loss of a retransmission nothing, until the timer expires.
    fn choose(&self, common: &Common) -> Option<Choice> {
        let board = self.board.get()?;
        if !self.board_has_room(board, common) {
            return None;
        }
        let hole = self.board.hole_below(UNLIMITED);
        hole.or_else(|| common.choose_new())
    }

    fn has_room(&self, common: &Common) -> bool {
        let fits = match self.board.get() {
            Some(board) => self.board_has_room(board, common),
            None => common.seq.in_flight() < common.window.usable(),
        };
        fits && common.seq.una < common.seq.limit
    }

    /// Permits the repair of holes outside recovery, too.
    fn standing_permit(&self, common: &Common) -> Permit {
        if common.recovering || self.board.get().is_some() {
            Permit::Repair(UNLIMITED)
        } else {
            Permit::Window(UNLIMITED)
        }
    }
}

impl Fack {
    /// Handles a duplicate, or any ACK in recovery: arrivals, a restart of the timer, and a round
    /// trip by its echo. Returns the forward-most packet's successor.
    fn learn(&mut self, common: &mut Common, now: Time, ack: &Ack) -> u32 {
        common.seq.advance(ack.next);
        let fack = self.note(common, ack);
        // After a timeout ns-2 sends from `una` on, but skips packets that the forward-most SACK
        // shows to have been sent.
        common.seq.next = common.seq.next.max(fack);
        // The timer still uses the back-off that this ACK may end.
        common.restart_timer(now);
        common.end_timing(ack);
        common.sample_rtt(now, ack.stamp);
        fack
    }

    /// Notes the arrivals that an ACK reports; returns one past the forward-most packet.
    fn note(&mut self, common: &Common, ack: &Ack) -> u32 {
        self.board.advance(ack.next);
        let board = self.board.at(ack.next);
        let before = board.fack();
        board.note(&ack.sacks, common.seq.high);
        if common.recovering {
            board.note_lost_retransmission();
        }
        let fack = board.fack();
        self.ramp = self.ramp.saturating_sub(fack - before);
        fack
    }

    /// Starts recovery: the window falls to one and grows with every ACK up to ssthresh. No earlier
    /// episode prevents it: ns-2's Fack has no gate.
    fn enter(&mut self, common: &mut Common, now: Time, fack: u32) {
        let beyond = common.seq.next - fack;
        self.ramp = u32::from(common.config.details.rampdown) * beyond;
        self.recover = common.seq.next;
        let board = self.board.at(common.seq.una);
        let in_flight = common.flight_from(fack) + board.retransmissions_out();
        board.retransmitted_first(common.seq.next);
        common.begin_repair(now, LossKind::FastRestart, in_flight);
        common.recovering = true;
        common.repair_first = true;
        common.permit = Permit::Nothing;
    }

    fn leave(&mut self, common: &mut Common, now: Time) {
        self.ramp = 0;
        self.board.clear(common.seq.una);
        common.end_recovery(now);
    }

    /// True if fewer packets than the window may be in the network, and no retransmission was lost.
    fn board_has_room(&self, board: &Scoreboard, common: &Common) -> bool {
        let beyond = i64::from(common.seq.next) - i64::from(board.fack());
        let awnd = beyond + i64::from(board.retransmissions_out());
        !board.has_lost_retransmission() && awnd < self.target(common)
    }

    /// Number of packets that may be in the network.
    fn target(&self, common: &Common) -> i64 {
        let window = common.window.size().min(common.window.cap);
        (window + f64::from(self.ramp) / 2.0) as i64
    }
}
