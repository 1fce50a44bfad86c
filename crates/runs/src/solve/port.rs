//! The analytic model that fits a port of a scenario, and its assumptions.

mod paced;
mod tcp;

use std::collections::{BTreeMap, BTreeSet};

use pacesim::model::{Counts, Distribution, Flow, Link, Model, Paths, PortPacer, Sizes, Traffic};
use pacesim::units::{Bytes, Capacity, LinkId, Time};

/// The reason why no model fits the port.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum NoFit {
    /// No link has this name.
    #[error("there is no port \"{name}\"; did you mean \"{nearest}\"? There are {known}")]
    NoPort {
        /// Name that was requested.
        name: String,
        /// Name of the link that is most similar.
        nearest: String,
        /// Names of some existing links.
        known: String,
    },
    /// Packets of one flow take several paths.
    #[error(
        "packets of flow \"{flow}\" take several paths at a time, and have no share on one: \
         use multipath = \"flow\", or none"
    )]
    Divided {
        /// Name of the flow.
        flow: String,
    },
    /// The port does not match any queue of the catalogue.
    #[error("no model fits port {port}: {why}")]
    Unlike {
        /// Name of the port.
        port: String,
        /// Description of the mismatch.
        why: String,
    },
}

/// A model with its parameters, derived from a port.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Fit {
    pub(super) model: &'static str,
    pub(super) settings: Vec<(&'static str, String)>,
    /// Mean transmission time, in seconds.
    pub(super) service_s: f64,
    pub(super) assumptions: Vec<String>,
}

/// A class of packets that pass the port.
struct Class {
    /// Number of packets per second.
    rate: f64,
    sizes: Sizes,
    mean_bytes: f64,
    /// Squared coefficient of variation of the packet sizes.
    scv: f64,
}

/// The model that fits the port of this name.
pub(super) fn fit(model: &Model, port: &str) -> Result<Fit, NoFit> {
    let Some(place) = model.links.iter().position(|link| link.name == port) else {
        return Err(no_port(model, port));
    };
    fit_link(model, LinkId::from_index(place)).map_err(|why| NoFit::Unlike {
        port: port.to_owned(),
        why,
    })
}

fn no_port(model: &Model, name: &str) -> NoFit {
    const SOME: usize = 12;
    let names = model.links.iter().map(|link| link.name.to_string());
    let mut known: Vec<String> = names.take(SOME).collect();
    if model.links.len() > SOME {
        known.push("...".to_owned());
    }
    let alike = |link: &&Link| strsim::normalized_damerau_levenshtein(name, &link.name.to_string());
    let all = model.links.iter();
    let nearest = all.max_by(|a, b| alike(a).total_cmp(&alike(b)));
    NoFit::NoPort {
        name: name.to_owned(),
        nearest: nearest.map_or_else(String::new, |link| link.name.to_string()),
        known: known.join(", "),
    }
}

/// The reason why no model has such a line, or such paths, if there is one.
fn beyond_models(model: &Model, link: &Link) -> Option<String> {
    if !link.extras.drops.is_empty() {
        return Some("it drops packets by a script".to_owned());
    }
    if link.extras.opportunities.is_some() {
        return Some("its line sends at recorded opportunities".to_owned());
    }
    if model.switches.iter().any(|switch| switch.node == link.from) {
        return Some("it shares the memory of a switch".to_owned());
    }
    let mut flows = model.flows.iter();
    let Flow { group, index, .. } = flows.find(|flow| flow.takes_several())?;
    let who = format!("flow {group}[{index}]");
    Some(format!("packets of {who} take several paths"))
}

fn fit_link(model: &Model, port: LinkId) -> Result<Fit, String> {
    let link = &model.links[port.index()];
    if let Some(reason) = beyond_models(model, link) {
        return Err(reason);
    }
    let mut paths = model.paths();
    let passing = |flow| Some((flow, links_before(&mut paths, flow, port)?));
    let passing: Vec<(&Flow, Vec<LinkId>)> = model.flows.iter().filter_map(passing).collect();
    if passing.is_empty() {
        return Err("no flow passes it".to_owned());
    }
    match link.extras.pacer.as_ref() {
        None | Some(PortPacer::Unpaced(_)) => {}
        Some(PortPacer::Qlbp(config)) => return paced::fit(link, config, &passing),
        Some(other) => return Err(format!("it has a pacer, {}", other.name())),
    }
    if passing
        .iter()
        .any(|(flow, _)| flow.traffic.is_closed_loop())
    {
        return tcp::fit(model, port, &passing, &mut paths);
    }
    let feeders: BTreeSet<LinkId> = passing
        .iter()
        .flat_map(|(_, before)| before)
        .copied()
        .collect();
    let feeders: Vec<&Link> = feeders.iter().map(|id| &model.links[id.index()]).collect();
    if let Some(paced) = feeders.iter().find(|link| link.extras.pacer.is_some()) {
        let name = &paced.name;
        return Err(format!(
            "link {name} before it paces packets, so that arrivals are not Poisson"
        ));
    }
    if let Some(altered) = feeders.iter().find(|link| link.extras.behind() > 0) {
        let name = &altered.name;
        return Err(format!(
            "link {name} before it has jitter or a middlebox, so that arrivals are not Poisson"
        ));
    }
    let classes = passing.iter().map(|(flow, _)| class(model, flow));
    let classes = classes.collect::<Result<Vec<_>, _>>()?;
    let (name, settings) = choose(link, &classes)?;
    let packets: f64 = classes.iter().map(|c| c.rate).sum();
    let bytes: f64 = classes.iter().map(|c| c.rate * c.mean_bytes).sum();
    Ok(Fit {
        model: name,
        settings,
        service_s: bytes / packets * 8.0 / link.rate.as_bps() as f64,
        assumptions: assumptions(link, &classes, &feeders, name),
    })
}

/// The links that the flow's packets, or its acknowledgements, pass before this port; `None` if they
/// do not pass it.
fn links_before(paths: &mut Paths, flow: &Flow, port: LinkId) -> Option<Vec<LinkId>> {
    let before = |path: Vec<LinkId>| {
        let place = path.iter().position(|link| *link == port)?;
        Some(path[..place].to_vec())
    };
    let there = paths.there(flow)?;
    before(there).or_else(|| before(paths.of_acks(flow).unwrap_or_default()))
}

fn class(model: &Model, flow: &Flow) -> Result<Class, String> {
    let name = format!("flow {}[{}]", flow.group, flow.index);
    let unlike = match &flow.traffic {
        Traffic::Poisson { rate, size } => {
            let whole = flow.start <= Time::ZERO + model.warmup
                && flow
                    .stop
                    .is_none_or(|stop| stop >= Time::ZERO + model.duration);
            return match moments(size) {
                Some((mean_bytes, scv)) if whole => Ok(Class {
                    rate: rate.as_bps() as f64 / 8.0 / mean_bytes,
                    sizes: size.clone(),
                    mean_bytes,
                    scv,
                }),
                Some(_) => Err(format!(
                    "{name} does not send all the time that is measured"
                )),
                None => Err(format!(
                    "{name} has sizes that are not constant, exponential or uniform"
                )),
            };
        }
        other => other.what_it_does(),
    };
    Err(format!("{name} {unlike}; the models need Poisson arrivals"))
}

fn moments(sizes: &Sizes) -> Option<(f64, f64)> {
    match *sizes {
        Sizes::Constant(size) => Some((size.get() as f64, 0.0)),
        Sizes::Drawn(Distribution::Exponential { mean }) => Some((mean, 1.0)),
        Sizes::Drawn(Distribution::Uniform { low, high }) => {
            let mean = (low + high) / 2.0;
            Some((mean, (high - low) * (high - low) / 12.0 / (mean * mean)))
        }
        Sizes::Drawn(_) => None,
    }
}

type Choice = (&'static str, Vec<(&'static str, String)>);

fn choose(link: &Link, classes: &[Class]) -> Result<Choice, String> {
    let load = classes
        .iter()
        .map(|c| c.rate * c.mean_bytes * 8.0)
        .sum::<f64>()
        / link.rate.as_bps() as f64;
    let load = ("load", load.to_string());
    let waiting = link.buffer.counts == Counts::Waiting;
    let alike = classes.iter().all(|c| c.sizes == classes[0].sizes);
    match (link.buffer.capacity, &classes[0].sizes) {
        (Capacity::Packets(0), _) if waiting => Err("its buffer takes nothing".to_owned()),
        (Capacity::Unlimited, _) => {
            Ok(("mg1", vec![load, ("service_scv", scv(classes).to_string())]))
        }
        (Capacity::Packets(n), Sizes::Constant(_)) if alike => Ok((
            "md1k",
            vec![load, ("places", (n + u64::from(waiting)).to_string())],
        )),
        (Capacity::Packets(n), Sizes::Drawn(Distribution::Exponential { .. })) if alike => Ok((
            "mm1k",
            vec![load, ("places", (n + u64::from(waiting)).to_string())],
        )),
        (Capacity::Packets(_), _) => Err(
            "a buffer of packets needs sizes that are all constant and equal, or all exponential \
             with one mean"
                .to_owned(),
        ),
        (Capacity::Bytes(buffer), _) => bulks(link, classes, buffer, waiting),
    }
}

/// The squared coefficient of variation of the mix.
fn scv(classes: &[Class]) -> f64 {
    let packets: f64 = classes.iter().map(|c| c.rate).sum();
    let mean = classes.iter().map(|c| c.rate * c.mean_bytes).sum::<f64>() / packets;
    let square = |c: &Class| c.rate * c.mean_bytes * c.mean_bytes * (1.0 + c.scv);
    let second = classes.iter().map(square).sum::<f64>() / packets;
    (second / (mean * mean) - 1.0).max(0.0)
}

fn bulks(link: &Link, classes: &[Class], buffer: Bytes, waiting: bool) -> Result<Choice, String> {
    let mut rates: BTreeMap<u64, f64> = BTreeMap::new();
    for class in classes {
        let Sizes::Constant(size) = class.sizes else {
            return Err("a buffer of bytes needs constant sizes".to_owned());
        };
        *rates.entry(size.get()).or_default() += class.rate;
    }
    let texts = rates.iter().map(|(size, rate)| format!("{rate}x{size}"));
    let room = if waiting { "waiting" } else { "system" };
    Ok((
        "bulk_bytes",
        vec![
            ("buffer", format!("{}B", buffer.get())),
            ("room", room.to_owned()),
            ("rate", format!("{}bps", link.rate.as_bps())),
            ("classes", texts.collect::<Vec<_>>().join(",")),
            ("service", "deterministic".to_owned()),
        ],
    ))
}

fn assumptions(link: &Link, classes: &[Class], feeders: &[&Link], model: &str) -> Vec<String> {
    let mut list = vec![format!(
        "arrivals are Poisson: {} independent source(s) merge into one",
        classes.len()
    )];
    if !feeders.is_empty() {
        list.push(
            "the links before this port neither lose, nor delay, nor space packets".to_owned(),
        );
    }
    let may_lose = |link: &&&Link| {
        link.extras.may_lose()
            || !link.extras.drops.is_empty()
            || link.buffer.capacity != Capacity::Unlimited
    };
    if let Some(lossy) = feeders.iter().find(may_lose) {
        list.push(format!(
            "link {} before it loses nothing, though it could",
            lossy.name
        ));
    }
    if link.extras.may_lose() {
        list.push("loss on the wire behind the port is not counted".to_owned());
    }
    if classes.iter().any(|c| matches!(c.sizes, Sizes::Drawn(_))) {
        list.push("drawn sizes are not rounded to whole bytes".to_owned());
    }
    if model == "bulk_bytes" {
        list.push(
            "a packet's room is free as its bytes leave, not when its last has left".to_owned(),
        );
    }
    list.push("the queue is in its steady state: the warm-up is long enough".to_owned());
    list
}
