//! Printed results of searches, one row each.

use pacesim_lab::study::{
    NotMonotone, OutlineAxis, OutlineValue, SearchEnd, SearchForecast, Tuned, TunedBound,
    TunedCase, TunedTry,
};

use crate::care::{Notes, Shown};
use crate::columns::of_texts;
use crate::grid::{ended_early, warned};
use crate::numbers::{how_many, three_digits, time};
use crate::units::{Unit, bps, per_cent, pkts, plain, seconds};

/// The results, with remarks.
pub(crate) fn tuned(tuned: &Tuned) -> String {
    let Tuned {
        study, sense, goal, ..
    } = tuned;
    let bounds = tuned.cases.first().map_or(&[][..], |case| &case.bounds);
    let such_that = if tuned.conditions.is_empty() {
        String::new()
    } else {
        format!(" with {}", tuned.conditions.join(" and "))
    };
    let header: Vec<String> = std::iter::once(names(&tuned.axes))
        .chain(tuned.searched.iter().map(|axis| axis.name.clone()))
        .chain(tuned.bisects.then(|| "last violating".to_owned()))
        .chain(is_measured(tuned).then(|| goal.clone()))
        .chain(bounds.iter().map(|bound| bound.y.clone()))
        .chain(["points".to_owned()])
        .collect();
    let mut marks = Notes::default();
    let rows = tuned.cases.iter().map(|case| row(tuned, case, &mut marks));
    let table = of_texts(header, rows);
    let marks = marks.text();
    let notes: String = tuned.cases.iter().filter_map(note).collect();
    let gap = if notes.is_empty() { "" } else { "\n" };
    let early = ended_early(&tuned.gave_up, &tuned.abandoned);
    let assumed = assumption(tuned);
    let warned = warned(&tuned.warnings);
    format!(
        "{study}: {sense} {goal}{such_that}\n\n{table}\n{marks}{assumed}{gap}{notes}{warned}{early}"
    )
}

/// The assumption of a bisection, and the test of it.
fn assumption(tuned: &Tuned) -> String {
    if !tuned.bisects {
        let text = "The search takes the goal to have one optimum along each axis and no flat stretch: \
                    values that were not tried may be better.\n";
        return text.to_owned();
    }
    let untried = tuned.cases.iter().map(|case| case.untried_before);
    let rest = match untried.max().unwrap_or(0) {
        0 => "every value before it was tried".to_owned(),
        1 => "a value before it was not tried, and may hold as well".to_owned(),
        most => format!("up to {most} values before it were not tried, and some may hold as well"),
    };
    format!(
        "Bisection takes the bounds to hold from one value on, which values before each answer \
         test.\nAn answer is the first value that holds among those tried; {rest}.\n"
    )
}

fn is_measured(tuned: &Tuned) -> bool {
    tuned.goal.contains('.')
}

fn names(axes: &[OutlineAxis]) -> String {
    let names: Vec<&str> = axes.iter().map(|axis| axis.name.as_str()).collect();
    names.join(", ")
}

fn texts(values: &[OutlineValue]) -> String {
    let texts: Vec<String> = values.iter().map(OutlineValue::shown).collect();
    texts.join(", ")
}

fn row(tuned: &Tuned, case: &TunedCase, notes: &mut Notes) -> Vec<String> {
    let found = (0..tuned.searched.len()).map(|place| match (case.ended, case.found.get(place)) {
        (SearchEnd::Nowhere, _) | (_, None) => "–".to_owned(),
        (_, Some(value)) if is_warned(tuned, case) => format!("{} !", value.shown()),
        (_, Some(value)) => value.shown(),
    });
    let broken = case.broken.as_ref().map(|broken| broken.value.shown());
    let violating = tuned
        .bisects
        .then(|| broken.unwrap_or_else(|| "–".to_owned()));
    let goal = case.goal.iter().map(|spread| (&tuned.goal, spread));
    let bounds = case.bounds.iter().map(|bound| (&bound.y, &bound.spread));
    let numbers = goal.chain(bounds).map(|(name, spread)| {
        let named = || format!("{name} ({})", texts(&case.found));
        notes.cell(Shown::from(spread), unit_of(name), named)
    });
    let numbers: Vec<String> = numbers.collect();
    std::iter::once(texts(&case.values))
        .chain(found)
        .chain(violating)
        .chain(numbers)
        .chain([case.tried.to_string()])
        .collect()
}

/// True if runs at the answer have a warning.
fn is_warned(tuned: &Tuned, case: &TunedCase) -> bool {
    let points = tuned.warnings.iter().flat_map(|warned| &warned.points);
    let mut numbers = points.map(|point| point.point);
    case.point
        .is_some_and(|answer| numbers.any(|number| number == answer))
}

/// The unit in which a number of this name is shown.
fn unit_of(name: &str) -> Unit {
    let is_formula = name.contains(|c: char| c.is_whitespace() || "()+*/×÷−".contains(c));
    match name.rsplit_once('_') {
        Some((_, "bps")) if !is_formula => bps,
        Some((_, "s")) if !is_formula => seconds,
        Some((_, "pkts")) if !is_formula => pkts,
        Some((_, "ratio")) if !is_formula => per_cent,
        _ => plain,
    }
}

/// A mean of the number of this name.
fn amount(name: &str, mean: f64) -> String {
    let (factor, symbol) = unit_of(name)(mean);
    format!("{}{symbol}", three_digits(mean * factor))
}

/// A remark on details missing from the row.
fn note(case: &TunedCase) -> Option<String> {
    let of = if case.values.is_empty() {
        String::new()
    } else {
        format!("{}: ", texts(&case.values))
    };
    let text = match case.ended {
        SearchEnd::Nowhere => format!(
            "{of}the bounds are not shown to hold at any value that was tried{}{}",
            nearest(case),
            tries(case)
        ),
        SearchEnd::OutOfTries => format!(
            "{of}the search was ended after {}; [tune] tries allows more",
            how_many(case.tried, "point")
        ),
        SearchEnd::Interrupted => format!("{of}not ended{}", tries(case)),
        SearchEnd::Found => match &case.broken {
            Some(_) if case.not_monotone.is_some() => String::new(),
            Some(broken) if !broken.is_next => format!(
                "{of}values between {} and {} are undecided; a greater [tune] most would allow more replications",
                broken.value.shown(),
                texts(&case.found)
            ),
            _ if !case.at_end.is_empty() => format!(
                "{of}{} is at the border of the values of {}; values beyond may be better",
                texts(&case.found),
                case.at_end.join(" and of ")
            ),
            _ if case.not_monotone.is_some() => String::new(),
            _ => return None,
        },
    };
    let not_monotone = case
        .not_monotone
        .as_ref()
        .map(|found| not_monotone(&of, found));
    let gap = if text.is_empty() { "" } else { "\n" };
    Some(format!("{text}{gap}{}", not_monotone.unwrap_or_default()))
}

/// The values that hold and that violate the bounds, out of order.
fn not_monotone(of: &str, found: &NotMonotone) -> String {
    let listed = |values: &[OutlineValue]| {
        const MOST: usize = 12;
        let shown: Vec<String> = values.iter().take(MOST).map(OutlineValue::shown).collect();
        let more = match values.len().saturating_sub(MOST) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        format!("{}{more}", shown.join(", "))
    };
    format!(
        "{of}not monotone: the bounds hold at {} and are violated at {}\n",
        listed(&found.holds),
        listed(&found.violates)
    )
}

/// "1 search", "3 searches".
pub(crate) fn counted(searches: usize) -> String {
    match searches {
        1 => "1 search".to_owned(),
        n => format!("{n} searches"),
    }
}

/// The points and runs that searches may take.
pub(crate) fn forecast(forecast: &SearchForecast, jobs: usize) -> String {
    let SearchForecast {
        study,
        searches,
        points,
        tries_least,
        tries_most,
        ..
    } = forecast;
    let axes = names(&forecast.searched);
    let others = if forecast.axes.is_empty() {
        String::new()
    } else {
        format!(", one for each value of {}", names(&forecast.axes))
    };
    let searches = counted(*searches);
    let between = |least: u64, most: u64| {
        if least == most {
            most.to_string()
        } else {
            format!("{least} to {most}")
        }
    };
    let tries = between(*tries_least as u64, *tries_most as u64);
    let replications = between(forecast.replications, forecast.replications_most);
    let runs = between(forecast.runs_least, forecast.runs_most);
    let time = forecast.run_s.map(|run_s| {
        let of = |runs: u64| time(run_s * runs as f64 / jobs as f64);
        let judged = if forecast.tried {
            "tried now and not kept"
        } else {
            "in the store"
        };
        format!(
            "about {} to {} with {}, judged by {} {judged}\n",
            of(forecast.runs_least),
            of(forecast.runs_most),
            how_many(jobs, "job"),
            how_many(forecast.judged_by as usize, "run"),
        )
    });
    format!(
        "{study}: {searches} of {axes}{others}\n\n\
         each tries {tries} of {points} points, with {replications} replications\n\
         {runs} runs; {} of the first points are in the store\n{}",
        how_many(forecast.done as usize, "run"),
        time.unwrap_or_default()
    )
}

/// Each tried value, with the bounded numbers.
fn tries(case: &TunedCase) -> String {
    const MOST: usize = 12;
    let one = |tried: &TunedTry| {
        let mean = |bound: &TunedBound| {
            let mean = bound.spread.mean.map(|mean| amount(&bound.y, mean));
            mean.unwrap_or_else(|| "no number".to_owned())
        };
        let means: Vec<String> = tried.bounds.iter().map(mean).collect();
        format!("{} ({})", texts(&tried.values), means.join(", "))
    };
    let shown: Vec<String> = case.tries.iter().take(MOST).map(one).collect();
    let more = match case.tries.len().saturating_sub(MOST) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    if shown.is_empty() {
        String::new()
    } else {
        format!("; tried: {}{more}", shown.join(", "))
    }
}

fn nearest(case: &TunedCase) -> String {
    let all = case.bounds.iter().filter(|bound| !bound.holds);
    let all: Vec<String> = all
        .filter_map(|bound| {
            Some(format!(
                "{} is {}",
                bound.y,
                amount(&bound.y, bound.spread.mean?)
            ))
        })
        .collect();
    if all.is_empty() {
        String::new()
    } else {
        format!(
            "; the nearest is {} where {}",
            texts(&case.found),
            all.join(" and ")
        )
    }
}
