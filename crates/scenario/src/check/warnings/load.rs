//! Links and recordings that have too much to carry, or too little.

use std::collections::BTreeSet;

use pacesim_keys::WarningName;
use pacesim_keys::{self as keys, Scenario, Value};
use pacesim_language::problem::Faults;
use pacesim_model::{Flow, Model, Sizes, Traffic};
use pacesim_units::{Capacity, LinkId, Rate, Span, Time};

use super::View;
use crate::arrivals::{Flood, floods};
use crate::check::warn::Warn as _;

/// Warns of queues that grow without end, and of loads and recordings that do not fit.
pub(super) fn warnings(view: &View<'_>, faults: &mut Faults) {
    overloads(view, faults);
    loads(view, faults);
    narrow_links(view, faults);
    for (i, flow) in view.scenario.flows.iter().enumerate() {
        if let keys::Traffic::Recorded(recorded) = &flow.traffic
            && recorded.rate.is_some()
            && let Ok(played) = recorded.played()
            && let Some(last) = played.arrivals.last()
        {
            let path = format!("flow[{i}].traffic.file");
            ended(view.scenario, i, (&path, last.at), faults);
        }
    }
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
        faults
            .warn(WarningName::ShortRecording, path, message)
            .help(help);
    }
}

/// Unlimited buffers that receive more than their line can send, until the end of the run.
fn overloads(view: &View<'_>, faults: &mut Faults) {
    let model = view.model;
    let fed = fed(view);
    for group in &view.groups {
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
        let path = group.buffer.as_str();
        faults
            .warn(WarningName::GrowingQueue, path, message)
            .help(help);
    }
}

fn line(model: &Model, link: usize) -> f64 {
    model.links[link].rate.as_bps() as f64
}

/// Minimum long-run load of each link, in bit/s, from flows of a known rate that last to the end.
/// An overloaded line passes its flows on in proportion; traffic that has passed a link with other
/// traffic, loss or a pacer does not count.
fn fed(view: &View<'_>) -> Vec<f64> {
    let (model, paths) = (view.model, &view.paths);
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
    let is_whole = flow.start < end && flow.stop.is_none_or(|stop| stop >= end);
    if !is_whole || flow.takes_several() {
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

/// Loads beyond the capacity of a link, or of a link that some flows of the group do not cross.
fn loads(view: &View<'_>, faults: &mut Faults) {
    let View {
        scenario,
        plan,
        model,
        paths,
        ..
    } = view;
    for flood in floods(scenario, plan, &model.links) {
        let (Some(load), [first, others @ ..]) = (flood.pace.load, flood.links) else {
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
        let name = match others.len() {
            0 => model.links[first.index()].name.to_string(),
            more => format!("{} and {more} more", model.links[first.index()].name),
        };
        if load > 1.0 {
            let message = format!("a load of {load} is more than {name} can carry");
            let help = if flood.waits {
                "users wait for their transfers and offer less; give less than 1"
            } else {
                "transfers pile up until the run ends; give less than 1"
            };
            let path = format!("{}.load", flood.path);
            faults.warn(WarningName::Overload, path, message).help(help);
        }
        let group = &scenario.flows[flood.group].name;
        let members = model.flows.iter().zip(&paths.there);
        let mut members = members.filter(|(flow, _)| *flow.group == **group);
        let crossed = |(flow, path): (&Flow, &Vec<LinkId>)| {
            let passed = flow.surely_passed(path);
            passed.filter(|link| flood.links.contains(link)).count()
        };
        if members.any(|member| crossed(member) != 1) {
            let message = match others.len() {
                0 => format!("not all flows of {group} cross {name}"),
                _ => format!("not all flows of {group} cross exactly one of {name}"),
            };
            let help = "the load would be that of all flows together";
            let path = format!("{}.of", flood.path);
            faults
                .warn(WarningName::LoadElsewhere, path, message)
                .help(help);
        }
    }
}

/// Transfers that come faster than a link carries which all or some of their flows cross: at their own
/// times, whatever the network does.
fn narrow_links(view: &View<'_>, faults: &mut Faults) {
    let model = view.model;
    let floods = floods(view.scenario, view.plan, &model.links);
    let open = floods
        .iter()
        .filter(|flood| !flood.waits && flood.is_of_all(view.scenario));
    let open: Vec<&Flood<'_>> = open.collect();
    let mut offered = vec![0.0; model.links.len()];
    for flood in &open {
        let flows = view.flows_of(flood.group);
        let each = flood.bps() / flows.len() as f64;
        for (flow, path) in view.paths_of(flows) {
            for link in flow.surely_passed(path) {
                offered[link.index()] += each;
            }
        }
    }
    for flood in open {
        let is_told = flood.pace.load.is_some_and(|load| load > 1.0);
        let crossed = view.paths_of(view.flows_of(flood.group));
        let links: BTreeSet<LinkId> = crossed
            .flat_map(|(flow, path)| flow.surely_passed(path).collect::<Vec<_>>())
            .filter(|link| !(is_told && flood.links.contains(link)))
            .collect();
        let excess = |link: &LinkId| offered[link.index()] / line(model, link.index());
        let narrowest = links
            .into_iter()
            .max_by(|a, b| excess(a).total_cmp(&excess(b)));
        let Some(link) = narrowest.filter(|link| excess(link) > 1.0 + 1e-9) else {
            continue;
        };
        let (name, rate) = (
            &model.links[link.index()].name,
            model.links[link.index()].rate,
        );
        let sum = Rate::from_bps(offered[link.index()] as u64).expect("above that of a line");
        let message =
            format!("{sum} are offered to {name}, which these flows cross, and it has {rate}");
        let key = match flood.pace.load {
            Some(_) => "of",
            None => "every",
        };
        let help = match flood.pace.load {
            Some(_) => format!("give the load of this link, of = \"{name}\", or a smaller one"),
            None => "give a longer time between arrivals, or smaller transfers".to_owned(),
        };
        let path = format!("{}.{key}", flood.path);
        faults.warn(WarningName::Overload, path, message).help(help);
    }
}
