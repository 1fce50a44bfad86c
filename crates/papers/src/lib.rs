//! The experiments of five papers on small buffers, pacing and FEC, with their claims checked one
//! by one.
//!
//! ```text
//! scenarios/papers/PAPER/ID.study.toml ─ shipped.rs ─┐
//! checks/PAPER/ID.rs ─ checks.rs ────────────────────┤
//! studies of a user's folder ────────────────────────┴─ catalogue.rs ─ select ─▶ Experiment
//!                                                                                   │ reproduce
//!                                  study.rs: swept, or searched ◀───────────────────┤
//!                                  check.rs: a function of a Context ◀──────────────┘
//! ```
//!
//! Either way [`reproduce`] returns [`Findings`], which have a verdict for each claim and are
//! stored in a folder. An experiment that is a grid of scenarios is just a study file; all others
//! are in Rust. The claims of an experiment are written down once and never adjusted to the
//! results.
//!
//! ```
//! use pacesim_lab::Unwatched;
//! use pacesim_lab::claims::Verdict;
//! use pacesim_papers::{Catalogue, Options, reproduce};
//!
//! # let folder = tempfile::tempdir()?;
//! # let folder = folder.path();
//! let catalogue = Catalogue::shipped();
//! let experiments = catalogue.select(&["qlbp11/law".to_owned()])?;
//! let findings = reproduce(experiments[0], &Options::new(folder), &Unwatched)?;
//! assert!(findings.claims.iter().all(|claim| claim.verdict == Verdict::Pass));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod catalogue;
mod check;
mod checks;
mod context;
mod experiment;
mod input;
mod ns2;
mod origin;
mod page;
mod report;
mod shipped;
mod study;
mod text;

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use pacesim_analytic::SolveError;
use pacesim_lab::findings::{CLAIMS, Findings};
use pacesim_lab::input::{Rejected, StudyInput};
use pacesim_lab::study::{Forecast, SweepError};
use pacesim_lab::{BatchMonitor, FolderError, RunError};
use pacesim_pacers::InvalidConfig;

pub use catalogue::{Catalogue, Elsewhere, FolderOfStudies, UnknownName};
pub use checks::Check;
pub use context::Context;
pub use experiment::{Experiment, ExperimentKind};
pub use input::InputError;
pub use page::{KeptPage, PageDigest, checks_to_repeat, page};
pub use report::Report;
pub use shipped::{FILES, ShowError};

/// Options for running experiments and storing their results.
#[derive(Clone, Debug)]
pub struct Options<'a> {
    /// Multiplies simulated times and replications; never flows, rates or buffers.
    pub scale: f64,
    /// A seed for all random streams that overrides the experiment's own.
    pub seed: Option<u64>,
    /// The number of concurrent runs; one by default.
    pub jobs: Option<NonZeroUsize>,
    /// The folder for all results, with a subfolder for each experiment.
    pub out: &'a Path,
    /// True if a check may replace other results. It always replaces its own; a study resumes in
    /// its store.
    pub force: bool,
    /// The command line, for the manifest.
    pub command: &'a [String],
}

impl<'a> Options<'a> {
    /// The full length, with results in this folder.
    pub fn new(out: &'a Path) -> Options<'a> {
        Options {
            scale: 1.0,
            seed: None,
            jobs: None,
            out,
            force: false,
            command: &[],
        }
    }

    /// The results folder of an experiment.
    pub fn folder(&self, experiment: &Experiment) -> PathBuf {
        self.out.join(experiment.folder())
    }
}

/// The reason why an experiment has no findings.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// A simulation failed or was stopped, or its results could not be stored.
    #[error(transparent)]
    Run(#[from] RunError),
    /// A model rejects its parameters.
    #[error(transparent)]
    Solve(#[from] SolveError),
    /// A pacer rejects its parameters.
    #[error(transparent)]
    Pacer(#[from] InvalidConfig),
    /// The files of a study cannot be written.
    #[error(transparent)]
    Show(#[from] ShowError),
    /// A study has mistakes.
    #[error("the study cannot be run")]
    Rejected(Rejected),
    /// A study failed before its tables were written.
    #[error("{1}")]
    Study(Box<StudyInput>, SweepError),
}

impl From<FolderError> for Fault {
    fn from(error: FolderError) -> Fault {
        Fault::Run(error.into())
    }
}

/// Checks that results may be stored at the place given by the options; call it for all experiments
/// before the first run.
pub fn may_be_kept(experiment: &Experiment, options: &Options<'_>) -> Result<(), FolderError> {
    match experiment.kind {
        ExperimentKind::Check(_) => check::may_be_kept(experiment, options),
        _ => Ok(()),
    }
}

/// Runs one experiment and stores its findings.
pub fn reproduce(
    experiment: &Experiment,
    options: &Options<'_>,
    monitor: &dyn BatchMonitor,
) -> Result<Findings, Fault> {
    match experiment.kind {
        ExperimentKind::Check(check) => check::run(experiment, check, options, monitor),
        ExperimentKind::Shipped(_) | ExperimentKind::OfInput(..) | ExperimentKind::File(_) => {
            study::run(experiment, options, monitor)
        }
    }
}

/// The runs of a study and their cost; `None` for a search, whose runs depend on their results, and
/// for experiments other than studies.
pub fn forecast(
    experiment: &Experiment,
    options: &Options<'_>,
    monitor: &dyn BatchMonitor,
) -> Result<Option<Forecast>, Fault> {
    match experiment.kind {
        ExperimentKind::Shipped(_) | ExperimentKind::OfInput(..) | ExperimentKind::File(_) => {
            study::forecast(experiment, options, monitor)
        }
        ExperimentKind::Check(_) => Ok(None),
    }
}

/// The findings last stored here for an experiment, if any are as they were written.
pub fn kept(experiment: &Experiment, out: &Path) -> Option<Findings> {
    let folder = out.join(experiment.folder());
    let findings = std::fs::read_to_string(folder.join(CLAIMS)).ok();
    let findings = findings.and_then(|text| Findings::from_sealed(&text));
    findings.filter(|findings| findings.id == experiment.id)
}

/// Writes the files of a shipped study into a folder, under their names in the catalogue. Writes
/// nothing for a check or a user's own study.
pub fn show(
    experiment: &Experiment,
    folder: &Path,
    force: bool,
) -> Result<Vec<PathBuf>, ShowError> {
    match experiment.kind {
        ExperimentKind::Shipped(name) => shipped::show(name, folder, force),
        _ => Ok(Vec::new()),
    }
}
