//! The base scenario of a study: another file, whose keys are overridden by the study's own.

use std::path::Path;

use pacesim_language::document::Document;
use pacesim_language::problem::Faults;
use pacesim_language::tree::{Entry, Item, Toml, TomlTable};

use pacesim_scenario::{Files, SCENARIOS, names_file};

use crate::keys::StudyKeys;

/// The scenario of a study that consists of models only.
const LEAST: &[u8] = include_bytes!("least.toml");

/// The only key of a scenario that is unrelated to a network.
const TITLE: &str = "title";

/// True if a study has models and nothing to run.
pub(crate) fn is_of_models_alone(keys: &StudyKeys, scenario: &TomlTable) -> bool {
    let has_scenario = scenario.entries.iter().any(|entry| entry.key != TITLE);
    !keys.models.is_empty() && keys.base.is_none() && !has_scenario
}

/// The scenario of such a study.
pub(crate) fn on_least(document: &Document, scenario: &TomlTable) -> Document {
    let least = document.include(&SCENARIOS, "least.toml", LEAST);
    let tree = laid_over(least.tree().clone(), scenario);
    least.with_tree(&SCENARIOS, tree)
}

/// Keys that select one of several cases of a table.
const TAGS: [&str; 2] = ["kind", "shape"];

/// The tree of a scenario overlaid with the keys of another one. Tables are merged, unless they are
/// of different kinds; lists and plain values are replaced.
pub(crate) fn laid_over(mut below: TomlTable, above: &TomlTable) -> TomlTable {
    for entry in &above.entries {
        match below
            .entries
            .iter_mut()
            .find(|known| known.key == entry.key)
        {
            Some(known) => replace(known, entry),
            None => below.entries.push(entry.clone()),
        }
    }
    below
}

fn replace(known: &mut Entry, entry: &Entry) {
    known.key_place = entry.key_place;
    match (&mut known.item.value, &entry.item.value) {
        (Toml::Table(below), Toml::Table(above)) if !is_another_kind(below, above) => {
            *below = laid_over(std::mem::take(below), above);
            known.item.place = entry.item.place;
        }
        _ => known.item = entry.item.clone(),
    }
}

fn is_another_kind(below: &TomlTable, above: &TomlTable) -> bool {
    TAGS.iter().any(|tag| {
        let word = |table: &TomlTable| table.get(tag).and_then(Item::text).map(str::to_owned);
        word(above).is_some_and(|kind| word(below) != Some(kind))
    })
}

/// The tree of the scenario in this file, with file names relative to it resolved from outside its
/// folder.
pub(crate) fn within(file: &str, mut tree: TomlTable) -> TomlTable {
    let Some(folder) = Path::new(file)
        .parent()
        .filter(|folder| *folder != Path::new(""))
    else {
        return tree;
    };
    for entry in &mut tree.entries {
        move_files(folder, &entry.key, &mut entry.item);
    }
    tree
}

fn move_files(folder: &Path, key: &str, item: &mut Item) {
    match &mut item.value {
        Toml::Text(name) if names_file(key) => {
            *name = folder.join(&*name).to_string_lossy().into_owned();
        }
        Toml::Table(table) => {
            for entry in &mut table.entries {
                move_files(folder, &entry.key, &mut entry.item);
            }
        }
        Toml::List(items) => items
            .iter_mut()
            .for_each(|item| move_files(folder, key, item)),
        _ => (),
    }
}

/// Checks that the base scenario exists and stands alone.
pub(crate) fn check_base(
    keys: &StudyKeys,
    files: &dyn Files,
    base_of_base: Option<&str>,
    faults: &mut Faults,
) {
    let Some(name) = &keys.base else { return };
    if let Err(error) = files.text(name) {
        let message = format!("cannot use the file \"{name}\": {error}");
        let help = "give a scenario, a TOML file; its path begins at this file's folder";
        faults.add("scenario", message).help(help);
    }
    if let Some(other) = base_of_base {
        let message = format!("\"{name}\" is itself based on a scenario, \"{other}\"");
        let help = "a base stands alone: give one without the key `scenario`";
        faults.add("scenario", message).help(help);
    }
}
