//! Faults of pacers: those found by the configuration, at the keys that cause them.

use pacesim_keys::{PacerKind, PacerSpec, Scenario, Value};
use pacesim_language::problem::Faults;
use pacesim_model::Distribution;
use pacesim_model::pacer::PortPacer;
use pacesim_model::range::LINE_RATE;
use pacesim_units::Rate;

/// Reports faults of a pacer at `path` in front of lines with these rates.
pub(crate) fn check(path: &str, pacer: &PacerSpec, rates: &Value<Rate>, faults: &mut Faults) {
    if !(0.0..=1.0).contains(&pacer.share) {
        let message = format!("{} is not a share", pacer.share);
        faults
            .add(format!("{path}.share"), message)
            .help("give a number from 0 to 1");
    }
    if matches!(&pacer.kind, PacerKind::HullMulti(config) if config.delays.is_empty()) {
        faults
            .add(
                format!("{path}.delays"),
                "there is no class of packets to release",
            )
            .help("give the delay of class 0 at least, as [\"10ms\"]");
    }
    let (slowest, fastest) = match extremes(rates) {
        Some(both) => both,
        None if pacer.kind.asks_for_line() => {
            faults
                .add(path, "this pacer must fit every line, but the rates are drawn from a distribution without a least and a greatest")
                .help("draw the rates from uniform, or give them one by one");
            return;
        }
        // Then it is the same for every line.
        None => (LINE_RATE.most, LINE_RATE.most),
    };
    // A slow line limits mu_max, a fast one makes the rule's Q_max large.
    let fits = |rate| pacer.kind.for_line(rate).and_then(validate);
    let Err(problems) = fits(slowest).and_then(|()| fits(fastest)) else {
        return;
    };
    for problem in problems.0 {
        let key = key_of(&pacer.kind, problem.field);
        let help = help_of(&pacer.kind, problem.field).map_or(problem.remedy, str::to_owned);
        faults
            .add(format!("{path}.{key}"), problem.broken)
            .help(help);
    }
}

/// Reports flows in a class for which a pacer has no delay.
pub(crate) fn classes<'s>(
    scenario: &Scenario,
    specs: impl Iterator<Item = (String, &'s PacerSpec)>,
    faults: &mut Faults,
) {
    let highest = scenario.flows.iter().map(|flow| flow.class).max();
    for (path, pacer) in specs {
        let PacerKind::HullMulti(config) = &pacer.kind else {
            continue;
        };
        let classes = config.delays.len();
        if let Some(highest) = highest.filter(|class| usize::from(*class) >= classes && classes > 0)
        {
            let message = format!(
                "class {highest} has no delay here: there are {classes}, of class 0 to {}",
                classes - 1
            );
            faults
                .add(format!("{path}.delays"), message)
                .help("give a delay for each class that a flow names by its key class");
        }
    }
}

/// The rates of the slowest and the fastest possible line.
fn extremes(rates: &Value<Rate>) -> Option<(Rate, Rate)> {
    match rates {
        Value::Constant(rate) => Some((*rate, *rate)),
        Value::Drawn(Distribution::Uniform { low, high }) => {
            Some((LINE_RATE.nearest(*low), LINE_RATE.nearest(*high)))
        }
        Value::Drawn(_) => None,
    }
}

fn validate(pacer: PortPacer) -> Result<(), pacesim_pacers::InvalidConfig> {
    let problems = pacer.validate();
    if problems.is_empty() {
        Ok(())
    } else {
        Err(pacesim_pacers::InvalidConfig(problems))
    }
}

/// The remedy if a parameter of the configuration follows from the scenario's.
fn help_of(kind: &PacerKind, field: &str) -> Option<&'static str> {
    match (kind, field) {
        (PacerKind::Qlbp09 { .. }, "mu_min") => {
            Some("raise d_max or mu_max, or lower s_max: mu_min is s_max/d_max")
        }
        (PacerKind::RuleOfThumb { .. }, "q_max") => Some(
            "give a q_lim of at least Q_max = d_max * mu_max, and a d_max in which a byte is sent",
        ),
        (PacerKind::RuleOfThumb { .. }, "q_lim") => {
            Some("give q_lim in bytes, at least Q_max = d_max * mu_max")
        }
        _ => None,
    }
}

/// The key of a scenario for a field of a configuration.
fn key_of(kind: &PacerKind, field: &'static str) -> &'static str {
    match (kind, field) {
        (_, "capacity") => "buffer",
        (_, "opportunities_ms") => "file",
        // In this case mu_min is S_max/D_max.
        (PacerKind::Qlbp09 { .. }, "mu_min") => "d_max",
        // In this case q_max is d_max * mu_max.
        (PacerKind::RuleOfThumb { .. }, "q_max") => "d_max",
        (_, "plug_in.alpha_percent") => "plug_in.alpha",
        (_, field) => field,
    }
}
