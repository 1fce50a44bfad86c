//! Runs of packets that arrived out of order, as an acknowledgement tells them.

use std::ops::{BitXorAssign, Deref};

/// The most SACK blocks that an acknowledgement carries.
pub const MAX_SACK_BLOCKS: usize = 3;

/// A run `[start, end)` of packets that arrived out of order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Block {
    /// First packet of the run.
    pub start: u32,
    /// One past the last packet of the run.
    pub end: u32,
}

/// Up to three SACK blocks, stored by value; read them as a slice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct SackBlocks {
    blocks: [Block; MAX_SACK_BLOCKS],
    len: u8,
}

impl SackBlocks {
    /// An empty set of blocks.
    pub const NONE: SackBlocks = SackBlocks {
        blocks: [Block { start: 0, end: 0 }; MAX_SACK_BLOCKS],
        len: 0,
    };

    /// Keeps the first three of these blocks.
    pub fn new(blocks: &[Block]) -> SackBlocks {
        let mut all = SackBlocks::NONE;
        for block in blocks.iter().take(MAX_SACK_BLOCKS) {
            all.push(*block);
        }
        all
    }

    /// Appends a block; ignored when full.
    fn push(&mut self, block: Block) {
        if let Some(place) = self.blocks.get_mut(usize::from(self.len)) {
            *place = block;
            self.len += 1;
        }
    }

    /// Puts `newest` first, dropping blocks that it covers and those beyond `most` (RFC 2018 §4).
    pub fn renew(&mut self, newest: Block, most: usize) {
        let older = *self;
        *self = SackBlocks::new(&[newest]);
        for block in older
            .iter()
            .filter(|b| b.end <= newest.start || newest.end <= b.start)
        {
            if self.len() < most {
                self.push(*block);
            }
        }
    }

    /// Drops blocks that `next`, the first packet still missing, has passed.
    pub fn acknowledge(&mut self, next: u32) {
        let older = *self;
        *self = SackBlocks::NONE;
        for block in older.iter().filter(|b| b.start > next) {
            self.push(*block);
        }
    }
}

impl Deref for SackBlocks {
    type Target = [Block];

    #[inline]
    fn deref(&self) -> &[Block] {
        &self.blocks[..usize::from(self.len)]
    }
}

/// The XOR of all bytes, for codes. It is a valid list again once all but one of the lists in it
/// are removed.
impl BitXorAssign for SackBlocks {
    fn bitxor_assign(&mut self, other: SackBlocks) {
        for (mine, its) in self.blocks.iter_mut().zip(other.blocks) {
            mine.start ^= its.start;
            mine.end ^= its.end;
        }
        self.len ^= other.len;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(start: u32, end: u32) -> Block {
        Block { start, end }
    }

    #[test]
    fn a_new_block_comes_first_and_swallows_what_it_covers() {
        let mut sacks = SackBlocks::new(&[block(5, 6), block(9, 10), block(20, 22)]);
        sacks.renew(block(5, 10), 3);
        assert_eq!(*sacks, [block(5, 10), block(20, 22)]);
        sacks.renew(block(30, 31), 3);
        sacks.renew(block(40, 41), 3);
        assert_eq!(*sacks, [block(40, 41), block(30, 31), block(5, 10)]);
        sacks.renew(block(50, 51), 1);
        assert_eq!(*sacks, [block(50, 51)]);
    }

    #[test]
    fn blocks_come_out_of_a_sum_as_they_were() {
        let all = [
            SackBlocks::new(&[block(5, 6), block(9, 10), block(20, 22)]),
            SackBlocks::new(&[block(7, 8)]),
            SackBlocks::NONE,
        ];
        let mut sum = all[0];
        sum ^= all[1];
        sum ^= all[2];
        sum ^= all[0];
        assert_eq!(sum, all[1]);
    }

    #[test]
    fn blocks_below_the_acknowledgement_go() {
        let mut sacks = SackBlocks::new(&[block(5, 10), block(20, 22)]);
        sacks.acknowledge(10);
        assert_eq!(*sacks, [block(20, 22)]);
    }
}
