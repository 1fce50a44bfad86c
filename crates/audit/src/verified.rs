//! Findings of a verification, and the runs to repeat for it.

use std::path::PathBuf;

use pacesim_core::random::{Rng, Streams};
use pacesim_runs::error::RunError;
use pacesim_runs::folder::OpenError;
use pacesim_runs::summary::to_json;
use pacesim_store::database::StoreError;
use serde::Serialize;

/// Results of the verification of a folder.
#[derive(Debug, Default, Serialize)]
pub struct Verified {
    /// The folder.
    pub folder: PathBuf,
    /// "results" or "study".
    pub kind: &'static str,
    /// The number of files with a digest.
    pub files: u64,
    /// The number of runs with a digest.
    pub runs: u64,
    /// The number of runs that were repeated.
    pub again: u64,
    /// All deviations from the stored results.
    pub problems: Vec<String>,
}

impl Verified {
    /// True if everything agrees with the stored results.
    pub fn is_sound(&self) -> bool {
        self.problems.is_empty()
    }

    /// Writes it as one JSON document.
    pub fn to_json(&self) -> String {
        to_json(self)
    }
}

/// A folder that cannot be checked.
#[derive(Debug, thiserror::Error)]
pub enum VerifyError {
    /// The folder has no results of pacesim.
    #[error(
        "{0} is neither a results folder nor the folder of a study; give one that pacesim wrote"
    )]
    NotOurs(PathBuf),
    /// The results cannot be read, or are of another version.
    #[error(transparent)]
    Folder(#[from] OpenError),
    /// The store cannot be opened.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The study for the repeated runs cannot be read.
    #[error("no run can be made again: {0}")]
    Unreadable(String),
    /// A run failed.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The monitor asked to stop.
    #[error("interrupted; nothing was changed")]
    Interrupted,
}

impl VerifyError {
    /// True if another folder would help.
    pub fn is_usage(&self) -> bool {
        !matches!(self, VerifyError::Run(_) | VerifyError::Interrupted)
    }
}

/// Runs to repeat.
#[derive(Clone, Copy, Debug, Default)]
pub struct Again {
    /// The number of runs; all runs if that is less.
    pub runs: u64,
    /// Seed of the selection.
    pub seed: u64,
}

impl Again {
    fn streams(&self) -> Streams {
        Streams {
            seed: self.seed,
            replication: 0,
        }
    }

    /// The places of the selected runs, among `of`, in order.
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
