//! The numbers that transports and applications declare, under the names by which studies know them.

use std::collections::BTreeMap;

use pacesim_lab::Replications;
use pacesim_lab::summary::GroupSummary;

use crate::care::{Notes, Shown};
use crate::columns::of_texts;
use crate::numbers::three_digits;
use crate::units::unit_of;

/// The table of a run, with the numbers at its end; empty without any.
pub(crate) fn of_run(groups: &[GroupSummary]) -> String {
    let rows = groups.iter().flat_map(|group| {
        let named = |prefix: &'static str, numbers: &BTreeMap<&'static str, Option<f64>>| {
            let row = |(name, number): (&&str, &Option<f64>)| {
                let name = format!("{prefix}_{name}");
                let text = number.map_or("–".to_owned(), |number| {
                    let (factor, unit) = unit_of(&name)(number);
                    format!("{}{unit}", three_digits(number * factor))
                });
                vec![format!("flows.{}.{name}", group.group), text]
            };
            numbers.iter().map(row).collect::<Vec<_>>()
        };
        [named("end", &group.end), named("app", &group.application)].concat()
    });
    table(["number", "at the end"], rows.collect())
}

/// The table of replications, with means and intervals; empty without any.
pub(crate) fn of_replications(all: &Replications, notes: &mut Notes) -> String {
    let means = all.means.iter().filter(|mean| {
        let metric = &*mean.metric;
        let is_declared = metric.starts_with("end_") || metric.starts_with("app_");
        // Every group has a mean of every number, if only one of them declares it.
        mean.of == "flows" && is_declared && mean.n > 0
    });
    let rows = means.map(|mean| {
        let name = format!("flows.{}.{}", mean.entity, mean.metric);
        let shown = Shown::of(mean, all.replications);
        let cell = notes.cell(shown, unit_of(&mean.metric), || name.clone());
        vec![name, cell]
    });
    table(["number", "mean at the end"], rows.collect())
}

fn table(header: [&str; 2], rows: Vec<Vec<String>>) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let table = of_texts(header.map(str::to_owned).to_vec(), rows.into_iter());
    format!("\n{table}\n")
}
