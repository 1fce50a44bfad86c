//! Printed comparisons of two results.

use pacesim_lab::compare::{
    Comparison, Difference, OtherKey, OtherText, Pairing, SideKind, Unmatched,
};

use crate::columns::of_texts;
use crate::numbers::{how_many, or_dash, percent, three_digits};
use crate::units::unit_of;

/// The number of differences printed without --all.
const SHOWN: usize = 20;

/// The text of a comparison.
pub(crate) fn text(comparison: &Comparison, all: bool) -> String {
    if comparison.is_same() {
        return format!("{}: {}\n", names(comparison), sameness(comparison));
    }
    let most = if all { usize::MAX } else { SHOWN };
    let mut text = format!("{}\n", names(comparison));
    if !comparison.differences.is_empty() {
        text += &format!("\n{}\n", differences(comparison, most));
    }
    if !comparison.texts.is_empty() {
        text += &format!("\n{}\n", fingerprints(&comparison.texts, most));
    }
    text += &format!("\n{}", totals(comparison, most));
    // Without a common run the intervals imply this.
    let with_runs = comparison.runs > 0 || comparison.differences.is_empty();
    text += &only("A", &comparison.only_in_a, most, with_runs);
    text += &only("B", &comparison.only_in_b, most, with_runs);
    text + &other_keys(comparison, most)
}

/// The keys in which the scenarios differ.
fn other_keys(comparison: &Comparison, most: usize) -> String {
    let one = |other: &OtherKey| {
        let value = |side: &Option<String>| side.clone().unwrap_or_else(|| "nothing".to_owned());
        let (a, b) = (value(&other.a), value(&other.b));
        let points = if other.points == comparison.points {
            String::new()
        } else {
            format!(" at {}", how_many(other.points as usize, "point"))
        };
        format!("{} = {a} in A, {b} in B{points}", other.key)
    };
    let keys: Vec<String> = comparison.keys.iter().map(one).collect();
    list("other keys", &keys, most)
}

fn names(comparison: &Comparison) -> String {
    format!("A {}, B {}", comparison.a, comparison.b)
}

/// One line about the equal parts.
fn sameness(comparison: &Comparison) -> String {
    let numbers = how_many(comparison.numbers as usize, "number");
    match comparison.kind {
        SideKind::Fingerprints => format!("all {} are the same", cells(comparison.numbers)),
        SideKind::Study => format!(
            "all {numbers} of {} are the same, run by run",
            how_many(comparison.points as usize, "point")
        ),
        SideKind::Run | SideKind::Replications => format!("all {numbers} are the same, run by run"),
    }
}

fn cells(count: u64) -> String {
    how_many(count as usize, "fingerprint")
}

fn differences(comparison: &Comparison, most: usize) -> String {
    let with_points = comparison.kind == SideKind::Study;
    let mut header = vec!["number", "A", "B", "B - A", "95 % interval", "of A"];
    if with_points {
        header.insert(1, "point");
    }
    let row = |difference: &Difference| {
        let mut row = cells_of(difference);
        if with_points {
            row.insert(1, difference.point.clone());
        }
        row
    };
    let rows = comparison.differences.iter().take(most).map(row);
    of_texts(header.into_iter().map(str::to_owned).collect(), rows)
}

fn cells_of(difference: &Difference) -> Vec<String> {
    let apart = &difference.apart;
    let most = apart
        .a
        .into_iter()
        .chain(apart.b)
        .map(f64::abs)
        .fold(0.0, f64::max);
    let (factor, unit) = unit_of(&difference.number.metric)(most);
    let with_unit = |number: Option<f64>| match number {
        Some(number) => format!("{}{unit}", three_digits(number * factor)),
        None => "–".to_owned(),
    };
    let interval = match (apart.low, apart.high) {
        (Some(low), Some(high)) => format!(
            "{} to {}{unit}",
            three_digits(low * factor),
            three_digits(high * factor)
        ),
        _ => "–".to_owned(),
    };
    vec![
        difference.number.to_string(),
        with_unit(apart.a),
        with_unit(apart.b),
        with_unit(apart.difference),
        interval,
        or_dash(apart.change(), percent),
    ]
}

fn fingerprints(texts: &[OtherText], most: usize) -> String {
    let header = ["scenario", "column", "A", "B"];
    let row = |text: &OtherText| {
        let OtherText {
            scenario,
            column,
            a,
            b,
        } = text;
        vec![scenario.clone(), column.clone(), a.clone(), b.clone()]
    };
    let rows = texts.iter().take(most).map(row);
    of_texts(header.map(str::to_owned).into(), rows)
}

/// The number of differences, the number shown, and the basis of the intervals.
fn totals(comparison: &Comparison, most: usize) -> String {
    let Comparison {
        differences, texts, ..
    } = comparison;
    let mut lines = Vec::new();
    if comparison.kind == SideKind::Fingerprints {
        lines.push(format!(
            "{} of {} differ",
            texts.len(),
            cells(comparison.numbers)
        ));
    } else {
        let numbers = how_many(comparison.numbers as usize, "number");
        lines.push(match differences.len() {
            0 => format!("all {numbers} that both have are the same"),
            some => format!("{some} of {numbers} differ{}", by_chance(comparison)),
        });
        lines.extend(pairing(comparison));
        if comparison.other_fingerprints > 0 {
            let runs = how_many(comparison.runs as usize, "run");
            let other = comparison.other_fingerprints;
            lines.push(format!(
                "{other} of {runs} that both have went another course (fingerprints)"
            ));
        }
    }
    let hidden = differences.len().max(texts.len()).saturating_sub(most);
    if hidden > 0 {
        lines.push(format!("{hidden} more with --all"));
    }
    lines.join("\n") + "\n"
}

/// The number of differences that chance may explain.
fn by_chance(comparison: &Comparison) -> String {
    match comparison.differences.len() - comparison.clear() {
        0 => String::new(),
        by_chance => {
            format!(
                ", {by_chance} of them within chance (the interval holds zero; listed after the others)"
            )
        }
    }
}

/// The basis of the intervals.
fn pairing(comparison: &Comparison) -> Option<String> {
    let first = comparison.differences.first()?;
    let has_interval = |difference: &Difference| difference.apart.low.is_some();
    let interval = if comparison.differences.iter().any(has_interval) {
        ""
    } else {
        "; too few runs for an interval"
    };
    Some(match first.apart.pairing {
        Pairing::Paired => format!("paired: runs of the same seed and replication{interval}"),
        Pairing::NotPaired => {
            format!(
                "not paired: no runs have the same seed and replication; Welch's interval of means{interval}"
            )
        }
    })
}

/// The parts present in only one of the two.
fn only(side: &str, only: &Unmatched, most: usize, with_runs: bool) -> String {
    let mut text = list(&format!("only in {side}"), &only.points, most);
    text += &list(&format!("numbers only in {side}"), &only.numbers, most);
    if with_runs && only.runs > 0 {
        text += &format!("runs only in {side}: {}\n", only.runs);
    }
    text
}

fn list(what: &str, names: &[String], most: usize) -> String {
    if names.is_empty() {
        return String::new();
    }
    let shown = names[..names.len().min(most)].join("; ");
    match names.len().saturating_sub(most) {
        0 => format!("{what}: {shown}\n"),
        more => format!("{what}: {shown}; and {more} more\n"),
    }
}
