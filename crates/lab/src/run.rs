//! One run: from a checked scenario to a summary and, if wanted, a results folder.

use std::ops::ControlFlow;
use std::path::Path;
use std::time::Duration;

use pacesim::model::Model;
use pacesim::{BuildError, World};
use pacesim_core::net::Probe;
use pacesim_units::{Span, Time};

use crate::delays::Delays;
use crate::folder::FolderError;
use crate::input::Input;
use crate::manifest::Host;
use crate::packets::PacketLog;
use crate::results::Results;
use crate::series::Series;
use crate::summary::{Summary, Timelines};
use crate::tables::TableError;

/// How far a run has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Simulated time.
    pub now: Time,
    /// Where it ends.
    pub end: Time,
    /// Packets that reached the far end of a link so far.
    pub packet_hops: u64,
}

/// What a run must not know by itself: the clock, the machine, and whether somebody
/// wants it to stop. The program answers; nothing of it reaches the simulation.
pub trait Supervisor {
    /// A run begins: `number` of `all`, from zero.
    fn begin(&mut self, _number: u64, _all: u64) {}

    /// Called some ten times a second; a break ends the run without results.
    fn progress(&mut self, _progress: &Progress) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    /// Real time since the run began.
    fn elapsed(&self) -> Duration;

    /// The most memory that the program has had.
    fn peak_rss_bytes(&self) -> Option<u64> {
        None
    }

    /// The machine.
    fn host(&self) -> Host {
        Host::default()
    }
}

/// What to run, and where to keep it.
#[derive(Clone, Debug, Default)]
pub struct Plan<'a> {
    /// The seed, if not the scenario's.
    pub seed: Option<u64>,
    /// The results folder, if wanted.
    pub out: Option<&'a Path>,
    /// Whether it may replace another results folder.
    pub force: bool,
    /// The command line, for the manifest.
    pub command: &'a [String],
}

/// Why there are no results.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The supervisor stopped the run.
    #[error("interrupted; nothing was written")]
    Interrupted,
    /// The scenario cannot be built.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// The results folder cannot be written.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// A table cannot be written.
    #[error(transparent)]
    Table(#[from] TableError),
}

/// Runs one replication.
pub fn run(
    input: &Input,
    replication: u64,
    plan: &Plan<'_>,
    supervisor: &mut dyn Supervisor,
) -> Result<Summary, RunError> {
    let seed = plan.seed.unwrap_or(input.scenario.scenario().run.seed);
    let model = input.scenario.expand(seed, replication);
    let results = match plan.out {
        Some(out) => Some(Results::create(out, plan.force, input, &model)?),
        None => None,
    };
    match results.as_ref().map(|results| results.packets(&model)).transpose()?.flatten() {
        Some(log) => Run { input, plan, results }.through(model, log, supervisor),
        None => Run { input, plan, results }.through(model, (), supervisor),
    }
}

/// A run, and where its results go.
struct Run<'a> {
    input: &'a Input,
    plan: &'a Plan<'a>,
    results: Option<Results>,
}

/// What is always watched, and a log that may be there.
struct Watch<L> {
    delays: Delays,
    log: L,
}

impl Run<'_> {
    /// Builds the world, runs it, and completes the results.
    fn through<L: Log>(
        mut self,
        model: Model,
        log: L,
        supervisor: &mut dyn Supervisor,
    ) -> Result<Summary, RunError> {
        let mut periodic = Periodic {
            timelines: Timelines::new(&model),
            series: match &self.results {
                Some(results) => results.series(&model)?,
                None => None,
            },
        };
        let delays = Delays::new(model.flows.len(), Time::ZERO + model.warmup);
        let mut world = World::watched(model, Watch { delays, log })?;
        drive(&mut world, &mut periodic, supervisor)?;
        let (mut flows, links) = rows(&mut world);
        flows.iter_mut().for_each(|row| world.probe().delays.complete(row));
        let summary = summary(self.input, &world, &flows, &links, periodic.timelines, supervisor);
        if let Some(results) = &mut self.results {
            results.write_rows(&flows)?;
            results.write_rows(&links)?;
            results.close_series(periodic.series)?;
            results.close_packets(world.into_probe().log.finish()?);
        }
        match self.results {
            Some(results) => results.complete(&summary, self.plan, supervisor.host())?,
            None => (),
        }
        Ok(summary)
    }
}
