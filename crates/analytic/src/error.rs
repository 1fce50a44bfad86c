//! Errors of a user: the violated condition, and the admissible values.

use std::fmt;

/// The reason why a model cannot be solved.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SolveError {
    /// A value outside its own range.
    #[error("{name} = {value} is not admissible: {name} must be {range}")]
    OutOfRange {
        /// The parameter.
        name: String,
        /// Its value.
        value: f64,
        /// The range it must lie in.
        range: Range,
    },
    /// Values that are valid alone but not together.
    #[error("the condition \"{condition}\" is broken: {found}; admissible: {admissible}")]
    Broken {
        /// The condition.
        condition: &'static str,
        /// The values found.
        found: String,
        /// The accepted values.
        admissible: String,
    },
    /// A string that is not the kind of value the parameter takes.
    #[error("{name} = \"{text}\" cannot be read: {expected}")]
    BadText {
        /// The parameter.
        name: String,
        /// The given string.
        text: String,
        /// The accepted strings.
        expected: String,
    },
    /// No model of that name.
    #[error("there is no model \"{name}\"{}", did_you_mean(nearest))]
    UnknownModel {
        /// The given name.
        name: String,
        /// The nearest existing name.
        nearest: Option<&'static str>,
    },
    /// The model has no parameter of that name.
    #[error("model {model} has no parameter \"{name}\"{}", did_you_mean(nearest))]
    UnknownParameter {
        /// The model.
        model: &'static str,
        /// The given name.
        name: String,
        /// The nearest existing name.
        nearest: Option<&'static str>,
    },
    /// A chain in which some state cannot get back to the lower ones.
    #[error("state {state} has no way down, so there is no single stationary distribution")]
    Reducible {
        /// The state.
        state: usize,
    },
}

fn did_you_mean(nearest: &Option<&'static str>) -> String {
    nearest.map_or_else(String::new, |n| format!("; did you mean \"{n}\"?"))
}

/// An interval of finite numbers, for checks and for messages.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// Lower end.
    pub low: f64,
    /// Upper end; infinite without one.
    pub high: f64,
    /// True if `low` itself is admissible.
    pub(crate) low_in: bool,
    /// True if `high` itself is admissible.
    pub(crate) high_in: bool,
}

impl Range {
    /// Any finite number; also for a parameter that is not a number.
    pub const ANY: Range = Range::open(f64::NEG_INFINITY, f64::INFINITY);
    /// Above zero, without an upper end.
    pub(crate) const POSITIVE: Range = Range::open(0.0, f64::INFINITY);
    /// Zero or above.
    pub(crate) const NON_NEGATIVE: Range = Range::at_least(0.0);
    /// A proportion strictly between 0 and 1.
    pub(crate) const PROPER_SHARE: Range = Range::open(0.0, 1.0);
    /// A proportion above 0, up to 1.
    pub(crate) const POSITIVE_SHARE: Range = Range {
        high_in: true,
        ..Range::PROPER_SHARE
    };

    /// The numbers between the ends, both excluded.
    pub const fn open(low: f64, high: f64) -> Range {
        Range {
            low,
            high,
            low_in: false,
            high_in: false,
        }
    }

    /// The numbers between the ends, both included.
    pub const fn closed(low: f64, high: f64) -> Range {
        Range {
            low,
            high,
            low_in: true,
            high_in: true,
        }
    }

    /// `low` or more.
    pub const fn at_least(low: f64) -> Range {
        Range {
            low,
            high: f64::INFINITY,
            low_in: true,
            high_in: false,
        }
    }

    /// True if a finite number lies inside; never for NaN or an infinity.
    pub fn contains(self, x: f64) -> bool {
        let above = x > self.low || (self.low_in && x == self.low);
        let below = x < self.high || (self.high_in && x == self.high);
        x.is_finite() && above && below
    }

    /// The value itself if it lies inside, otherwise the error that states the range.
    pub fn check(self, name: &str, value: f64) -> Result<f64, SolveError> {
        if self.contains(value) {
            return Ok(value);
        }
        Err(SolveError::OutOfRange {
            name: name.to_owned(),
            value,
            range: self,
        })
    }
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Range { low, high, .. } = *self;
        let above = if self.low_in { "at least" } else { "above" };
        let below = if self.high_in { "at most" } else { "below" };
        match (low.is_finite(), high.is_finite()) {
            (true, true) => write!(f, "{above} {low} and {below} {high}"),
            (true, false) => write!(f, "{above} {low}"),
            (false, true) => write!(f, "{below} {high}"),
            (false, false) => write!(f, "a finite number"),
        }
    }
}

/// `Ok` if the condition holds; otherwise the error that states it.
pub(crate) fn require(
    holds: bool,
    condition: &'static str,
    found: impl FnOnce() -> String,
    admissible: impl FnOnce() -> String,
) -> Result<(), SolveError> {
    if holds {
        return Ok(());
    }
    Err(SolveError::Broken {
        condition,
        found: found(),
        admissible: admissible(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_tells_its_ends_and_refuses_what_is_not_finite() {
        let load = Range::PROPER_SHARE;
        assert!(
            load.contains(0.5) && !load.contains(0.0) && !load.contains(1.0),
            "{load:?}"
        );
        assert!(!load.contains(f64::NAN) && !Range::POSITIVE.contains(f64::INFINITY));
        let error = load.check("load", 1.2).unwrap_err().to_string();
        assert_eq!(
            error,
            "load = 1.2 is not admissible: load must be above 0 and below 1"
        );
        assert_eq!(Range::at_least(1.0).to_string(), "at least 1");
    }
}
