//! What is coded, and where in a block it is.

/// Something that can be added up by XOR: the default is nothing, and what is added twice is
/// gone. [`laws`](crate::laws) tries it.
pub trait Symbol: Clone + Default {
    /// Adds another, or takes it away.
    fn xor(&mut self, other: &Self);
}

/// Where a data packet is: which block of its pair, and which packet of that, both from zero.
/// Numbers of blocks go round after 2^32.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The block.
    pub block: u32,
    /// The packet's number in it.
    pub index: u16,
}

/// What a repair packet is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cover {
    /// The block.
    pub block: u32,
    /// How many data packets it has.
    pub count: u16,
}
