//! The command line: that of the process, or one passed on by a program that embeds this one.

use std::env;
use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::sync::OnceLock;

static GIVEN: OnceLock<Vec<OsString>> = OnceLock::new();

/// Replaces the process's command line; the first argument is the program.
pub(crate) fn give(arguments: Vec<OsString>) {
    // A process has one command line, so the first one is kept.
    let _ = GIVEN.set(arguments);
}

/// The program and its arguments.
pub(crate) fn arguments_os() -> Vec<OsString> {
    let given = GIVEN.get().cloned();
    given.unwrap_or_else(|| env::args_os().collect())
}

/// The command line as text, for records of a run.
pub(crate) fn arguments() -> Vec<String> {
    let text = |argument: OsString| argument.to_string_lossy().into_owned();
    arguments_os().into_iter().map(text).collect()
}

/// The file to start for another instance of this program.
pub(crate) fn program() -> io::Result<PathBuf> {
    match GIVEN.get().and_then(|given| given.first()) {
        Some(program) => std::path::absolute(program),
        None => env::current_exe(),
    }
}
