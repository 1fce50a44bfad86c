//! The sender's knowledge of packets beyond the cumulative ACK.
//!
//! Two marks move up through them: all unSACKed packets below the *cursor* have been retransmitted
//! in this episode, all below the *edge* are considered lost. Each mark counts the unSACKed packets
//! below it as they change, so that the pipe is known without a scan of the window.

use std::collections::VecDeque;

use crate::packet::Block;
use crate::seqset::SeqSet;

/// SACK state of one sender, created with the first block.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scoreboard {
    sacked: SeqSet,
    una: u32,
    cursor: Mark,
    edge: Mark,
    /// Retransmissions, each with the next new packet at its departure (FACK).
    sent_before: VecDeque<(u32, u32)>,
    /// True once one of the retransmissions was lost.
    lost_again: bool,
    /// 1 if a pacer's timer repeated the first hole before recovery did: ns-2 counts both
    /// retransmissions, and one arrival.
    repeated: u32,
}

/// A place in the window, and the number of unSACKed packets below it.
#[derive(Clone, Copy, Debug, Default)]
struct Mark {
    at: u32,
    missing: u32,
}

impl Mark {
    fn start(at: u32) -> Mark {
        Mark { at, missing: 0 }
    }

    fn raise(&mut self, to: u32, sacked: &SeqSet) {
        if to > self.at {
            self.missing += to - self.at - sacked.count(self.at, to);
            self.at = to;
        }
    }

    /// Counts `[lo, hi)`, which is about to be SACKed or acknowledged, out of the packets below.
    fn lose(&mut self, lo: u32, hi: u32, sacked: &SeqSet) {
        let hi = hi.min(self.at);
        if lo < hi {
            self.missing -= hi - lo - sacked.count(lo, hi);
        }
    }
}

impl Scoreboard {
    pub(crate) fn new(una: u32) -> Scoreboard {
        let mut new = Scoreboard::default();
        new.clear(una);
        new
    }

    /// Forgets everything; `una` is the first unacknowledged packet.
    pub(crate) fn clear(&mut self, una: u32) {
        self.sacked.clear(una);
        self.una = una;
        self.start_episode();
        self.edge = Mark::start(una);
    }

    /// Starts an episode, in which nothing has been retransmitted yet.
    pub(crate) fn start_episode(&mut self) {
        self.cursor = Mark::start(self.una);
        self.sent_before.clear();
        self.lost_again = false;
        self.repeated = 0;
    }

    /// Notes blocks; returns the number of newly SACKed packets.
    pub(crate) fn note(&mut self, blocks: &[Block], high: u32) -> u32 {
        let mut news = 0;
        for block in blocks {
            let (lo, hi) = (block.start.max(self.una), block.end.min(high));
            self.cursor.lose(lo, hi, &self.sacked);
            self.edge.lose(lo, hi, &self.sacked);
            news += self.sacked.insert(lo, hi);
        }
        news
    }

    /// Notes that everything below `una` is acknowledged.
    pub(crate) fn advance(&mut self, una: u32) {
        for mark in [&mut self.cursor, &mut self.edge] {
            mark.lose(self.una, una, &self.sacked);
            mark.at = mark.at.max(una);
        }
        self.sacked.remove_below(una);
        self.una = una;
    }

    /// One past the highest packet known to have arrived.
    pub(crate) fn fack(&self) -> u32 {
        self.sacked.end().max(self.una)
    }

    /// The lowest packet below `limit` that is missing and not yet retransmitted.
    pub(crate) fn hole_below(&self, limit: u32) -> Option<u32> {
        let hole = self.sacked.next_missing(self.cursor.at);
        (hole < limit.min(self.sacked.end())).then_some(hole)
    }

    /// Notes that `seq` has been retransmitted while `next` was the next new packet.
    pub(crate) fn retransmitted(&mut self, seq: u32, next: u32) {
        self.cursor.raise(seq + 1, &self.sacked);
        self.sent_before.push_back((seq, next));
    }

    /// Notes that `una` was retransmitted, perhaps not for the first time.
    pub(crate) fn retransmitted_first(&mut self, next: u32) {
        self.repeated = u32::from(self.cursor.at > self.una);
        self.sent_before.retain(|&(seq, _)| seq != self.una);
        self.retransmitted(self.una, next);
    }

    /// Retransmissions not known to have arrived.
    pub(crate) fn retransmissions_out(&self) -> u32 {
        self.cursor.missing + self.repeated
    }

    /// Notes that a retransmission is lost if it is still missing though a packet first sent after
    /// it has arrived. Retransmissions leave in order, so the oldest one decides.
    pub(crate) fn note_lost_retransmission(&mut self) {
        while let Some(&(seq, next)) = self.sent_before.front() {
            if seq >= self.una && !self.sacked.contains(seq) {
                self.lost_again |= self.fack() > next;
                return;
            }
            self.sent_before.pop_front();
        }
    }

    /// True if a retransmission of this episode was noted as lost, even if it
    /// arrives after all.
    pub(crate) fn has_lost_retransmission(&self) -> bool {
        self.lost_again
    }

    /// Marks as lost all packets with `threshold` SACKed packets above them (RFC 6675 `IsLost`).
    pub(crate) fn lose_below_sacked(&mut self, threshold: u32) {
        if let Some(edge) = self.sacked.nth_from_top(threshold) {
            self.edge.raise(edge, &self.sacked);
        }
    }

    /// Marks as lost all packets that are `threshold` or more below the highest SACKed one.
    pub(crate) fn lose_below_fack(&mut self, threshold: u32) {
        let edge = self.fack().saturating_sub(threshold);
        self.edge.raise(edge, &self.sacked);
    }

    /// True if the first unacknowledged packet is considered lost.
    pub(crate) fn first_is_lost(&self) -> bool {
        self.edge.at > self.una
    }

    /// One past the highest packet that may be considered lost.
    pub(crate) fn edge(&self) -> u32 {
        self.edge.at
    }

    /// Packets below `high` in the network (RFC 6675 `SetPipe`): neither SACKed nor lost, and once
    /// more if retransmitted.
    pub(crate) fn pipe(&self, high: u32) -> u32 {
        high - self.una - self.sacked.len() - self.edge.missing + self.cursor.missing
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    const HIGH: u32 = 200;

    /// RFC 6675 §4 to the letter, packet by packet.
    #[derive(Default)]
    struct Naive {
        una: u32,
        sacked: BTreeSet<u32>,
        resent: BTreeSet<u32>,
    }

    impl Naive {
        fn is_lost(&self, seq: u32) -> bool {
            !self.sacked.contains(&seq) && self.sacked.range(seq..).count() >= 3
        }

        fn pipe(&self) -> usize {
            let one = |seq: &u32| {
                usize::from(!self.is_lost(*seq)) + usize::from(self.resent.contains(seq))
            };
            (self.una..HIGH)
                .filter(|s| !self.sacked.contains(s))
                .map(|s| one(&s))
                .sum()
        }

        fn next_lost(&self) -> Option<u32> {
            (self.una..HIGH).find(|s| self.is_lost(*s) && !self.resent.contains(s))
        }

        fn advance(&mut self, una: u32) {
            self.una = una;
            self.sacked.retain(|s| *s >= una);
            self.resent.retain(|s| *s >= una);
        }
    }

    #[derive(Clone, Debug)]
    enum Op {
        Sack(u32, u32),
        Advance(u32),
        Retransmit,
    }

    fn op() -> impl Strategy<Value = Op> {
        prop_oneof![
            4 => (1..HIGH, 1..6u32).prop_map(|(lo, n)| Op::Sack(lo, (lo + n).min(HIGH))),
            2 => (1..20u32).prop_map(Op::Advance),
            4 => Just(Op::Retransmit),
        ]
    }

    proptest! {
        #[test]
        fn the_pipe_is_rfc_6675s(ops in prop::collection::vec(op(), 1..80)) {
            let (mut board, mut naive) = (Scoreboard::new(0), Naive::default());
            for op in ops {
                match op {
                    Op::Sack(lo, hi) => {
                        // The first unacknowledged packet is never SACKed.
                        let lo = lo.max(naive.una + 1);
                        board.note(&[Block { start: lo, end: hi }], HIGH);
                        naive.sacked.extend((lo..hi).filter(|s| *s > naive.una));
                    }
                    Op::Advance(n) => {
                        let mut una = (naive.una + n).min(HIGH);
                        while naive.sacked.contains(&una) {
                            una += 1;
                        }
                        board.advance(una);
                        naive.advance(una);
                    }
                    Op::Retransmit => {
                        board.lose_below_sacked(3);
                        let hole = board.hole_below(board.edge());
                        prop_assert_eq!(hole, naive.next_lost());
                        if let Some(hole) = hole {
                            board.retransmitted(hole, HIGH);
                            naive.resent.insert(hole);
                        }
                    }
                }
                board.lose_below_sacked(3);
                prop_assert_eq!(board.sacked.len() as usize, naive.sacked.len());
                prop_assert_eq!(board.first_is_lost(), naive.is_lost(naive.una));
                prop_assert_eq!(board.pipe(HIGH) as usize, naive.pipe());
            }
        }
    }

    #[test]
    fn a_retransmission_is_lost_when_later_data_arrive_before_it() {
        let mut board = Scoreboard::new(10);
        board.note(&[Block { start: 11, end: 15 }], 30);
        board.retransmitted(10, 30);
        let lost = |board: &mut Scoreboard| {
            board.note_lost_retransmission();
            board.has_lost_retransmission()
        };
        board.note(&[Block { start: 15, end: 30 }], 31);
        assert!(!lost(&mut board));
        board.note(&[Block { start: 30, end: 31 }], 31);
        assert!(lost(&mut board));
        board.advance(31);
        assert!(lost(&mut board));
        board.clear(31);
        assert!(!lost(&mut board));
    }
}
