//! Marks that nobody heeds, and flows that wait for marks in vain.

use std::collections::{BTreeMap, BTreeSet};

use pacesim_keys::WarningName;
use pacesim_language::problem::Faults;
use pacesim_model::{Flow, Link, PortQueue, Traffic};
use pacesim_tcp::Control;
use pacesim_units::port::Ecn;
use pacesim_units::{Bytes, Capacity, NodeId};

use super::{View, listed};
use crate::check::warn::Warn as _;

/// Warns of both.
pub(super) fn warnings(view: &View<'_>, faults: &mut Faults) {
    let heeded = heeded(view);
    unheeded(view, &heeded, faults);
    unheeded_memories(view, &heeded, faults);
    of_flows(view, &heeded, faults);
}

/// Queues that mark packets on links where no packet may be marked.
fn unheeded(view: &View<'_>, heeded: &BTreeSet<usize>, faults: &mut Faults) {
    let (plan, model) = (view.plan, view.model);
    for (i, wires) in plan.network.wires.iter().enumerate() {
        let of_wires = view.groups.iter();
        let of_wires = of_wires.filter(|group| group.direction.wires == i);
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
        let path = format!("{}.{key}", wires.path);
        faults
            .warn(WarningName::UnheededMarks, path, message)
            .help(help);
    }
}

/// Memories that mark packets at nodes whose ports no such packet crosses.
fn unheeded_memories(view: &View<'_>, heeded: &BTreeSet<usize>, faults: &mut Faults) {
    let nodes_of_entries = view.scenario.switches.iter().zip(&view.plan.switches);
    for (i, (group, nodes)) in nodes_of_entries.enumerate() {
        let is_heeded = |link: &usize| nodes.contains(&view.model.links[*link].from);
        if group.mark.is_none() || heeded.iter().any(is_heeded) {
            continue;
        }
        let message = "no flow over the ports of this memory understands marks";
        let help = "give TCP of profile \"linux\" ecn = true, or other flows a field such as ecn = \"ect0\"; or leave mark out";
        faults
            .warn(
                WarningName::UnheededMarks,
                format!("switch[{i}].mark"),
                message,
            )
            .help(help);
    }
}

/// The nodes whose memory marks packets, with the least backlog of a port at which it does.
fn marking_memories(view: &View<'_>) -> BTreeMap<NodeId, Bytes> {
    let entries = view.scenario.switches.iter().zip(&view.plan.switches);
    let marking = entries.filter_map(|(group, nodes)| {
        let min = group.mark?.min;
        (min < group.size()).then_some((min, nodes))
    });
    let nodes = marking.flat_map(|(min, nodes)| nodes.iter().map(move |node| (*node, min)));
    nodes.collect()
}

/// Flows that heed marks on paths without any, and TCP without ECN beside flows that are marked.
fn of_flows(view: &View<'_>, heeded: &BTreeSet<usize>, faults: &mut Faults) {
    let memories = marking_memories(view);
    let by_memory = |link: &Link| memories.get(&link.from).copied();
    let marks = |id: usize, flow: &Flow| {
        let link = &view.model.links[id];
        let by_queue = link.extras.marks() && !is_out_of_reach(link, None);
        let by_memory = by_memory(link).is_some_and(|min| !is_out_of_reach(link, Some(min)));
        by_memory || (by_queue && !is_for_l4s_alone(link, flow))
    };
    for (i, flows) in view.flows_of_entries() {
        let mut unmarked: Vec<&Flow> = Vec::new();
        let mut unreached: BTreeSet<String> = BTreeSet::new();
        let mut deaf: BTreeSet<usize> = BTreeSet::new();
        for (flow, path) in view.paths_of(flows) {
            let mut marking = path
                .iter()
                .map(|link| link.index())
                .filter(|link| marks(*link, flow));
            match (heeds(flow), &flow.traffic) {
                (true, _) if marking.next().is_none() => {
                    unmarked.push(flow);
                    let links = path.iter().map(|link| &view.model.links[link.index()]);
                    let out_of_reach = links.filter(|link| is_out_of_reach(link, by_memory(link)));
                    unreached.extend(out_of_reach.map(|link| link.name.to_string()));
                }
                (false, Traffic::Tcp(_)) => {
                    deaf.extend(marking.filter(|link| heeded.contains(link)))
                }
                _ => (),
            }
        }
        if let Some(first) = unmarked.first() {
            let unreached: Vec<&str> = unreached.iter().map(String::as_str).collect();
            without_marks(i, (first, unmarked.len()), &unreached, faults);
        }
        let names: Vec<String> = deaf
            .iter()
            .map(|link| view.model.links[*link].name.to_string())
            .collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        if !names.is_empty() {
            let group = &view.scenario.flows[i].name;
            let message = format!(
                "{group} does not use ECN: {} drops its packets where it marks those of others",
                listed(&names)
            );
            let help = "write profile = \"linux\" and ecn = true, or accept it where the mixture is the subject";
            faults
                .warn(
                    WarningName::EcnOff,
                    format!("flow[{i}].traffic.ecn"),
                    message,
                )
                .help(help);
        }
    }
}

/// True if the buffer is full before the queue is long enough for a mark; by its memory, if that
/// marks from so many bytes on.
fn is_out_of_reach(link: &Link, by_memory: Option<Bytes>) -> bool {
    let least = match (by_memory, &link.extras.mark, &link.extras.queue) {
        (Some(min), ..) => Capacity::Bytes(min),
        (None, Some(mark), _) => *mark,
        (None, None, Some(PortQueue::Red(red))) if red.in_bytes => {
            Capacity::Bytes(Bytes(red.min_th as u64))
        }
        (None, None, Some(PortQueue::Red(red))) => Capacity::Packets(red.min_th as u64),
        _ => return false,
    };
    match (least, link.buffer.capacity) {
        (Capacity::Packets(least), Capacity::Packets(most)) => least >= most,
        (Capacity::Bytes(least), Capacity::Bytes(most)) => least >= most,
        _ => false,
    }
}

/// True if the queue marks ECT(1) alone, and the packets of the flow have another field.
fn is_for_l4s_alone(link: &Link, flow: &Flow) -> bool {
    let codel = match &link.extras.queue {
        Some(PortQueue::Codel(codel)) => codel,
        Some(PortQueue::FqCodel(config)) => &config.codel,
        _ => return false,
    };
    let marks_all = codel.ecn || codel.ce_threshold.is_some() || link.extras.mark.is_some();
    !marks_all && flow.ecn_field() == Ecn::Ect0
}

fn without_marks(
    i: usize,
    (first, count): (&Flow, usize),
    unreached: &[&str],
    faults: &mut Faults,
) {
    let who = match count {
        1 => format!("{}[{}]", first.group, first.index),
        n => format!("{}[{}] and {} more", first.group, first.index, n - 1),
    };
    let key = match &first.traffic {
        Traffic::Tcp(tcp) if scales(&tcp.config.control) => "traffic.control",
        Traffic::Tcp(_) => "traffic.ecn",
        _ => "ecn",
    };
    let effect = match &first.traffic {
        Traffic::Tcp(tcp) if scales(&tcp.config.control) => {
            ": it only reacts to losses, as reno or cubic do"
        }
        _ => ", so that ECN has no effect",
    };
    let cause = if unreached.is_empty() {
        String::new()
    } else {
        format!(", since the buffer of {} is full before", listed(unreached))
    };
    let message = format!("no queue on the path of {who} marks packets{cause}{effect}");
    let help = "give a link on its path mark = \"20pkts\", or a discipline that marks, such as dualpi2, or codel and red with ecn = true";
    faults
        .warn(WarningName::NoMarks, format!("flow[{i}].{key}"), message)
        .help(help);
}

/// True if its packets may be marked, or its control lives by marks.
fn heeds(flow: &Flow) -> bool {
    let by_control = match &flow.traffic {
        Traffic::Tcp(tcp) => scales(&tcp.config.control),
        _ => false,
    };
    by_control || flow.ecn_field().is_capable()
}

/// True for controls whose window follows the share of marked packets.
fn scales(control: &Control) -> bool {
    matches!(control, Control::Dctcp | Control::Prague)
}

/// The links that flows cross whose packets may be marked.
fn heeded(view: &View<'_>) -> BTreeSet<usize> {
    let flows = view.model.flows.iter().zip(&view.paths.there);
    let heeding = flows.filter(|(flow, _)| flow.ecn_field().is_capable());
    let links = heeding.flat_map(|(_, path)| path.iter().map(|link| link.index()));
    links.collect()
}
