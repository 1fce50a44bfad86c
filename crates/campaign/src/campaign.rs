//! Shards of a study run by an engine: the places of their stores, the submission, and their
//! progress.

mod status;
mod submission;

use std::fs;
use std::path::{Path, PathBuf};

use pacesim_runs::workers::BatchMonitor;

use pacesim_store::shard::Shard;
use pacesim_store::sweep::Sweep;
use pacesim_sweep::division::Division;
use pacesim_sweep::error::SweepError;
use pacesim_sweep::planning::plan_all;
use pacesim_sweep::refuse::refuse;

pub use status::{Queue, Queued, ShardState, ShardStatus, Status, status};
pub use submission::{Job, Submission, SubmissionError};

/// The placeholder for the name of a shard's folder: "003-of-200".
const PLACEHOLDER: &str = "{shard}";

/// The folder for the stores of shards, next to that of the whole study.
pub fn shards_folder(out: &Path) -> PathBuf {
    let mut name = out.as_os_str().to_owned();
    name.push(".shards");
    PathBuf::from(name)
}

/// The folder of a shard, from a pattern that may contain `{shard}`.
pub fn folder_of_shard(pattern: &Path, shard: Shard) -> PathBuf {
    match pattern.to_str() {
        Some(text) => PathBuf::from(text.replace(PLACEHOLDER, &shard.folder())),
        None => pattern.to_path_buf(),
    }
}

/// The pattern for the folders of shards in this folder.
pub fn pattern_in(folder: &Path) -> PathBuf {
    folder.join(PLACEHOLDER)
}

/// The folders of shards in this folder, by number.
pub(crate) fn shards_in(folder: &Path) -> Vec<(Shard, PathBuf)> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let shard = |path: PathBuf| {
        let name = path.file_name()?.to_str()?;
        let (number, of) = name.split_once("-of-")?;
        let shard = Shard::new(number.parse().ok()?, of.parse().ok()?).ok()?;
        (shard.folder() == name && path.is_dir()).then_some((shard, path))
    };
    let mut shards: Vec<_> = entries.filter_map(|entry| shard(entry.path())).collect();
    shards.sort();
    shards
}

/// The number of shards that a study is divided into, from the names of the shards in this folder,
/// if any.
pub fn number_of_shards(folder: &Path) -> Option<u64> {
    let shards = shards_in(folder);
    shards.iter().map(|(shard, _)| shard.of()).max()
}

/// Checks every point of a study before it is submitted to an engine, and that every shard has
/// work.
pub fn check_campaign(
    sweep: &Sweep<'_>,
    shards: u64,
    monitor: &dyn BatchMonitor,
) -> Result<(), SweepError> {
    refuse(sweep)?;
    let points = sweep.study.points().count() as u64;
    let pieces = Division::new(sweep.study, sweep.replications, shards).pieces(points);
    if shards > pieces {
        return Err(SweepError::TooManyShards { shards, pieces });
    }
    plan_all(sweep, monitor).map(drop)
}
