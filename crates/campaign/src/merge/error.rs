//! Reasons why stores are not merged.

use std::path::PathBuf;

use pacesim_store::database::StoreError;
use pacesim_sweep::error::SweepError;

/// The reason why stores are not merged.
#[derive(Debug, thiserror::Error)]
pub enum MergeError {
    /// No stores were given.
    #[error(
        "there is nothing to merge: name the folders that `pacesim sweep --shard` filled, \
         such as results/NAME.shards/*-of-200"
    )]
    Nothing,
    /// The target is one of the stores.
    #[error(
        "{} is to be merged into itself: choose another folder with --into", .0.display()
    )]
    IntoItself(PathBuf),
    /// No store has been swept.
    #[error("nothing was swept yet in {0}: make the shards first, with `pacesim sweep --shard`")]
    AllBlank(String),
    /// A store does not record its plan.
    #[error(
        "{} does not record its plan, because an older pacesim wrote it: sweep it again with \
         this one, which makes no run again", .0.display()
    )]
    NoPlan(PathBuf),
    /// A store has another plan than the first one.
    #[error(
        "{} is not of the same plan as {}: it has {difference}; leave it out, or sweep it again", .folder.display(), .first.display()
    )]
    OtherPlan {
        /// The store that differs.
        folder: PathBuf,
        /// The first one.
        first: PathBuf,
        /// The difference.
        difference: String,
    },
    /// All stores have another plan than requested.
    #[error(
        "the stores are of the plan {found}, and {asked} is asked for: the study, an option or \
         pacesim has changed since; merge without --plan, or sweep the shards again"
    )]
    NotAsked {
        /// The plan of the stores.
        found: String,
        /// The plan given by the option.
        asked: String,
    },
    /// A store has runs of another version of pacesim.
    #[error(
        "{} has runs of pacesim {version}, and this is {}: merge with the pacesim that made them, \
         or sweep them again into another folder", .path.display(), pacesim_runs::VERSION
    )]
    OtherVersion {
        /// The store.
        path: PathBuf,
        /// Version of the store.
        version: String,
    },
    /// Two stores have different scenarios for a point.
    #[error(
        "point {point} has another scenario in {} than in {}: a file that the study names was \
         changed between them; sweep the older one again", .folder.display(), .other.display()
    )]
    OtherPoint {
        /// The point.
        point: u64,
        /// The store.
        folder: PathBuf,
        /// An earlier one.
        other: PathBuf,
    },
    /// A store belongs to a search.
    #[error(
        "{} is of a search (`pacesim tune`), which decides from run to run what comes next: it \
         cannot be merged", .0.display()
    )]
    Search(PathBuf),
    /// The work was stopped.
    #[error("interrupted: the same command resumes")]
    Interrupted,
    /// A store cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The tables cannot be made.
    #[error(transparent)]
    Sweep(#[from] SweepError),
}

impl MergeError {
    /// True if other folders or another program would help.
    pub fn is_usage(&self) -> bool {
        match self {
            MergeError::Interrupted => false,
            MergeError::Store(error) => error.is_usage(),
            MergeError::Sweep(error) => error.is_usage(),
            _ => true,
        }
    }

    /// True if the work was stopped on request.
    pub fn is_interrupted(&self) -> bool {
        match self {
            MergeError::Interrupted => true,
            MergeError::Sweep(error) => error.is_interrupted(),
            _ => false,
        }
    }
}
