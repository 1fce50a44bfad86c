//! One run: from a checked scenario to a summary and, optionally, a results folder.

use pacesim::World;
use pacesim::delays::Delays;
use pacesim::net::Probe;
use pacesim::scenario::Accept;

use crate::block_sizes;
use crate::drive::{Watchers, drive};
use crate::error::RunError;
use crate::folder::{Contents, ResultsFolder};
use crate::input::Input;
use crate::lived;
use crate::metrics::{Metric, metrics};
use crate::packets::PacketLog;
use crate::plan::{Equip, Plan};
use crate::results::Results;
use crate::run_monitor::RunMonitor;
use crate::steadiness::Steadiness;
use crate::summary::{Summary, Timelines, flow_rows, notable_links};
use crate::threads;

/// Runs one replication.
///
/// Packets and TCP senders are logged only if there is a results folder.
pub fn run(
    input: &Input,
    replication: u64,
    plan: &Plan<'_>,
    run_monitor: &mut dyn RunMonitor,
) -> Result<Summary, RunError> {
    run_with(input, replication, plan, Links::Shown, run_monitor)
}

/// Runs one replication and returns all metrics of the run too, as needed by studies and means over
/// replications.
pub fn run_and_measure(
    input: &Input,
    replication: u64,
    plan: &Plan<'_>,
    run_monitor: &mut dyn RunMonitor,
) -> Result<(Summary, Vec<Metric>), RunError> {
    let summary = run_with(input, replication, plan, Links::Notable, run_monitor)?;
    let metrics = metrics(&summary);
    Ok((summary, metrics))
}

fn run_with(
    input: &Input,
    replication: u64,
    plan: &Plan<'_>,
    links: Links,
    run_monitor: &mut dyn RunMonitor,
) -> Result<Summary, RunError> {
    // Before the run, so that a taken name is reported at once.
    let create = |out| ResultsFolder::create(out, plan.force);
    let folder = plan.out.map(create).transpose()?;
    let contents = folder.as_ref().map(ResultsFolder::contents);
    let summary = run_into(contents, input, replication, plan, links, run_monitor)?;
    folder.map(ResultsFolder::finish).transpose()?;
    Ok(summary)
}

/// The links kept in a run's summary; a network may have millions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Links {
    /// Only the links that a summary shows.
    Shown,
    /// All notable links, for the means over replications.
    Notable,
}

/// Runs one replication with results in this folder, ignoring that of the plan.
pub(crate) fn run_into(
    folder: Option<&Contents>,
    input: &Input,
    replication: u64,
    plan: &Plan<'_>,
    links: Links,
    run_monitor: &mut dyn RunMonitor,
) -> Result<Summary, RunError> {
    let seed = plan.seed.unwrap_or(input.scenario.scenario().run.seed);
    let mut model = block_sizes::expand(&input.scenario, seed, replication);
    if let Some(Equip(change)) = plan.equip {
        change(&mut model);
    }
    if plan.lived.is_some() {
        lived::open(&input.scenario, &mut model);
    }
    let begin = |folder| Results::begin(folder, input, &model);
    let results = folder.map(begin).transpose()?;
    let mut watchers = Watchers {
        timelines: Some(Timelines::new(&model)),
        steadiness: Some(Steadiness::of(&model)),
        lived: plan.lived,
        ..Watchers::default()
    };
    let mut log = None;
    if let Some(results) = &results {
        log = results.packets(&model)?;
        watchers.series.extend(results.series(&model)?);
        watchers.transfers = Some(results.table()?);
        watchers.tcp = results.tcp(&model)?;
        watchers.ends = results.ends(&model)?;
    }
    let cut = threads::cut(&model, plan, run_monitor);
    let session = Session {
        name: &input.name,
        plan,
        links,
        accepts: &input.scenario.scenario().accepts,
        results,
        watchers,
        run_monitor,
    };
    match log {
        // Two types of world, so that a disabled log costs nothing.
        None => session.run(threads::world(model, cut.as_ref())?, |()| None),
        Some(log) => {
            let delays = Delays::of_model(&model);
            session.run(World::watched(model, (delays, log))?, Some)
        }
    }
}

/// A run with its results, its watchers and its monitor.
struct Session<'a> {
    name: &'a str,
    plan: &'a Plan<'a>,
    links: Links,
    accepts: &'a [Accept],
    results: Option<Results<'a>>,
    watchers: Watchers<'a>,
    run_monitor: &'a mut dyn RunMonitor,
}

impl Session<'_> {
    fn run<L: Probe>(
        mut self,
        mut world: World<(Delays, L)>,
        as_log: impl FnOnce(L) -> Option<PacketLog>,
    ) -> Result<Summary, RunError> {
        drive(&mut world, &mut self.watchers, self.run_monitor)?;
        if let Some(schedule) = world.schedule() {
            self.run_monitor.counted(schedule);
        }
        let wall_s = self.run_monitor.elapsed().as_secs_f64();
        let peak_rss_bytes = self.run_monitor.peak_rss_bytes();
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
            live: self.plan.lived.map(|lived| lived.facts.clone()),
            ..Summary::of(self.name, &world, &flows, &links, self.watchers.timelines)
        };
        let steadiness = self.watchers.steadiness.iter();
        let mut summary = summary;
        summary
            .warnings
            .extend(steadiness.flat_map(Steadiness::warnings));
        summary.accept(self.accepts);
        if let Some(mut results) = self.results {
            let (_, log) = world.into_probe();
            results.write(&flows)?;
            results.write(&links)?;
            if let Some(rows) = &fec {
                results.write(rows)?;
            }
            if let Some(lived) = self.plan.lived {
                results.write(&lived.packets)?;
            }
            results.close_transfers(self.watchers.transfers)?;
            results.close_series(self.watchers.series.into_iter().next())?;
            results.close(self.watchers.tcp)?;
            results.close(self.watchers.ends)?;
            results.close_packets(as_log(log))?;
            results.complete(&summary, self.plan, self.run_monitor.host())?;
        }
        Ok(summary)
    }
}
