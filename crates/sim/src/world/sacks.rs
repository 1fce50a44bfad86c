//! SACK blocks of acknowledgements in flight.

use std::collections::VecDeque;

use pacesim_core::net::Packet;
use pacesim_tcp::SackBlocks;
use pacesim_units::FlowId;

/// Blocks are kept aside, so that packets without any stay small: a packet's tag is one
/// more than its blocks' place, or zero for none.
#[derive(Debug, Default)]
pub(super) struct Sacks {
    places: Vec<Kept>,
    free: Vec<u32>,
    /// The places of packets that were lost and may be repaired, the oldest first.
    lost: VecDeque<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Kept {
    blocks: SackBlocks,
    /// The flow and number of the packet.
    owner: (FlowId, u32),
}

/// For so many lost acknowledgements blocks are kept; one that is repaired after as many more
/// were lost comes without.
const MOST_LOST: usize = 1 << 16;

impl Sacks {
    /// Keeps blocks, and says under which tag.
    pub(super) fn keep(&mut self, blocks: SackBlocks, flow: FlowId, seq: u32) -> u32 {
        if blocks.is_empty() {
            return 0;
        }
        let owner = (flow, seq);
        let kept = Kept { blocks, owner };
        let place = self.free.pop().unwrap_or_else(|| {
            self.places.push(kept);
            self.places.len() as u32 - 1
        });
        self.places[place as usize] = kept;
        place + 1
    }

    /// Takes the blocks of a packet that arrived or was dropped.
    #[inline]
    pub(super) fn take(&mut self, packet: &Packet) -> SackBlocks {
        let Some(place) = packet.tag.checked_sub(1) else {
            return SackBlocks::NONE;
        };
        let kept = self.places[place as usize];
        if packet.repaired {
            // Its place is among those of lost packets, or in other hands.
            let is_owner = kept.owner == (packet.flow, packet.seq);
            return if is_owner {
                kept.blocks
            } else {
                SackBlocks::NONE
            };
        }
        self.free.push(place);
        kept.blocks
    }

    /// A packet was lost that may be repaired.
    pub(super) fn lose(&mut self, packet: &Packet) {
        let Some(place) = packet.tag.checked_sub(1) else {
            return;
        };
        if !packet.repaired {
            self.lost.push_back(place);
        }
        if self.lost.len() > MOST_LOST {
            self.free.extend(self.lost.pop_front());
        }
    }
}
