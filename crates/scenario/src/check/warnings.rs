//! Warnings of settings that are legal but probably mistakes.

use std::collections::BTreeSet;

use pacesim_core::routing::Routes;
use pacesim_keys::{self as keys, Scenario, Value};
use pacesim_language::problem::Faults;
use pacesim_model::{Flow, Model, Sizes, Traffic};
use pacesim_units::{Capacity, LinkId, Rate, Span, Time};

use super::paths::{edges, first_links};
use super::{drawn, fec};
use crate::arrivals::floods;
use crate::draw::Draws;
use crate::resolve::Plan;

/// All settings of a valid scenario that deserve a second look.
pub(crate) fn warnings(scenario: &Scenario, plan: &Plan, model: &Model) -> Faults {
    let mut faults = Faults::default();
    for (i, flow) in scenario.flows.iter().enumerate() {
        if let Value::Constant(start) = flow.start
            && start >= scenario.run.duration
        {
            let end = scenario.run.duration;
            let message =
                format!("nothing is ever sent: it starts at {start}, the run ends at {end}");
            let help = "give a start before run.duration";
            faults.add(format!("flow[{i}].start"), message).help(help);
        }
    }
    drawn::warnings(scenario, &mut faults);
    fec::warnings(scenario, model, &mut faults);
    let paths = paths(plan, model);
    let groups = groups(plan, model);
    overloads(model, &paths, &groups, &mut faults);
    unused(plan, &paths, &groups, &mut faults);
    unheeded(plan, model, &paths, &groups, &mut faults);
    loads(scenario, plan, model, &paths, &mut faults);
    for (i, flow) in scenario.flows.iter().enumerate() {
        if let keys::Traffic::Recorded(recorded) = &flow.traffic
            && recorded.rate.is_some()
            && let Ok(played) = recorded.played()
            && let Some(last) = played.arrivals.last()
        {
            let path = format!("flow[{i}].traffic.file");
            ended(scenario, i, (&path, last.at), &mut faults);
        }
    }
    faults
}

/// Warns of a recording at a chosen rate that ends before the flows that play it.
fn ended(scenario: &Scenario, group: usize, (path, last): (&str, Span), faults: &mut Faults) {
    let (flow, end) = (&scenario.flows[group], scenario.run.duration);
    let end = flow.stop.map_or(end, |stop| stop.min(end));
    let start = match flow.start {
        Value::Constant(start) => start,
        Value::Drawn(_) => Span::ZERO,
    };
    let last = start.as_ps().saturating_add(last.as_ps());
    if last < end.as_ps() {
        let last = Span::from_ps(last);
        let message = format!("at this rate the recording ends at {last}, and its flows at {end}");
        let help =
            "give a longer recording, a lower rate, or an earlier end: nothing is sent in between";
        faults.add(path, message).help(help);
    }
}

/// The links of the same name and direction.
struct Group {
    links: std::ops::Range<usize>,
    /// The index of their wires.
    wires: usize,
    /// The key of their buffer.
    buffer: String,
}

fn groups(plan: &Plan, model: &Model) -> Vec<Group> {
    let firsts = first_links(&plan.network);
    let ends = firsts.iter().skip(1).map(|(first, _)| *first as usize);
    let ends = ends.chain([model.links.len()]);
    let group = |((first, direction), end): (&(u32, super::paths::Direction), usize)| {
        let wires = &plan.network.wires[direction.wires];
        let own = direction.back && wires.spec.back.buffer.is_some();
        let back = if own { ".back" } else { "" };
        Group {
            links: *first as usize..end,
            wires: direction.wires,
            buffer: format!("{}{back}.buffer", wires.path),
        }
    };
    firsts.iter().zip(ends).map(group).collect()
}

/// The paths of all flows, forward and, for acknowledgements, back.
struct Paths {
    there: Vec<Vec<LinkId>>,
    back: Vec<Vec<LinkId>>,
}

fn paths(plan: &Plan, model: &Model) -> Paths {
    let edges = edges(&plan.network, model.metric, &Draws::new(model.seed, 0));
    let routes = Routes::new(model.nodes.len(), &edges);
    let mut routes = routes.expect("links join known nodes");
    let mut path = |from, to| routes.path(from, to).expect("every path was checked");
    let there = model.flows.iter().map(|flow| path(flow.from, flow.to));
    let there = there.collect();
    let closed = model.flows.iter();
    let closed = closed.filter(|flow| matches!(flow.traffic, Traffic::Tcp(_)));
    let back = closed.map(|flow| path(flow.to, flow.from)).collect();
    Paths { there, back }
}

/// Unlimited buffers that receive more than their line can send, until the end of the run.
fn overloads(model: &Model, paths: &Paths, groups: &[Group], faults: &mut Faults) {
    let fed = fed(model, paths);
    for group in groups {
        let is_over = |link: &usize| {
            let link = &model.links[*link];
            link.buffer.capacity == Capacity::Unlimited && link.extras.pacer.is_none()
        };
        let over = group.links.clone().filter(is_over);
        let mut over = over.filter(|link| fed[*link] > line(model, *link) * (1.0 + 1e-9));
        let Some(first) = over.next() else {
            continue;
        };
        let link = &model.links[first];
        let fed = Rate::from_bps(fed[first] as u64).expect("above that of a line");
        let more = match over.count() {
            0 => String::new(),
            n => format!(", and so with {n} more of these links"),
        };
        let message = format!(
            "the queue of {} grows without end: sources that never slow down send {fed} over its {}{more}",
            link.name, link.rate
        );
        let help = "give a finite buffer, a faster link, or less traffic";
        faults.add(&group.buffer, message).help(help);
    }
}

fn line(model: &Model, link: usize) -> f64 {
    model.links[link].rate.as_bps() as f64
}

/// Minimum long-run load of each link, in bit/s, from flows of a known rate that last to the end.
/// An overloaded line passes its flows on in proportion; traffic that has passed a link with other
/// traffic, loss or a pacer does not count.
fn fed(model: &Model, paths: &Paths) -> Vec<f64> {
    let end = Time::ZERO + model.duration;
    let rates: Vec<f64> = model
        .flows
        .iter()
        .map(|flow| steady_rate(flow, end))
        .collect();
    let mut clear: Vec<bool> = model
        .links
        .iter()
        .map(|link| {
            !link.extras.may_lose()
                && link.extras.drops.is_empty()
                && link.extras.pacer.is_none()
                && link.extras.opportunities.is_none()
        })
        .collect();
    let unknown = paths
        .there
        .iter()
        .zip(&rates)
        .filter(|(_, rate)| **rate == 0.0);
    let unknown = unknown.map(|(path, _)| path).chain(&paths.back);
    unknown
        .flatten()
        .for_each(|link| clear[link.index()] = false);
    let longest = paths.there.iter().map(Vec::len).max().unwrap_or(0);
    let mut fed: Vec<f64> = vec![0.0; model.links.len()];
    // Each round is correct one hop further from the sources.
    for _ in 0..longest {
        let mut next = vec![0.0; model.links.len()];
        for (path, rate) in paths.there.iter().zip(&rates) {
            let mut rate = *rate;
            for link in path.iter().map(|link| link.index()) {
                next[link] += rate;
                let share = line(model, link) / fed[link].max(line(model, link));
                rate *= if clear[link] { share } else { 0.0 };
            }
        }
        // More rounds would change nothing: usually there are two, whatever the length of paths.
        if next == fed {
            break;
        }
        fed = next;
    }
    fed
}

/// The mean rate of a flow that never reacts and lasts to the end, otherwise zero.
fn steady_rate(flow: &Flow, end: Time) -> f64 {
    if flow.start >= end || flow.stop.is_some_and(|stop| stop < end) {
        return 0.0;
    }
    match &flow.traffic {
        Traffic::Cbr { rate, .. }
        | Traffic::Poisson {
            rate,
            size: Sizes::Constant(_),
        } => rate.as_bps() as f64,
        Traffic::FractionalNoise(noise) => noise.rate.as_bps() as f64,
        Traffic::Sessions(sessions) => sessions.rate.as_bps() as f64,
        _ => 0.0,
    }
}

/// Finite buffers on links without traffic.
fn unused(plan: &Plan, paths: &Paths, groups: &[Group], faults: &mut Faults) {
    let links = groups.last().map_or(0, |group| group.links.end);
    let mut used = vec![false; links];
    let used_links = paths.there.iter().chain(&paths.back);
    used_links
        .flatten()
        .for_each(|link| used[link.index()] = true);
    for (i, wires) in plan.network.wires.iter().enumerate() {
        let mut of_wires = groups.iter().filter(|group| group.wires == i);
        let is_used = of_wires.any(|group| used[group.links.clone()].contains(&true));
        if !is_used && wires.spec.queue.buffer != Capacity::Unlimited {
            let message = format!("no flow crosses {}, whose buffer is never used", wires.name);
            let help = "see from and to of the flows, and run.routing";
            faults
                .add(format!("{}.buffer", wires.path), message)
                .help(help);
        }
    }
}

/// Queues that mark packets on links where no packet may be marked.
fn unheeded(plan: &Plan, model: &Model, paths: &Paths, groups: &[Group], faults: &mut Faults) {
    let flows = model.flows.iter().zip(&paths.there);
    let heeding = flows.filter(|(flow, _)| flow.ecn_field().is_capable());
    let heeded: BTreeSet<usize> = heeding
        .flat_map(|(_, path)| path.iter().map(|link| link.index()))
        .collect();
    for (i, wires) in plan.network.wires.iter().enumerate() {
        let of_wires = groups.iter().filter(|group| group.wires == i);
        let mut links = of_wires.flat_map(|group| group.links.clone());
        let marks = |link: usize| model.links[link].extras.marks();
        if !links.clone().any(marks) || links.any(|link| heeded.contains(&link)) {
            continue;
        }
        let key = match (&wires.spec.queue.mark, &wires.spec.discipline) {
            (Some(_), _) => "mark",
            (None, Some(_)) => "discipline",
            (None, None) => "back",
        };
        let message = format!("no flow over {} understands marks", wires.name);
        let help = "give TCP of profile \"linux\" ecn = true, or other flows a field such as ecn = \"ect0\"; or let the queue mark nothing";
        faults
            .add(format!("{}.{key}", wires.path), message)
            .help(help);
    }
}

/// Loads beyond the capacity of a link, or of a link that some flows of the group do not cross.
fn loads(scenario: &Scenario, plan: &Plan, model: &Model, paths: &Paths, faults: &mut Faults) {
    for flood in floods(scenario, plan, &model.links) {
        let (Some(load), Some(link)) = (flood.pace.load, flood.link) else {
            continue;
        };
        if let Some(last) = flood.last {
            ended(
                scenario,
                flood.group,
                (&format!("{}.file", flood.path), last),
                faults,
            );
        }
        let name = &model.links[link.index()].name;
        if load > 1.0 {
            let message = format!("a load of {load} is more than {name} can carry");
            let help = match flood.waits {
                true => "users wait for their transfers and offer less; give less than 1",
                false => "transfers pile up until the run ends; give less than 1",
            };
            faults
                .add(format!("{}.load", flood.path), message)
                .help(help);
        }
        let group = &scenario.flows[flood.group].name;
        let members = model.flows.iter().zip(&paths.there);
        let mut members = members.filter(|(flow, _)| *flow.group == **group);
        if members.any(|(_, path)| !path.contains(&link)) {
            let message = format!("not all flows of {group} cross {name}");
            let help = "the load would be that of all flows together";
            faults.add(format!("{}.of", flood.path), message).help(help);
        }
    }
}
