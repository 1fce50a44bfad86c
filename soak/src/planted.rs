//! Planted mistakes: each is one problem at its place, and nothing else is complained of.

use std::fs;
use std::io;
use std::num::NonZeroUsize;
use std::path::Path;

use pacesim::scenario::{Problem, load};
use pacesim_lab::input::{self, study_from_text};
use serde_json::{Map, Value as Json, json};

use crate::attempt::guarded;
use crate::broken::{STUDY, write_base};
use crate::case::Maker;
use crate::dice::Dice;
use crate::files::Shelf;
use crate::leaves::{at, leaves};
use crate::toml;
use crate::trial::{Failure, Fault};

/// The number of plantings in one scenario.
pub const PLANTINGS: u64 = 5;

/// Plants mistakes in the scenario of this number; returns the number of mistakes reported, each
/// once, and the failures with their texts.
pub fn try_planted(
    maker: &Maker,
    number: u64,
    folder: &Path,
) -> io::Result<(u64, Vec<(Failure, String)>)> {
    fs::create_dir_all(folder)?;
    let (mut tree, mut reported, mut failed) = (Map::new(), 0, Vec::new());
    let made = guarded(|| Ok(maker.make(number, folder, &mut tree)));
    let Ok(Ok(Some(_))) = made else {
        return Ok((reported, failed));
    };
    let files = Shelf(folder.to_path_buf());
    let dice = &mut Dice::new(number ^ 0x9a17);
    for _ in 0..PLANTINGS {
        let mut wrong = tree.clone();
        let count = 1 + dice.place(3);
        let planted = plant(&mut wrong, count, dice);
        let text = toml::document(&wrong);
        match guarded(|| judge(&text, &planted, &files)) {
            Ok(()) => reported += planted.len() as u64,
            Err(failure) => failed.push((failure, text)),
        }
    }
    Ok((reported, failed))
}

/// Plants a mistake or two in a study with every table; returns the number of mistakes. A failure
/// comes with its study.
pub fn try_planted_study(number: u64, folder: &Path) -> io::Result<Result<u64, (Failure, String)>> {
    fs::create_dir_all(folder)?;
    write_base(folder)?;
    let mut tree: Map<String, Json> = ::toml::from_str(STUDY).map_err(io::Error::other)?;
    let dice = &mut Dice::new(number ^ 0x57);
    let wanted = 1 + dice.place(2);
    let planted = plant(&mut tree, wanted, dice);
    let text = toml::document(&tree);
    let judged = guarded(|| {
        let problems = match study_from_text("planted.toml", &text, folder, &[]) {
            Err(rejected) => rejected.problems,
            Ok(input) => match input::check(&input.study, NonZeroUsize::MIN) {
                Err(problems) => problems,
                Ok(_) => Vec::new(),
            },
        };
        if problems.len() == planted.len() {
            Ok(planted.len() as u64)
        } else {
            Err(Fault::Law.seen(told(&planted, &problems)))
        }
    });
    Ok(judged.map_err(|failure| (failure, text)))
}

/// So many mistakes in different entries, or fewer; returns their paths.
fn plant(tree: &mut Map<String, Json>, wanted: usize, dice: &mut Dice) -> Vec<String> {
    let mut left = leaves(tree);
    let axes = axis_names(tree);
    let mut planted: Vec<String> = Vec::new();
    while planted.len() < wanted && !left.is_empty() {
        let path = left.swap_remove(dice.place(left.len()));
        let (entry, axis) = (entry_of(&path), axis_of(&path, &axes));
        // One mistake in a part may hide another, and one in an axis those in its selections.
        // Values along an axis, and names of axes.
        let is_stretch = |path: &str| path.contains(".between[") || path.contains(".ignore[");
        let is_axis = |path: &str| path.starts_with("sweep.axis[");
        let hides = |other: &String| {
            let of_stretch =
                is_stretch(&path) && is_axis(other) || is_stretch(other) && is_axis(&path);
            let of_axis = axis.is_some() && axis_of(other, &axes) == axis;
            entry_of(other) == entry || of_axis || of_stretch
        };
        if planted.iter().any(hides) {
            continue;
        }
        if let Some(wrong) = at(tree, &path).and_then(|value| spoiled(&path, value, dice)) {
            *at(tree, &path).expect("it was there") = wrong;
            planted.push(path);
        }
    }
    planted
}

/// "flow\[2\]" of "flow\[2\].traffic.rate", "run" of "run.warmup".
fn entry_of(path: &str) -> &str {
    path.split('.').next().unwrap_or(path)
}

/// The names of a study's axes, in their order.
fn axis_names(tree: &Map<String, Json>) -> Vec<String> {
    let axes = tree.get("sweep").and_then(|sweep| sweep["axis"].as_array());
    let names = axes.into_iter().flatten().map(|axis| &axis["name"]);
    names
        .map(|name| name.as_str().unwrap_or_default().to_owned())
        .collect()
}

/// The axis that a path declares or selects values of: "rate" of "sweep.axis\[1\].values\[0\]" and
/// of "plot\[1\].only.rate".
fn axis_of<'a>(path: &str, axes: &'a [String]) -> Option<&'a str> {
    let declared = path
        .strip_prefix("sweep.axis[")
        .and_then(|rest| rest.split_once(']'));
    let declared = declared.and_then(|(place, _)| axes.get(place.parse::<usize>().ok()?));
    let last = path
        .rsplit('.')
        .next()
        .and_then(|key| key.split('[').next());
    let selected = axes
        .iter()
        .find(|name| Some(name.as_str()) == last && path.contains('.'));
    declared.or(selected).map(String::as_str)
}

/// Keys that others need: a mistake there has consequences.
const NEEDED: [&str; 9] = [
    "name", "kind", "shape", "count", "profile", "variant", "file", "scenario", "title",
];

/// Keys that take any text.
const FREE: [&str; 8] = [
    "claim", "label", "labels", "x_label", "y_label", "paper", "shows", "title",
];

/// Keys that take true and false beside times.
const FLAG_OR_TIME: [&str; 2] = ["delayed_ack", "smooth"];

/// Numbers that may be negative.
const SIGNED: [&str; 5] = ["about", "at_least", "at_most", "minus", "ns2"];

/// A value that no reader accepts in place of this one.
fn spoiled(path: &str, value: &Json, dice: &mut Dice) -> Option<Json> {
    let key = path.rsplit('.').next().unwrap_or(path);
    let key = key.split('[').next().unwrap_or(key);
    // Printed numbers and factors may be anything.
    let is_any = path.contains(".printed")
        || ["because", "paper", "times"].contains(&key)
        // Only the expansion of a model knows the range of its parameters.
        || path.contains(".set.");
    if NEEDED.contains(&key) || is_any {
        return None;
    }
    let is_quantity = value.as_str().is_some_and(is_quantity);
    // Programs and the kernel alone know the words of live runs.
    let is_free = FREE.contains(&key) || path.starts_with("live.");
    Some(match value {
        Json::String(_) if is_quantity => match dice.below(6) {
            0 => json!("7Mps"),
            1 => json!("-3ms"),
            2 if !FLAG_OR_TIME.contains(&key) => json!(true),
            3 => json!("= 1.5.2"),
            4 => json!("= 1ms * 1Mbps * 1km"),
            _ => json!("= 1ms / 0"),
        },
        Json::String(_) => match dice.below(3) {
            0 if !is_free => json!("no such thing"),
            _ => json!({ "a": false }),
        },
        Json::Number(_) => match dice.below(2) {
            _ if SIGNED.contains(&key) => json!("some"),
            0 => json!("some"),
            _ => json!(-3),
        },
        Json::Bool(_) => json!("perhaps"),
        _ => return None,
    })
}

fn is_quantity(text: &str) -> bool {
    let digits = text.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    digits.len() < text.len()
        && ["s", "B", "bps", "pkts", "m"]
            .iter()
            .any(|unit| digits.ends_with(unit))
}

fn judge(text: &str, planted: &[String], files: &Shelf) -> Result<(), Failure> {
    let problems = match load("planted.toml", text, &[], files) {
        Ok(_) if planted.is_empty() => return Ok(()),
        Ok(_) => return Err(Fault::Law.seen(format!("nothing is wrong with {planted:?}"))),
        Err(problems) => problems.0,
    };
    let about = |path: &String| {
        let of = problems
            .iter()
            .filter(|problem| entry_of(&problem.path) == entry_of(path));
        of.count()
    };
    if problems.len() == planted.len() && planted.iter().all(|path| about(path) == 1) {
        Ok(())
    } else {
        Err(Fault::Law.seen(told(planted, &problems)))
    }
}

fn told(planted: &[String], problems: &[Problem]) -> String {
    let told = problems.iter().map(ToString::to_string);
    format!("{planted:?}: {}", told.collect::<Vec<_>>().join(" | "))
}
