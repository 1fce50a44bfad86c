//! Quantities that are constant or drawn, and the pairing of members of groups.

use std::fmt;
use std::str::FromStr;

use pacesim_model::range::Range;
pub use pacesim_model::range::Unit;
use pacesim_model::{Distribution, MOST_PACKETS};
use pacesim_units::Capacity;

/// A quantity that is the same for every member of a group, or drawn.
#[derive(Clone, Debug, PartialEq)]
pub enum Value<T> {
    /// All members have the same value.
    Constant(T),
    /// Drawn for each, in the smallest unit (bps, ps, B), and rounded to it. Values beyond the
    /// range of the key are clamped to it.
    Drawn(Distribution),
}

impl<T> From<T> for Value<T> {
    fn from(value: T) -> Value<T> {
        Value::Constant(value)
    }
}

/// The pairing of the members of two groups: `i` of `n` and `m`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pairing {
    /// Both cyclic: i mod n with i mod m.
    #[default]
    Cyclic,
    /// Runs of equal length.
    Block,
    /// Every member with every other.
    All,
    /// The longer side cyclic, the shorter by (i div stride).
    Stride(u32),
    /// A random other node of `to`; flows only.
    Random,
    /// Each node with one of `to`, by a random permutation that leaves none to itself; flows only.
    Permutation,
    /// A random node of `to` behind another router of the core; flows only.
    Across,
    /// A random node of `to` this number of links of the core away; flows only.
    Hops(u32),
}

impl Pairing {
    /// True if the partners of nodes are drawn.
    pub const fn is_drawn(self) -> bool {
        matches!(
            self,
            Pairing::Random | Pairing::Permutation | Pairing::Across | Pairing::Hops(_)
        )
    }
}

/// A number of packets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PacketCount(pub u32);

impl FromStr for PacketCount {
    type Err = String;

    fn from_str(text: &str) -> Result<PacketCount, String> {
        match text.parse() {
            Ok(Capacity::Packets(n)) => {
                let n = u32::try_from(n).map_err(|_| format!("{n} packets are too many"));
                n.map(PacketCount)
            }
            Ok(_) => Err("a number of packets is written like \"20pkts\"".to_owned()),
            Err(error) => Err(error.to_string()),
        }
    }
}

impl fmt::Display for PacketCount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Capacity::Packets(u64::from(self.0)).fmt(f)
    }
}

impl Unit for PacketCount {
    fn to_number(self) -> f64 {
        f64::from(self.0)
    }

    fn from_number(number: f64) -> PacketCount {
        // A cast clamps values beyond the maximum.
        PacketCount(((number + 0.5) as u32).max(1))
    }
}

/// Transfers in packets.
pub const PACKETS: Range<PacketCount> = Range {
    least: PacketCount(1),
    most: PacketCount(MOST_PACKETS),
};
