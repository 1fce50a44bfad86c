//! Mistakes in expressions.

use std::ops::Range;

/// A mistake in an expression, or the reason why it has no value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}; {help}")]
pub struct Problem {
    /// Range of bytes in the expression's text.
    pub at: Range<usize>,
    /// Description of the mistake.
    pub message: String,
    /// Advice on how to correct it.
    pub help: String,
}

impl Problem {
    /// A mistake at this place.
    pub fn new(at: Range<usize>, message: impl Into<String>, help: impl Into<String>) -> Problem {
        Problem {
            at,
            message: message.into(),
            help: help.into(),
        }
    }
}
