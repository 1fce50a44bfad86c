//! Errors of the parameters of distributions.

use std::error::Error;
use std::fmt;

/// A parameter for which the distribution does not exist.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum ParameterError {
    /// The parameter is infinite, or not a number.
    NotFinite {
        /// Name of the parameter.
        parameter: &'static str,
        /// Value that was given.
        value: f64,
    },
    /// The parameter is zero or less where a positive value is required.
    NotPositive {
        /// Name of the parameter.
        parameter: &'static str,
        /// Value that was given.
        value: f64,
    },
    /// The parameter is less than zero.
    Negative {
        /// Name of the parameter.
        parameter: &'static str,
        /// Value that was given.
        value: f64,
    },
    /// A Pareto with a mean that its shape does not allow.
    NoMean {
        /// Shape that was given.
        shape: f64,
    },
    /// A mean of less than one trial.
    MeanBelowOne {
        /// Mean that was given.
        mean: f64,
    },
    /// An interval whose ends are in the wrong order, or too far apart.
    BadInterval {
        /// Lower end that was given.
        low: f64,
        /// Upper end that was given.
        high: f64,
    },
    /// Points of a distribution that fall, or do not end at a probability of one.
    NoCurve,
    /// Parameters that are each valid, with a distribution that overflows or underflows a double.
    TooLarge {
        /// The quantity that would be infinite or zero.
        parameter: &'static str,
    },
}

impl fmt::Display for ParameterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use ParameterError::*;
        match *self {
            NotFinite { parameter, value } => {
                write!(f, "{parameter} must be a finite number, not {value}")
            }
            NotPositive { parameter, value } => {
                write!(f, "{parameter} must be above zero, not {value}")
            }
            Negative { parameter, value } => {
                write!(f, "{parameter} must not be negative, but is {value}")
            }
            NoMean { shape } => write!(
                f,
                "a Pareto of shape {shape} has no finite mean: shape must be above 1"
            ),
            MeanBelowOne { mean } => write!(
                f,
                "a geometric count starts at 1, so its mean must be at least 1, not {mean}"
            ),
            BadInterval { low, high } => {
                write!(f, "no number can be drawn between {low} and {high}")
            }
            NoCurve => f.write_str("the points must rise to a probability of 1"),
            TooLarge { parameter } => {
                write!(f, "these parameters put {parameter} beyond floating point")
            }
        }
    }
}

impl Error for ParameterError {}

pub(super) fn finite(parameter: &'static str, value: f64) -> Result<f64, ParameterError> {
    if value.is_finite() {
        Ok(value)
    } else {
        Err(ParameterError::NotFinite { parameter, value })
    }
}

pub(super) fn positive(parameter: &'static str, value: f64) -> Result<f64, ParameterError> {
    if finite(parameter, value)? > 0.0 {
        Ok(value)
    } else {
        Err(ParameterError::NotPositive { parameter, value })
    }
}

pub(super) fn not_negative(parameter: &'static str, value: f64) -> Result<f64, ParameterError> {
    if finite(parameter, value)? >= 0.0 {
        Ok(value)
    } else {
        Err(ParameterError::Negative { parameter, value })
    }
}

/// Checks that a number derived from valid parameters is positive and finite.
pub(super) fn in_range(parameter: &'static str, value: f64) -> Result<f64, ParameterError> {
    if value.is_finite() && value > 0.0 {
        Ok(value)
    } else {
        Err(ParameterError::TooLarge { parameter })
    }
}
