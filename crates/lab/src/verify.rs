//! Results checked against what was written, without running, and against runs made again.
//!
//! A results folder lists its files with their digests; a store has one of every run. Runs are
//! deterministic, so a few of them made again show that the rest can be.

use std::fs;
use std::path::{Path, PathBuf};

use pacesim_core::random::{Rng, Streams};
use serde::Serialize;
use serde_json::Value;

use crate::crew::{Crew, Overseer};
use crate::folder::{MANIFEST, damaged_files};
use crate::input;
use crate::run::{Plan, RunError, run};
use crate::summary::to_json;

/// Everything that was checked in a folder.
#[derive(Debug, Default, Serialize)]
pub struct Verified {
    /// The folder.
    pub folder: PathBuf,
    /// "results" or "study".
    pub kind: &'static str,
    /// The number of files with a digest.
    pub files: u64,
    /// The number of runs with a digest of their own.
    pub runs: u64,
    /// The number of runs that were made again.
    pub again: u64,
    /// Everything that is not what was kept.
    pub problems: Vec<String>,
}

impl Verified {
    /// True if everything is what was kept.
    pub fn is_sound(&self) -> bool {
        self.problems.is_empty()
    }

    /// As one JSON document.
    pub fn to_json(&self) -> String {
        to_json(self)
    }
}

/// A folder that cannot be checked.
#[derive(Debug, thiserror::Error)]
pub enum VerifyError {
    /// Nothing of ours is in the folder.
    #[error(
        "{0} is neither a results folder nor the folder of a study; give one that pacesim wrote"
    )]
    NotOurs(PathBuf),
    /// The results are of a pacesim that listed no files.
    #[error(
        "the results in {0} list no files (an older pacesim wrote them): nothing can be checked; run them again"
    )]
    Unlisted(PathBuf),
    /// The store cannot be opened.
    #[error(transparent)]
    Store(#[from] crate::study::StoreError),
    /// The study that runs are to be made of again cannot be read.
    #[error("no run can be made again: {0}")]
    Unreadable(String),
    /// A run failed.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The overseer wanted an end.
    #[error("interrupted; nothing was changed")]
    Interrupted,
}

impl VerifyError {
    /// True if another folder would help.
    pub fn is_usage(&self) -> bool {
        !matches!(self, VerifyError::Run(_) | VerifyError::Interrupted)
    }
}

/// Runs to be made again.
#[derive(Clone, Copy, Debug, Default)]
pub struct Again {
    /// The number of runs; all, if there are fewer.
    pub runs: u64,
    /// The seed that picks them.
    pub seed: u64,
}

impl Again {
    fn streams(&self) -> Streams {
        Streams {
            seed: self.seed,
            replication: 0,
        }
    }

    /// The places of the runs, among so many, in order.
    pub(crate) fn picked(&self, of: usize) -> Vec<usize> {
        let mut stream = self.streams().stream("verify", "again");
        let mut places: Vec<usize> = (0..of).collect();
        let count = usize::try_from(self.runs).unwrap_or(of).min(of);
        for place in 0..count {
            let left = (of - place) as u64;
            let other = place + (stream.next_u64() % left) as usize;
            places.swap(place, other);
        }
        places.truncate(count);
        places.sort_unstable();
        places
    }
}

/// Checks a folder, and makes some of its runs again.
pub fn verify(
    folder: &Path,
    again: Again,
    overseer: &dyn Overseer,
) -> Result<Verified, VerifyError> {
    if crate::study::Kept::is_in(folder) {
        return crate::study::verify(folder, again, overseer);
    }
    results(folder, again, overseer)
}

fn results(folder: &Path, again: Again, overseer: &dyn Overseer) -> Result<Verified, VerifyError> {
    let mut verified = Verified {
        folder: folder.to_path_buf(),
        kind: "results",
        ..Verified::default()
    };
    let single = manifest(folder).ok_or_else(|| VerifyError::NotOurs(folder.to_path_buf()))?;
    let mut runs = run_folders(folder);
    runs.extend(single["replication"].is_u64().then(|| folder.to_path_buf()));
    verified.runs = runs.len() as u64;
    let mut folders = runs.clone();
    folders.extend(
        single["replications"]
            .is_u64()
            .then(|| folder.to_path_buf()),
    );
    for of in &folders {
        let found =
            damaged_files(of).map_err(|source| VerifyError::Unreadable(source.to_string()))?;
        let (files, damaged) = found.ok_or_else(|| VerifyError::Unlisted(of.clone()))?;
        verified.files += files;
        let named = damaged
            .into_iter()
            .map(|name| of.join(name).display().to_string());
        verified.problems.extend(named);
    }
    verified.problems.sort();
    verified.problems.dedup();
    let picked = again.picked(runs.len());
    let crew = Crew::new(overseer, 1, picked.len() as u64);
    for place in picked {
        verified.problems.extend(made_again(&runs[place], &crew)?);
        verified.again += 1;
        crew.finished(0);
        crew.report();
    }
    Ok(verified)
}

/// The run of a folder made again: how it differs, if it does.
fn made_again(folder: &Path, crew: &Crew<'_>) -> Result<Option<String>, VerifyError> {
    let unreadable = |what: String| VerifyError::Unreadable(what);
    let manifest = manifest(folder).unwrap_or_default();
    let input = input::from_file(&folder.join("scenario.toml"), &[]);
    let input = input.map_err(|rejected| {
        unreadable(
            rejected
                .problems
                .first()
                .map(ToString::to_string)
                .unwrap_or_default(),
        )
    })?;
    let plan = Plan {
        seed: manifest["seed"].as_u64(),
        ..Plan::default()
    };
    let replication = manifest["replication"].as_u64().unwrap_or(0);
    let summary = run(&input, replication, &plan, &mut crew.supervisor(0));
    let summary = summary.map_err(|error| match error {
        RunError::Interrupted => VerifyError::Interrupted,
        error => VerifyError::Run(error),
    })?;
    let kept = manifest["fingerprint"].as_str().unwrap_or_default();
    Ok((summary.fingerprint != kept).then(|| {
        let folder = folder.display();
        format!(
            "{folder}: made again its fingerprint is {}, and {kept} was kept",
            summary.fingerprint
        )
    }))
}

/// The manifest of a results folder of ours.
fn manifest(folder: &Path) -> Option<Value> {
    let text = fs::read_to_string(folder.join(MANIFEST)).ok()?;
    let manifest: Value = serde_json::from_str(&text).ok()?;
    manifest["schema_version"].is_u64().then_some(manifest)
}

/// The folders of runs in a folder of replications, in the order of their names.
fn run_folders(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let is_run = |path: &PathBuf| manifest(path).is_some_and(|found| found["replication"].is_u64());
    let mut runs: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(is_run).collect();
    runs.sort();
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_picks_runs_each_at_most_once() {
        let picked = Again { runs: 5, seed: 3 }.picked(20);
        assert_eq!(picked.len(), 5, "as many as asked for");
        assert!(
            picked.windows(2).all(|pair| pair[0] < pair[1]),
            "{picked:?}"
        );
        assert_ne!(picked, Again { runs: 5, seed: 4 }.picked(20), "by the seed");
        assert_eq!(
            Again { runs: 9, seed: 1 }.picked(3),
            [0, 1, 2],
            "no more than there are"
        );
    }
}
