//! One run: from a checked scenario to a summary and, if wanted, a results folder.

use std::ops::ControlFlow;
use std::path::Path;
use std::time::Duration;

use pacesim::model::Model;
use pacesim::net::Probe;
use pacesim::units::Time;
use pacesim::{BuildError, GaveUp, World};

use crate::block_sizes;
use crate::delays::Delays;
use crate::drive::{Watchers, drive};
use crate::folder::{Contents, FolderError, ResultsFolder};
use crate::input::Input;
use crate::limits::Exhausted;
use crate::manifest::Host;
use crate::packets::PacketLog;
use crate::results::Results;
use crate::summary::{Summary, Timelines, flow_rows, notable_links};
use pacesim_tables::TableError;

/// How far a run has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Simulated time.
    pub now: Time,
    /// Where it ends.
    pub end: Time,
    /// Packets that reached the far end of a link so far.
    pub packet_hops: u64,
    /// Packets that are in the network now.
    pub held: u64,
}

/// What a run must not know by itself: the clock, the machine, and whether somebody
/// wants it to stop. The program answers; nothing of it reaches the simulation.
pub trait Supervisor {
    /// A run begins: `number` of `all`, from zero.
    fn begin(&mut self, _number: u64, _all: u64) {}

    /// Called every now and then (after about a million packet-hops); a break ends the
    /// run without results.
    fn progress(&mut self, _progress: &Progress) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    /// Called after [`Supervisor::progress`]: the limit of the machine that the run is beyond, if it is; then it
    /// ends without results.
    fn exhausted(&mut self, _progress: &Progress) -> Option<Exhausted> {
        None
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
    /// The run would never end, or its network cannot carry its load.
    #[error("{0}")]
    GaveUp(GaveUp),
    /// The run took too much of this machine.
    #[error("stopped at {at}: {limit}; nothing was written")]
    Exhausted {
        /// The limit.
        limit: Exhausted,
        /// Simulated time.
        at: Time,
    },
    /// The scenario cannot be built.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// A recording was too long for memory, and what was put on disk of it cannot be read back.
    #[error(
        "a recording that was put into the folder for temporary files (TMPDIR) cannot be read back: {0}"
    )]
    Recording(String),
    /// The results folder cannot be written.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// A table cannot be written.
    #[error(transparent)]
    Table(#[from] TableError),
}

/// Runs one replication.
///
/// Packets and TCP senders are logged only if there is a folder to keep the log in.
pub fn run(
    input: &Input,
    replication: u64,
    plan: &Plan<'_>,
    supervisor: &mut dyn Supervisor,
) -> Result<Summary, RunError> {
    // Before the work, so that a name that is taken is reported at once.
    let create = |out| ResultsFolder::create(out, plan.force);
    let folder = plan.out.map(create).transpose()?;
    let contents = folder.as_ref().map(ResultsFolder::contents);
    let summary = run_into(contents, input, replication, plan, Links::Shown, supervisor)?;
    folder.map(ResultsFolder::finish).transpose()?;
    Ok(summary)
}

/// The links that a run's summary keeps, of which there may be millions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Links {
    /// Those that it shows.
    Shown,
    /// All that means over replications are of.
    Notable,
}

/// The same with the results in this folder, whatever the plan says.
pub(crate) fn run_into(
    folder: Option<&Contents>,
    input: &Input,
    replication: u64,
    plan: &Plan<'_>,
    links: Links,
    supervisor: &mut dyn Supervisor,
) -> Result<Summary, RunError> {
    let seed = plan.seed.unwrap_or(input.scenario.scenario().run.seed);
    let model = block_sizes::expand(&input.scenario, seed, replication);
    let begin = |folder| Results::begin(folder, input, &model);
    let results = folder.map(begin).transpose()?;
    let mut watchers = Watchers {
        timelines: Some(Timelines::new(&model)),
        series: None,
        transfers: None,
        hear: None,
        tcp: None,
    };
    let mut log = None;
    if let Some(results) = &results {
        log = results.packets(&model)?;
        watchers.series = results.series(&model)?;
        watchers.transfers = Some(results.table()?);
        watchers.tcp = results.tcp(&model)?;
    }
    let session = Session {
        name: &input.name,
        plan,
        links,
        results,
        watchers,
        supervisor,
    };
    match log {
        // Two kinds of world, so that a log that is off costs nothing.
        None => session.run(model, (), |()| None),
        Some(log) => session.run(model, log, Some),
    }
}

/// A run with its results, its watchers and its supervisor.
struct Session<'a> {
    name: &'a str,
    plan: &'a Plan<'a>,
    links: Links,
    results: Option<Results<'a>>,
    watchers: Watchers<'a>,
    supervisor: &'a mut dyn Supervisor,
}

impl Session<'_> {
    fn run<L: Probe>(
        mut self,
        model: Model,
        log: L,
        as_log: impl FnOnce(L) -> Option<PacketLog>,
    ) -> Result<Summary, RunError> {
        let delays = Delays::of_model(&model);
        let mut world = World::watched(model, (delays, log))?;
        drive(&mut world, &mut self.watchers, self.supervisor)?;
        let wall_s = self.supervisor.elapsed().as_secs_f64();
        let peak_rss_bytes = self.supervisor.peak_rss_bytes();
        let links = world.link_rows();
        let flows = flow_rows(&world);
        let is_protected = !world.model().protections.is_empty();
        let fec = is_protected.then(|| world.fec_rows());
        let summary = Summary {
            wall_s,
            packet_hops_per_s: world.packet_hops() as f64 / wall_s,
            peak_rss_bytes,
            notable: match self.links {
                Links::Shown => Vec::new(),
                Links::Notable => notable_links(&world, &links),
            },
            ..Summary::of(self.name, &world, &flows, &links, self.watchers.timelines)
        };
        if let Some(mut results) = self.results {
            let (_, log) = world.into_probe();
            results.write(&flows)?;
            results.write(&links)?;
            if let Some(rows) = &fec {
                results.write(rows)?;
            }
            results.close_transfers(self.watchers.transfers)?;
            results.close_series(self.watchers.series)?;
            results.close_tcp(self.watchers.tcp)?;
            results.close_packets(as_log(log))?;
            results.complete(&summary, self.plan, self.supervisor.host())?;
        }
        Ok(summary)
    }
}
