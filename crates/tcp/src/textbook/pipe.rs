//! ns-2's Sack1: a pipe estimate, lowered by each ACK and raised by each packet.

use pacesim_units::Time;

use super::board::Board;
use super::common::Common;
use super::duplicates::Duplicates;
use super::repair::{Choice, Repair};
use super::{Permit, UNLIMITED};
use crate::control::LossKind;
use crate::packet::Ack;

/// Loss state of ns-2's Sack1.
#[derive(Debug, Default)]
pub(super) struct Pipe {
    duplicates: Duplicates,
    /// The estimated number of packets in the network; ns-2 lets it go below zero.
    pipe: i32,
    /// Set between a timeout and the next new ACK, while duplicates are ignored.
    after_timeout: bool,
    board: Board,
}

impl Repair for Pipe {
    #[inline]
    fn on_new_ack(&mut self, _common: &Common, ack: &Ack) {
        self.duplicates.count = 0;
        self.after_timeout = false;
        self.board.clear(ack.next);
    }

    /// Counts a duplicate only if its blocks are new.
    fn on_duplicate(&mut self, common: &mut Common, now: Time, ack: &Ack) {
        if self.after_timeout || !self.board.note(ack, common.seq.high) {
            return;
        }
        self.duplicates.count += 1;
        let (count, threshold) = (self.duplicates.count, common.config.dupack_threshold);
        if count < threshold {
            common.limited_transmit(count);
        } else if count == threshold && self.duplicates.gate_is_open(common) {
            self.enter(common, now);
        }
    }

    fn on_recovery_ack(&mut self, common: &mut Common, now: Time, ack: &Ack) {
        self.pipe -= 1;
        if ack.next >= self.duplicates.recover {
            self.leave(common, now, ack);
            return;
        }
        if ack.next > common.seq.una {
            self.on_partial_ack(common, now, ack);
        }
        self.board.note(ack, common.seq.high);
        common.permit = Permit::Repair(UNLIMITED);
    }

    fn episode_end(&self) -> u32 {
        self.duplicates.recover
    }

    fn on_timeout(&mut self, common: &mut Common) {
        self.duplicates.on_timeout(common);
        self.after_timeout = true;
        self.board.clear(common.seq.una);
    }

    fn on_sent(&mut self, choice: Choice, next: u32) {
        self.pipe += 1;
        self.board.on_sent(choice, next);
    }

    /// Chooses the lowest hole below the highest SACKed packet, otherwise new data.
    fn choose(&self, common: &Common) -> Option<Choice> {
        if !self.has_room(common) {
            return None;
        }
        match self.board.hole_below(UNLIMITED) {
            Some(hole) => self.repairs_holes(common).then_some(hole),
            None => common.choose_new(),
        }
    }

    fn has_room(&self, common: &Common) -> bool {
        let fits = if common.recovering {
            self.pipe < common.window.size() as i32
        } else {
            common.seq.in_flight() < common.window.usable()
        };
        fits && common.seq.una < common.seq.limit
    }

    /// Outside recovery only a pacer's timer sends while duplicates are counted.
    fn standing_permit(&self, common: &Common) -> Permit {
        if common.recovering || (self.duplicates.count > 0 && common.config.is_paced_ns2()) {
            Permit::Repair(UNLIMITED)
        } else {
            Permit::Window(UNLIMITED)
        }
    }
}

impl Pipe {
    fn enter(&mut self, common: &mut Common, now: Time) {
        self.pipe = common.seq.outstanding() as i32 - self.duplicates.count as i32;
        let in_flight = self.flight(common);
        let kind = LossKind::FastRetransmit;
        self.duplicates
            .begin_repair_of(common, now, kind, in_flight);
        common.recovering = true;
        common.repair_first = true;
        self.board.at(common.seq.una);
        self.board
            .on_sent(Choice::Hole(common.seq.una), common.seq.next);
    }

    /// True in recovery; outside it ns-2 repairs a hole if there was a timeout since the last
    /// recovery, and otherwise sends nothing.
    fn repairs_holes(&self, common: &Common) -> bool {
        common.recovering || self.duplicates.recover > 1
    }

    /// The packets in flight for a cut, by Wei's patch the pipe.
    fn flight(&self, common: &Common) -> u32 {
        if common.config.is_paced_ns2() {
            self.pipe.max(0) as u32
        } else {
            common.seq.in_flight()
        }
    }

    /// A retransmission has arrived: it leaves the pipe, and so does the duplicate before it.
    fn on_partial_ack(&mut self, common: &mut Common, now: Time, ack: &Ack) {
        self.pipe -= 1;
        common.seq.advance(ack.next);
        self.board.advance(ack.next);
        common.measure_partial(now, ack);
        common.restart_timer(now);
    }

    /// Recovery ends without growth, and the very next duplicates may begin another.
    fn leave(&mut self, common: &mut Common, now: Time, ack: &Ack) {
        self.duplicates = Duplicates::default();
        self.board.clear(ack.next);
        common.seq.advance(ack.next);
        common.measure(now, ack);
        common.restart_timer(now);
        common.end_recovery(now);
        common.permit = Permit::Window(UNLIMITED);
    }
}
