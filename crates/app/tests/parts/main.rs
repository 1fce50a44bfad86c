//! Programs with their own parts, from outside: they run, sweep and resume scenarios that name the
//! parts, and report mistakes as for built-in ones.

mod applications;
mod ci;
mod ends;
mod evaluate;
mod leaks;
mod mistakes;
mod networks;
mod stores;
mod templates;

use std::path::Path;
use std::process::{Command, Output, Stdio};

/// The programs that `pacesim new part` writes, by kind.
const PROGRAMS: [(&str, &str); 9] = [
    ("control", env!("CARGO_BIN_EXE_own_control")),
    ("pacer", env!("CARGO_BIN_EXE_own_pacer")),
    ("discipline", env!("CARGO_BIN_EXE_own_discipline")),
    ("source", env!("CARGO_BIN_EXE_own_source")),
    ("end", env!("CARGO_BIN_EXE_own_end")),
    ("application", env!("CARGO_BIN_EXE_own_application")),
    ("middlebox", env!("CARGO_BIN_EXE_own_middlebox")),
    ("loss", env!("CARGO_BIN_EXE_own_loss")),
    ("measure", env!("CARGO_BIN_EXE_own_measure")),
];

/// The program of a kind.
fn program_of(kind: &str) -> &'static str {
    let mut programs = PROGRAMS.iter();
    let found = programs.find(|(of, _)| *of == kind);
    found.expect("a kind of part").1
}

struct Ran {
    code: i32,
    stdout: String,
    stderr: String,
}

/// Runs a program in a folder to its end.
fn run(program: &str, folder: &Path, args: &[&str]) -> Ran {
    let mut command = Command::new(program);
    command.current_dir(folder).args(args).stdin(Stdio::null());
    let Output {
        status,
        stdout,
        stderr,
    } = command.output().expect("the program starts");
    Ran {
        code: status.code().expect("it ends by itself"),
        stdout: String::from_utf8(stdout).expect("text"),
        stderr: String::from_utf8(stderr).expect("text"),
    }
}

/// A folder with the crate of a part, named as its program expects.
fn new_part(kind: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let name = format!("own_{kind}");
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let args = ["new", "part", &name, "--kind", kind, "--source", source];
    let ran = run(program_of(kind), folder.path(), &args);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    folder
}
