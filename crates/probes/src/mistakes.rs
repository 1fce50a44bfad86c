//! Mistakes of measures in the scenarios of their study.

use std::sync::Arc;

use pacesim::model::{Model, Name, Traffic};
use pacesim::scenario::{Inventory, Problem};
use pacesim::units::{Bytes, Rate, Span};
use pacesim_language::names::{Members, Reference};
use pacesim_language::problem::suggest;
use pacesim_runs::series::metrics_over_time;
use pacesim_study::Study;
use pacesim_study::measure::{DelayEnd, Delays, MeasureKind, Series};

use crate::loads::is_meant;
use crate::tap::members;

/// A key of a measure, its error, and the remedy.
type Mistake = (&'static str, String, String);

/// Missing links and flows, and intervals longer than the measured time, at the first or the last
/// point.
pub fn mistakes(study: &Study) -> Vec<Problem> {
    let mut found: Vec<Problem> = Vec::new();
    if study.all_measures().next().is_none() {
        return found;
    }
    let ends = study
        .points()
        .next()
        .into_iter()
        .chain(study.points().last());
    for (model, is_sound) in ends.filter_map(|number| look_at(study, number)) {
        for (i, measure) in study.all_measures().enumerate() {
            let measured = if is_sound {
                measured_time(&model, study.scale())
            } else {
                Span::MAX
            };
            for (key, message, help) in mistakes_of(&measure.kind, &model, measured) {
                let path = match &measure.asked_at {
                    Some(path) => path.clone(),
                    None => format!("measure[{i}].{key}"),
                };
                let problem = study.problem(&path, message, help);
                if !found.contains(&problem) {
                    found.push(problem);
                }
            }
        }
    }
    found
}

/// The links and flows of a point, and whether it can be run; a mistake in its scenario is reported
/// elsewhere.
fn look_at(study: &Study, point: u64) -> Option<(Model, bool)> {
    if let Ok(scenario) = study.scenario(point) {
        return Some((scenario.expand(scenario.scenario().run.seed, 0), true));
    }
    let inventory = study.inventory(point)?;
    let has_all = inventory.has_all_flows && inventory.has_all_links;
    has_all.then(|| (model_of_names(&inventory), false))
}

/// A model with these names and nothing else.
fn model_of_names(inventory: &Inventory) -> Model {
    let mut model = Model::new("", Span::from_secs(1));
    let (a, b) = (model.add_node("a"), model.add_node("b"));
    let rate = Rate::from_mbps(1);
    for name in &inventory.links {
        let link = model.add_link(a, b, rate, Span::ZERO);
        model.link_mut(link).name = Name::from(&Arc::from(name.as_str()));
    }
    for (group, count) in &inventory.flows {
        let size = Bytes(1000);
        let flow = model.add_flow(a, b, Traffic::Cbr { rate, size });
        let flow = &mut model.flows[flow.index()];
        // The last member implies the number of members.
        let last = count.map_or(u32::MAX - 1, |count| count.saturating_sub(1));
        (flow.group, flow.index) = (group.as_str().into(), last);
    }
    model
}

/// The measured time at full length.
fn measured_time(model: &Model, scale: f64) -> Span {
    let ps = (model.duration - model.warmup).as_ps() as f64 / scale;
    // Scaled times are truncated to whole picoseconds.
    Span::from_ps(ps.ceil() as u64)
}

/// The link of a measure, if it is at a single one.
pub fn link_of(kind: &MeasureKind) -> Option<&String> {
    match kind {
        MeasureKind::Queue(asked) => Some(&asked.link),
        MeasureKind::QueueAutocovariance(asked) => Some(&asked.link),
        MeasureKind::Distribution(asked) => asked.link.as_ref(),
        MeasureKind::Series(asked) => asked.link.as_ref(),
        _ => kind.place().and_then(|place| place.link.as_ref()),
    }
}

fn mistakes_of(kind: &MeasureKind, model: &Model, measured: Span) -> Vec<Mistake> {
    let place = kind.place();
    let link = link_of(kind);
    let flows: Vec<(&'static str, &Reference)> = match kind {
        MeasureKind::Delays(asked) => vec![("flows", &asked.flows)],
        MeasureKind::Losses(asked) => vec![("flows", &asked.flows)],
        MeasureKind::Hops(asked) => vec![("flows", &asked.flows)],
        MeasureKind::Victims(asked) => vec![("flows", &asked.flows)],
        MeasureKind::Completions(asked) => vec![("flows", &asked.flows)],
        MeasureKind::Distribution(asked) => asked.flows.iter().map(|f| ("flows", f)).collect(),
        MeasureKind::Fairness(asked) => asked.groups.iter().map(|g| ("groups", g)).collect(),
        _ => place
            .iter()
            .filter_map(|p| Some(("flows", p.flows.as_ref()?)))
            .collect(),
    };
    let link = match kind {
        MeasureKind::Loads(asked) => unknown_links(model, &asked.links),
        _ => link.and_then(|link| unknown_link(model, link)),
    };
    let own = match kind {
        MeasureKind::Series(asked) => of_series(model, asked),
        // The stand-in for a scenario with mistakes has the names of the flows alone.
        MeasureKind::Delays(asked) if measured < Span::MAX => never_resent(model, asked),
        _ => None,
    };
    let flows = flows.into_iter();
    let flows = flows.filter_map(|(key, flows)| unknown_flows(model, flows, key));
    let lengths = lengths(kind, model, measured);
    link.into_iter()
        .chain(flows)
        .chain(own)
        .chain(lengths)
        .collect()
}

/// Intervals that fit too few or too many times; none if the keys of the measure have mistakes, or
/// the measured time is unknown.
fn lengths(kind: &MeasureKind, model: &Model, measured: Span) -> Option<Mistake> {
    if !kind.is_sound() || measured == Span::MAX {
        return None;
    }
    too_long(kind, measured).or_else(|| too_short(kind, model.duration.max(measured), measured))
}

/// A group of flows or a metric that does not exist.
fn of_series(model: &Model, asked: &Series) -> Option<Mistake> {
    if let Some(name) = &asked.flows {
        let mut groups: Vec<&str> = model.flows.iter().map(|flow| &*flow.group).collect();
        groups.dedup();
        if !groups.contains(&name.as_str()) {
            let message = format!("there is no group of flows \"{name}\"");
            return Some(("flows", message, suggest(name, groups)));
        }
    }
    let of = if asked.link.is_some() {
        "link"
    } else {
        "group"
    };
    let metrics = metrics_over_time(of);
    if metrics.contains(&asked.metric.as_str()) {
        return None;
    }
    let message = format!("\"{}\" is no metric of a {of} over time", asked.metric);
    Some((
        "metric",
        message,
        suggest(&asked.metric, metrics.iter().copied()),
    ))
}

/// Flows without retransmissions, or whose retransmissions have numbers of their own: their data have
/// no other delivery than their arrival.
fn never_resent(model: &Model, asked: &Delays) -> Option<Mistake> {
    let ours = members(model, &asked.flows);
    let mut flows = model.flows.iter().zip(ours);
    let other = flows.find(|(flow, is_ours)| *is_ours && flow.traffic.tcp().is_none());
    let (flow, _) = other.filter(|_| asked.until == DelayEnd::Delivered)?;
    let message = format!(
        "\"delivered\" is for data that are sent again, and \"{}\" is no TCP",
        flow.group
    );
    Some((
        "until",
        message,
        "leave it out, or name a group of TCP flows".to_owned(),
    ))
}

fn unknown_link(model: &Model, name: &str) -> Option<Mistake> {
    let is_there = |name: &str| model.links.iter().any(|link| link.name == name);
    if is_there(name) {
        return None;
    }
    let first = format!("{name}[0]");
    Some(if is_there(&first) {
        let message = format!("\"{name}\" is a group of links");
        (
            "link",
            message,
            format!("name one of them, such as \"{first}\""),
        )
    } else {
        let message = format!("there is no link \"{name}\"");
        let names: Vec<String> = model
            .links
            .iter()
            .map(|link| link.name.to_string())
            .collect();
        (
            "link",
            message,
            suggest(name, names.iter().map(String::as_str)),
        )
    })
}

fn unknown_links(model: &Model, name: &str) -> Option<Mistake> {
    let names: Vec<String> = (model.links.iter())
        .map(|link| link.name.to_string())
        .collect();
    if names.iter().any(|link| is_meant(link, name)) {
        return None;
    }
    let message = format!("there are no links \"{name}\"");
    let mut groups: Vec<&str> = (names.iter())
        .filter_map(|link| link.split('[').next())
        .collect();
    groups.dedup();
    Some(("links", message, suggest(name, groups)))
}

fn unknown_flows(model: &Model, name: &Reference, key: &'static str) -> Option<Mistake> {
    let group = model.flows.iter().filter(|flow| *flow.group == *name.group);
    let most = group.map(|flow| flow.index + 1).max();
    let Some(count) = most else {
        let mut groups: Vec<&str> = model.flows.iter().map(|flow| &*flow.group).collect();
        groups.dedup();
        let message = format!("there is no group of flows \"{}\"", name.group);
        return Some((key, message, suggest(&name.group, groups)));
    };
    let end = match &name.members {
        Members::All => 0,
        Members::One(index) => index.saturating_add(1),
        Members::Range(range) => range.end,
    };
    (end > count).then(|| {
        let message = format!("\"{name}\": the group \"{}\" has {count}", name.group);
        (key, message, "members count from 0".to_owned())
    })
}

/// Finds intervals that fit too few times into the measured time.
fn too_long(kind: &MeasureKind, measured: Span) -> Option<Mistake> {
    let (key, longest, what) = match kind {
        MeasureKind::Burstiness(asked) => {
            ("scales", asked.lengths().last()?, "the longest interval")
        }
        MeasureKind::Hurst(asked) => ("interval", asked.interval, "an interval"),
        MeasureKind::Throughput(asked) => ("interval", asked.interval, "an interval"),
        MeasureKind::Spectrum(asked) => {
            let four = asked.interval.checked_mul(4).unwrap_or(Span::MAX);
            ("interval", four, "the time of four intervals")
        }
        MeasureKind::Autocovariance(asked) => lagging(asked.interval, &asked.lags, measured),
        MeasureKind::QueueAutocovariance(asked) => lagging(asked.interval, &asked.lags, measured),
        _ => return None,
    };
    (longest > measured).then(|| {
        let message = format!("{what}, {longest}, is longer than what is measured, {measured}");
        (
            key,
            message,
            "measured is from the end of the warm-up on".to_owned(),
        )
    })
}

/// The most samples that a table has, each a row.
const MOST_ROWS: u64 = 1_000_000;
/// The most samples that are kept for an estimate.
const MOST_KEPT: u64 = 10_000_000;
/// The most samples that are looked at one by one, and not kept.
const MOST_PASSED: u64 = 100_000_000;

/// Finds intervals of which a run has more than memory, or patience, is for.
fn too_short(kind: &MeasureKind, run: Span, measured: Span) -> Option<Mistake> {
    let (key, interval, of, most) = match kind {
        MeasureKind::Series(asked) => ("every", asked.every?, run, MOST_ROWS),
        MeasureKind::Throughput(asked) => ("interval", asked.interval, measured, MOST_ROWS),
        MeasureKind::Hurst(asked) => ("interval", asked.interval, measured, MOST_KEPT),
        MeasureKind::Spectrum(asked) => ("interval", asked.interval, measured, MOST_KEPT),
        MeasureKind::Autocovariance(asked) => ("interval", asked.interval, measured, MOST_PASSED),
        MeasureKind::QueueAutocovariance(asked) => {
            ("interval", asked.interval, measured, MOST_PASSED)
        }
        _ => return None,
    };
    let samples = of.as_ps().checked_div(interval.as_ps())?;
    (samples > most).then(|| {
        let least = Span::from_ps(of.as_ps().div_ceil(most));
        let message = format!("{samples} samples in {of} are more than a run can keep, {most}");
        (key, message, format!("give at least \"{least}\""))
    })
}

/// The time of the greatest lag, and the key to blame.
fn lagging(interval: Span, lags: &[u32], measured: Span) -> (&'static str, Span, &'static str) {
    let lag = u64::from(lags.last().copied().unwrap_or(0));
    let until_then = interval.checked_mul(lag + 1).unwrap_or(Span::MAX);
    let key = if interval > measured {
        "interval"
    } else {
        "lags"
    };
    (key, until_then, "the greatest lag with its interval")
}
