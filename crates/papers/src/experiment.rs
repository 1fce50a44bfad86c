//! An entry of the catalogue.

use std::path::PathBuf;

use crate::checks::Check;
use crate::shipped;

/// An experiment of a paper, or of a user.
#[derive(Clone, Debug)]
pub struct Experiment {
    /// The paper's short name and the subject in it: `zerobuf/fig8`.
    pub id: String,
    /// A one-line description.
    pub summary: String,
    /// The kind of experiment.
    pub kind: ExperimentKind,
}

/// Kinds of experiments.
#[derive(Clone, Debug)]
pub enum ExperimentKind {
    /// A study shipped in the program, by its file name in the catalogue.
    Shipped(&'static str),
    /// A user's study.
    File(PathBuf),
    /// A shipped study of a user's recording: the name of the study's file, and the recording.
    OfInput(&'static str, PathBuf),
    /// An experiment other than a scenario: an algorithm against brute force, event rules, closed
    /// forms.
    Check(Check),
}

impl Experiment {
    /// The paper's short name.
    pub fn paper(&self) -> &str {
        self.id.split('/').next().unwrap_or_default()
    }

    /// The name of its results folder: `zerobuf-fig8`; with a user's recording it is
    /// `zerobuf-fig6-input`, next to the other.
    pub fn folder(&self) -> String {
        let folder = self.id.replace('/', "-");
        match self.kind {
            ExperimentKind::OfInput(..) => folder + "-input",
            _ => folder,
        }
    }

    /// Digest of a shipped study's files; findings with another one are out of date. `None` for all
    /// other kinds.
    pub fn inputs(&self) -> Option<String> {
        match self.kind {
            ExperimentKind::Shipped(name) => Some(shipped::digest_of(name)),
            _ => None,
        }
    }
}
