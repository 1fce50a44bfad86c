//! Exceptions of `pacesim._errors`, with the program's messages.

use std::fmt::Display;

use pacesim_front::problems::{Look, render};
use pacesim_lab::input::Rejected;
use pacesim_lab::study::SweepError;
use pacesim_lab::{Problem, RunError};
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;

/// Columns of a report, as in the program without a terminal.
const WIDTH: usize = 100;

/// An exception of pacesim by the name of its class.
fn exception<'py>(py: Python<'py>, class: &str, args: impl pyo3::call::PyCallArgs<'py>) -> PyErr {
    let class = py
        .import("pacesim._errors")
        .and_then(|module| module.getattr(class));
    match class.and_then(|class| class.call1(args)) {
        Ok(value) => PyErr::from_value(value),
        Err(error) => error,
    }
}

/// Mistakes in a scenario or a study.
pub(crate) fn rejected(rejected: &Rejected) -> PyErr {
    Python::attach(|py| {
        let text = render(rejected, Look::Plain, WIDTH);
        let problem = |problem: &Problem| exception_problem(py, problem).map(Bound::unbind);
        let problems: PyResult<Vec<_>> = rejected.problems.iter().map(problem).collect();
        match problems {
            Ok(problems) => exception(py, "ScenarioError", (text.trim_end(), problems)),
            Err(error) => error,
        }
    })
}

fn exception_problem<'py>(py: Python<'py>, problem: &Problem) -> PyResult<Bound<'py, PyAny>> {
    let class = py.import("pacesim._errors")?.getattr("Problem")?;
    class.call1((
        &problem.file,
        problem.line,
        problem.column,
        &problem.path,
        &problem.message,
        &problem.help,
    ))
}

/// A mistake in a call's arguments.
pub(crate) fn usage(message: impl Display) -> PyErr {
    Python::attach(|py| exception(py, "UsageError", (message.to_string(),)))
}

/// An unknown name, with the existing ones.
pub(crate) fn absent(message: impl Display) -> PyErr {
    Python::attach(|py| exception(py, "AbsentError", (message.to_string(),)))
}

/// Work that failed.
pub(crate) fn failed(message: impl Display) -> PyErr {
    Python::attach(|py| exception(py, "RunError", (message.to_string(),)))
}

/// The exception for a run without results.
pub(crate) fn of_run(error: &RunError) -> PyErr {
    match error {
        RunError::Interrupted => PyKeyboardInterrupt::new_err(error.to_string()),
        RunError::Build(_) => usage(error),
        RunError::Folder(error) if error.is_usage() => usage(in_python(error)),
        _ => failed(in_python(error)),
    }
}

/// The exception for a study without tables.
pub(crate) fn of_sweep(error: &SweepError) -> PyErr {
    match error {
        error if error.is_interrupted() => PyKeyboardInterrupt::new_err(error.to_string()),
        error if error.is_usage() => usage(in_python(error)),
        _ => failed(in_python(error)),
    }
}

/// The program's message, with its options as Python's arguments.
pub(crate) fn in_python(message: &impl Display) -> String {
    const ARGUMENTS: [(&str, &str); 4] = [
        ("with --out", "by out=..."),
        ("--force", "force=True"),
        ("--scale", "scale="),
        ("--list has all", "experiments() has all"),
    ];
    let replace = |text: String, (option, argument): (&str, &str)| text.replace(option, argument);
    ARGUMENTS.into_iter().fold(message.to_string(), replace)
}
