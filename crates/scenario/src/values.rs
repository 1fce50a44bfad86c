//! Quantities that are constant or drawn, and how members of groups are paired.

use pacesim_model::Distribution;

pub use pacesim_model::range::Unit;

/// A quantity that is the same for every member of a group, or drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value<T> {
    /// The same value for all.
    Constant(T),
    /// Drawn for each, in the smallest unit (bps, ps, B), and rounded to it. What
    /// falls beyond the least or greatest legal value of its key becomes that.
    Drawn(Distribution),
}

impl<T> From<T> for Value<T> {
    fn from(value: T) -> Value<T> {
        Value::Constant(value)
    }
}

/// How the members of two groups are paired: `i` of `n` and `m`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pairing {
    /// Both count round: i mod n with i mod m.
    #[default]
    Cyclic,
    /// Runs of equal length.
    Block,
    /// Every one with every other.
    All,
    /// The longer side counts i, the shorter (i div stride).
    Stride(u32),
    /// A random other node of `to`; flows only.
    Random,
    /// A random node of `to` behind another router of the core; flows only.
    Across,
    /// A random node of `to` this number of links of the core away; flows only.
    Hops(u32),
}
