//! The reasons for which an engine has not got a study, or nothing is known of it.

use std::fmt::Display;

use pacesim_sweep::error::SweepError;
use pacesim_sweep::store::StoreError;

use crate::campaign::SubmissionError;

/// Why an engine has not got a study, or nothing is known of it.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// The study cannot be swept.
    #[error(transparent)]
    Sweep(#[from] SweepError),
    /// Another command line or another machine would mend it.
    #[error("{0}")]
    Invalid(String),
    /// It went wrong on the way.
    #[error("{0}")]
    Failed(String),
}

impl EngineError {
    /// Something that another command line or another machine would mend.
    pub fn invalid(text: impl Display) -> EngineError {
        EngineError::Invalid(text.to_string())
    }

    /// Something that went wrong on the way.
    pub fn failed(text: impl Display) -> EngineError {
        EngineError::Failed(text.to_string())
    }
}

impl From<StoreError> for EngineError {
    fn from(error: StoreError) -> EngineError {
        EngineError::Sweep(error.into())
    }
}

impl From<SubmissionError> for EngineError {
    fn from(error: SubmissionError) -> EngineError {
        match error.is_usage() {
            true => EngineError::invalid(error),
            false => EngineError::failed(error),
        }
    }
}
