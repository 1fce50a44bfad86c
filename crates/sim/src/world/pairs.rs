//! Pairs of encoder and decoder in a network: their counters and configuration.

use pacesim_core::net::MiddleboxId;
use pacesim_fec::Adaptation;

use super::WorldNetwork;
use super::fec::{EncoderCounters, ExitCounters, FecDecoder, FecEncoder, Reporter};
use super::parts::WorldMiddlebox;
use super::paths::Exits;
use crate::model::Protection;

/// The counts of both ends of a pair since the start.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PairCounters {
    pub(super) entry: EncoderCounters,
    pub(super) exit: ExitCounters,
}

impl PairCounters {
    pub(super) fn of(encoder: &FecEncoder, decoder: &FecDecoder) -> PairCounters {
        PairCounters {
            entry: encoder.counters(),
            exit: decoder.counters(),
        }
    }

    /// Restarts the delays and records the counters when statistics start.
    pub(super) fn restarted(network: &mut WorldNetwork, ids: [MiddleboxId; 2]) -> PairCounters {
        decoder_mut(network, ids).restart_delays();
        PairCounters::of(encoder_of(network, ids), decoder_of(network, ids))
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

/// The decoder of a pair, mutable.
pub(super) fn decoder_mut(
    network: &mut WorldNetwork,
    [_, decoder]: [MiddleboxId; 2],
) -> &mut FecDecoder {
    match network.middlebox_mut(decoder) {
        WorldMiddlebox::Decoder(decoder) | WorldMiddlebox::Holder(decoder) => decoder,
        _ => unreachable!("{BOTH_ENDS}"),
    }
}

/// Makes a pair adapt its blocks to its loss, reported along a route that begins at the first place
/// and ends at the second.
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

/// Gives each decoder the positions on their routes at which packets reach it.
pub(super) fn set_exits(network: &mut WorldNetwork, exits: Exits) {
    for (id, exits) in exits {
        decoder_mut(network, [id, id]).set_exits(exits);
    }
}
