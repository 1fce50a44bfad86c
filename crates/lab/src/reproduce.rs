//! The reproduction catalogue: every experiment of the papers by name, with the papers'
//! claims checked one by one.
//!
//! ```text
//! catalogue.rs ── select ─▶ Experiment ── run(Context) ─▶ Report ─▶ Reproduction ─▶ keep.rs: a results folder
//!                            papers/PAPER/ID.rs           claims.rs, plot::Figure    └▶ JSON, or the program's table
//! ```
//!
//! 1. [`catalogue::select`] finds experiments by id, by paper, or all;
//! 2. [`reproduce`] runs one, watched by a [`Supervisor`], and keeps its claims, figure
//!    and data in a folder if wanted;
//! 3. the [`Reproduction`] has a [`Verdict`] for each [`Claim`].
//!
//! An experiment is one short file, a function of a [`Context`], that ends with a
//! [`Report`]. What it claims is written down once and never adjusted to what comes out.
//!
//! ```
//! use std::time::Duration;
//! use pacesim_lab::Supervisor;
//! use pacesim_lab::reproduce::{Options, Verdict, catalogue, reproduce};
//!
//! struct Patient;
//! impl Supervisor for Patient {
//!     fn elapsed(&self) -> Duration {
//!         Duration::ZERO
//!     }
//! }
//!
//! let experiments = catalogue::select(&["zerobuf/fig8".to_owned()])?;
//! let outcome = reproduce(experiments[0], &Options::default(), &mut Patient)?;
//! assert!(outcome.claims.iter().all(|claim| claim.verdict == Verdict::Pass));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod catalogue;
mod claims;
mod context;
mod figure;
mod keep;
mod papers;
mod report;
mod scenarios;

use std::path::Path;

use pacesim::scenario::Problem;
use pacesim_analytic::SolveError;
use pacesim_pacers::InvalidConfig;

pub use claims::{Claim, Estimate, Value, Verdict};
pub use context::{Context, LEAST_SCALE, MOST_SCALE};
pub use report::{Report, Reproduction};
pub use scenarios::SCENARIOS;

use crate::folder::{FolderError, ResultsFolder, may_become};
use crate::run::{RunError, Supervisor};
use crate::tables::TableError;

/// What runs an experiment.
pub type Run = fn(&Context<'_>) -> Result<Report, Fault>;

/// One entry of the catalogue.
#[derive(Clone, Copy, Debug)]
pub struct Experiment {
    /// The paper's short name and what it is there: `zerobuf/fig8`.
    pub id: &'static str,
    /// What is done, in one line.
    pub summary: &'static str,
    /// Whether the experiment can be run.
    pub state: State,
}

/// Whether an experiment can be run.
#[derive(Clone, Copy, Debug)]
pub enum State {
    /// It is run by this function.
    Ready(Run),
    /// It cannot be run before pacesim has this.
    NotYet(&'static str),
}

impl Experiment {
    /// The paper's short name.
    pub fn paper(&self) -> &'static str {
        self.id.split('/').next().unwrap_or_default()
    }

    /// The name of its results folder: `zerobuf-fig8`.
    pub fn folder(&self) -> String {
        self.id.replace('/', "-")
    }

    /// What it waits for, if it cannot be run yet.
    pub fn waits_for(&self) -> Option<&'static str> {
        match self.state {
            State::Ready(_) => None,
            State::NotYet(what) => Some(what),
        }
    }
}

/// How to run an experiment, and where to keep what comes of it.
#[derive(Clone, Debug)]
pub struct Options<'a> {
    /// Multiplies simulated times and replications; never flows, rates or buffers.
    pub scale: f64,
    /// The seed of all random streams, if not the experiment's own.
    pub seed: Option<u64>,
    /// The results folder, if wanted.
    pub out: Option<&'a Path>,
    /// Whether it may replace another results folder.
    pub force: bool,
    /// The command line, for the manifest.
    pub command: &'a [String],
}

impl Default for Options<'_> {
    fn default() -> Self {
        Options {
            scale: 1.0,
            seed: None,
            out: None,
            force: false,
            command: &[],
        }
    }
}

/// Why there is no reproduction.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// A simulation failed or was stopped, or its results could not be kept.
    #[error(transparent)]
    Run(#[from] RunError),
    /// A model refuses its parameters.
    #[error(transparent)]
    Solve(#[from] SolveError),
    /// A pacer refuses its parameters.
    #[error(transparent)]
    Pacer(#[from] InvalidConfig),
    /// A scenario of the catalogue, or what an experiment changes in it, is wrong.
    #[error("scenario {name}: {}", .problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
    Scenario {
        /// The name of the scenario.
        name: String,
        /// What is wrong with it.
        problems: Vec<Problem>,
    },
}

impl From<FolderError> for Fault {
    fn from(error: FolderError) -> Fault {
        Fault::Run(error.into())
    }
}

impl From<TableError> for Fault {
    fn from(error: TableError) -> Fault {
        Fault::Run(error.into())
    }
}

/// Whether results may be kept in a folder of this name: to be asked for all experiments
/// before the first is run.
pub fn may_be_kept_in(out: &Path, force: bool) -> Result<(), FolderError> {
    may_become(out, force)
}

/// Runs one experiment. One that cannot be run yet says so in its only claim, and
/// leaves no folder.
pub fn reproduce(
    experiment: &Experiment,
    options: &Options<'_>,
    supervisor: &mut dyn Supervisor,
) -> Result<Reproduction, Fault> {
    let run = match experiment.state {
        State::Ready(run) => run,
        State::NotYet(what) => return Ok(Reproduction::not_yet(experiment, options, what)),
    };
    // Before the work, so that a name that is taken is reported at once.
    let create = |out| ResultsFolder::create(out, options.force);
    let folder = options.out.map(create).transpose()?;
    let context = Context::new(options.scale, options.seed, supervisor);
    context.check_in()?;
    let report = run(&context)?;
    let reproduction = Reproduction::new(experiment, options, report);
    if let Some(folder) = folder {
        keep::keep(
            folder.contents(),
            &reproduction,
            options.command,
            supervisor,
        )?;
        folder.finish()?;
    }
    Ok(reproduction)
}
