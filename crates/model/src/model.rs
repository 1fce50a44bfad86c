//! The records of nodes, links and flows that a world is built from.

use std::sync::Arc;

pub use crate::arrival::Arrival;
use crate::change::TimedChange;
pub use crate::distribution::{Distribution, Pause, Sizes};
pub use crate::extras::{Extras, LinkExtras};
pub use crate::fec::{Protection, SizeMethod, SizeModel};
pub use crate::loss::{Loss, ScriptedDrop};
pub use crate::middlebox::{Direction, PlacedMiddlebox};
use crate::name::Name;
pub use crate::pacer::PortPacer;
pub use crate::queue::PortQueue;
use crate::self_similar::{FractionalNoise, ParetoOnOff, Sessions};
use crate::source::OwnSource;
pub use crate::transfers::Load;
use crate::video::Video;
use pacesim_tape::Tape;
use pacesim_units::{Bytes, Capacity, FlowId, LinkId, NodeId, Rate, Span, Time};

/// A network with its traffic, and how long to run it.
#[derive(Clone, Debug)]
pub struct Model {
    /// The name in results.
    pub title: String,
    /// The seed of all random streams.
    pub seed: u64,
    /// The number of this independent repetition; it changes every stream.
    pub replication: u64,
    /// How long to simulate.
    pub duration: Span,
    /// How long to run before statistics start.
    pub warmup: Span,
    /// The measure in which paths are shortest.
    pub metric: Metric,
    /// Nodes by [`NodeId`].
    pub nodes: Vec<Node>,
    /// Links by [`LinkId`], each in one direction.
    pub links: Vec<Link>,
    /// Flows by [`FlowId`].
    pub flows: Vec<Flow>,
    /// What stands on the routes of some flows, in the order of a route where a node has
    /// several. Of scenario files only delay boxes come here; the rest is for models in code.
    pub middleboxes: Vec<PlacedMiddlebox>,
    /// Pairs of edges between which packets are protected.
    pub protections: Vec<Protection>,
    /// Changes of links while time goes on.
    pub changes: Vec<TimedChange>,
    /// When all routes are found anew, once the changes of that time have been made. A packet
    /// keeps to the route on which it was sent, and so do flows that no other path is left for.
    pub reroutes: Vec<Time>,
    /// What to record beyond the counters.
    pub output: RunOutput,
    /// How much of it is too much.
    pub budget: Budget,
}

/// How much a run may come to before it gives up, whatever the machine. Generous: a run beyond it
/// never ends, or is of a network that cannot carry its load.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    /// The most packets that may wait at one port, else [`Budget::WAITING`].
    pub waiting: Option<u32>,
    /// The most timers that may run out at one instant, else ten million, and a hundred more for
    /// each flow.
    pub events: Option<u64>,
}

impl Budget {
    /// The most packets that may wait at one port, unless given.
    pub const WAITING: u32 = 10_000_000;
    /// The most timers at one instant, unless given.
    pub(crate) const EVENTS: u64 = 10_000_000;
    /// So many more for each flow.
    pub(crate) const EVENTS_PER_FLOW: u64 = 100;

    /// The most packets that may wait at one port.
    pub fn waiting(&self) -> u32 {
        self.waiting.unwrap_or(Budget::WAITING)
    }

    /// The most timers that may run out at one instant, with so many flows.
    pub fn events(&self, flows: usize) -> u64 {
        let of_flows = Budget::EVENTS_PER_FLOW * flows as u64;
        self.events.unwrap_or(Budget::EVENTS + of_flows)
    }
}

/// A host or router.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// Its name: "left\[3\]", "router".
    pub name: Name,
}

/// One direction of a wire, with the port and queue that feed it.
#[derive(Clone, Debug)]
pub struct Link {
    /// Its name: "core", "access\[17\]", "core.back".
    pub name: Name,
    /// Where its port is.
    pub from: NodeId,
    /// Where it leads.
    pub to: NodeId,
    /// The rate of the line.
    pub rate: Rate,
    /// The propagation delay.
    pub delay: Span,
    /// The length in metres, if given; a routing metric only.
    pub length_m: Option<u64>,
    /// The queue in front of the line.
    pub buffer: Buffer,
    /// What few links have.
    pub extras: Extras,
}

/// How much a queue holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Buffer {
    /// How much it holds.
    pub capacity: Capacity,
    /// Which packets count towards that.
    pub counts: Counts,
}

impl Buffer {
    /// A buffer that takes every packet.
    pub const UNLIMITED: Buffer = Buffer::waiting(Capacity::Unlimited);

    /// A buffer that limits the packets that wait.
    pub const fn waiting(capacity: Capacity) -> Buffer {
        Buffer {
            capacity,
            counts: Counts::Waiting,
        }
    }

    /// A buffer that limits the packets that wait and the one being sent.
    pub const fn system(capacity: Capacity) -> Buffer {
        Buffer {
            capacity,
            counts: Counts::System,
        }
    }
}

/// Which packets count towards a buffer's capacity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Counts {
    /// The packets that wait, without the one being sent. A packet is taken if the
    /// waiting plus its own size is within the capacity, also at an idle port (so
    /// a capacity of zero takes nothing).
    #[default]
    Waiting,
    /// The packets that wait and the one being sent: K places in the queueing books'
    /// sense.
    System,
}

/// What a shortest path is shortest in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Metric {
    /// The number of links.
    #[default]
    Hops,
    /// The sum of propagation delays.
    Delay,
    /// The sum of lengths.
    Length,
}

/// Traffic from one node to another.
#[derive(Clone, Debug)]
pub struct Flow {
    /// The name of the group it belongs to.
    pub group: Arc<str>,
    /// Its place in the group, from zero.
    pub index: u32,
    /// Where it starts.
    pub from: NodeId,
    /// Where it ends.
    pub to: NodeId,
    /// When its source starts.
    pub start: Time,
    /// When its source stops, if before the end.
    pub stop: Option<Time>,
    /// Its delay class, for pacers that have several.
    pub class: u16,
    /// The traffic it sends.
    pub traffic: Traffic,
}

/// What a source sends.
#[derive(Clone, Debug)]
pub enum Traffic {
    /// Constant bit rate: equal packets at equal gaps, the first at the start.
    Cbr {
        /// The rate.
        rate: Rate,
        /// The size of each packet.
        size: Bytes,
    },
    /// Poisson arrivals; the first after one exponential gap.
    Poisson {
        /// The mean rate in bits per second.
        rate: Rate,
        /// The size of the packets.
        size: Sizes,
    },
    /// Poisson arrivals of several packets at one instant; the first after one exponential
    /// gap.
    Bulks {
        /// The mean rate of all packets in bits per second.
        rate: Rate,
        /// The size of the packets.
        size: Sizes,
        /// The packets of a bulk.
        count: u32,
    },
    /// Markov ON-OFF: exponential phases, constant rate while ON. Packets leave each
    /// time the ON time passes a multiple of one packet's time, so no traffic is
    /// lost or gained at the phases' ends.
    OnOff {
        /// The rate while ON.
        peak: Rate,
        /// The size of each packet.
        size: Bytes,
        /// The mean length of an ON phase.
        mean_on: Span,
        /// The mean length of an OFF phase.
        mean_off: Span,
        /// The phase it starts in.
        phase: Phase,
    },
    /// Fractional Gaussian noise.
    FractionalNoise(FractionalNoise),
    /// Sessions that come as a Poisson process and last Pareto times: M/G/∞.
    Sessions(Sessions),
    /// ON-OFF sources with Pareto phases, together.
    ParetoOnOff(ParetoOnOff),
    /// Arrivals recorded elsewhere, times from the flow's start.
    Recorded(Tape<Arrival>),
    /// A video, frame by frame.
    Video(Video),
    /// TCP, with a receiver at the other end that answers.
    Tcp(Tcp),
    /// A source of your own.
    Own(OwnSource),
}

impl Traffic {
    /// What it does, to end a sentence that names a flow.
    pub fn what_it_does(&self) -> &'static str {
        match self {
            Traffic::Cbr { .. } => "sends at a constant rate",
            Traffic::Poisson { .. } => "sends at random, without memory",
            Traffic::Bulks { .. } => "sends several packets at once, at random",
            Traffic::OnOff { .. } => "sends on and off",
            Traffic::FractionalNoise(_) => "is fractional Gaussian noise",
            Traffic::Sessions(_) => "is of sessions that come and go",
            Traffic::ParetoOnOff(_) => "is of Pareto ON-OFF sources",
            Traffic::Recorded(_) => "is recorded",
            Traffic::Video(_) => "is a video",
            Traffic::Tcp(_) => "is TCP, which answers to loss",
            Traffic::Own(_) => "has a source of its own",
        }
    }

    /// True if its packets may be marked for congestion.
    pub fn understands_marks(&self) -> bool {
        matches!(self, Traffic::Tcp(tcp) if tcp.config.linux.ecn)
    }

    /// Its mean rate in bits per second while it is there, if it has one of its own.
    pub fn mean_bps(&self) -> Option<f64> {
        let bps = |rate: &Rate| rate.as_bps() as f64;
        let on_off = |on: &Span, off: &Span| {
            let (on, off) = (on.as_secs_f64(), off.as_secs_f64());
            on / (on + off)
        };
        match self {
            Traffic::Cbr { rate, .. }
            | Traffic::Poisson { rate, .. }
            | Traffic::Bulks { rate, .. } => Some(bps(rate)),
            Traffic::FractionalNoise(noise) => Some(bps(&noise.rate)),
            Traffic::Sessions(sessions) => Some(bps(&sessions.rate)),
            Traffic::OnOff {
                peak,
                mean_on,
                mean_off,
                ..
            } => Some(bps(peak) * on_off(mean_on, mean_off)),
            Traffic::ParetoOnOff(all) => {
                let one = bps(&all.peak) * on_off(&all.mean_on, &all.mean_off);
                Some(f64::from(all.sources) * one)
            }
            Traffic::Recorded(arrivals) => {
                let bytes: u64 = arrivals.iter().map(|arrival| arrival.size.get()).sum();
                let seconds = arrivals.last()?.at.as_secs_f64();
                (seconds > 0.0).then_some(bytes as f64 * 8.0 / seconds)
            }
            Traffic::Video(video) => Some(video.mean_bps()),
            Traffic::Tcp(_) | Traffic::Own(_) => None,
        }
    }
}

/// A TCP connection and what it has to send.
#[derive(Clone, Debug, PartialEq)]
pub struct Tcp {
    /// Its variant, windows, timers and sizes; shared by flows that are alike.
    pub config: Arc<pacesim_tcp::Config>,
    /// What the application sends.
    pub load: Load,
    /// Where the sender's coarse clock stands at time zero; drawn if not given.
    pub clock_phase: Option<Span>,
}

/// The phase in which an ON-OFF source starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Phase {
    /// Drawn from the stationary distribution.
    #[default]
    Random,
    /// In an ON phase.
    On,
    /// In an OFF phase.
    Off,
}

/// What to record beyond the counters that are always kept.
#[derive(Clone, Debug, Default)]
pub struct RunOutput {
    /// Every packet at some ports.
    pub packets: Option<PacketFilter>,
    /// Links, flows and groups of flows at regular times.
    pub series: Option<SeriesFilter>,
    /// What the senders of these TCP flows do; of all, if the list is empty.
    pub tcp: Option<Vec<FlowId>>,
}

/// Which packets to record; empty lists mean all.
#[derive(Clone, Debug, Default)]
pub struct PacketFilter {
    /// The links at whose ports packets are recorded.
    pub links: Vec<LinkId>,
    /// The flows whose packets are recorded.
    pub flows: Vec<FlowId>,
    /// The earliest arrival that is recorded.
    pub from: Time,
    /// Arrivals from this time on are not recorded; without it, all to the end are.
    pub to: Option<Time>,
}

/// What to sample, and how often.
#[derive(Clone, Debug)]
pub struct SeriesFilter {
    /// The links that are sampled.
    pub links: Vec<LinkId>,
    /// The flows that are sampled, each by itself.
    pub flows: Vec<FlowId>,
    /// The groups that are sampled, by any of their flows.
    pub groups: Vec<FlowId>,
    /// The sampling interval.
    pub interval: Span,
    /// Whether values are kept that are those of the sample before.
    pub with_unchanged: bool,
}

/// A packet's size as the engine counts it.
///
/// # Panics
///
/// If it does not fit 32 bits, which a scenario's check rules out.
pub fn wire_size(size: Bytes) -> u32 {
    u32::try_from(size.get()).expect("a checked packet size fits 32 bits")
}
