//! Reasons why a study could not be submitted to an engine, or its state is unknown.

use std::fmt::Display;

use pacesim_store::database::StoreError;
use pacesim_sweep::error::SweepError;

use crate::campaign::SubmissionError;

/// The reason why a study could not be submitted, or its state is unknown.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// The study cannot be swept.
    #[error(transparent)]
    Sweep(#[from] SweepError),
    /// An error that another command line or another machine would avoid.
    #[error("{0}")]
    Invalid(String),
    /// A step failed.
    #[error("{0}")]
    Failed(String),
}

impl EngineError {
    /// An error that another command line or another machine would avoid.
    pub fn invalid(text: impl Display) -> EngineError {
        EngineError::Invalid(text.to_string())
    }

    /// An error of a step that failed.
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
        if error.is_usage() {
            EngineError::invalid(error)
        } else {
            EngineError::failed(error)
        }
    }
}
