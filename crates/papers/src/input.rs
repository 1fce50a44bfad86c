//! Experiments with recordings that do not ship: one study uses a substitute, and another,
//! `NAME.input.study.toml`, uses the user's own recording. It calls that file `INPUT`.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::experiment::{Experiment, ExperimentKind};
use crate::shipped::{self, FILES, STUDY};
use crate::text::title;

/// The suffix of such studies' names.
pub(crate) const INPUT_STUDY: &str = ".input.study.toml";

/// The placeholder for the recording in a study.
const INPUT: &str = "\"INPUT\"";

/// The reason why an experiment cannot use a recording.
#[derive(Debug, thiserror::Error)]
pub enum InputError {
    /// The experiment takes no recording.
    #[error("{id} takes no --input; {takers} do")]
    NotTaken {
        /// The experiment.
        id: String,
        /// The experiments that take a recording.
        takers: String,
    },
    /// The file cannot be read.
    #[error("{}: {source}", .path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The error of the file system.
        source: io::Error,
    },
    /// The path of the file cannot be written in a study.
    #[error("{}: the path of this file is not UTF-8", .0.display())]
    NotText(PathBuf),
}

impl Experiment {
    /// A description of the recordings that it takes, if any.
    pub fn takes(&self) -> Option<String> {
        study_of(self).map(|(_, text)| what(text))
    }

    /// The same experiment with a recording instead of the substitute traffic.
    pub fn of_input(&self, file: &Path) -> Result<Experiment, InputError> {
        of(self, file)
    }
}

/// The study that uses a recording in an experiment: its name and text.
pub(crate) fn study_of(experiment: &Experiment) -> Option<(&'static str, &'static str)> {
    shipped::find(&format!("{}{INPUT_STUDY}", experiment.id))
}

/// The kind of recording that a study takes, given in the first line of its text.
pub(crate) fn what(text: &str) -> String {
    let first = text.lines().next().unwrap_or_default();
    first.trim_start_matches('#').trim().to_owned()
}

pub(crate) fn of(experiment: &Experiment, file: &Path) -> Result<Experiment, InputError> {
    let Some((study, text)) = study_of(experiment) else {
        let ids = FILES
            .iter()
            .filter_map(|(name, _)| name.strip_suffix(INPUT_STUDY));
        return Err(InputError::NotTaken {
            id: experiment.id.clone(),
            takers: ids.collect::<Vec<_>>().join(" and "),
        });
    };
    let path = fs::canonicalize(file).map_err(|source| InputError::Unreadable {
        path: file.to_path_buf(),
        source,
    })?;
    if path.to_str().is_none() {
        return Err(InputError::NotText(path));
    }
    Ok(Experiment {
        id: experiment.id.clone(),
        summary: title(text),
        kind: ExperimentKind::OfInput(study, path),
    })
}

/// The text of a study with the path of the recording filled in.
pub(crate) fn filled(text: &str, path: &Path) -> String {
    let path = path.to_str().expect("a path that was looked at");
    text.replace(INPUT, &toml::Value::from(path).to_string())
}

/// True if a file is a study that runs without a recording.
pub(crate) fn is_whole(name: &str) -> bool {
    name.ends_with(STUDY) && !name.ends_with(INPUT_STUDY)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Catalogue;

    #[test]
    fn a_path_is_written_down_as_toml_has_it() {
        let text = filled("file = \"INPUT\"", Path::new("/tmp/a \"b\" \\c"));
        let table: toml::Table = text.parse().expect("TOML");
        assert_eq!(table["file"].as_str(), Some("/tmp/a \"b\" \\c"));
    }

    #[test]
    fn every_study_of_an_input_stands_beside_one_that_runs_without() {
        let catalogue = Catalogue::shipped();
        let mut inputs = FILES.iter().filter(|(name, _)| name.ends_with(INPUT_STUDY));
        assert!(inputs.clone().count() > 0, "{:?}", inputs.clone().count());
        assert!(inputs.all(|(name, text)| {
            let id = name.trim_end_matches(INPUT_STUDY);
            catalogue.is_id(id) && text.contains(INPUT) && text.starts_with("# Input: ")
        }));
    }
}
