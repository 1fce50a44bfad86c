//! The metrics of a run. One table declares them; summaries of replications, stores, the names in
//! studies and the [page of metrics](page()) follow from it.
//!
//! A new metric is one line in `flows.rs`, `links.rs` or `fec.rs`, plus a field of its summary if
//! it is new.

mod declared;
mod fec;
mod flows;
mod links;
mod page;

use std::borrow::Cow;

use declared::Declared;
pub use declared::Entry;
pub use page::page;

use crate::steadiness::Steadiness;
use crate::summary::{GroupSummary, Parts, Summary, WarningKind};

/// A metric of one entity in one run.
#[derive(Clone, Debug, PartialEq)]
pub struct Metric {
    /// Kind of the entity: "flows", "link"...
    pub of: &'static str,
    /// The name of the group, link or `[[fec]]` entry.
    pub entity: String,
    /// Name of the metric, with its unit.
    pub metric: Cow<'static, str>,
    /// Value of the metric, unless undefined.
    pub value: Option<f64>,
}

/// The entity for the whole run: its warnings, and the time at which it gave up.
pub const OF_RUN: &str = "run";

/// The simulated time at which a run gave up; undefined for other runs.
pub const GAVE_UP_AT: &str = "gave_up_at_s";

/// The kinds of entities that have metrics, as prefixes of names: "link" in
/// "link.core.utilisation".
pub const ENTITIES: [&str; 4] = ["flows", "link", "fec", OF_RUN];

/// The declared metrics of a group of flows ("flows"), of a link ("link"), of protected pairs
/// ("fec") or of the whole run ("run").
pub fn declared(of: &str) -> Vec<Entry> {
    match of {
        "flows" => [entries(flows::NUMBERS), of_transports()].concat(),
        "link" => entries(links::NUMBERS),
        "fec" => entries(fec::NUMBERS),
        OF_RUN => of_run(),
        _ => Vec::new(),
    }
}

fn entries<T>(table: &[Declared<T>]) -> Vec<Entry> {
    table.iter().map(|declared| declared.entry).collect()
}

/// The numbers of the program's own transports and applications.
fn of_transports() -> Vec<Entry> {
    let entry = |name: &'static str| Entry {
        name,
        meaning: match name.starts_with("app_") {
            true => "A number of the program's own application, mean over the flows that have it.",
            false => {
                "A number of the sending ends of the program's own transport, mean over flows."
            }
        },
        share_of: None,
        among: None,
    };
    let names = pacesim_parts::own_metrics().iter().copied();
    names.map(entry).collect()
}

fn of_run() -> Vec<Entry> {
    let warnings = WarningKind::ALL
        .iter()
        .map(|kind| (kind.name(), kind.counted()));
    let gave_up = (GAVE_UP_AT, "The simulated time at which the run gave up.");
    let all = warnings.into_iter().chain([gave_up]);
    let entry = |(name, meaning)| Entry {
        name,
        meaning,
        share_of: None,
        among: None,
    };
    all.map(entry).collect()
}

/// The names of all metrics of a kind of entity.
pub fn metric_names(of: &str) -> Vec<&'static str> {
    declared(of).iter().map(|metric| metric.name).collect()
}

/// True if only queue disciplines count this metric of links.
pub fn needs_discipline(of: &str, metric: &str) -> bool {
    of == "link"
        && links::OF_DISCIPLINES
            .iter()
            .any(|start| metric.starts_with(start))
}

/// The metric that counts the trials of a share whose events may be few.
pub fn trials_of(of: &str, metric: &str) -> Option<&'static str> {
    let all = declared(of);
    all.iter().find(|known| known.name == metric)?.share_of
}

/// The metric that counts the values of which this one is a quantile.
pub fn values_of(of: &str, metric: &str) -> Option<&'static str> {
    let all = declared(of);
    all.iter().find(|known| known.name == metric)?.among
}

/// All metrics of a run.
pub fn metrics(summary: &Summary) -> Vec<Metric> {
    metrics_of(&Parts {
        flows: summary.flows.clone(),
        links: summary.notable.clone(),
        fec: summary.fec.clone(),
        warnings: summary.all_warnings().cloned().collect(),
    })
}

/// All metrics of these groups, links and pairs, in order.
pub fn metrics_of(parts: &Parts) -> Vec<Metric> {
    let flows = parts.flows.iter();
    let flows = flows.flat_map(|group| {
        let declared = numbers("flows", &group.group, flows::NUMBERS, group);
        declared.chain(numbers_of_ends(group))
    });
    let links = parts.links.iter();
    let links = links.flat_map(|link| numbers("link", &link.link, links::NUMBERS, link));
    let fec = parts.fec.iter();
    let fec = fec.flat_map(|pairs| numbers("fec", &pairs.fec, fec::NUMBERS, pairs));
    let warnings = WarningKind::ALL.iter().copied().map(|kind| {
        let found = parts.warnings.iter().find(|warning| warning.kind == kind);
        Metric {
            of: OF_RUN,
            entity: OF_RUN.to_owned(),
            metric: Cow::Borrowed(kind.name()),
            value: Some(found.map_or(0, |warning| warning.count) as f64),
        }
    });
    flows.chain(links).chain(fec).chain(warnings).collect()
}

/// Notes the findings over the batches of a run's measured time, which are known only at its end.
pub fn note_steadiness(numbers: &mut [Metric], steadiness: &Steadiness) {
    for warning in steadiness.warnings() {
        let is_it =
            |metric: &&mut Metric| metric.of == OF_RUN && metric.metric == warning.kind.name();
        if let Some(metric) = numbers.iter_mut().find(is_it) {
            metric.value = Some(warning.count as f64);
        }
    }
}

/// The numbers of a group's own transport and application; those of others have no value.
fn numbers_of_ends(group: &GroupSummary) -> impl Iterator<Item = Metric> + '_ {
    let names = pacesim_parts::own_metrics().iter();
    names.map(move |name| Metric {
        of: "flows",
        entity: group.group.clone(),
        metric: Cow::Borrowed(name),
        value: match name.strip_prefix("app_") {
            Some(number) => group.application.get(number).copied().flatten(),
            None => name
                .strip_prefix("end_")
                .and_then(|number| *group.end.get(number)?),
        },
    })
}

/// The declared metrics of one summary.
fn numbers<'s, T>(
    of: &'static str,
    entity: &'s str,
    table: &'static [Declared<T>],
    summary: &'s T,
) -> impl Iterator<Item = Metric> + 's {
    table.iter().map(move |declared| Metric {
        of,
        entity: entity.to_owned(),
        metric: Cow::Borrowed(declared.entry.name),
        value: (declared.value)(summary),
    })
}
