//! Chosen points: those with more replications than the others, and those whose recordings are kept.

use pacesim_language::problem::Faults;

use crate::keys::{MoreKeys, Sweep};
use crate::selection::{More, Selection, is_open, selection};
use crate::study::Study;
use crate::variant::VARIANT;

/// The points with more replications, except faulty entries.
pub(crate) fn more(study: &Study, sweep: &Sweep, faults: &mut Faults) -> Vec<More> {
    if sweep.more.is_empty() {
        return Vec::new();
    }
    refuse(sweep, faults);
    let entries = sweep.more.iter().enumerate();
    let entries = entries.filter_map(|(i, keys)| {
        let path = format!("sweep.more[{i}]");
        let entry = read(study, keys, &path, faults)?;
        if keys.replications <= sweep.replications {
            let message = format!("all points have {} replications", sweep.replications);
            let help = "give a greater number";
            faults
                .add(format!("{path}.replications"), message)
                .help(help);
        }
        Some(entry)
    });
    entries.collect()
}

fn read(study: &Study, keys: &MoreKeys, path: &str, faults: &mut Faults) -> Option<More> {
    let path = format!("{path}.at");
    let known = faults.list.len();
    if keys.at.is_empty() {
        let help = "name an axis with its values, or give sweep.replications";
        faults
            .add(path.clone(), "this would be all points")
            .help(help);
    }
    let mut at = selection(&study.axes, &keys.at, &path, faults);
    if faults.list.len() > known || is_open(&study.axes, &at) {
        return None;
    }
    as_stated(study, &mut at);
    if study.has_points() && !study.points().any(|point| study.grid.meets(point, &at)) {
        let help = "`pacesim sweep --dry-run` lists the points";
        let message = "no point of the grid is like this";
        faults.add(path, message).help(help);
    }
    Some(More {
        at,
        replications: keys.replications.into(),
    })
}

/// Variants are selected only by name.
fn as_stated(study: &Study, at: &mut Selection) {
    let variants = study.axes.iter().position(|axis| axis.name == VARIANT);
    if let Some(place) = variants.filter(|_| study.has_variants)
        && at.iter().all(|(axis, _)| *axis != place)
    {
        at.push((place, vec![0]));
    }
}

/// Other settings determine the number of replications as well.
fn refuse(sweep: &Sweep, faults: &mut Faults) {
    let others = [
        ("precision", sweep.precision.is_some()),
        ("batches", sweep.batches.is_some()),
    ];
    for (key, _) in others.iter().filter(|(_, is_given)| *is_given) {
        let message = format!("{key} decides the replications of each point");
        let help = format!("keep one of more and {key}");
        faults.add("sweep.more", message).help(help);
    }
}

/// The points whose recordings are kept.
pub(crate) fn keep(study: &Study, sweep: &Sweep, faults: &mut Faults) -> Vec<Selection> {
    let mut all = Vec::new();
    for (i, entries) in sweep.keep.iter().enumerate() {
        let path = format!("sweep.keep[{i}]");
        let known = faults.list.len();
        let kept = selection(&study.axes, entries, &path, faults);
        let is_met = |point: u64| study.grid.meets(point, &kept);
        let is_known = faults.list.len() == known && !is_open(&study.axes, &kept);
        if is_known && study.has_points() && !study.points().any(is_met) {
            let help = "`pacesim sweep --dry-run` lists the points";
            let message = "no point of the grid is like this";
            faults.add(path, message).help(help);
        }
        all.push(kept);
    }
    all
}
