//! From a checked scenario to the model of one replication.

use pacesim_units::{Capacity, FlowId, LinkId, NodeId, Span, Time};

use super::Checked;
use super::directory::member_name;
use super::draw::Draws;
use super::drawn::source_rate;
use super::network::Wires;
use super::plan::Plan;
use super::problem::Faults;
use super::types::{self, BufferCounts, Drop, FlowGroup, Queue, Traffic};
use super::values::Value;
use crate::model::{self, Model};
use crate::range::{DELAY, LINE_RATE, MEAN_PHASE};
use pacesim_units::Bytes;

impl Checked {
    /// The network and its traffic, every value drawn, for one seed and one
    /// replication.
    pub fn expand(&self, seed: u64, replication: u64) -> Model {
        let mut faults = Faults::default();
        let plan = Plan::of(&self.0, &Faults::default(), &mut faults);
        let expansion = Expansion {
            plan,
            draws: Draws::new(seed, replication),
        };
        let model = Model {
            title: self.0.title.clone(),
            seed,
            replication,
            duration: self.0.run.duration,
            warmup: self.0.run.warmup,
            metric: self.0.run.routing,
            nodes: expansion.nodes(),
            links: expansion.links(&mut faults),
            flows: expansion.flows(&self.0.flows),
            output: expansion.output(&self.0.output, &mut faults),
        };
        assert!(
            faults.list.is_empty(),
            "a checked scenario has no faults: {faults:?}"
        );
        model
    }
}

struct Expansion<'s> {
    plan: Plan<'s>,
    draws: Draws,
}

/// What both directions of a group of links have.
struct Direction<'w> {
    name: String,
    rates: Vec<pacesim_units::Rate>,
    delays: Vec<Span>,
    queue: Queue,
    pacer: Option<&'w super::pacer::PacerSpec>,
    loss: Option<model::Loss>,
    drops: &'w [Drop],
    drops_path: String,
}

impl Expansion<'_> {
    fn nodes(&self) -> Vec<model::Node> {
        let nodes = &self.plan.network.nodes;
        (0..nodes.len() as u32)
            .map(|i| model::Node {
                name: nodes.name(i),
            })
            .collect()
    }

    /// Group by group: all links there, then all links back.
    fn links(&self, faults: &mut Faults) -> Vec<model::Link> {
        let mut links = Vec::new();
        for wires in &self.plan.network.wires {
            let there = there(wires, &self.draws);
            self.add_links(&mut links, wires, &there, false, faults);
            if wires.duplex {
                let back = self.back(wires, &there);
                self.add_links(&mut links, wires, &back, true, faults);
            }
        }
        links
    }

    fn back<'w>(&self, wires: &'w Wires<'_>, there: &Direction<'_>) -> Direction<'w> {
        let back = &wires.spec.back;
        let name = format!("{}.back", wires.name);
        let component = format!("link/{name}");
        let count = wires.ends.len();
        Direction {
            rates: match &back.rate {
                Some(rate) => (self.draws).values((rate, LINE_RATE), &component, "rate", count),
                None => there.rates.clone(),
            },
            delays: match &back.delay {
                Some(delay) => (self.draws).values((delay, DELAY), &component, "delay", count),
                None => there.delays.clone(),
            },
            queue: back_queue(wires.spec),
            pacer: back.pacer.as_ref().filter(|_| wires.paced),
            loss: back.loss,
            drops: &back.drops,
            drops_path: format!("{}.back.drops", wires.path),
            name,
        }
    }

    fn add_links(
        &self,
        links: &mut Vec<model::Link>,
        wires: &Wires<'_>,
        direction: &Direction<'_>,
        reverse: bool,
        faults: &mut Faults,
    ) {
        let drops = self.drops(direction, faults);
        let paced = direction.pacer.map(|pacer| pacer.chosen(wires.ends.len()));
        for (i, (a, b)) in wires.ends.iter().enumerate() {
            let (from, to) = if reverse { (b, a) } else { (a, b) };
            links.push(model::Link {
                name: member_name(&direction.name, i, wires.indexed),
                from: NodeId(*from),
                to: NodeId(*to),
                rate: direction.rates[i],
                delay: direction.delays[i],
                length_m: length(wires, i),
                buffer: buffer(direction.queue),
                drops: drops.clone(),
                loss: direction.loss,
                pacer: pacer_of(direction, i)
                    .filter(|_| paced.as_ref().is_some_and(|paced| paced[i])),
            });
        }
    }

    fn drops(&self, direction: &Direction<'_>, faults: &mut Faults) -> Vec<model::ScriptedDrop> {
        let mut all = Vec::new();
        for drop in direction.drops {
            let mut of = |flow| {
                self.plan
                    .flows(std::slice::from_ref(flow), &direction.drops_path, faults)
            };
            match drop {
                Drop::Packet(k) => all.push(model::ScriptedDrop::Packet { k: *k }),
                Drop::Sequence { flow, seq, k } => {
                    all.extend(
                        of(flow)
                            .into_iter()
                            .map(|flow| model::ScriptedDrop::Sequence {
                                flow: FlowId(flow),
                                seq: *seq,
                                k: *k,
                            }),
                    )
                }
                Drop::Ack { flow, ack, k } => {
                    all.extend(of(flow).into_iter().map(|flow| model::ScriptedDrop::Ack {
                        flow: FlowId(flow),
                        ack: *ack,
                        k: *k,
                    }))
                }
            }
        }
        all
    }

    fn flows(&self, groups: &[FlowGroup]) -> Vec<model::Flow> {
        let mut flows = Vec::new();
        for (group, pairs) in groups.iter().zip(&self.plan.pairs) {
            let pairs = pairs
                .as_ref()
                .expect("the pairs of a checked scenario are known");
            let component = format!("flow/{}", group.name);
            let ends = self.draws.ends(pairs, &component);
            let starts = self
                .draws
                .values((&group.start, DELAY), &component, "start", ends.len());
            let traffic = self.traffic(&group.traffic, &component, ends.len());
            for (i, ((from, to), traffic)) in ends.into_iter().zip(traffic).enumerate() {
                flows.push(model::Flow {
                    group: group.name.clone(),
                    index: i as u32,
                    from: NodeId(from),
                    to: NodeId(to),
                    start: time(starts[i]),
                    stop: group.stop.map(time),
                    class: group.class,
                    traffic,
                });
            }
        }
        flows
    }

    /// The traffic of each member of a group.
    fn traffic(&self, traffic: &Traffic, group: &str, count: usize) -> Vec<model::Traffic> {
        let rates = |rate: &Value<_>| {
            let drawn = (rate, source_rate(traffic));
            self.draws.values(drawn, group, "rate", count).into_iter()
        };
        let phases = |mean: &Value<_>, purpose| {
            let drawn = (mean, MEAN_PHASE);
            self.draws.values(drawn, group, purpose, count).into_iter()
        };
        match traffic {
            Traffic::Cbr { rate, size } => rates(rate)
                .map(|rate| model::Traffic::Cbr { rate, size: *size })
                .collect(),
            Traffic::Poisson { rate, size } => rates(rate)
                .map(|rate| model::Traffic::Poisson { rate, size: *size })
                .collect(),
            Traffic::OnOff {
                peak,
                size,
                mean_on,
                mean_off,
                phase,
            } => {
                let phases = phases(mean_on, "mean_on").zip(phases(mean_off, "mean_off"));
                rates(peak)
                    .zip(phases)
                    .map(|(peak, (mean_on, mean_off))| model::Traffic::OnOff {
                        peak,
                        size: *size,
                        mean_on,
                        mean_off,
                        phase: *phase,
                    })
                    .collect()
            }
            Traffic::Tcp { tcp, others } => {
                let mut flows = vec![model::Traffic::Tcp(tcp.clone()); count];
                if let Some(others) = others {
                    let chosen = others.chosen(count).into_iter().zip(&mut flows);
                    for (_, flow) in chosen.filter(|(chosen, _)| *chosen) {
                        *flow = model::Traffic::Tcp(others.tcp.clone());
                    }
                }
                flows
            }
            Traffic::Recorded {
                recording, smooth, ..
            } => {
                let arrivals = match smooth {
                    None => recording.arrivals.clone(),
                    Some(smooth) => recording
                        .smoothed(*smooth)
                        .expect("checked deadlines")
                        .into(),
                };
                vec![model::Traffic::Recorded(arrivals); count]
            }
        }
    }

    fn output(&self, output: &types::Output, faults: &mut Faults) -> model::Output {
        let mut links = |references: &[_], path: &str| -> Vec<LinkId> {
            self.plan
                .links(references, path, faults)
                .into_iter()
                .map(LinkId)
                .collect()
        };
        let series = output.series.as_ref().map(|series| model::SeriesFilter {
            links: links(&series.links, "output.series.links"),
            interval: series.interval,
        });
        let packets = output.packets.as_ref().map(|packets| model::PacketFilter {
            links: links(&packets.links, "output.packets.links"),
            flows: Vec::new(),
            from: time(packets.from),
            to: packets.to.map(time),
        });
        let mut flows = |references: &[_], path: &str| -> Vec<FlowId> {
            self.plan
                .flows(references, path, faults)
                .into_iter()
                .map(FlowId)
                .collect()
        };
        let tcp = output.tcp.as_ref();
        let tcp = tcp.map(|tcp| flows(&tcp.flows, "output.tcp.flows"));
        let of_packets = output.packets.iter();
        let flows = of_packets
            .flat_map(|packets| flows(&packets.flows, "output.packets.flows"))
            .collect();
        model::Output {
            packets: packets.map(|packets| model::PacketFilter { flows, ..packets }),
            series,
            tcp,
        }
    }
}

fn pacer_of(direction: &Direction<'_>, i: usize) -> Option<model::Pacer> {
    let made = direction.pacer?.kind.for_line(direction.rates[i]);
    Some(made.expect("checked parameters of a pacer"))
}

fn there<'w>(wires: &'w Wires<'_>, draws: &Draws) -> Direction<'w> {
    let component = format!("link/{}", wires.name);
    Direction {
        name: wires.name.clone(),
        rates: draws.values(
            (&wires.spec.rate, LINE_RATE),
            &component,
            "rate",
            wires.ends.len(),
        ),
        delays: delays(wires, draws),
        queue: wires.spec.queue,
        pacer: wires.spec.pacer.as_ref().filter(|_| wires.paced),
        loss: wires.spec.loss,
        drops: &wires.spec.drops,
        drops_path: format!("{}.drops", wires.path),
    }
}

/// The propagation delays on the way there.
pub(crate) fn delays(wires: &Wires<'_>, draws: &Draws) -> Vec<Span> {
    match (&wires.spec.delay, wires.listed) {
        (Some(delay), _) => draws.values(
            (delay, DELAY),
            &format!("link/{}", wires.name),
            "delay",
            wires.ends.len(),
        ),
        (None, Some(listed)) => listed.iter().map(|edge| edge.delay).collect(),
        (None, None) => vec![Span::ZERO; wires.ends.len()],
    }
}

/// The length of a link in metres, its own or that of its list.
pub(crate) fn length(wires: &Wires<'_>, i: usize) -> Option<u64> {
    let listed = wires.listed.map(|edges| edges[i].length);
    wires.spec.length.or(listed).map(|length| length.metres)
}

/// The queue on the way back.
pub(crate) fn back_queue(spec: &types::LinkSpec) -> Queue {
    Queue {
        buffer: spec.back.buffer.unwrap_or(spec.queue.buffer),
        counts: spec.back.counts.unwrap_or(spec.queue.counts),
    }
}

/// In the model's two conventions. ns-2's drop-tail drops what finds `limit_ - 1`
/// waiting.
pub(crate) fn buffer(queue: Queue) -> model::Buffer {
    let less = match queue.buffer {
        Capacity::Packets(n) => Capacity::Packets(n.saturating_sub(1)),
        Capacity::Bytes(n) => Capacity::Bytes(Bytes(n.0.saturating_sub(1))),
        Capacity::Unlimited => Capacity::Unlimited,
    };
    let (capacity, counts) = match queue.counts {
        BufferCounts::Waiting => (queue.buffer, model::Counts::Waiting),
        BufferCounts::System => (queue.buffer, model::Counts::System),
        BufferCounts::Ns2Limit => (less, model::Counts::Waiting),
    };
    model::Buffer { capacity, counts }
}

fn time(since_start: Span) -> Time {
    Time::ZERO.saturating_add(since_start)
}
