//! The reasons for which a sweep or a search has no tables.

use std::io;
use std::path::PathBuf;

use pacesim::scenario::Problem;
use pacesim_runs::error::RunError;
use pacesim_tables::TableError;

use crate::store::StoreError;
use crate::sweep::Sweep;

/// Why there are no tables.
#[derive(Debug, thiserror::Error)]
pub enum SweepError {
    /// A point is no scenario that can be run.
    #[error("{} of the study's points", counted(.0.len()))]
    Problems(Vec<Problem>),
    /// More runs than a study may take.
    #[error(
        "{runs} runs are more than the {most} that a study may take; ask for fewer replications or points"
    )]
    TooMany {
        /// The number of runs that it would take.
        runs: u64,
        /// The most that it may take.
        most: u64,
    },
    /// Several runs where one is cut into windows.
    #[error(
        "batches cuts one long run into {batches} windows, and {asked} asked for; leave one of the two out"
    )]
    Batches {
        /// The number of windows.
        batches: u64,
        /// The option that takes several runs.
        asked: String,
    },
    /// A precision of nothing.
    #[error(
        "no number is to be precise: the study has neither figures nor claims, and no list sweep.precise"
    )]
    NothingPrecise,
    /// A file cannot be read, or a file of ours not be written.
    #[error("{path}: {source}")]
    File {
        /// The file.
        path: PathBuf,
        /// The error of the file system.
        source: io::Error,
    },
    /// The store cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A run failed; those that were finished are in the store.
    #[error("point {point}, replication {replication}: {source}")]
    Run {
        /// The point's number.
        point: u64,
        /// The replication.
        replication: u64,
        /// Why it failed.
        source: RunError,
    },
    /// The monitor wanted an end before there was anything to keep.
    #[error("interrupted before the first run")]
    Stopped,
    /// The monitor wanted an end.
    #[error("interrupted: {kept} of {all} runs are kept in {}; the same command goes on from there", .out.display())]
    Interrupted {
        /// The number of runs in the store.
        kept: u64,
        /// The number of runs that the study takes.
        all: u64,
        /// The folder of the store.
        out: PathBuf,
    },
    /// The monitor wanted an end of a search.
    #[error("interrupted: the {made} runs that were made are kept in {}; the same command goes on from there", .out.display())]
    SearchInterrupted {
        /// The number of runs that were made.
        made: u64,
        /// The folder of the store.
        out: PathBuf,
    },
    /// A table cannot be written; all runs are in the store.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The text of the study in its store cannot be read any more.
    #[error("the text of the study in {}: {problem}", .folder.display())]
    Text {
        /// The folder of the store.
        folder: PathBuf,
        /// The first problem.
        problem: String,
    },
    /// The study, its options or the program are not those that were asked for.
    #[error(
        "this is the plan {ours}, and {theirs} is asked for: the study, an option or pacesim has \
         changed since; put it back as it was, or begin anew, without --plan and in another folder"
    )]
    OtherPlan {
        /// The plan that was asked for.
        theirs: String,
        /// That of the study as it is.
        ours: String,
    },
    /// Shards that would have nothing to do.
    #[error(
        "{shards} shards are more than the study has parts that can be run apart: ask for {pieces} at most \
         (runs; points, if their warm-ups are to be found; groups of points that are compared, if they \
         are repeated until they are precise)"
    )]
    TooManyShards {
        /// The number that is asked for.
        shards: u64,
        /// The most that it can have.
        pieces: u64,
    },
    /// There is nothing to draw.
    #[error("there are no runs of this study in {}; make them with `pacesim sweep` (or `tune`, if it searches)", .0.display())]
    NoRuns(PathBuf),
}

impl SweepError {
    /// The end that somebody wanted, with so many of all runs in the store.
    pub(crate) fn interrupted(sweep: &Sweep<'_>, kept: u64, all: u64) -> SweepError {
        SweepError::Interrupted {
            kept,
            all,
            out: sweep.out.to_path_buf(),
        }
    }

    /// True if the study or the command line must change.
    pub fn is_usage(&self) -> bool {
        match self {
            SweepError::Problems(_)
            | SweepError::NoRuns(_)
            | SweepError::Text { .. }
            | SweepError::OtherPlan { .. }
            | SweepError::TooManyShards { .. }
            | SweepError::TooMany { .. }
            | SweepError::Batches { .. }
            | SweepError::NothingPrecise => true,
            SweepError::Store(error) => error.is_usage(),
            SweepError::Run { source, .. } => matches!(source, RunError::Build(_)),
            _ => false,
        }
    }

    /// True if somebody wanted an end.
    pub fn is_interrupted(&self) -> bool {
        matches!(
            self,
            SweepError::Stopped
                | SweepError::Interrupted { .. }
                | SweepError::SearchInterrupted { .. }
        )
    }
}

fn counted(problems: usize) -> String {
    match problems {
        1 => "a problem".to_owned(),
        n => format!("{n} problems"),
    }
}
