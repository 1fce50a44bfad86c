//! SACK blocks of an ACK: the packets they mark, and the duplicates they report (RFC 2018, 2883).

use super::Seen;
use super::clock::Micros;
use super::connection::{Connection, State};
use super::rate::RateSample;
use super::segments::Marks;
use crate::packet::{Ack, Block, MAX_SACK_BLOCKS};

/// Findings from the blocks of an ACK, in addition to its flags.
#[derive(Clone, Copy, Debug)]
pub(super) struct Blocks {
    /// Sending times of the first and the last newly SACKed packet that was never retransmitted.
    pub(super) first_at: Option<Micros>,
    pub(super) last_at: Option<Micros>,
    /// Number of packets delivered: newly SACKed ones, and duplicates.
    pub(super) delivered: u32,
    /// The lowest packet that was late.
    lowest_late: u32,
}

/// Blocks in the order of sequence numbers; a report of duplicates, if any, is kept apart.
struct Sorted {
    blocks: [Block; MAX_SACK_BLOCKS + 1],
    count: usize,
    duplicate: Option<Block>,
}

impl Connection {
    /// Marks the packets covered by the blocks of an ACK.
    pub(super) fn take_blocks(
        &mut self,
        ack: &Ack,
        prior_una: u32,
        seen: &mut Seen,
        sample: &mut RateSample,
    ) -> Blocks {
        let mut found = Blocks {
            first_at: None,
            last_at: None,
            delivered: 0,
            lowest_late: self.next,
        };
        if self.sacked_out == 0 {
            self.fack = self.una;
            self.known = Default::default();
        }
        let duplicate = self.note_duplicate(ack, prior_una, seen, &mut found);
        if self.packets_out == 0 {
            return found;
        }
        let sorted = self.sort(ack, prior_una, duplicate);
        for block in &sorted.blocks[..sorted.count] {
            self.walk(*block, sorted.duplicate, seen, sample, &mut found);
        }
        self.known = ack.sacks;
        if self.state != State::Loss || self.undo.from.is_some() {
            self.note_reordering(found.lowest_late);
        }
        found
    }

    /// Notes the first block if it reports duplicate packets that retransmissions can explain.
    fn note_duplicate(
        &mut self,
        ack: &Ack,
        prior_una: u32,
        seen: &mut Seen,
        found: &mut Blocks,
    ) -> Option<Block> {
        let first = *ack.sacks.first()?;
        let within = ack
            .sacks
            .get(1)
            .is_some_and(|second| first.end <= second.end && first.start >= second.start);
        if first.start >= ack.next && !within {
            return None;
        }
        let packets = first.end.checked_sub(first.start).filter(|n| *n > 0)?;
        if packets > self.peer_window_max {
            return None;
        }
        if packets == 1 && self.probe_end == Some(first.end) {
            seen.duplicate_of_probe = true;
        }
        self.duplicates += packets;
        if self.duplicates > self.total_resent {
            return None;
        }
        if self.reordering_seen > 0 && !seen.duplicate_of_probe {
            self.rack.saw_duplicate = true;
        }
        seen.duplicate = true;
        found.delivered += packets;
        if first.end <= prior_una {
            self.note_duplicates(first.end, packets);
        }
        Some(first)
    }

    /// The blocks that concern outstanding packets, in order.
    fn sort(&self, ack: &Ack, prior_una: u32, duplicate: Option<Block>) -> Sorted {
        let mut sorted = Sorted {
            blocks: Default::default(),
            count: 0,
            duplicate: None,
        };
        for (index, block) in ack.sacks.iter().enumerate() {
            let reports = index == 0 && duplicate.is_some();
            if !self.is_valid(*block, reports) || block.end <= prior_una {
                continue;
            }
            sorted.blocks[sorted.count] = *block;
            sorted.count += 1;
            if reports {
                sorted.duplicate = Some(*block);
            }
        }
        sorted.blocks[..sorted.count].sort_unstable_by_key(|block| block.start);
        sorted
    }

    fn is_valid(&self, block: Block, reports_duplicate: bool) -> bool {
        if block.end > self.next || block.start >= block.end {
            return false;
        }
        if block.start > self.una {
            return true;
        }
        match self.undo.from {
            Some(from) if reports_duplicate && block.end <= self.una => {
                block.start >= from || block.end > from
            }
            _ => false,
        }
    }

    /// Goes through a block, except the parts known from the last ACK.
    fn walk(
        &mut self,
        block: Block,
        duplicate: Option<Block>,
        seen: &mut Seen,
        sample: &mut RateSample,
        found: &mut Blocks,
    ) {
        let covers = |b: Option<Block>, seq: u32| b.is_some_and(|b| b.start <= seq && seq < b.end);
        let mut seq = block.start.max(self.una);
        while seq < block.end {
            let twice = covers(duplicate, seq);
            if !twice && let Some(known) = self.known.iter().find(|b| covers(Some(**b), seq)) {
                let next_twice = duplicate.map_or(block.end, |d| d.start.max(seq + 1));
                seq = known.end.min(if next_twice > seq {
                    next_twice
                } else {
                    known.end
                });
                continue;
            }
            self.mark(seq, twice, seen, found);
            self.sample_delivery(seq, sample);
            if self.segments.get(seq).is(Marks::SACKED) {
                self.segments.unlink(seq);
            }
            self.fack = self.fack.max(seq + 1);
            seq += 1;
        }
    }

    /// Marks packet `seq`, covered by a block.
    fn mark(&mut self, seq: u32, twice: bool, seen: &mut Seen, found: &mut Blocks) {
        let sent = *self.segments.get(seq);
        if twice && sent.was_resent() {
            self.note_duplicates(seq + 1, 1);
            if sent.is(Marks::SACKED) {
                found.lowest_late = found.lowest_late.min(seq);
            }
        }
        if !sent.is(Marks::SACKED) {
            self.advance_rack(seq, sent.at, sent.was_resent());
            if !sent.was_resent() {
                if seq < self.highest_sacked() {
                    found.lowest_late = found.lowest_late.min(seq);
                }
                seen.original |= seq < self.high_seq;
                found.first_at.get_or_insert(sent.at);
                found.last_at = Some(sent.at);
            }
            self.unmark_sacked(seq);
            seen.sacked = true;
            self.sacked_out += 1;
            found.delivered += 1;
        }
        let sent = self.segments.get_mut(seq);
        if twice && sent.is(Marks::RESENT) {
            sent.clear(Marks::RESENT);
            self.resent_out -= 1;
        }
    }

    /// Updates the marks of a SACKed packet: it is no longer lost, and its retransmission, if any,
    /// no longer outstanding.
    fn unmark_sacked(&mut self, seq: u32) {
        let sent = self.segments.get_mut(seq);
        if sent.is(Marks::LOST) {
            self.lost_out -= 1;
            if sent.is(Marks::RESENT) {
                self.resent_out -= 1;
                sent.clear(Marks::RESENT);
            }
            sent.clear(Marks::LOST);
        }
        sent.set(Marks::SACKED);
    }
}
