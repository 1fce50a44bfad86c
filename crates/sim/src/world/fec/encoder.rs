//! The middlebox at the entry of a protected segment.

use pacesim_core::net::{Kind, Middlebox, Packet, Step, Volume};
use pacesim_fec::{Adaptation, Config, Encoder, Follower, Place, Repair};
use pacesim_transport::AckOptions;
use pacesim_units::{FlowId, Time};

use super::header::{First, header_of};
use super::sacks::SackSums;
use crate::model::{Identity, Payload, Redundancy};

/// Passes packets on, and sends a repair packet after each block. The fields touched by every
/// packet come first.
#[derive(Debug)]
#[repr(C)]
pub(in crate::world) struct FecEncoder {
    protected_bytes: u64,
    encoder: Encoder<Identity>,
    /// Flow, tag and place of the last packet that closed a block, or might have; repair packets
    /// belong to its connection, and take its route.
    way: (FlowId, u32, u32),
    /// Protected packets off the fast path.
    attended: Volume,
    repairs: Volume,
    /// The fate of the current packet, decided before the encoder is called.
    first: Option<First>,
    pair: u32,
    sacks: SackSums,
    /// The content of the last repair packet sent.
    sent: Option<Redundancy>,
    /// Follows the decoder's reports, which arrive at this place of their route.
    follower: Option<(Box<Follower>, u32)>,
}

/// Counters of an encoder since the start.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::world) struct EncoderCounters {
    /// Packets that the encoder protected.
    pub(in crate::world) protected: Volume,
    /// Repair packets that the encoder sent.
    pub(in crate::world) repairs: Volume,
}

impl FecEncoder {
    pub(super) fn new(config: Config, pair: u32) -> FecEncoder {
        FecEncoder {
            encoder: Encoder::new(config),
            pair,
            sacks: SackSums::default(),
            sent: None,
            first: None,
            way: Default::default(),
            attended: Volume::default(),
            repairs: Volume::default(),
            protected_bytes: 0,
            follower: None,
        }
    }

    /// Adapts the block size to reports, which arrive at this place of their route.
    pub(in crate::world) fn follow(&mut self, adaptation: Adaptation, place: u32) {
        let follower = Follower::new(adaptation, self.encoder.block());
        self.follower = Some((Box::new(follower), place));
    }

    pub(in crate::world) fn counters(&self) -> EncoderCounters {
        EncoderCounters {
            protected: self.protected(),
            repairs: self.repairs,
        }
    }

    fn protected(&self) -> Volume {
        Volume {
            packets: self.encoder.protected(),
            bytes: self.protected_bytes,
        }
    }

    pub(in crate::world) fn block(&self) -> u32 {
        self.encoder.block().into()
    }

    /// A packet made by a middlebox: a report for this encoder, or one to ignore.
    fn take_auxiliary(&mut self, place: u32, packet: &Packet, payload: &Payload) {
        if let Some((follower, reports_come)) = &mut self.follower
            && *reports_come == packet.hop
            && let Payload::Report(report) = payload
        {
            self.first = Some(First::Absorb(place));
            self.encoder.set_block(follower.report(*report));
        }
    }

    fn protect(&mut self, now: Time, packet: &Packet) -> Place {
        self.protected_bytes += u64::from(packet.size);
        self.attended.add(packet.size);
        self.way = (packet.flow, packet.tag, packet.hop);
        (self.encoder).data(now, &Identity::of(packet), packet.size)
    }

    fn send(&mut self, now: Time, repair: Repair<Identity>) -> Packet {
        self.repairs.add(repair.size);
        self.sent = Some(Redundancy {
            pair: self.pair,
            cover: repair.cover,
            value: repair.value,
            sacks: self.sacks.take(repair.cover.block),
            protected: self.protected(),
        });
        Packet {
            stamp: now,
            flow: self.way.0,
            tag: self.way.1,
            seq: repair.cover.block,
            size: repair.size,
            hop: self.way.2,
            flags: Kind::Auxiliary.into(),
            ..Packet::default()
        }
    }
}

impl Middlebox for FecEncoder {
    type Payload = Payload;

    #[inline(never)]
    fn arrive(&mut self, now: Time, place: u32, packet: &Packet, header: &mut u32) {
        self.first = Some(First::Pass(place));
        if packet.kind() != Kind::Auxiliary {
            *header = header_of(self.protect(now, packet));
        }
    }

    #[inline(never)]
    fn arrive_with_payload(
        &mut self,
        now: Time,
        place: u32,
        packet: &Packet,
        payload: &Payload,
        header: &mut u32,
    ) {
        self.first = Some(First::Pass(place));
        if packet.kind() == Kind::Auxiliary {
            return self.take_auxiliary(place, packet, payload);
        }
        let at = self.protect(now, packet);
        *header = header_of(at);
        // A repaired acknowledgement has no count of marks: the next one has a later count.
        if let Some(AckOptions { sacks, .. }) = payload.options() {
            self.sacks.add(at.block, sacks);
        }
    }

    fn payload(&mut self) -> Option<Payload> {
        self.sent.take().map(Payload::Repair)
    }

    #[inline(always)]
    fn passes(&mut self, _now: Time, packet: &Packet, header: &mut u32) -> bool {
        let identity = Identity::of(packet);
        if identity.is_auxiliary() {
            return false;
        }
        let Some(place) = self.encoder.data_amid(&identity, packet.size) else {
            return false;
        };
        self.protected_bytes += u64::from(packet.size);
        *header = header_of(place);
        true
    }

    fn passed(&self) -> Volume {
        self.protected() - self.attended
    }

    fn is_prompt(&self) -> bool {
        !self.encoder.has_timeout() && self.follower.is_none()
    }

    #[inline]
    fn step(&mut self, now: Time) -> Step {
        if let Some(first) = self.first.take() {
            return first.into();
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
