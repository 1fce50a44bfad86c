//! Headline numbers of a run, for `summary.json` and the printed tables.

mod fec;
mod flows;
mod links;
mod loads;
mod tcp;
mod timeline;
mod transfers;
mod warnings;

use std::collections::BTreeMap;

use pacesim::World;
use pacesim::delays::Delays;
use pacesim::measure::record::{FlowRow, LinkRow};
use pacesim::model::{Flow, Load, Traffic};
use pacesim::net::Probe;
use pacesim::scenario::{Accept, accepted};
use pacesim::units::FlowId;
use serde::Serialize;

pub use fec::FecSummary;
pub use flows::{GroupSummary, RoundSummary};
pub(crate) use links::notable;
pub use links::{ClassSummary, LinkSummary, PacerSummary, QueueSummary};
pub use tcp::{Bottleneck, LimitedBy, TcpSummary};
pub use timeline::{Timeline, Timelines};
pub use transfers::{SizeClass, TransferSummary};
pub use warnings::{AcceptedWarning, Warning, WarningKind};

/// The number of links that a summary shows.
pub(crate) const SHOWN: usize = 8;

/// One run. Metrics cover the measured time, from the end of the warm-up; ratios range from 0 to 1;
/// undefined numbers are null.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// Title of the scenario, or the name of its file.
    pub scenario: String,
    /// Seed of all random streams.
    pub seed: u64,
    /// Number of the replication.
    pub replication: u64,
    /// Version of pacesim that made the run.
    pub version: &'static str,
    /// A hash of the history of all packets, as 16 hexadecimal digits: equal for equal results.
    pub fingerprint: String,
    /// Simulated time, in seconds.
    pub sim_s: f64,
    /// Simulated time before statistics start, in seconds.
    pub warmup_s: f64,
    /// Elapsed real time for building and running the world, in seconds.
    pub wall_s: f64,
    /// Packets that reached the far end of a link, summed over links, warm-up included.
    pub packet_hops: u64,
    /// Number of packet hops per second of elapsed real time.
    pub packet_hops_per_s: f64,
    /// The program's peak memory in bytes; null if the system does not report it.
    pub peak_rss_bytes: Option<u64>,
    /// Summaries of the groups of flows, in the scenario's order.
    pub flows: Vec<GroupSummary>,
    /// The notable links, the most loaded first: those with a finite buffer or random loss, or all
    /// if there are none such; never idle ones, and at most eight.
    pub links: Vec<LinkSummary>,
    /// Number of further notable links.
    pub more_links: u64,
    /// The protected pairs by entry of the scenario, and by distance.
    pub fec: Vec<FecSummary>,
    /// Reasons to distrust the numbers.
    pub warnings: Vec<Warning>,
    /// Warnings that the scenario accepts, each with its reason.
    pub accepted: Vec<AcceptedWarning>,
    /// Course over time of the most loaded of these links.
    pub timeline: Option<Timeline>,
    /// The verdict on a live run, with its facts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub live: Option<serde_json::Value>,
    /// All notable links by id, if means over replications need them.
    #[serde(skip)]
    pub(crate) notable: Vec<LinkSummary>,
}

impl Summary {
    /// The summary of a world, without times and memory, which depend on the machine.
    pub fn of<L: Probe>(
        name: &str,
        world: &World<(Delays, L)>,
        flows: &[FlowRow],
        links: &[LinkRow],
        timelines: Option<Timelines>,
    ) -> Summary {
        let model = world.model();
        let (by_load, more_links) = links::by_load(links, model, SHOWN);
        let groups = groups(world, flows, links);
        let busiest = by_load.first().map(|link| link.link.clone());
        Summary {
            scenario: name.to_owned(),
            seed: model.seed,
            replication: model.replication,
            version: crate::VERSION,
            fingerprint: format!("{:016x}", world.fingerprint()),
            sim_s: world.now().as_secs_f64(),
            warmup_s: model.warmup.as_secs_f64(),
            wall_s: 0.0,
            packet_hops: world.packet_hops(),
            packet_hops_per_s: 0.0,
            peak_rss_bytes: None,
            warnings: warnings::warnings(world, &groups, links),
            accepted: Vec::new(),
            flows: groups,
            timeline: busiest.and_then(|link| timelines?.into_one(&link)),
            more_links: more_links as u64,
            links: by_load,
            fec: fec::summaries(world),
            live: None,
            notable: Vec::new(),
        }
    }

    /// Sets warnings apart that the scenario accepts.
    pub(crate) fn accept(&mut self, accepts: &[Accept]) {
        for warning in std::mem::take(&mut self.warnings) {
            match accepted(accepts, warning.kind.name()) {
                None => self.warnings.push(warning),
                Some(accept) => self.accepted.push(AcceptedWarning {
                    warning,
                    because: accept.because.clone(),
                }),
            }
        }
    }

    /// All warnings, accepted or not.
    pub(crate) fn all_warnings(&self) -> impl Iterator<Item = &Warning> {
        let accepted = self.accepted.iter().map(|accepted| &accepted.warning);
        self.warnings.iter().chain(accepted)
    }

    /// The summary as one JSON document.
    pub fn to_json(&self) -> String {
        to_json(self)
    }
}

/// All notable links by id.
pub(crate) fn notable_links<L: Probe>(
    world: &World<(Delays, L)>,
    rows: &[LinkRow],
) -> Vec<LinkSummary> {
    links::notable_links(rows, world.model())
}

/// A row for each flow, including percentiles of delay.
pub fn flow_rows<L: Probe>(world: &World<(Delays, L)>) -> Vec<FlowRow> {
    let (delays, _) = world.probe();
    delays.complete_rows(world.flow_rows())
}

fn groups<L: Probe>(
    world: &World<(Delays, L)>,
    flows: &[FlowRow],
    links: &[LinkRow],
) -> Vec<GroupSummary> {
    let (delays, _) = world.probe();
    let measured_s = world.measured().as_secs_f64();
    let of_tcp = |rows: &[&FlowRow]| tcp::of_group(world, rows, links);
    let mut groups = flows::groups(flows, delays, measured_s, of_tcp);
    for (name, transfers) in transfers::by_group(world) {
        let group = groups.iter_mut().find(|group| group.group == name);
        group.expect("every group has its summary").transfers = Some(transfers);
    }
    for group in groups.iter_mut().filter(|group| group.tcp.is_some()) {
        group.job_s = world.job_time(&group.group).map(|time| time.as_secs_f64());
        group.rounds = RoundSummary::of(&world.round_times(&group.group));
    }
    let is_own = |flow: &Flow| {
        let Traffic::Tcp(tcp) = &flow.traffic else {
            return false;
        };
        tcp.transport.is_some() || matches!(tcp.load, Load::Messages(_))
    };
    let has_own = world.model().flows.iter().any(is_own);
    for group in groups.iter_mut().filter(|_| has_own) {
        let members = flows.iter().filter(|row| row.group == group.group);
        let ids = members.map(|row| FlowId(row.flow_id));
        group.end = means(ids.clone().flat_map(|flow| world.end_numbers(flow)));
        group.application = means(ids.flat_map(|flow| world.application_numbers(flow)));
    }
    groups
}

/// The means of numbers by name, over those that have a value.
fn means(
    numbers: impl Iterator<Item = (&'static str, Option<f64>)>,
) -> BTreeMap<&'static str, Option<f64>> {
    let mut sums: BTreeMap<&'static str, (f64, u32)> = BTreeMap::new();
    for (name, value) in numbers {
        let (sum, count) = sums.entry(name).or_default();
        *sum += value.unwrap_or(0.0);
        *count += u32::from(value.is_some());
    }
    let mean = |(sum, count): (f64, u32)| (count > 0).then(|| sum / f64::from(count));
    let means = sums.into_iter().map(|(name, found)| (name, mean(found)));
    means.collect()
}

/// The entities of a world with metrics, in its current state.
pub struct Parts {
    /// Summaries of the groups of flows.
    pub flows: Vec<GroupSummary>,
    /// Summaries of the notable links, by id.
    pub links: Vec<LinkSummary>,
    /// Summaries of the protected pairs.
    pub fec: Vec<FecSummary>,
    pub(crate) warnings: Vec<Warning>,
}

impl Parts {
    /// The entities of a world in its current state.
    pub fn of<L: Probe>(world: &World<(Delays, L)>) -> Parts {
        let links = world.link_rows();
        let flows = groups(world, &world.flow_rows(), &links);
        Parts {
            warnings: warnings::warnings(world, &flows, &links),
            flows,
            links: notable_links(world, &links),
            fec: fec::summaries(world),
        }
    }
}

/// A document as indented JSON with a final newline.
pub fn to_json(document: &impl Serialize) -> String {
    let mut json =
        serde_json::to_string_pretty(document).expect("our documents have string keys only");
    json.push('\n');
    json
}

/// A share of a whole; `None` if the whole is zero.
fn ratio(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}
