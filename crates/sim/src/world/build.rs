//! From a model to a world.

use std::collections::BTreeMap;
use std::sync::Arc;

use pacesim_core::net::{Kind, LinkSpec, Loss, Probe, RouteId, Script, ScriptedDrop};
use pacesim_core::random::Streams;
use pacesim_core::routing::Routes;
use pacesim_units::{FlowId, LinkId, NodeId, Time};

use super::connection::Connection;
use super::gate::PortGate;
use super::open_loop::Emitter;
use super::tally::Tallies;
use super::window::Window;
use super::{Agent, Network, World};
use crate::model::{self, Counts, Model, Traffic};
use crate::pacer::Port;
use crate::source::AnySource;

/// Why a model cannot be run. A checked scenario never gives one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BuildError {
    /// A flow has no path.
    #[error("flow {flow} has no route from {from} to {to}: no chain of links leads there")]
    NoRoute {
        /// The flow.
        flow: String,
        /// Its source node.
        from: String,
        /// Its sink node.
        to: String,
    },
    /// A link or flow names a node that is not there.
    #[error("{what} names node {node}, but there are only {nodes}")]
    NoSuchNode {
        /// Which link or flow.
        what: String,
        /// The node's id.
        node: u32,
        /// How many there are.
        nodes: usize,
    },
    /// A pacer's parameters are impossible.
    #[error("the pacer of link {link}: {problem}")]
    Pacer {
        /// The link.
        link: String,
        /// What is wrong.
        problem: pacesim_pacers::InvalidConfig,
    },
    /// The warm-up leaves nothing to measure.
    #[error("the warm-up ({warmup}) must be shorter than the run ({duration})")]
    WarmupTooLong {
        /// The warm-up.
        warmup: pacesim_units::Span,
        /// The run.
        duration: pacesim_units::Span,
    },
}

pub(super) fn build<P: Probe>(model: Model, probe: P) -> Result<World<P>, BuildError> {
    check(&model)?;
    let streams = Streams {
        seed: model.seed,
        replication: model.replication,
    };
    let mut network = network(&model, &streams)?;
    let (agents, connections) = agents(&model, &streams, &mut network)?;
    let end = Time::ZERO + model.duration;
    let mut world = World {
        tallies: Tallies::new(model.flows.len()),
        window: Window::new(Time::ZERO + model.warmup),
        now: Time::ZERO,
        end,
        network,
        agents,
        connections,
        model,
        probe,
    };
    for flow in (0..world.model.flows.len()).map(FlowId::from_index) {
        let start = world.model.flows[flow.index()].start;
        match world.agents[flow.index()] {
            Agent::Open(_) => world.arm_source(flow, start, Time::ZERO),
            Agent::Tcp(_) => world.network.set_timer(flow.0, start, Time::ZERO),
        }
    }
    if world.model.warmup.is_zero() {
        world.reach_window();
    }
    Ok(world)
}

fn check(model: &Model) -> Result<(), BuildError> {
    if model.warmup >= model.duration {
        let (warmup, duration) = (model.warmup, model.duration);
        return Err(BuildError::WarmupTooLong { warmup, duration });
    }
    let ends = model
        .links
        .iter()
        .map(|link| (&link.name, link.from, link.to));
    let flows = model
        .flows
        .iter()
        .map(|flow| (&flow.group, flow.from, flow.to));
    for (what, from, to) in ends.chain(flows) {
        for node in [from, to] {
            if node.index() >= model.nodes.len() {
                let (what, nodes) = (what.clone(), model.nodes.len());
                return Err(BuildError::NoSuchNode {
                    what,
                    node: node.0,
                    nodes,
                });
            }
        }
    }
    Ok(())
}

fn network(model: &Model, streams: &Streams) -> Result<Network, BuildError> {
    let specs: Vec<LinkSpec> = model.links.iter().map(link_spec).collect();
    // One timer for the sending end of each flow, and one for the receiving end of each
    // connection.
    let is_tcp = |flow: &&model::Flow| matches!(flow.traffic, Traffic::Tcp(_));
    let timers = model.flows.len() + model.flows.iter().filter(is_tcp).count();
    let mut network = Network::gated(&specs, timers, gates(model, streams)?);
    for (i, link) in model.links.iter().enumerate() {
        let id = LinkId::from_index(i);
        if !link.drops.is_empty() {
            let drops = link.drops.iter().map(scripted_drop).collect();
            network.set_script(id, Script::new(drops));
        }
        if let Some(loss) = &link.loss {
            let stream = streams.stream(&format!("link/{}", link.name), "loss");
            network.set_loss(id, loss_process(loss, stream));
        }
    }
    Ok(network)
}

/// The pacers, each as the gate of its port.
fn gates(model: &Model, streams: &Streams) -> Result<Vec<(LinkId, PortGate)>, BuildError> {
    let one_class = model.flows.iter().all(|flow| flow.class == 0);
    let classes: Arc<[u16]> = match one_class {
        true => Arc::default(),
        false => model.flows.iter().map(|flow| flow.class).collect(),
    };
    let paced = model.links.iter().enumerate();
    let paced = paced.filter_map(|(i, link)| Some((i, link, link.pacer.as_ref()?)));
    paced
        .map(|(i, link, pacer)| {
            let port = Port {
                link: link.name.clone(),
                rate: link.rate,
                stream: streams.stream(&format!("link/{}", link.name), "pacer"),
            };
            let classes = classes.clone();
            match pacer.build(port) {
                Ok(pacer) => Ok((LinkId::from_index(i), PortGate { pacer, classes })),
                Err(problem) => Err(BuildError::Pacer {
                    link: link.name.clone(),
                    problem,
                }),
            }
        })
        .collect()
}

fn link_spec(link: &model::Link) -> LinkSpec {
    LinkSpec {
        rate: link.rate,
        delay: link.delay,
        capacity: link.buffer.capacity,
        counts_sending: link.buffer.counts == Counts::System,
    }
}

fn scripted_drop(drop: &model::ScriptedDrop) -> ScriptedDrop {
    match *drop {
        model::ScriptedDrop::Packet { k } => ScriptedDrop::Packet { k },
        model::ScriptedDrop::Sequence { flow, seq, k } => ScriptedDrop::Number {
            flow,
            kind: Kind::Data,
            seq,
            k,
        },
        model::ScriptedDrop::Ack { flow, ack, k } => ScriptedDrop::Number {
            flow,
            kind: Kind::Ack,
            seq: ack,
            k,
        },
    }
}

fn loss_process(loss: &model::Loss, stream: pacesim_core::random::Stream) -> Loss {
    match *loss {
        model::Loss::Bernoulli { probability } => Loss::bernoulli(probability, stream),
        model::Loss::GilbertElliott {
            to_bad,
            to_good,
            loss_good,
            loss_bad,
        } => Loss::gilbert_elliott(to_bad, to_good, loss_good, loss_bad, stream),
    }
}

/// What drives each flow, and the connections among these.
fn agents(
    model: &Model,
    streams: &Streams,
    network: &mut Network,
) -> Result<(Vec<Agent>, Vec<Connection>), BuildError> {
    let mut paths = Paths::new(model);
    let mut connections = Vec::new();
    let mut agents = Vec::with_capacity(model.flows.len());
    for (i, flow) in model.flows.iter().enumerate() {
        let name = format!("flow/{}[{}]", flow.group, flow.index);
        let there = paths.route(flow, flow.from, flow.to, network)?;
        let stop = flow.stop.unwrap_or(Time::NEVER);
        agents.push(match &flow.traffic {
            Traffic::Tcp(tcp) => {
                let back = paths.route(flow, flow.to, flow.from, network)?;
                let (routes, times) = ([there, back], [flow.start, stop]);
                let id = FlowId::from_index(i);
                connections.push(Connection::new(id, tcp, routes, times, streams, &name));
                Agent::Tcp(connections.len() as u32 - 1)
            }
            open => Agent::Open(Emitter {
                route: there,
                source: AnySource::new(open, streams, &name),
                next_size: 0,
                next_seq: 0,
                stop,
            }),
        });
    }
    Ok((agents, connections))
}

/// The routes in use, one for each pair of nodes that flows connect.
struct Paths<'a> {
    model: &'a Model,
    routes: Routes,
    known: BTreeMap<(NodeId, NodeId), RouteId>,
}

impl<'a> Paths<'a> {
    fn new(model: &'a Model) -> Paths<'a> {
        Paths {
            model,
            routes: model.routes(),
            known: BTreeMap::new(),
        }
    }

    fn route(
        &mut self,
        flow: &model::Flow,
        from: NodeId,
        to: NodeId,
        network: &mut Network,
    ) -> Result<RouteId, BuildError> {
        if let Some(route) = self.known.get(&(from, to)) {
            return Ok(*route);
        }
        let path = self.routes.path(from, to).filter(|path| !path.is_empty());
        let name = |node: NodeId| self.model.nodes[node.index()].name.clone();
        let path = path.ok_or_else(|| BuildError::NoRoute {
            flow: format!("{}[{}]", flow.group, flow.index),
            from: name(from),
            to: name(to),
        })?;
        let route = network.add_route(&path);
        self.known.insert((from, to), route);
        Ok(route)
    }
}
