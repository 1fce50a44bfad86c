//! Conditions on shared memories, and on fabrics of switches.

use std::collections::BTreeMap;

use pacesim_keys::{Discipline, FlowGroup, Multipath, Run, Scenario, SwitchGroup, Topology};
use pacesim_language::problem::Faults;
use pacesim_model::Salts;
use pacesim_model::switch::Alpha;
use pacesim_units::{Bytes, Span};

use super::pauses;
use crate::exchanges;
use crate::jobs;
use crate::resolve::Survey;

/// Reports a fabric that does not divide.
pub(super) fn divides(topology: &Topology, faults: &mut Faults) {
    let Topology::FatTree { k, .. } = topology else {
        return;
    };
    if k % 2 == 1 {
        let message = format!("switches of {k} ports do not divide into as many up as down");
        let help = format!("give an even number, {} or {}", k - 1, k + 1);
        faults.add("topology.k", message).help(help);
    }
}

/// Reports keys of rules for paths that are not in force.
fn idle_rules(run: &Run, faults: &mut Faults) {
    let has_salts = run.salts != Salts::Own;
    let (spray, gap) = (run.spray.is_some(), run.flowlet_gap.is_some());
    let is = |rule| run.multipath == rule;
    let keys = [
        ("salts", has_salts, run.multipath.is_hashed(), "flow"),
        ("spray", spray, is(Multipath::Packet), "packet"),
        ("flowlet_gap", gap, is(Multipath::Flowlet), "flowlet"),
    ];
    for (key, is_given, is_meant, word) in keys {
        if is_given && !is_meant {
            let message = format!("{key} is for multipath = \"{word}\"");
            let help = format!("write multipath = \"{word}\", or leave {key} out");
            faults.add(format!("run.{key}"), message).help(help);
        }
    }
    if run.flowlet_gap.is_some_and(Span::is_zero) {
        let message = "without a gap every packet is a flowlet of its own";
        let help = "write multipath = \"packet\" and spray = \"random\" for that, or give a gap";
        faults.add("run.flowlet_gap", message).help(help);
    }
}

/// Reports parts that stand on one path while flows take several.
fn several_paths(scenario: &Scenario, faults: &mut Faults) {
    let is_own = |flow: &FlowGroup| {
        flow.path.is_some() || jobs::paths_of_rows(flow).iter().any(Option::is_some)
    };
    let own = scenario.flows.iter().position(is_own);
    let at = match (scenario.run.multipath, own) {
        (Multipath::None, None) => return,
        (Multipath::None, Some(flow)) if scenario.flows[flow].path.is_none() => {
            format!("flow[{flow}].traffic.job.file")
        }
        (Multipath::None, Some(flow)) => format!("flow[{flow}].path"),
        _ => "run.multipath".to_owned(),
    };
    let has_box = |flow: &FlowGroup| {
        exchanges::of_group(flow).is_some_and(|(exchanges, _)| exchanges.delay_box.is_some())
    };
    let boxed = scenario.flows.iter().find(|flow| has_box(flow));
    let stands = match boxed {
        _ if !scenario.fec.is_empty() => "the coders of [[fec]] are".to_owned(),
        Some(flow) => format!("the delay box of \"{}\" is", flow.name),
        None => return,
    };
    let message = format!("{stands} on one path, and packets on another would pass by");
    let key = match at.rsplit('.').next().unwrap_or_default() {
        "file" => "the column path",
        key => key,
    };
    let help = format!("leave {key} out, or the part that is on a path");
    faults.add(&at, message).help(help);
}

pub(super) fn check(survey: &Survey, scenario: &Scenario, known: &Faults, faults: &mut Faults) {
    let mut placed: BTreeMap<u32, usize> = BTreeMap::new();
    let ports = ports(survey);
    let links = pauses::Links::of(survey, scenario);
    if !known.touch("run.multipath") {
        idle_rules(&scenario.run, faults);
    }
    several_paths(scenario, faults);
    for (i, group) in scenario.switches.iter().enumerate() {
        let path = format!("switch[{i}]");
        if group.nodes.is_empty() && !known.touch(&format!("{path}.nodes")) {
            let help = "write nodes = [\"hub\"]";
            let fault = faults.add(format!("{path}.nodes"), "no node has this memory");
            fault.help(help).absence();
        }
        let is_sound = thresholds(&path, group, faults)
            & sizes(&path, group, faults)
            & pauses::check(&path, group, faults);
        for node in survey.nodes(&group.nodes, &format!("{path}.nodes"), faults) {
            let at = format!("{path}.nodes");
            if let Some(other) = placed.insert(node, i) {
                let name = survey.network.nodes.name(node);
                let message = format!("{name} has the memory of switch[{other}] already");
                let help = "name each node once";
                faults.add(&at, message).help(help);
                continue;
            }
            if group.cell_size() > Bytes(1) && trims_at(survey, node) {
                let message = format!(
                    "{} cuts packets, whose parts fit no cells",
                    survey.network.nodes.name(node)
                );
                let help = "leave cell out, or the discipline trim at its ports";
                faults.add(format!("{path}.cell"), message).help(help);
            }
            let count = ports.get(&node).copied().unwrap_or(0);
            if is_sound && let Some(pfc) = &group.pfc {
                pauses::at_node((survey, &links), scenario, (i, pfc), node, faults);
            } else if is_sound {
                reserves(
                    &path,
                    group,
                    (survey.network.nodes.name(node), count),
                    faults,
                );
            }
        }
    }
}

/// True if a port of the node cuts payloads off.
fn trims_at(survey: &Survey, node: u32) -> bool {
    let trims = |discipline: &Option<Discipline>| matches!(discipline, Some(Discipline::Trim(_)));
    survey.network.wires.iter().any(|wires| {
        let mut ends = wires.ends.iter();
        let spec = &wires.spec;
        ends.any(|(from, to)| {
            *from == node && trims(&spec.discipline) || *to == node && trims(&spec.back.discipline)
        })
    })
}

/// The number of links that leave each node.
fn ports(survey: &Survey) -> BTreeMap<u32, usize> {
    let mut ports = BTreeMap::new();
    for wires in &survey.network.wires {
        for (from, to) in &wires.ends {
            *ports.entry(*from).or_default() += 1;
            if wires.duplex {
                *ports.entry(*to).or_default() += 1;
            }
        }
    }
    ports
}

/// Reports thresholds that exclude each other or take nothing; true if there are none.
fn thresholds(path: &str, group: &SwitchGroup, faults: &mut Faults) -> bool {
    let given = [
        ("threshold", group.threshold.is_some()),
        ("alpha", group.alpha.is_some()),
        ("class_alpha", !group.class_alpha.is_empty()),
    ];
    let given: Vec<&str> = given
        .iter()
        .filter(|(_, is)| *is)
        .map(|(key, _)| *key)
        .collect();
    if let [first, second, ..] = given[..] {
        let message = format!("{second} and {first} are thresholds of the same queues");
        let help = "give one of alpha, class_alpha and threshold";
        faults.add(format!("{path}.{first}"), message).help(help);
        return false;
    }
    let alone = group
        .alpha
        .iter()
        .map(|alpha| (String::from("alpha"), *alpha));
    let by_class = (group.class_alpha.iter().enumerate())
        .map(|(class, alpha)| (format!("class_alpha[{class}]"), *alpha));
    let mut is_sound = true;
    for (key, alpha) in alone.chain(by_class) {
        if Alpha::new(alpha).is_none() {
            let message = format!("with an alpha of {alpha} no queue has a threshold to fill");
            let most = Alpha::MOST;
            let help = format!("give a number above 0, at most {most}: chips have 1/64 to 8");
            faults.add(format!("{path}.{key}"), message).help(help);
            is_sound = false;
        }
    }
    if group.threshold == Some(Bytes::ZERO) && group.reserve == Bytes::ZERO {
        let message = "a threshold of 0 bytes refuses every packet";
        let help = "give at least the size of a packet, or a reserve";
        faults.add(format!("{path}.threshold"), message).help(help);
        is_sound = false;
    }
    is_sound & class_memory(path, group, faults)
}

/// Reports memories of classes that are not one for each, or more than there is; true if there are
/// none.
fn class_memory(path: &str, group: &SwitchGroup, faults: &mut Faults) -> bool {
    let parts = group.class_memory.len();
    if parts == 0 {
        return true;
    }
    let classes = group.class_alpha.len();
    if parts != classes {
        let message =
            format!("{parts} parts of the memory are for {classes} classes of class_alpha");
        let help = "give class_alpha and class_memory a number for each class";
        faults
            .add(format!("{path}.class_memory"), message)
            .help(help);
        return false;
    }
    let bytes = group.class_memory.iter().map(|part| part.get());
    let sum = Bytes(bytes.fold(0, u64::saturating_add));
    if sum > group.size() {
        let message = format!("the parts are {sum} of a memory of {}", group.size());
        let help = format!("give memory = \"{sum}\", or smaller parts");
        faults
            .add(format!("{path}.class_memory"), message)
            .help(help);
        return false;
    }
    true
}

/// Reports sizes that leave nothing; true if there are none.
fn sizes(path: &str, group: &SwitchGroup, faults: &mut Faults) -> bool {
    let mut is_sound = true;
    let mut wrong = |key: &str, message: String, help: &str| {
        faults.add(format!("{path}.{key}"), message).help(help);
        is_sound = false;
    };
    if group.memory.is_none() && group.chip.is_none() {
        let fault = faults.add(format!("{path}.memory"), "this key is missing");
        let help = "write memory = \"12MB\", or the name of a chip, as chip = \"trident2\"";
        fault.help(help).absence();
        return false;
    }
    let most = Bytes(1 << 40);
    if group.size() == Bytes::ZERO || group.size() > most {
        let message = format!("{} is not the size of a memory", group.size());
        wrong("memory", message, "give \"1B\" to \"1099511627776B\"");
    }
    if group.cell_size() == Bytes::ZERO || group.cell_size() > group.size() {
        let message = format!(
            "{} is not the size of a cell of this memory",
            group.cell_size()
        );
        wrong("cell", message, "give \"1B\" or more, at most the memory");
    }
    if let Some(mark) = group.mark
        && mark.max.is_some_and(|max| max < mark.min)
    {
        let message = format!("max is below min, {}", mark.min);
        wrong(
            "mark.max",
            message,
            "give at least min, or leave it out for a step",
        );
    }
    is_sound
}

/// Reports reserves that take the whole memory of a node.
fn reserves(path: &str, group: &SwitchGroup, (node, ports): (String, usize), faults: &mut Faults) {
    if ports == 0 {
        let message = format!("no link leaves {node}, so it has no queue");
        let help = "name a node that sends into links";
        faults.add(format!("{path}.nodes"), message).help(help);
        return;
    }
    let Some(memory) = group.lossy() else {
        return;
    };
    if memory.pools(ports).is_none() && group.class_memory.is_empty() {
        let queues = ports * memory.queues_of_port();
        let message = format!(
            "the {queues} queues of {node} reserve {} each, which leaves nothing of {} to share",
            group.reserve,
            group.size()
        );
        let most = (group.size().get() - 1) / queues as u64;
        // Reserves are in whole cells.
        let most = most - most % group.cell_size().get().max(1);
        let help = format!("give at most \"{}\", or more memory", Bytes(most));
        faults.add(format!("{path}.reserve"), message).help(help);
    } else if memory.pools(ports).is_none() {
        let message = format!(
            "{ports} queues of {node} reserve {} each in the memory of their class, which leaves one \
             of these nothing to share",
            group.reserve
        );
        let help = "give a smaller reserve, or each class more memory";
        faults
            .add(format!("{path}.class_memory"), message)
            .help(help);
    }
}
