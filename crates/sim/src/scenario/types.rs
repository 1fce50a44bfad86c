//! The scenario as data: what a file says, or what code builds.

use std::sync::Arc;

use pacesim_units::{Bytes, Capacity, Rate, Span};

use super::pacer::PacerSpec;
use super::values::{Length, Pairing, Reference, Value};
use crate::model::{Loss, Metric, Phase, Sizes, Tcp};
use crate::recording::{Recording, Smooth};

/// A network and its traffic, in groups and distributions.
///
/// Read from TOML by [`crate::scenario::load`], or built in code:
///
/// ```
/// use pacesim::scenario::{LinkGroup, FlowGroup, LinkSpec, NodeGroup, Scenario, Traffic};
/// use pacesim_units::{Bytes, Capacity, Rate, Span};
///
/// let mut scenario = Scenario::new(Span::from_secs(10));
/// scenario.nodes.push(NodeGroup::many("left", 3));
/// scenario.nodes.push(NodeGroup::one("router"));
/// scenario.nodes.push(NodeGroup::one("sink"));
/// let access = LinkSpec::new(Rate::from_mbps(100)).delay(Span::from_ms(1));
/// let core = LinkSpec::new(Rate::from_mbps(10)).delay(Span::from_ms(20))
///     .buffer(Capacity::Packets(20));
/// scenario.links.push(LinkGroup::new("access", "left", "router", access));
/// scenario.links.push(LinkGroup::new("core", "router", "sink", core));
/// let cbr = Traffic::Cbr { rate: Rate::from_mbps(2).into(), size: Bytes(1000) };
/// scenario.flows.push(FlowGroup::new("f", "left", "sink", cbr));
///
/// let model = scenario.check()?.expand(1, 0);
/// assert_eq!((model.nodes.len(), model.links.len(), model.flows.len()), (5, 8, 3));
/// # Ok::<(), pacesim::scenario::Problems>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Scenario {
    /// What it is called in results.
    pub title: String,
    /// How long to run, and how.
    pub run: Run,
    /// A network of a known shape.
    pub topology: Option<Topology>,
    /// More nodes.
    pub nodes: Vec<NodeGroup>,
    /// More links.
    pub links: Vec<LinkGroup>,
    /// The traffic.
    pub flows: Vec<FlowGroup>,
    /// What to record beyond the counters.
    pub output: Output,
}

/// How long to run, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// How long to simulate.
    pub duration: Span,
    /// How long to run before statistics start.
    pub warmup: Span,
    /// The seed of all random streams.
    pub seed: u64,
    /// What a path is shortest in.
    pub routing: Metric,
}

/// A network of a known shape. Names of its nodes and links: `docs/scenario.md`.
#[derive(Clone, Debug, PartialEq)]
pub enum Topology {
    /// Pairs of nodes on both sides of one link.
    Dumbbell {
        /// How many.
        pairs: u32,
        /// From the left nodes to L.
        access: LinkSpec,
        /// From L to R.
        bottleneck: LinkSpec,
        /// From R to the right nodes; as `access` if none.
        exit: Option<LinkSpec>,
    },
    /// A chain.
    Tandem {
        /// How many links.
        hops: u32,
        /// These links.
        link: LinkSpec,
    },
    /// A chain with one long path and a short one across each hop.
    ParkingLot {
        /// How many links.
        hops: u32,
        /// These links.
        link: LinkSpec,
        /// All other links.
        access: LinkSpec,
    },
    /// Leaves around a hub.
    Star {
        /// How many.
        leaves: u32,
        /// From the leaves to the hub.
        link: LinkSpec,
    },
    /// Hosts behind edge routers behind one core link.
    AccessTree {
        /// On each side.
        hosts: u32,
        /// On each side.
        edges: u32,
        /// Between hosts and edge routers.
        access: LinkSpec,
        /// Between edge routers and the core.
        edge: LinkSpec,
        /// The link between both sides.
        core: LinkSpec,
    },
    /// Routers and links from a list, with hosts.
    Mesh {
        /// Which list.
        list: EdgeList,
        /// The links between routers.
        link: LinkSpec,
        /// Hosts at each router.
        hosts: u32,
        /// Between hosts and routers.
        access: Option<LinkSpec>,
    },
}

/// Routers, and the links between them with their lengths.
#[derive(Clone, Debug, PartialEq)]
pub struct EdgeList {
    /// Where it is from.
    pub source: ListSource,
    /// The links.
    pub edges: Arc<[ListedEdge]>,
}

/// Where an edge list is from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ListSource {
    /// It ships with pacesim: the shape ("nsfnet") and the list ("21_links").
    Shipped(&'static str, &'static str),
    /// A file, as named in the scenario.
    File(String),
}

/// A link between two routers of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListedEdge {
    /// A router, from 0.
    pub a: u32,
    /// Another.
    pub b: u32,
    /// How long it is.
    pub length: Length,
    /// Its propagation delay.
    pub delay: Span,
}

/// One node, or a group of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeGroup {
    /// Its name.
    pub name: String,
    /// How many; `None` for a node of that very name.
    pub count: Option<u32>,
}

/// One link, or a group of them.
#[derive(Clone, Debug, PartialEq)]
pub struct LinkGroup {
    /// Its name.
    pub name: String,
    /// Where the ports are.
    pub from: Reference,
    /// Where they lead.
    pub to: Reference,
    /// Which leads where.
    pub pair: Pairing,
    /// Whether there are links back.
    pub duplex: bool,
    /// What they are like.
    pub spec: LinkSpec,
}

/// What links are like.
#[derive(Clone, Debug, PartialEq)]
pub struct LinkSpec {
    /// The rate of the line.
    pub rate: Value<Rate>,
    /// The propagation delay; none is zero, or that of a list.
    pub delay: Option<Value<Span>>,
    /// The length, for routing by length.
    pub length: Option<Length>,
    /// The queue in front of the line.
    pub queue: Queue,
    /// What paces packets before they join the queue.
    pub pacer: Option<PacerSpec>,
    /// Random loss on the wire.
    pub loss: Option<Loss>,
    /// Packets that are dropped on arrival.
    pub drops: Vec<Drop>,
    /// What is different on the way back.
    pub back: Back,
}

/// A drop-tail queue, as a scenario says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Queue {
    /// What it holds.
    pub buffer: Capacity,
    /// What counts towards that.
    pub counts: BufferCounts,
}

/// What counts towards a buffer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BufferCounts {
    /// Packets that wait, not the one being sent.
    #[default]
    Waiting,
    /// Packets that wait and the one being sent.
    System,
    /// As ns-2's `limit_`: one less than written, waiting.
    Ns2Limit,
}

/// What is different on the way back; `None` is the same as on the way there, but
/// for pacer, loss and drops, which never carry over.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Back {
    /// The rate.
    pub rate: Option<Value<Rate>>,
    /// The propagation delay.
    pub delay: Option<Value<Span>>,
    /// What its queue holds.
    pub buffer: Option<Capacity>,
    /// What counts towards that.
    pub counts: Option<BufferCounts>,
    /// What paces packets.
    pub pacer: Option<PacerSpec>,
    /// Random loss.
    pub loss: Option<Loss>,
    /// Packets that are dropped on arrival.
    pub drops: Vec<Drop>,
}

/// A packet to drop on arrival; for each link of the group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Drop {
    /// The k-th of all packets, from one.
    Packet(u64),
    /// The k-th arrival of a data packet of these flows.
    Sequence {
        /// The flows.
        flow: Reference,
        /// The sequence number.
        seq: u32,
        /// Which arrival, from one.
        k: u32,
    },
    /// The k-th arrival of an acknowledgement of these flows.
    Ack {
        /// The flows.
        flow: Reference,
        /// The number acknowledged.
        ack: u32,
        /// Which arrival, from one.
        k: u32,
    },
}

/// One flow, or a group of them.
#[derive(Clone, Debug, PartialEq)]
pub struct FlowGroup {
    /// Its name.
    pub name: String,
    /// How many; `None` for one for each node of the larger side.
    pub count: Option<u32>,
    /// Where they start.
    pub from: Reference,
    /// Where they end.
    pub to: Reference,
    /// Which leads where.
    pub pair: Pairing,
    /// When the sources start.
    pub start: Value<Span>,
    /// When the sources stop, if before the end.
    pub stop: Option<Span>,
    /// Their delay class, for pacers that have several.
    pub class: u16,
    /// What they send.
    pub traffic: Traffic,
}

/// What sources send.
#[derive(Clone, Debug, PartialEq)]
pub enum Traffic {
    /// Constant bit rate.
    Cbr {
        /// The rate.
        rate: Value<Rate>,
        /// The size of each packet.
        size: Bytes,
    },
    /// Poisson arrivals.
    Poisson {
        /// The mean rate.
        rate: Value<Rate>,
        /// The size of the packets.
        size: Sizes,
    },
    /// Markov ON-OFF.
    OnOff {
        /// The rate while ON.
        peak: Value<Rate>,
        /// The size of each packet.
        size: Bytes,
        /// The mean length of an ON phase.
        mean_on: Value<Span>,
        /// The mean length of an OFF phase.
        mean_off: Value<Span>,
        /// How it starts.
        phase: Phase,
    },
    /// Arrivals recorded elsewhere.
    Recorded {
        /// The file, as named in the scenario.
        file: String,
        /// What is in it.
        recording: Recording,
        /// Whether it is sent as the off-line optimum would send it, with these
        /// deadlines, and not as it came.
        smooth: Option<Smooth>,
    },
    /// TCP.
    Tcp {
        /// What each connection is told.
        tcp: Tcp,
        /// Those of the group that differ.
        others: Option<Others>,
    },
}

/// Some flows of a group that differ from the rest.
#[derive(Clone, Debug, PartialEq)]
pub struct Others {
    /// Which part of the group, 0 to 1, taken as the nearest whole number of flows.
    pub share: f64,
    /// What each of them is told.
    pub tcp: Tcp,
}

impl Others {
    /// Which of so many members of a group they are.
    pub fn chosen(&self, count: usize) -> Vec<bool> {
        chosen_evenly(self.share, count)
    }
}

/// The share of a group that the multiples of the golden ratio put lowest on a circle,
/// which is even and follows no rhythm that a network may have.
pub(crate) fn chosen_evenly(share: f64, count: usize) -> Vec<bool> {
    const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;
    let place = |i: &usize| (*i as u64).wrapping_mul(GOLDEN);
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_unstable_by_key(place);
    let wanted = (share * count as f64 + 0.5) as usize;
    let mut chosen = vec![false; count];
    for i in order.into_iter().take(wanted) {
        chosen[i] = true;
    }
    chosen
}

/// What to record beyond the counters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Output {
    /// Every packet at some ports.
    pub packets: Option<PacketOutput>,
    /// Volume and queue at regular times.
    pub series: Option<SeriesOutput>,
    /// What TCP senders do.
    pub tcp: Option<TcpOutput>,
}

/// Which packets to record; empty lists mean all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PacketOutput {
    /// At these links.
    pub links: Vec<Reference>,
    /// Of these flows.
    pub flows: Vec<Reference>,
    /// Arriving at or after.
    pub from: Span,
    /// Arriving before, if not to the end.
    pub to: Option<Span>,
}

/// Which TCP senders to record.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TcpOutput {
    /// Of these flows; an empty list means all that are TCP.
    pub flows: Vec<Reference>,
}

/// Which ports to sample; an empty list means all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeriesOutput {
    /// The time between two samples.
    pub interval: Span,
    /// These links.
    pub links: Vec<Reference>,
}

impl Scenario {
    /// An empty network, run for so long with seed 1.
    pub fn new(duration: Span) -> Scenario {
        Scenario {
            title: String::new(),
            run: Run {
                duration,
                warmup: Span::ZERO,
                seed: 1,
                routing: Metric::Hops,
            },
            topology: None,
            nodes: Vec::new(),
            links: Vec::new(),
            flows: Vec::new(),
            output: Output::default(),
        }
    }
}

impl Scenario {
    /// The names of the files it has been read from, as often as they are named.
    pub fn file_names_mut(&mut self) -> impl Iterator<Item = &mut String> {
        let edges = match &mut self.topology {
            Some(Topology::Mesh {
                list:
                    EdgeList {
                        source: ListSource::File(file),
                        ..
                    },
                ..
            }) => Some(file),
            _ => None,
        };
        let recorded = self
            .flows
            .iter_mut()
            .filter_map(|flow| match &mut flow.traffic {
                Traffic::Recorded { file, .. } => Some(file),
                _ => None,
            });
        edges.into_iter().chain(recorded)
    }
}

impl NodeGroup {
    /// A node of this name.
    pub fn one(name: &str) -> NodeGroup {
        NodeGroup {
            name: name.to_owned(),
            count: None,
        }
    }

    /// Nodes name\[0\], name\[1\]...
    pub fn many(name: &str, count: u32) -> NodeGroup {
        NodeGroup {
            name: name.to_owned(),
            count: Some(count),
        }
    }
}

impl LinkGroup {
    /// A link there and back between two nodes, or for each pair of two groups.
    pub fn new(
        name: &str,
        from: impl Into<Reference>,
        to: impl Into<Reference>,
        spec: LinkSpec,
    ) -> LinkGroup {
        LinkGroup {
            name: name.to_owned(),
            from: from.into(),
            to: to.into(),
            pair: Pairing::Cyclic,
            duplex: true,
            spec,
        }
    }
}

impl FlowGroup {
    /// A flow from one node to another, or for each pair of two groups, from the
    /// start to the end.
    pub fn new(
        name: &str,
        from: impl Into<Reference>,
        to: impl Into<Reference>,
        traffic: Traffic,
    ) -> FlowGroup {
        FlowGroup {
            name: name.to_owned(),
            count: None,
            from: from.into(),
            to: to.into(),
            pair: Pairing::Cyclic,
            start: Span::ZERO.into(),
            stop: None,
            class: 0,
            traffic,
        }
    }
}

impl LinkSpec {
    /// No delay, no loss, an unlimited buffer.
    pub fn new(rate: impl Into<Value<Rate>>) -> LinkSpec {
        LinkSpec {
            rate: rate.into(),
            delay: None,
            length: None,
            queue: Queue {
                buffer: Capacity::Unlimited,
                counts: BufferCounts::Waiting,
            },
            pacer: None,
            loss: None,
            drops: Vec::new(),
            back: Back::default(),
        }
    }

    /// With this propagation delay.
    pub fn delay(mut self, delay: impl Into<Value<Span>>) -> LinkSpec {
        self.delay = Some(delay.into());
        self
    }

    /// With this pacer before its queue.
    pub fn pacer(mut self, pacer: impl Into<PacerSpec>) -> LinkSpec {
        self.pacer = Some(pacer.into());
        self
    }

    /// With this buffer, for the packets that wait.
    pub fn buffer(mut self, buffer: Capacity) -> LinkSpec {
        self.queue.buffer = buffer;
        self
    }
}
