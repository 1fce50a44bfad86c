//! The middlebox where protected packets enter.

use pacesim_core::net::{Kind, Middlebox, Packet, Step, Volume};
use pacesim_fec::{Config, Encoder, Repair};
use pacesim_units::Time;

use super::identity::Identity;
use super::{Carried, Payload, header_of};

/// Passes packets on, and sends a repair packet after each block.
#[derive(Debug)]
pub(in crate::world) struct FecEncoder {
    encoder: Encoder<Identity>,
    carried: Carried,
    /// The packet that has come, until it is passed on.
    came: Option<u32>,
    /// The last packet that was protected: repair packets go its way.
    last: Packet,
    counters: EncoderCounters,
}

/// What has happened at an encoder since the start.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::world) struct EncoderCounters {
    /// The packets that were protected.
    pub(in crate::world) protected: Volume,
    /// The repair packets that were sent.
    pub(in crate::world) repairs: Volume,
}

impl FecEncoder {
    pub(super) fn new(config: Config, carried: Carried) -> FecEncoder {
        FecEncoder {
            encoder: Encoder::new(config),
            carried,
            came: None,
            last: Packet::default(),
            counters: EncoderCounters::default(),
        }
    }

    pub(in crate::world) fn counters(&self) -> EncoderCounters {
        self.counters
    }

    pub(in crate::world) fn block(&self) -> u32 {
        self.encoder.block().into()
    }

    fn send(&mut self, now: Time, repair: Repair<Identity>) -> Packet {
        self.counters.repairs.add(repair.size);
        self.carried.put(Payload {
            cover: repair.cover,
            sent: now,
            value: repair.value,
            protected: self.counters.protected,
        });
        Packet {
            stamp: now,
            flow: self.last.flow,
            seq: repair.cover.block,
            size: repair.size,
            hop: self.last.hop,
            kind: Kind::Auxiliary,
            ..Packet::default()
        }
    }
}

impl Middlebox for FecEncoder {
    #[inline]
    fn arrive(&mut self, now: Time, place: u32, packet: &Packet, header: &mut u32) {
        self.came = Some(place);
        if packet.kind != Kind::Auxiliary {
            let identity = Identity::of(packet);
            *header = header_of(self.encoder.data(now, &identity, packet.size));
            self.counters.protected.add(packet.size);
            self.last = *packet;
        }
    }

    #[inline]
    fn step(&mut self, now: Time) -> Step {
        if let Some(place) = self.came.take() {
            return Step::Pass(place);
        }
        match self.encoder.poll(now) {
            None => Step::Wait,
            Some(repair) => Step::Send(self.send(now, repair)),
        }
    }

    #[inline]
    fn next_wake(&self) -> Option<Time> {
        self.encoder.next_wake()
    }
}
