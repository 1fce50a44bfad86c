//! Plans of live runs: a model some of whose flows are real.

use std::fs;

use pacesim::model::{Flow, Load, Model, Traffic};
use pacesim::tcp::{Amount, Control, Profile};
use pacesim::units::{Bytes, FlowId, NodeId, Rate, Time};

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
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Program {
    /// TCP with this congestion control, and data without end or this many bytes.
    Tcp { control: String, bytes: Option<u64> },
    /// UDP at a constant rate.
    Cbr { rate: Rate, size: Bytes },
}

/// A model some of whose flows are real.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The model, in which packets of real flows come from outside.
    pub model: Model,
    /// The real flows.
    pub real: Vec<Real>,
    /// The node of each host.
    pub(crate) hosts: Vec<NodeId>,
}

impl Plan {
    /// A plan in which these flows of a model are real. Nothing is started yet.
    pub fn new(mut model: Model, is_real: impl Fn(&Flow) -> bool) -> Result<Plan, LiveError> {
        let (mut real, mut hosts) = (Vec::new(), Vec::new());
        for index in 0..model.flows.len() {
            let flow = model.flows[index].clone();
            if !is_real(&flow) {
                continue;
            }
            let id = FlowId::from_index(index);
            let program = program(&flow, &model.flow_name(id))?;
            let ends = [flow.from, flow.to].map(|node| host_at(&mut hosts, node));
            let outer = || Traffic::Outer;
            let back = matches!(program, Program::Tcp { .. })
                .then(|| model.add_flow(flow.to, flow.from, outer()));
            let data = model.flow_mut(id);
            (data.traffic, data.start, data.stop) = (outer(), Time::ZERO, None);
            let end = Time::ZERO + model.duration;
            real.push(Real {
                flow: id,
                back,
                hosts: ends,
                program,
                start: flow.start,
                stop: flow.stop.unwrap_or(end).min(end),
            });
        }
        let plan = Plan { model, real, hosts };
        plan.check()?;
        Ok(plan)
    }

    fn check(&self) -> Result<(), LiveError> {
        let refused = |text: String| Err(LiveError::Scenario(text));
        if self.real.is_empty() {
            return refused("no flow is real: a live run needs one".to_owned());
        }
        if self.real.len() > MOST || self.hosts.len() > MOST {
            return refused(format!(
                "a live run has at most {MOST} real flows and hosts"
            ));
        }
        if !self.model.protections.is_empty() {
            let text = "[[fec]] makes packets whose bytes a live run does not have: leave it out";
            return refused(text.to_owned());
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
        both.flatten().flatten()
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
            let bytes = match &tcp.load {
                Load::Endless => None,
                Load::Once(Amount::Endless) => None,
                Load::Once(Amount::Packets(packets)) => {
                    Some(u64::from(*packets) * tcp.config.payload.0)
                }
                Load::Once(Amount::Bytes(bytes)) => Some(bytes.0),
                _ => return refused("has transfers; live senders send without end, or one amount"),
            };
            let control = control(&tcp.config.control, name)?;
            Ok(Program::Tcp { control, bytes })
        }
        _ => refused("can be real only with traffic of kind tcp or cbr"),
    }
}

/// The kernel's name of a control, if it has it.
fn control(control: &Control, flow: &str) -> Result<String, LiveError> {
    let wanted = format!("{control:?}").to_lowercase();
    let path = "/proc/sys/net/ipv4/tcp_available_congestion_control";
    let available = fs::read_to_string(path)
        .map_err(|error| LiveError::at(format!("cannot read {path}"), error))?;
    if available.split_whitespace().any(|word| word == wanted) {
        return Ok(wanted);
    }
    Err(LiveError::Control {
        wanted,
        flow: flow.to_owned(),
        available: available.trim().to_owned(),
    })
}
