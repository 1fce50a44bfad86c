//! SACK blocks of acknowledgements in flight.

use std::collections::VecDeque;

use pacesim_core::net::Packet;
use pacesim_tcp::SackBlocks;
use pacesim_units::FlowId;

/// Blocks are kept aside, so that packets without any stay small: a packet's tag is one
/// more than its blocks' place, or zero for none. Beside them stands whose they are, of
/// connections that a flow has several of.
#[derive(Debug, Default)]
pub(super) struct Sacks {
    places: Vec<Kept>,
    free: Vec<u32>,
    /// The places of packets that were lost and may be repaired, the oldest first.
    lost: VecDeque<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Kept {
    /// The tag of the connection, of those that a flow has several of.
    owner: u32,
    blocks: SackBlocks,
    /// The flow and number of the packet.
    packet: (FlowId, u32),
}

impl Kept {
    /// Whether this is of the packet: the place of a lost one may be in other hands by the time
    /// that it is repaired.
    fn is_of(&self, packet: &Packet) -> bool {
        self.packet == (packet.flow, packet.seq)
    }
}

/// For so many lost acknowledgements blocks are kept; one that is repaired after as many more
/// were lost comes without.
const MOST_LOST: usize = 1 << 16;

impl Sacks {
    /// Keeps the blocks of a packet of a connection with this tag, and says under which tag of
    /// their own.
    #[inline]
    pub(super) fn keep(&mut self, owner: u32, blocks: SackBlocks, packet: (FlowId, u32)) -> u32 {
        if blocks.is_empty() && owner == 0 {
            return 0;
        }
        self.put(Kept {
            owner,
            blocks,
            packet,
        })
    }

    fn put(&mut self, kept: Kept) -> u32 {
        let place = self.free.pop().unwrap_or_else(|| {
            self.places.push(kept);
            self.places.len() as u32 - 1
        });
        self.places[place as usize] = kept;
        place + 1
    }

    /// The connection whose blocks a packet has.
    pub(super) fn owner(&self, packet: &Packet) -> u32 {
        let place = packet.tag.checked_sub(1);
        let kept = place.map(|place| &self.places[place as usize]);
        kept.filter(|kept| kept.is_of(packet))
            .map_or(0, |kept| kept.owner)
    }

    /// Takes the blocks of a packet that arrived or was dropped.
    #[inline]
    pub(super) fn take(&mut self, packet: &Packet) -> SackBlocks {
        let Some(place) = packet.tag.checked_sub(1) else {
            return SackBlocks::NONE;
        };
        let kept = self.places[place as usize];
        if packet.repaired {
            // Its place is among those of lost packets: it is freed there.
            return if kept.is_of(packet) {
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
