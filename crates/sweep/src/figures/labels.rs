//! The names of the numbers of a figure.

use pacesim_plot::names::scaled_unit;
use pacesim_study::{NumberName, Plot};

/// The names of a figure's numbers: as given, or else the parts in which they differ.
pub(super) fn labels(plot: &Plot) -> Vec<Option<String>> {
    let others = plot.also.iter().map(|(_, _, named)| named);
    let all: Vec<&NumberName> = std::iter::once(&plot.named).chain(others).collect();
    let is_same = |part: fn(&NumberName) -> &str| all.iter().all(|n| part(n) == part(all[0]));
    let (one_metric, one_entity) = (is_same(|n| &n.metric), is_same(|n| &n.entity));
    let label = |(place, name): (usize, &&NumberName)| match plot.keys.labels.get(place) {
        Some(label) => label.clone(),
        None if name.is_formula() => name.to_string(),
        None if one_metric => name.entity.clone(),
        None if one_entity => words(name),
        None => format!("{} of {}", words(name), name.entity),
    };
    all.iter().enumerate().map(|n| Some(label(n))).collect()
}

/// True if the names given to numbers are labels of the axes of their panels: those of different
/// metrics say what goes up, those of one metric whose it is.
pub(super) fn are_of_axes(plot: &Plot) -> bool {
    let others = plot.also.iter().map(|(_, _, named)| &named.metric);
    let mut metrics: Vec<&String> = std::iter::once(&plot.named.metric).chain(others).collect();
    let all = metrics.len();
    metrics.sort_unstable();
    metrics.dedup();
    let keys = &plot.keys;
    let are_given = !keys.labels.is_empty() && keys.y_label.is_none();
    plot.has_panel_for_each && are_given && metrics.len() == all
}

/// The words of a number's metric, or a formula as it was written.
pub(super) fn words(number: &NumberName) -> String {
    if number.is_formula() {
        number.to_string()
    } else {
        scaled_unit(&number.metric, 1.0).0
    }
}
