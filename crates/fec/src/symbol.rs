//! Coded symbols, and their places in a block.

/// A value with addition by XOR: the default is zero, and a value added twice vanishes.
/// [`laws`](crate::laws) tests it.
pub trait Symbol: Clone + Default {
    /// Adds another value by XOR, or removes it if it was added before.
    fn xor(&mut self, other: &Self);
}

/// Place of a data packet: the block of its pair, and its index in that, both from zero. Block
/// numbers wrap at 2^32.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// Number of the block.
    pub block: u32,
    /// Index of the packet within its block.
    pub index: u16,
}

/// The block of data packets that a repair packet covers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cover {
    /// Number of the block.
    pub block: u32,
    /// Number of data packets in the block.
    pub count: u16,
}
