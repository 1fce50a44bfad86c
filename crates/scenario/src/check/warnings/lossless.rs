//! Switches that pause their inputs and drop nevertheless, and telemetry that is not there.

use std::collections::BTreeSet;

use pacesim_keys::{Memory, Traffic, WarningName};
use pacesim_language::problem::Faults;
use pacesim_model::Link;
use pacesim_model::switch::{Headroom, Lossless};
use pacesim_units::{Bytes, Capacity, NodeId};

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
    let inputs = nodes
        .iter()
        .flat_map(|node| view.model.ports_of(*node).inputs);
    let crossed = inputs.filter(|input| view.used[input.link.index()]);
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
