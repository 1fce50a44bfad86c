//! A checked scenario with all its names resolved: the basis of every expansion.

use pacesim_keys::{Drop, FlowGroup, Output, Sampled, Scenario, SeriesOutput, Traffic};
use pacesim_language::names::Reference;
use pacesim_language::problem::Faults;
use pacesim_model::{self as model, Arrival, PacketFilter, RunOutput, ScriptedDrop, SeriesFilter};
use pacesim_tape::Tape;
use pacesim_units::{FlowId, LinkId, NodeId, Span, Time};

use super::edges::Edges;
use super::events::Events;
use super::network::Network;
use super::pairs::Pairs;
use super::survey::Survey;
use crate::exchanges;
use pacesim_recordings::recording::Recording;

/// Pairs of nodes, links and flows by number. Every name in it is known, so expansion cannot fail.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub(crate) network: Network,
    /// Ends of each group of flows.
    pub(crate) flows: Vec<Pairs>,
    /// Packets to drop, by the index of the wires.
    pub(crate) drops: Vec<Drops>,
    /// The recorded traffic of each group of flows.
    pub(crate) arrivals: Vec<Option<Replayed>>,
    /// The edges at which the packets of each [[fec]] enter and leave.
    pub(crate) fec: Vec<Edges>,
    /// The links to which the loads of each group of flows, and of the others in it, refer.
    pub(crate) loaded: Vec<[Vec<LinkId>; 2]>,
    /// The node of the delay box of each group of flows.
    pub(crate) delay_boxes: Vec<Option<NodeId>>,
    /// The nodes of each shared memory.
    pub(crate) switches: Vec<Vec<NodeId>>,
    /// The nodes of each [[thread]].
    pub(crate) threads: Vec<Vec<NodeId>>,
    pub(crate) output: RunOutput,
    pub(crate) events: Events,
}

/// The packets dropped by a group of links.
#[derive(Clone, Debug)]
pub(crate) struct Drops {
    pub(crate) there: Vec<ScriptedDrop>,
    pub(crate) back: Vec<ScriptedDrop>,
}

impl Plan {
    /// The plan of a scenario without mistakes; `None` if it has any.
    pub(crate) fn of(survey: Survey, scenario: &Scenario) -> Option<Plan> {
        let mut unresolved = Faults::default();
        let mut resolver = Resolver {
            survey: &survey,
            faults: &mut unresolved,
        };
        let wires = survey.network.wires.iter();
        let drops = wires.map(|wires| Drops {
            there: resolver.drops(&wires.spec.drops),
            back: resolver.drops(&wires.spec.back.drops),
        });
        let drops = drops.collect();
        let output = resolver.output(&scenario.output);
        let fec = scenario
            .fec
            .iter()
            .map(|group| survey.edges(group, "", &mut Faults::default()));
        let fec = fec.collect::<Option<_>>();
        let loaded = scenario.flows.iter();
        let loaded = loaded.map(|flow| resolver.loaded(&flow.traffic)).collect();
        let delay_boxes = scenario.flows.iter();
        let delay_boxes = delay_boxes.map(|flow| resolver.delay_box(flow)).collect();
        let switches = scenario.switches.iter();
        let switches = switches.map(|group| resolver.nodes(&group.nodes)).collect();
        let threads = scenario.threads.iter();
        let threads = threads.map(|group| resolver.nodes(&group.nodes)).collect();
        let arrivals = scenario.flows.iter().map(|flow| arrivals(&flow.traffic));
        let arrivals = arrivals.collect::<Option<_>>()?;
        let events = Events::of(&survey, &scenario.events, &mut unresolved);
        unresolved.list.is_empty().then_some(())?;
        Some(Plan {
            flows: survey.pairs.into_iter().collect::<Option<_>>()?,
            network: survey.network,
            drops,
            arrivals,
            fec: fec?,
            loaded,
            delay_boxes,
            switches,
            threads,
            output,
            events,
        })
    }
}

/// The replay of a recording by a group.
#[derive(Clone, Debug)]
pub(crate) enum Replayed {
    /// Each member replays all of it.
    ByEach(Tape<Arrival>),
    /// Each member replays a share of the conversations.
    Dealt(Recording),
}

impl Replayed {
    pub(crate) fn of_members(&self, count: usize) -> Vec<model::Traffic> {
        let of = |member| match self {
            Replayed::ByEach(arrivals) => arrivals.clone(),
            Replayed::Dealt(recording) => {
                let dealt = recording.dealt(member, count);
                dealt.expect("a checked recording with conversations")
            }
        };
        (0..count)
            .map(|i| model::Traffic::Recorded(of(i)))
            .collect()
    }
}

/// The arrivals of recorded traffic as sent; `None` if they cannot be sent so.
fn arrivals(traffic: &Traffic) -> Option<Option<Replayed>> {
    let Traffic::Recorded(recorded) = traffic else {
        return Some(None);
    };
    let recording = recorded.played().ok()?;
    if recorded.deal {
        return Some(Some(Replayed::Dealt(recording)));
    }
    Some(Some(Replayed::ByEach(match recorded.smooth {
        None => recording.arrivals,
        Some(smooth) => recording.smoothed(smooth).ok()?.into(),
    })))
}

struct Resolver<'s> {
    survey: &'s Survey,
    faults: &'s mut Faults,
}

impl Resolver<'_> {
    fn flows(&mut self, references: &[Reference]) -> Vec<FlowId> {
        let flows = self.survey.flows(references, "", self.faults);
        flows.into_iter().map(FlowId).collect()
    }

    fn nodes(&mut self, references: &[Reference]) -> Vec<NodeId> {
        let nodes = self.survey.nodes(references, "", self.faults);
        nodes.into_iter().map(NodeId).collect()
    }

    fn links(&mut self, references: &[Reference]) -> Vec<LinkId> {
        let links = self.survey.links(references, "", self.faults);
        links.into_iter().map(LinkId).collect()
    }

    fn drops(&mut self, drops: &[Drop]) -> Vec<ScriptedDrop> {
        let mut all = Vec::new();
        for drop in drops {
            match drop {
                Drop::Packet(k) => all.push(ScriptedDrop::Packet { k: *k }),
                Drop::Sequence { flow, seq, k } => {
                    let (seq, k) = (*seq, *k);
                    let flows = self.flows(std::slice::from_ref(flow)).into_iter();
                    all.extend(flows.map(|flow| ScriptedDrop::Sequence { flow, seq, k }));
                }
                Drop::Ack { flow, ack, k } => {
                    let (ack, k) = (*ack, *k);
                    let flows = self.flows(std::slice::from_ref(flow)).into_iter();
                    all.extend(flows.map(|flow| ScriptedDrop::Ack { flow, ack, k }));
                }
            }
        }
        all
    }

    fn loaded(&mut self, traffic: &Traffic) -> [Vec<LinkId>; 2] {
        let Some(tcp) = traffic.connections() else {
            return Default::default();
        };
        let of_others = tcp.others.as_ref().and_then(|o| o.arrivals.as_ref());
        [tcp.arrivals.as_ref(), of_others].map(|arrivals| {
            let links = arrivals.and_then(|arrivals| arrivals.pace().of.as_ref());
            links.map_or_else(Vec::new, |links| self.links(std::slice::from_ref(links)))
        })
    }

    fn delay_box(&mut self, flow: &FlowGroup) -> Option<NodeId> {
        let (exchanges, _) = exchanges::of_group(flow)?;
        let node = exchanges.delay_box.as_ref()?;
        let nodes = (self.survey.network.nodes).resolve(node, "", self.faults)?;
        Some(NodeId(nodes.start))
    }

    fn series(&mut self, series: &SeriesOutput) -> SeriesFilter {
        let all_links = 0..self.survey.network.links.len();
        let links = if series.links.is_empty() {
            all_links.map(LinkId::from_index).collect()
        } else {
            self.links(&series.links)
        };
        let all_flows = 0..self.survey.flows.len();
        let flows = if series.flows.is_empty() {
            all_flows.map(FlowId::from_index).collect()
        } else {
            self.flows(&series.flows)
        };
        let has = |what| series.of.contains(&what);
        SeriesFilter {
            links: if has(Sampled::Links) {
                links
            } else {
                Vec::new()
            },
            groups: if has(Sampled::Groups) {
                flows.clone()
            } else {
                Vec::new()
            },
            flows: if has(Sampled::Flows) {
                flows
            } else {
                Vec::new()
            },
            interval: series.interval,
            with_unchanged: series.unchanged,
        }
    }

    fn output(&mut self, output: &Output) -> RunOutput {
        let packets = output.packets.as_ref();
        let packets = packets.map(|packets| PacketFilter {
            links: self.links(&packets.links),
            flows: self.flows(&packets.flows),
            from: since_start(packets.from),
            to: packets.to.map(since_start),
        });
        let series = output.series.as_ref().map(|series| self.series(series));
        let tcp = output.tcp.as_ref().map(|tcp| self.flows(&tcp.flows));
        let ends = output.ends.as_ref().map(|ends| self.flows(&ends.flows));
        RunOutput {
            packets,
            series,
            tcp,
            ends,
        }
    }
}

fn since_start(span: Span) -> Time {
    Time::ZERO.saturating_add(span)
}
