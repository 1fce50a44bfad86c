//! Construction of a world from a model.

use std::fmt::{Display, Write};
use std::sync::Arc;

use pacesim_core::memory::with_room;
use pacesim_core::net::{DropRule, Flags, Kind, LinkConfig, LossProcess, Probe, Script};
use pacesim_core::random::{Rng as _, Streams};
use pacesim_measure::BySize;
use pacesim_units::{FlowId, LinkId, NodeId, Time};

use super::application::Application;
use super::beginning::{Share, begin};
use super::calls::Pool;
use super::changes::Changes;
use super::completions::group_after;
use super::connection::Connection;
use super::giving_up::Instants;
use super::loss::{LOSSLESS, loss_process};
use super::open_loop::Emitter;
use super::parts::{fittings, port};
use super::paths::{Exits, Paths};
use super::reroute::Rerouting;
use super::session::Session;
use super::several_paths::{self, SeveralPaths, Tables};
use super::tally::Tallies;
use super::tasks::{self, Barriers};
use super::window::Window;
use super::{Agent, World, WorldNetwork};
use super::{cards, fec, foresight, own_check, pairs, turns};
use crate::model::change::TimedChange;
use crate::model::{self, Carrier, Counts, Direction, Load, Model, ScriptedDrop, Ties, Traffic};
use crate::source::AnySource;

/// Reasons why a model cannot be run. A checked scenario never yields one, except for block sizes
/// that depend on an unsolved analytic model.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BuildError {
    /// A flow has no path.
    #[error("flow {flow} has no route from {from} to {to}: no chain of links leads there")]
    NoRoute {
        /// Name of the flow.
        flow: String,
        /// Name of the flow's source node.
        from: String,
        /// Name of the flow's sink node.
        to: String,
    },
    /// The block size of a pair depends on an analytic model that has not been solved yet.
    #[error("the blocks of the pair {pair} follow from a model that is not solved: set their size")]
    Unsolved {
        /// Name of the pair.
        pair: String,
    },
    /// The loss reports of an adaptive pair have no path.
    #[error("the pair {pair} has no way back from {from} to {to} for its reports")]
    NoWayBack {
        /// Name of the pair.
        pair: String,
        /// Node of the pair's decoder.
        from: String,
        /// Node of the pair's encoder.
        to: String,
    },
    /// A middlebox stands at a node that its flow does not pass.
    #[error("flow {flow} does not pass {node}, the node of the middlebox {middlebox}")]
    OffRoute {
        /// Name of the middlebox.
        middlebox: String,
        /// Node at which the middlebox stands.
        node: String,
        /// Name of the flow.
        flow: String,
    },
    /// A middlebox names a flow that does not exist.
    #[error("the middlebox {middlebox} is for flow {flow}, but there are only {flows}")]
    NoSuchFlow {
        /// Name of the middlebox.
        middlebox: String,
        /// Id of the flow that does not exist.
        flow: u32,
        /// Number of flows in the model.
        flows: usize,
    },
    /// A flow is one end of an exchange, or one side of an application, and the other does not answer it.
    #[error("flow {flow} answers flow {other}, which does not answer it")]
    NoOtherEnd {
        /// Id of the flow.
        flow: u32,
        /// Id of the supposed other end.
        other: u32,
    },
    /// A task waits for nothing, for a barrier or a task that does not exist, or for itself.
    #[error("task {task} of flow {flow} waits for nothing, for what does not exist, or for itself")]
    Tasks {
        /// Id of the flow.
        flow: u32,
        /// Place of the task within the flow.
        task: usize,
    },
    /// A link, flow or middlebox names a node that does not exist.
    #[error("{what} names node {node}, but there are only {nodes}")]
    NoSuchNode {
        /// The link, flow or middlebox that names the node.
        what: String,
        /// Id of the node that does not exist.
        node: u32,
        /// Number of nodes in the model.
        nodes: usize,
    },
    /// A change names a link that does not exist.
    #[error("link {link} changes, but there are only {links}")]
    NoSuchLink {
        /// Id of the link that does not exist.
        link: u32,
        /// Number of links in the model.
        links: usize,
    },
    /// Routes must be recomputed, but a middlebox or a pair stands on them.
    #[error("routes change, but {what} is on routes that must not")]
    RoutesStay {
        /// The middlebox or pair that stands on the routes.
        what: String,
    },
    /// A node has more than one switch.
    #[error("node {node} has two switches: its ports can share one")]
    SecondSwitch {
        /// Id of the node.
        node: u32,
    },
    /// A transport of the user's own where only TCP's ends are understood.
    #[error("flow {flow} has the transport {transport}, which {problem}")]
    OwnTransport {
        /// Name of the flow.
        flow: String,
        /// Name of the transport.
        transport: String,
        /// The reason why it cannot be used there.
        problem: String,
    },
    /// A side of a user's own application cannot begin.
    #[error("the application {application} of flow {flow} {problem}")]
    OwnApplication {
        /// Name of the flow.
        flow: String,
        /// Name of the application.
        application: String,
        /// The reason why it cannot begin.
        problem: String,
    },
    /// The parameters of a pacer are invalid.
    #[error("the pacer of link {link}: {problem}")]
    Pacer {
        /// Link whose port has the pacer.
        link: String,
        /// The reason why the parameters are invalid.
        problem: pacesim_pacers::InvalidConfig,
    },
    /// A flow leaves its paths to the model's own choice, and the model has none.
    #[error("flow {flow} leaves its paths to the model's own choice, which is missing")]
    NoPathChoice {
        /// Id of the flow.
        flow: u32,
    },
    /// The warm-up leaves no time to measure.
    #[error("the warm-up ({warmup}) must be shorter than the run ({duration})")]
    WarmupTooLong {
        /// Length of the warm-up.
        warmup: pacesim_units::Span,
        /// Length of the run.
        duration: pacesim_units::Span,
    },
}

pub(super) fn build<P: Probe>(
    model: Arc<Model>,
    probe: P,
    share: Option<Share<'_>>,
) -> Result<World<P>, BuildError> {
    check(&model)?;
    let streams = Streams {
        seed: model.seed,
        replication: model.replication,
    };
    let mut network = network(&model, &streams)?;
    let Agents {
        agents,
        emitters,
        sessions,
        connections,
        exchanges,
        cards,
        turns,
        first_listener: _,
        exits,
        several_paths,
        tables,
    } = agents(&model, &streams, &mut network)?;
    pairs::set_exits(&mut network, exits);
    if let Some(Share { cut, part }) = share {
        network.cut(cut.links_out_of(part, &model));
    }
    if !probe.in_order() && !several_paths.look_at_queues() {
        network.work_ahead(&foresight::uses(&emitters, &sessions, &several_paths));
    }
    let end = Time::ZERO + model.duration;
    let groups = sessions.last().map_or(0, |last| last.group as usize + 1);
    let mut world = World {
        tallies: Tallies::new(&model),
        window: Window::new(Time::ZERO + model.warmup),
        instants: Instants::of(&model),
        contents: 0,
        team: None,
        gave_up: None,
        outside_goodput: Default::default(),
        now: Time::ZERO,
        end,
        network,
        changes: Changes::of(&model),
        rerouting: Rerouting::with(tables),
        several_paths,
        stated: model.stated(),
        barriers: Barriers::of(&model),
        agents,
        emitters,
        sessions,
        pool: Pool::behind(connections.len()),
        exchanges,
        cards,
        turns,
        connections,
        finished: Vec::new(),
        noted: 0,
        completions: vec![BySize::default(); groups],
        model,
        probe,
    };
    begin(&mut world, share);
    Ok(world)
}

fn check(model: &Model) -> Result<(), BuildError> {
    if model.warmup >= model.duration {
        let (warmup, duration) = (model.warmup, model.duration);
        return Err(BuildError::WarmupTooLong { warmup, duration });
    }
    let missing = |change: &&TimedChange| change.link.index() >= model.links.len();
    if let Some(change) = model.changes.iter().find(missing) {
        let (link, links) = (change.link.0, model.links.len());
        return Err(BuildError::NoSuchLink { link, links });
    }
    let links = model.links.iter();
    let links = links.map(|link| (&link.name as &dyn Display, link.from, link.to));
    let flows = model.flows.iter();
    let flows = flows.map(|flow| (&flow.group as &dyn Display, flow.from, flow.to));
    let ends = links.chain(flows).map(|(what, a, b)| (what, [a, b]));
    for (what, nodes) in ends {
        exist(model, what, nodes)?;
    }
    for middlebox in &model.middleboxes {
        exist(model, &middlebox.part.name(), [middlebox.node; 2])?;
    }
    for pair in &model.protections {
        exist(model, &pair.name, [pair.encoder, pair.decoder])?;
    }
    for (i, placed) in model.switches.iter().enumerate() {
        exist(model, &placed.part.name(), [placed.node; 2])?;
        if model.switches[..i]
            .iter()
            .any(|other| other.node == placed.node)
        {
            let node = placed.node.0;
            return Err(BuildError::SecondSwitch { node });
        }
    }
    own_check::transports(model)?;
    ends_answer(model)?;
    tasks::begin(model)?;
    several_paths::has_choice(model)?;
    routes_may_change(model)?;
    for middlebox in &model.middleboxes {
        flows_exist(model, middlebox.part.name(), &middlebox.flows)?;
    }
    for pair in &model.protections {
        if pair.unsolved.is_some() {
            let pair = pair.name.clone();
            return Err(BuildError::Unsolved { pair });
        }
        flows_exist(model, &pair.name, &pair.data)?;
        flows_exist(model, &pair.name, &pair.acks)?;
    }
    Ok(())
}

/// Checks that the nodes named by something exist.
fn exist(model: &Model, what: &dyn Display, nodes: [NodeId; 2]) -> Result<(), BuildError> {
    match nodes.iter().find(|node| node.index() >= model.nodes.len()) {
        None => Ok(()),
        Some(node) => Err(BuildError::NoSuchNode {
            what: what.to_string(),
            node: node.0,
            nodes: model.nodes.len(),
        }),
    }
}

/// Checks that nothing stands on routes that may change.
fn routes_may_change(model: &Model) -> Result<(), BuildError> {
    let middleboxes = model.middleboxes.iter().map(|placed| placed.part.name());
    let pairs = model.protections.iter().map(|pair| pair.name.as_str());
    match middleboxes.chain(pairs).next() {
        Some(what) if !model.reroutes.is_empty() => Err(BuildError::RoutesStay {
            what: what.to_owned(),
        }),
        _ => Ok(()),
    }
}

/// Checks that the two ends of each exchange name each other.
fn ends_answer(model: &Model) -> Result<(), BuildError> {
    let other = |flow: FlowId| match &model.flows.get(flow.index())?.traffic {
        Traffic::Tcp(tcp) => match &tcp.load {
            Load::Exchange(exchange) => Some(exchange.other),
            Load::Messages(side) => Some(side.other),
            _ => None,
        },
        _ => None,
    };
    for flow in (0..model.flows.len()).map(FlowId::from_index) {
        let wrong = other(flow).filter(|of| *of == flow || other(*of) != Some(flow));
        if let Some(FlowId(other)) = wrong {
            return Err(BuildError::NoOtherEnd {
                flow: flow.0,
                other,
            });
        }
    }
    Ok(())
}

/// Checks that the flows of a middlebox exist.
fn flows_exist(model: &Model, middlebox: &str, flows: &[FlowId]) -> Result<(), BuildError> {
    let missing = |flow: &&FlowId| flow.index() >= model.flows.len();
    match flows.iter().find(missing) {
        None => Ok(()),
        Some(flow) => Err(BuildError::NoSuchFlow {
            middlebox: middlebox.to_owned(),
            flow: flow.0,
            flows: model.flows.len(),
        }),
    }
}

fn network(model: &Model, streams: &Streams) -> Result<WorldNetwork, BuildError> {
    // One timer for the sending end of each flow, and one for the receiving end of each persistent
    // connection and each exchange.
    let listens = |flow: &&model::Flow| persists(flow) || is_exchange(flow);
    let timers = model.flows.len() + model.flows.iter().filter(listens).count();
    let specs = model.links.iter().map(link_spec);
    let mut network = WorldNetwork::fitted(specs, timers, fittings(model, streams)?);
    network.limit_waiting(model.budget.waiting());
    if model.ties == Ties::Drawn {
        network.draw_ties(streams.stream("network", "ties").next_u64());
    }
    let stages = model.stages();
    let end = Time::ZERO.saturating_add(model.duration);
    for (i, link) in model.links.iter().enumerate() {
        let id = LinkId::from_index(i);
        if !link.extras.drops.is_empty() {
            let drops = link.extras.drops.iter().map(scripted_drop).collect();
            network.set_script(id, Script::new(drops));
        }
        if let Some(threshold) = stages.step(id) {
            network.set_step(id, threshold);
        }
        if let Some(sends) = &link.extras.host_sends {
            let host = model.nodes[link.from.index()].name.to_string();
            network.set_host(id, sends.build(streams, &link.name.to_string(), &host, end));
        }
        if let Some(own) = &link.extras.own_loss {
            let model = own.build(port(link, streams, "loss"));
            network.set_loss(id, LossProcess::own(model));
            continue;
        }
        let lossless = stages.changes(id).then_some(LOSSLESS);
        let loss = link.extras.loss.or(lossless);
        if let Some(loss) = &loss {
            let stream = streams.stream(&format!("link/{}", link.name), "loss");
            network.set_loss(id, loss_process(loss, stream));
        }
    }
    Ok(network)
}

fn link_spec(link: &model::Link) -> LinkConfig {
    LinkConfig {
        rate: link.rate,
        delay: link.delay,
        capacity: link.buffer.capacity,
        counts_sending: link.buffer.counts == Counts::System,
    }
}

fn scripted_drop(drop: &ScriptedDrop) -> DropRule {
    match *drop {
        ScriptedDrop::Packet { k } => DropRule::Packet { k },
        ScriptedDrop::Sequence { flow, seq, k } => DropRule::Number {
            flow,
            kind: Kind::Data,
            seq,
            k,
        },
        ScriptedDrop::Ack { flow, ack, k } => DropRule::Number {
            flow,
            kind: Kind::Ack,
            seq: ack,
            k,
        },
    }
}

/// True for TCP on one connection that lasts from start to end.
fn persists(flow: &&model::Flow) -> bool {
    let on_one = matches!(&flow.traffic, Traffic::Tcp(tcp) if tcp.load.carrier() == Carrier::Same);
    on_one && !is_exchange(flow)
}

fn is_exchange(flow: &model::Flow) -> bool {
    matches!(&flow.traffic, Traffic::Tcp(tcp) if matches!(tcp.load, Load::Exchange(_)))
}

/// The drivers of all flows, as they are built.
struct Agents {
    agents: Vec<Agent>,
    emitters: Vec<Emitter>,
    sessions: Vec<Session>,
    connections: Vec<Connection>,
    exchanges: Vec<u32>,
    cards: Vec<cards::Card>,
    turns: Vec<turns::Turns>,
    /// The timer of the first receiving end.
    first_listener: u32,
    /// Positions on routes at which packets reach decoders.
    exits: Exits,
    several_paths: SeveralPaths,
    tables: Tables,
}

impl Agents {
    fn with_room(model: &Model) -> Agents {
        let is_tcp = |flow: &&model::Flow| flow.traffic.is_closed_loop();
        let tcp = model.flows.iter().filter(is_tcp).count();
        let persistent = model.flows.iter().filter(persists).count();
        Agents {
            agents: with_room(model.flows.len()),
            emitters: with_room(model.flows.len() - tcp),
            sessions: with_room(tcp),
            connections: with_room(persistent),
            exchanges: Vec::new(),
            cards: Vec::new(),
            turns: Vec::new(),
            first_listener: (model.flows.len() + persistent) as u32,
            exits: Exits::new(),
            several_paths: SeveralPaths::of(model),
            tables: Tables::default(),
        }
    }

    /// Adds an open-loop flow.
    fn add_open(&mut self, emitter: Emitter) {
        self.agents.push(Agent::Open(self.emitters.len() as u32));
        self.emitters.push(emitter);
    }

    /// Adds a TCP flow; `flows` is the number of all flows.
    fn add_tcp(&mut self, mut session: Session, flows: usize) {
        let place = self.sessions.len() as u32;
        self.agents
            .push(match (session.carrier, &session.application) {
                (Carrier::New, _) => Agent::Calls(place),
                (_, Application::Exchange(_)) => {
                    session.receiver_timer = self.first_listener + self.exchanges.len() as u32;
                    self.exchanges.push(place);
                    Agent::Exchange(place)
                }
                _ => {
                    let id = self.connections.len() as u32;
                    let timers = [session.flow.0, flows as u32 + id];
                    let mut connection = Connection::new(place, &session, timers, session.start);
                    connection.next_data = session.first;
                    self.connections.push(connection);
                    match session.application {
                        Application::Tasks(_) | Application::Dialogue(_) => Agent::Heard(id),
                        _ => Agent::Tcp(id),
                    }
                }
            });
        self.sessions.push(session);
    }
}

fn agents(
    model: &Model,
    streams: &Streams,
    network: &mut WorldNetwork,
) -> Result<Agents, BuildError> {
    let mut paths = Paths::new(model);
    let mut all = Agents::with_room(model);
    let mut name = String::new();
    if !all.several_paths.is_empty() {
        let ends = model.flows.iter().map(|flow| [flow.to, flow.from]);
        network.set_destinations(ends.collect());
    }
    for (i, flow) in model.flows.iter().enumerate() {
        name.clear();
        write!(name, "flow/{}[{}]", flow.group, flow.index).expect("a text takes all");
        let id = FlowId::from_index(i);
        let there = paths.route(id, Direction::Forward, network)?;
        let stop = flow.stop.unwrap_or(Time::NEVER);
        if flow.takes_several() {
            let find = |leg| paths.all(flow, leg, network);
            all.several_paths.give((id, flow), streams, find);
        }
        match &flow.traffic {
            Traffic::Tcp(tcp) => {
                let back = paths.route(id, Direction::Back, network)?;
                let (routes, times) = ([there, back], [flow.start, stop]);
                let mut session = Session::new(id, tcp, routes, times, streams, &name);
                session.ecn = flow.ecn;
                cards::equip(&mut session, model, network, &mut all.cards);
                turns::equip(&mut session, model, network, &mut all.turns);
                own_check::ends_open(model, &session)?;
                own_check::side_begins(model, tcp, &mut session)?;
                let last = all.sessions.last();
                let last = last.map(|last| (last.group, &*model.flows[last.flow.index()].group));
                session.group = group_after(last, &flow.group);
                all.add_tcp(session, model.flows.len());
            }
            open => all.add_open(Emitter {
                flow: id,
                route: there,
                source: AnySource::new(open, streams, &name),
                next_size: 0,
                next_seq: 0,
                next_following: 0,
                flags: Flags::default().with_ecn(flow.ecn_field()),
                stop,
            }),
        }
    }
    adapt(model, &mut paths, network)?;
    all.exits = paths.exits;
    all.tables = paths.tables;
    all.several_paths.settle();
    Ok(all)
}

/// Gives adaptive pairs a route for their reports.
fn adapt(
    model: &Model,
    paths: &mut Paths<'_>,
    network: &mut WorldNetwork,
) -> Result<(), BuildError> {
    for (i, pair) in model.protections.iter().enumerate() {
        let Some(adaptation) = &pair.adaptation else {
            continue;
        };
        let ids = fec::ids(model.middleboxes.len(), i);
        let route = paths.report_route(pair, ids, network)?;
        let place = |id| network.hop_of(route, id).expect("both are on the route");
        let (encoder, decoder) = (place(ids[0]), place(ids[1]));
        pairs::adapt(network, ids, (pair, adaptation), (decoder, encoder));
    }
    Ok(())
}
