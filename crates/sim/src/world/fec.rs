//! FEC encoders and decoders as middleboxes.

mod decoder;
mod encoder;
mod header;
mod report;
mod sacks;

use pacesim_core::net::MiddleboxId;

pub(super) use decoder::{ExitCounters, FecDecoder};
pub(super) use encoder::{EncoderCounters, FecEncoder};
pub(super) use report::Reporter;

use crate::model::Protection;

/// Builds encoder and decoder of the pair of this number.
pub(super) fn ends(protection: &Protection, pair: u32) -> (FecEncoder, FecDecoder) {
    let encoder = FecEncoder::new(protection.config, pair);
    let decoder = FecDecoder::new(protection.config.depth, protection.order, pair);
    (encoder, decoder)
}

/// The middleboxes of the i-th pair, behind those of the model: encoder and decoder.
pub(super) fn ids(middleboxes: usize, i: usize) -> [MiddleboxId; 2] {
    let encoder = (middleboxes + 2 * i) as u32;
    [MiddleboxId(encoder), MiddleboxId(encoder + 1)]
}
