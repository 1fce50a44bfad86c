//! Packets from outside: they enter the running world one by one, and leave it by one way each.

use std::sync::Arc;

use pacesim_core::net::{DropCause, Ecn, Flags, Kind, MiddleboxId, Packet, Probe};
use pacesim_units::{FlowId, LinkId, NodeId, Time};

use super::{Agent, World, tag};
use crate::model::{Model, Traffic};

/// Flows of a model whose packets come from outside.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outside {
    /// Flows whose ends are real, each with the flow that carries its answers, for TCP.
    pub flows: Vec<(FlowId, Option<FlowId>)>,
    /// Flows between named hosts, in both directions: the numbers of both hosts, and the flow.
    pub ways: Vec<(usize, usize, FlowId)>,
}

impl Outside {
    /// Lets the packets of these flows, and all packets between these hosts, come from outside.
    /// Answers, and packets between hosts, get flows of their own behind all others.
    pub fn open(model: &mut Model, flows: &[FlowId], hosts: &[(String, NodeId)]) -> Outside {
        let mut outside = Outside::default();
        for flow in flows {
            let of = model.flow_mut(*flow);
            let is_tcp = of.traffic.is_closed_loop();
            of.traffic = Traffic::Outer;
            let (from, to, index) = (of.from, of.to, of.index);
            let group: Arc<str> = format!("{}.back", of.group).into();
            let back = is_tcp.then(|| add(model, (to, from), (group, index)));
            for pair in model.protections.iter_mut().filter(|_| is_tcp) {
                let acks = pair.acks.len();
                pair.acks.retain(|acks| acks != flow);
                if pair.acks.len() < acks {
                    pair.data.extend(back);
                }
            }
            outside.flows.push((*flow, back));
        }
        for (a, (from, at)) in hosts.iter().enumerate() {
            for (b, (to, other)) in hosts.iter().enumerate().filter(|(b, _)| *b != a) {
                let group = format!("{from}>{to}").into();
                let flow = add(model, (*at, *other), (group, 0));
                outside.ways.push((a, b, flow));
            }
        }
        outside
    }
}

/// Adds a flow from outside.
fn add(model: &mut Model, (from, to): (NodeId, NodeId), (group, index): (Arc<str>, u32)) -> FlowId {
    let id = model.add_flow(from, to, Traffic::Outer);
    let flow = model.flow_mut(id);
    (flow.group, flow.index) = (group, index);
    id
}

/// The way by which a packet from outside left the world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It reached the end of its route.
    Delivered,
    /// A port dropped it, or a wire lost it.
    Dropped(LinkId, DropCause),
    /// A middlebox absorbed it.
    Absorbed(MiddleboxId),
}

/// A packet from outside that has left the world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exit {
    /// Time at which it left.
    pub at: Time,
    /// Flow that it belongs to.
    pub flow: FlowId,
    /// Handle given when it entered.
    pub handle: u32,
    /// Its ECN field, as marks on its way left it.
    pub ecn: Ecn,
    /// The way by which it left.
    pub fate: Fate,
}

/// A probe that collects the packets from outside as they leave, in the order of time.
#[derive(Clone, Debug, Default)]
pub struct Exits {
    is_outer: Vec<bool>,
    exits: Vec<Exit>,
}

impl Exits {
    /// A probe for the flows of a model whose packets come from outside.
    pub fn of(model: &Model) -> Exits {
        let is_outer = |flow: &crate::model::Flow| matches!(flow.traffic, Traffic::Outer);
        Exits {
            is_outer: model.flows.iter().map(is_outer).collect(),
            exits: Vec::new(),
        }
    }

    /// The handle of a packet from outside.
    pub fn handle_of(packet: &Packet) -> u32 {
        tag::handle(packet)
    }

    /// Takes the packets that have left since the last call.
    pub fn drain(&mut self) -> std::vec::Drain<'_, Exit> {
        self.exits.drain(..)
    }

    /// Packets that were made on the way, such as repairs, have no handle of their own.
    fn note(&mut self, at: Time, packet: &Packet, fate: Fate) {
        if self.is_outer[packet.flow.index()] && packet.kind() != Kind::Auxiliary {
            self.exits.push(Exit {
                at,
                flow: packet.flow,
                handle: tag::handle(packet),
                ecn: packet.flags.ecn(),
                fate,
            });
        }
    }
}

impl Probe for Exits {
    fn dropped(&mut self, now: Time, link: LinkId, packet: &Packet, cause: DropCause) {
        self.note(now, packet, Fate::Dropped(link, cause));
    }

    fn absorbed(&mut self, now: Time, at: MiddleboxId, packet: &Packet) {
        self.note(now, packet, Fate::Absorbed(at));
    }

    fn delivered(&mut self, now: Time, packet: &Packet) {
        self.note(now, packet, Fate::Delivered);
    }
}

impl<P: Probe> World<P> {
    /// Sets the goodput of a flow from outside after the warm-up, as its receiver counted it: the
    /// world sees packets, and not the data that they carry for the first time.
    pub fn set_goodput(&mut self, flow: FlowId, bytes: u64) {
        self.outside_goodput.insert(flow, bytes);
    }

    /// Time of the next event or timed change by the end of the run, which stays pending. Packets
    /// from outside may add earlier ones.
    pub fn next_event(&mut self) -> Option<Time> {
        let event = self.network.next_event().filter(|at| *at <= self.end);
        let change = self.changes.next_by(self.end);
        event.into_iter().chain(change).min()
    }

    /// Sends a packet from outside, now and after all events of this instant. Its handle is
    /// returned by [`Exits`] when it leaves the world, by one way.
    ///
    /// # Panics
    ///
    /// Panics if the flow's traffic is not [`Traffic::Outer`], or if the handle has more than 30 bits.
    pub fn enter(&mut self, flow: FlowId, size: u32, ecn: Ecn, handle: u32) {
        let (now, index) = (self.now, flow.index());
        assert!(handle < 1 << 30, "a handle has 30 bits");
        let is_outer = matches!(self.model.flows[index].traffic, Traffic::Outer);
        let (Agent::Open(place), true) = (self.agents[index], is_outer) else {
            panic!("flow {} has a source: nothing enters it", flow.0);
        };
        let emitter = &mut self.emitters[place as usize];
        let packet = Packet {
            stamp: now,
            flow,
            seq: emitter.next_seq,
            size,
            tag: tag::of_handle(handle),
            flags: Flags::default().with_ecn(ecn),
            ..Packet::default()
        };
        emitter.next_seq = emitter.next_seq.wrapping_add(1);
        let route = emitter.route;
        let route = self.route_of(now, route, &packet);
        self.tallies.sent(flow, size);
        let watchers = &mut (&mut self.tallies, &mut self.probe);
        self.network.send(now, now, route, packet, None, watchers);
    }
}
