//! The program, which the wheel's console script runs in Python's process.

use std::ffi::OsString;

use pacesim_app::{Parts, main_of};
use pyo3::prelude::*;

/// Runs the program with these arguments, the first being the file that starts it, and returns its
/// exit code. Some arguments, such as --help, end the process.
#[pyfunction]
pub(crate) fn main(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| main_of(Parts::new(), arguments))
}
