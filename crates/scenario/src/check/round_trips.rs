//! Round trips in an empty network: the delays of the links there and back.

use pacesim_core::routing::Routes;
use pacesim_model::{Model, Paths};
use pacesim_units::LinkId;

use super::paths::edges;
use crate::draw::Draws;
use crate::resolve::Plan;

/// The round trips of a group of flows, of the delays of links alone: no queue, no transmission, no
/// host and no middlebox adds to them.
#[derive(Clone, Debug, PartialEq)]
pub struct RoundTrips {
    /// Name of the group.
    pub group: String,
    /// The shortest round trip of its flows.
    pub least_s: f64,
    /// Mean of its flows.
    pub mean_s: f64,
    /// The longest of its flows.
    pub greatest_s: f64,
}

/// The round trips of the groups whose packets are acknowledged, in the order of the flows.
pub(crate) fn round_trips(plan: &Plan, model: &Model) -> Vec<RoundTrips> {
    let edges = edges(&plan.network, model.metric, &Draws::new(model.seed, 0));
    let routes = Routes::new(model.nodes.len(), &edges).expect("links join known nodes");
    let mut paths = Paths::of(model, routes);
    let delay = |link: &LinkId| u128::from(model.links[link.index()].delay.as_ps());
    let mut groups: Vec<(&str, Vec<u128>)> = Vec::new();
    for flow in &model.flows {
        let back = paths.of_acks(flow).filter(|back| !back.is_empty());
        let (Some(there), Some(back)) = (paths.there(flow), back) else {
            continue;
        };
        let trip = there.iter().chain(&back).map(delay).sum();
        match groups.last_mut() {
            Some((group, trips)) if *group == &*flow.group => trips.push(trip),
            _ => groups.push((&flow.group, vec![trip])),
        }
    }
    let groups = groups.into_iter();
    groups.map(|(name, trips)| summary(name, &trips)).collect()
}

/// The least, mean and greatest of a group's round trips, which are some.
fn summary(name: &str, trips: &[u128]) -> RoundTrips {
    let seconds = |ps: u128| ps as f64 / 1e12;
    let (least, greatest) = (trips.iter().min(), trips.iter().max());
    RoundTrips {
        group: name.to_owned(),
        least_s: seconds(*least.expect("a flow")),
        mean_s: seconds(trips.iter().sum()) / trips.len() as f64,
        greatest_s: seconds(*greatest.expect("a flow")),
    }
}
