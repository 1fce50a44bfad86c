//! Helpers that run the built program.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// A small scenario: a link with a buffer, and Poisson traffic.
pub(crate) const SCENARIO: &str = r#"title = "One queue"

[run]
duration = "2s"
warmup = "1s"
seed = 1

[[node]]
name = "a"

[[node]]
name = "b"

[[link]]
name = "core"
from = "a"
to = "b"
rate = "10Mbps"
delay = "5ms"
buffer = "5pkts"

[[flow]]
name = "poisson"
from = "a"
to = "b"
count = 2
traffic = { kind = "poisson", rate = "4.5Mbps", size = "1KB" }

[output]
packets = { links = ["core"] }
series = { links = ["core"], interval = "100ms" }
"#;

/// The result of a run of the program.
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// The program, ready to start in a folder.
pub(crate) fn program(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pacesim"));
    command.current_dir(folder).args(args).stdin(Stdio::null());
    command
}

/// Runs it to its end.
pub(crate) fn pacesim(folder: &Path, args: &[&str]) -> Ran {
    ran(program(folder, args).output().expect("the program starts"))
}

/// Runs it with this text on standard input.
pub(crate) fn pacesim_reading(folder: &Path, args: &[&str], input: &str) -> Ran {
    let mut command = program(folder, args);
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    let mut stdin = child.stdin.take().expect("it is piped");
    stdin.write_all(input.as_bytes()).expect("it is read");
    drop(stdin);
    ran(child.wait_with_output().expect("the program ends"))
}

fn ran(output: Output) -> Ran {
    Ran {
        code: output.status.code().expect("it ends by itself"),
        stdout: String::from_utf8(output.stdout).expect("text"),
        stderr: String::from_utf8(output.stderr).expect("text"),
    }
}

/// A folder with the scenario in it, as `one.toml`.
pub(crate) fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("one.toml"), SCENARIO).expect("written");
    folder
}

/// The names in a folder, sorted.
pub(crate) fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("listed");
    let name = |entry: std::io::Result<std::fs::DirEntry>| entry.expect("an entry").file_name();
    let mut names: Vec<_> = entries
        .map(|e| name(e).into_string().expect("text"))
        .collect();
    names.sort();
    names
}
