//! One case, from its number to a verdict, even if it panics.

use std::fs;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use serde_json::{Map, Value as Json};

use crate::case::{Made, Maker};
use crate::toml;
use crate::trial::{Failure, Fault, Figures, try_scenario};

/// The verdict on a case.
#[derive(Debug)]
pub enum Verdict {
    /// None of its drafts was accepted.
    NoScenario,
    /// All requirements hold.
    Sound(Made, Figures),
    /// A requirement is violated.
    Failed(Failure, Map<String, Json>),
}

/// Tries a case in an empty folder.
pub fn try_case(maker: &Maker, number: u64, folder: &Path) -> io::Result<Verdict> {
    fs::create_dir_all(folder)?;
    let mut tree = Map::new();
    let made = guarded(|| Ok(maker.make(number, folder, &mut tree)));
    let verdict = match made {
        Err(failure) => Verdict::Failed(failure, tree),
        Ok(made) => match made? {
            None => Verdict::NoScenario,
            Some(made) => match try_tree(&tree, folder) {
                Ok(figures) => Verdict::Sound(made, figures),
                Err(failure) => Verdict::Failed(failure, tree),
            },
        },
    };
    Ok(verdict)
}

/// Tries a scenario given as a tree, with its files in the folder.
pub fn try_tree(tree: &Map<String, Json>, folder: &Path) -> Result<Figures, Failure> {
    let tried = guarded(|| try_scenario(&toml::document(tree), folder));
    for out in ["first", "second"] {
        // The folder may not exist.
        let _ = fs::remove_dir_all(folder.join(out));
    }
    tried
}

/// Turns a panic into an ordinary failure.
pub(crate) fn guarded<T>(action: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
    catch_unwind(AssertUnwindSafe(action)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        let text = text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
        Err(Fault::Panic.seen(text.unwrap_or_default()))
    })
}
