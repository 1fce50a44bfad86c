//! The bytes of packets in the world, in slots that are reused.

/// Size of a slot: a frame of the Ethernet, and room to spare.
pub(crate) const SLOT: usize = 2048;

/// No slot.
pub(crate) const NONE: u32 = u32::MAX;

/// Slots for packets.
#[derive(Debug, Default)]
pub(crate) struct Slab {
    bytes: Vec<[u8; SLOT]>,
    lengths: Vec<u32>,
    free: Vec<u32>,
}

impl Slab {
    /// Stores a frame and returns the number of its slot.
    pub(crate) fn keep(&mut self, frame: &[u8]) -> u32 {
        let slot = self.free.pop().unwrap_or_else(|| {
            self.bytes.push([0; SLOT]);
            self.lengths.push(0);
            (self.bytes.len() - 1) as u32
        });
        self.bytes[slot as usize][..frame.len()].copy_from_slice(frame);
        self.lengths[slot as usize] = frame.len() as u32;
        slot
    }

    /// The frame in a slot.
    pub(crate) fn frame(&mut self, slot: u32) -> &mut [u8] {
        let length = self.lengths[slot as usize] as usize;
        &mut self.bytes[slot as usize][..length]
    }

    /// The frame in a slot, to be read; empty if there is none.
    pub(crate) fn read(&self, slot: u32) -> &[u8] {
        let length = self.lengths.get(slot as usize).copied().unwrap_or(0);
        let bytes = self.bytes.get(slot as usize);
        bytes.map_or(&[], |bytes| &bytes[..length as usize])
    }

    /// Frees a slot.
    pub(crate) fn free(&mut self, slot: u32) {
        self.free.push(slot);
    }
}
