//! Places where packets are observed, and the selection of packets.

use pacesim::model::Model;
use pacesim::net::{DropCause, Kind, Packet, Passage, Probe};
use pacesim::units::{Bytes, LinkId, Time};
use pacesim_language::names::{Members, Reference};
use pacesim_study::measure::{At, MeasuredPlace, PacketSelection};

use crate::schema::{Measurement, Watching};

/// A meter of packets at times, in order and within the measured time.
pub(crate) trait Meter {
    fn add(&mut self, at: Time, size: Bytes);

    /// The bytes of the samples that it will have kept at the end of the run, if they are many.
    fn kept_bytes(&self) -> u64 {
        0
    }

    /// Computes the results at the end of the run.
    fn found(self, end: Time) -> Measurement;
}

/// A meter at a place.
pub(crate) struct Tap<M> {
    link: LinkId,
    sign: Sign,
    /// True if drops at the port count too.
    drops: Option<Drops>,
    only: PacketFilter,
    from: Time,
    end: Time,
    meter: M,
}

/// The call at which a selected packet is noted.
#[derive(Clone, Copy, PartialEq)]
enum Sign {
    /// The packet was taken by a plain port on arrival.
    Accepted,
    Queued,
    Held,
    Released,
    /// A port took it; noted at the departure of its last bit.
    Sent,
    /// The packet arrived at the end of its route.
    Delivered,
}

/// The drops of packets that have not been noted before.
#[derive(Clone, Copy, PartialEq)]
enum Drops {
    AtQueue,
    AtGate,
}

/// A selection of packets.
struct PacketFilter {
    flows: Option<Vec<bool>>,
    data: bool,
}

impl PacketFilter {
    #[inline]
    fn holds(&self, packet: &Packet) -> bool {
        let is_kind = !self.data || packet.kind() == Kind::Data;
        let is_ours = |flows: &Vec<bool>| flows[packet.flow.index()];
        is_kind && self.flows.as_ref().is_none_or(is_ours)
    }
}

/// For each flow, true if it is selected.
pub(crate) fn members(model: &Model, of: &Reference) -> Vec<bool> {
    let is_member = |index: u32| match &of.members {
        Members::All => true,
        Members::One(one) => index == *one,
        Members::Range(range) => range.contains(&index),
    };
    let flows = model.flows.iter();
    flows
        .map(|flow| *flow.group == *of.group && is_member(flow.index))
        .collect()
}

/// The link of this name.
pub(crate) fn link(model: &Model, name: &str) -> Option<LinkId> {
    let place = model.links.iter().position(|link| link.name == name);
    place.map(LinkId::from_index)
}

/// Measured time: from the end of the warm-up to the end of the run.
pub(crate) fn measured_time(model: &Model) -> (Time, Time) {
    (Time::ZERO + model.warmup, Time::ZERO + model.duration)
}

impl<M: Meter> Tap<M> {
    /// A meter at this place, unless the model has no such link.
    pub(crate) fn new(model: &Model, place: &MeasuredPlace, meter: M) -> Option<Tap<M>> {
        let (from, end) = measured_time(model);
        let id = match &place.link {
            Some(name) => Some(link(model, name)?),
            None => None,
        };
        let stages = model.stages();
        let has_gate = id.is_some_and(|id| stages.has_gate(id));
        let has_queue = id.is_some_and(|id| stages.has_queue(id));
        let (sign, drops) = match (place.at, has_gate, has_queue) {
            _ if id.is_none() => (Sign::Delivered, None),
            (At::Sent, ..) => (Sign::Sent, None),
            (At::Released, true, _) => (Sign::Released, None),
            (At::Offered, true, _) => (Sign::Held, Some(Drops::AtGate)),
            (_, false, true) => (Sign::Queued, Some(Drops::AtQueue)),
            (_, false, false) => (Sign::Accepted, Some(Drops::AtQueue)),
        };
        Some(Tap {
            link: id.unwrap_or(LinkId(u32::MAX)),
            sign,
            drops,
            only: PacketFilter {
                flows: place.flows.as_ref().map(|flows| members(model, flows)),
                data: place.packets == PacketSelection::Data,
            },
            from,
            end,
            meter,
        })
    }

    #[inline]
    fn note(&mut self, sign: Sign, link: LinkId, at: Time, packet: &Packet) {
        if sign == self.sign && link == self.link {
            self.count(at, packet);
        }
    }

    #[inline]
    fn count(&mut self, at: Time, packet: &Packet) {
        if at >= self.from && at <= self.end && self.only.holds(packet) {
            self.meter.add(at, Bytes(packet.size.into()));
        }
    }
}

impl<M: Meter> Watching for Tap<M> {
    fn kept_bytes(&self) -> u64 {
        self.meter.kept_bytes()
    }

    fn found(self: Box<Self>, end: Time) -> Measurement {
        self.meter.found(end)
    }
}

impl<M: Meter> Probe for Tap<M> {
    #[inline]
    fn accepted(&mut self, now: Time, link: LinkId, packet: &Packet, passage: Passage) {
        self.note(Sign::Accepted, link, now, packet);
        self.note(Sign::Sent, link, passage.departure, packet);
    }

    #[inline]
    fn held(&mut self, now: Time, link: LinkId, packet: &Packet) {
        self.note(Sign::Held, link, now, packet);
    }

    #[inline]
    fn released(&mut self, now: Time, link: LinkId, packet: &Packet, _: Time) {
        self.note(Sign::Released, link, now, packet);
    }

    #[inline]
    fn queued(&mut self, now: Time, link: LinkId, packet: &Packet) {
        self.note(Sign::Queued, link, now, packet);
    }

    #[inline]
    fn dropped(&mut self, now: Time, link: LinkId, packet: &Packet, cause: DropCause) {
        let is_new = match cause {
            DropCause::Full { .. } | DropCause::Early { .. } => self.drops == Some(Drops::AtQueue),
            DropCause::Gate => self.drops == Some(Drops::AtGate),
            DropCause::Script => self.drops.is_some(),
            // These packets were noted when the port took them.
            DropCause::PushedOut { .. } | DropCause::Departure { .. } | DropCause::Wire => false,
        };
        if is_new && link == self.link {
            self.count(now, packet);
        }
    }

    #[inline]
    fn delivered(&mut self, now: Time, packet: &Packet) {
        if self.sign == Sign::Delivered {
            self.count(now, packet);
        }
    }
}
