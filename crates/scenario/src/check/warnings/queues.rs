//! Queues whose rule their own line or buffer keeps from acting, and middleboxes for ACKs that never come.

use pacesim_keys::{CodelSpec, Discipline, MiddleboxKind, WarningName};
use pacesim_language::problem::Faults;
use pacesim_model::{Flow, Link, Load, Model};
use pacesim_units::{Bytes, Capacity, Rate, Span};

use super::links::{name_of, parts};
use super::{Group, View};
use crate::check::warn::Warn as _;

/// Warns of both.
pub(super) fn warnings(view: &View<'_>, faults: &mut Faults) {
    for group in &view.groups {
        if view.is_used(group.links.clone()) {
            idle_rule(view, group, faults);
            without_acks(view, group, faults);
        }
    }
}

/// A discipline that acts like drop-tail, since something else is the limit.
fn idle_rule(view: &View<'_>, group: &Group, faults: &mut Faults) {
    let Some(discipline) = parts(view, group).discipline else {
        return;
    };
    let mut links = view.model.links[group.links.clone()].iter();
    let idle = links.find_map(|link| {
        let largest = largest_packet(view, group);
        let limit = limit(discipline, link, largest);
        let limit = limit.or_else(|| without_ends(discipline, view.model));
        limit.map(|limit| (link, limit))
    });
    if let Some((link, Limit { key, why, help })) = idle {
        let message = format!("{why}: at {} this rule never acts", link.name);
        let path = format!("{}.discipline.{key}", group.path);
        faults
            .warn(WarningName::IdleQueue, path, message)
            .help(help);
    }
}

/// The reason why a rule never acts.
struct Limit {
    key: &'static str,
    why: String,
    help: &'static str,
}

fn limit(discipline: &Discipline, link: &Link, largest: Bytes) -> Option<Limit> {
    let capacity = link.buffer.capacity;
    let smaller = "give a smaller value, or a larger buffer";
    let by_wait = |codel: &CodelSpec| {
        let wait = longest_wait(capacity, largest, link.rate)?;
        let rules = [Some(codel.target), codel.ce_threshold, codel.l4s_threshold];
        let first = rules.into_iter().flatten().min()?;
        (first >= wait).then(|| Limit {
            key: "target",
            why: format!(
                "no packet waits for {first}, as the buffer of {capacity} drains in {wait}"
            ),
            help: smaller,
        })
    };
    match discipline {
        Discipline::Tbf { rate, .. } if *rate >= link.rate => Some(Limit {
            key: "rate",
            why: format!("tokens come at {rate}, and the line sends at {}", link.rate),
            help: "give a rate below that of the line, or leave the discipline out",
        }),
        Discipline::DepartureLimit { limit, .. } if is_beyond(*limit, capacity) => Some(Limit {
            key: "limit",
            why: format!("no queue is longer than {limit} behind a buffer of {capacity}"),
            help: smaller,
        }),
        Discipline::Red(red) if is_beyond(red.min_th, capacity) => Some(Limit {
            key: "min_th",
            why: format!(
                "no mean queue is longer than {} behind a buffer of {capacity}",
                red.min_th
            ),
            help: smaller,
        }),
        Discipline::Trim(_) if capacity == Capacity::Unlimited => Some(Limit {
            key: "variant",
            why: "packets are cut only where the buffer has a limit".to_owned(),
            help: "give the link buffer = \"8pkts\"",
        }),
        Discipline::Codel(codel) => by_wait(codel),
        Discipline::FqCodel(spec) => by_wait(&spec.codel),
        _ => None,
    }
}

/// A rule about the data left of transfers where there are none.
fn without_ends(discipline: &Discipline, model: &Model) -> Option<Limit> {
    let has_ends = |flow: &Flow| {
        let tcp = flow.traffic.tcp();
        tcp.is_some_and(|tcp| !matches!(tcp.load, Load::Endless))
    };
    let is_idle = matches!(discipline, Discipline::Pfabric) && !model.flows.iter().any(has_ends);
    is_idle.then(|| Limit {
        key: "kind",
        why: "no flow has transfers of TCP, which alone state the data that they have left".into(),
        help: "give a flow transfers, or leave the discipline out",
    })
}

/// True if a queue within this capacity never exceeds the threshold.
fn is_beyond(threshold: Capacity, capacity: Capacity) -> bool {
    match (threshold, capacity) {
        (Capacity::Packets(least), Capacity::Packets(most)) => least >= most,
        (Capacity::Bytes(least), Capacity::Bytes(most)) => least >= most,
        _ => false,
    }
}

/// The longest wait in a full buffer, behind a packet in transmission; none without a limit.
fn longest_wait(capacity: Capacity, largest: Bytes, rate: Rate) -> Option<Span> {
    let bytes = match capacity {
        Capacity::Unlimited => return None,
        Capacity::Bytes(bytes) => bytes.get().saturating_add(largest.get()),
        Capacity::Packets(packets) => packets.saturating_add(1).saturating_mul(largest.get()),
    };
    let ps = bytes as f64 * 8e12 / rate.as_bps() as f64;
    Some(Span::from_ps(ps as u64))
}

/// The largest packet of all flows that cross the group's links.
fn largest_packet(view: &View<'_>, group: &Group) -> Bytes {
    let crosses_later = view.paths.cross_later(&group.links);
    let crosses = |flow: usize| {
        let paths = [&view.paths.there[flow], &view.paths.back[flow]];
        let mut crossed = paths.into_iter().flatten();
        crosses_later || crossed.any(|link| group.links.contains(&link.index()))
    };
    let entries = view.flows_of_entries();
    let crossing = entries.filter(|(_, flows)| flows.clone().any(crosses));
    let sizes = crossing.flat_map(|(i, _)| view.scenario.flows[i].traffic.largest_packet());
    sizes.map(|(_, size)| size).max().unwrap_or(Bytes(1500))
}

/// Middleboxes for ACKs in a direction in which only data travel.
fn without_acks(view: &View<'_>, group: &Group, faults: &mut Faults) {
    let spec = &view.wires(group).spec;
    let middleboxes = if group.direction.back {
        &spec.back.middleboxes
    } else {
        &spec.middleboxes
    };
    let is_for_acks = |kind: &MiddleboxKind| !matches!(kind, MiddleboxKind::Own(_));
    let Some(place) = middleboxes.iter().position(is_for_acks) else {
        return;
    };
    let mut acks = view.paths.back.iter().flatten().chain(&view.paths.later);
    if !acks.any(|link| group.links.contains(&link.index())) {
        let message = format!(
            "no ACK crosses {}: data pass a middlebox for ACKs unchanged",
            name_of(view, group)
        );
        let help = "put it where the ACKs are: for a link with data on the way there, that is back.middleboxes";
        let path = format!("{}.middleboxes[{place}]", group.path);
        faults
            .warn(WarningName::IdleMiddlebox, path, message)
            .help(help);
    }
}
