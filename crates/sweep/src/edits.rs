//! Reasons why points are run again after an edit of their study.

use std::collections::BTreeMap;
use std::fmt::Write;

use pacesim_probes::kinds::written;
use pacesim_runs::workers::BatchMonitor;
use pacesim_store::database::{LastSweep, Store};
use pacesim_store::keys::{of_point, other_keys};
use pacesim_store::plan::{Planned, SweepPlan};
use pacesim_store::sweep::Sweep;
use pacesim_study::{Study, StudyText};

use crate::error::SweepError;

/// A change shared by many points is reported once; more changes than this are not listed.
const MOST: usize = 12;

/// Reports the points of the last sweep that will be run again, and the keys that changed.
pub(crate) fn explain(
    sweep: &Sweep<'_>,
    plan: &SweepPlan,
    store: &Store,
    monitor: &dyn BatchMonitor,
) -> Result<(), SweepError> {
    let Some(changed) = changed_points(sweep, plan, store)? else {
        return Ok(());
    };
    let again: usize = changed.values().map(Vec::len).sum();
    if again == 0 {
        return Ok(());
    }
    let mut said = format!(
        "{again} of {} points changed since the last sweep and are made again:",
        plan.points.len()
    );
    for (change, points) in changed.iter().take(MOST) {
        write!(said, "\n  {}: {change}", points_in_words(points)).expect("a text takes all");
    }
    if changed.len() > MOST {
        write!(said, "\n  and {} more changes", changed.len() - MOST).expect("a text takes all");
    }
    monitor.note(&said);
    Ok(())
}

/// The points whose runs differ from the last sweep's, grouped by change; `None` without a last
/// sweep.
fn changed_points(
    sweep: &Sweep<'_>,
    plan: &SweepPlan,
    store: &Store,
) -> Result<Option<BTreeMap<String, Vec<u64>>>, SweepError> {
    // Results of another version are all made again, which is reported elsewhere.
    let Ok(LastSweep {
        plan: last,
        origin,
        scale,
    }) = store.last_sweep()
    else {
        return Ok(None);
    };
    let Ok(before) = StudyText::again(&origin).check_tables() else {
        return Ok(None);
    };
    let before = before.at_scale(scale);
    let axes = store.axes()?;
    let of_last: BTreeMap<_, &Planned> = last
        .points
        .iter()
        .filter_map(|planned| Some((axes.get(&planned.number)?.clone(), planned)))
        .collect();
    let mut changed: BTreeMap<String, Vec<u64>> = BTreeMap::new();
    for planned in &plan.points {
        let mut values = values(sweep.study, planned.number);
        values.sort();
        match of_last.get(&values) {
            Some(then) if then.scenario != planned.scenario => {
                let change = change(sweep.study, planned, &before, then);
                changed.entry(change).or_default().push(planned.number);
            }
            _ => (),
        }
    }
    Ok(Some(changed))
}

fn values(study: &Study, number: u64) -> Vec<(String, String)> {
    let point = study
        .point(number)
        .expect("a planned point is in the study");
    let named = study.axes.iter().zip(point.values);
    named
        .map(|(axis, at)| (axis.name.clone(), at.text.clone()))
        .collect()
}

/// Finds the keys whose values changed.
fn change(study: &Study, now: &Planned, before: &Study, then: &Planned) -> String {
    let (new, old) = (of_point(study, now.number), of_point(before, then.number));
    let mut parts = Vec::new();
    if now.seed != then.seed {
        parts.push(format!("seed = {} (was {})", now.seed, then.seed));
    }
    parts.extend(
        other_keys(&old, &new).map(|(key, old, new)| match (old, new) {
            (Some(old), Some(new)) => format!("{key} = {new} (was {old})"),
            (Some(old), None) => format!("{key} is gone (was {old})"),
            (None, new) => format!("{key} = {} (is new)", new.unwrap_or_default()),
        }),
    );
    if written(&study.measures) != written(&before.measures) {
        parts.push("other measures".to_owned());
    }
    if parts.is_empty() {
        "a file that it names, its warm-up, or the numbers that are kept".to_owned()
    } else {
        parts.join(", ")
    }
}

/// "point 3", "points 0 to 5", "points 0, 2 and 4".
fn points_in_words(points: &[u64]) -> String {
    let is_run = points.windows(2).all(|pair| pair[1] == pair[0] + 1);
    match points {
        [one] => format!("point {one}"),
        [first, .., last] if is_run => format!("points {first} to {last}"),
        [rest @ .., last] => {
            let rest: Vec<String> = rest.iter().map(u64::to_string).collect();
            format!("points {} and {last}", rest.join(", "))
        }
        [] => "no point".to_owned(),
    }
}
