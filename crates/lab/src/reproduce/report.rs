//! What an experiment ends with.

use serde::Serialize;

use super::{Claim, Experiment, Options, Verdict};
use crate::plot::Figure;
use crate::summary::to_json;

/// What an experiment hands back: its claims, its figure, and what else is to be said.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// The claims, in the paper's order.
    pub claims: Vec<Claim>,
    /// The picture; its points are also the data that is kept.
    pub figure: Option<Figure>,
    /// What a reader should know: conventions used, where the paper is silent.
    pub notes: Vec<String>,
}

impl Report {
    /// A report without claims.
    pub fn new() -> Report {
        Report::default()
    }

    /// Adds a claim.
    pub fn claim(mut self, claim: Claim) -> Report {
        self.claims.push(claim);
        self
    }

    /// Adds several claims.
    pub fn claims(mut self, claims: impl IntoIterator<Item = Claim>) -> Report {
        self.claims.extend(claims);
        self
    }

    /// Sets the figure.
    pub fn figure(mut self, figure: Figure) -> Report {
        self.figure = Some(figure);
        self
    }

    /// Adds a remark.
    pub fn note(mut self, note: impl Into<String>) -> Report {
        self.notes.push(note.into());
        self
    }
}

/// An experiment that was run, or why not.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Reproduction {
    /// The name of the experiment.
    pub id: &'static str,
    /// What was done, in one line.
    pub summary: &'static str,
    /// What simulated times and replications were multiplied by.
    pub scale: f64,
    /// The seed, if not the experiment's own.
    pub seed: Option<u64>,
    /// The version of pacesim.
    pub version: &'static str,
    /// The claims, judged.
    pub claims: Vec<Claim>,
    /// What a reader should know.
    pub notes: Vec<String>,
    /// The picture.
    #[serde(skip)]
    pub figure: Option<Figure>,
}

impl Reproduction {
    pub(super) fn new(
        experiment: &Experiment,
        options: &Options<'_>,
        report: Report,
    ) -> Reproduction {
        Reproduction {
            id: experiment.id,
            summary: experiment.summary,
            scale: options.scale,
            seed: options.seed,
            version: crate::VERSION,
            claims: report.claims,
            notes: report.notes,
            figure: report.figure,
        }
    }

    pub(super) fn not_yet(
        experiment: &Experiment,
        options: &Options<'_>,
        waits_for: &str,
    ) -> Reproduction {
        let claim = Claim::not_yet(experiment.summary, None, waits_for);
        Reproduction::new(experiment, options, Report::new().claim(claim))
    }

    /// How many claims have this verdict.
    pub fn count(&self, verdict: Verdict) -> usize {
        let same = |claim: &&Claim| claim.verdict == verdict;
        self.claims.iter().filter(same).count()
    }

    /// The reproduction as one JSON document.
    pub fn to_json(&self) -> String {
        to_json(self)
    }
}
