//! Records of nodes, links and flows from which a world is built.

use std::sync::Arc;

pub use crate::arrival::Arrival;
use crate::change::TimedChange;
pub use crate::distribution::{Distribution, Pause, Sizes};
use crate::division::Division;
pub use crate::extras::{Extras, LinkExtras};
pub use crate::fec::{Protection, SizeMethod, SizeModel};
pub use crate::loss::{Loss, OwnLoss, PeriodicLoss, ScriptedDrop};
pub use crate::middlebox::{Direction, PlacedMiddlebox};
use crate::multipath::{PathRule, Salts};
use crate::name::Name;
pub use crate::pacer::PortPacer;
use crate::path_choice::OwnPathChoice;
pub use crate::queue::PortQueue;
use crate::self_similar::{FractionalNoise, ParetoOnOff, Sessions};
use crate::source::OwnSource;
pub use crate::switch::{OwnSwitch, PlacedSwitch};
use crate::tasks::Barrier;
use crate::transfers::Carrier;
pub use crate::transfers::Load;
use crate::transport::OwnTransport;
use crate::video::Video;
use pacesim_tape::Tape;
use pacesim_units::port::Ecn;
use pacesim_units::{Bytes, Capacity, FlowId, LinkId, NodeId, Rate, Span, Time};

/// A network with its traffic, and the length of its run.
#[derive(Clone, Debug)]
pub struct Model {
    /// Name of the model in results.
    pub title: String,
    /// Seed of all random streams.
    pub seed: u64,
    /// Number of the replication; it changes every random stream.
    pub replication: u64,
    /// Simulated time of the whole run.
    pub duration: Span,
    /// Length of the warm-up, after which statistics start.
    pub warmup: Span,
    /// Metric by which paths are the shortest.
    pub metric: Metric,
    /// Salts of the switches at which flows choose among paths of equal cost.
    pub salts: Salts,
    /// Choice among paths of equal cost for flows with [`PathRule::Own`].
    pub path_choice: Option<OwnPathChoice>,
    /// All nodes, indexed by [`NodeId`].
    pub nodes: Vec<Node>,
    /// All links, each unidirectional, indexed by [`LinkId`].
    pub links: Vec<Link>,
    /// All flows, indexed by [`FlowId`].
    pub flows: Vec<Flow>,
    /// Middleboxes, in the order of a route where a node has several. Scenario files put only delay
    /// boxes here; others are from models in code.
    pub middleboxes: Vec<PlacedMiddlebox>,
    /// Switches, at most one for each node.
    pub switches: Vec<PlacedSwitch>,
    /// Pairs of edges between which packets are protected.
    pub protections: Vec<Protection>,
    /// Changes of links during the run.
    pub changes: Vec<TimedChange>,
    /// Times at which all routes are recomputed, after the changes of that time. A packet keeps the
    /// route on which it was sent, and so does a flow without another path.
    pub reroutes: Vec<Time>,
    /// Barriers before which tasks of flows do not begin.
    pub barriers: Vec<Barrier>,
    /// Data to record beyond the counters.
    pub output: RunOutput,
    /// Limits beyond which the run gives up.
    pub budget: Budget,
    /// The order of packets that arrive at a port at the same picosecond.
    pub ties: Ties,
    /// The division of the run among threads, as far as it is given.
    pub division: Division,
}

/// The order of packets that arrive over different links at the same picosecond, if their
/// transmissions began together too; likewise of sources that send together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ties {
    /// By the numbers of links and flows, as in ns-2: the same wins every tie.
    #[default]
    ByNumber,
    /// Drawn for each instant, by a hash of the seed, the replication, the time and the number.
    Drawn,
}

/// Limits beyond which a run gives up, independent of the machine. They are generous: a run beyond
/// them never ends, or its network cannot carry its load.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    /// The most packets that may wait at one port; by default [`Budget::WAITING`].
    pub waiting: Option<u32>,
    /// The most timers that may expire at one instant; by default ten million, and a hundred more
    /// for each flow.
    pub events: Option<u64>,
}

impl Budget {
    /// Default for the most packets that may wait at one port.
    pub const WAITING: u32 = 10_000_000;
    /// Default for the most timers at one instant.
    pub(crate) const EVENTS: u64 = 10_000_000;
    /// Number added to that default for each flow.
    pub(crate) const EVENTS_PER_FLOW: u64 = 100;

    /// The most packets that may wait at one port.
    pub fn waiting(&self) -> u32 {
        self.waiting.unwrap_or(Budget::WAITING)
    }

    /// The most timers that may expire at one instant, with this many flows.
    pub fn events(&self, flows: usize) -> u64 {
        let of_flows = Budget::EVENTS_PER_FLOW * flows as u64;
        self.events.unwrap_or(Budget::EVENTS + of_flows)
    }
}

/// A host or router.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// Name of the node: "left\[3\]", "router".
    pub name: Name,
}

/// One direction of a wire, with the port and queue that feed it.
#[derive(Clone, Debug)]
pub struct Link {
    /// Name of the link: "core", "access\[17\]", "core.back".
    pub name: Name,
    /// Node of the link's port.
    pub from: NodeId,
    /// Node at the link's far end.
    pub to: NodeId,
    /// Rate of the line.
    pub rate: Rate,
    /// Propagation delay of the wire.
    pub delay: Span,
    /// Length of the wire in metres, if given; used as a routing metric only.
    pub length_m: Option<u64>,
    /// Queue in front of the line.
    pub buffer: Buffer,
    /// Features that few links have.
    pub extras: Extras,
}

/// Size of a queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Buffer {
    /// Capacity of the queue.
    pub capacity: Capacity,
    /// Packets that count towards the capacity.
    pub counts: Counts,
}

impl Buffer {
    /// A buffer that takes every packet.
    pub const UNLIMITED: Buffer = Buffer::waiting(Capacity::Unlimited);

    /// A buffer that limits the waiting packets.
    pub const fn waiting(capacity: Capacity) -> Buffer {
        Buffer {
            capacity,
            counts: Counts::Waiting,
        }
    }

    /// A buffer that limits the waiting packets and the one in transmission.
    pub const fn system(capacity: Capacity) -> Buffer {
        Buffer {
            capacity,
            counts: Counts::System,
        }
    }
}

/// The packets that count towards a buffer's capacity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Counts {
    /// Waiting packets, excluding the one in transmission. A packet is taken if the waiting packets
    /// with it are within the capacity, also at an idle port (so a capacity of zero takes nothing).
    #[default]
    Waiting,
    /// Waiting packets and the one in transmission: K places in the sense of queueing theory.
    System,
}

/// The metric by which paths are the shortest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Metric {
    /// The number of links on the path.
    #[default]
    Hops,
    /// The sum of the links' propagation delays.
    Delay,
    /// The sum of the links' lengths.
    Length,
}

/// Traffic from one node to another.
#[derive(Clone, Debug)]
pub struct Flow {
    /// Name of the flow's group.
    pub group: Arc<str>,
    /// Index of the flow in its group, from zero.
    pub index: u32,
    /// Source node.
    pub from: NodeId,
    /// Destination node.
    pub to: NodeId,
    /// Time at which the source starts.
    pub start: Time,
    /// Time at which the source stops, if before the end of the run.
    pub stop: Option<Time>,
    /// Class of the flow, for pacers and queue disciplines with several classes.
    pub class: u16,
    /// ECN field of its data packets, for TCP of those that may be marked; by default TCP's own, or
    /// none.
    pub ecn: Option<Ecn>,
    /// The choice of its packets among several paths of equal cost.
    pub path: PathRule,
    /// Traffic that the source sends.
    pub traffic: Traffic,
}

impl Flow {
    /// True if the port of its host asks for its packets when it is ready.
    pub fn is_pulled(&self) -> bool {
        self.traffic
            .transport()
            .is_some_and(OwnTransport::is_pulled)
    }

    /// The sender and receiver of a flow of TCP itself, not of a transport in its place.
    pub fn tcp_config(&self) -> Option<Arc<pacesim_tcp::Config>> {
        let tcp = self.traffic.tcp()?;
        Some(Arc::clone(&tcp.config))
    }

    /// True for TCP that has data until it is stopped: its loop is closed, and it starts slowly.
    pub fn is_endless_loop(&self) -> bool {
        let Traffic::Tcp(tcp) = &self.traffic else {
            return false;
        };
        match &tcp.load {
            Load::Endless | Load::Scheduled(_) => true,
            Load::Transfers(transfers) => transfers.count.is_none(),
            Load::Once(_) | Load::Exchange(_) | Load::Tasks(_) | Load::Messages(_) => false,
        }
    }

    /// True if the model's own choice of paths serves it.
    pub fn has_own_choice(&self) -> bool {
        self.path == PathRule::Own
    }

    /// The number of next links that switches draw for each of its packets, if they choose among
    /// these by their load.
    pub fn draws_of_switches(&self) -> Option<u32> {
        match self.path {
            PathRule::LeastLoaded(draws) => Some(draws),
            _ => None,
        }
    }

    /// True if its packets may take several paths of equal cost.
    pub fn takes_several(&self) -> bool {
        match self.path {
            PathRule::Hashed(_) => match &self.traffic {
                Traffic::Tcp(tcp) => tcp.load.carrier() == Carrier::New,
                _ => false,
            },
            rule => rule.divides_connections(),
        }
    }

    /// The links of its first path that all its packets cross: if it takes several, those of its
    /// ends at least.
    pub fn surely_passed<'a>(&self, path: &'a [LinkId]) -> impl Iterator<Item = LinkId> + 'a {
        let (last, is_one) = (path.len().saturating_sub(1), !self.takes_several());
        let links = path.iter().enumerate();
        let sure = links.filter(move |(i, _)| is_one || *i == 0 || *i == last);
        sure.map(|(_, link)| *link)
    }

    /// True if it starts between the end of the warm-up and that of the run, by more than a
    /// hundredth of the time between.
    pub fn is_late(&self, model: &Model) -> bool {
        let end = Time::ZERO + model.duration;
        let measured = (model.duration - model.warmup).as_ps();
        let warmup = Time::ZERO + model.warmup + Span::from_ps(measured / 100);
        // Without any warm-up the starts of closed loops are a matter of course.
        let is_told = model.warmup.is_zero() && self.is_endless_loop();
        !is_told && self.start > warmup && self.start < end
    }
    /// The ECN field of its data packets that may be marked; not-ECT if none may be.
    pub fn ecn_field(&self) -> Ecn {
        match &self.traffic {
            Traffic::Tcp(tcp) if !tcp.config.linux.ecn => Ecn::NotEct,
            Traffic::Tcp(tcp) => self.ecn.unwrap_or(match tcp.config.control {
                pacesim_tcp::Control::Prague => Ecn::Ect1,
                _ => Ecn::Ect0,
            }),
            _ => self.ecn.unwrap_or_default(),
        }
    }
}

/// The traffic that a source sends.
#[derive(Clone, Debug)]
pub enum Traffic {
    /// Constant bit rate: equal packets at equal gaps, the first at the start.
    Cbr {
        /// Constant rate in bits per second.
        rate: Rate,
        /// Size of each packet.
        size: Bytes,
    },
    /// Poisson arrivals; the first after one exponential gap.
    Poisson {
        /// Mean rate in bits per second.
        rate: Rate,
        /// Sizes of the packets.
        size: Sizes,
    },
    /// Poisson arrivals of several packets at one instant; the first after one exponential gap.
    Bulks {
        /// Mean rate of all packets in bits per second.
        rate: Rate,
        /// Sizes of the packets.
        size: Sizes,
        /// Number of packets in a bulk.
        count: u32,
    },
    /// Markov ON-OFF: exponential phases, constant rate while ON. Packets leave each time the ON
    /// time passes a multiple of one packet's time, so no traffic is lost or gained at the phases'
    /// ends.
    OnOff {
        /// Rate while ON.
        peak: Rate,
        /// Size of each packet.
        size: Bytes,
        /// Mean length of an ON phase.
        mean_on: Span,
        /// Mean length of an OFF phase.
        mean_off: Span,
        /// Phase in which the source starts.
        phase: Phase,
    },
    /// Fractional Gaussian noise.
    FractionalNoise(FractionalNoise),
    /// Poisson sessions of Pareto length: M/G/∞.
    Sessions(Sessions),
    /// A superposition of ON-OFF sources with Pareto phases.
    ParetoOnOff(ParetoOnOff),
    /// Arrivals recorded elsewhere, with times from the flow's start.
    Recorded(Tape<Arrival>),
    /// A video, frame by frame.
    Video(Video),
    /// TCP, or a transport in its place, with a receiver at the other end that answers.
    Tcp(Tcp),
    /// A user's own source.
    Own(OwnSource),
    /// Packets from outside, given to the running world one by one.
    Outer,
}

impl Traffic {
    /// TCP itself; none for a transport in its place, and for sources.
    #[inline]
    pub fn tcp(&self) -> Option<&Tcp> {
        match self {
            Traffic::Tcp(tcp) if tcp.transport.is_none() => Some(tcp),
            _ => None,
        }
    }

    /// The transport in TCP's place, if there is one.
    pub fn transport(&self) -> Option<&OwnTransport> {
        match self {
            Traffic::Tcp(tcp) => tcp.transport.as_ref(),
            _ => None,
        }
    }

    /// True if its receiver answers, whatever the transport: its sender hears of losses and delays.
    #[inline]
    pub fn is_closed_loop(&self) -> bool {
        matches!(self, Traffic::Tcp(_))
    }

    /// The activity of the flow, as the end of a sentence that names it.
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
            Traffic::Tcp(tcp) if tcp.transport.is_some() => "has a transport other than TCP",
            Traffic::Tcp(_) => "is TCP, which answers to loss",
            Traffic::Own(_) => "has a source of its own",
            Traffic::Outer => "comes from outside",
        }
    }

    /// The mean rate over the rate that the source is given, which is a peak if it sends in phases;
    /// none for TCP.
    pub fn active_share(&self) -> Option<f64> {
        let on_off = |on: &Span, off: &Span| {
            let (on, off) = (on.as_secs_f64(), off.as_secs_f64());
            on / (on + off)
        };
        match self {
            Traffic::OnOff {
                mean_on, mean_off, ..
            } => Some(on_off(mean_on, mean_off)),
            Traffic::ParetoOnOff(of) => {
                Some(f64::from(of.sources) * on_off(&of.mean_on, &of.mean_off))
            }
            Traffic::Tcp(_) => None,
            _ => Some(1.0),
        }
    }

    /// The bytes of recorded arrivals; zero for other sources.
    pub fn recorded_bytes(&self) -> f64 {
        match self {
            Traffic::Recorded(arrivals) => {
                arrivals.iter().map(|arrival| arrival.size.0 as f64).sum()
            }
            _ => 0.0,
        }
    }

    /// Mean rate in bits per second while the source is active, if it has a fixed one.
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
            Traffic::Tcp(_) | Traffic::Own(_) | Traffic::Outer => None,
        }
    }
}

/// A TCP connection and its data.
#[derive(Clone, Debug, PartialEq)]
pub struct Tcp {
    /// Variant, windows, timers and sizes; shared by equal flows.
    pub config: Arc<pacesim_tcp::Config>,
    /// Data that the application sends.
    pub load: Load,
    /// Phase of the sender's coarse clock at time zero; drawn if absent.
    pub clock_phase: Option<Span>,
    /// A transport of the user's own in TCP's place, over which the same application runs. Of
    /// `config` only the sizes of packets then count.
    pub transport: Option<OwnTransport>,
}

impl Tcp {
    /// TCP with these parameters and data.
    pub fn new(config: Arc<pacesim_tcp::Config>, load: Load) -> Tcp {
        Tcp {
            config,
            load,
            clock_phase: None,
            transport: None,
        }
    }

    /// The same application over a transport of the user's own. Its packets have the sizes of
    /// `config`, and no handshake opens its connections.
    pub fn over(mut self, transport: OwnTransport) -> Tcp {
        Arc::make_mut(&mut self.config).syn = false;
        self.transport = Some(transport);
        self
    }
}

/// The phase in which an ON-OFF source starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Phase {
    /// The phase is drawn from the stationary distribution.
    #[default]
    Random,
    /// The source starts in an ON phase.
    On,
    /// The source starts in an OFF phase.
    Off,
}

/// Data to record beyond the counters that are always kept.
#[derive(Clone, Debug, Default)]
pub struct RunOutput {
    /// Packets to record at ports, if any.
    pub packets: Option<PacketFilter>,
    /// Links, flows and groups of flows to sample at regular times, if any.
    pub series: Option<SeriesFilter>,
    /// Events of the senders of these TCP flows; of all, if the list is empty.
    pub tcp: Option<Vec<FlowId>>,
    /// Numbers of the senders of these flows, which are not TCP; of all, if the list is empty.
    pub ends: Option<Vec<FlowId>>,
}

/// Packets to record; empty lists mean all.
#[derive(Clone, Debug, Default)]
pub struct PacketFilter {
    /// Links at whose ports packets are recorded.
    pub links: Vec<LinkId>,
    /// Flows whose packets are recorded.
    pub flows: Vec<FlowId>,
    /// Earliest arrival that is recorded.
    pub from: Time,
    /// Time at which recording ends, exclusive; by default the end of the run.
    pub to: Option<Time>,
}

/// The series to sample, and their interval.
#[derive(Clone, Debug)]
pub struct SeriesFilter {
    /// Links that are sampled.
    pub links: Vec<LinkId>,
    /// Flows that are sampled, each by itself.
    pub flows: Vec<FlowId>,
    /// The groups that are sampled, each named by any of its flows.
    pub groups: Vec<FlowId>,
    /// Interval between samples.
    pub interval: Span,
    /// True to keep values that equal those of the previous sample.
    pub with_unchanged: bool,
}

/// A packet's size as the engine counts it.
///
/// # Panics
///
/// Panics if it does not fit 32 bits, which a scenario's check rules out.
pub fn wire_size(size: Bytes) -> u32 {
    u32::try_from(size.get()).expect("a checked packet size fits 32 bits")
}
