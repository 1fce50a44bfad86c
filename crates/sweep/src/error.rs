//! Reasons for a sweep or a search without tables.

use std::io;
use std::path::PathBuf;

use pacesim::scenario::Problem;
use pacesim_runs::error::RunError;
use pacesim_runs::folder::OpenError;
use pacesim_store::database::StoreError;
use pacesim_store::sweep::Sweep;
use pacesim_tables::TableError;
use pacesim_tables::place::{explained, is_misplaced};

/// The reason why a sweep has no tables.
#[derive(Debug, thiserror::Error)]
pub enum SweepError {
    /// A point is not a valid scenario.
    #[error("{} of the study's points", counted(.0.len()))]
    Problems(Vec<Problem>),
    /// More runs than a study may have.
    #[error(
        "{runs} runs are more than the {most} that a study may take; ask for fewer replications or points"
    )]
    TooMany {
        /// Number of runs required.
        runs: u64,
        /// Largest number of runs allowed.
        most: u64,
    },
    /// Several runs together with one that is cut into windows.
    #[error(
        "batches cuts one long run into {batches} windows, and {asked} asked for; leave one of the two out"
    )]
    Batches {
        /// Number of windows.
        batches: u64,
        /// Option that asks for several runs.
        asked: String,
    },
    /// A target precision without numbers that it applies to.
    #[error(
        "there is no number to make precise: the study has neither figures nor claims, and no list sweep.precise"
    )]
    NothingPrecise,
    /// An input file cannot be read, or an output file cannot be written.
    #[error("{}", explained(path, source))]
    File {
        /// Path of the file.
        path: PathBuf,
        /// Error of the file system.
        source: io::Error,
    },
    /// The store cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A run failed; the finished ones are in the store.
    #[error("point {point}, replication {replication}: {source}")]
    Run {
        /// Number of the point.
        point: u64,
        /// Number of the replication.
        replication: u64,
        /// Reason why the run has no results.
        source: RunError,
    },
    /// The work was stopped before there was anything to keep.
    #[error("interrupted before the first run")]
    Stopped,
    /// The work was stopped.
    #[error("interrupted: {kept} of {all} runs are kept in {}; the same command resumes", .out.display())]
    Interrupted {
        /// Number of runs in the store.
        kept: u64,
        /// Number of runs in the whole study.
        all: u64,
        /// Folder of the store.
        out: PathBuf,
    },
    /// A search was stopped.
    #[error("interrupted: the {made} runs that were made are kept in {}; the same command resumes", .out.display())]
    SearchInterrupted {
        /// Number of runs made.
        made: u64,
        /// Folder of the store.
        out: PathBuf,
    },
    /// A table cannot be written; all runs are in the store.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The stored text of the study can no longer be read.
    #[error("the text of the study in {}: {problem}", .folder.display())]
    Text {
        /// Folder of the store.
        folder: PathBuf,
        /// First problem that was found.
        problem: String,
    },
    /// The study, its options or the program differ from the expected ones.
    #[error(
        "this is the plan {ours}, and {theirs} is asked for: the study, an option or pacesim has \
         changed since; put it back as it was, or begin anew, without --plan and in another folder"
    )]
    OtherPlan {
        /// Plan that was expected.
        theirs: String,
        /// Plan of the study as it is.
        ours: String,
    },
    /// There would be shards without work.
    #[error(
        "{shards} shards are more than the study has parts that can be run apart: ask for {pieces} at most \
         (runs; points, if their warm-ups are to be found; groups of points that are compared, if they \
         are repeated until they are precise)"
    )]
    TooManyShards {
        /// Number of shards requested.
        shards: u64,
        /// Largest number of shards possible.
        pieces: u64,
    },
    /// A recording was damaged, and no other folder has it.
    #[error(transparent)]
    Recording(#[from] OpenError),
    /// There is nothing to draw.
    #[error("there are no runs of this study in {}; make them with `pacesim sweep` (or `tune`, if it searches)", .0.display())]
    NoRuns(PathBuf),
}

impl SweepError {
    /// The error for stopped work, with this many of all runs in the store.
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
            SweepError::Recording(error) => error.is_usage(),
            SweepError::File { source, .. } => is_misplaced(source),
            SweepError::Run { source, .. } => matches!(source, RunError::Build(_)),
            _ => false,
        }
    }

    /// True if the work was stopped on request.
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
