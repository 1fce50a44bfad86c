//! How the program ends: the only place that knows exit codes.

use std::process::ExitCode;

/// What came of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// What was asked is done.
    Done,
    /// The run, or writing its results, failed.
    Failed,
    /// What was compared is not the same.
    Differs,
    /// The scenario or the command line is wrong; nothing was done.
    Invalid,
    /// pacesim cannot do this yet.
    NotYet,
    /// The user stopped it; nothing was written.
    Interrupted,
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> ExitCode {
        ExitCode::from(match outcome {
            Outcome::Done => 0,
            Outcome::Failed | Outcome::Differs => 1,
            Outcome::Invalid => 2,
            Outcome::NotYet => 3,
            Outcome::Interrupted => 130,
        })
    }
}
