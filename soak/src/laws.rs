//! Laws for answers that would be wrong in silence: a generated scenario becomes a study whose
//! points must have equal numbers, and whose tables must be possible ones.

mod found;
mod measures;
mod ranges;
mod staging;
pub(crate) mod study;
mod windows;

use std::fs;
use std::io;
use std::path::Path;

use pacesim::scenario::load;
use pacesim_lab::expand;
use serde_json::{Map, Value as Json, json};

use crate::attempt::guarded;
use crate::case::Maker;
use crate::dice::Dice;
use crate::files::Shelf;
use crate::shrink::shrink;
use crate::toml;
use crate::trial::Failure;

use found::{Found, swept};

/// The comparisons made in one case.
#[derive(Clone, Copy, Debug, Default)]
pub struct Lawful {
    /// True if a scenario was found and swept.
    pub is_swept: bool,
    /// Points with other stages that had to equal the plain one.
    pub stagings: u64,
    /// Windows that had to add up to a whole run.
    pub windows: u64,
    /// Numbers of runs looked at.
    pub numbers: u64,
    /// Rows of measures' tables looked at.
    pub rows: u64,
}

/// Tries the laws on the scenario of this number, in an empty folder. A failure comes with its
/// study, or after minutes with the least one that shows it.
pub fn try_laws(
    maker: &Maker,
    number: u64,
    folder: &Path,
    is_reduced: bool,
) -> io::Result<Result<Lawful, (Failure, String)>> {
    fs::create_dir_all(folder)?;
    let mut tree = Map::new();
    let made = guarded(|| Ok(maker.make(number, folder, &mut tree)));
    // Panics of drafts are found by the campaign of scenarios.
    let Ok(made) = made else {
        return Ok(Ok(Lawful::default()));
    };
    if made?.is_none() {
        return Ok(Ok(Lawful::default()));
    }
    let tried = |tree: &Map<String, Json>, text: &mut String| {
        guarded(|| judge(tree, folder, &mut Dice::new(number ^ 0x1a75), text))
    };
    let mut text = String::new();
    Ok(match tried(&tree, &mut text) {
        Ok(lawful) => Ok(lawful),
        Err(failure) if !is_reduced => Err((failure, text)),
        Err(failure) => {
            let law = |failure: &Failure| failure.seen.split(':').next().map(str::to_owned);
            let fails = |tree: &Map<String, Json>| {
                let found = tried(tree, &mut String::new()).err();
                found.filter(|found| law(found) == law(&failure))
            };
            let least = shrink(&tree, failure.fault, fails);
            let failure = tried(&least, &mut text).err().unwrap_or(failure);
            Err((failure, text))
        }
    })
}

/// The most members of networks that are swept: larger ones are no better tests.
const MANY: usize = 300;

fn judge(
    tree: &Map<String, Json>,
    folder: &Path,
    dice: &mut Dice,
    shown: &mut String,
) -> Result<Lawful, Failure> {
    let files = Shelf(folder.to_path_buf());
    let tree = &staging::with_whole_times(tree);
    let checked = load("laws.toml", &toml::document(tree), &[], &files);
    // A rule between keys may refuse the changed rates.
    let Ok(checked) = checked else {
        return Ok(Lawful::default());
    };
    let model = expand(&checked, checked.scenario().run.seed, 0);
    if model.nodes.len() + model.links.len() + model.flows.len() > MANY {
        return Ok(Lawful::default());
    }
    let mut study = tree.clone();
    study.remove("output");
    let cases = staging::cases(&study, &model, &files, dice);
    let measured = measures::draw(&model, 2 + dice.place(4), dice);
    study.insert("measure".to_owned(), Json::Array(measured));
    let axis = json!([{ "name": "case", "cases": cases }]);
    study.insert("sweep".to_owned(), json!({ "axis": axis }));
    let Some(found) = swept(&mut study, folder, "staged", shown)? else {
        return Ok(Lawful::default());
    };
    staging::judge(&found)?;
    let is_from_start = model.warmup.as_ps() == 0;
    ranges::judge(&found, is_from_start)?;
    let count = 2 + dice.below(5);
    study.remove("measure");
    study.insert("sweep".to_owned(), json!({ "batches": count }));
    let windows = swept(&mut study, folder, "windows", shown)?;
    if let Some(windows) = &windows {
        ranges::judge(windows, is_from_start)?;
        let measured = model.duration - model.warmup;
        windows::judge(&found, windows, measured.as_ps())?;
    }
    Ok(lawful(&found, windows.as_ref().map_or(0, |_| count)))
}

fn lawful(found: &Found, windows: u64) -> Lawful {
    Lawful {
        is_swept: true,
        stagings: found.points.len() as u64 - 1,
        windows,
        numbers: found.points.values().map(|point| point.len() as u64).sum(),
        rows: found.tables.iter().map(|(_, rows)| rows.len() as u64).sum(),
    }
}
