//! SACK blocks as Linux's receiver keeps them: four, of which an ACK carries the newest.
//!
//! A block that had to make room is forgotten. A packet next to it begins a new block, without the
//! rest of the run.

use crate::packet::{Block, SackBlocks};

/// Number of blocks that are kept (TCP_NUM_SACKS).
const KEPT: usize = 4;
/// A delayed ACK is sent before a block at this place or behind it changes.
const EXPECTED: usize = 2;

/// The newest first, and the report of a duplicate packet (RFC 2883).
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Blocks {
    blocks: [Block; KEPT],
    len: usize,
    twice: Option<Block>,
}

impl Blocks {
    /// Reports a duplicate packet.
    pub(super) fn report(&mut self, seq: u32) {
        self.twice = Some(packet(seq));
    }

    /// Drops the report, which has been sent or is out of date.
    pub(super) fn forget_report(&mut self) {
        self.twice = None;
    }

    /// Begins the blocks with the first packet out of order.
    pub(super) fn begin(&mut self, seq: u32) {
        self.blocks[0] = packet(seq);
        self.len = 1;
    }

    /// True if delayed ACKs must leave before this packet is added, as the last ones might not
    /// report it.
    pub(super) fn crowds(&self, seq: u32) -> bool {
        self.place(seq).unwrap_or(self.len) >= EXPECTED
    }

    /// The block that the packet extends.
    fn place(&self, seq: u32) -> Option<usize> {
        let touched = |block: &Block| touches(*block, packet(seq));
        self.blocks[..self.len].iter().position(touched)
    }

    /// Adds a packet out of order: it extends a block or begins one, which becomes the first.
    pub(super) fn add(&mut self, seq: u32) {
        match self.place(seq) {
            Some(place) => {
                self.blocks[place] = union(self.blocks[place], packet(seq));
                self.blocks[..=place].rotate_right(1);
                self.merge();
            }
            None => {
                self.len = (self.len + 1).min(KEPT);
                self.blocks[..self.len].rotate_right(1);
                self.blocks[0] = packet(seq);
            }
        }
    }

    /// Merges the first block with blocks that it now touches.
    fn merge(&mut self) {
        let mut place = 1;
        while place < self.len {
            if touches(self.blocks[0], self.blocks[place]) {
                self.blocks[0] = union(self.blocks[0], self.blocks[place]);
                self.remove(place);
            } else {
                place += 1;
            }
        }
    }

    fn remove(&mut self, place: usize) {
        self.blocks[place..self.len].rotate_left(1);
        self.len -= 1;
    }

    /// Removes everything below `next`, which is in order.
    pub(super) fn acknowledge(&mut self, next: u32) {
        let mut place = 0;
        while place < self.len {
            if self.blocks[place].start <= next {
                self.remove(place)
            } else {
                place += 1
            }
        }
    }

    /// The blocks for an ACK with room for `most`.
    #[inline]
    pub(super) fn told(&self, most: usize) -> SackBlocks {
        match (self.len, self.twice) {
            (0, None) => SackBlocks::NONE,
            _ => self.told_of_some(most),
        }
    }

    fn told_of_some(&self, most: usize) -> SackBlocks {
        let mut told = [Block::default(); KEPT + 1];
        let reports = usize::from(self.twice.is_some());
        told[0] = self.twice.unwrap_or_default();
        told[reports..reports + self.len].copy_from_slice(&self.blocks[..self.len]);
        SackBlocks::new(&told[..(reports + self.len).min(most)])
    }
}

fn packet(seq: u32) -> Block {
    Block {
        start: seq,
        end: seq + 1,
    }
}

fn touches(one: Block, other: Block) -> bool {
    other.start <= one.end && one.start <= other.end
}

fn union(one: Block, other: Block) -> Block {
    Block {
        start: one.start.min(other.start),
        end: one.end.max(other.end),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(start: u32, end: u32) -> Block {
        Block { start, end }
    }

    fn blocks(packets: &[u32]) -> Blocks {
        let mut blocks = Blocks::default();
        blocks.begin(packets[0]);
        packets[1..].iter().for_each(|seq| blocks.add(*seq));
        blocks
    }

    #[test]
    fn a_packet_beside_a_forgotten_block_begins_one_of_its_own() {
        let mut blocks = blocks(&[2, 4, 6, 8, 10]);
        assert_eq!(*blocks.told(3), [block(10, 11), block(8, 9), block(6, 7)]);
        blocks.add(3);
        assert_eq!(*blocks.told(2), [block(3, 5), block(10, 11)]);
        blocks.add(1);
        assert_eq!(*blocks.told(3), [block(1, 2), block(3, 5), block(10, 11)]);
        blocks.acknowledge(5);
        assert_eq!(*blocks.told(3), [block(10, 11), block(8, 9)]);
    }

    #[test]
    fn a_packet_between_two_blocks_makes_them_one() {
        let mut blocks = blocks(&[2, 4, 9]);
        blocks.add(3);
        assert_eq!(*blocks.told(3), [block(2, 5), block(9, 10)]);
        assert!(!blocks.crowds(10));
        assert!(blocks.crowds(20));
    }

    #[test]
    fn the_report_of_a_duplicate_goes_first_and_once() {
        let mut blocks = blocks(&[5, 7, 9]);
        blocks.report(1);
        assert_eq!(*blocks.told(3), [block(1, 2), block(9, 10), block(7, 8)]);
        blocks.forget_report();
        assert_eq!(*blocks.told(1), [block(9, 10)]);
        assert_eq!(*blocks.told(0), []);
    }
}
