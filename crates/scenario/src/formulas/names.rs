//! Names in formulas: quantities of links and flows.

use pacesim_expression::{Names, Unit, Value};
use pacesim_keys::FlowGroup;
use pacesim_language::problem::suggest;
use pacesim_model::{Flow, Link, Model};
use pacesim_units::{Capacity, LinkId};

use super::load::{Group, Refusal, load};

/// The names that a formula may use, with their arguments.
const KNOWN: [&str; 7] = ["bdp", "rtt", "rate", "delay", "buffer", "flows", "load"];

/// The links and flows of a scenario.
pub(super) struct Members<'m> {
    model: &'m Model,
    /// The links' names.
    links: Vec<String>,
    /// The group of flows in whose traffic the formula stands.
    group: Option<Group>,
}

impl<'m> Members<'m> {
    pub(super) fn new(model: &'m Model) -> Members<'m> {
        let links = model.links.iter().map(|link| link.name.to_string());
        let links = links.collect();
        let group = None;
        Members {
            model,
            links,
            group,
        }
    }

    /// Names for a formula in the traffic of this group of flows.
    pub(super) fn in_traffic_of(&mut self, group: Option<&FlowGroup>) {
        self.group = group.map(Group::of);
    }

    fn load(&self, of: &str) -> Result<Value, Refusal> {
        let Some(group) = &self.group else {
            let message = "load is for the traffic of flows".to_owned();
            return Err((message, format!("write 0.5 * rate({of})")));
        };
        self.common("rate", of, |link| Ok(link.rate.into()))?;
        load(self.model, group, &self.links(of)?)
    }

    /// The links of this name or group.
    fn links(&self, of: &str) -> Result<Vec<LinkId>, Refusal> {
        let names = self.links.iter().enumerate();
        let named = names.filter(|(_, name)| is_member(name, of));
        let found: Vec<_> = named.map(|(i, _)| LinkId(i as u32)).collect();
        match found.is_empty() {
            false => Ok(found),
            true => {
                let names = self.links.iter().map(|name| group(name));
                Err(unknown("link", of, names))
            }
        }
    }

    /// The flows of this name or group.
    fn flows(&self, of: &str) -> Result<Vec<&'m Flow>, Refusal> {
        let is_named = |flow: &&Flow| {
            *flow.group == *of || is_member(&format!("{}[{}]", flow.group, flow.index), of)
        };
        let found: Vec<&Flow> = self.model.flows.iter().filter(is_named).collect();
        match found.is_empty() {
            false => Ok(found),
            true => {
                let groups = self.model.flows.iter().map(|flow| &*flow.group);
                Err(unknown("flow", of, groups))
            }
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
        let mut routes = self.model.routes();
        let (mut sum, mut count) = (0.0, 0.0);
        for flow in flows {
            let there = routes.path(flow.from, flow.to)?;
            let back = routes.path(flow.to, flow.from)?;
            let links = there.iter().chain(&back);
            let delays = links.map(|link| mean_delay_s(&self.model.links[link.index()]));
            sum += delays.sum::<f64>();
            count += 1.0;
        }
        let unit = Unit::SECOND;
        let number = sum / count;
        (count > 0.0).then_some(Value { number, unit })
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
        let mut routes = self.model.routes();
        let crosses = |flow: &&Flow| {
            let path = routes.path(flow.from, flow.to).unwrap_or_default();
            path.iter().any(|link| links.contains(link))
        };
        let flows: Vec<&Flow> = self.model.flows.iter().filter(crosses).collect();
        let rtt = self.round_trip(flows.into_iter()).ok_or_else(|| {
            let message = format!("no flow with a route back crosses \"{of}\"");
            (message, format!("write rate({of}) * 100ms"))
        })?;
        let number = rate.number * rtt.number;
        let unit = Unit::BIT;
        Ok(Value { number, unit })
    }
}

impl Names for Members<'_> {
    fn value(&self, name: &str, of: Option<&str>) -> Result<Value, Refusal> {
        match (name, of) {
            ("flows", None) => Ok(Value::plain(self.model.flows.len() as f64)),
            ("flows", Some(of)) => Ok(Value::plain(self.flows(of)?.len() as f64)),
            ("rate", Some(of)) => self.common(name, of, |link| Ok(link.rate.into())),
            ("delay", Some(of)) => self.common(name, of, |link| Ok(link.delay.into())),
            ("buffer", Some(of)) => self.common(name, of, buffer),
            ("rtt", Some(of)) => self.rtt(of),
            ("bdp", Some(of)) => self.bdp(of),
            ("load", Some(of)) => self.load(of),
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

/// Without the time that jitter which keeps the order holds a packet for the one before it.
fn mean_delay_s(link: &Link) -> f64 {
    let jitter = link.extras.jitter.as_ref();
    let law = jitter.and_then(|jitter| jitter.delay.sampler().ok());
    link.delay.as_secs_f64() + law.map_or(0.0, |law| law.mean() * 1e-12)
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

/// The group of a member: "hop" of "hop[3]".
fn group(name: &str) -> &str {
    name.split('[').next().unwrap_or(name)
}

fn unknown<'a>(what: &str, of: &str, known: impl Iterator<Item = &'a str>) -> Refusal {
    let mut names: Vec<&str> = known.collect();
    names.dedup();
    let message = format!("there is no {what} of the name \"{of}\"");
    (message, suggest(of, names))
}
