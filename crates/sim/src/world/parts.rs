//! Pacers, queue disciplines and middleboxes as the network's parts.

use std::collections::BTreeMap;
use std::sync::Arc;

use pacesim_core::net::{self, Fittings, Kind, Packet, Stage};
use pacesim_core::random::Streams;
use pacesim_pacers::{AnyPacer, Pacer, Release};
use pacesim_queues::{AnyQueue, Queue};
use pacesim_units::{ConnectionId, FlowId, LinkId, NodeId, Time};

use super::BuildError;
use super::behind;
use super::fec::{self, FecDecoder, FecEncoder};
use super::tag;
use crate::middlebox::Site;
use crate::model::{Flow, Link, Load, Model, Payload, RecordedLine, Tcp, Traffic};
use crate::pacer::Port;

/// Types of the parts of a world's network.
#[derive(Debug)]
pub(super) enum WorldParts {}

impl net::Parts for WorldParts {
    type Gate = PacerStage;
    type Queue = QueueStage;
    /// Switches are called indirectly: ports without a switch make no such calls.
    type Switch = Box<dyn net::Switch + Send>;
    type Middlebox = WorldMiddlebox;
    type Payload = Payload;
}

/// Middleboxes on routes: known types without indirection, and users' own. `repr(u8)` stores the
/// variant in its own byte; a niche in another field would take longer to read.
#[repr(u8)]
pub(super) enum WorldMiddlebox {
    Encoder(FecEncoder),
    Decoder(FecDecoder),
    /// A decoder that may hold packets.
    Holder(FecDecoder),
    Own(Box<dyn net::Middlebox<Payload = Payload> + Send>),
}

macro_rules! of_each {
    ($middlebox:expr, $inner:ident => $answer:expr) => {
        pacesim_units::dispatch!($middlebox, WorldMiddlebox { Encoder, Decoder, Holder, Own }, $inner => $answer)
    };
}

impl net::Middlebox for WorldMiddlebox {
    type Payload = Payload;

    #[inline]
    fn arrive(&mut self, now: Time, place: u32, packet: &Packet, header: &mut u32) {
        of_each!(self, inner => inner.arrive(now, place, packet, header));
    }

    #[inline]
    fn arrive_with_payload(
        &mut self,
        now: Time,
        place: u32,
        packet: &Packet,
        payload: &Payload,
        header: &mut u32,
    ) {
        of_each!(self, inner => inner.arrive_with_payload(now, place, packet, payload, header));
    }

    fn payload(&mut self) -> Option<Payload> {
        of_each!(self, inner => inner.payload())
    }

    /// Users' middleboxes are not called here: a call of unknown effect would cost coders much of
    /// their time.
    #[inline(always)]
    fn passes(&mut self, now: Time, packet: &Packet, header: &mut u32) -> bool {
        match self {
            WorldMiddlebox::Encoder(encoder) => encoder.passes(now, packet, header),
            WorldMiddlebox::Decoder(decoder) => decoder.passes(now, packet, header),
            WorldMiddlebox::Holder(_) | WorldMiddlebox::Own(_) => false,
        }
    }

    fn passed(&self) -> net::Volume {
        of_each!(self, inner => inner.passed())
    }

    fn is_prompt(&self) -> bool {
        of_each!(self, inner => inner.is_prompt())
    }

    #[inline]
    fn step(&mut self, now: Time) -> net::Step {
        of_each!(self, inner => inner.step(now))
    }

    #[inline]
    fn next_wake(&self) -> Option<Time> {
        of_each!(self, inner => inner.next_wake())
    }
}

/// The delay class of each flow; empty if all are in class 0.
#[derive(Clone, Debug, Default)]
struct Classes(Arc<[u16]>);

impl Classes {
    fn new(model: &Model) -> Classes {
        if model.flows.iter().all(|flow| flow.class == 0) {
            Classes::default()
        } else {
            Classes(model.flows.iter().map(|flow| flow.class).collect())
        }
    }

    #[inline]
    fn of(&self, packet: &Packet) -> u16 {
        self.0.get(packet.flow.index()).copied().unwrap_or(0)
    }
}

/// The flow that stands for both directions of each connection whose ends answer each other; empty
/// if there are none.
#[derive(Clone, Debug, Default)]
struct Exchanges(Arc<[FlowId]>);

impl Exchanges {
    fn new(model: &Model) -> Exchanges {
        let other = |flow: &Flow| match &flow.traffic {
            Traffic::Tcp(Tcp {
                load: Load::Exchange(exchange),
                ..
            }) => Some(exchange.other),
            _ => None,
        };
        if !model.flows.iter().any(|flow| other(flow).is_some()) {
            return Exchanges::default();
        }
        let first = |(i, flow)| {
            let own = FlowId::from_index(i);
            other(flow).map_or(own, |other| own.min(other))
        };
        Exchanges(model.flows.iter().enumerate().map(first).collect())
    }

    /// The connection of a packet: like Linux's hash of a five-tuple the same in both directions.
    #[inline]
    fn connection(&self, packet: &Packet) -> ConnectionId {
        match tag::call(packet) {
            Some(call) => ConnectionId::of_call(packet.flow, call + 1),
            None => {
                let first = self.0.get(packet.flow.index());
                first.copied().unwrap_or(packet.flow).into()
            }
        }
    }
}

/// The pacer before a port.
#[derive(Debug)]
pub(super) struct PacerStage {
    pub(super) pacer: AnyPacer,
    classes: Classes,
}

impl Stage for PacerStage {
    #[inline]
    fn arrive(&mut self, now: Time, place: u32, packet: &Packet) -> Result<(), net::Reason> {
        let class = self.classes.of(packet);
        let pending = pacesim_pacers::Pending::new(place, packet.flow, packet.size).of_class(class);
        let answer = self.pacer.enqueue(now, pending);
        answer.map_err(|_| net::Reason::Full)
    }

    #[inline]
    fn turn(&mut self, now: Time, _line: net::Line) -> net::Turn {
        match self.pacer.dequeue(now) {
            None => net::Turn::Hold,
            Some(pending) => net::Turn::go(pending.key),
        }
    }

    #[inline]
    fn next_turn(&self) -> Option<Time> {
        match self.pacer.next_release() {
            Release::Idle => None,
            Release::At(time) => Some(time),
        }
    }
}

/// The bytes of a packet's transfer from it on: none behind an acknowledgement, and no end of data that
/// state none.
#[inline]
fn remaining(packet: &Packet) -> u32 {
    match packet.kind() {
        Kind::Data => {
            let bytes = packet.remaining.bytes();
            bytes.map_or(u32::MAX, |bytes| bytes.min(u64::from(u32::MAX) - 1) as u32)
        }
        Kind::Ack | Kind::Auxiliary => 0,
    }
}

/// The queue discipline of a port.
#[derive(Debug)]
pub(super) struct QueueStage {
    pub(super) queue: AnyQueue,
    classes: Classes,
    exchanges: Exchanges,
}

impl Stage for QueueStage {
    #[inline]
    fn arrive(&mut self, now: Time, place: u32, packet: &Packet) -> Result<(), net::Reason> {
        let pending = pacesim_queues::Pending {
            key: place,
            flow: packet.flow,
            connection: self.exchanges.connection(packet),
            size: packet.size,
            class: self.classes.of(packet),
            ecn: packet.ecn(),
            following: tag::following(packet),
            remaining: remaining(packet),
            is_trimmable: packet.flags.is_trimmable(),
        };
        self.queue.arrive(now, pending)
    }

    #[inline]
    fn turn(&mut self, now: Time, line: net::Line) -> net::Turn {
        self.queue.turn(now, line)
    }

    #[inline]
    fn next_turn(&self) -> Option<Time> {
        self.queue.next_turn()
    }

    fn hold_class(&mut self, _now: Time, class: u16, holds: bool) -> bool {
        self.queue.hold_class(class, holds)
    }
}

/// The port of a link, as seen by a part with this purpose.
pub(super) fn port(link: &Link, streams: &Streams, purpose: &str) -> Port {
    Port {
        link: link.name.to_string(),
        rate: link.rate,
        buffer: link.buffer,
        stream: streams.stream(&format!("link/{}", link.name), purpose),
    }
}

/// Builds all parts of a model's network.
pub(super) fn fittings(
    model: &Model,
    streams: &Streams,
) -> Result<Fittings<WorldParts>, BuildError> {
    let (classes, exchanges) = (Classes::new(model), Exchanges::new(model));
    let port = |link, purpose| port(link, streams, purpose);
    let stages = model.stages();
    let mut fittings = Fittings::default();
    for (i, link) in model.links.iter().enumerate() {
        let id = LinkId::from_index(i);
        let classes = || classes.clone();
        if let Some(pacer) = &link.extras.pacer {
            let pacer = pacer.build(port(link, "pacer"));
            let pacer = pacer.map_err(|problem| BuildError::Pacer {
                link: link.name.to_string(),
                problem,
            })?;
            let classes = classes();
            fittings.gates.push((id, PacerStage { pacer, classes }));
        }
        if let Some(queue) = stages.queue(id) {
            let queue = queue.build(port(link, "queue"));
            let queue = before_line(queue, link);
            let stage = QueueStage {
                queue,
                classes: classes(),
                exchanges: exchanges.clone(),
            };
            fittings.queues.push((id, stage));
        }
    }
    fittings.middleboxes = middleboxes(model, streams);
    fittings.switches = switches(model, streams);
    Ok(fittings)
}

/// The switches of the model, each with its ports.
fn switches(model: &Model, streams: &Streams) -> Vec<(Vec<LinkId>, Box<dyn net::Switch + Send>)> {
    let built = model.switches.iter().map(|placed| {
        let node = model.nodes[placed.node.index()].name.to_string();
        let stream = streams.stream(&format!("switch/{node}"), "switch");
        let ports = model.ports_of(placed.node);
        let switch = placed.part.build(Site { node, stream }, &ports);
        (ports.outputs, switch)
    });
    built.collect()
}

/// The discipline with the opportunities of the line, if the line was recorded.
fn before_line(queue: AnyQueue, link: &Link) -> AnyQueue {
    match &link.extras.opportunities {
        None => queue,
        Some(recorded) => {
            let queue: Box<dyn Queue> = Box::new(RecordedLine::new(queue, recorded));
            queue.into()
        }
    }
}

/// The middleboxes of the model, followed by encoder and decoder of each pair, and by those behind
/// wires.
fn middleboxes(model: &Model, streams: &Streams) -> Vec<WorldMiddlebox> {
    let mut made = own_middleboxes(model, streams);
    for (pair, protection) in model.protections.iter().enumerate() {
        let (encoder, decoder) = fec::ends(protection, pair as u32);
        made.push(WorldMiddlebox::Encoder(encoder));
        made.push(if decoder.may_hold() {
            WorldMiddlebox::Holder(decoder)
        } else {
            WorldMiddlebox::Decoder(decoder)
        });
    }
    let behind = behind::middleboxes(model, streams).into_iter();
    made.extend(behind.map(WorldMiddlebox::Own));
    made
}

fn own_middleboxes(model: &Model, streams: &Streams) -> Vec<WorldMiddlebox> {
    let mut made = Vec::with_capacity(model.middleboxes.len());
    // Middleboxes of the same name at the same node are numbered.
    let mut alike: BTreeMap<(NodeId, &str), u32> = BTreeMap::new();
    for middlebox in &model.middleboxes {
        let (name, at) = (middlebox.part.name(), middlebox.node);
        let number = alike.entry((at, name)).or_default();
        let node = model.nodes[at.index()].name.to_string();
        let component = format!("middlebox/{node}/{name}[{number}]");
        *number += 1;
        let stream = streams.stream(&component, "middlebox");
        let own = middlebox.part.build(Site { node, stream });
        made.push(WorldMiddlebox::Own(own));
    }
    made
}
