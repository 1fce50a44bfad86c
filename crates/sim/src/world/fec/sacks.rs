//! SACK blocks of protected acknowledgements.

use pacesim_transport::SackBlocks;

/// The sum of the SACK blocks of each block being coded, if it has any. Kept apart from the
/// identities, since few packets carry SACK blocks.
#[derive(Debug, Default)]
pub(super) struct SackSums(Vec<(u32, SackBlocks)>);

impl SackSums {
    /// Adds the SACK blocks of a packet in this block.
    pub(super) fn add(&mut self, block: u32, sacks: &SackBlocks) {
        match self.0.iter_mut().find(|(known, _)| *known == block) {
            Some((_, sum)) => *sum ^= *sacks,
            None => self.0.push((block, *sacks)),
        }
    }

    /// Takes the sum of a finished block.
    pub(super) fn take(&mut self, block: u32) -> SackBlocks {
        let place = self.0.iter().position(|(known, _)| *known == block);
        place.map_or(SackBlocks::NONE, |place| self.0.swap_remove(place).1)
    }

    /// Drops all other blocks.
    pub(super) fn keep(&mut self, is_known: impl Fn(u32) -> bool) {
        self.0.retain(|(block, _)| is_known(*block));
    }
}

#[cfg(test)]
mod tests {
    use pacesim_transport::Block;

    use super::*;

    fn sacks(start: u32) -> SackBlocks {
        SackBlocks::new(&[Block {
            start,
            end: start + 2,
        }])
    }

    #[test]
    fn each_block_has_a_sum_of_its_own_until_it_is_over_or_forgotten() {
        let mut sums = SackSums::default();
        for (block, start) in [(1, 10), (2, 20), (1, 30), (3, 40)] {
            sums.add(block, &sacks(start));
        }
        let mut missing = sums.take(1);
        missing ^= sacks(10);
        assert_eq!(missing, sacks(30), "what one packet carried of two");
        assert!(sums.take(1).is_empty(), "a block that is over");
        sums.keep(|block| block == 3);
        assert!(sums.take(2).is_empty(), "a block that is forgotten");
        assert_eq!(sums.take(3), sacks(40));
    }
}
