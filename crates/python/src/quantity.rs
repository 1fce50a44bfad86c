//! Times, rates and probabilities from Python's numbers and strings.

use pacesim::model::Loss;
use pacesim::units::{Rate, Reason, Span, Time};
use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;

use crate::fault::usage;

/// Seconds as a number, or a string with a unit.
pub(crate) fn span_of(value: &Bound<'_, PyAny>) -> PyResult<Span> {
    const PS_PER_S: f64 = 1e12;
    if let Ok(text) = value.extract::<String>() {
        return text.parse::<Span>().map_err(usage);
    }
    let seconds: f64 = value.extract().map_err(|_| no_time(value))?;
    let ps = (seconds * PS_PER_S).round();
    if (0.0..u64::MAX as f64).contains(&ps) {
        Ok(Span::from_ps(ps as u64))
    } else {
        Err(no_time(value))
    }
}

/// A value as Python writes it.
pub(crate) fn shown(value: &Bound<'_, PyAny>) -> String {
    let repr = value.repr();
    repr.map_or_else(|_| "this".to_owned(), |repr| repr.to_string())
}

fn no_time(value: &Bound<'_, PyAny>) -> PyErr {
    let value = shown(value);
    usage(format!(
        "{value} is not a time; give seconds from 0 on, or a string such as \"1.5s\""
    ))
}

/// A time of the run.
pub(crate) fn time_of(value: &Bound<'_, PyAny>) -> PyResult<Time> {
    span_of(value).map(|span| Time::ZERO.saturating_add(span))
}

/// A whole number from 0 on, as the argument of this name.
pub(crate) fn whole(name: &str, value: &Bound<'_, PyAny>) -> PyResult<u64> {
    let remedy = "give a whole number from 0 on, below 2^64";
    value.extract::<u64>().map_err(|error| {
        let shown = shown(value);
        let message = format!("{name} is {shown}; {remedy}");
        if error.is_instance_of::<PyOverflowError>(value.py()) {
            usage(message)
        } else {
            PyTypeError::new_err(message)
        }
    })
}

/// A whole number from 0 on, for an optional argument.
pub(crate) fn whole_if_given(
    name: &str,
    value: Option<&Bound<'_, PyAny>>,
) -> PyResult<Option<u64>> {
    value.map(|value| whole(name, value)).transpose()
}

/// A number of replications, from 1 on.
pub(crate) fn replications_of(value: Option<&Bound<'_, PyAny>>) -> PyResult<Option<u64>> {
    match whole_if_given("replications", value)? {
        Some(0) => Err(usage("replications is 0; give at least 1")),
        count => Ok(count),
    }
}

/// Bit/s as a whole number, or a string with a unit.
pub(crate) fn rate_of(value: &Bound<'_, PyAny>) -> PyResult<Rate> {
    let text = match value.extract::<String>() {
        Ok(text) => text,
        Err(_) => match value.extract::<f64>() {
            Ok(bps) if bps.fract() == 0.0 && (0.0..1e18).contains(&bps) => format!("{bps}bps"),
            _ => {
                return Err(usage(
                    "give a rate as whole bit/s from 1 on, or text like \"10Mbps\"",
                ));
            }
        },
    };
    text.parse::<Rate>().map_err(|error| match error.reason() {
        Reason::Zero => usage("a rate of 0 sends nothing; up=False takes a link down"),
        _ => usage(error),
    })
}

pub(crate) fn loss_of(probability: f64) -> PyResult<Option<Loss>> {
    match probability {
        0.0 => Ok(None),
        p if (0.0..=1.0).contains(&p) => Ok(Some(Loss::Bernoulli { probability })),
        p => Err(usage(format!(
            "a loss of {p} is not a probability; give 0 to 1"
        ))),
    }
}
