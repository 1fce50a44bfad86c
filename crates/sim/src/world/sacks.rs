//! SACK blocks of acknowledgements in flight.

use pacesim_tcp::SackBlocks;

/// Blocks are kept aside, so that packets without any stay small: a packet's tag is one
/// more than its blocks' place, or zero for none. Beside them stands whose they are, of
/// connections that a flow has several of.
#[derive(Debug, Default)]
pub(super) struct Sacks {
    places: Vec<(u32, SackBlocks)>,
    free: Vec<u32>,
}

impl Sacks {
    /// Keeps the blocks of a connection with this tag, and says under which tag of their own.
    #[inline]
    pub(super) fn keep(&mut self, owner: u32, blocks: SackBlocks) -> u32 {
        if blocks.is_empty() && owner == 0 {
            return 0;
        }
        self.put(owner, blocks)
    }

    fn put(&mut self, owner: u32, blocks: SackBlocks) -> u32 {
        let place = self.free.pop().unwrap_or_else(|| {
            self.places.push((0, SackBlocks::NONE));
            self.places.len() as u32 - 1
        });
        self.places[place as usize] = (owner, blocks);
        place + 1
    }

    /// The connection whose blocks are kept under a tag.
    pub(super) fn owner(&self, tag: u32) -> u32 {
        tag.checked_sub(1)
            .map_or(0, |place| self.places[place as usize].0)
    }

    /// Takes the blocks of a packet that arrived or was dropped.
    #[inline]
    pub(super) fn take(&mut self, tag: u32) -> SackBlocks {
        let Some(place) = tag.checked_sub(1) else {
            return SackBlocks::NONE;
        };
        self.free.push(place);
        self.places[place as usize].1
    }
}
