//! Selections of axis values in plots, claims and exceptions.

use pacesim_language::names::is_name;
use pacesim_language::problem::{Faults, suggest};
use pacesim_language::tree::Item;

use crate::axis::{Axis, text};

/// Values of some axes: the places of the axis and of its values.
pub type Selection = Vec<(usize, Vec<usize>)>;

/// Points with a number of replications of their own.
#[derive(Clone, Debug)]
pub(crate) struct More {
    pub(crate) at: Selection,
    pub(crate) replications: u64,
}

/// Finds the axis of this name.
pub(crate) fn axis(axes: &[Axis], name: &str, path: &str, faults: &mut Faults) -> Option<usize> {
    let place = axes.iter().position(|axis| axis.name == name);
    // It may be the one whose name could not be read.
    let is_lost = axes.iter().any(|axis| !is_name(&axis.name));
    if place.is_none() && !is_lost {
        let help = suggest(name, axes.iter().map(|axis| axis.name.as_str()));
        let message = format!("there is no axis \"{name}\"");
        faults.add(path, message).help(help);
    }
    place
}

/// The selection of a table of axes, each with a value or a list of values.
pub(crate) fn selection(
    axes: &[Axis],
    entries: &[(String, Item)],
    path: &str,
    faults: &mut Faults,
) -> Selection {
    let mut selected = Selection::new();
    for (name, item) in entries {
        let path = format!("{path}.{name}");
        if let Some(place) = axis(axes, name, &path, faults) {
            selected.push((place, values(&axes[place], item, &path, faults)));
        }
    }
    selected
}

/// True if one of these axes could not be read.
pub(crate) fn is_open(axes: &[Axis], selected: &Selection) -> bool {
    selected.iter().any(|(axis, _)| axes[*axis].is_broken)
}

/// The places of the values that an item names.
fn values(axis: &Axis, item: &Item, path: &str, faults: &mut Faults) -> Vec<usize> {
    let Some(items) = item.list() else {
        return value(axis, item, path, faults).into_iter().collect();
    };
    let places = items.iter().enumerate();
    let places = places.filter_map(|(i, item)| value(axis, item, &format!("{path}[{i}]"), faults));
    places.collect()
}

/// The index of a value on an axis.
pub(crate) fn value(axis: &Axis, item: &Item, path: &str, faults: &mut Faults) -> Option<usize> {
    let text = text(&item.value);
    let place = axis.position(&text);
    if place.is_none() && !axis.is_broken {
        let help = suggest(&text, axis.values.iter().map(|value| value.text.as_str()));
        let message = format!("the axis \"{}\" has no value \"{text}\"", axis.name);
        faults.add(path, message).help(help);
    }
    place
}

/// A baseline is one point.
pub(crate) fn one_value_each(
    selection: &Selection,
    axes: &[Axis],
    path: &str,
    faults: &mut Faults,
) {
    for (axis, values) in selection {
        let path = format!("{path}.{}", axes[*axis].name);
        if values.len() != 1 && !axes[*axis].is_broken && !faults.touch(&path) {
            faults
                .add(path, "more than one value")
                .help("give one of them");
        }
    }
}
