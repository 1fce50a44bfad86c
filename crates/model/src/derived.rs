//! Facts that follow from a model. Each has one owner here, so that its readers agree.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use pacesim_units::{Capacity, LinkId, NodeId};

use crate::change::Change;
use crate::queue::PortQueue;
use crate::switch::{Input, Ports};
use crate::{Link, Model};

/// The stages of ports: what holds packets before a line, beside the plain buffer that knows each
/// departure at once.
#[derive(Clone, Debug)]
pub struct Stages<'m> {
    model: &'m Model,
    changing: BTreeSet<LinkId>,
    /// Nodes at which flows begin whose packets ports ask for.
    pulled: BTreeSet<NodeId>,
    /// Nodes whose ports share a switch, and those at which it may ask the ports upstream to hold.
    switches: BTreeMap<NodeId, bool>,
}

/// The data of its transfer that a packet of TCP states.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stated {
    /// None: no discipline reads them.
    Nothing,
    /// Those from the packet on.
    Remaining,
    /// All of the transfer.
    Size,
}

impl Model {
    /// The stages of all ports.
    pub fn stages(&self) -> Stages<'_> {
        Stages {
            model: self,
            changing: self.changing_links(),
            pulled: self
                .flows
                .iter()
                .filter(|flow| flow.is_pulled())
                .map(|flow| flow.from)
                .collect(),
            switches: (self.switches.iter())
                .map(|placed| (placed.node, placed.part.asks()))
                .collect(),
        }
    }

    /// The data of their transfer that TCP's packets state, for disciplines that read it.
    pub fn stated(&self) -> Stated {
        let queues = self.links.iter().map(|link| &link.extras.queue);
        let read = queues.flatten().map(|queue| match queue {
            PortQueue::StrictPriority(config) if !config.sizes.is_empty() => Stated::Size,
            PortQueue::Pfabric | PortQueue::Own(_) => Stated::Remaining,
            _ => Stated::Nothing,
        });
        read.max().unwrap_or(Stated::Nothing)
    }
}

impl Model {
    /// True if the switch of a node may ask ports upstream to hold packets.
    pub fn asks(&self, node: NodeId) -> bool {
        let mut switches = self.switches.iter();
        switches.any(|placed| placed.node == node && placed.part.asks())
    }

    /// The links of a node as those of a switch. The first link to a neighbour and the first from there
    /// belong together, and so on.
    pub fn ports_of(&self, node: NodeId) -> Ports {
        let links = || (0..).map(LinkId).zip(&self.links);
        let leaving = links().filter(|(_, link)| link.from == node);
        let rates = leaving.clone().map(|(_, link)| link.rate).collect();
        let mut back: BTreeMap<NodeId, VecDeque<LinkId>> = BTreeMap::new();
        for (id, link) in leaving.clone() {
            back.entry(link.to).or_default().push_back(id);
        }
        let inputs = links().filter(|(_, link)| link.to == node);
        let inputs = inputs.map(|(id, link)| {
            let back = back.get_mut(&link.from).and_then(VecDeque::pop_front);
            Input {
                link: id,
                back,
                rate: link.rate,
                there: self.extremes_of(id),
                over_back: back.map(|back| self.extremes_of(back)),
            }
        });
        Ports {
            inputs: inputs.collect(),
            rates,
            outputs: leaving.map(|(id, _)| id).collect(),
        }
    }
}

impl Stages<'_> {
    /// True if a pacer holds packets before the queue.
    pub fn has_gate(&self, link: LinkId) -> bool {
        self.link(link).extras.pacer.is_some()
    }

    /// True if the queue holds packets until their turn. Besides declared disciplines that is the
    /// drop-tail queue of a link that changes, whose rate was recorded, or whose port belongs to a
    /// switch or may be asked by one to hold.
    pub fn has_queue(&self, link: LinkId) -> bool {
        self.link(link).extras.queue.is_some() || self.needs_queue(link)
    }

    /// The queue discipline of a port whose queue is a stage.
    pub fn queue(&self, link: LinkId) -> Option<PortQueue> {
        let declared = self.link(link).extras.queue.clone();
        declared.or_else(|| self.needs_queue(link).then_some(PortQueue::DropTail))
    }

    /// The backlog at which the port marks packets on their arrival: the plain buffer's, and that of a
    /// drop-tail queue, declared or not. Other disciplines have laws of their own.
    pub fn step(&self, link: LinkId) -> Option<Capacity> {
        let extras = &self.link(link).extras;
        match extras.queue {
            None | Some(PortQueue::DropTail) => extras.mark,
            _ => None,
        }
    }

    /// True if the link ever changes.
    pub fn changes(&self, link: LinkId) -> bool {
        self.changing.contains(&link)
    }

    /// True if packets may be lost behind the port, from the start or after a change.
    pub fn may_lose(&self, link: LinkId) -> bool {
        let loses = |change: &Change| matches!(change, Change::Loss(_) | Change::Down);
        let mut changes = self.model.changes.iter();
        self.link(link).extras.may_lose()
            || changes.any(|change| change.link == link && loses(&change.change))
    }

    /// True if no departure is known before its transmission starts, whatever the discipline.
    fn needs_queue(&self, link: LinkId) -> bool {
        let Link { from, to, .. } = self.link(link);
        let is_of_switch = self.switches.contains_key(from);
        let may_be_asked = self.switches.get(to).is_some_and(|asks| *asks);
        self.changes(link)
            || self.link(link).extras.opportunities.is_some()
            || is_of_switch
            || may_be_asked
            || self.pulled.contains(from)
    }

    fn link(&self, link: LinkId) -> &Link {
        &self.model.links[link.index()]
    }
}
