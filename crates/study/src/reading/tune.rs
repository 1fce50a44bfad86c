//! Reading of a search: its axes, objective and constraints are resolved.

use pacesim_language::problem::{Faults, suggest};

use crate::axis::Axis;
use crate::keys::TuneKeys;
use crate::named::number;
use crate::selection::{one_value_each, selection};
use crate::study::Study;
use crate::tune::{Goal, Sense, StatedBound, Tune};

impl Tune {
    /// The declared search, if it can be run.
    pub(crate) fn of(study: &Study, keys: &TuneKeys, faults: &mut Faults) -> Option<Tune> {
        let before = faults.list.len();
        let search = searched(study, &keys.search, faults);
        let goal = goal(study, &search, keys, faults);
        let bounds = keys.bounds.iter().enumerate();
        let bound = |(i, keys)| StatedBound::of(study, format!("tune.bound[{i}]"), keys, faults);
        let bounds: Vec<StatedBound> = bounds.filter_map(bound).collect();
        let start = start(study, &search, keys, faults);
        let (goal, sense) = goal?;
        if matches!(goal, Goal::Axis(_)) && bounds.is_empty() {
            let help = "state the condition: [[tune.bound]] with y and at_least or at_most";
            faults
                .add(
                    "tune",
                    "without a bound the answer is the axis' first or last value",
                )
                .help(help);
        }
        (faults.list.len() == before).then_some(Tune {
            search,
            goal,
            sense,
            bounds,
            start,
            most: keys.most.into(),
            tries: keys.tries as usize,
        })
    }
}

/// The searched axes: numbers in order, varying alone.
fn searched(study: &Study, names: &[String], faults: &mut Faults) -> Vec<usize> {
    const PATH: &str = "tune.search";
    let mut search = Vec::new();
    if names.is_empty() && !faults.touch(PATH) {
        let help = "name an axis of [sweep]";
        faults.add(PATH, "nothing is searched").help(help);
    }
    for (i, name) in names.iter().enumerate() {
        let path = format!("{PATH}[{i}]");
        let known = study.axes.iter().map(|axis| axis.name.as_str());
        let Some(place) = study.axes.iter().position(|axis| axis.name == *name) else {
            let help = suggest(name, known);
            let message = format!("there is no axis \"{name}\"");
            faults.add(path, message).help(help);
            continue;
        };
        let others = (0..study.axes.len()).filter(|other| *other != place);
        let mut partners = others.filter(|other| study.vary_together(place, *other));
        if search.contains(&place) {
            let message = format!("\"{name}\" is there twice");
            faults.add(path, message).help("keep one of them");
        } else if let Some(partner) = partners.next() {
            let message = format!("it varies together with \"{}\"", study.axes[partner].name);
            let help =
                "search axes that vary alone; keys = [...] gives several keys the same value";
            faults.add(path, message).help(help);
        } else if !is_in_order(&study.axes[place]) {
            let message = format!("the values of \"{name}\" are not numbers in order");
            let help = "give it a range, linear or log, or values of one unit that rise or fall";
            faults.add(path, message).help(help);
        } else {
            search.push(place);
        }
    }
    search
}

fn is_in_order(axis: &Axis) -> bool {
    let numbers: Option<Vec<f64>> = axis.values.iter().map(|value| value.number).collect();
    numbers.is_some_and(|numbers| {
        let pairs = || numbers.windows(2);
        pairs().all(|pair| pair[0] < pair[1]) || pairs().all(|pair| pair[0] > pair[1])
    })
}

/// The objective of a search: one searched axis, or one measured number.
fn goal(
    study: &Study,
    search: &[usize],
    keys: &TuneKeys,
    faults: &mut Faults,
) -> Option<(Goal, Sense)> {
    let (text, key, sense) = match (&keys.least, &keys.greatest) {
        (Some(text), None) => (text, "least", Sense::Least),
        (None, Some(text)) => (text, "greatest", Sense::Greatest),
        (None, None) => {
            let help = "give least or greatest: an axis, or a number like \"link.core.loss_ratio\"";
            faults.add("tune", "there is no objective").help(help);
            return None;
        }
        (Some(_), Some(_)) => {
            let help = "keep one of them, and bound the other by [[tune.bound]]";
            faults
                .add("tune", "least and greatest exclude each other")
                .help(help);
            return None;
        }
    };
    let path = format!("tune.{key}");
    if text.contains('.') {
        let name = number(text, &path, faults)?;
        return Some((Goal::Number(name, path), sense));
    }
    let axis = search.iter().find(|axis| study.axes[**axis].name == *text);
    if axis.is_none() && !faults.touch("tune.search") {
        let names = search.iter().map(|axis| study.axes[*axis].name.as_str());
        let help = suggest(text, names);
        let message = format!("\"{text}\" is neither a searched axis nor a number");
        faults.add(path, message).help(help);
    }
    Some((Goal::Axis(*axis?), sense))
}

/// The start of a search: as declared, or the middle of each axis.
fn start(study: &Study, search: &[usize], keys: &TuneKeys, faults: &mut Faults) -> Vec<usize> {
    const PATH: &str = "tune.start";
    let given = selection(&study.axes, &keys.start, PATH, faults);
    one_value_each(&given, &study.axes, PATH, faults);
    for (axis, _) in given.iter().filter(|(axis, _)| !search.contains(axis)) {
        let name = &study.axes[*axis].name;
        let message = format!("\"{name}\" is not searched");
        let help = "begin at values of axes that are";
        faults.add(format!("{PATH}.{name}"), message).help(help);
    }
    let place = |axis: &usize| {
        let given = given.iter().find(|(known, _)| known == axis);
        let given = given.and_then(|(_, values)| values.first().copied());
        given.unwrap_or(study.axes[*axis].values.len() / 2)
    };
    search.iter().map(place).collect()
}
