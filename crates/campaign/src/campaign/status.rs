//! Progress of a study's shards, as reported by their stores and the engine.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use pacesim_runs::summary::to_json;
use pacesim_store::database::{Peek, Store, StoreError};
use pacesim_store::shard::Shard;
use serde::Serialize;

use crate::campaign::{folder_of_shard, pattern_in};

/// The state of a shard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ShardState {
    /// All its runs are in its store.
    Done,
    /// The shard is running.
    Running,
    /// The shard waits in the engine's queue.
    Waiting,
    /// The shard was started and has ended, with some of its runs missing.
    Failed,
    /// The shard has not been started, and is not queued.
    Missing,
}

/// The engine's state of an unfinished shard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Queued {
    /// The shard is running.
    Running,
    /// The shard is waiting.
    Waiting,
}

/// The engine's state of the shards and of the merge.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Queue {
    /// The unfinished shards.
    pub shards: BTreeMap<u64, Queued>,
    /// The merge, unless it has ended.
    pub merge: Option<Queued>,
    /// The jobs with unfinished parts.
    pub jobs: Vec<String>,
}

/// A shard and its progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ShardStatus {
    /// Number of the shard, from 1.
    pub shard: u64,
    /// The state.
    pub state: ShardState,
    /// The number of runs in its store; null while it is running.
    pub runs: Option<u64>,
}

/// The progress of a study.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Status {
    /// The folder of the shards.
    pub folder: PathBuf,
    /// The state of the merge.
    pub merge: ShardState,
    /// Every shard.
    pub shards: Vec<ShardStatus>,
}

/// Inspects the stores of all shards in a folder, and that of the whole study.
pub fn status(
    folder: &Path,
    out: &Path,
    shards: u64,
    plan: &str,
    queue: &Queue,
) -> Result<Status, StoreError> {
    let look = |shard: Shard| -> Result<ShardStatus, StoreError> {
        let number = shard.number();
        let store = Store::peek(&folder_of_shard(&pattern_in(folder), shard))?;
        let has_begun = log_of(folder, number).exists();
        Ok(ShardStatus {
            shard: number,
            state: state(store, has_begun, queue.shards.get(&number).copied(), plan),
            runs: match store {
                Peek::Busy => None,
                Peek::Nothing => Some(0),
                Peek::Left { runs, .. } => Some(runs),
            },
        })
    };
    let shards: Result<Vec<ShardStatus>, StoreError> = Shard::all(shards).map(look).collect();
    let has_begun = folder.join("logs").join("merge.log").exists();
    Ok(Status {
        folder: folder.to_path_buf(),
        merge: state(Store::peek(out)?, has_begun, queue.merge, plan),
        shards: shards?,
    })
}

/// The file for the engine's output of a shard.
fn log_of(folder: &Path, shard: u64) -> PathBuf {
    folder.join("logs").join(format!("{shard}.log"))
}

fn state(store: Peek, has_begun: bool, queued: Option<Queued>, plan: &str) -> ShardState {
    let is_ours = |theirs: Option<_>| theirs.is_some_and(|theirs| theirs == plan);
    match (store, queued) {
        (
            Peek::Left {
                plan,
                is_complete: true,
                ..
            },
            _,
        ) if is_ours(plan.map(|plan| plan.to_string())) => ShardState::Done,
        (Peek::Busy, _) | (_, Some(Queued::Running)) => ShardState::Running,
        (_, Some(Queued::Waiting)) => ShardState::Waiting,
        (Peek::Left { plan, .. }, None) if is_ours(plan.map(|plan| plan.to_string())) => {
            ShardState::Failed
        }
        _ if has_begun => ShardState::Failed,
        _ => ShardState::Missing,
    }
}

impl Status {
    /// The numbers of the shards in this state.
    pub fn of(&self, state: ShardState) -> Vec<u64> {
        let shards = self.shards.iter().filter(|shard| shard.state == state);
        shards.map(|shard| shard.shard).collect()
    }

    /// The numbers of unfinished shards that are neither running nor queued.
    pub(crate) fn to_submit(&self) -> Vec<u64> {
        let is_left =
            |shard: &&ShardStatus| matches!(shard.state, ShardState::Failed | ShardState::Missing);
        let shards = self.shards.iter().filter(is_left);
        shards.map(|shard| shard.shard).collect()
    }

    /// The status as one JSON document.
    pub fn to_json(&self) -> String {
        to_json(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pacesim_runs::manifest::Digest;

    #[test]
    fn what_the_store_and_the_engine_say_makes_one_state() {
        let plan = Digest::default();
        let left = |is_complete| Peek::Left {
            plan: Some(plan),
            runs: 3,
            is_complete,
        };
        let ours = plan.to_string();
        let state = |store, has_begun, queued| state(store, has_begun, queued, &ours);
        let (running, waiting) = (Some(Queued::Running), Some(Queued::Waiting));
        assert_eq!(state(left(true), true, None), ShardState::Done);
        assert_eq!(state(left(true), true, running), ShardState::Done);
        assert_eq!(state(Peek::Busy, true, None), ShardState::Running);
        assert_eq!(state(Peek::Nothing, false, running), ShardState::Running);
        assert_eq!(state(left(false), true, waiting), ShardState::Waiting);
        assert_eq!(state(left(false), true, None), ShardState::Failed);
        assert_eq!(state(Peek::Nothing, true, None), ShardState::Failed);
        assert_eq!(state(Peek::Nothing, false, None), ShardState::Missing);
    }

    #[test]
    fn a_store_of_another_plan_is_not_done() {
        let mut other = Digest::default();
        other.add(b"edited");
        let store = Peek::Left {
            plan: Some(other),
            runs: 3,
            is_complete: true,
        };
        let ours = Digest::default().to_string();
        assert_eq!(state(store, false, None, &ours), ShardState::Missing);
    }
}
