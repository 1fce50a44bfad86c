//! Scenarios read for the tests of several files.

use std::path::Path;

use pacesim_runs::input::{Input, Rejected, read_file, read_text};

/// Reads a scenario from a file.
pub(crate) fn from_file(path: &Path) -> Result<Input, Rejected> {
    read_file(path, &[], |_, problems| problems.0)?.alone()
}

/// The valid scenario in this text with changes.
pub(crate) fn from_text(text: &str, sets: &[&str]) -> Input {
    let sets: Vec<String> = sets.iter().map(|set| (*set).to_owned()).collect();
    let file = "scenario.toml";
    let read = read_text(file, text, Path::new(""), &sets, |_, problems| problems.0);
    let input = read.and_then(|study| study.alone());
    input.unwrap_or_else(|rejected| panic!("{:#?}", rejected.problems))
}
