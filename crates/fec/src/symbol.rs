//! Coded symbols, and their places in a block.

/// A value with addition by XOR: the default is zero, and a value added twice vanishes.
/// [`laws`](crate::laws) tests it.
pub trait Symbol: Clone + Default {
    /// Adds another, or removes it.
    fn xor(&mut self, other: &Self);
}

/// Place of a data packet: the block of its pair, and its index in that, both from zero. Block
/// numbers wrap at 2^32.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The block.
    pub block: u32,
    /// Index of the packet in it.
    pub index: u16,
}

/// The packets that a repair packet covers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cover {
    /// The block.
    pub block: u32,
    /// Number of its data packets.
    pub count: u16,
}
