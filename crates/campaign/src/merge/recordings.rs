//! Recordings made by shards, copied to the folder of the whole study.

use std::path::{Path, PathBuf};
use std::{fs, io};

use pacesim_runs::folder::{FolderError, MANIFEST, ResultsFolder, system};
use pacesim_runs::manifest::SCHEMA_VERSION;
use pacesim_store::database::Store;
use pacesim_store::plan::Plan;
use pacesim_store::sweep::Sweep;
use pacesim_sweep::error::SweepError;
use pacesim_sweep::recordings::{FOLDER, folder_of, remove_leftovers};
use serde_json::Value;

/// Copies the recordings of the points that the study keeps, each from a folder that has it.
/// Returns the points without a recording.
pub(super) fn copy(
    sweep: &Sweep<'_>,
    plan: &Plan,
    store: &Store,
    folders: &[PathBuf],
) -> Result<Vec<u64>, SweepError> {
    let around = sweep.out.join(FOLDER);
    remove_leftovers(&around).map_err(|source| SweepError::File {
        path: around.clone(),
        source,
    })?;
    let mut reader = store.reader()?;
    let mut nowhere = Vec::new();
    let kept = plan.points.iter();
    for point in kept.filter(|point| sweep.study.keeps(point.number)) {
        let first = point
            .repetitions()
            .next()
            .expect("a point has a replication");
        let run = reader.run(point.scenario, first)?;
        let run = run.expect("a run that was not missing is in the store");
        let target = around.join(folder_of(point.number));
        if is_of(&target, &run.fingerprint) {
            continue;
        }
        let sources = folders.iter().map(|folder| folder.join(FOLDER));
        let mut sources = sources.map(|around| around.join(folder_of(point.number)));
        match sources.find(|source| is_of(source, &run.fingerprint)) {
            Some(source) => copy_whole(&source, &target).map_err(|error| SweepError::Run {
                point: point.number,
                replication: 0,
                source: error.into(),
            })?,
            None => nowhere.push(point.number),
        }
    }
    Ok(nowhere)
}

/// True if a folder holds the recording of this run, given that the plans are equal.
fn is_of(folder: &Path, fingerprint: &str) -> bool {
    let text = fs::read_to_string(folder.join(MANIFEST));
    let manifest = text.ok().and_then(|text| serde_json::from_str(&text).ok());
    manifest.is_some_and(|manifest: Value| {
        manifest["fingerprint"] == fingerprint
            && manifest["replication"] == 0
            && manifest["schema_version"] == SCHEMA_VERSION
    })
}

/// Copies a folder, replacing any other recording.
fn copy_whole(source: &Path, target: &Path) -> Result<(), FolderError> {
    let folder = ResultsFolder::create(target, true)?;
    copy_contents(source, folder.contents().path()).map_err(system(target))?;
    folder.finish()
}

fn copy_contents(source: &Path, target: &Path) -> io::Result<()> {
    for entry in fs::read_dir(source)? {
        let entry = entry?;
        let copy = target.join(entry.file_name());
        match entry.file_type()?.is_dir() {
            true => {
                fs::create_dir(&copy)?;
                copy_contents(&entry.path(), &copy)?;
            }
            false => fs::copy(entry.path(), &copy).map(drop)?,
        }
    }
    Ok(())
}
