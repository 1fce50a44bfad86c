//! The files that ship in the program: `scenarios/papers`, as they were when it was built.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The name of each file under `scenarios/papers`, and its text.
pub const FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/files.rs"));

/// What the name of every study ends in.
pub(crate) const STUDY: &str = ".study.toml";

/// The text of a file, if it ships.
pub(crate) fn text_of(name: &str) -> Option<&'static str> {
    let found = FILES.iter().find(|(known, _)| *known == name);
    found.map(|(_, text)| *text)
}

/// A study and all the files that it names, directly or through another.
pub(crate) fn files_of(study: &str) -> Vec<&'static str> {
    let mut needed: Vec<&str> = Vec::new();
    let mut unread: Vec<&'static str> = named(study).collect();
    while let Some(name) = unread.pop() {
        if !needed.contains(&name) {
            needed.push(name);
            let text = text_of(name).expect("the names of FILES have texts");
            unread.extend(beside(name, text));
        }
    }
    needed.sort_unstable();
    needed
}

fn named(name: &str) -> impl Iterator<Item = &'static str> {
    FILES
        .iter()
        .map(|(known, _)| *known)
        .filter(move |known| *known == name)
}

/// The files of the same folder that a text names in quotes.
fn beside(name: &str, text: &str) -> impl Iterator<Item = &'static str> {
    let folder = name.rsplit_once('/').map_or("", |(folder, _)| folder);
    FILES.iter().map(|(known, _)| *known).filter(move |known| {
        let inside = known
            .strip_prefix(folder)
            .and_then(|rest| rest.strip_prefix('/'));
        inside.is_some_and(|inside| text.contains(&format!("\"{inside}\"")))
    })
}

/// What is in the way of a file.
#[derive(Debug, thiserror::Error)]
pub enum ShowError {
    /// Another file has the name.
    #[error("{} is there, and is another file; --force replaces it", .0.display())]
    Taken(PathBuf),
    /// The file system does not want it.
    #[error("{}: {}", .0.display(), .1)]
    System(PathBuf, io::Error),
}

/// Writes a study and the files that it names into this folder, under their names in the
/// catalogue. Files that are there with the same text stay; others are replaced only by `force`.
pub(crate) fn show(study: &str, folder: &Path, force: bool) -> Result<Vec<PathBuf>, ShowError> {
    let files: Vec<(PathBuf, &str)> = files_of(study)
        .into_iter()
        .map(|name| {
            (
                folder.join(name),
                text_of(name).expect("the names of FILES have texts"),
            )
        })
        .collect();
    let is_same = |path: &Path, text: &str| fs::read(path).is_ok_and(|old| old == text.as_bytes());
    let taken =
        |(path, text): &&(PathBuf, &str)| path.symlink_metadata().is_ok() && !is_same(path, text);
    if let Some((path, _)) = files.iter().find(taken).filter(|_| !force) {
        return Err(ShowError::Taken(path.clone()));
    }
    for (path, text) in files.iter().filter(|(path, text)| !is_same(path, text)) {
        let system = |error| ShowError::System(path.clone(), error);
        let around = path.parent().unwrap_or(folder);
        fs::create_dir_all(around).map_err(system)?;
        pacesim_lab::write_complete(path, text.as_bytes()).map_err(system)?;
    }
    Ok(files.into_iter().map(|(path, _)| path).collect())
}
