//! Conditions on memories whose switches pause their inputs.

use std::collections::{BTreeMap, VecDeque};

use pacesim_keys::{Memory, PfcKeys, Scenario, SwitchGroup, Value};
use pacesim_language::problem::Faults;
use pacesim_model::change::Extremes;
use pacesim_model::switch::{Frees, Input, Lossless, Ports, Rule};
use pacesim_units::{Bytes, LinkId, Rate, Span};

use crate::resolve::{Events, Survey, Wires};

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
        ("class_memory", !group.class_memory.is_empty()),
        ("cell", group.cell.is_some()),
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
    (survey, links): (&Survey, &Links<'_>),
    scenario: &Scenario,
    (i, pfc): (usize, &PfcKeys),
    node: u32,
    faults: &mut Faults,
) {
    let name = survey.network.nodes.name(node);
    let inputs = links.inputs(node);
    if let Some(alone) = inputs.iter().find(|input| input.back.is_none()) {
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
    let drawn = inputs.iter().find(|input| input.known().is_none());
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
fn has_room(
    path: &str,
    memory: &Lossless,
    (name, inputs): (&str, &[Known<'_>]),
    faults: &mut Faults,
) {
    // If they are drawn, headroom is given, and hangs on neither.
    let drawn = Extremes::of(Rate::from_mbps(1), Span::ZERO);
    let known = |(i, input): (usize, &Known)| {
        let [there, back] = input.known().unwrap_or([drawn; 2]);
        Input {
            link: LinkId::from_index(i),
            back: Some(LinkId::from_index(i)),
            rate: there.most_rate,
            there,
            over_back: Some(back),
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
struct Known<'a> {
    /// The name of its links.
    link: &'a str,
    /// Its rates and its delay, if they are not drawn.
    there: Option<Extremes>,
    /// Those of the link back, if there is one.
    back: Option<Option<Extremes>>,
}

impl Known<'_> {
    /// The extremes of both directions.
    fn known(&self) -> Option<[Extremes; 2]> {
        Some([self.there?, self.back??])
    }
}

/// All links, in the order of their numbers.
pub(super) struct Links<'a> {
    all: Vec<Link<'a>>,
    /// The links that lead to each node, and those that leave it.
    into: BTreeMap<u32, Vec<usize>>,
    out: BTreeMap<u32, Vec<usize>>,
}

struct Link<'a> {
    name: &'a str,
    from: u32,
    to: u32,
    known: Option<Extremes>,
}

impl<'a> Links<'a> {
    pub(super) fn of(survey: &'a Survey, scenario: &Scenario) -> Links<'a> {
        let mut all = Vec::new();
        for wires in &survey.network.wires {
            for is_back in [false, true]
                .into_iter()
                .take(1 + usize::from(wires.duplex))
            {
                let ends = wires.ends.iter().enumerate();
                all.extend(ends.map(|(i, (a, b))| {
                    let [from, to] = if is_back { [*b, *a] } else { [*a, *b] };
                    Link {
                        name: &wires.name,
                        from,
                        to,
                        known: known(wires, i, is_back),
                    }
                }));
            }
        }
        // Unknown names are reported where events are checked.
        let events = Events::of(survey, &scenario.events, &mut Faults::default());
        for change in events.changes() {
            let link = all.get_mut(change.link.index());
            if let Some(known) = link.and_then(|link| link.known.as_mut()) {
                known.note(&change.change);
            }
        }
        let mut links = Links {
            all,
            into: BTreeMap::new(),
            out: BTreeMap::new(),
        };
        for (i, link) in links.all.iter().enumerate() {
            links.into.entry(link.to).or_default().push(i);
            links.out.entry(link.from).or_default().push(i);
        }
        links
    }

    /// The links that lead to a node, each with its link back as models join them.
    fn inputs(&self, node: u32) -> Vec<Known<'a>> {
        let of = |map: &BTreeMap<u32, Vec<usize>>| map.get(&node).cloned().unwrap_or_default();
        let mut back: BTreeMap<u32, VecDeque<usize>> = BTreeMap::new();
        for i in of(&self.out) {
            back.entry(self.all[i].to).or_default().push_back(i);
        }
        let input = |i: usize| {
            let Link {
                name, from, known, ..
            } = self.all[i];
            let back = back.get_mut(&from).and_then(VecDeque::pop_front);
            Known {
                link: name,
                there: known,
                back: back.map(|back| self.all[back].known),
            }
        };
        of(&self.into).into_iter().map(input).collect()
    }
}

/// The rate and the delay of a link before any change.
fn known(wires: &Wires, i: usize, is_back: bool) -> Option<Extremes> {
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
    Some(Extremes::of(rate, delay))
}
