//! The scoreboard of a method that uses one.

use super::repair::Choice;
use super::sequence::Sequence;
use crate::packet::Ack;
use crate::scoreboard::Scoreboard;

/// A scoreboard, created with the first hole: most flows never have one.
#[derive(Debug, Default)]
pub(super) struct Board(Option<Box<Scoreboard>>);

impl Board {
    #[inline]
    pub(super) fn get(&self) -> Option<&Scoreboard> {
        self.0.as_deref()
    }

    /// The scoreboard, created on first use; `una` is the first packet not acknowledged.
    pub(super) fn at(&mut self, una: u32) -> &mut Scoreboard {
        self.0.get_or_insert_with(|| Box::new(Scoreboard::new(una)))
    }

    /// Notes that all packets below `una` are acknowledged.
    #[inline]
    pub(super) fn advance(&mut self, una: u32) {
        if let Some(board) = &mut self.0 {
            board.advance(una);
        }
    }

    /// Forgets everything beyond `una`.
    #[inline]
    pub(super) fn clear(&mut self, una: u32) {
        if let Some(board) = &mut self.0 {
            board.clear(una);
        }
    }

    /// Notes the ACK's blocks; true if they contain anything new.
    #[inline]
    pub(super) fn note(&mut self, ack: &Ack, high: u32) -> bool {
        if ack.sacks.is_empty() {
            return false;
        }
        let sacks = ack.sacks;
        self.at(ack.next).note(&sacks, high) > 0
    }

    /// Begins an episode with `una` as the only outstanding retransmission.
    pub(super) fn resend_first(&mut self, seq: &Sequence) {
        let board = self.at(seq.una);
        board.start_episode();
        board.retransmitted(seq.una, seq.next);
    }

    /// Notes that `choice` leaves while `next` is the next new packet.
    pub(super) fn on_sent(&mut self, choice: Choice, next: u32) {
        if let (Choice::Hole(seq), Some(board)) = (choice, &mut self.0) {
            board.retransmitted(seq, next);
        }
    }

    /// The lowest hole below `limit`.
    pub(super) fn hole_below(&self, limit: u32) -> Option<Choice> {
        self.get()?.hole_below(limit).map(Choice::Hole)
    }
}
