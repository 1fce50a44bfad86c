//! Recordings made by shards, copied to the folder of the whole study.

use std::path::{Path, PathBuf};
use std::{fs, io};

use pacesim_runs::folder::{
    CheckedFolder, FolderError, MANIFEST, OpenError, ResultsFolder, system,
};
use pacesim_store::database::Store;
use pacesim_store::plan::SweepPlan;
use pacesim_store::sweep::Sweep;
use pacesim_sweep::error::SweepError;
use pacesim_sweep::recordings::{FOLDER, folder_of, remove_leftovers};

/// Copies the recordings of the points that the study keeps, each from a folder that has it.
/// Returns the points without a recording.
pub(super) fn copy(
    sweep: &Sweep<'_>,
    plan: &SweepPlan,
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
        if is_of(&target, &run.fingerprint).unwrap_or(false) {
            continue;
        }
        let (mut found, mut damaged) = (None, None);
        for around in folders {
            let source = around.join(FOLDER).join(folder_of(point.number));
            match is_of(&source, &run.fingerprint) {
                Ok(is_there) => found = found.or(is_there.then_some(source)),
                Err(error) => damaged = damaged.or(Some(error)),
            }
        }
        match (found, damaged) {
            (Some(source), _) => copy_whole(&source, &target).map_err(|error| SweepError::Run {
                point: point.number,
                replication: 0,
                source: error.into(),
            })?,
            (None, Some(damaged)) => return Err(SweepError::Recording(damaged)),
            (None, None) => nowhere.push(point.number),
        }
    }
    Ok(nowhere)
}

/// True if a folder holds the recording of this run, given that the plans are equal.
fn is_of(folder: &Path, fingerprint: &str) -> Result<bool, OpenError> {
    if !folder.join(MANIFEST).is_file() {
        return Ok(false);
    }
    let kept = CheckedFolder::open(folder)?;
    let manifest = kept.manifest();
    Ok(manifest["fingerprint"] == fingerprint && manifest["replication"] == 0)
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
        if entry.file_type()?.is_dir() {
            fs::create_dir(&copy)?;
            copy_contents(&entry.path(), &copy)?;
        } else {
            fs::copy(entry.path(), &copy).map(drop)?
        }
    }
    Ok(())
}
