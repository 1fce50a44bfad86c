//! `pacesim run --twice`: the second run is another process's, so that seeds drawn once for a process
//! show as well.

use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::exit::Outcome;
use crate::invocation::{arguments_os, program};

/// The change of a scenario by which all packets are recorded.
pub(super) const RECORDING: &str = "output.packets={}";

/// The option that asks for this.
const TWICE: &str = "--twice";

/// The same run in another process, which tells its own mistakes.
pub(super) fn elsewhere(is_quiet: bool, out: &Path) -> Result<(), (Outcome, String)> {
    let failed = |why: std::io::Error| (Outcome::Failed, format!("the second run: {why}"));
    let mut command = Command::new(program().map_err(failed)?);
    command
        .args(of_second(&arguments_os(), is_quiet, out))
        .stdin(Stdio::null())
        .stdout(Stdio::null());
    match command.status().map_err(failed)?.code() {
        Some(0) => Ok(()),
        code => {
            let outcomes = [Outcome::Invalid, Outcome::Interrupted];
            let same = outcomes
                .into_iter()
                .find(|of| code == Some(of.code().into()));
            let told = code.map_or("a signal".to_owned(), |code| format!("exit code {code}"));
            let why = format!("the second run, in another process, ended with {told}");
            Err((same.unwrap_or(Outcome::Failed), why))
        }
    }
}

/// The arguments of the second run: it is one run with a folder of its own.
fn of_second(all: &[OsString], is_quiet: bool, out: &Path) -> Vec<OsString> {
    let mut rest = all.iter().skip(1);
    let mut arguments = Vec::new();
    while let Some(argument) = rest.next() {
        match argument.to_str() {
            Some(TWICE) => _ = rest.next(),
            // A mistake is told as text, as all else that is not the answer.
            Some(text) if text.starts_with("--twice=") || text == "--json" => {}
            _ => arguments.push(argument.clone()),
        }
    }
    arguments.extend(["--set", RECORDING].map(OsString::from));
    arguments.extend((!is_quiet).then(|| OsString::from("--quiet")));
    arguments.extend([OsString::from("--out"), out.into()]);
    arguments
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_run_is_one_run_with_all_else_as_given() {
        let of = |written: &[&str], is_quiet| {
            let all: Vec<OsString> = written.iter().map(OsString::from).collect();
            let second = of_second(&all, is_quiet, Path::new("both/second"));
            let words: Vec<_> = second
                .iter()
                .map(|word| word.to_str().expect("text"))
                .collect();
            words.join(" ")
        };
        let apart = ["pacesim", "run", "a.toml", "--twice", "both", "--seed", "3"];
        let told = "run a.toml --seed 3 --set output.packets={} --quiet --out both/second";
        assert_eq!(of(&apart, false), told);
        let joined = ["pacesim", "run", "--twice=both", "a.toml", "-q", "--json"];
        assert_eq!(
            of(&joined, true),
            "run a.toml -q --set output.packets={} --out both/second"
        );
    }
}
