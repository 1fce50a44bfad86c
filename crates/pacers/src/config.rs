//! Problems of a configuration, with their remedies.

use std::fmt;

use pacesim_units::{Bytes, Capacity, Span};
use thiserror::Error;

/// The longest delay that is not considered an error of the unit.
pub(crate) const LONGEST_DELAY: Span = Span::from_secs(3600);

/// One problem of a configuration.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{field}: {broken}; {remedy}")]
pub struct ConfigProblem {
    /// Name of the field with the problem.
    pub field: &'static str,
    /// The condition that does not hold, with its source and the values.
    pub broken: String,
    /// Advice on how to remove the problem.
    pub remedy: String,
}

/// All problems of a configuration.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub struct InvalidConfig(pub Vec<ConfigProblem>);

impl fmt::Display for InvalidConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let texts: Vec<String> = self.0.iter().map(ToString::to_string).collect();
        f.write_str(&texts.join("\n"))
    }
}

/// A list of problems under construction.
#[derive(Default)]
pub(crate) struct Problems(Vec<ConfigProblem>);

impl Problems {
    /// Notes a problem unless the condition holds.
    pub(crate) fn require(
        &mut self,
        holds: bool,
        field: &'static str,
        broken: impl FnOnce() -> String,
        remedy: &str,
    ) {
        if !holds {
            self.0.push(ConfigProblem {
                field,
                broken: broken(),
                remedy: remedy.to_owned(),
            });
        }
    }

    /// Requires a plausible delay bound: at most an hour.
    pub(crate) fn require_sane_delay(&mut self, delay: Span, field: &'static str) {
        self.require(
            delay <= LONGEST_DELAY,
            field,
            || format!("a delay of {delay} is beyond an hour"),
            "check its unit: pacing delays are usually below 100ms",
        );
    }

    /// Requires a buffer that holds at least a byte.
    pub(crate) fn require_room(&mut self, capacity: Capacity, field: &'static str) {
        self.require(
            !holds_nothing(capacity),
            field,
            || format!("a buffer of {capacity} takes no packet"),
            "give it room for a packet, or \"unlimited\"",
        );
    }

    pub(crate) fn into_list(self) -> Vec<ConfigProblem> {
        self.0
    }
}

/// Passes a configuration in which `validate` finds no problem.
pub(crate) fn all_valid(problems: Vec<ConfigProblem>) -> Result<(), InvalidConfig> {
    if problems.is_empty() {
        Ok(())
    } else {
        Err(InvalidConfig(problems))
    }
}

/// True if a buffer of this capacity has no room for even one byte.
pub(crate) fn holds_nothing(capacity: Capacity) -> bool {
    matches!(
        capacity,
        Capacity::Packets(0) | Capacity::Bytes(Bytes::ZERO)
    )
}
