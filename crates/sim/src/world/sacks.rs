//! SACK blocks of acknowledgements in flight.

use pacesim_tcp::SackBlocks;

/// Blocks are kept aside, so that packets without any stay small: a packet's tag is one
/// more than its blocks' place, or zero for none.
#[derive(Debug, Default)]
pub(super) struct Sacks {
    places: Vec<SackBlocks>,
    free: Vec<u32>,
}

impl Sacks {
    /// Keeps blocks, and says under which tag.
    pub(super) fn keep(&mut self, blocks: SackBlocks) -> u32 {
        if blocks.is_empty() {
            return 0;
        }
        let place = self.free.pop().unwrap_or_else(|| {
            self.places.push(SackBlocks::NONE);
            self.places.len() as u32 - 1
        });
        self.places[place as usize] = blocks;
        place + 1
    }

    /// Takes the blocks of a packet that arrived or was dropped.
    #[inline]
    pub(super) fn take(&mut self, tag: u32) -> SackBlocks {
        let Some(place) = tag.checked_sub(1) else {
            return SackBlocks::NONE;
        };
        self.free.push(place);
        self.places[place as usize]
    }
}
