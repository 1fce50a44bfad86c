//! Changes of links during a run.

use std::collections::{BTreeMap, BTreeSet};

use pacesim_core::routing::{Edge, Routes};
use pacesim_units::{LinkId, Rate, Span, Time};

use crate::{Loss, Metric, Model};

/// A change of a link. It precedes all other events at its time; simultaneous changes are in the
/// order of [`Model::changes`].
///
/// A link that changes has a queue that asks for each packet's turn, so a transmission in progress
/// ends as it began.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimedChange {
    /// Time at which the change takes effect.
    pub at: Time,
    /// Link that changes.
    pub link: LinkId,
    /// New state of the link.
    pub change: Change,
}

/// A new state of a link from some time on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Change {
    /// Rate of transmissions that start then or later.
    Rate(Rate),
    /// Delay of transmissions that start then or later; no packet overtakes another.
    Delay(Span),
    /// Loss of packets that reach the link's far end, or none.
    Loss(Option<Loss>),
    /// The link is down, and loses all packets on it, waiting packets and arrivals.
    Down,
    /// The link is down: packets wait, and those on the wire arrive.
    Pause,
    /// The link is up again.
    Up,
}

/// The rates and the delay between which a link moves in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extremes {
    /// Its lowest rate.
    pub least_rate: Rate,
    /// Its highest rate.
    pub most_rate: Rate,
    /// Its longest delay.
    pub most_delay: Span,
}

impl Extremes {
    /// A link that does not change.
    pub fn of(rate: Rate, delay: Span) -> Extremes {
        Extremes {
            least_rate: rate,
            most_rate: rate,
            most_delay: delay,
        }
    }

    /// Notes a change of the link.
    pub fn note(&mut self, change: &Change) {
        match change {
            Change::Rate(rate) => {
                self.least_rate = self.least_rate.min(*rate);
                self.most_rate = self.most_rate.max(*rate);
            }
            Change::Delay(delay) => self.most_delay = self.most_delay.max(*delay),
            Change::Loss(_) | Change::Down | Change::Pause | Change::Up => {}
        }
    }
}

/// States of links that matter to routes, where changes have altered them.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct LinkStates {
    down: BTreeSet<LinkId>,
    delays: BTreeMap<LinkId, Span>,
}

impl LinkStates {
    /// Notes a change.
    pub fn note(&mut self, TimedChange { link, change, .. }: &TimedChange) {
        match change {
            Change::Down | Change::Pause => _ = self.down.insert(*link),
            Change::Up => _ = self.down.remove(link),
            Change::Delay(delay) => _ = self.delays.insert(*link, *delay),
            Change::Rate(_) | Change::Loss(_) => {}
        }
    }

    /// The shortest paths over the links that are up; `edges` are the initial links.
    pub fn routes(&self, nodes: usize, metric: Metric, edges: &[Edge]) -> Routes {
        let mut edges = edges.to_vec();
        for (link, delay) in self.delays.iter().filter(|_| metric == Metric::Delay) {
            edges[link.index()].cost = metric.cost(*delay, None);
        }
        for link in &self.down {
            // No path has a link from a node to itself.
            edges[link.index()].to = edges[link.index()].from;
        }
        Routes::new(nodes, &edges).expect("links between nodes that are there")
    }
}

impl Model {
    /// Prepares a link for changes from outside during the run, by one that never occurs.
    pub fn let_change(&mut self, link: LinkId) {
        let rate = self.links[link.index()].rate;
        self.changes.push(TimedChange {
            at: Time::NEVER,
            link,
            change: Change::Rate(rate),
        });
    }

    /// The extremes of a link over all changes.
    pub fn extremes_of(&self, link: LinkId) -> Extremes {
        let of = &self.links[link.index()];
        let mut extremes = Extremes::of(of.rate, of.delay);
        let changes = self.changes.iter().filter(|change| change.link == link);
        changes.for_each(|TimedChange { change, .. }| extremes.note(change));
        extremes
    }

    /// The links that change at any time.
    pub fn changing_links(&self) -> BTreeSet<LinkId> {
        self.changes.iter().map(|change| change.link).collect()
    }

    /// The changes in the order of time.
    pub fn changes_in_order(&self) -> Vec<TimedChange> {
        let mut changes = self.changes.clone();
        changes.sort_by_key(|change| change.at);
        changes
    }
}
