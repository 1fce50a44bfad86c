//! The middlebox where protected packets leave.

use pacesim_core::net::{Kind, Middlebox, Packet, Step, Volume};
use pacesim_fec::{Decoder, DecoderCounters, Order, Out};
use pacesim_measure::{Moments, Quantiles};
use pacesim_units::{FlowId, Time};

use super::freight::Unloading;
use super::header::{First, index_in, place_of};
use super::identity::Identity;
use super::report::Reporter;

/// Absorbs repair packets, and sends what they repair.
#[derive(Debug)]
#[repr(C)]
pub(in crate::world) struct FecDecoder {
    /// Of the packets that just passed.
    passed_bytes: u64,
    decoder: Decoder<Identity, u32>,
    unloading: Unloading,
    /// The data packets that did not just pass.
    attended: u64,
    /// What is to be done with the packet that came before the decoder is asked.
    first: Option<First>,
    reporter: Option<Box<Reporter>>,
    /// What was protected before the last repair packet that came was sent, and how many of it did not come.
    settled: Volume,
    lost: u64,
    repairs: Box<Repairs>,
}

/// What is needed only where a packet is repaired, or reported.
#[derive(Debug)]
struct Repairs {
    /// Where packets of a flow, of data or of acknowledgements, are on their routes when they
    /// come here; in order.
    exits: Vec<(FlowId, Kind, u32)>,
    reports: u64,
    delay_ps: Moments,
    delay_quantiles: Quantiles,
}

/// What has happened at a decoder since the start.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::world) struct ExitCounters {
    pub(in crate::world) decoder: DecoderCounters,
    /// What was protected before the last repair packet that came was sent.
    pub(in crate::world) settled: Volume,
    /// How many of these packets did not come.
    pub(in crate::world) lost: u64,
    /// The reports that were sent to the encoder.
    pub(in crate::world) reports: u64,
}

impl FecDecoder {
    pub(super) fn new(depth: u16, order: Order, unloading: Unloading) -> FecDecoder {
        FecDecoder {
            decoder: Decoder::new(depth, order),
            unloading,
            passed_bytes: 0,
            attended: 0,
            first: None,
            reporter: None,
            settled: Volume::default(),
            lost: 0,
            repairs: Box::new(Repairs {
                exits: Vec::new(),
                reports: 0,
                delay_ps: Moments::default(),
                delay_quantiles: Quantiles::new(),
            }),
        }
    }

    /// Whether packets may wait in it, and none just passes.
    pub(in crate::world) fn may_hold(&self) -> bool {
        self.decoder.may_hold()
    }

    /// Lets it report to the encoder.
    pub(in crate::world) fn report_by(&mut self, reporter: Reporter) {
        self.reporter = Some(Box::new(reporter));
    }

    /// Says where the packets of flows are on their routes when they come here.
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

    /// How long packets were known to be missing before they were repaired, in picoseconds,
    /// since statistics began.
    pub(in crate::world) fn delays(&self) -> (&Moments, &Quantiles) {
        (&self.repairs.delay_ps, &self.repairs.delay_quantiles)
    }

    /// Delays start afresh.
    pub(in crate::world) fn restart_delays(&mut self) {
        self.repairs.delay_ps.reset();
        self.repairs.delay_quantiles.reset();
    }

    /// A packet that a middlebox made: a repair packet of this pair, or none of its business.
    fn take_auxiliary(&mut self, now: Time, place: u32, packet: &Packet) {
        let Some(payload) = self.unloading.take(packet) else {
            self.first = Some(First::Pass(place));
            return;
        };
        self.first = Some(First::Absorb(place));
        self.settled = payload.protected;
        self.lost = (payload.protected.packets).saturating_sub(self.decoder.counters().arrived);
        self.decoder.repair(now, payload.cover, &payload.value);
        if let Some(reporter) = &mut self.reporter {
            reporter.has_news(now);
        }
    }

    /// The report that is due, if one is.
    fn report(&mut self, now: Time) -> Step {
        let Some(reporter) = self.reporter.as_mut().filter(|r| r.is_due(now)) else {
            return Step::Wait;
        };
        self.repairs.reports += 1;
        Step::Send(reporter.send(now, self.settled.packets, self.lost))
    }

    /// The packet that was lost, at its place on its route.
    fn repaired(&mut self, now: Time, identity: Identity, missed: Time) -> Packet {
        let packet = identity.packet();
        let repairs = &mut self.repairs;
        let delay = (now - missed).as_ps();
        repairs.delay_ps.add(delay);
        repairs.delay_quantiles.add(delay);
        let name = (packet.flow, packet.kind as u8);
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
    #[inline(never)]
    fn arrive(&mut self, now: Time, place: u32, packet: &Packet, header: &mut u32) {
        if packet.kind == Kind::Auxiliary {
            return self.take_auxiliary(now, place, packet);
        }
        self.attended += 1;
        let at = place_of(*header, self.decoder.latest());
        if !(self.decoder).data(now, at, place, &Identity::of(packet)) {
            self.first = Some(First::Absorb(place));
        }
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
