//! Signs that the numbers of a run may be misleading.

use std::collections::BTreeMap;

use pacesim::World;
use pacesim::measure::record::LinkRow;
use pacesim::model::{Load, Model, Sizes, Tcp, Traffic};
use pacesim::net::Probe;
use pacesim::units::{Capacity, LinkId};
use serde::Serialize;

use crate::summary::loads::asked_bps;
use crate::summary::{Bottleneck, GroupSummary, LimitedBy};

/// A wait in seconds at one port, beyond any network's design.
const STANDING_S: f64 = 1.0;
/// Growth of a queue, in packets and as a share of arrivals, below which it may be chance.
const GROWN_PKTS: u64 = 100;
const GROWN_SHARE: f64 = 0.01;
/// A queue that grows without bound is near its maximum when the run ends,
const AT_ITS_LONGEST: f64 = 0.9;
/// and on average half of its growth below that; a stationary one is near its maximum all the time.
const BELOW_ITS_LONGEST: f64 = 0.3;
/// The utilisation above which a pacer is the bottleneck and its delay a sign of overload.
const FULL: f64 = 0.99;
/// Shares of clipped sizes and of unfinished transfers below which means are hardly affected.
const CLIPPED: f64 = 1e-3;
const UNFINISHED: f64 = 0.05;
/// Share of the time from which on a window is the limit for most of it.
const MOST_OF_THE_TIME: f64 = 0.5;
/// Distance of a load from the one asked for, as a share of that, from which on it is another.
const MISSED_LOAD: f64 = 0.2;
/// Number of transfers below which a share says little.
const FEW_TRANSFERS: u64 = 20;

/// A finding to check before using the numbers of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Warning {
    /// Kind of the warning.
    pub kind: WarningKind,
    /// The number of ports, groups of flows or warm-ups.
    pub count: u64,
    /// Worst case, as text.
    pub text: String,
}

/// A warning that the scenario accepts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AcceptedWarning {
    /// Warning that is accepted.
    #[serde(flatten)]
    pub warning: Warning,
    /// Reason why the finding is right.
    pub because: String,
}

/// Kinds of warnings, one per paragraph: metric, meaning, and the metric's meaning.
macro_rules! warning_kinds {
    ($( $(#[$doc:meta])* $kind:ident $name:literal: $meaning:literal, $counted:literal; )*) => {
        /// The kinds of warnings.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
        #[serde(rename_all = "snake_case")]
        pub enum WarningKind {
            $( $(#[$doc])* $kind, )*
        }

        impl WarningKind {
            /// All kinds, in the order of their declaration.
            pub const ALL: &[WarningKind] = &[$( WarningKind::$kind ),*];

            /// Name of the metric that counts them: `run.run.NAME`.
            pub fn name(self) -> &'static str {
                match self { $( WarningKind::$kind => $name, )* }
            }

            /// Meaning of the kind in a few words, to follow "1 of 4 points:".
            pub fn meaning(self) -> &'static str {
                match self { $( WarningKind::$kind => $meaning, )* }
            }

            /// The meaning of the metric that counts them.
            pub(crate) fn counted(self) -> &'static str {
                match self { $( WarningKind::$kind => $counted, )* }
            }
        }
    };
}

warning_kinds! {
    /// Packets wait for seconds.
    StandingPorts "standing_ports": "packets wait at a port for a second or more",
        "Ports at which packets wait for seconds.";
    /// Unlimited queues or pacers that kept growing.
    GrowingPorts "growing_ports": "an unlimited queue or pacer grew all the time",
        "Unlimited queues or pacers that grew throughout.";
    /// Pacers that released the maximum.
    FullPacers "full_pacers": "a pacer released all it may",
        "Pacers that released the maximum.";
    /// Sizes that were clipped at an end of their range.
    ClippedGroups "clipped_groups": "sizes were clipped at an end of their range",
        "Groups whose sizes were clipped at an end of their range.";
    /// Many unfinished transfers.
    UnfinishedGroups "unfinished_groups": "more than 5 % of the transfers had not ended",
        "Groups with many transfers that had not ended.";
    /// Jobs that had not ended.
    UnfinishedJobs "unfinished_jobs": "a job had not ended",
        "Groups whose job had not ended.";
    /// A warm-up shorter than round-trip times.
    ShortWarmups "short_warmups": "the warm-up is shorter than round trips",
        "Warm-ups shorter than round trips.";
    /// Numbers whose halves of the measured time differ.
    Unsteady "unsteady": "the halves of the measured time differ",
        "Numbers that differ between the halves of the measured time.";
    /// Losses that come from few episodes.
    FewLosses "few_losses": "the loss of a link hangs on fewer than five episodes",
        "Links most of whose losses are from fewer than five episodes.";
    /// Flows that start in the measured time.
    LateFlows "late_flows": "flows start after the end of the warm-up",
        "Flows that start in the measured time.";
    /// Groups that send nothing.
    SilentGroups "silent_groups": "flows sent nothing",
        "Groups that sent nothing in the measured time.";
    /// Losses that are spread over equal flows as no chance would.
    PhasedLosses "phased_losses": "losses of flows alike hang on a phase (pacesim phases tells if numbers do)",
        "Sets of equal flows whose losses hang on a phase.";
    /// Ports that wait for each other in a circle of pauses.
    PausedCircles "paused_circles": "paused ports wait for each other in a circle",
        "1 if paused ports wait for each other in a circle at the end.";
    /// Scripted drops whose packets never came.
    MissedDrops "missed_drops": "packets that were to be dropped never came",
        "Links with packets to drop that never came.";
    /// Windows that are the limit of their senders.
    SmallWindows "small_windows": "the window of senders, and no line, is their limit",
        "Groups limited by their window for most of the time.";
    /// Queues that mark and never did.
    UnusedMarks "unused_marks": "no packet was marked, though queues mark and flows heed it",
        "Ports that mark, if flows heed marks and no port marked any packet.";
    /// Transfers at their own times that came out as another load.
    MissedLoads "missed_loads": "transfers came out as another load than asked for, by 20 % or more",
        "Groups whose transfers came out as another load than asked for.";
    /// No warm-up in front of closed loops.
    NoWarmup "no_warmup": "data without end is measured from the start of the run",
        "1 if data without end is measured from its start.";
}

impl WarningKind {
    /// True if the scenario shows it before it runs: `check` and `run` report it then.
    pub fn is_of_scenario(self) -> bool {
        matches!(self, WarningKind::LateFlows | WarningKind::NoWarmup)
    }

    /// True if it is about one run, and of no concern if there are several, whose interval says it.
    pub fn is_of_one_run(self) -> bool {
        matches!(self, WarningKind::FewLosses)
    }
}

/// Warnings of one kind, with the worst case.
struct WarningsOfKind {
    kind: WarningKind,
    count: u64,
    worst: Option<(f64, String)>,
}

impl WarningsOfKind {
    fn new(kind: WarningKind) -> WarningsOfKind {
        let (count, worst) = (0, None);
        WarningsOfKind { kind, count, worst }
    }

    fn add(&mut self, badness: f64, text: impl FnOnce() -> String) {
        self.count += 1;
        if self
            .worst
            .as_ref()
            .is_none_or(|(worst, _)| badness > *worst)
        {
            self.worst = Some((badness, text()));
        }
    }

    fn warning(self) -> Option<Warning> {
        let WarningsOfKind { kind, count, worst } = self;
        let (_, text) = worst?;
        let text = match count {
            1 => text,
            n => format!("{text}; and so with {} more", n - 1),
        };
        Some(Warning { kind, count, text })
    }
}

/// All warnings of the measured time.
pub(super) fn warnings<P: Probe>(
    world: &World<P>,
    groups: &[GroupSummary],
    links: &[LinkRow],
) -> Vec<Warning> {
    let model = world.model();
    let measured_s = world.measured().as_secs_f64();
    let mut standing = WarningsOfKind::new(WarningKind::StandingPorts);
    let mut growing = WarningsOfKind::new(WarningKind::GrowingPorts);
    let mut full = WarningsOfKind::new(WarningKind::FullPacers);
    let mut missed = WarningsOfKind::new(WarningKind::MissedDrops);
    for (i, (row, link)) in links.iter().zip(&model.links).enumerate() {
        note_standing(row, measured_s, &mut standing);
        let (pending, all) = (
            world.pending_drops(LinkId::from_index(i)),
            link.extras.drops.len(),
        );
        if pending > 0 {
            missed.add(pending as f64, || {
                format!(
                    "{pending} of the {all} packets to drop at {} never came",
                    row.link
                )
            });
        }
        if link.buffer.capacity == Capacity::Unlimited || link.extras.pacer.is_some() {
            note_growing(row, &mut growing);
        }
        if let Some(share) = row.pacer_utilisation.filter(|share| *share >= FULL) {
            let percent = share * 100.0;
            full.add(share, || {
                format!(
                    "the pacer of {} released {percent:.0} % of what it may: it is the bottleneck",
                    row.link
                )
            });
        }
    }
    let all = [standing, growing, full, missed, find_clipped_groups(model)];
    let of_groups = [
        find_unfinished_groups(groups),
        find_unfinished_jobs(model, groups),
        short_warmup(model, groups),
    ];
    let of_times = [
        find_late_flows(model),
        find_silent_groups(groups),
        no_warmup(model),
        paused_circle(world),
        find_small_windows(groups),
        find_unused_marks(model, links),
        find_missed_loads(model, groups),
    ];
    let of_groups = of_groups.into_iter().chain(of_times);
    let all = all.into_iter().chain(of_groups);
    all.filter_map(WarningsOfKind::warning).collect()
}

/// Warns of a port where packets wait long, in queue and pacer together, by Little's law.
fn note_standing(row: &LinkRow, measured_s: f64, standing: &mut WarningsOfKind) {
    let held = row.held_mean_pkts.unwrap_or(0.0);
    let waiting = row.queue_mean_pkts + held;
    let wait_s = waiting * measured_s / row.left_pkts.max(1) as f64;
    if waiting < 1.0 || wait_s < STANDING_S {
        return;
    }
    standing.add(wait_s, || {
        let by_pacer = match row.held_mean_pkts {
            Some(held) => format!(", {held:.0} of them held by its pacer"),
            None => String::new(),
        };
        format!(
            "packets wait {wait_s:.1} s at {}: {waiting:.0} on average{by_pacer}",
            row.link
        )
    });
}

fn note_growing(row: &LinkRow, growing: &mut WarningsOfKind) {
    // A packet held by a pacer may be dropped in a later window than its arrival.
    let came = row.arrived_pkts.saturating_sub(row.dropped_pkts);
    let grown = came.saturating_sub(row.left_pkts);
    let longest = row.queue_max_pkts.max(row.held_max_pkts.unwrap_or(0)) as f64;
    let is_much = grown >= GROWN_PKTS && grown as f64 >= GROWN_SHARE * came as f64;
    let mean = row.queue_mean_pkts + row.held_mean_pkts.unwrap_or(0.0);
    let is_rising = mean <= longest - BELOW_ITS_LONGEST * grown as f64;
    let is_longest = grown as f64 >= AT_ITS_LONGEST * longest;
    if row.dropped_pkts == 0 && is_much && is_longest && is_rising {
        growing.add(grown as f64, || {
            format!(
                "{grown} of the {came} packets that came to {} still wait there, where nothing limits them: \
                 it grew all the time",
                row.link
            )
        });
    }
}

fn find_clipped_groups(model: &Model) -> WarningsOfKind {
    let mut kind = WarningsOfKind::new(WarningKind::ClippedGroups);
    let mut last = None;
    for flow in &model.flows {
        let sizes = match &flow.traffic {
            Traffic::Poisson { size, .. } | Traffic::Bulks { size, .. } => size,
            _ => continue,
        };
        let (Sizes::Drawn(distribution), true) = (sizes, last != Some(&flow.group)) else {
            continue;
        };
        last = Some(&flow.group);
        let share = distribution.checked_sampler().at_most(0.5);
        if share >= CLIPPED {
            kind.add(share, || {
                let percent = share * 100.0;
                format!("{percent:.1} % of the sizes of {} are put to 1B: their mean is not the one asked for", flow.group)
            });
        }
    }
    kind
}

fn find_unfinished_groups(groups: &[GroupSummary]) -> WarningsOfKind {
    let mut kind = WarningsOfKind::new(WarningKind::UnfinishedGroups);
    for group in groups {
        let Some(transfers) = &group.transfers else {
            continue;
        };
        let (left, all) = (
            transfers.unfinished,
            transfers.finished + transfers.unfinished,
        );
        let share = left as f64 / all.max(1) as f64;
        if all >= FEW_TRANSFERS && share > UNFINISHED {
            kind.add(share, || {
                format!(
                    "{left} of the {all} transfers of {} had not ended, and count for no time: \
                     the long ones are missing",
                    group.group
                )
            });
        }
    }
    kind
}

/// Warns of jobs whose last transfers had not arrived: their time is not known, and rounds that had not ended
/// count for none.
fn find_unfinished_jobs(model: &Model, groups: &[GroupSummary]) -> WarningsOfKind {
    let mut kind = WarningsOfKind::new(WarningKind::UnfinishedJobs);
    let mut transfers: BTreeMap<&str, usize> = BTreeMap::new();
    for flow in model.flows.iter().filter(|flow| tasks(&flow.traffic) > 0) {
        *transfers.entry(&flow.group).or_default() += tasks(&flow.traffic);
    }
    for group in groups.iter().filter(|group| group.job_s.is_none()) {
        let name = &group.group;
        let Some(all) = transfers.get(&**name) else {
            continue;
        };
        kind.add(*all as f64, || {
            let rounds = group.rounds.rounds;
            let rounds = rounds.map_or(String::new(), |rounds| format!(" after {rounds} rounds"));
            format!("the job of {name}, of {all} transfers, had not ended{rounds}: a longer run would show its time")
        });
    }
    kind
}

/// The number of transfers in the job of a flow with this traffic.
fn tasks(traffic: &Traffic) -> usize {
    match traffic {
        Traffic::Tcp(Tcp {
            load: Load::Tasks(tasks),
            ..
        }) => tasks.len(),
        _ => 0,
    }
}

/// Warns of flows that start in the measured time.
fn find_late_flows(model: &Model) -> WarningsOfKind {
    let mut kind = WarningsOfKind::new(WarningKind::LateFlows);
    for flow in model.flows.iter().filter(|flow| flow.is_late(model)) {
        kind.add(flow.start.as_secs_f64(), || {
            format!(
                "{}[{}] starts at {} s, in the measured time, which holds a time without it",
                flow.group,
                flow.index,
                flow.start.as_secs_f64()
            )
        });
    }
    kind
}

/// Warns of ports that wait for each other, which may last for ever.
fn paused_circle<P: Probe>(world: &World<P>) -> WarningsOfKind {
    let mut kind = WarningsOfKind::new(WarningKind::PausedCircles);
    if let Some(circle) = world.paused_circle() {
        let name = |link: &LinkId| world.model().links[link.index()].name.to_string();
        let names: Vec<String> = circle.iter().map(name).collect();
        kind.add(1.0, || {
            format!(
                "paused ports wait for each other in a circle, and none may ever send again: {}",
                names.join(", ")
            )
        });
    }
    kind
}

/// Warns of groups of which nothing was sent.
fn find_silent_groups(groups: &[GroupSummary]) -> WarningsOfKind {
    let mut kind = WarningsOfKind::new(WarningKind::SilentGroups);
    for group in groups.iter().filter(|group| group.sent_pkts == 0) {
        let text = || format!("{} sent nothing in the measured time", group.group);
        kind.add(group.flows as f64, text);
    }
    kind
}

/// Warns of groups whose window is their limit: the path could carry more.
fn find_small_windows(groups: &[GroupSummary]) -> WarningsOfKind {
    let mut kind = WarningsOfKind::new(WarningKind::SmallWindows);
    for group in groups {
        let limit = group.tcp.as_ref().and_then(|tcp| tcp.limited_by.as_ref());
        let by_window = |limit: &&LimitedBy| {
            limit.what == Bottleneck::Window && limit.share >= MOST_OF_THE_TIME
        };
        let Some(limit) = limit.filter(by_window) else {
            continue;
        };
        kind.add(limit.share, || {
            let packets = limit.which.as_ref();
            let packets = packets.map_or(String::new(), |packets| format!(" of {packets} packets"));
            let percent = limit.share * 100.0;
            format!(
                "{} is limited by its window{packets} for {percent:.0} % of the time, while no line on its path is full: \
                 a larger window would carry more",
                group.group
            )
        });
    }
    kind
}

/// Warns of marks that never came, in a network with flows that heed them.
fn find_unused_marks(model: &Model, links: &[LinkRow]) -> WarningsOfKind {
    let mut kind = WarningsOfKind::new(WarningKind::UnusedMarks);
    let are_heeded = || model.flows.iter().any(|flow| flow.ecn_field().is_capable());
    if links.iter().any(|row| row.marked_pkts > 0) || !are_heeded() {
        return kind;
    }
    for (row, link) in links.iter().zip(&model.links) {
        if link.extras.marks() && row.arrived_pkts > 0 {
            kind.add(row.queue_mean_pkts, || {
                let (name, longest) = (&row.link, row.queue_max_pkts);
                let from = link.extras.mark.map_or(String::new(), |mark| format!(" from {mark} on"));
                format!("no packet was marked, though {name} marks{from}: at most {longest} packets waited there")
            });
        }
    }
    kind
}

/// Warns of transfers at their own times whose bytes on the wire are not those that the load asks for.
fn find_missed_loads(model: &Model, groups: &[GroupSummary]) -> WarningsOfKind {
    let mut kind = WarningsOfKind::new(WarningKind::MissedLoads);
    let asked = asked_bps(model);
    for group in groups {
        let (Some(asked), Some(sent)) = (asked.get(&*group.group), group.offered_bps) else {
            continue;
        };
        let off = (sent / asked - 1.0).abs();
        if off >= MISSED_LOAD {
            kind.add(off, || {
                let [sent, asked] = [sent, *asked].map(|bps| bps / 1e6);
                format!(
                    "{} sent {sent:.3} Mbps, and its transfers are to be {asked:.3} Mbps on average: \
                     few of them carry most of it, or they are sent again or late",
                    group.group
                )
            });
        }
    }
    kind
}

/// Closed loops that are measured from their start.
fn no_warmup(model: &Model) -> WarningsOfKind {
    let mut kind = WarningsOfKind::new(WarningKind::NoWarmup);
    let mut endless = model.flows.iter().filter(|flow| flow.is_endless_loop());
    if let Some(flow) = endless.next().filter(|_| model.warmup.is_zero()) {
        kind.add(1.0, || {
            format!(
                "there is no warm-up: the slow start of {} is measured too",
                flow.group
            )
        });
    }
    kind
}

/// A run without any warm-up includes its beginning on purpose.
fn short_warmup(model: &Model, groups: &[GroupSummary]) -> WarningsOfKind {
    let mut kind = WarningsOfKind::new(WarningKind::ShortWarmups);
    let round_trips = groups.iter().filter_map(|group| {
        let round_trip = group.tcp.as_ref()?.rtt_p99_s?;
        Some((round_trip, group))
    });
    let longest = round_trips.max_by(|a, b| a.0.total_cmp(&b.0));
    if let Some((round_trip, group)) = longest
        && !model.warmup.is_zero()
        && model.warmup.as_secs_f64() < round_trip
    {
        kind.add(round_trip, || {
            format!(
                "the warm-up of {} is shorter than round trips of {} (1 % take {:.0} ms or more)",
                model.warmup,
                group.group,
                round_trip * 1e3
            )
        });
    }
    kind
}
