//! Printed results of searches, one row each.

use pacesim_lab::study::{OutlineAxis, OutlineValue, SearchEnd, Tuned, TunedCase, TunedTry};

use crate::columns::of_texts;
use crate::grid::ended_early;
use crate::numbers::{how_many, three_digits};
use crate::tables::{plain, plus_minus};

/// The results, with remarks.
pub(crate) fn tuned(tuned: &Tuned) -> String {
    let Tuned {
        study, sense, goal, ..
    } = tuned;
    let bounds = tuned.cases.first().map_or(&[][..], |case| &case.bounds);
    let such_that = match tuned.conditions.is_empty() {
        true => String::new(),
        false => format!(" with {}", tuned.conditions.join(" and ")),
    };
    let header: Vec<String> = std::iter::once(names(&tuned.axes))
        .chain(tuned.searched.iter().map(|axis| axis.name.clone()))
        .chain(is_measured(tuned).then(|| goal.clone()))
        .chain(bounds.iter().map(|bound| bound.y.clone()))
        .chain(["points".to_owned()])
        .collect();
    let rows = tuned.cases.iter().map(|case| row(tuned, case));
    let table = of_texts(header, rows);
    let notes: String = tuned.cases.iter().filter_map(note).collect();
    let gap = if notes.is_empty() { "" } else { "\n" };
    let early = ended_early(&tuned.gave_up, &tuned.abandoned);
    format!("{study}: {sense} {goal}{such_that}\n\n{table}\n{gap}{notes}{early}")
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

fn row(tuned: &Tuned, case: &TunedCase) -> Vec<String> {
    let found = (0..tuned.searched.len()).map(|place| match (case.ended, case.found.get(place)) {
        (SearchEnd::Nowhere, _) | (_, None) => "–".to_owned(),
        (_, Some(value)) => value.shown(),
    });
    let goal = case
        .goal
        .iter()
        .map(|spread| (spread.mean, spread.half_width()));
    let bounds = case.bounds.iter();
    let bounds = bounds.map(|bound| (bound.spread.mean, bound.spread.half_width()));
    let numbers = goal.chain(bounds);
    let numbers = numbers.map(|(mean, half_width)| plus_minus(mean, half_width, plain));
    std::iter::once(texts(&case.values))
        .chain(found)
        .chain(numbers)
        .chain([case.tried.to_string()])
        .collect()
}

/// A remark on details missing from the row.
fn note(case: &TunedCase) -> Option<String> {
    let of = match case.values.is_empty() {
        true => String::new(),
        false => format!("{}: ", texts(&case.values)),
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
        SearchEnd::Found => match &case.broken {
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
            _ => return None,
        },
    };
    Some(format!("{text}\n"))
}

/// Each tried value, with the bounded numbers.
fn tries(case: &TunedCase) -> String {
    const MOST: usize = 12;
    let one = |tried: &TunedTry| {
        let means = tried.bounds.iter().map(|bound| bound.spread.mean);
        let means: Vec<String> = means
            .map(|mean| mean.map_or_else(|| "no number".to_owned(), three_digits))
            .collect();
        format!("{} ({})", texts(&tried.values), means.join(", "))
    };
    let shown: Vec<String> = case.tries.iter().take(MOST).map(one).collect();
    let more = match case.tries.len().saturating_sub(MOST) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    match shown.is_empty() {
        true => String::new(),
        false => format!("; tried: {}{more}", shown.join(", ")),
    }
}

fn nearest(case: &TunedCase) -> String {
    let all = case.bounds.iter().filter(|bound| !bound.holds);
    let all: Vec<String> = all
        .filter_map(|bound| {
            Some(format!(
                "{} is {}",
                bound.y,
                three_digits(bound.spread.mean?)
            ))
        })
        .collect();
    match all.is_empty() {
        true => String::new(),
        false => format!(
            "; the nearest is {} where {}",
            texts(&case.found),
            all.join(" and ")
        ),
    }
}
