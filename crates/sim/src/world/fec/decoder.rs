//! The middlebox at the exit of a protected segment.

use pacesim_core::net::{Kind, Middlebox, Packet, Step, Volume};
use pacesim_fec::{Decoder, DecoderCounters, Order, Out, Place};
use pacesim_measure::{Moments, Quantiles};
use pacesim_transport::{AckOptions, SackBlocks};
use pacesim_units::{FlowId, Time};

use super::header::{First, index_in, place_of};
use super::report::Reporter;
use super::sacks::SackSums;
use crate::model::{Identity, Payload, Redundancy};

/// Absorbs repair packets, and sends the packets that they repair.
#[derive(Debug)]
#[repr(C)]
pub(in crate::world) struct FecDecoder {
    /// Bytes of packets on the fast path.
    passed_bytes: u64,
    decoder: Decoder<Identity, u32>,
    pair: u32,
    /// Data packets off the fast path.
    attended: u64,
    /// The fate of the current packet, decided before the decoder is called.
    first: Option<First>,
    reporter: Option<Box<Reporter>>,
    /// All packets protected up to the last repair packet received, and the number of them that are
    /// missing.
    settled: Volume,
    lost: u64,
    repairs: Box<Repairs>,
}

/// State needed only where a packet is repaired, or reported.
#[derive(Debug)]
struct Repairs {
    /// The position on its route at which a packet of a flow, data or acknowledgement, arrives
    /// here; sorted.
    exits: Vec<(FlowId, Kind, u32)>,
    reports: u64,
    sacks: SackSums,
    /// The SACK blocks of the packet that the last repair packet restored, if it did.
    missing: SackBlocks,
    /// The payload of the last packet sent.
    sent: Option<Payload>,
    delay_ps: Moments,
    delay_quantiles: Quantiles,
}

/// Counters of a decoder since the start.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::world) struct ExitCounters {
    pub(in crate::world) decoder: DecoderCounters,
    /// All packets protected up to the last repair packet received.
    pub(in crate::world) settled: Volume,
    /// The number of these that are missing.
    pub(in crate::world) lost: u64,
    /// The reports sent to the encoder.
    pub(in crate::world) reports: u64,
}

impl FecDecoder {
    pub(super) fn new(depth: u16, order: Order, pair: u32) -> FecDecoder {
        FecDecoder {
            decoder: Decoder::new(depth, order),
            pair,
            passed_bytes: 0,
            attended: 0,
            first: None,
            reporter: None,
            settled: Volume::default(),
            lost: 0,
            repairs: Box::new(Repairs {
                exits: Vec::new(),
                reports: 0,
                sacks: SackSums::default(),
                missing: SackBlocks::NONE,
                sent: None,
                delay_ps: Moments::default(),
                delay_quantiles: Quantiles::new(),
            }),
        }
    }

    /// True if it may hold packets back, so that none takes the fast path.
    pub(in crate::world) fn may_hold(&self) -> bool {
        self.decoder.may_hold()
    }

    /// Makes the decoder report to the encoder.
    pub(in crate::world) fn report_by(&mut self, reporter: Reporter) {
        self.reporter = Some(Box::new(reporter));
    }

    /// Sets the positions on their routes at which packets of flows arrive here.
    pub(in crate::world) fn set_exits(&mut self, mut exits: Vec<(FlowId, Kind, u32)>) {
        exits.sort_unstable_by_key(|(flow, kind, _)| (*flow, *kind as u8));
        self.repairs.exits = exits;
    }

    pub(in crate::world) fn counters(&self) -> ExitCounters {
        ExitCounters {
            decoder: self.decoder.counters(),
            settled: self.settled,
            lost: self.lost,
            reports: self.repairs.reports,
        }
    }

    /// Recovery delays in picoseconds since statistics began: from the time a packet is known to be
    /// missing to its repair.
    pub(in crate::world) fn delays(&self) -> (&Moments, &Quantiles) {
        (&self.repairs.delay_ps, &self.repairs.delay_quantiles)
    }

    /// Restarts the recovery delays.
    pub(in crate::world) fn restart_delays(&mut self) {
        self.repairs.delay_ps.reset();
        self.repairs.delay_quantiles.reset();
    }

    /// A packet of its block has arrived; returns its place in the block unless it was repaired
    /// before.
    fn take_protected(
        &mut self,
        now: Time,
        place: u32,
        packet: &Packet,
        header: u32,
    ) -> Option<Place> {
        self.attended += 1;
        let at = place_of(header, self.decoder.latest());
        let is_new = (self.decoder).data(now, at, place, &Identity::of(packet));
        if !is_new {
            self.first = Some(First::Absorb(place));
        }
        is_new.then_some(at)
    }

    /// A repair packet of this pair has arrived.
    fn repair(&mut self, now: Time, place: u32, redundancy: &Redundancy) {
        self.first = Some(First::Absorb(place));
        // A repair packet that others overtook knows less than they did.
        if redundancy.protected.packets > self.settled.packets {
            self.settled = redundancy.protected;
        }
        self.lost = (self.settled.packets).saturating_sub(self.decoder.counters().arrived);
        self.repairs.missing = redundancy.sacks;
        self.repairs.missing ^= self.repairs.sacks.take(redundancy.cover.block);
        self.decoder
            .repair(now, redundancy.cover, &redundancy.value);
        if let Some(reporter) = &mut self.reporter {
            reporter.has_news(now);
        }
    }

    /// The report, if one is due.
    fn report(&mut self, now: Time) -> Step {
        let Some(reporter) = self.reporter.as_mut().filter(|r| r.is_due(now)) else {
            return Step::Wait;
        };
        self.repairs.reports += 1;
        let (packet, report) = reporter.send(now, self.settled.packets, self.lost);
        self.repairs.sent = Some(Payload::Report(report));
        Step::Send(packet)
    }

    /// The lost packet, at its place on its route.
    fn repaired(&mut self, now: Time, identity: Identity, missed: Time) -> Packet {
        let packet = identity.packet();
        let repairs = &mut self.repairs;
        let delay = (now - missed).as_ps();
        repairs.delay_ps.add(delay);
        repairs.delay_quantiles.add(delay);
        let sacks = std::mem::take(&mut repairs.missing);
        repairs.sent = (!sacks.is_empty()).then(|| AckOptions::from(sacks).into());
        let name = (packet.flow, packet.kind() as u8);
        let found =
            (repairs.exits).binary_search_by_key(&name, |(flow, kind, _)| (*flow, *kind as u8));
        let exit = found.expect("what is repaired is of a flow that is protected");
        Packet {
            hop: repairs.exits[exit].2,
            ..packet
        }
    }
}

impl Middlebox for FecDecoder {
    type Payload = Payload;

    #[inline(never)]
    fn arrive(&mut self, now: Time, place: u32, packet: &Packet, header: &mut u32) {
        match packet.kind() {
            Kind::Auxiliary => self.first = Some(First::Pass(place)),
            Kind::Data | Kind::Ack => _ = self.take_protected(now, place, packet, *header),
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
        match payload {
            Payload::Repair(redundancy) if redundancy.pair == self.pair => {
                self.repair(now, place, redundancy);
            }
            Payload::Content(content) => {
                if let Some(at) = self.take_protected(now, place, packet, *header) {
                    let (known, sums) = (&self.decoder, &mut self.repairs.sacks);
                    sums.keep(|block| known.knows(block));
                    if known.knows(at.block) {
                        let options = content.options().copied().unwrap_or_default();
                        sums.add(at.block, &options.sacks);
                    }
                }
            }
            Payload::Repair(_) | Payload::Report(_) => self.first = Some(First::Pass(place)),
        }
    }

    fn payload(&mut self) -> Option<Payload> {
        self.repairs.sent.take()
    }

    #[inline(always)]
    fn passes(&mut self, now: Time, packet: &Packet, header: &mut u32) -> bool {
        let identity = Identity::of(packet);
        let index = index_in(*header, self.decoder.latest()).filter(|_| !identity.is_auxiliary());
        let Some(index) = index else {
            return false;
        };
        self.decoder.data_in_latest(now, index, &identity);
        self.passed_bytes += u64::from(packet.size);
        true
    }

    fn passed(&self) -> Volume {
        Volume {
            packets: self.decoder.counters().arrived - self.attended,
            bytes: self.passed_bytes,
        }
    }

    fn is_prompt(&self) -> bool {
        !self.decoder.may_hold() && self.reporter.is_none()
    }

    #[inline]
    fn step(&mut self, now: Time) -> Step {
        if let Some(first) = self.first.take() {
            return first.into();
        }
        match self.decoder.poll(now) {
            None => self.report(now),
            Some(Out::Arrived(place)) => Step::Pass(place),
            Some(Out::Repaired(identity, missed)) => {
                Step::Send(self.repaired(now, identity, missed))
            }
        }
    }

    #[inline]
    fn next_wake(&self) -> Option<Time> {
        let report = self
            .reporter
            .as_ref()
            .and_then(|reporter| reporter.next_wake());
        self.decoder.next_wake().into_iter().chain(report).min()
    }
}
