//! Experiments of recordings that do not ship: what stands in for them is one study, and another,
//! `NAME.input.study.toml`, is of the recording that a user has. It names that file `INPUT`.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::experiment::{Experiment, ExperimentKind};
use crate::shipped::{self, FILES, STUDY};
use crate::text::title;

/// What the names of such studies end in.
pub(crate) const INPUT_STUDY: &str = ".input.study.toml";

/// What a study calls the recording.
const INPUT: &str = "\"INPUT\"";

/// Why an experiment cannot be run of a recording.
#[derive(Debug, thiserror::Error)]
pub enum InputError {
    /// It takes none.
    #[error("{id} takes no --input; {takers} do")]
    NotTaken {
        /// The experiment.
        id: String,
        /// Those that take one.
        takers: String,
    },
    /// The file cannot be read.
    #[error("{}: {source}", .path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the file system said.
        source: io::Error,
    },
    /// Its path cannot be written down in a study.
    #[error("{}: the path of this file is not UTF-8", .0.display())]
    NotText(PathBuf),
}

impl Experiment {
    /// The recordings that it can be run of, if there are any.
    pub fn takes(&self) -> Option<String> {
        study_of(self).map(|(_, text)| what(text))
    }

    /// The same experiment of a recording, in place of the traffic that stands for it.
    pub fn of_input(&self, file: &Path) -> Result<Experiment, InputError> {
        of(self, file)
    }
}

/// The study of an experiment that is of a recording: its name and text.
pub(crate) fn study_of(experiment: &Experiment) -> Option<(&'static str, &'static str)> {
    shipped::find(&format!("{}{INPUT_STUDY}", experiment.id))
}

/// What recordings a study is of: the first line of its text says it.
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

/// The text of a study with the path of the recording in it.
pub(crate) fn filled(text: &str, path: &Path) -> String {
    let path = path.to_str().expect("a path that was looked at");
    text.replace(INPUT, &toml::Value::from(path).to_string())
}

/// Whether a file is a study that runs as it is.
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
            catalogue.is_id(id) && text.contains(INPUT) && text.starts_with("# Of ")
        }));
    }
}
