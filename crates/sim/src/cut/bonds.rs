//! Nodes that must be in one part, since something acts on them at once.

use std::collections::BTreeMap;

use pacesim_units::{NodeId, Span};

use super::Uncut;
use crate::model::{Carrier, Flow, Link, Load, Model, PathRule, Traffic};

/// Sets of nodes that must be in one part.
#[derive(Clone, Debug)]
pub(super) struct Bonds {
    /// A node of the same set for each node, and itself for one of each set.
    above: Vec<u32>,
    /// A node that must be in the first part, and the reason.
    anchor: Option<(NodeId, &'static str)>,
    /// The first reason for which nodes are joined, if any are.
    first: Option<&'static str>,
}

impl Bonds {
    /// The sets of a model; an error if it cannot be divided at all.
    pub(super) fn of(model: &Model) -> Result<Bonds, Uncut> {
        if let Some(reason) = indivisible(model) {
            return Err(Uncut::because(reason));
        }
        let mut bonds = Bonds {
            above: (0..model.nodes.len() as u32).collect(),
            anchor: None,
            first: None,
        };
        for link in &model.links {
            if let Some(reason) = joins(model, link) {
                bonds.join(link.from, link.to, reason);
            }
        }
        let mut senders: BTreeMap<&str, NodeId> = BTreeMap::new();
        for flow in &model.flows {
            if has_transfers(flow) {
                // Their slowdowns are added up group by group, in the order in which they end.
                let first = *senders.entry(&flow.group).or_insert(flow.from);
                bonds.join(
                    first,
                    flow.from,
                    "senders of a group with transfers stay together",
                );
            }
            if let Some(reason) = keeps_together(flow) {
                bonds.join(flow.from, flow.to, reason);
                let anchor = bonds.anchor.get_or_insert((flow.from, reason)).0;
                bonds.join(anchor, flow.from, reason);
            }
        }
        Ok(bonds)
    }

    fn join(&mut self, a: NodeId, b: NodeId, reason: &'static str) {
        let (a, b) = (self.top(a), self.top(b));
        if a != b {
            self.first.get_or_insert(reason);
            self.above[a.max(b) as usize] = a.min(b);
        }
    }

    fn top(&mut self, node: NodeId) -> u32 {
        let mut at = node.0;
        while self.above[at as usize] != at {
            self.above[at as usize] = self.above[self.above[at as usize] as usize];
            at = self.above[at as usize];
        }
        at
    }

    pub(super) fn are_joined(&mut self, a: NodeId, b: NodeId) -> bool {
        self.top(a) == self.top(b)
    }

    /// The pieces if links of shorter delays are not cut either: the number of that of each node. The
    /// anchor is in piece 0.
    pub(super) fn joined_below(&self, model: &Model, shortest: Span) -> Vec<u32> {
        let mut all = self.clone();
        for link in model.links.iter().filter(|link| link.delay < shortest) {
            all.join(link.from, link.to, "");
        }
        let mut numbers = vec![u32::MAX; all.above.len()];
        let mut next = 0;
        let anchor = self.anchor.map(|(node, _)| node);
        let nodes = (0..all.above.len()).map(NodeId::from_index);
        for node in anchor.into_iter().chain(nodes) {
            let number = &mut numbers[all.top(node) as usize];
            if *number == u32::MAX {
                *number = next;
                next += 1;
            }
        }
        let nodes = (0..all.above.len()).map(NodeId::from_index);
        nodes.map(|node| numbers[all.top(node) as usize]).collect()
    }

    /// Fails if nodes of one set have different parts.
    pub(super) fn must_hold(&mut self, model: &Model, of_nodes: &[u32]) -> Result<(), Uncut> {
        let name = |node: usize| &model.nodes[node].name;
        let first = of_nodes.iter().min().copied().unwrap_or_default();
        for node in 0..of_nodes.len() {
            let top = self.top(NodeId::from_index(node)) as usize;
            if of_nodes[top] != of_nodes[node] {
                let reason = self.first.unwrap_or_default();
                let (a, b) = (name(top), name(node));
                return Err(Uncut::because(format!(
                    "the nodes {a} and {b} must be in one part: {reason}"
                )));
            }
        }
        match self.anchor {
            Some((node, reason)) if of_nodes[node.index()] != first => {
                Err(Uncut::because(format!(
                    "the node {} must be in the first part: {reason}",
                    name(node.index())
                )))
            }
            _ => Ok(()),
        }
    }

    /// The reason why nothing is left to divide.
    pub(super) fn reason(&self) -> Uncut {
        Uncut::because(match self.first {
            Some(reason) => format!("nothing is left to divide: {reason}"),
            None => "its network cannot be divided".to_owned(),
        })
    }

    /// The reason why this node cannot be parted from others: a link by its name, if one is.
    pub(super) fn why(&self, model: &Model, node: NodeId) -> String {
        let pieces = self.joined_below(model, Span::ZERO);
        let is_here = |other: NodeId| pieces[other.index()] == pieces[node.index()];
        let here = model.links.iter().filter(|link| is_here(link.from));
        let named = here.filter_map(|link| Some((&link.name, joins(model, link)?)));
        match named.min_by_key(|(_, reason)| *reason != NO_DELAY) {
            Some((name, reason)) => format!("{reason} ({name})"),
            None => self.first.unwrap_or_default().to_owned(),
        }
    }
}

const NO_DELAY: &str = "a link has no delay";

/// The reason why both ends of a link are in one part.
fn joins(model: &Model, link: &Link) -> Option<&'static str> {
    Some(match () {
        () if link.delay.is_zero() => NO_DELAY,
        () if link.extras.may_lose() => "the losses of a wire belong to both its ends",
        () if model.asks(link.from) || model.asks(link.to) => {
            "a switch asks its neighbours to hold packets (PFC)"
        }
        () => return None,
    })
}

/// The reason why a model cannot be divided at all.
fn indivisible(model: &Model) -> Option<&'static str> {
    let load = |flow: &Flow| match &flow.traffic {
        Traffic::Tcp(tcp) => Some(tcp.load.clone()),
        _ => None,
    };
    let loads = || model.flows.iter().filter_map(load);
    let any = |is: fn(&Load) -> bool| loads().any(|load| is(&load));
    let any_flow = |is: fn(&Flow) -> bool| model.flows.iter().any(is);
    Some(match () {
        () if !model.changes.is_empty() || !model.reroutes.is_empty() => {
            "links or routes change during the run"
        }
        () if !model.barriers.is_empty() || any(|load| matches!(load, Load::Tasks(_))) => {
            "transfers wait for those of other flows"
        }
        () if any(|load| matches!(load, Load::Messages(_))) => "an application runs on both ends",
        () if any_flow(|flow| matches!(flow.path, PathRule::LeastLoaded(_) | PathRule::Own)) => {
            "paths are chosen by queues elsewhere"
        }
        () if any_flow(|flow| matches!(flow.traffic, Traffic::Outer)) => {
            "packets come from outside"
        }
        () if any_flow(|flow| matches!(flow.traffic, Traffic::Own(_))) => {
            "a source is the user's own"
        }
        () if model.budget.events.is_some() => "the run has its own limit of events",
        () if model.output.tcp.is_some() || model.output.ends.is_some() => {
            "the events of senders are recorded"
        }
        () if model.output.packets.is_some() => "packets are recorded in the order of time",
        () => return None,
    })
}

/// True for TCP whose transfers end and are counted.
fn has_transfers(flow: &Flow) -> bool {
    matches!(&flow.traffic, Traffic::Tcp(tcp) if !matches!(tcp.load, Load::Endless))
}

/// The reason why both ends of a flow are in one part.
fn keeps_together(flow: &Flow) -> Option<&'static str> {
    let Traffic::Tcp(tcp) = &flow.traffic else {
        return None;
    };
    Some(match () {
        () if tcp.transport.is_some() => "both ends of a transport other than TCP stay together",
        () if matches!(tcp.load, Load::Exchange(_)) => "both ends of an exchange stay together",
        () if tcp.load.carrier() == Carrier::New => {
            "both ends of connections for one transfer stay together"
        }
        () => return None,
    })
}
