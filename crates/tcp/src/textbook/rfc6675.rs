//! RFC 6675, SACK-based recovery; FACK of the RFC profile differs only in its criterion of loss.

use pacesim_units::Time;

use super::board::Board;
use super::common::Common;
use super::duplicates::Duplicates;
use super::repair::{Choice, Repair};
use super::{Permit, UNLIMITED};
use crate::config::{Config, Variant};
use crate::control::LossKind;
use crate::packet::Ack;

/// Loss state of an RFC 6675 sender.
#[derive(Debug, Default)]
pub(super) struct Rfc6675 {
    duplicates: Duplicates,
    board: Board,
}

impl Repair for Rfc6675 {
    #[inline]
    fn on_new_ack(&mut self, common: &Common, ack: &Ack) {
        self.duplicates.count = 0;
        self.board.advance(ack.next);
        self.board.note(ack, common.seq.high);
    }

    /// Counts a duplicate if it SACKs new data (§5).
    fn on_duplicate(&mut self, common: &mut Common, now: Time, ack: &Ack) {
        if !self.board.note(ack, common.seq.high) {
            return;
        }
        self.duplicates.count += 1;
        let (count, threshold) = (self.duplicates.count, common.config.dupack_threshold);
        let lost = self.judge_losses(ack.next, &common.config) || count >= threshold;
        if lost && self.duplicates.gate_is_open(common) {
            self.enter(common, now);
        } else if count < threshold {
            common.limited_transmit(count);
        }
    }

    /// Takes steps A to C of §5.
    fn on_recovery_ack(&mut self, common: &mut Common, now: Time, ack: &Ack) {
        if ack.next > common.seq.una {
            self.on_partial_ack(common, now, ack);
        }
        self.board.note(ack, common.seq.high);
        self.judge_losses(ack.next, &common.config);
        common.permit = Permit::Repair(UNLIMITED);
        if common.seq.una >= self.duplicates.recover {
            self.leave(common, now);
        }
    }

    fn episode_end(&self) -> u32 {
        self.duplicates.recover
    }

    fn on_timeout(&mut self, common: &mut Common) {
        self.duplicates.on_timeout(common);
        self.board.clear(common.seq.una);
    }

    fn on_sent(&mut self, choice: Choice, next: u32) {
        self.board.on_sent(choice, next);
    }

    /// §4 `NextSeg` rules 1 to 3 while a packet fits the pipe.
    fn choose(&self, common: &Common) -> Option<Choice> {
        let board = self.board.get()?;
        if board.pipe(common.seq.high) >= common.window.size() as u32 {
            return None;
        }
        let lost = self.board.hole_below(board.edge());
        lost.or_else(|| common.choose_new())
            .or_else(|| self.board.hole_below(UNLIMITED))
    }
}

impl Rfc6675 {
    /// Marks lost packets by §4 `IsLost`, or by their distance from the forward-most one; true if
    /// the first unacknowledged packet is lost.
    fn judge_losses(&mut self, una: u32, config: &Config) -> bool {
        let board = self.board.at(una);
        if config.variant == Variant::Fack {
            board.lose_below_fack(config.dupack_threshold);
        } else {
            board.lose_below_sacked(config.dupack_threshold);
        }
        board.first_is_lost()
    }

    /// Enters recovery (§5 step 4).
    fn enter(&mut self, common: &mut Common, now: Time) {
        self.duplicates
            .begin_repair(common, now, LossKind::FastRetransmit);
        common.recovering = true;
        common.repair_first = true;
        self.board.resend_first(&common.seq);
        common.permit = Permit::Repair(UNLIMITED);
    }

    fn on_partial_ack(&mut self, common: &mut Common, now: Time, ack: &Ack) {
        common.seq.advance(ack.next);
        self.board.advance(ack.next);
        common.measure(now, ack);
        common.restart_timer(now);
    }

    /// Ends recovery once all packets outstanding at its start are acknowledged.
    fn leave(&mut self, common: &mut Common, now: Time) {
        self.duplicates.count = 0;
        self.board.at(common.seq.una).start_episode();
        common.end_recovery(now);
        common.permit = Permit::Window(UNLIMITED);
    }
}
