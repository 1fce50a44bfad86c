//! Switches that pause their inputs and drop nevertheless, and telemetry that is not there.

use std::collections::BTreeSet;

use pacesim_keys::{Memory, Traffic, WarningName};
use pacesim_language::problem::Faults;
use pacesim_model::Link;
use pacesim_model::change::Change;
use pacesim_model::switch::{Headroom, Input, Lossless};
use pacesim_units::{Bytes, Capacity, LinkId, NodeId};

use super::View;
use crate::check::warn::Warn as _;

/// Warns of these.
pub(super) fn warnings(view: &View<'_>, faults: &mut Faults) {
    let largest = view.scenario.largest_packet();
    let entries = view.scenario.switches.iter().zip(&view.plan.switches);
    for (i, (group, nodes)) in entries.enumerate() {
        if let Some(Memory::Lossless(memory)) = group.in_model(largest) {
            let path = format!("switch[{i}].pfc.headroom");
            small_headroom(view, (&memory, nodes), (&path, largest), faults);
            let path = format!("switch[{i}].pfc.quanta");
            match memory.quanta {
                Some(quanta) => {
                    short_pauses(view, (&memory, nodes, quanta), (&path, largest), faults);
                }
                None => endless_pauses(view, nodes, &path, faults),
            }
            lossy_ports(view, nodes, faults);
        }
    }
    missing_telemetry(view, faults);
}

/// An input whose headroom holds less than it may have to.
fn small_headroom(
    view: &View<'_>,
    (memory, nodes): (&Lossless, &[NodeId]),
    (path, largest): (&str, Bytes),
    faults: &mut Faults,
) {
    let Headroom::Each(given) = memory.headroom else {
        return;
    };
    let crossed = crossed_inputs(view, nodes);
    let needs = crossed.map(|input| (memory.needed(&input, largest), input.link));
    let Some((needed, link)) = needs.max().filter(|(needed, _)| *needed > given) else {
        return;
    };
    let name = &view.model.links[link.index()].name;
    let message = format!(
        "a pause of {name} needs a headroom of {needed}, and there are {given}: packets may be dropped"
    );
    let help = format!("give headroom = \"{needed}\", or leave it out");
    faults
        .warn(WarningName::SmallHeadroom, path, message)
        .help(help);
}

/// The inputs of these nodes that packets cross.
fn crossed_inputs<'a>(view: &'a View<'_>, nodes: &'a [NodeId]) -> impl Iterator<Item = Input> + 'a {
    let inputs = nodes
        .iter()
        .flat_map(|node| view.model.ports_of(*node).inputs);
    inputs.filter(|input| view.used[input.link.index()])
}

/// Pauses that end before the frame that renews them, sent after half of their time, has waited for
/// its line.
fn short_pauses(
    view: &View<'_>,
    (memory, nodes, quanta): (&Lossless, &[NodeId], u16),
    (path, largest): (&str, Bytes),
    faults: &mut Faults,
) {
    let frames = u64::from(memory.classes).saturating_mul(memory.frame.get());
    let before = u128::from(largest.get().saturating_add(frames));
    // Half of 512 bit times of the input, and the time that a frame waits, both in bits of the input.
    let needed = |input: &Input| {
        let back = input.over_back.unwrap_or(input.there).least_rate.as_bps();
        let waits = 8 * before * u128::from(input.there.most_rate.as_bps());
        (waits / (256 * u128::from(back)) + 1, input.link)
    };
    let needs = crossed_inputs(view, nodes)
        .map(|input| needed(&input))
        .max();
    let Some((needed, link)) = needs.filter(|(needed, _)| *needed > u128::from(quanta)) else {
        return;
    };
    let name = &view.model.links[link.index()].name;
    let message = format!(
        "a pause of {name} of {quanta} quanta may end before the frame that renews it, which waits for a packet: packets may be dropped"
    );
    let help = match u16::try_from(needed) {
        Ok(needed) => format!("give at least {needed}, or leave quanta out"),
        Err(_) => "leave quanta out: no frame can state a pause so long".to_owned(),
    };
    faults
        .warn(WarningName::ShortPauses, path, message)
        .help(help);
}

/// Links that may lose the frame that ends a pause.
fn endless_pauses(view: &View<'_>, nodes: &[NodeId], path: &str, faults: &mut Faults) {
    let may_lose = |link: &LinkId| {
        let extras = &view.model.links[link.index()].extras;
        let changes = view.model.changes.iter();
        let mut own = changes.filter(|change| change.link == *link);
        extras.loss.is_some()
            || extras.own_loss.is_some()
            || own.any(|own| matches!(own.change, Change::Down | Change::Loss(Some(_))))
    };
    let mut backs = crossed_inputs(view, nodes).filter_map(|input| input.back);
    let Some(link) = backs.find(may_lose) else {
        return;
    };
    let name = &view.model.links[link.index()].name;
    let message = format!("a frame that is lost on {name} may leave its port paused for ever");
    let help = "give quanta = 65535: a pause then ends unless it is renewed";
    faults
        .warn(WarningName::EndlessPauses, path, message)
        .help(help);
}

/// Ports of such a switch with a buffer of their own that is limited.
fn lossy_ports(view: &View<'_>, nodes: &[NodeId], faults: &mut Faults) {
    let is_lossy =
        |link: &Link| nodes.contains(&link.from) && link.buffer.capacity != Capacity::Unlimited;
    for group in &view.groups {
        let mut links = view.model.links[group.links.clone()].iter();
        let Some(link) = links.find(|link| is_lossy(link)) else {
            continue;
        };
        let message = format!(
            "the port of {} has {}, and drops what its switch would hold by pauses",
            link.name, link.buffer.capacity
        );
        let help = "leave the buffer unlimited: the memory of the switch is the limit";
        faults
            .warn(WarningName::LossyPort, &group.buffer, message)
            .help(help);
    }
}

/// Flows that read telemetry of each port on their way but the first, their host's own.
fn missing_telemetry(view: &View<'_>, faults: &mut Faults) {
    let switches: BTreeSet<NodeId> = view.plan.switches.iter().flatten().copied().collect();
    for (i, flows) in view.flows_of_entries() {
        let reads = matches!(&view.scenario.flows[i].traffic, Traffic::Rdma(rdma) if rdma.reads_telemetry());
        if !reads {
            continue;
        }
        let crossed = view
            .paths_of(flows)
            .flat_map(|(_, path)| path.iter().skip(1));
        let links = crossed.map(|link| &view.model.links[link.index()]);
        let mut without = links
            .filter(|link| !switches.contains(&link.from))
            .map(|link| &link.name);
        if let Some(name) = without.next() {
            let message = format!(
                "its control reads telemetry, and the port of {name} adds none: congestion there is not seen"
            );
            let help = "name the nodes on its path in a [[switch]], whose ports add telemetry";
            let path = format!("flow[{i}].traffic.control");
            faults
                .warn(WarningName::NoTelemetry, path, message)
                .help(help);
        }
    }
}
