//! Violations of laws that parts of a network keep in time.

use std::fmt;

use crate::Time;

/// A law that was broken, with the evidence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// Name of the broken law.
    pub law: &'static str,
    /// Time at which the law was broken.
    pub at: Time,
    /// Description of the breach.
    pub what: String,
}

impl Violation {
    /// The violation of a law that does not hold at this time; `what` describes it.
    pub fn unless(
        holds: bool,
        law: &'static str,
        at: Time,
        what: impl FnOnce() -> String,
    ) -> Result<(), Violation> {
        if holds {
            return Ok(());
        }
        let what = what();
        Err(Violation { law, at, what })
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Violation { law, at, what } = self;
        write!(f, "the law of {law} is broken at {at}: {what}")
    }
}

impl std::error::Error for Violation {}
