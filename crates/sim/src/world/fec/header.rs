//! The simulated header of a protected packet, and the fate of a packet on arrival.

use pacesim_core::net::Step;
use pacesim_fec::Place;

/// The fate of a packet when it arrives.
#[derive(Clone, Copy, Debug)]
pub(super) enum First {
    Pass(u32),
    Absorb(u32),
}

impl From<First> for Step {
    #[inline]
    fn from(first: First) -> Step {
        match first {
            First::Pass(place) => Step::Pass(place),
            First::Absorb(place) => Step::Absorb(place),
        }
    }
}

/// Number of header bits that hold the index within the block.
pub(super) const INDEX_BITS: u32 = 10;

/// The largest block that a packet's header can express.
pub(super) const MOST_IN_BLOCK: u16 = 1 << INDEX_BITS;

/// A place as the header of a simulated packet: the low bits of the block, and the index within it.
pub(super) fn header_of(place: Place) -> u32 {
    place.block << INDEX_BITS | u32::from(place.index)
}

/// The index within this block that a header gives, if it is of this block.
#[inline(always)]
pub(super) fn index_in(header: u32, block: u32) -> Option<u16> {
    let index = header ^ block << INDEX_BITS;
    (index < u32::from(MOST_IN_BLOCK)).then_some(index as u16)
}

/// The place that a header gives, relative to a known block nearby: unambiguous within 2^22
/// consecutive blocks.
pub(super) fn place_of(header: u32, known: u32) -> Place {
    let known_bits = known << INDEX_BITS;
    let ahead = (header & !(u32::from(MOST_IN_BLOCK) - 1)).wrapping_sub(known_bits) as i32;
    Place {
        block: known.wrapping_add_signed(ahead >> INDEX_BITS),
        index: (header & (u32::from(MOST_IN_BLOCK) - 1)) as u16,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_says_its_place_to_who_knows_a_block_nearby() {
        for known in [0, 5, 1 << 21, (1 << 22) + 7, u32::MAX - 3] {
            for ahead in [-1000, -1, 0, 1, 2_000_000] {
                for index in [0, 1, MOST_IN_BLOCK - 1] {
                    let block = known.wrapping_add_signed(ahead);
                    let place = Place { block, index };
                    assert_eq!(place_of(header_of(place), known), place);
                    let here = (ahead == 0).then_some(index);
                    assert_eq!(index_in(header_of(place), known), here);
                }
            }
        }
    }
}
