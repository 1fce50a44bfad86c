//! One entry of the catalogue.

use std::path::PathBuf;

use crate::checks::Check;

/// An experiment of a paper, or of a user.
#[derive(Clone, Debug)]
pub struct Experiment {
    /// The paper's short name and what it is there: `zerobuf/fig8`.
    pub id: String,
    /// What is done, in one line.
    pub summary: String,
    /// What is run.
    pub kind: ExperimentKind,
}

/// What an experiment runs.
#[derive(Clone, Debug)]
pub enum ExperimentKind {
    /// A study that ships in the program, by the name of its file in the catalogue.
    Shipped(&'static str),
    /// A study of the user's.
    File(PathBuf),
    /// A study that ships, of a recording of the user's: the name of the study's file, and the
    /// recording.
    OfInput(&'static str, PathBuf),
    /// No scenario: an algorithm against brute force, event rules, closed forms.
    Check(Check),
    /// It cannot be run before pacesim has this.
    NotYet(&'static str),
}

impl Experiment {
    /// The paper's short name.
    pub fn paper(&self) -> &str {
        self.id.split('/').next().unwrap_or_default()
    }

    /// The name of its results folder: `zerobuf-fig8`; of a recording of the user's, beside that,
    /// `zerobuf-fig6-input`.
    pub fn folder(&self) -> String {
        let folder = self.id.replace('/', "-");
        match self.kind {
            ExperimentKind::OfInput(..) => folder + "-input",
            _ => folder,
        }
    }

    /// What it waits for, if it cannot be run yet.
    pub fn waits_for(&self) -> Option<&'static str> {
        match self.kind {
            ExperimentKind::NotYet(what) => Some(what),
            _ => None,
        }
    }
}
