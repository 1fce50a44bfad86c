//! Conditions on protected pairs: flows run between them, along one path, and repair packets fit.

use std::collections::BTreeSet;

use pacesim_core::routing::Routes;
use pacesim_fec::{Order, RepairSize};
use pacesim_keys::{Adaptive, FecGroup, MOST_IN_BLOCK, Scenario, Traffic, WarningName};
use pacesim_language::problem::Faults;
use pacesim_model::{Leg, Protection};
use pacesim_units::{Bytes, Capacity, LinkId, NodeId};

use super::paths::{edges, first_links};
use super::warn::Warn as _;
use crate::draw::Draws;
use crate::fec::{FlowEnds, Pair, core, pairs};
use crate::resolve::{Edges, Survey, Wires};

/// Reports all faults of `[[fec]]` that are not `known` already.
pub(super) fn check(
    survey: &Survey,
    scenario: &Scenario,
    draws: &Draws,
    known: &Faults,
    faults: &mut Faults,
) {
    if scenario.fec.is_empty() {
        return;
    }
    let mut names = BTreeSet::new();
    let mut entries = Vec::new();
    for (i, group) in scenario.fec.iter().enumerate() {
        let path = format!("fec[{i}]");
        if !names.insert(&group.name) {
            let message = format!("there is already a fec \"{}\"", group.name);
            let fault = faults.add(format!("{path}.name"), message);
            fault.help("give each [[fec]] a name");
        }
        keys(&path, group, known, faults);
        let edges = survey.edges(group, &path, faults);
        entries.extend(edges.filter(|edges| are_two(survey, &path, edges, faults)));
    }
    if entries.len() == scenario.fec.len() {
        on_ways(survey, scenario, &entries, draws, faults);
    }
}

/// Checks the conditions between the keys of an entry.
fn keys(path: &str, group: &FecGroup, known: &Faults, faults: &mut Faults) {
    let is_read = |key: &&str| !known.touch(&format!("{path}.{key}"));
    if ["block", "by_hops", "from"].iter().all(is_read) {
        sizes(path, group, faults);
    }
    let blocks = group.block.iter().chain(group.by_hops.iter().flatten());
    if blocks.clone().any(|k| *k == 0 || *k > MOST_IN_BLOCK) {
        let key = if group.block.is_some() {
            "block"
        } else {
            "by_hops"
        };
        let help = format!("give 1 to {MOST_IN_BLOCK}");
        faults
            .add(format!("{path}.{key}"), "this is not a block size")
            .help(help);
    }
    if group.timeout.is_some_and(|timeout| timeout.is_zero()) {
        let message = "no time for a second packet of a block";
        faults
            .add(format!("{path}.timeout"), message)
            .help("give more than 0s, or leave it out");
    }
    if let Some(adaptive) = &group.adaptive {
        adaptive_keys(path, group, adaptive, faults);
    }
    if let (Order::Hold(_), 2..) = (group.order, group.depth) {
        let message =
            "packets are held behind a missing one only if blocks are filled one after another";
        faults
            .add(format!("{path}.order"), message)
            .help("give order = \"late\" or depth = 1");
    }
}

/// Block sizes are given in one of three forms.
fn sizes(path: &str, group: &FecGroup, faults: &mut Faults) {
    let from = group.from.map(|_| "from");
    let block = group.block.map(|_| "block");
    let by_hops = group.by_hops.as_ref().map(|_| "by_hops");
    let given: Vec<&str> = [block, by_hops, from].into_iter().flatten().collect();
    if given.is_empty() {
        let message = "the size of blocks is missing";
        let help = "write block = 3, or by_hops = [19, 4, 2] for pairs one, two, three links apart, or from = \"fec_network\"";
        faults
            .add(format!("{path}.block"), message)
            .help(help)
            .absence();
    } else if let [_, .., last] = given[..] {
        let message = "the size of blocks is given twice";
        let help = format!("leave out all but one of {}", given.join(", "));
        faults.add(format!("{path}.{last}"), message).help(help);
    }
    if group.by_hops.as_ref().is_some_and(Vec::is_empty) {
        let message = "no size of blocks is given";
        faults
            .add(format!("{path}.by_hops"), message)
            .help("give one for each number of links, as [19, 4, 2]");
    }
    if group.load.is_some() && group.from.is_none() {
        let message = "no size of blocks follows from this load";
        faults
            .add(format!("{path}.load"), message)
            .help("give from = \"fec_network\" as well, or leave it out");
    }
    if group.load == Some(0.0) {
        let message = "without load there is nothing to protect";
        faults
            .add(format!("{path}.load"), message)
            .help("give more than 0");
    }
}

/// Checks the conditions on blocks that follow the loss.
fn adaptive_keys(path: &str, group: &FecGroup, adaptive: &Adaptive, faults: &mut Faults) {
    let Adaptive { least, most, .. } = *adaptive;
    let sizes = group.block.iter().chain(group.by_hops.iter().flatten());
    let outside = sizes.copied().find(|size| !(least..=most).contains(size));
    if least > most {
        let message = format!("the largest block is smaller than least = {least}");
        faults
            .add(format!("{path}.adaptive.most"), message)
            .help(format!("give at least {least}"));
    } else if let Some(size) = outside {
        let message = format!("a block of {size} is not between {least} and {most}");
        faults
            .add(format!("{path}.adaptive"), message)
            .help("give other bounds, least and most, or other blocks to begin with");
    }
    if adaptive.report.is_zero() {
        let message = "an egress would report without end";
        faults
            .add(format!("{path}.adaptive.report"), message)
            .help("give a time between two reports, such as 100ms");
    }
}

/// Reports an edge that is both ends of its only pair.
fn are_two(survey: &Survey, path: &str, edges: &Edges, faults: &mut Faults) -> bool {
    let is_one = edges.ingress == edges.egress && edges.ingress.len() == 1;
    if is_one {
        let name = survey.network.nodes.name(edges.ingress.start);
        let message = format!("{name} is both where packets enter and where they leave");
        faults
            .add(format!("{path}.egress"), message)
            .help("give another node");
    }
    !is_one
}

/// Checks the conditions on the paths of flows.
fn on_ways(
    survey: &Survey,
    scenario: &Scenario,
    entries: &[Edges],
    draws: &Draws,
    faults: &mut Faults,
) {
    let Some((flows, groups)) = travellers(survey, scenario, draws) else {
        return;
    };
    let network = &survey.network;
    let edges = edges(network, scenario.run.routing, draws);
    let mut routes = Routes::new(network.nodes.len(), &edges).expect("links join known nodes");
    let mut way = |from, to| routes.path(NodeId(from), NodeId(to));
    let of_leg = |ends: &FlowEnds, leg| match leg {
        Leg::There => way(ends.from, ends.to),
        Leg::Back => way(ends.to, ends.from),
    };
    let end = |link: LinkId| edges[link.index()].to.0;
    let found = pairs(entries, flows.into_iter(), of_leg, end);
    let name = |flow: u32| survey.flows.name(flow);
    if let Some((one, other, flow)) = found.twice {
        let message = format!("{} is protected by fec[{one}] already", name(flow));
        let help = "let ingress and egress of the two be different nodes";
        faults
            .add(format!("fec[{other}].ingress"), message)
            .help(help);
    }
    for (i, group) in scenario.fec.iter().enumerate() {
        let path = format!("fec[{i}]");
        let own = || (found.pairs.iter().filter(|(key, _)| key.0 == i)).map(|(_, pair)| pair);
        if own().next().is_none() && found.twice.is_none() {
            let message = "no flow enters at ingress and leaves at egress";
            let help = "give nodes that flows pass, in the direction of their data";
            faults
                .add(format!("{path}.egress"), message)
                .help(help)
                .absence();
        }
        for pair in own() {
            astray(survey, &path, pair, name, faults);
        }
        if group.adaptive.is_some() {
            let encoder = |pair: &Pair| pair.encoder(group.place, end);
            let mut has_back = |pair: &&Pair| way(pair.to, encoder(pair)).is_some();
            ways_back(survey, &path, own().find(|pair| !has_back(pair)), faults);
        }
        by_hops(survey, &path, group, own(), faults);
        let flows: BTreeSet<usize> = (own().flat_map(|pair| &pair.data))
            .map(|flow| groups.partition_point(|first| first <= flow) - 1)
            .collect();
        let answers = own().flat_map(|pair| &pair.acks);
        let answers = answers.map(|flow| groups.partition_point(|first| first <= flow) - 1);
        own_transports(
            scenario,
            &path,
            flows.iter().copied().chain(answers),
            faults,
        );
        let of_group = |group: &usize| &scenario.flows[*group].traffic;
        let traffic = flows.iter().map(of_group);
        if group.from.is_some() && group.load.is_none() {
            rates_are_known(&path, traffic.clone(), faults);
        }
        size(survey, &path, group, traffic, own(), faults);
    }
}

/// All flows from end to end, and the first of each group; `None` if some are unknown.
fn travellers(
    survey: &Survey,
    scenario: &Scenario,
    draws: &Draws,
) -> Option<(Vec<FlowEnds>, Vec<u32>)> {
    let (mut flows, mut firsts) = (Vec::new(), Vec::new());
    for (group, pairs) in scenario.flows.iter().zip(&survey.pairs) {
        firsts.push(flows.len() as u32);
        let ends = draws.ends(pairs.as_ref()?, &format!("flow/{}", group.name));
        let is_tcp = group.traffic.connections().is_some();
        for (from, to) in ends {
            let flow = flows.len() as u32;
            flows.push(FlowEnds {
                flow,
                from,
                to,
                is_tcp,
            });
        }
    }
    Some((flows, firsts))
}

fn astray(
    survey: &Survey,
    path: &str,
    pair: &Pair,
    name: impl Fn(u32) -> String,
    faults: &mut Faults,
) {
    let Some(flow) = pair.astray else {
        return;
    };
    let node = |node| survey.network.nodes.name(node);
    let message = format!(
        "from {} to {} {} goes another way than other flows: packets would overtake each other",
        node(pair.from),
        node(pair.to),
        name(flow)
    );
    let help =
        "give edges between which there is one way for all flows, such as those that hosts are at";
    faults.add(format!("{path}.ingress"), message).help(help);
}

/// Reports flows whose packets have contents that no repair packet restores.
fn own_transports(
    scenario: &Scenario,
    path: &str,
    mut groups: impl Iterator<Item = usize>,
    faults: &mut Faults,
) {
    let found = groups.find_map(|group| {
        let group = &scenario.flows[group];
        Some((&group.name, group.traffic.transport()?))
    });
    if let Some((flow, transport)) = found {
        let message = format!(
            "flow \"{flow}\" has the transport {}, whose contents no repair packet restores",
            transport.name()
        );
        let help = "give nodes that these flows do not pass, or let the flows be TCP";
        faults.add(format!("{path}.ingress"), message).help(help);
    }
}

/// Reports a pair whose egress cannot report.
fn ways_back(survey: &Survey, path: &str, without: Option<&Pair>, faults: &mut Faults) {
    let Some(pair) = without else {
        return;
    };
    let node = |node| survey.network.nodes.name(node);
    let message = format!(
        "there is no path back from {} to {} for the reports of the egress",
        node(pair.to),
        node(pair.from)
    );
    let help = "give links back (duplex = true), or leave out adaptive";
    faults.add(format!("{path}.adaptive"), message).help(help);
}

/// Reports block sizes for numbers of links that do not occur.
fn by_hops<'p>(
    survey: &Survey,
    path: &str,
    group: &FecGroup,
    pairs: impl Iterator<Item = &'p Pair>,
    faults: &mut Faults,
) {
    let Some(by_hops) = &group.by_hops else {
        return;
    };
    let lengths: BTreeSet<usize> = pairs
        .map(|pair| core(&survey.network, &pair.way).len())
        .collect();
    let (Some(least), Some(most)) = (lengths.first(), lengths.last()) else {
        return;
    };
    let path = format!("{path}.by_hops");
    if *least == 0 {
        let message = "there are pairs without a link of the core between them";
        faults
            .add(path, message)
            .help("give edges of different core nodes, or block instead");
    } else if *most != by_hops.len() {
        let message = format!(
            "there are sizes for pairs of up to {} links apart, but pairs are up to {most}",
            by_hops.len()
        );
        faults
            .add(path, message)
            .help(format!("give {most} of them"));
    }
}

/// Reports flows whose rates do not determine the loads of links.
fn rates_are_known<'s>(
    path: &str,
    mut traffic: impl Iterator<Item = &'s Traffic>,
    faults: &mut Faults,
) {
    if traffic.any(|traffic| traffic.connections().is_some()) {
        let message = "the loads of links are not known before TCP has run";
        let help = "give their mean without repair packets, as load = 0.11";
        faults
            .add(format!("{path}.load"), message)
            .help(help)
            .absence();
    }
}

/// Reports repair packets of a fixed size that are too small or too large.
fn size<'p, 's>(
    survey: &Survey,
    path: &str,
    group: &FecGroup,
    traffic: impl Iterator<Item = &'s Traffic>,
    pairs: impl Iterator<Item = &'p Pair>,
    faults: &mut Faults,
) {
    let RepairSize::Fixed(size) = group.size else {
        return;
    };
    let (path, size) = (format!("{path}.size"), Bytes(size.into()));
    let largest = traffic
        .flat_map(|traffic| traffic.largest_packet())
        .map(|(_, size)| size);
    if let Some(largest) = largest.max().filter(|largest| *largest > size) {
        let message = format!("a repair packet of {size} has no room for packets of {largest}");
        faults
            .add(&path, message)
            .help(format!("give at least {{ bytes = \"{largest}\" }}"));
    }
    let firsts = first_links(&survey.network);
    let wires = |link: LinkId| {
        let at = firsts.partition_point(|(first, _)| *first <= link.0) - 1;
        let direction = firsts[at].1;
        (&survey.network.wires[direction.wires], direction.back)
    };
    let small = |(wires, back): &(&Wires, bool)| {
        let queue = if *back {
            wires.spec.back_queue()
        } else {
            wires.spec.queue
        };
        matches!(queue.in_model().capacity, Capacity::Bytes(room) if room < size)
    };
    let mut crossed = pairs.flat_map(|pair| &pair.way).map(|link| wires(*link));
    if let Some((wires, _)) = crossed.find(small) {
        let message = format!(
            "a repair packet of {size} never fits the buffer of link {}: all would be dropped",
            wires.name
        );
        faults
            .add(path, message)
            .help("give smaller repair packets or a larger buffer");
    }
}

/// Warns of flows that no entry protects.
pub(super) fn warnings(scenario: &Scenario, model: &pacesim_model::Model, faults: &mut Faults) {
    if scenario.fec.is_empty() {
        return;
    }
    for (k, group) in scenario.fec.iter().enumerate() {
        let mut pairs = model.protections.iter();
        let protects = |pair: &Protection| {
            pair.group == group.name && !(pair.data.is_empty() && pair.acks.is_empty())
        };
        if !pairs.any(protects) {
            let message = "no flow comes from ingress to egress: nothing is protected";
            let help = "name the edges at which flows enter and leave, or leave the entry out";
            let path = format!("fec[{k}].ingress");
            faults.warn(WarningName::IdleFec, path, message).help(help);
            return;
        }
    }
    let mut bare = vec![true; model.flows.len()];
    let protected = model.protections.iter().flat_map(|pair| &pair.data);
    protected.for_each(|flow| bare[flow.index()] = false);
    let mut bare = (0..).zip(bare).filter(|(_, bare)| *bare).map(|(i, _)| i);
    let Some(first) = bare.next() else {
        return;
    };
    let flow = &model.flows[first];
    let more = match bare.count() {
        0 => String::new(),
        n => format!(", and {n} more"),
    };
    let message = format!(
        "{}[{}] is not protected{more}: it does not come from ingress to egress",
        flow.group, flow.index
    );
    let help = "see ingress and egress, or leave it as it is meant to be";
    let path = "fec[0].ingress";
    faults
        .warn(WarningName::Unprotected, path, message)
        .help(help);
}
