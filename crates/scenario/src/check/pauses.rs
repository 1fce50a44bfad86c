//! Conditions on memories whose switches pause their inputs.

use pacesim_keys::{Memory, PfcKeys, Scenario, SwitchGroup, Value};
use pacesim_language::problem::Faults;
use pacesim_model::switch::{Frees, Input, Lossless, Ports, Rule};
use pacesim_units::{Bytes, LinkId, Rate, Span};

use crate::resolve::{Survey, Wires};

/// The largest frame that a line may carry.
const LARGEST_FRAME: Bytes = Bytes(9216);

/// Reports keys that a memory with pauses does not have; true if there are none.
pub(super) fn check(path: &str, group: &SwitchGroup, faults: &mut Faults) -> bool {
    let Some(pfc) = &group.pfc else {
        return true;
    };
    let others = [
        ("threshold", group.threshold.is_some()),
        ("class_alpha", !group.class_alpha.is_empty()),
        ("cell", group.cell != Bytes(1)),
        ("rule", group.rule != Rule::After),
        ("frees", group.frees != Frees::Start),
    ];
    let mut is_sound = true;
    for (key, _) in others.iter().filter(|(_, is_given)| *is_given) {
        let message =
            format!("{key} is for memories without pauses: with pfc, packets count at inputs");
        let help = format!("leave {key} out; alpha and reserve are those of inputs");
        faults.add(format!("{path}.{key}"), message).help(help);
        is_sound = false;
    }
    if pfc.frame == Bytes::ZERO || pfc.frame > LARGEST_FRAME {
        let message = format!("{} is not the size of a frame", pfc.frame);
        let help = "a pause frame of Ethernet has \"64B\"";
        faults.add(format!("{path}.pfc.frame"), message).help(help);
        is_sound = false;
    }
    is_sound
}

/// Reports a node whose inputs cannot be paused, or that has too little memory.
pub(super) fn at_node(
    survey: &Survey,
    scenario: &Scenario,
    (i, pfc): (usize, &PfcKeys),
    node: u32,
    faults: &mut Faults,
) {
    let name = survey.network.nodes.name(node);
    let inputs = inputs(survey, node);
    if let Some(alone) = inputs.iter().find(|input| !input.has_back) {
        let message = format!(
            "no link leads back from {name} over {}, to carry its pauses",
            alone.link
        );
        let help = "make the link duplex, or leave pfc out";
        faults.add(format!("switch[{i}].pfc"), message).help(help);
        return;
    }
    if let Some(flow) = scenario
        .flows
        .iter()
        .position(|flow| pfc.classes > 1 && flow.class >= pfc.classes)
    {
        let message = format!(
            "class {} is not among the {} that are paused apart",
            scenario.flows[flow].class, pfc.classes
        );
        let help = format!(
            "give switch[{i}].pfc.classes = {}, or the flow a lower class",
            scenario.flows[flow].class.saturating_add(1)
        );
        faults
            .add(format!("flow[{flow}].class"), message)
            .help(help);
    }
    let drawn = inputs.iter().find(|input| input.known.is_none());
    if let (Some(drawn), None) = (drawn, pfc.headroom) {
        let message = format!(
            "the rate or the delay of {} is drawn, and so is the headroom that it needs",
            drawn.link
        );
        let help = "give headroom the bytes that the longest link needs";
        faults.add(format!("switch[{i}].pfc"), message).help(help);
        return;
    }
    let group = &scenario.switches[i];
    if let Some(Memory::Lossless(memory)) = group.in_model(scenario.largest_packet()) {
        has_room(&format!("switch[{i}]"), &memory, (&name, &inputs), faults);
    }
}

/// Reports a memory that reserves and headroom fill.
fn has_room(path: &str, memory: &Lossless, (name, inputs): (&str, &[Known]), faults: &mut Faults) {
    let known = |(i, input): (usize, &Known)| {
        let (rate, delay) = input.known.unwrap_or((Rate::from_mbps(1), Span::ZERO));
        Input {
            link: LinkId::from_index(i),
            back: Some(LinkId::from_index(i)),
            rate,
            delay,
        }
    };
    let inputs: Vec<Input> = inputs.iter().enumerate().map(known).collect();
    let ports = Ports {
        outputs: inputs.iter().map(|input| input.link).collect(),
        rates: inputs.iter().map(|input| input.rate).collect(),
        inputs,
    };
    if memory.mmu(&ports).is_some() {
        return;
    }
    let classes = u64::from(memory.classes);
    let of_inputs = ports.inputs.iter().map(|input| {
        let own = memory.headroom_of(input).get();
        own.saturating_add(memory.reserve.get())
            .saturating_mul(classes)
    });
    let taken = of_inputs.fold(0, u64::saturating_add);
    let message = format!(
        "headroom and reserves of {} inputs of {name} take {}, and leave nothing of {} to share",
        ports.inputs.len(),
        Bytes(taken),
        memory.memory
    );
    let help = "give more memory, or less headroom or reserve";
    faults.add(format!("{path}.memory"), message).help(help);
}

/// A link that leads to a switch.
struct Known {
    /// The name of its links.
    link: String,
    has_back: bool,
    /// Its rate and delay, if they are not drawn.
    known: Option<(Rate, Span)>,
}

fn inputs(survey: &Survey, node: u32) -> Vec<Known> {
    let wires = &survey.network.wires;
    let leads_back = |from: u32| {
        let mut all = wires.iter().flat_map(|wires| &wires.ends);
        all.any(|(start, end)| (*start, *end) == (node, from))
    };
    let of_wires = |wires: &Wires| {
        let ends = wires.ends.iter().enumerate();
        let mut found = Vec::new();
        for (i, (from, to)) in ends {
            if *to == node {
                found.push(Known {
                    link: wires.name.clone(),
                    has_back: wires.duplex || leads_back(*from),
                    known: known(wires, i, false),
                });
            } else if *from == node && wires.duplex {
                found.push(Known {
                    link: wires.name.clone(),
                    has_back: true,
                    known: known(wires, i, true),
                });
            }
        }
        found
    };
    wires.iter().flat_map(of_wires).collect()
}

fn known(wires: &Wires, i: usize, is_back: bool) -> Option<(Rate, Span)> {
    let spec = &wires.spec;
    let (rate, delay) = match is_back {
        true => (spec.back.rate.as_ref(), spec.back.delay.as_ref()),
        false => (None, None),
    };
    let rate = match rate.unwrap_or(&spec.rate) {
        Value::Constant(rate) => *rate,
        Value::Drawn(_) => return None,
    };
    let listed = wires.listed.as_ref().map(|edges| edges[i].delay);
    let delay = match delay.or(spec.delay.as_ref()) {
        Some(Value::Constant(delay)) => *delay,
        Some(Value::Drawn(_)) => return None,
        None => listed.unwrap_or(Span::ZERO),
    };
    Some((rate, delay))
}
