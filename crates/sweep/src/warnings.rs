//! Warnings of a study: those of the scenarios of its points, and of its own tables.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroUsize;

use pacesim::scenario::{Accept, Checked, Problem, WarningName, accepted};
use pacesim::units::Span;
use pacesim_probes::mistakes::link_of;
use pacesim_runs::manifest::Digest;
use pacesim_study::measure::MeasureKind;
use pacesim_study::{Axis, Study};

use crate::points::of_points;

/// The most links and flows of a model that is compared as a whole.
const MOST_COMPARED: usize = 2_000;

/// The warnings of a study whose points have been checked, in the order of the text. Those that it
/// accepts are missing; an entry that accepts nothing is a warning, unless only runs can tell.
pub fn warnings(study: &Study, jobs: NonZeroUsize) -> Vec<Problem> {
    if study.is_of_models_alone {
        return Vec::new();
    }
    let look = |number, scenario| Looked::at(study, number, &scenario);
    let Ok(points) = of_points(study, study.points_to_check(), jobs, look, |_| false) else {
        return Vec::new();
    };
    let Some(first) = study
        .points()
        .next()
        .and_then(|first| study.scenario(first).ok())
    else {
        return Vec::new();
    };
    let mut found = of_scenarios(study, &points);
    found.extend(recordings(study, &first));
    found.extend(idle_axes(study, &points));
    found.extend(idle_measures(study, &first));
    let accepts = &first.scenario().accepts;
    let idle = idle_accepts(study, accepts, &found);
    found.retain(|warning| accepted(accepts, warning.kind).is_none());
    found.extend(idle);
    found.sort_by(|a, b| (&a.file, a.span.start).cmp(&(&b.file, b.span.start)));
    found
}

/// The accepted kinds of warnings of runs, each with its reason.
pub(crate) fn accepts(study: &Study) -> Vec<Accept> {
    let first = study.points().next().filter(|_| !study.is_of_models_alone);
    let scenario = first.and_then(|first| study.scenario(first).ok());
    scenario.map_or_else(Vec::new, |scenario| scenario.scenario().accepts.clone())
}

/// A point as far as warnings need it.
struct Looked {
    number: u64,
    warnings: Vec<Problem>,
    /// Digest of all that moves the point's results.
    scenario: Digest,
}

impl Looked {
    fn at(study: &Study, number: u64, checked: &Checked) -> Looked {
        Looked {
            number,
            warnings: study.raw(number).all_warnings(checked),
            scenario: effect(checked),
        }
    }
}

/// The digest of all that moves a scenario's results. Shares that are rounded alike have the same
/// model; a large one, or one with parts whose configuration it does not show, is told by its text.
fn effect(checked: &Checked) -> Digest {
    let mut digest = Digest::default();
    let mut scenario = checked.scenario().undivided();
    scenario.title.clear();
    scenario.accepts.clear();
    scenario.output = Default::default();
    let mut model = checked.expand(scenario.run.seed, 0);
    let live = checked.live_parts(&model);
    let is_small = model.links.len() + model.flows.len() <= MOST_COMPARED;
    let has_closed_parts = !scenario.own_parts().is_empty()
        || !model.switches.is_empty()
        || !model.middleboxes.is_empty();
    if !is_small || has_closed_parts {
        digest.add(scenario.to_toml().as_bytes());
        return digest;
    }
    model.title.clear();
    model.output = Default::default();
    model.division = Default::default();
    digest.add(format!("{model:?}").as_bytes());
    if !live.is_empty() {
        digest.add(format!("{live:?}").as_bytes());
    }
    digest
}

/// Each warning of a place once, with the points that have it if others do not.
fn of_scenarios(study: &Study, points: &[Looked]) -> Vec<Problem> {
    // A warm-up that is to be found is not that of the file.
    let by_warmup = [
        WarningName::NoWarmup,
        WarningName::LateFlows,
        WarningName::Unmeasured,
    ];
    let is_open = |kind: &str| {
        let mut by_warmup = by_warmup.iter();
        !study.find_warmup.is_empty() && by_warmup.any(|name| name.word() == kind)
    };
    let mut places: BTreeMap<(&str, &str), (&Problem, u64, BTreeSet<u64>)> = BTreeMap::new();
    for point in points {
        for warning in point
            .warnings
            .iter()
            .filter(|warning| !is_open(warning.kind))
        {
            let place = places.entry((warning.kind, &warning.path));
            let (_, _, at) = place.or_insert((warning, point.number, BTreeSet::new()));
            at.insert(point.number);
        }
    }
    let mut found = Vec::new();
    for (warning, first, at) in places.into_values() {
        let mut warning = warning.clone();
        if at.len() < points.len() {
            let point = study.point(first).expect("a point that was looked at");
            let (some, all) = (at.len(), points.len());
            let values = point.describe(&study.axes);
            warning.message += &format!(" (at {some} of {all} points, first at {values})");
        }
        found.push(warning);
    }
    found
}

/// Recordings that are legal in a study but that no sweep keeps.
fn recordings(study: &Study, first: &Checked) -> Option<Problem> {
    if study.axes.is_empty() {
        return None;
    }
    let output = &first.scenario().output;
    let (path, message, help) = match (*output == Default::default(), study.keep.is_empty()) {
        (false, true) => (
            "output",
            "a sweep does not keep these recordings: no point is named by sweep.keep",
            "add keep = [{ AXIS = VALUE }] to [sweep]; or run FILE --point N --out DIR",
        ),
        (true, false) => (
            "sweep.keep",
            "the scenario records nothing that could be kept",
            "ask for recordings: [output] packets, tcp or series",
        ),
        _ => return None,
    };
    Some(warning(
        study,
        WarningName::UnkeptRecordings,
        path,
        message,
        help,
    ))
}

fn warning(
    study: &Study,
    name: WarningName,
    path: &str,
    message: impl Into<String>,
    help: &str,
) -> Problem {
    Problem {
        kind: name.word(),
        ..study.problem(path, message.into(), help.to_owned())
    }
}

/// Values of an axis that give the same scenario at every point.
fn idle_axes(study: &Study, points: &[Looked]) -> Vec<Problem> {
    let mut found = Vec::new();
    for (place, axis) in study.axes.iter().enumerate() {
        if !axis.changes_scenarios() {
            continue;
        }
        let mut by_value: BTreeMap<usize, BTreeSet<(Vec<usize>, String)>> = BTreeMap::new();
        for point in points {
            let mut rest = study.choice(point.number).expect("a point of the study");
            let value = rest.remove(place);
            let at = by_value.entry(value).or_default();
            at.insert((rest, point.scenario.to_string()));
        }
        let mut alike: BTreeMap<&BTreeSet<(Vec<usize>, String)>, usize> = BTreeMap::new();
        let twins = by_value.iter().find_map(|(value, scenarios)| {
            let first = *alike.entry(scenarios).or_insert(*value);
            (first != *value).then_some((first, *value))
        });
        if let Some((one, other)) = twins {
            found.push(twin_values(study, place, axis, (one, other)));
        }
    }
    found
}

fn twin_values(study: &Study, place: usize, axis: &Axis, (one, other): (usize, usize)) -> Problem {
    let (name, one, other) = (&axis.name, &axis.values[one].text, &axis.values[other].text);
    let message = format!(
        "{name} = {one} and {name} = {other} are the same scenario at every point: they share their runs"
    );
    let help =
        "see the keys that it varies, and what is rounded or overridden; or leave one value out";
    let path = if study.variant_axis() == Some(place) {
        "variant".to_owned()
    } else {
        format!("sweep.axis[{place}]")
    };
    warning(study, WarningName::IdleAxis, &path, message, help)
}

/// Measures of links without traffic, and of intervals longer than the run.
fn idle_measures(study: &Study, first: &Checked) -> Vec<Problem> {
    if study.measures.is_empty() {
        return Vec::new();
    }
    let idle = first.idle_links();
    let run = first.scenario().run.duration;
    let mut found = Vec::new();
    for (i, measure) in study.measures.iter().enumerate() {
        let at = |key: &str| match &measure.asked_at {
            Some(path) => path.clone(),
            None => format!("measure[{i}].{key}"),
        };
        if let Some(link) = link_of(&measure.kind).filter(|link| idle.contains(*link)) {
            let message = format!("no flow crosses {link}: there is nothing to measure");
            let help = "name a link with traffic; see from and to of the flows";
            found.push(warning(
                study,
                WarningName::IdleMeasure,
                &at("link"),
                message,
                help,
            ));
        }
        if let Some(every) = every(&measure.kind).filter(|every| *every > run) {
            let message = format!("an interval of {every} is longer than the run of {run}");
            let help = "give a shorter interval, such as a hundredth of the run";
            found.push(warning(
                study,
                WarningName::IdleMeasure,
                &at("every"),
                message,
                help,
            ));
        }
    }
    found
}

fn every(kind: &MeasureKind) -> Option<Span> {
    match kind {
        MeasureKind::Series(asked) => asked.every,
        _ => None,
    }
}

/// Entries that accept warnings which nothing causes.
fn idle_accepts(study: &Study, accepts: &[Accept], found: &[Problem]) -> Vec<Problem> {
    let entries = accepts.iter().enumerate();
    let idle = entries.filter(|(_, accept)| {
        let word = accept.warning.word();
        let may_be_of_runs = accept.warning.is_of_runs() || accept.warning == WarningName::IdleAxis;
        !may_be_of_runs && !found.iter().any(|warning| warning.kind == word)
    });
    let report = |(i, accept): (usize, &Accept)| {
        let message = format!("there is no warning {} to accept", accept.warning.word());
        let help = "leave this entry out".to_owned();
        study.problem(&format!("accept[{i}].warning"), message, help)
    };
    idle.map(report).collect()
}
