//! The numbers that figures and claims of a study may name.

use pacesim::scenario::Inventory;
use pacesim_probes::{kinds, schema};
use pacesim_runs::metrics::{OF_RUN, declared};
use pacesim_study::Study;
use pacesim_study::measure::Measure;

/// A number under its full name, and its meaning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// The name, such as "flows.web.goodput_bps".
    pub name: String,
    /// The meaning, a sentence.
    pub meaning: &'static str,
}

/// The numbers of a study by the names in its first point: of groups of flows, single links and the first of each
/// group, `[[fec]]` entries, the run, and its measures.
pub fn numbers(study: &Study) -> Vec<Listed> {
    let first = study.points().next();
    let names = first.and_then(|point| study.inventory(point));
    let Inventory {
        flows, links, fec, ..
    } = names.unwrap_or_default();
    let groups = flows.into_iter().map(|(name, _)| name);
    let entities = [
        ("flows", groups.collect()),
        (
            "link",
            links.into_iter().filter(|name| is_first(name)).collect(),
        ),
        ("fec", fec),
        (OF_RUN, vec![OF_RUN.to_owned()]),
    ];
    let of_scenarios = entities.iter().flat_map(|(of, names)| {
        names.iter().flat_map(move |name| {
            declared(of).into_iter().map(move |entry| Listed {
                name: format!("{of}.{name}.{}", entry.name),
                meaning: entry.meaning,
            })
        })
    });
    // Figures over time and of distributions have measures without a name for others.
    let named = study
        .all_measures()
        .filter(|measure| measure.asked_at.is_none());
    let of_measures = named.flat_map(of_measure);
    of_scenarios.chain(of_measures).collect()
}

/// True for "core", "access[0]" and "pod[0].edge[0]", but not for "access[1]".
fn is_first(name: &str) -> bool {
    name.split('[').skip(1).all(|rest| rest.starts_with("0]"))
}

fn of_measure(measure: &Measure) -> impl Iterator<Item = Listed> {
    let asked = kinds::asked(&measure.kind);
    asked.names().into_iter().map(|number| {
        let columns = asked.columns().iter();
        let alike = columns.filter(|column| number == column.name);
        Listed {
            name: format!("{}.{}.{number}", schema::OF, measure.name),
            meaning: alike
                .map(|column| column.doc)
                .next()
                .unwrap_or("A number of this measure."),
        }
    })
}
