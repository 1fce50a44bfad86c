//! Encoders and decoders of forward error correction as middleboxes.

mod decoder;
mod encoder;
mod freight;
mod identity;
mod report;

use pacesim_core::net::{MiddleboxId, Step};
use pacesim_fec::{Adaptation, Place};

pub(super) use decoder::{ExitCounters, FecDecoder};
pub(super) use encoder::{EncoderCounters, FecEncoder};
pub(super) use freight::Freight;
use freight::{Loading, Unloading};
use report::Reporter;

use super::WorldNetwork;
use super::parts::WorldMiddlebox;
use super::paths::Exits;
use crate::model::Protection;

/// Both ends of a pair of this number.
pub(super) fn ends(
    protection: &Protection,
    pair: u32,
    freight: &Freight,
) -> (FecEncoder, FecDecoder) {
    let loading = Loading::new(freight, pair);
    let unloading = Unloading::new(freight, pair);
    let encoder = FecEncoder::new(protection.config, loading);
    let decoder = FecDecoder::new(protection.config.depth, protection.order, unloading);
    (encoder, decoder)
}

/// The middleboxes of the i-th protection, behind those of the model: encoder and decoder.
pub(super) fn ids(middleboxes: usize, i: usize) -> [MiddleboxId; 2] {
    let encoder = (middleboxes + 2 * i) as u32;
    [MiddleboxId(encoder), MiddleboxId(encoder + 1)]
}

/// What has happened at both ends of a pair since the start.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PairCounters {
    pub(super) entry: EncoderCounters,
    pub(super) exit: ExitCounters,
}

impl PairCounters {
    pub(super) fn of(network: &WorldNetwork, ids: [MiddleboxId; 2]) -> PairCounters {
        PairCounters {
            entry: encoder_of(network, ids).counters(),
            exit: decoder_of(network, ids).counters(),
        }
    }

    /// Statistics start: delays afresh, counters from what they are.
    pub(super) fn restarted(network: &mut WorldNetwork, ids: [MiddleboxId; 2]) -> PairCounters {
        decoder_mut(network, ids).restart_delays();
        PairCounters::of(network, ids)
    }
}

const BOTH_ENDS: &str = "a protection has an encoder and a decoder";

/// The encoder of a pair.
pub(super) fn encoder_of(network: &WorldNetwork, [encoder, _]: [MiddleboxId; 2]) -> &FecEncoder {
    match network.middlebox(encoder) {
        WorldMiddlebox::Encoder(encoder) => encoder,
        _ => unreachable!("{BOTH_ENDS}"),
    }
}

/// The decoder of a pair.
pub(super) fn decoder_of(network: &WorldNetwork, [_, decoder]: [MiddleboxId; 2]) -> &FecDecoder {
    match network.middlebox(decoder) {
        WorldMiddlebox::Decoder(decoder) | WorldMiddlebox::Holder(decoder) => decoder,
        _ => unreachable!("{BOTH_ENDS}"),
    }
}

/// The same, to be changed.
pub(super) fn decoder_mut(
    network: &mut WorldNetwork,
    [_, decoder]: [MiddleboxId; 2],
) -> &mut FecDecoder {
    match network.middlebox_mut(decoder) {
        WorldMiddlebox::Decoder(decoder) | WorldMiddlebox::Holder(decoder) => decoder,
        _ => unreachable!("{BOTH_ENDS}"),
    }
}

/// Lets the blocks of a pair follow its loss, which is reported along a route that begins at the
/// first place and ends at the second.
pub(super) fn adapt(
    network: &mut WorldNetwork,
    [encoder, decoder]: [MiddleboxId; 2],
    (protection, adaptation): (&Protection, &Adaptation),
    (start, end): (u32, u32),
) {
    let flow = protection.data.first().or(protection.acks.first());
    let flow = *flow.expect("a pair protects a flow");
    let reporter = Reporter::new(flow, start, adaptation.report_every);
    decoder_mut(network, [decoder, decoder]).report_by(reporter);
    match network.middlebox_mut(encoder) {
        WorldMiddlebox::Encoder(encoder) => encoder.follow(adaptation.clone(), end),
        _ => unreachable!("{BOTH_ENDS}"),
    }
}

/// Says to each decoder where packets are on their routes when they come to it.
pub(super) fn set_exits(network: &mut WorldNetwork, exits: Exits) {
    for (id, exits) in exits {
        decoder_mut(network, [id, id]).set_exits(exits);
    }
}

/// What is to be done with a packet that came.
#[derive(Clone, Copy, Debug)]
enum First {
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

/// How many bits of a packet's header are its number in the block.
const INDEX_BITS: u32 = 10;

/// The largest block that a packet's header can say.
const MOST_IN_BLOCK: u16 = 1 << INDEX_BITS;

/// A place as the header of a packet in the simulation: the low bits of the block, and the number
/// in it.
fn header_of(place: Place) -> u32 {
    place.block << INDEX_BITS | u32::from(place.index)
}

/// The number in this block that a header says, if it is of this block.
#[inline(always)]
fn index_in(header: u32, block: u32) -> Option<u16> {
    let index = header ^ block << INDEX_BITS;
    (index < u32::from(MOST_IN_BLOCK)).then_some(index as u16)
}

/// The place that a header says, near a block that is known: of 2^22 blocks in a row it
/// is sure which.
fn place_of(header: u32, known: u32) -> Place {
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
