//! Verification of results against their digests, without running, and against repeated runs.
//!
//! A results folder lists its files with their digests; a store has one of every run. Runs are
//! deterministic, so a few repeated ones show that the rest is reproducible.

mod store;

use std::fs;
use std::path::{Path, PathBuf};

use pacesim_runs::error::RunError;
use pacesim_runs::folder::{CheckedFolder, MANIFEST, OpenError};
use pacesim_runs::lived::Lived;
use pacesim_runs::plan::Plan;
use pacesim_runs::run::run;
use pacesim_runs::workers::{BatchMonitor, Workers};
use pacesim_sweep::input;
use serde_json::Value;

use crate::verified::{Again, Verified, VerifyError};

/// Verifies a folder, and repeats some of its runs.
pub fn verify(
    folder: &Path,
    again: Again,
    monitor: &dyn BatchMonitor,
) -> Result<Verified, VerifyError> {
    if pacesim_sweep::kept::Kept::is_in(folder) {
        return store::verify(folder, again, monitor);
    }
    results(folder, again, monitor)
}

fn results(
    folder: &Path,
    again: Again,
    monitor: &dyn BatchMonitor,
) -> Result<Verified, VerifyError> {
    let mut verified = Verified {
        folder: folder.to_path_buf(),
        kind: "results",
        ..Verified::default()
    };
    let (folders, runs) = folders(folder);
    verified.runs = runs.len() as u64;
    for of in &folders {
        let examined = CheckedFolder::examined(of);
        let (files, damaged) = examined.map_err(|error| match error {
            OpenError::NotResults(_) => VerifyError::NotOurs(folder.to_path_buf()),
            error => VerifyError::Folder(error),
        })?;
        verified.files += files;
        let named = damaged
            .iter()
            .map(|error| error.path().display().to_string());
        verified.problems.extend(named);
    }
    verified.problems.sort();
    verified.problems.dedup();
    let picked = again.picked(runs.len());
    let workers = Workers::new(monitor, 1, picked.len() as u64);
    for place in picked {
        verified
            .problems
            .extend(made_again(&runs[place], &workers)?);
        verified.again += 1;
        workers.finished(0);
        workers.report();
    }
    Ok(verified)
}

/// Repeats the run of a folder; returns the deviation, if any.
fn made_again(folder: &Path, workers: &Workers<'_>) -> Result<Option<String>, VerifyError> {
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
    // A live run is repeated with the packets of its hosts.
    let lived = Lived::is_in(folder).then(|| Lived::read(folder));
    let lived = lived
        .transpose()
        .map_err(|error| unreadable(error.to_string()))?;
    let plan = Plan {
        seed: manifest["seed"].as_u64(),
        lived: lived.as_ref(),
        ..Plan::default()
    };
    let replication = manifest["replication"].as_u64().unwrap_or(0);
    let summary = run(&input, replication, &plan, &mut workers.run_monitor(0));
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

/// The manifest of a results folder of pacesim.
fn manifest(folder: &Path) -> Option<Value> {
    let text = fs::read_to_string(folder.join(MANIFEST)).ok()?;
    let manifest: Value = serde_json::from_str(&text).ok()?;
    manifest["schema_version"].is_u64().then_some(manifest)
}

/// A folder and those of its replications, and the folders of runs among them.
fn folders(folder: &Path) -> (Vec<PathBuf>, Vec<PathBuf>) {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let inside = entries.map(|entry| entry.path());
    let mut runs: Vec<PathBuf> = inside
        .filter(|path| path.join(MANIFEST).is_file())
        .collect();
    runs.sort();
    let own = manifest(folder).unwrap_or_default();
    let mut folders = vec![folder.to_path_buf()];
    if own["replications"].is_u64() || !runs.is_empty() {
        folders.extend(runs.iter().cloned());
        return (folders, runs);
    }
    let is_run = own["replication"].is_u64();
    let runs = folders.iter().filter(|_| is_run).cloned().collect();
    (folders, runs)
}
