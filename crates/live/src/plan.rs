//! Plans of live runs: a model some of whose parts are real.

use std::fs;

use pacesim::Outside;
use pacesim::model::{Flow, Load, Model, Traffic};
use pacesim::scenario::{Late, LiveParts};
use pacesim::tcp::{Control, Profile};
use pacesim::units::{Bytes, FlowId, NodeId, Rate, Span, Time};

use crate::error::LiveError;

/// The first port of hosts: that of the first real flow.
pub(crate) const FIRST_PORT: u16 = 20_000;
/// The most hosts and real flows of a run.
const MOST: usize = 1000;
/// The longest packet that a host's device takes.
const MTU: u64 = 1500;
/// Headers of IPv4 and UDP.
pub(crate) const UDP_HEADERS: u64 = 28;

/// A flow whose ends are the kernel's.
#[derive(Clone, Debug)]
pub struct Real {
    /// Flow of its data.
    pub flow: FlowId,
    /// Flow that carries its answers, for TCP.
    pub back: Option<FlowId>,
    /// Numbers of the hosts at both ends.
    pub(crate) hosts: [usize; 2],
    pub(crate) program: Program,
    pub(crate) start: Time,
    pub(crate) stop: Time,
}

/// The program of a sending host.
#[derive(Clone, Debug)]
pub(crate) enum Program {
    /// TCP with this congestion control.
    Tcp { control: String, flow: Box<Flow> },
    /// UDP at a constant rate.
    Cbr { rate: Rate, size: Bytes },
}

/// A command at a host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    /// Name of the host.
    pub host: String,
    /// Text for the shell; the name of a host in braces stands for its address.
    pub text: String,
    /// True if the run has failed unless it ends by itself.
    pub must_end: bool,
}

/// Settings of a live run beside its model.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Settings {
    /// Commands, in the order in which they start.
    pub commands: Vec<Command>,
    /// Congestion control of programs that choose none.
    pub control: Option<String>,
    /// The largest lateness with which a run stands.
    pub late: Late,
    /// Real-time priority of the loop.
    pub priority: Option<u32>,
    /// Time by which all commands must have ended.
    pub timeout: Option<Span>,
}

/// A model some of whose parts are real.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The model, in which packets of real parts come from outside.
    pub model: Model,
    /// The real flows.
    pub real: Vec<Real>,
    /// The node of each host, named ones first.
    pub(crate) hosts: Vec<NodeId>,
    /// Names of the first hosts.
    pub(crate) names: Vec<String>,
    /// The flow of packets from one named host to another.
    pub(crate) ways: Vec<(usize, usize, FlowId)>,
    pub(crate) settings: Settings,
}

impl Plan {
    /// A plan in which these parts of a model are real. Nothing is started yet.
    pub fn new(mut model: Model, parts: &LiveParts, settings: Settings) -> Result<Plan, LiveError> {
        let flows: Vec<Flow> = parts
            .flows
            .iter()
            .map(|flow| model.flows[flow.index()].clone())
            .collect();
        let outside = Outside::open(&mut model, &parts.flows, &parts.hosts);
        let mut hosts: Vec<NodeId> = parts.hosts.iter().map(|(_, node)| *node).collect();
        let end = Time::ZERO + model.duration;
        let mut real = Vec::new();
        for (flow, (id, back)) in flows.into_iter().zip(&outside.flows) {
            let program = program(&flow, &model.flow_name(*id))?;
            real.push(Real {
                flow: *id,
                back: *back,
                hosts: [flow.from, flow.to].map(|node| host_at(&mut hosts, node)),
                program,
                start: flow.start,
                stop: flow.stop.unwrap_or(end).min(end),
            });
        }
        if let Some(control) = &settings.control {
            available(control, "the commands")?;
        }
        let plan = Plan {
            model,
            real,
            hosts,
            names: parts.hosts.iter().map(|(name, _)| name.clone()).collect(),
            ways: outside.ways,
            settings,
        };
        plan.check()?;
        Ok(plan)
    }

    fn check(&self) -> Result<(), LiveError> {
        let refused = |text: String| Err(LiveError::Scenario(text));
        if self.real.is_empty() && self.settings.commands.is_empty() {
            let text =
                "nothing is live: write `live = true` at a flow, or give [live] hosts and commands";
            return refused(text.to_owned());
        }
        if self.real.len() > MOST || self.hosts.len() > MOST {
            return refused(format!(
                "a live run has at most {MOST} real flows and hosts"
            ));
        }
        let is_outer =
            |flow: &FlowId| matches!(self.model.flows[flow.index()].traffic, Traffic::Outer);
        for pair in &self.model.protections {
            let real = pair.data.iter().filter(|flow| is_outer(flow)).count();
            if real > 0 && (real < pair.data.len() || !pair.acks.is_empty()) {
                return refused(format!(
                    "{} of [[fec]] protects live and simulated packets together: make all of its flows live, or none",
                    pair.name
                ));
            }
            if real > 0 && pair.adaptation.is_some() {
                return refused(format!(
                    "{} of [[fec]] adapts to simulated reports: give it a block of a fixed size",
                    pair.name
                ));
            }
        }
        for command in &self.settings.commands {
            if !self.names.contains(&command.host) {
                return refused(format!(
                    "there is no host \"{}\" for `{}`: name it in [live] hosts",
                    command.host, command.text
                ));
            }
        }
        Ok(())
    }

    /// The name of a real flow in results.
    pub fn name(&self, real: &Real) -> String {
        self.model.flow_name(real.flow)
    }

    /// The flows that carry packets of hosts.
    pub(crate) fn outer(&self) -> impl Iterator<Item = FlowId> {
        let both = self.real.iter().map(|real| [Some(real.flow), real.back]);
        let ways = self.ways.iter().map(|(_, _, flow)| *flow);
        both.flatten().flatten().chain(ways)
    }
}

/// The number of the host at a node.
fn host_at(hosts: &mut Vec<NodeId>, node: NodeId) -> usize {
    hosts.iter().position(|at| *at == node).unwrap_or_else(|| {
        hosts.push(node);
        hosts.len() - 1
    })
}

/// The program that sends a flow's data.
fn program(flow: &Flow, name: &str) -> Result<Program, LiveError> {
    let refused = |text: &str| Err(LiveError::Scenario(format!("flow {name} {text}")));
    match &flow.traffic {
        Traffic::Cbr { rate, size } => {
            if size.0 > MTU || size.0 < UDP_HEADERS + 8 {
                return refused("sends packets that a host cannot: write a size of 36B to 1500B");
            }
            let (rate, size) = (*rate, *size);
            Ok(Program::Cbr { rate, size })
        }
        Traffic::Tcp(tcp) => {
            if tcp.transport.is_some() {
                return refused("has a transport of its own: the kernel has TCP and UDP");
            }
            if tcp.config.profile != Profile::Linux {
                return refused(
                    "is not TCP of Linux, as the kernel's is: write `profile = \"linux\"`",
                );
            }
            if matches!(
                tcp.load,
                Load::Exchange(_) | Load::Tasks(_) | Load::Messages(_)
            ) {
                return refused("has data that wait for others: write transfers");
            }
            let control = control(&tcp.config.control, name)?;
            let flow = Box::new(flow.clone());
            Ok(Program::Tcp { control, flow })
        }
        _ => refused("can be real only with traffic of kind tcp or cbr"),
    }
}

/// The kernel's name of a control, if it has it.
fn control(control: &Control, flow: &str) -> Result<String, LiveError> {
    let wanted = format!("{control:?}").to_lowercase();
    available(&wanted, flow)?;
    Ok(wanted)
}

/// Refuses a control that the kernel lacks.
fn available(wanted: &str, flow: &str) -> Result<(), LiveError> {
    let path = "/proc/sys/net/ipv4/tcp_available_congestion_control";
    let available = fs::read_to_string(path)
        .map_err(|error| LiveError::at(format!("cannot read {path}"), error))?;
    if available.split_whitespace().any(|word| word == wanted) {
        return Ok(());
    }
    Err(LiveError::Control {
        wanted: wanted.to_owned(),
        flow: flow.to_owned(),
        available: available.trim().to_owned(),
    })
}
