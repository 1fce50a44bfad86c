//! Outcomes of the program and their exit codes, which are used nowhere else.

use std::process::ExitCode;

/// The outcome of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// The request was carried out.
    Done,
    /// The run, or writing its results, failed.
    Failed,
    /// The compared results differ.
    Differs,
    /// The scenario or the command line is wrong; nothing was done.
    Invalid,
    /// The user stopped it; nothing was written.
    Interrupted,
}

impl Outcome {
    pub(crate) fn code(self) -> u8 {
        match self {
            Outcome::Done => 0,
            Outcome::Failed | Outcome::Differs => 1,
            Outcome::Invalid => 2,
            Outcome::Interrupted => 130,
        }
    }
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> ExitCode {
        ExitCode::from(outcome.code())
    }
}
