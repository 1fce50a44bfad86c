//! Shards of a study in the hands of an engine: where their stores are, what was submitted, and
//! how far each is.

mod status;
mod submission;

use std::fs;
use std::path::{Path, PathBuf};

use pacesim_runs::workers::BatchMonitor;
use pacesim_sweep::division::Division;
use pacesim_sweep::error::SweepError;
use pacesim_sweep::plan::Plan;
use pacesim_sweep::refuse::refuse;
use pacesim_sweep::shard::Shard;
use pacesim_sweep::sweep::Sweep;

pub use status::{Queue, Queued, ShardState, ShardStatus, Status, status};
pub use submission::{Job, Submission, SubmissionError};

/// The placeholder for a shard's folder in the name of one: "003-of-200".
const PLACEHOLDER: &str = "{shard}";

/// The folder of the stores of shards, beside that of the whole study.
pub fn shards_folder(out: &Path) -> PathBuf {
    let mut name = out.as_os_str().to_owned();
    name.push(".shards");
    PathBuf::from(name)
}

/// The folder of a shard, by a name in which `{shard}` may stand for it.
pub fn folder_of_shard(pattern: &Path, shard: Shard) -> PathBuf {
    match pattern.to_str() {
        Some(text) => PathBuf::from(text.replace(PLACEHOLDER, &shard.folder())),
        None => pattern.to_path_buf(),
    }
}

/// The name of the folder of any shard in this folder.
pub fn pattern_in(folder: &Path) -> PathBuf {
    folder.join(PLACEHOLDER)
}

/// The folders of shards in this folder, in the order of their numbers.
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

/// Into how many shards a study is divided whose shards are in this folder, if there are any.
pub fn number_of_shards(folder: &Path) -> Option<u64> {
    let shards = shards_in(folder);
    shards.iter().map(|(shard, _)| shard.of()).max()
}

/// Checks every point of a study before it is given to an engine, and that every shard has work.
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
    Plan::of(sweep, monitor).map(drop)
}
