//! The recordings that shards made, copied to the folder of the whole.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::disk::Disk;
use crate::folder::MANIFEST;
use crate::manifest::SCHEMA_VERSION;
use crate::partial::{PARTIAL, make_beside};
use crate::study::plan::Plan;
use crate::study::recordings::{FOLDER, folder_of, remove_leftovers};
use crate::study::store::Store;
use crate::study::{Sweep, SweepError};

/// Copies the recordings of the points that the study keeps, each from a folder that has it. Gives
/// the points of which nobody has one.
pub(super) fn copy(
    sweep: &Sweep<'_>,
    plan: &Plan,
    store: &Store,
    folders: &[PathBuf],
) -> Result<Vec<u64>, SweepError> {
    let around = sweep.out.join(FOLDER);
    let failed = |path: &Path, source: io::Error| SweepError::File {
        path: path.to_path_buf(),
        source,
    };
    remove_leftovers(&around).map_err(|error| failed(&around, error))?;
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
            Some(source) => copy_whole(&source, &target).map_err(|error| failed(&target, error))?,
            None => nowhere.push(point.number),
        }
    }
    Ok(nowhere)
}

/// Whether a folder holds the recording of this run; the plan is known to be the same.
fn is_of(folder: &Path, fingerprint: &str) -> bool {
    let text = fs::read_to_string(folder.join(MANIFEST));
    let manifest = text.ok().and_then(|text| serde_json::from_str(&text).ok());
    manifest.is_some_and(|manifest: Value| {
        manifest["fingerprint"] == fingerprint
            && manifest["replication"] == 0
            && manifest["schema_version"] == SCHEMA_VERSION
    })
}

/// Copies a folder, which has its name only once it is complete.
fn copy_whole(source: &Path, target: &Path) -> io::Result<()> {
    let disk = Disk::default();
    if let Some(around) = target.parent() {
        disk.create_folders(around)?;
    }
    let (partial, ()) = make_beside(target, PARTIAL, |path| disk.create_folder(path))?;
    copy_contents(source, &partial)?;
    disk.flush_with_contents(&partial)?;
    disk.rename(&partial, target)
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
