//! The record of a submission to an engine, kept with the stores of the shards, so that repeating
//! the command finds it.

use std::path::{Path, PathBuf};
use std::{fs, io};

use pacesim_runs::summary::to_json;
use pacesim_store::identity::Identity;
use pacesim_store::sweep::Sweep;
use pacesim_tables::partial::write_complete;
use serde::{Deserialize, Serialize};

/// The file in the folder of the shards.
const FILE: &str = "submission.json";

/// The record of a submission to an engine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Submission {
    /// The engine.
    pub engine: String,
    /// The number of shards that the study is divided into; recorded only here.
    pub shards: u64,
    /// The plan of the study.
    pub plan: Identity,
    /// The resulting jobs, latest last.
    pub jobs: Vec<Job>,
}

/// A job of an engine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Job {
    /// The engine's id of the job.
    pub id: String,
    /// The shards that it makes; empty for the merge.
    pub shards: Vec<u64>,
}

/// The reason for not submitting.
#[derive(Debug, thiserror::Error)]
pub enum SubmissionError {
    /// The plan differs from that of the previous submission.
    #[error(
        "the study has changed since it was submitted: it has {difference}. Put it back as it was, or \
         choose another folder with --out, or delete {} to begin anew", .folder.display()
    )]
    Changed {
        /// The difference.
        difference: String,
        /// The folder of the shards.
        folder: PathBuf,
    },
    /// The number of shards differs from that of the previous submission.
    #[error(
        "the study was submitted in {theirs} shards, not {ours}: leave --shards out, or choose another \
         folder with --out"
    )]
    OtherNumber {
        /// The number submitted before.
        theirs: u64,
        /// The number requested now.
        ours: u64,
    },
    /// The engine differs from that of the previous submission.
    #[error(
        "the study was given to {theirs}, not to {ours}: choose another folder with --out, or merge \
         what is there and sweep the rest"
    )]
    OtherEngine {
        /// The previous engine.
        theirs: String,
        /// The requested engine.
        ours: String,
    },
    /// The number of shards is unknown.
    #[error("into how many shards? Say it with --shards N")]
    NoNumber,
    /// The record cannot be read or written.
    #[error("{}: {source}", .path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The error of the file system, or the mistake in the record.
        source: io::Error,
    },
}

impl SubmissionError {
    /// True if the command line must change.
    pub fn is_usage(&self) -> bool {
        !matches!(self, SubmissionError::File { .. })
    }
}

impl Submission {
    /// The previous submission from this folder, if any.
    pub fn read(folder: &Path) -> Result<Option<Submission>, SubmissionError> {
        let path = folder.join(FILE);
        let text = match fs::read_to_string(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            text => text,
        };
        let read = text.and_then(|text| serde_json::from_str(&text).map_err(io::Error::from));
        match read {
            Ok(submission) => Ok(Some(submission)),
            Err(source) => Err(SubmissionError::File { path, source }),
        }
    }

    /// The previous submission if the sweep is unchanged, otherwise a first one. Writes nothing.
    pub fn again_or_first(
        folder: &Path,
        engine: &str,
        sweep: &Sweep<'_>,
        shards: Option<u64>,
    ) -> Result<Submission, SubmissionError> {
        let Some(before) = Submission::read(folder)? else {
            return Ok(Submission {
                engine: engine.to_owned(),
                shards: shards.ok_or(SubmissionError::NoNumber)?,
                plan: Identity::of(sweep),
                jobs: Vec::new(),
            });
        };
        before.refuse_changes(folder, sweep)?;
        if before.engine != engine {
            return Err(SubmissionError::OtherEngine {
                theirs: before.engine,
                ours: engine.to_owned(),
            });
        }
        match shards {
            Some(ours) if ours != before.shards => Err(SubmissionError::OtherNumber {
                theirs: before.shards,
                ours,
            }),
            _ => Ok(before),
        }
    }

    /// Refuses a sweep of another plan.
    pub fn refuse_changes(&self, folder: &Path, sweep: &Sweep<'_>) -> Result<(), SubmissionError> {
        match self.plan.difference(&Identity::of(sweep)) {
            None => Ok(()),
            Some(difference) => Err(SubmissionError::Changed {
                difference,
                folder: folder.to_path_buf(),
            }),
        }
    }

    /// Writes the record.
    pub fn keep(&self, folder: &Path) -> Result<(), SubmissionError> {
        let path = folder.join(FILE);
        let kept = write_complete(&path, to_json(self).as_bytes());
        kept.map_err(|source| SubmissionError::File { path, source })
    }
}
