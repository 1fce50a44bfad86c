//! The names in formulas, for quantities of links and flows.

use pacesim_keys::FlowGroup;
use pacesim_language::expression::{Names, Unit, Value};
use pacesim_language::problem::suggest;
use pacesim_language::stand_ins::quantity;
use pacesim_model::{Flow, Link, Model};
use pacesim_units::{Capacity, LinkId, Quantity};

use super::load::{Group, Refusal, load};
use crate::inventory::Inventory;

/// The names that a formula may use, with their arguments.
const KNOWN: [&str; 7] = ["bdp", "rtt", "rate", "delay", "buffer", "flows", "load"];

/// The links and flows of a scenario.
pub(super) struct Members<'m> {
    source: NumberSource<'m>,
    /// The links' names.
    links: Vec<String>,
    /// The group of flows in whose traffic the formula stands.
    group: Option<Group>,
}

/// The source of numbers.
#[derive(Clone, Copy)]
enum NumberSource<'m> {
    Model(&'m Model),
    /// A scenario with mistakes: its names, and a set of stand-ins.
    Names(&'m Inventory, usize),
}

impl<'m> Members<'m> {
    pub(super) fn new(model: &'m Model) -> Members<'m> {
        let links = model.links.iter().map(|link| link.name.to_string());
        Members {
            source: NumberSource::Model(model),
            links: links.collect(),
            group: None,
        }
    }

    /// Names without numbers, which have stand-ins.
    pub(super) fn of_names(names: &'m Inventory, set: usize) -> Members<'m> {
        Members {
            source: NumberSource::Names(names, set),
            links: names.links.clone(),
            group: None,
        }
    }

    /// Names for a formula in the traffic of this group of flows.
    pub(super) fn in_traffic_of(&mut self, group: Option<&FlowGroup>) {
        self.group = group.map(Group::of);
    }

    /// The value of a name, whose number is a stand-in if the scenario has mistakes.
    fn known(&self, name: &str, of: Option<&str>) -> Result<Value, Refusal> {
        if let (None, "load", Some(of)) = (&self.group, name, of) {
            let message = "load is for the traffic of flows".to_owned();
            return Err((message, format!("write 0.5 * rate({of})")));
        }
        match self.source {
            NumberSource::Names(names, set) => stand_in(names, (name, of), set),
            NumberSource::Model(model) => {
                let (links, group) = (&self.links, &self.group);
                let numbers = Numbers {
                    model,
                    links,
                    group,
                };
                numbers.value(name, of)
            }
        }
    }
}

/// A quantity of this name, if there may be such links or flows.
fn stand_in(
    names: &Inventory,
    (name, of): (&str, Option<&str>),
    set: usize,
) -> Result<Value, Refusal> {
    let is_of_flows = ["rtt", "flows"].contains(&name);
    match of {
        Some(of) if is_of_flows && names.has_all_flows => {
            let groups = || names.flows.iter().map(|(group, _)| group.as_str());
            if !groups().any(|known| known == group(of)) {
                return Err(unknown("flow", of, groups()));
            }
        }
        Some(of) if !is_of_flows && names.has_all_links => {
            let links = || names.links.iter().map(String::as_str);
            if !links().any(|link| is_member(link, of)) {
                return Err(unknown("link", of, links().map(group)));
            }
        }
        _ => {}
    }
    // A buffer counts packets or bytes: both are tried.
    let written = match name {
        "rate" | "load" => quantity(Quantity::Rate)[set],
        "delay" | "rtt" => quantity(Quantity::Span)[set],
        "bdp" => quantity(Quantity::Bytes)[set],
        "buffer" => quantity(Quantity::Capacity)[set],
        _ => return Ok(Value::count([2, 30, 400][set])),
    };
    Ok(Value::written(written).expect("a stand-in is a quantity"))
}

/// Looks up the numbers of a model.
struct Numbers<'m, 'a> {
    model: &'m Model,
    links: &'a [String],
    group: &'a Option<Group>,
}

impl<'m> Numbers<'m, '_> {
    fn value(&self, name: &str, of: Option<&str>) -> Result<Value, Refusal> {
        match (name, of) {
            ("rate", Some(of)) => self.common(name, of, |link| Ok(link.rate.into())),
            ("delay", Some(of)) => self.common(name, of, |link| Ok(link.delay.into())),
            ("buffer", Some(of)) => self.common(name, of, buffer),
            ("rtt", Some(of)) => self.rtt(of),
            ("bdp", Some(of)) => self.bdp(of),
            ("load", Some(of)) => self.load(of),
            (_, Some(of)) => Ok(Value::count(self.flows(of)?.len() as u64)),
            (_, None) => Ok(Value::count(self.model.flows.len() as u64)),
        }
    }

    fn load(&self, of: &str) -> Result<Value, Refusal> {
        let group = self.group.as_ref().expect("a load is that of a group");
        self.common("rate", of, |link| Ok(link.rate.into()))?;
        load(self.model, group, &self.links(of)?)
    }

    /// Finds the links of this name or group.
    fn links(&self, of: &str) -> Result<Vec<LinkId>, Refusal> {
        let names = self.links.iter().enumerate();
        let named = names.filter(|(_, name)| is_member(name, of));
        let found: Vec<_> = named.map(|(i, _)| LinkId(i as u32)).collect();
        if found.is_empty() {
            let names = self.links.iter().map(|name| group(name));
            Err(unknown("link", of, names))
        } else {
            Ok(found)
        }
    }

    /// Finds the flows of this name or group.
    fn flows(&self, of: &str) -> Result<Vec<&'m Flow>, Refusal> {
        let is_named = |flow: &&Flow| {
            *flow.group == *of || is_member(&format!("{}[{}]", flow.group, flow.index), of)
        };
        let found: Vec<&Flow> = self.model.flows.iter().filter(is_named).collect();
        if found.is_empty() {
            let groups = self.model.flows.iter().map(|flow| &*flow.group);
            Err(unknown("flow", of, groups))
        } else {
            Ok(found)
        }
    }

    /// A quantity shared by all links of a group.
    fn common(
        &self,
        name: &str,
        of: &str,
        quantity: impl Fn(&Link) -> Result<Value, Refusal>,
    ) -> Result<Value, Refusal> {
        let links = self.links(of)?;
        let first = quantity(&self.model.links[links[0].index()])?;
        for link in &links[1..] {
            if quantity(&self.model.links[link.index()])? != first {
                let message = format!("the {name}s of the links of \"{of}\" differ");
                return Err((message, format!("name one link: {name}({of}[0])")));
            }
        }
        Ok(first)
    }

    /// The mean of the flows' round-trip propagation delays, with the mean jitter of each link.
    fn round_trip<'f>(&self, flows: impl Iterator<Item = &'f Flow>) -> Option<Value> {
        let mut paths = self.model.paths();
        let (mut delays_ps, mut jitter_ps, mut count) = (0_i128, 0.0, 0_i128);
        for flow in flows {
            let (there, back) = (paths.there(flow)?, paths.back(flow)?);
            for link in there.iter().chain(&back) {
                let link = &self.model.links[link.index()];
                delays_ps += i128::from(link.delay.as_ps());
                jitter_ps += mean_jitter_ps(link);
            }
            count += 1;
        }
        let unit = Unit::SECOND;
        let exact = || Value::quotient(delays_ps, count * PS_PER_SECOND, unit);
        let mean_s = || (delays_ps as f64 + jitter_ps) / count as f64 / PS_PER_SECOND as f64;
        (count > 0).then(|| {
            if jitter_ps == 0.0 {
                exact()
            } else {
                Value::new(mean_s(), unit)
            }
        })
    }

    fn rtt(&self, of: &str) -> Result<Value, Refusal> {
        let flows = self.flows(of)?;
        self.round_trip(flows.into_iter()).ok_or_else(|| {
            let message = format!("there is no route back for \"{of}\"");
            (message, "add the links back".to_owned())
        })
    }

    /// The rate of a link times the mean round trip of the flows that cross it.
    fn bdp(&self, of: &str) -> Result<Value, Refusal> {
        let rate = self.common("rate", of, |link| Ok(link.rate.into()))?;
        let links = self.links(of)?;
        let mut paths = self.model.paths();
        let crosses = |flow: &&Flow| {
            let path = paths.there(flow).unwrap_or_default();
            path.iter().any(|link| links.contains(link))
        };
        let flows: Vec<&Flow> = self.model.flows.iter().filter(crosses).collect();
        let rtt = self.round_trip(flows.into_iter()).ok_or_else(|| {
            let message = format!("no flow with a route back crosses \"{of}\"");
            (message, format!("write rate({of}) * 100ms"))
        })?;
        Ok(rate.product(rtt, Unit::BIT))
    }
}

impl Names for Members<'_> {
    fn value(&self, name: &str, of: Option<&str>) -> Result<Value, Refusal> {
        match (name, of) {
            ("flows", None) => self.known(name, None),
            (known, Some(_)) if KNOWN.contains(&known) => self.known(name, of),
            (known, None) if KNOWN.contains(&known) => {
                let help = format!("write {known}(name)");
                Err((format!("{known} takes the name of a link or flow"), help))
            }
            (name, None) if name.contains('-') => {
                let help = format!("write {} with spaces to subtract", name.replace('-', " - "));
                Err((format!("a formula has no \"{name}\""), help))
            }
            _ => {
                let message = format!("a formula has no \"{name}\"");
                let functions = ["min", "max", "sqrt", "log", "pow"];
                Err((message, suggest(name, KNOWN.into_iter().chain(functions))))
            }
        }
    }
}

const PS_PER_SECOND: i128 = 1_000_000_000_000;

/// Without the time that jitter which keeps the order holds a packet for the one before it.
fn mean_jitter_ps(link: &Link) -> f64 {
    let jitter = link.extras.jitter.as_ref();
    let law = jitter.and_then(|jitter| jitter.delay.sampler().ok());
    law.map_or(0.0, |law| law.mean())
}

fn buffer(link: &Link) -> Result<Value, Refusal> {
    match link.buffer.capacity {
        Capacity::Packets(packets) => Ok(Value::packets(packets)),
        Capacity::Bytes(bytes) => Ok(bytes.into()),
        Capacity::Unlimited => {
            let message = format!("the buffer of \"{}\" is unlimited", link.name);
            Err((message, "give it a size".to_owned()))
        }
    }
}

/// True for the group or object itself, and for members of a group.
fn is_member(name: &str, of: &str) -> bool {
    let rest = name.strip_prefix(of);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('['))
}

/// The name of a member's group: "hop" of "hop[3]".
fn group(name: &str) -> &str {
    name.split('[').next().unwrap_or(name)
}

fn unknown<'a>(what: &str, of: &str, known: impl Iterator<Item = &'a str>) -> Refusal {
    let mut names: Vec<&str> = known.collect();
    names.dedup();
    let message = format!("there is no {what} of the name \"{of}\"");
    (message, suggest(of, names))
}
