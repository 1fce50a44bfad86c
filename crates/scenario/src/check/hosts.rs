//! Conditions of hosts.

use pacesim_keys::{Host, HostKeys, Scenario, Value};
use pacesim_language::problem::Faults;
use pacesim_model::{Flow, Model, Paths};
use pacesim_units::{Bytes, LinkId, NodeId, Span};

use crate::expand::expand;
use crate::hosts::{Site, distribution, members, sites};
use crate::resolve::Plan;

/// The packets of a round trip whose transmission belongs to it.
const DATA: Bytes = Bytes(1500);
const ANSWER: Bytes = Bytes(40);
/// The most stalls of a host in a run: each is drawn, also while nothing is sent.
const MOST_STALLS: u64 = 10_000_000;

/// The hosts that are described by keys, with their paths.
pub(super) fn hosts(scenario: &Scenario) -> impl Iterator<Item = (String, &HostKeys)> {
    all(scenario).filter_map(|(path, _, host)| match host {
        Host::Made(keys) => Some((path, keys)),
        _ => None,
    })
}

/// All hosts of which something is said, with their paths and the entry of [[node]] that has them.
fn all(scenario: &Scenario) -> impl Iterator<Item = (String, Option<usize>, &Host)> {
    let of_all = scenario
        .host
        .iter()
        .map(|host| ("host".to_owned(), None, host));
    let of_nodes = scenario.nodes.iter().enumerate();
    let of_nodes = of_nodes.filter_map(|(i, group)| {
        let host = group.host.as_ref()?;
        Some((format!("node[{i}].host"), Some(i), host))
    });
    let says = |host: &Host| !matches!(host, Host::Made(keys) if *keys == HostKeys::NONE);
    of_all.chain(of_nodes).filter(move |(.., host)| says(host))
}

/// Faults of single values.
pub(super) fn values(scenario: &Scenario, faults: &mut Faults) {
    for (path, keys) in hosts(scenario) {
        if keys.lumps.is_some_and(|lumps| lumps.every.is_zero()) {
            let message = "packets are collected for no time";
            let help = "give a time above 0s, or leave lumps out";
            faults
                .add(format!("{path}.lumps.every"), message)
                .help(help);
        }
        let Some(stalls) = &keys.stalls else { continue };
        if stalls.every.is_zero() {
            let message = "a host that always stalls sends nothing";
            let help = "give a time above 0s, or leave stalls out";
            faults
                .add(format!("{path}.stalls.every"), message)
                .help(help);
        }
        let duration = scenario.run.duration;
        let least = duration / MOST_STALLS;
        if stalls.every < least && !stalls.every.is_zero() {
            let message = format!(
                "a stall every {} on average makes more than {MOST_STALLS} in the run of {duration}",
                stalls.every
            );
            let help = format!("give {least} or more: hosts stall for milliseconds, seconds apart");
            faults
                .add(format!("{path}.stalls.every"), message)
                .help(help);
        }
        if mean(&stalls.length).is_some_and(|length| length > duration) {
            let message = format!("a stall is longer than the run of {duration}");
            let help = "give a length that is short beside run.duration";
            faults
                .add(format!("{path}.stalls.length"), message)
                .help(help);
        }
    }
}

/// The mean of a time, if its distribution has one.
fn mean(time: &Value<Span>) -> Option<Span> {
    let sampler = distribution(time).sampler().ok()?;
    Span::from_ps_f64(sampler.mean())
}

/// Faults of hosts in their network; of a scenario that has no others.
pub(super) fn places(scenario: &Scenario, plan: &Plan, faults: &mut Faults) {
    if all(scenario).all(|(.., host)| *host == Host::Ideal) {
        return;
    }
    let model = expand(scenario, plan, scenario.run.seed, 0);
    let sites = sites(&model);
    for (path, entry, host) in all(scenario) {
        let nodes: Vec<NodeId> = match entry {
            Some(entry) => members(plan, scenario, entry),
            None => (0..sites.len()).map(NodeId::from_index).collect(),
        };
        let routers = nodes.iter().find(|node| !sites[node.index()].is_leaf());
        if let (Some(node), Some(_), false) = (routers, entry, *host == Host::Ideal) {
            router(&path, &model, *node, &sites[node.index()], faults);
            continue;
        }
        let hosts = nodes
            .iter()
            .copied()
            .filter(|node| sites[node.index()].is_host());
        let hosts: Vec<NodeId> = hosts.collect();
        match host {
            Host::Ideal => {}
            _ if hosts.is_empty() => {
                let message =
                    "no flow begins or ends at a node with one link: there is no host here";
                let help = "see from and to of the flows, or leave it out";
                faults.add(path, message).help(help);
            }
            Host::Noisy => {}
            Host::Made(keys) => of_keys(&path, keys, &hosts, (&model, &sites), faults),
        }
    }
}

fn router(path: &str, model: &Model, node: NodeId, site: &Site, faults: &mut Faults) {
    let name = &model.nodes[node.index()].name;
    let message = format!(
        "{name} has {} links: it is a router, and takes no time for the packets that pass",
        site.degree()
    );
    let help = "give a host to nodes with one link at which flows begin or end; jitter of a link delays the packets of a router";
    faults.add(path, message).help(help);
}

fn of_keys(
    path: &str,
    keys: &HostKeys,
    hosts: &[NodeId],
    (model, sites): (&Model, &[Site]),
    faults: &mut Faults,
) {
    if keys.lumps.is_some() && !hosts.iter().any(|node| sites[node.index()].receives) {
        let message = "nothing arrives at these hosts: no flow ends there, and none that begins there is answered";
        let help = "give lumps to the receivers, or leave them out";
        faults.add(format!("{path}.lumps"), message).help(help);
    }
    let of_hosts = |flow: &&Flow| hosts.contains(&flow.from) || hosts.contains(&flow.to);
    let mut paths = model.paths();
    let round_trips = model.flows.iter().filter(of_hosts).filter_map(|flow| {
        let round_trip = round_trip(model, &mut paths, flow)?;
        Some((round_trip, flow))
    });
    let Some((shortest, flow)) = round_trips.min_by_key(|(round_trip, _)| *round_trip) else {
        return;
    };
    for (key, time) in [("send", &keys.send), ("answer", &keys.answer)] {
        let Some(mean) = time.as_ref().and_then(mean) else {
            continue;
        };
        if mean > shortest {
            let message = format!(
                "a host that takes {mean} for a packet takes more than the round trip of {}, {shortest}",
                flow.group
            );
            let help = "give less, or longer links: a host's noise is small beside a round trip";
            faults.add(format!("{path}.{key}"), message).help(help);
        }
    }
}

/// The time from a packet's first bit to the last one of its answer in an empty network.
fn round_trip(model: &Model, paths: &mut Paths, flow: &Flow) -> Option<Span> {
    let there = paths.there(flow)?;
    let back = paths.back(flow)?;
    let time = |id: &LinkId, size| {
        let link = &model.links[id.index()];
        let transmission = link.rate.transmission_time(size)?;
        link.delay.as_ps().checked_add(transmission.as_ps())
    };
    let there = there.iter().map(|id| time(id, DATA));
    let back = back.iter().map(|id| time(id, ANSWER));
    let mut times = there.chain(back);
    let ps = times.try_fold(0_u64, |sum, time| sum.checked_add(time?));
    ps.map(Span::from_ps)
}
