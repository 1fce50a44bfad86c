//! Settings of links that no flow meets, or that some flows miss.

use std::collections::BTreeSet;

use pacesim_keys::{Discipline, PacerKind, PacerSpec, Pairing, WarningName};
use pacesim_language::problem::Faults;
use pacesim_model::ScriptedDrop;
use pacesim_tcp::{Control, Pacing};
use pacesim_units::{Capacity, LinkId};

use super::flows::empty_share;
use super::{Group, View, listed, routers};
use crate::check::warn::Warn as _;

/// Warns of these.
pub(super) fn warnings(view: &View<'_>, faults: &mut Faults) {
    buffers(view, faults);
    for group in &view.groups {
        let is_used = view.is_used(group.links.clone());
        if is_used {
            shares(view, group, faults);
            idle_pacers(view, group, faults);
            at_hosts(view, group, faults);
            drops(view, group, faults);
        } else {
            parts_without_flows(view, group, faults)
        }
    }
    missed(view, faults);
    nodes(view, faults);
    classes(view, faults);
}

/// Classes of flows that cross nothing that tells classes apart.
fn classes(view: &View<'_>, faults: &mut Faults) {
    let mut heeding: BTreeSet<usize> = BTreeSet::new();
    for group in &view.groups {
        let Parts {
            discipline, pacer, ..
        } = parts(view, group);
        let by_queue = matches!(
            discipline,
            Some(
                Discipline::StrictPriority { .. }
                    | Discipline::Drr { .. }
                    | Discipline::Fq(_)
                    | Discipline::Own(_)
            )
        );
        let kind = pacer.map(|pacer| &pacer.kind);
        let by_pacer = matches!(kind, Some(PacerKind::HullMulti(_) | PacerKind::Own(_)));
        if by_queue || by_pacer {
            heeding.extend(group.links.clone());
        }
    }
    for (i, flows) in view.flows_of_entries() {
        let class = view.scenario.flows[i].class;
        let mut crossed = view.paths_of(flows).flat_map(|(_, path)| path);
        if class != 0 && !crossed.any(|link| heeding.contains(&link.index())) {
            let message =
                format!("no queue and no pacer on its path tells class {class} from others");
            let help = "give a link on its path discipline = { kind = \"strict_priority\" }, or the pacer hull_multi";
            let path = format!("flow[{i}].class");
            faults
                .warn(WarningName::IdleClass, path, message)
                .help(help);
        }
    }
}

/// The settings of one direction of a group of links.
pub(super) struct Parts<'a> {
    pub(super) discipline: Option<&'a Discipline>,
    pacer: Option<&'a PacerSpec>,
    /// The keys of all, except those of its queue.
    named: Vec<&'static str>,
}

pub(super) fn parts<'a>(view: &View<'a>, group: &Group) -> Parts<'a> {
    let wires = view.wires(group);
    let (spec, back) = (&wires.spec, &wires.spec.back);
    let is_back = group.direction.back;
    let pacer = if is_back { &back.pacer } else { &spec.pacer };
    let discipline = if is_back {
        &back.discipline
    } else {
        &spec.discipline
    };
    let pacer = pacer
        .as_ref()
        .filter(|pacer| wires.paced && pacer.share > 0.0);
    let discipline = discipline.as_ref();
    let discipline = discipline.filter(|kind| !matches!(kind, Discipline::DropTail));
    let model = &view.model.links[group.links.start];
    let extras = &model.extras;
    let named = [
        ("pacer", pacer.is_some()),
        ("discipline", discipline.is_some()),
        ("loss", extras.may_lose()),
        ("drops", !extras.drops.is_empty()),
        ("opportunities", extras.opportunities.is_some()),
        ("jitter", extras.jitter.is_some()),
        ("middleboxes", !extras.middleboxes.is_empty()),
    ];
    let named = named.into_iter().filter(|(_, is_there)| *is_there);
    Parts {
        discipline,
        pacer,
        named: named.map(|(key, _)| key).collect(),
    }
}

/// Finite buffers and thresholds on links without traffic in any direction.
fn buffers(view: &View<'_>, faults: &mut Faults) {
    for (i, wires) in view.plan.network.wires.iter().enumerate() {
        let mut of_wires = view
            .groups
            .iter()
            .filter(|group| group.direction.wires == i);
        let is_used = of_wires.any(|group| view.is_used(group.links.clone()));
        let queue = &wires.spec.queue;
        let key = match (queue.buffer != Capacity::Unlimited, queue.mark) {
            (true, _) => "buffer",
            (false, Some(_)) => "mark",
            (false, None) => continue,
        };
        if !is_used {
            let message = format!("no flow crosses {}, whose {key} is never used", wires.name);
            let help = "see from and to of the flows, and run.routing";
            let path = format!("{}.{key}", wires.path);
            faults
                .warn(WarningName::UnusedLink, path, message)
                .help(help);
        }
    }
}

fn parts_without_flows(view: &View<'_>, group: &Group, faults: &mut Faults) {
    let name = name_of(view, group);
    for key in parts(view, group).named {
        let message = format!("no flow crosses {name}, whose {key} has no effect");
        let help = "see from and to of the flows, and run.routing; or leave it out";
        let path = format!("{}.{key}", group.path);
        faults
            .warn(WarningName::UnusedLink, path, message)
            .help(help);
    }
}

/// The name that stands for all links of the group.
pub(super) fn name_of(view: &View<'_>, group: &Group) -> String {
    let back = if group.direction.back { ".back" } else { "" };
    format!("{}{back}", view.wires(group).name)
}

/// Pacers of a share of the links that is none or all of them.
fn shares(view: &View<'_>, group: &Group, faults: &mut Faults) {
    if let Some(pacer) = parts(view, group).pacer {
        let of = group.links.len();
        let chosen = pacer.chosen(of).iter().filter(|chosen| **chosen).count();
        let path = format!("{}.pacer.share", group.path);
        empty_share(&path, pacer.share, (chosen, of), "link", faults);
    }
}

/// Groups of flows of which only a part crosses any pacer, or any discipline, though their ends are
/// not drawn.
fn missed(view: &View<'_>, faults: &mut Faults) {
    type Has = fn(&Parts<'_>) -> bool;
    let kinds: [(&str, Has); 2] = [
        ("pacer", |parts| parts.pacer.is_some()),
        ("discipline", |parts| parts.discipline.is_some()),
    ];
    for (key, has) in kinds {
        let with = view.groups.iter().filter(|group| has(&parts(view, group)));
        let with: Vec<&Group> = with.collect();
        let crosses = |link: &LinkId| {
            let mut groups = with.iter();
            groups.find(|group| group.links.contains(&link.index()))
        };
        for (i, flows) in view.flows_of_entries() {
            let pairs = &view.plan.flows[i];
            let is_spread = pairs.is_drawn() || pairs.pair == Pairing::All;
            if is_spread || pairs.both_ways {
                continue;
            }
            let all = flows.len();
            let met = view.paths_of(flows);
            let met = met.filter_map(|(_, path)| path.iter().find_map(crosses));
            let met: Vec<&&Group> = met.collect();
            if let Some(group) = met.first().filter(|_| met.len() < all) {
                let flows = &view.scenario.flows[i].name;
                let message = format!(
                    "{} of the {all} flows of {flows} cross no {key}, as the others cross that of {}",
                    all - met.len(),
                    name_of(view, group)
                );
                let help = "see from, to and pair of the flows; or make two groups of them";
                let path = format!("{}.{key}", group.path);
                faults
                    .warn(WarningName::MissedPart, path, message)
                    .help(help);
            }
        }
    }
}

/// The discipline fq where senders that do not pace begin: by itself it paces nobody.
fn at_hosts(view: &View<'_>, group: &Group, faults: &mut Faults) {
    if !matches!(parts(view, group).discipline, Some(Discipline::Fq(_))) {
        return;
    }
    let routers = routers(view);
    let mut unpaced: BTreeSet<&str> = BTreeSet::new();
    for (flow, path) in view.model.flows.iter().zip(&view.paths.there) {
        let starts_here = path
            .first()
            .is_some_and(|first| group.links.contains(&first.index()));
        if let Some(tcp) = flow.traffic.tcp()
            && starts_here
            && !routers.contains(&flow.from)
            && tcp.config.pacing == Pacing::Off
            && !paces_itself(&tcp.config.control)
        {
            unpaced.insert(&flow.group);
        }
    }
    if !unpaced.is_empty() {
        let groups: Vec<&str> = unpaced.into_iter().collect();
        let message = format!(
            "fq at the host of {} paces nothing: as in Linux it keeps the rates of senders that ask for one",
            listed(&groups)
        );
        let help = "write pacing = \"linux\" in the traffic of these flows; or accept it where fq is meant as a fair queue";
        let path = format!("{}.discipline", group.path);
        faults.warn(WarningName::FqAtHost, path, message).help(help);
    }
}

/// True for controls that have a rate of their own.
fn paces_itself(control: &Control) -> bool {
    !matches!(control, Control::Reno | Control::Cubic | Control::Dctcp)
}

/// Packets to be dropped of flows that do not come by.
fn drops(view: &View<'_>, group: &Group, faults: &mut Faults) {
    for (i, drop) in view.model.links[group.links.start]
        .extras
        .drops
        .iter()
        .enumerate()
    {
        let flow = match *drop {
            ScriptedDrop::Packet { k } => {
                beyond_reach(view, group, (i, k), faults);
                continue;
            }
            ScriptedDrop::Sequence { flow, .. } | ScriptedDrop::Ack { flow, .. } => flow,
        };
        let paths = [
            &view.paths.there[flow.index()],
            &view.paths.back[flow.index()],
        ];
        let mut crossed = paths.into_iter().flatten().chain(&view.paths.later);
        if !crossed.any(|link| group.links.contains(&link.index())) {
            let of = &view.model.flows[flow.index()];
            let message = format!(
                "{}[{}] does not cross {}",
                of.group,
                of.index,
                name_of(view, group)
            );
            let help = "name a flow that does, or another link";
            let path = format!("{}.drops[{i}].flow", group.path);
            faults.warn(WarningName::IdleDrop, path, message).help(help);
        }
    }
}

/// A packet that is beyond ten times the smallest ones that the line can send.
fn beyond_reach(view: &View<'_>, group: &Group, (i, k): (usize, u64), faults: &mut Faults) {
    const SMALLEST_BITS: f64 = 320.0;
    let rate = view.model.links[group.links.start].rate.as_bps() as f64;
    let most = 10.0 * rate * view.model.duration.as_secs_f64() / SMALLEST_BITS;
    if k as f64 > most {
        let message = format!(
            "a packet of the number {k} never comes in a run of {}",
            view.model.duration
        );
        let help = "packets are counted from 1 at each link; give a smaller number or a longer run";
        let path = format!("{}.drops[{i}]", group.path);
        faults.warn(WarningName::IdleDrop, path, message).help(help);
    }
}

/// Buckets that fill faster than their line can send.
fn idle_pacers(view: &View<'_>, group: &Group, faults: &mut Faults) {
    let Some(pacer) = parts(view, group).pacer else {
        return;
    };
    let rate = match &pacer.kind {
        PacerKind::LeakyBucket(bucket) => bucket.rate,
        PacerKind::TokenBucket(bucket) => bucket.rate,
        PacerKind::Policer(bucket) => bucket.rate,
        _ => return,
    };
    let links = &view.model.links[group.links.clone()];
    if let Some(link) = links.iter().find(|link| rate >= link.rate) {
        let message = format!(
            "a pacer of {rate} holds nothing that the line of {}, with {}, would not hold",
            link.name, link.rate
        );
        let help = "give a rate below that of the line, or leave the pacer out";
        let path = format!("{}.pacer.rate", group.path);
        faults
            .warn(WarningName::IdlePacer, path, message)
            .help(help);
    }
}

/// Warns of nodes of their own without any link.
fn nodes(view: &View<'_>, faults: &mut Faults) {
    let links = view.model.links.iter();
    let joined: BTreeSet<u32> = links.flat_map(|link| [link.from.0, link.to.0]).collect();
    for (i, node) in view.scenario.nodes.iter().enumerate() {
        let reference = pacesim_language::names::Reference::from(node.name.as_str());
        let members = view
            .plan
            .network
            .nodes
            .resolve(&reference, "", &mut Faults::default());
        let mut members = members.into_iter().flatten();
        if !members.any(|member| joined.contains(&member)) {
            let message = format!("no link joins {} to anything", node.name);
            let help = "give it a link, or leave it out";
            faults
                .warn(WarningName::IdleNode, format!("node[{i}].name"), message)
                .help(help);
        }
    }
}
