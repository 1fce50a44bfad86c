//! Construction of models in code.

use std::io;

use pacesim_core::routing::Edge;
use pacesim_units::{FlowId, LinkId, NodeId, Rate, Span, Time};

use crate::middlebox::OwnMiddlebox;
use crate::switch::{OwnSwitch, PlacedSwitch};
use crate::{
    Budget, Buffer, Direction, Extras, Flow, Link, Load, Metric, Model, Name, Node, PathRule,
    PlacedMiddlebox, PortPacer, RunOutput, Salts, Tcp, Ties, Traffic,
};

impl Model {
    /// An empty network that runs for this time, with seed 1 and no warm-up.
    pub fn new(title: impl Into<String>, duration: Span) -> Model {
        Model {
            title: title.into(),
            seed: 1,
            replication: 0,
            duration,
            warmup: Span::ZERO,
            metric: Metric::Hops,
            salts: Salts::Own,
            path_choice: None,
            nodes: Vec::new(),
            links: Vec::new(),
            flows: Vec::new(),
            middleboxes: Vec::new(),
            switches: Vec::new(),
            protections: Vec::new(),
            changes: Vec::new(),
            reroutes: Vec::new(),
            barriers: Vec::new(),
            budget: Budget::default(),
            output: RunOutput::default(),
            ties: Ties::default(),
            division: Default::default(),
        }
    }

    /// The failure of a recording's store during reading, if any: the recording ended there, and
    /// the results of a run with it are void.
    pub fn failed_recording(&self) -> Option<&io::Error> {
        let of_flows = self.flows.iter().find_map(|flow| match &flow.traffic {
            Traffic::Recorded(arrivals) => arrivals.failure(),
            Traffic::Video(video) => video.frames.failure(),
            Traffic::Tcp(Tcp {
                load: Load::Scheduled(transfers),
                ..
            }) => transfers.recording.as_ref()?.failure(),
            _ => None,
        });
        let of_link = || {
            let recorded = self.links.iter().flat_map(|link| {
                let of_pacer = match &link.extras.pacer {
                    Some(PortPacer::RecordedRate(config)) => Some(&config.opportunities_ms),
                    _ => None,
                };
                of_pacer.into_iter().chain(&link.extras.opportunities)
            });
            recorded.into_iter().find_map(|recorded| recorded.failure())
        };
        of_flows.or_else(of_link)
    }

    /// The links as routes see them.
    pub fn edges(&self) -> Vec<Edge> {
        let edge = |link: &Link| Edge {
            from: link.from,
            to: link.to,
            cost: self.metric.cost(link.delay, link.length_m),
        };
        self.links.iter().map(edge).collect()
    }

    /// Adds a node.
    pub fn add_node(&mut self, name: impl Into<Name>) -> NodeId {
        self.nodes.push(Node { name: name.into() });
        NodeId::from_index(self.nodes.len() - 1)
    }

    /// Adds a unidirectional link with an unlimited buffer; set its fields for the rest:
    /// `model.links[id.index()].buffer = ...`.
    pub fn add_link(&mut self, from: NodeId, to: NodeId, rate: Rate, delay: Span) -> LinkId {
        self.links.push(Link {
            name: Name::from(format!("link[{}]", self.links.len())),
            from,
            to,
            rate,
            delay,
            buffer: Buffer::UNLIMITED,
            length_m: None,
            extras: Extras::default(),
        });
        LinkId::from_index(self.links.len() - 1)
    }

    /// A link of the model, mutable.
    pub fn link_mut(&mut self, link: LinkId) -> &mut Link {
        &mut self.links[link.index()]
    }

    /// Adds a flow that starts at once and stops at the end of the run.
    pub fn add_flow(&mut self, from: NodeId, to: NodeId, traffic: Traffic) -> FlowId {
        self.flows.push(Flow {
            group: "flow".into(),
            index: self.flows.len() as u32,
            from,
            to,
            start: Time::ZERO,
            stop: None,
            class: 0,
            ecn: None,
            path: PathRule::First,
            traffic,
        });
        FlowId::from_index(self.flows.len() - 1)
    }

    /// Name of a flow: its group and its index there.
    pub fn flow_name(&self, flow: FlowId) -> String {
        let flow = &self.flows[flow.index()];
        format!("{}[{}]", flow.group, flow.index)
    }

    /// Puts a middlebox at a node, for the packets that these flows send through it.
    pub fn add_middlebox(&mut self, node: NodeId, flows: Vec<FlowId>, part: OwnMiddlebox) {
        self.middleboxes.push(PlacedMiddlebox {
            node,
            flows,
            direction: Direction::Forward,
            part,
        });
    }

    /// Puts a switch at a node: the ports of all links from there share it.
    pub fn add_switch(&mut self, node: NodeId, part: OwnSwitch) {
        self.switches.push(PlacedSwitch { node, part });
    }

    /// A flow of the model, mutable.
    pub fn flow_mut(&mut self, flow: FlowId) -> &mut Flow {
        &mut self.flows[flow.index()]
    }
}
