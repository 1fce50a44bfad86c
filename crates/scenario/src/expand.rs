//! From a checked scenario to the model of one replication.

use std::sync::Arc;

use pacesim_core::memory::with_room;
use pacesim_keys::{
    Discipline, FlowGroup, Job, LinkLoss, MiddleboxKind, OpportunityFile, PacerSpec, Queue,
    Scenario, Value,
};
use pacesim_model::middlebox::Jitter;
use pacesim_model::range::{DELAY, LINE_RATE};
use pacesim_model::{
    self as model, Division, Model, Name, PathRule, PortQueue, ScriptedDrop, Ties,
};
use pacesim_units::{FlowId, NodeId, Rate, Span, Time};

use crate::applications;
use crate::arrivals;
use crate::draw::Draws;
use crate::exchanges;
use crate::fec::protections;
use crate::hosts;
use crate::jobs;
use crate::multipath;
use crate::resolve::{Pairs, Plan, Wires};
use crate::traffic;

/// The network and its traffic, every value drawn, for one seed and one replication.
pub(crate) fn expand(scenario: &Scenario, plan: &Plan, seed: u64, replication: u64) -> Model {
    let expansion = Expansion {
        plan,
        draws: Draws::new(seed, replication),
    };
    let (links, mut barriers) = (expansion.links(), Vec::new());
    let mut model = Model {
        title: scenario.title.clone(),
        seed,
        replication,
        duration: scenario.run.duration,
        warmup: scenario.run.warmup,
        metric: scenario.run.routing,
        salts: scenario.run.salts,
        nodes: expansion.nodes(),
        flows: expansion.flows(
            (&scenario.flows, scenario.run.duration),
            &links,
            &mut barriers,
        ),
        barriers,
        links,
        middleboxes: Vec::new(),
        switches: Vec::new(),
        protections: Vec::new(),
        changes: plan.events.changes(),
        reroutes: plan.events.reroutes(),
        output: plan.output.clone(),
        budget: model::Budget {
            waiting: scenario.run.most_waiting,
            events: scenario.run.most_events,
        },
        ties: Ties::default(),
        division: Division {
            threads: scenario.run.threads,
            sets: plan.threads.clone(),
        },
        path_choice: None,
    };
    model.switches = switches(scenario, plan, &model.flows);
    multipath::choose(&scenario.run, &mut model.flows);
    hosts::place(scenario, plan, &mut model);
    model.middleboxes = delay_boxes(scenario, plan, &model.flows);
    model.protections = protections(&scenario.fec, &plan.fec, &plan.network, &model);
    model
}

struct Expansion<'p> {
    plan: &'p Plan,
    draws: Draws,
}

/// Properties that both directions of a group of links share.
struct Direction<'w> {
    name: Arc<str>,
    rates: Vec<Rate>,
    delays: Vec<Span>,
    queue: Queue,
    pacer: Option<&'w PacerSpec>,
    discipline: Option<&'w Discipline>,
    loss: Option<&'w LinkLoss>,
    drops: &'w [ScriptedDrop],
    opportunities: Option<&'w OpportunityFile>,
    jitter: Option<Jitter>,
    middleboxes: &'w [MiddleboxKind],
}

impl Expansion<'_> {
    fn nodes(&self) -> Vec<model::Node> {
        let directory = &self.plan.network.nodes;
        let mut nodes = with_room(directory.len());
        nodes.extend(directory.names().map(|name| model::Node { name }));
        nodes
    }

    /// Group by group: all forward links, then all links back.
    fn links(&self) -> Vec<model::Link> {
        let all = self.plan.network.wires.iter();
        let count = all.map(|wires| wires.ends.len() * if wires.duplex { 2 } else { 1 });
        let mut links = with_room(count.sum());
        for (wires, drops) in self.plan.network.wires.iter().zip(&self.plan.drops) {
            let there = self.there(wires, &drops.there);
            self.add_links(&mut links, wires, &there, false);
            if wires.duplex {
                let back = self.back(wires, &drops.back, &there);
                self.add_links(&mut links, wires, &back, true);
            }
        }
        links
    }

    fn there<'w>(&self, wires: &'w Wires, drops: &'w [ScriptedDrop]) -> Direction<'w> {
        let (spec, count) = (&wires.spec, wires.ends.len());
        let component = format!("link/{}", wires.name);
        Direction {
            name: wires.name.as_str().into(),
            rates: (self.draws).values((&spec.rate, LINE_RATE), &component, "rate", count),
            delays: self.draws.delays(wires),
            queue: spec.queue,
            pacer: spec.pacer.as_ref().filter(|_| wires.paced),
            discipline: spec.discipline.as_ref(),
            loss: spec.loss.as_ref(),
            drops,
            opportunities: spec.opportunities.as_ref(),
            jitter: jitter(spec.jitter.as_ref(), spec.jitter_reorders),
            middleboxes: &spec.middleboxes,
        }
    }

    fn back<'w>(
        &self,
        wires: &'w Wires,
        drops: &'w [ScriptedDrop],
        there: &Direction<'_>,
    ) -> Direction<'w> {
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
            queue: wires.spec.back_queue(),
            pacer: back.pacer.as_ref().filter(|_| wires.paced),
            discipline: back.discipline.as_ref(),
            loss: back.loss.as_ref(),
            drops,
            opportunities: back.opportunities.as_ref(),
            jitter: jitter(back.jitter.as_ref(), back.jitter_reorders),
            middleboxes: &back.middleboxes,
            name: name.into(),
        }
    }

    fn add_links(
        &self,
        links: &mut Vec<model::Link>,
        wires: &Wires,
        direction: &Direction<'_>,
        reverse: bool,
    ) {
        let paced = direction.pacer.map(|pacer| pacer.chosen(wires.ends.len()));
        for (i, (a, b)) in wires.ends.iter().enumerate() {
            let (from, to) = if reverse { (b, a) } else { (a, b) };
            links.push(model::Link {
                name: if wires.indexed {
                    Name::member(&direction.name, i as u32)
                } else {
                    Name::from(&direction.name)
                },
                from: NodeId(*from),
                to: NodeId(*to),
                rate: direction.rates[i],
                delay: direction.delays[i],
                length_m: wires.length(i),
                buffer: direction.queue.in_model(),
                extras: model::Extras::from(model::LinkExtras {
                    drops: direction.drops.to_vec(),
                    loss: match direction.loss {
                        Some(LinkLoss::Random(loss)) => Some(*loss),
                        _ => None,
                    },
                    own_loss: match direction.loss {
                        Some(LinkLoss::Model(model)) => Some(model.in_model()),
                        _ => None,
                    },
                    pacer: pacer_of(direction, i)
                        .filter(|_| paced.as_ref().is_some_and(|paced| paced[i])),
                    queue: discipline_of(direction),
                    mark: direction.queue.mark,
                    opportunities: (direction.opportunities)
                        .map(|recorded| recorded.opportunities_ms.clone()),
                    jitter: direction.jitter.clone(),
                    middleboxes: (direction.middleboxes.iter())
                        .map(MiddleboxKind::in_model)
                        .collect(),
                    host_sends: None,
                    host_arrivals: None,
                }),
            });
        }
    }

    fn flows(
        &self,
        (groups, duration): (&[FlowGroup], Span),
        links: &[model::Link],
        barriers: &mut Vec<model::Barrier>,
    ) -> Vec<model::Flow> {
        let count = self.plan.flows.iter().map(|pairs| pairs.flows() as usize);
        let mut flows = with_room(count.sum());
        for (i, group) in groups.iter().enumerate() {
            let (pairs, first) = (&self.plan.flows[i], FlowId::from_index(flows.len()));
            let component = format!("flow/{}", group.name);
            let ends = self.draws.ends(pairs, &component);
            let count = pairs.pairs_of(ends.len());
            let (value, range) = (&group.start, DELAY);
            let starts = (self.draws).values((value, range), &component, "start", count);
            let starts = starts.into_iter().map(time);
            let members: Vec<(model::Traffic, Time)> =
                if let Some(arrivals) = &self.plan.arrivals[i] {
                    arrivals.of_members(count).into_iter().zip(starts).collect()
                } else if let Some((exchanges, tcp)) = exchanges::of_group(group) {
                    exchanges::members(exchanges, tcp, first, starts)
                } else if let Some(dialogue) = applications::of_group(group) {
                    applications::members(dialogue, first, starts)
                } else if let Some(job) = jobs::of_group(group) {
                    let tasks = self.tasks(job, (pairs, first), &component, barriers);
                    tasks.into_iter().zip(starts).collect()
                } else {
                    let of_links = self.plan.loaded[i].each_ref();
                    let lines = of_links.map(|loaded| arrivals::capacity(loaded, links));
                    let of_group = (&group.traffic, &self.draws, component.as_str());
                    let traffic = traffic::of_members(of_group, lines, count, duration);
                    traffic.into_iter().zip(starts).collect()
                };
            let name: Arc<str> = group.name.as_str().into();
            for (i, (ends, member)) in ends.into_iter().zip(members).enumerate() {
                flows.push(flow((group, &name), i as u32, ends, member));
            }
            if let Some((job, _)) = jobs::of_group(group) {
                jobs::choose_paths(job, &mut flows[first.index()..]);
            }
        }
        self.plan.events.apply(&mut flows);
        flows
    }

    /// The traffic of the flows of a job, the first of which has this id.
    fn tasks(
        &self,
        (job, tcp): (&Job, &model::Tcp),
        (pairs, first): (&Pairs, FlowId),
        component: &str,
        barriers: &mut Vec<model::Barrier>,
    ) -> Vec<model::Traffic> {
        let mut stream = self.draws.stream(component, "jitter");
        let jitter = |limit: Span| jobs::below(limit, &mut stream);
        let nodes = pairs.from.end - pairs.from.start;
        jobs::members(job, tcp, (first, nodes), barriers, jitter)
    }
}

/// The flow at this place of its group.
fn flow(
    (group, name): (&FlowGroup, &Arc<str>),
    index: u32,
    (from, to): (u32, u32),
    (traffic, start): (model::Traffic, Time),
) -> model::Flow {
    model::Flow {
        group: name.clone(),
        index,
        from: NodeId(from),
        to: NodeId(to),
        start,
        stop: group.stop.map(time),
        class: group.class,
        ecn: group.ecn,
        path: match (group.path, group.back_path) {
            (Some(there), Some(back)) => PathRule::Apart([there, back]),
            (Some(there), None) => PathRule::Nth(there),
            (None, _) => PathRule::First,
        },
        traffic,
    }
}

/// The shared memories of nodes.
fn switches(scenario: &Scenario, plan: &Plan, flows: &[model::Flow]) -> Vec<model::PlacedSwitch> {
    let has_classes = flows.iter().any(|flow| flow.class > 0);
    let classes = flows.iter().filter(|_| has_classes).map(|flow| flow.class);
    let classes: Arc<[u16]> = classes.collect();
    let groups = scenario.switches.iter().zip(&plan.switches);
    let largest = scenario.largest_packet();
    let placed = groups.flat_map(|(group, nodes)| {
        let memory = group.in_model(largest);
        let memory = memory.expect("checked thresholds of a memory");
        let part = memory.part(classes.clone());
        let place = move |node: &NodeId| model::PlacedSwitch {
            node: *node,
            part: part.clone(),
        };
        nodes.iter().map(place)
    });
    placed.collect()
}

/// The delay boxes of groups of recorded connections.
fn delay_boxes(
    scenario: &Scenario,
    plan: &Plan,
    flows: &[model::Flow],
) -> Vec<model::PlacedMiddlebox> {
    let mut boxes = Vec::new();
    let mut first = 0;
    let groups = scenario.flows.iter().zip(&plan.flows);
    for ((group, pairs), node) in groups.zip(&plan.delay_boxes) {
        let own = first..first + pairs.flows() as usize;
        first = own.end;
        if let (Some(node), Some(of_group)) = (node, exchanges::of_group(group)) {
            let id = FlowId::from_index(own.start);
            let own = &flows[own];
            boxes.push(exchanges::delay_box(&group.name, of_group, *node, id, own));
        }
    }
    boxes
}

/// The discipline of a direction. A recorded line has one even if it is plain drop-tail.
fn discipline_of(direction: &Direction<'_>) -> Option<PortQueue> {
    let declared = direction.discipline.map(Discipline::in_model);
    let declared = declared.or_else(|| direction.queue.discipline());
    declared.or_else(|| direction.opportunities.map(|_| PortQueue::DropTail))
}

fn jitter(delay: Option<&Value<Span>>, reorders: bool) -> Option<Jitter> {
    let delay = hosts::distribution(delay?);
    Some(Jitter { delay, reorders })
}

fn pacer_of(direction: &Direction<'_>, i: usize) -> Option<model::PortPacer> {
    let made = direction.pacer?.kind.for_line(direction.rates[i]);
    Some(made.expect("checked parameters of a pacer"))
}

fn time(since_start: Span) -> Time {
    Time::ZERO.saturating_add(since_start)
}
