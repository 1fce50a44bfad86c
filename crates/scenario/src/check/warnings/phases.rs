//! Ports whose inputs keep step with them while nothing is random, or drawn once for the whole run:
//! the order of arrivals, and so the flow that loses, is then the same for ever (Floyd and Jacobson, 1991).

use std::collections::{BTreeMap, BTreeSet};

use pacesim_keys::{Value, WarningName};
use pacesim_language::problem::Faults;
use pacesim_model::{Link, Load, PortQueue, Traffic};
use pacesim_units::{Bytes, Capacity, LinkId, NodeId};

use super::{View, listed};
use crate::check::warn::Warn as _;

/// The most flows of a scenario whose round trips are compared.
const MOST_FLOWS: usize = 1000;
/// The largest distance of two round trips modulo a packet's time that counts as none, as a share
/// of that time.
const SAME_PHASE: f64 = 1e-3;
/// The longest round trip, in drain times of the buffer, at which phases that are drawn once last.
/// Jain's index of eight flows at equal rates is .13 at 5 of them, .73 at 15, and .90 at 25.
const LASTING: u64 = 20;

/// Warns of these, once for each group of links.
pub(super) fn warnings(view: &View<'_>, faults: &mut Faults) {
    let memories = memories(view);
    let (crossing, drawn) = (crossing(view, &memories), Drawn::of(view));
    for group in &view.groups {
        let mut ports = group.links.clone().map(LinkId::from_index);
        let found = ports.find_map(|port| {
            let flows = crossing.get(&port)?;
            let port = Port {
                view,
                memories: &memories,
                drawn: &drawn,
                port,
                flows,
            };
            if !port.may_lose_in_step() {
                return None;
            }
            port.equal_rates().or_else(|| port.equal_phases())
        });
        if let Some(message) = found {
            let help = "give hosts a noise (host = \"linux\", or send), links a jitter, or run the study over round trips that differ by parts of a packet's time";
            faults
                .warn(WarningName::ExactPhases, &group.buffer, message)
                .help(help);
        }
    }
}

/// The sizes of the memories that the ports of nodes share.
fn memories(view: &View<'_>) -> BTreeMap<NodeId, Bytes> {
    let entries = view.scenario.switches.iter().zip(&view.plan.switches);
    let nodes = entries.flat_map(|(group, nodes)| nodes.iter().map(|node| (*node, group.size())));
    nodes.collect()
}

/// The flows that cross each limited port, with the place of the port on their paths.
fn crossing(
    view: &View<'_>,
    memories: &BTreeMap<NodeId, Bytes>,
) -> BTreeMap<LinkId, Vec<(usize, usize)>> {
    let mut crossing: BTreeMap<LinkId, Vec<(usize, usize)>> = BTreeMap::new();
    let paths = view.paths.there.iter().enumerate();
    for (flow, path) in paths.filter(|(flow, _)| !view.model.flows[*flow].takes_several()) {
        for (place, link) in path.iter().enumerate() {
            let port = &view.model.links[link.index()];
            let is_limited = port.buffer.capacity != Capacity::Unlimited;
            if is_limited || memories.contains_key(&port.from) {
                crossing.entry(*link).or_default().push((flow, place));
            }
        }
    }
    crossing
}

/// Values drawn once, which shift the phases of flows: rates and delays of links, starts of flows.
struct Drawn {
    links: Vec<bool>,
    flows: Vec<bool>,
}

impl Drawn {
    fn of(view: &View<'_>) -> Drawn {
        let mut drawn = Drawn {
            links: vec![false; view.model.links.len()],
            flows: vec![false; view.model.flows.len()],
        };
        for group in &view.groups {
            let (spec, back) = (&view.wires(group).spec, &view.wires(group).spec.back);
            let (own_rate, own_delay) = match group.direction.back {
                true => (back.rate.as_ref(), back.delay.as_ref()),
                false => (None, None),
            };
            let is_drawn = matches!(own_rate.unwrap_or(&spec.rate), Value::Drawn(_))
                || matches!(own_delay.or(spec.delay.as_ref()), Some(Value::Drawn(_)));
            drawn.links[group.links.clone()].fill(is_drawn);
        }
        for (entry, flows) in view.flows_of_entries() {
            let start = &view.scenario.flows[entry].start;
            drawn.flows[flows].fill(matches!(start, Value::Drawn(_)));
        }
        drawn
    }
}

/// A port, and the flows that cross it.
struct Port<'a> {
    view: &'a View<'a>,
    memories: &'a BTreeMap<NodeId, Bytes>,
    drawn: &'a Drawn,
    port: LinkId,
    flows: &'a [(usize, usize)],
}

impl Port<'_> {
    fn link(&self, id: LinkId) -> &Link {
        &self.view.model.links[id.index()]
    }

    /// True if several inputs meet at a drop-tail buffer, their packets may be lost, and nothing on
    /// the flows' ways is drawn packet by packet.
    fn may_lose_in_step(&self) -> bool {
        let link = self.link(self.port);
        let is_plain = matches!(link.extras.queue, None | Some(PortQueue::DropTail));
        let inputs: BTreeSet<LinkId> = self.inputs().flatten().collect();
        is_plain
            && self.flows.len() <= MOST_FLOWS
            && inputs.len() > 1
            && self.inputs().all(|input| input.is_some())
            && self.flows.iter().all(|(flow, _)| self.is_exact(*flow))
            && self.may_lose()
    }

    /// The link before the port on the path of each flow; none if it begins here.
    fn inputs(&self) -> impl Iterator<Item = Option<LinkId>> + '_ {
        self.flows.iter().map(|(flow, place)| {
            let before = place.checked_sub(1)?;
            Some(self.view.paths.there[*flow][before])
        })
    }

    /// True if the packets of a flow follow from its beginning alone.
    fn is_exact(&self, flow: usize) -> bool {
        let is_plain = |id: &LinkId| {
            let Link { extras, .. } = self.link(*id);
            let is_queue = matches!(extras.queue, None | Some(PortQueue::DropTail));
            let is_wire = !extras.may_lose() && extras.behind() == 0 && extras.pacer.is_none();
            is_queue && is_wire && extras.host_sends.is_none() && extras.opportunities.is_none()
        };
        let is_source = match &self.view.model.flows[flow].traffic {
            Traffic::Cbr { .. } => true,
            Traffic::Tcp(tcp) => matches!(tcp.load, Load::Endless),
            _ => false,
        };
        is_source && self.ways(flow).all(is_plain)
    }

    /// The links that a flow's packets and their answers cross.
    fn ways(&self, flow: usize) -> impl Iterator<Item = &LinkId> {
        let paths = &self.view.paths;
        paths.there[flow].iter().chain(&paths.back[flow])
    }

    /// True if a delay, a rate or a start on the flows' ways is drawn once.
    fn is_drawn(&self) -> bool {
        let is_drawn = |(flow, _): &(usize, usize)| {
            self.drawn.flows[*flow] || self.ways(*flow).any(|id| self.drawn.links[id.index()])
        };
        self.flows.iter().any(is_drawn)
    }

    /// True if the port gets more than it can send and keep: from TCP, or from sources of constant
    /// rate.
    fn may_lose(&self) -> bool {
        if self
            .flows
            .iter()
            .all(|(flow, _)| self.window(*flow).is_some())
        {
            let windows = self.flows.iter().filter_map(|(flow, _)| self.window(*flow));
            return windows.sum::<f64>() > self.room() as f64;
        }
        let rates =
            self.flows
                .iter()
                .map(|(flow, _)| match &self.view.model.flows[*flow].traffic {
                    Traffic::Cbr { rate, .. } => u128::from(rate.as_bps()),
                    _ => u128::MAX / 2 / MOST_FLOWS as u128,
                });
        rates.sum::<u128>() > u128::from(self.link(self.port).rate.as_bps())
    }

    /// The most bytes of a TCP flow in flight, if its packets have a size.
    fn window(&self, flow: usize) -> Option<f64> {
        let tcp = self.view.model.flows[flow].traffic.tcp()?;
        let (size, _) = sizes(&self.view.model.flows[flow].traffic)?;
        let packets = tcp.config.max_cwnd.unwrap_or(f64::INFINITY);
        Some(packets.min(tcp.config.window_cap) * size.get() as f64)
    }

    /// The bytes that the port may keep, a packet being of the first flow's size.
    fn room(&self) -> u64 {
        let link = self.link(self.port);
        let traffic = &self.view.model.flows[self.flows[0].0].traffic;
        let packet = match traffic {
            Traffic::Cbr { size, .. } => size.get(),
            _ => sizes(traffic).map_or(0, |(data, _)| data.get()),
        };
        let own = match link.buffer.capacity {
            Capacity::Packets(packets) => packets.saturating_mul(packet),
            Capacity::Bytes(bytes) => bytes.get(),
            Capacity::Unlimited => u64::MAX,
        };
        let shared = self.memories.get(&link.from);
        own.min(shared.map_or(u64::MAX, |memory| memory.get()))
    }

    /// Inputs with the port's rate: a packet arrives as the one before it leaves.
    fn equal_rates(&self) -> Option<String> {
        let rate = self.link(self.port).rate;
        let mut inputs = self.inputs().flatten();
        if !inputs.all(|input| self.link(input).rate == rate) {
            return None;
        }
        let cause = if !self.is_drawn() {
            "nothing is random"
        } else if self.lasts() {
            "what is drawn is drawn once"
        } else {
            return None;
        };
        Some(format!(
            "all inputs of {} have its rate, {rate}, and {cause}: the order of arrivals chooses the flow that loses, and keeps it",
            self.link(self.port).name
        ))
    }

    /// True if phases that are drawn once last: a round trip is short beside the buffer, so that
    /// windows are the buffer's, and losses leave the order of arrivals as it is.
    fn lasts(&self) -> bool {
        let drain = self
            .link(self.port)
            .rate
            .transmission_time(Bytes(self.room()));
        let longest = drain.map_or(u64::MAX, |drain| drain.as_ps().saturating_mul(LASTING));
        let trips = self.flows.iter().filter_map(|(flow, _)| {
            let (size, answer) = sizes(&self.view.model.flows[*flow].traffic)?;
            Some(self.trip(*flow, size, answer).unwrap_or(u64::MAX))
        });
        // Sources of constant rate have no round trip that could end a phase.
        let shortest = trips.min().unwrap_or(0);
        shortest <= longest
    }

    /// Round trips of TCP that differ by a whole number of packets' times.
    fn equal_phases(&self) -> Option<String> {
        if self.is_drawn() {
            return None;
        }
        let model = self.view.model;
        let mut trips: BTreeMap<u64, &str> = BTreeMap::new();
        let mut packet_ps = None;
        for (flow, _) in self.flows {
            let of = &model.flows[*flow];
            let (size, answer) = sizes(&of.traffic)?;
            let time = self.link(self.port).rate.transmission_time(size)?.as_ps();
            if packet_ps.is_some_and(|before| before != time) {
                return None;
            }
            packet_ps = Some(time);
            let trip = self.trip(*flow, size, answer)?;
            trips.entry(trip).or_insert(&*of.group);
        }
        let packet = packet_ps? as f64;
        let first = *trips.keys().next()? as f64;
        let distance = |trip: &u64| {
            let apart = (*trip as f64 - first).rem_euclid(packet);
            apart.min(packet - apart) / packet
        };
        if trips.len() < 2 || trips.keys().any(|trip| distance(trip) > SAME_PHASE) {
            return None;
        }
        let names: Vec<&str> = trips.values().copied().collect();
        Some(format!(
            "the round trips through {} of {} differ by whole packets' times there, and nothing is random: the order of arrivals chooses the flow that loses",
            self.link(self.port).name,
            listed(&names)
        ))
    }

    /// The round trip of a flow's packet in an empty network, in picoseconds.
    fn trip(&self, flow: usize, size: Bytes, answer: Bytes) -> Option<u64> {
        let time = |id: &LinkId, size| {
            let link = self.link(*id);
            let transmission = link.rate.transmission_time(size)?;
            link.delay.as_ps().checked_add(transmission.as_ps())
        };
        let paths = &self.view.paths;
        let there = paths.there[flow].iter().map(|id| time(id, size));
        let back = paths.back[flow].iter().map(|id| time(id, answer));
        let mut times = there.chain(back);
        times.try_fold(0_u64, |sum, time| sum.checked_add(time?))
    }
}

/// The sizes of a flow's packets and of their answers; none unless it is TCP.
fn sizes(traffic: &Traffic) -> Option<(Bytes, Bytes)> {
    match traffic {
        Traffic::Tcp(tcp) => {
            let data = Bytes(tcp.config.payload.0 + tcp.config.header.0);
            Some((data, tcp.config.ack_wire_size(0)))
        }
        _ => None,
    }
}
