//! Transfers that arrive for a whole group of flows: their rate, and each flow's share.

use pacesim_keys::{Arrivals, Pace, RecordedTransfers, Scenario, Unit};
use pacesim_model::range::DELAY;
use pacesim_model::{Distribution, Link, Load, Pause, PauseFrom, Schedule, Tcp, Transfers};
use pacesim_recordings::recording::{Recording, RecordingError};
use pacesim_tcp::Amount;
use pacesim_units::{LinkId, Rate, Span};

use crate::resolve::Plan;

/// The mean time between transfers of the whole group, in picoseconds. A load refers to a link of
/// this rate.
fn mean_gap_ps(pace: &Pace, wire_bytes: f64, line: Option<Rate>) -> f64 {
    let ps = match (pace.every, pace.load, line) {
        (Some(every), _, _) => every.as_ps() as f64,
        (None, Some(load), Some(line)) => wire_bytes * 8.0 / (load * line.as_bps() as f64) * 1e12,
        // This happens only while a scenario is being checked; the check reports the missing part.
        _ => 1e12,
    };
    ps.clamp(1.0, DELAY.most.to_number())
}

/// The loads of the members of a group of `count` flows.
pub(crate) fn of_members(
    arrivals: &Arrivals,
    tcp: &Tcp,
    line: Option<Rate>,
    count: usize,
) -> Vec<Load> {
    let Load::Transfers(transfers) = &tcp.load else {
        return vec![tcp.load.clone(); count];
    };
    let wire_bytes = arrivals.mean_wire_bytes(tcp);
    let gap = |pace| mean_gap_ps(pace, wire_bytes, line);
    let exponential = |pace| {
        Pause::Drawn(Distribution::Exponential {
            mean: gap(pace) * count as f64,
        })
    };
    let member = |i: usize| match arrivals {
        Arrivals::Poisson(pace) => {
            let pause = [exponential(pace), exponential(pace)];
            spaced(transfers, pause, PauseFrom::Start).into()
        }
        // The rest of a thinking time of users who have always been there has the same law.
        Arrivals::Users(pace) => {
            let pause = [exponential(pace), exponential(pace)];
            spaced(transfers, pause, PauseFrom::LastAck).into()
        }
        Arrivals::Periodic(pace) => {
            let span = |turns: usize| Pause::Constant(DELAY.nearest(gap(pace) * turns as f64));
            spaced(transfers, [span(i), span(count)], PauseFrom::Start).into()
        }
        Arrivals::Recorded(recorded) => {
            let recording = at_pace(recorded, wire_bytes, line);
            let recording = recording
                .expect("a recording whose pace was checked")
                .arrivals;
            let own = recording.iter().skip(i).step_by(count);
            Load::Scheduled(Schedule {
                list: own.map(|row| (row.at, Amount::Bytes(row.size))).collect(),
                connection: transfers.connection,
                recording: Some(Box::new(recording)),
            })
        }
    };
    (0..count).map(member).collect()
}

/// A recording with the pace that its keys ask for. A load refers to a link of this rate.
pub(crate) fn at_pace(
    recorded: &RecordedTransfers,
    wire_bytes: f64,
    line: Option<Rate>,
) -> Result<Recording, RecordingError> {
    let recording = &recorded.file.recording;
    if !recorded.pace.is_given() {
        return Ok(recording.clone());
    }
    let gap = mean_gap_ps(&recorded.pace, wire_bytes, line);
    recording.lasting(Span::from_number(gap * recording.arrivals.len() as f64))
}

fn spaced(transfers: &Transfers, [first, pause]: [Pause; 2], pause_from: PauseFrom) -> Transfers {
    Transfers {
        first,
        pause,
        pause_from,
        ..transfers.clone()
    }
}

/// The rate of some links together; `None` for none.
pub(crate) fn capacity(loaded: &[LinkId], links: &[Link]) -> Option<Rate> {
    let rates = loaded.iter().map(|link| links[link.index()].rate.as_bps());
    Rate::from_bps(rates.fold(0, u64::saturating_add))
}

/// Transfers that arrive for a group, or for the others in it.
pub(crate) struct Flood<'s> {
    /// Path of the key.
    pub(crate) path: String,
    /// Index of the group of flows.
    pub(crate) group: usize,
    pub(crate) pace: &'s Pace,
    /// True for users, who wait for their transfers.
    pub(crate) waits: bool,
    /// The links to which the load refers, if it was given so.
    pub(crate) links: &'s [LinkId],
    /// The time of the last one, if they come from a file.
    pub(crate) last: Option<Span>,
    gap_ps: f64,
    wire_bytes: f64,
}

/// All such transfers of a scenario except those at the times of files.
pub(crate) fn floods<'s>(scenario: &'s Scenario, plan: &'s Plan, links: &[Link]) -> Vec<Flood<'s>> {
    let mut all = Vec::new();
    for (group, flow) in scenario.flows.iter().enumerate() {
        let Some(traffic) = flow.traffic.connections() else {
            continue;
        };
        let others = traffic
            .others
            .as_ref()
            .filter(|_| !traffic.shares_arrivals());
        let of_others = others.map(|others| ("others.", &others.tcp, others.arrivals.as_ref()));
        let of_group = ("", &traffic.tcp, traffic.arrivals.as_ref());
        let loaded = plan.loaded[group].iter();
        for ((within, tcp, arrivals), loaded) in [Some(of_group), of_others]
            .into_iter()
            .flatten()
            .zip(loaded)
        {
            let Some(arrivals) = arrivals.filter(|arrivals| arrivals.pace().is_given()) else {
                continue;
            };
            let waits = matches!(arrivals, Arrivals::Users(_));
            let line = capacity(loaded, links);
            let wire_bytes = arrivals.mean_wire_bytes(tcp);
            let last = match arrivals {
                Arrivals::Recorded(recorded) => at_pace(recorded, wire_bytes, line).ok(),
                _ => None,
            };
            all.push(Flood {
                path: format!("flow[{group}].traffic.{within}transfers.arrivals"),
                group,
                pace: arrivals.pace(),
                waits,
                links: loaded,
                last: last.and_then(|recording| Some(recording.arrivals.last()?.at)),
                gap_ps: mean_gap_ps(arrivals.pace(), wire_bytes, line),
                wire_bytes,
            });
        }
    }
    all
}

impl Flood<'_> {
    /// The mean rate offered, on the wire, without retransmissions and ACKs.
    pub(crate) fn bps(&self) -> f64 {
        self.wire_bytes * 8.0 / self.gap_ps * 1e12
    }

    /// True if all flows of the group carry them.
    pub(crate) fn is_of_all(&self, scenario: &Scenario) -> bool {
        let traffic = scenario.flows[self.group].traffic.connections();
        traffic.is_some_and(|traffic| traffic.others.is_none())
    }

    /// Description for use in a sentence.
    pub(crate) fn in_words(&self) -> String {
        let rate = self.bps() / 1e6;
        let limit = if self.waits {
            " if they take no time"
        } else {
            ""
        };
        format!(
            "a transfer every {} over the group, {:.1} B on the wire each: {rate:.3} Mbps are offered{limit}",
            Span::from_number(self.gap_ps),
            self.wire_bytes
        )
    }
}
