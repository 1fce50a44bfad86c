//! What changes at a link while time goes on.

use std::collections::{BTreeMap, BTreeSet};

use pacesim_core::routing::{Edge, Routes};
use pacesim_units::{LinkId, Rate, Span, Time};

use crate::{Loss, Metric, Model};

/// A change of a link. It comes before all else that happens at its time; changes of one time
/// come in the order of [`Model::changes`].
///
/// A link that changes has a queue that asks for each packet's turn, so what is sent when it
/// changes is sent to the end as it began.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimedChange {
    /// When.
    pub at: Time,
    /// The link.
    pub link: LinkId,
    /// What it is from then on.
    pub change: Change,
}

/// What a link is from some time on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Change {
    /// It has this rate, for packets whose transmission starts then or later.
    Rate(Rate),
    /// It has this delay, for the same packets; none overtakes another.
    Delay(Span),
    /// It loses packets that reach its end so, or none.
    Loss(Option<Loss>),
    /// It is down, and loses all that it carries, that waits, and that comes.
    Down,
    /// It is down: packets wait, and those on the wire arrive.
    Pause,
    /// It is up again.
    Up,
}

/// How links stand as far as routes go by it, where changes have made them other than they were.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct LinkStates {
    down: BTreeSet<LinkId>,
    delays: BTreeMap<LinkId, Span>,
}

impl LinkStates {
    /// A change has been made.
    pub fn note(&mut self, TimedChange { link, change, .. }: &TimedChange) {
        match change {
            Change::Down | Change::Pause => _ = self.down.insert(*link),
            Change::Up => _ = self.down.remove(link),
            Change::Delay(delay) => _ = self.delays.insert(*link, *delay),
            Change::Rate(_) | Change::Loss(_) => {}
        }
    }

    /// The shortest paths over the links that are up; these are the links as they were at first.
    pub fn routes(&self, nodes: usize, metric: Metric, edges: &[Edge]) -> Routes {
        let mut edges = edges.to_vec();
        for (link, delay) in self.delays.iter().filter(|_| metric == Metric::Delay) {
            edges[link.index()].cost = delay.as_ps();
        }
        for link in &self.down {
            // No path has a link from a node to itself.
            edges[link.index()].to = edges[link.index()].from;
        }
        Routes::new(nodes, &edges).expect("links between nodes that are there")
    }
}

impl Model {
    /// The links of which anything ever changes.
    pub fn changing_links(&self) -> BTreeSet<LinkId> {
        self.changes.iter().map(|change| change.link).collect()
    }

    /// The changes in the order in which they come.
    pub fn changes_in_order(&self) -> Vec<TimedChange> {
        let mut changes = self.changes.clone();
        changes.sort_by_key(|change| change.at);
        changes
    }
}
