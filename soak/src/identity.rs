//! One key has one identity: two spellings of one path set the same, and no two axes vary it. At a
//! scale, the times of a run's course shrink together.

use std::fs;
use std::io;
use std::num::NonZeroUsize;
use std::path::Path;

use pacesim::scenario::load;
use pacesim_lab::input::{self, study_from_text};
use serde_json::{Map, Value as Json, json};

use crate::attempt::guarded;
use crate::case::Maker;
use crate::dice::Dice;
use crate::files::Shelf;
use crate::formulas::Amount;
use crate::leaves::{at, leaves};
use crate::toml;
use crate::trial::{Failure, Fault};

/// Spells keys of the scenario of this number in two ways; returns the number of pairs refused as
/// axes of one study. A failure comes with its study.
pub fn try_spellings(
    maker: &Maker,
    number: u64,
    folder: &Path,
) -> io::Result<Result<u64, (Failure, String)>> {
    fs::create_dir_all(folder)?;
    let mut tree = Map::new();
    let made = guarded(|| Ok(maker.make(number, folder, &mut tree)));
    let Ok(Ok(Some(_))) = made else {
        return Ok(Ok(0));
    };
    let dice = &mut Dice::new(number ^ 0x1d);
    let mut shown = String::new();
    let judged = guarded(|| {
        scaled(&tree, folder, &mut shown)?;
        judge(&mut tree, folder, dice, &mut shown)
    });
    Ok(judged.map_err(|failure| (failure, shown)))
}

fn judge(
    tree: &mut Map<String, Json>,
    folder: &Path,
    dice: &mut Dice,
    shown: &mut String,
) -> Result<u64, Failure> {
    let mut paths = leaves(tree);
    paths.retain(|path| named(tree, path).is_some());
    if paths.is_empty() {
        return Ok(0);
    }
    let path = dice.pick(&paths).clone();
    let other = named(tree, &path).expect("it has a name");
    let value = at(tree, &path).expect("it is there").clone();
    same_sets(tree, [&path, &other], &value, folder, shown)?;
    let second = match dice.below(3) {
        // The whole entry has the key in it.
        0 => {
            let entry = path.split('.').next().unwrap_or(&path).to_owned();
            let whole = at(tree, &entry).expect("it is there").clone();
            json!({ "name": "again", "cases": { "a": { entry: whole }, "b": {} } })
        }
        1 => json!({ "name": "again", "cases": { "a": { path: value.clone() }, "b": {} } }),
        _ => json!({ "name": "again", "key": path, "values": [value.clone()] }),
    };
    let first = json!({ "name": "first", "key": other, "values": [value] });
    let mut study = tree.clone();
    study.remove("output");
    study.insert("sweep".to_owned(), json!({ "axis": [first, second] }));
    *shown = toml::document(&study);
    let accepted = match study_from_text("spelt.toml", shown, folder, &[]) {
        Err(_) => false,
        Ok(input) => input::check(&input.study, NonZeroUsize::MIN).is_ok(),
    };
    if accepted {
        Err(Fault::Law.seen("two axes vary one key"))
    } else {
        Ok(1)
    }
}

/// "link.core.buffer" for "link\[0\].buffer", if the entry has a name.
fn named(tree: &mut Map<String, Json>, path: &str) -> Option<String> {
    let (entry, rest) = path.split_once('.')?;
    let (list, _) = entry.split_once('[')?;
    if !["link", "flow", "node"].contains(&list) || rest == "name" || rest.contains('[') {
        return None;
    }
    let name = at(tree, entry)?.get("name")?.as_str()?;
    Some(format!("{list}.{name}.{rest}"))
}

fn same_sets(
    tree: &Map<String, Json>,
    paths: [&str; 2],
    value: &Json,
    folder: &Path,
    shown: &mut String,
) -> Result<(), Failure> {
    let files = Shelf(folder.to_path_buf());
    let text = toml::document(tree);
    *shown = format!("--set {paths:?}={value}\n{text}");
    let [first, second] = paths.map(|path| {
        let set = format!("{path}={value}");
        load("spelt.toml", &text, &[&set], &files).map_err(|problems| problems.to_string())
    });
    match (first, second) {
        (Ok(first), Ok(second)) if first == second => Ok(()),
        (first, second) => {
            let said = [first.err(), second.err()];
            Err(Fault::Differs.seen(format!("--set by two spellings: {said:?}")))
        }
    }
}

/// At a scale of a half, the scenario is that with the times of its course written as half.
fn scaled(tree: &Map<String, Json>, folder: &Path, shown: &mut String) -> Result<(), Failure> {
    let mut half = tree.clone();
    for path in leaves(tree) {
        let value = at(&mut half, &path).expect("it is there");
        let is_course = path.starts_with("run.duration")
            || path.starts_with("run.warmup")
            || (path.starts_with("event") && path.ends_with(".at"))
            || (path.starts_with("flow")
                && [".start", ".stop"].iter().any(|key| path.ends_with(key)))
            || ["output.packets.from", "output.packets.to"].contains(&path.as_str());
        // Scaled distributions are floats.
        if path.contains(".start.") {
            return Ok(());
        }
        if let Some(amount) = is_course
            .then(|| value.as_str().and_then(Amount::read))
            .flatten()
        {
            if !amount.number.is_multiple_of(2) || amount.number >= 1 << 53 {
                return Ok(());
            }
            *value = json!(amount.half().text());
        }
    }
    let read = |tree: &Map<String, Json>, scale: f64, shown: &mut String| {
        *shown = toml::document(tree);
        let input = study_from_text("scaled.toml", shown, folder, &[]).ok()?;
        let study = input.at_scale(scale).study;
        study.scenario(0).ok()
    };
    let (Some(whole), Some(half)) = (read(tree, 0.5, shown), read(&half, 1.0, shown)) else {
        return Ok(());
    };
    if whole == half {
        Ok(())
    } else {
        let (whole, half) = (whole.scenario().to_toml(), half.scenario().to_toml());
        let lines = whole
            .lines()
            .zip(half.lines())
            .find(|(one, other)| one != other);
        Err(Fault::Law.seen(format!("at a scale of 0.5: {lines:?}")))
    }
}
