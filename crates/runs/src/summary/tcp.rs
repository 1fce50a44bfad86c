//! TCP senders of a group of flows, and the limits that kept them from sending more.

use pacesim::World;
use pacesim::measure::Quantiles;
use pacesim::measure::record::{FlowRow, LinkRow};
use pacesim::net::Probe;
use pacesim::units::{FlowId, LinkId};
use serde::Serialize;

use crate::summary::links::SATURATED;
use crate::summary::ratio;
use crate::summary::transfers::transfer_goodput_bps;

/// The TCP senders of a group in the measured time. Shares refer to the time in which its flows
/// were present.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TcpSummary {
    /// Number of retransmitted packets.
    pub retransmitted_pkts: u64,
    /// Share of retransmissions among all packets sent.
    pub retransmitted_ratio: Option<f64>,
    /// Number of retransmission time-outs.
    pub timeouts: u64,
    /// Number of times that a sender entered fast recovery.
    pub fast_recoveries: u64,
    /// Number of answers that told senders of marks (CNPs), if these are not TCP.
    pub cnps: Option<u64>,
    /// Number of answers that told senders of a missing packet (NACKs), if these are not TCP.
    pub nacks: Option<u64>,
    /// Mean round-trip time measured by the senders.
    pub rtt_mean_s: Option<f64>,
    /// Number of round trips that the senders measured.
    pub rtt_samples: u64,
    /// 99th percentile of the round-trip time.
    pub rtt_p99_s: Option<f64>,
    /// Share of time limited by the receiver's window.
    pub window_limited: Option<f64>,
    /// Share of time limited by the congestion window, loss recovery or a time-out.
    pub congestion_limited: Option<f64>,
    /// Share of time in which all data handed over had been sent.
    pub data_limited: Option<f64>,
    /// Share of time limited by the sender's own pacing.
    pub pacing_limited: Option<f64>,
    /// Mean over flows of the payload delivered per second with data in progress.
    pub(crate) transfer_goodput_bps: Option<f64>,
    /// Share of the time with data in progress in which the congestion window was below the
    /// slow-start threshold.
    pub slow_start: Option<f64>,
    /// The dominant limit of the group; null if none of its flows was present.
    pub limited_by: Option<LimitedBy>,
}

/// The limit that took the largest share of a group's time.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LimitedBy {
    /// Limit on sending.
    pub what: Bottleneck,
    /// The line's name, or the window in packets if all share it.
    pub which: Option<String>,
    /// Share of the time that the limit applied.
    pub share: f64,
}

/// The limits on a flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Bottleneck {
    /// A window, the receiver's or the congestion window, with a full line on the path: a larger
    /// window would only lengthen the queue.
    Line,
    /// The receiver's window, with no full line on the path.
    Window,
    /// The congestion window of a flow that loses packets, or loss recovery.
    Loss,
    /// The congestion window of a flow without losses, still growing.
    Growth,
    /// The data that the application has to send.
    Data,
    /// The sender's own pacing.
    Pacing,
    /// A window, with a pacer on the path that releases all it may, and no full line.
    Pacer,
}

/// The summary of these flows; `None` if they are not TCP.
pub(super) fn of_group<P: Probe>(
    world: &World<P>,
    rows: &[&FlowRow],
    links: &[LinkRow],
) -> Option<TcpSummary> {
    let round_trips = round_trips(world, rows)?;
    let count = |of: fn(&FlowRow) -> u64| rows.iter().map(|row| of(row)).sum::<u64>();
    let weighted =
        |of: fn(&FlowRow) -> Option<f64>, weight: fn(&FlowRow) -> f64| mean(rows, of, weight);
    let of_time = |of| weighted(of, time);
    let retransmitted_pkts = count(|row| row.retransmitted_pkts);
    Some(TcpSummary {
        retransmitted_pkts,
        retransmitted_ratio: ratio(retransmitted_pkts, count(|row| row.sent_pkts)),
        timeouts: count(|row| row.timeouts),
        fast_recoveries: count(|row| row.fast_recoveries),
        cnps: rows
            .iter()
            .filter_map(|row| row.cnps)
            .reduce(u64::wrapping_add),
        nacks: rows
            .iter()
            .filter_map(|row| row.nacks)
            .reduce(u64::wrapping_add),
        rtt_mean_s: weighted(|row| row.rtt_mean_s, |row| row.rtt_samples as f64),
        rtt_samples: count(|row| row.rtt_samples),
        rtt_p99_s: round_trips.quantile(0.99).map(|ps| ps as f64 / 1e12),
        window_limited: of_time(|row| row.window_limited),
        congestion_limited: of_time(|row| row.congestion_limited),
        data_limited: of_time(|row| row.data_limited),
        pacing_limited: of_time(|row| row.pacing_limited),
        transfer_goodput_bps: transfer_goodput_bps(rows),
        slow_start: weighted(|row| row.slow_start, |row| row.transfer_s.unwrap_or(0.0)),
        limited_by: limited_by(world, rows, links),
    })
}

fn round_trips<P: Probe>(world: &World<P>, rows: &[&FlowRow]) -> Option<Quantiles> {
    let of_flow = |row: &&FlowRow| world.round_trips(FlowId(row.flow_id));
    let mut all = rows.iter().filter_map(of_flow);
    let mut sum = all.next()?.clone();
    all.for_each(|more| sum.merge(more));
    Some(sum)
}

/// The time in which a flow was present, in picoseconds.
fn time(row: &FlowRow) -> f64 {
    (row.until_ps - row.from_ps) as f64
}

/// The weighted mean of the defined values.
fn mean(
    rows: &[&FlowRow],
    of: fn(&FlowRow) -> Option<f64>,
    weight: fn(&FlowRow) -> f64,
) -> Option<f64> {
    let numbers = rows.iter().filter_map(|row| Some((of(row)?, weight(row))));
    let (sum, all) = numbers.fold((0.0, 0.0), |(sum, all), (x, w)| (sum + x * w, all + w));
    (all > 0.0).then(|| sum / all)
}

/// The sum of flows' times at each bottleneck, with the lines and windows concerned.
#[derive(Default)]
struct BottleneckTimes {
    spent: Vec<(Bottleneck, f64)>,
    line: Option<(f64, LinkId)>,
    pacer: Option<(f64, LinkId)>,
    windows: Vec<f64>,
}

fn limited_by<P: Probe>(
    world: &World<P>,
    rows: &[&FlowRow],
    links: &[LinkRow],
) -> Option<LimitedBy> {
    let mut times = BottleneckTimes::default();
    for row in rows {
        times.add(world, row, links);
    }
    let all: f64 = times.spent.iter().map(|(_, time)| time).sum();
    let most = times.spent.iter().max_by(|a, b| a.1.total_cmp(&b.1));
    let (what, time) = *most.filter(|_| all > 0.0)?;
    let name = |(_, link): (f64, LinkId)| links[link.index()].link.clone();
    let same = times.windows.windows(2).all(|pair| pair[0] == pair[1]);
    let window = times.windows.first().filter(|_| same);
    Some(LimitedBy {
        what,
        which: match what {
            Bottleneck::Line => times.line.map(name),
            Bottleneck::Pacer => times.pacer.map(name),
            Bottleneck::Window => window.map(f64::to_string),
            _ => None,
        },
        share: time / all,
    })
}

impl BottleneckTimes {
    fn add<P: Probe>(&mut self, world: &World<P>, row: &FlowRow, links: &[LinkRow]) {
        let flow = FlowId(row.flow_id);
        let (of_flow, path) = (&world.model().flows[flow.index()], world.path(flow));
        let path: Vec<LinkId> = path.collect();
        let fullest = |load: &dyn Fn(LinkId) -> f64| {
            let loads = of_flow.surely_passed(&path).map(|link| (load(link), link));
            loads
                .filter(|(load, _)| *load >= SATURATED)
                .max_by(|a, b| a.0.total_cmp(&b.0))
        };
        let full = fullest(&|link| links[link.index()].utilisation);
        let paced = fullest(&|link| links[link.index()].pacer_utilisation.unwrap_or(0.0));
        let lossless = row.dropped_pkts + row.lost_pkts == 0;
        let (window, congestion) = match (full, paced) {
            (Some(_), _) => (Bottleneck::Line, Bottleneck::Line),
            (None, Some(_)) => (Bottleneck::Pacer, Bottleneck::Pacer),
            (None, None) if lossless => (Bottleneck::Window, Bottleneck::Growth),
            (None, None) => (Bottleneck::Window, Bottleneck::Loss),
        };
        let mut spend = |what, share: Option<f64>| self.spend(what, share, time(row));
        spend(window, row.window_limited);
        spend(congestion, row.congestion_limited);
        spend(Bottleneck::Data, row.data_limited);
        spend(Bottleneck::Pacing, row.pacing_limited);
        let fuller = |a: (f64, LinkId), b: (f64, LinkId)| if b.0 > a.0 { b } else { a };
        self.line = self.line.into_iter().chain(full).reduce(fuller);
        self.pacer = self.pacer.into_iter().chain(paced).reduce(fuller);
        if let Some(tcp) = world.model().flows[flow.index()].traffic.tcp() {
            self.windows.push(tcp.config.window_cap);
        }
    }

    fn spend(&mut self, what: Bottleneck, share: Option<f64>, time: f64) {
        let spent = share.unwrap_or(0.0) * time;
        match self.spent.iter_mut().find(|(known, _)| *known == what) {
            Some((_, sum)) => *sum += spent,
            None => self.spent.push((what, spent)),
        }
    }
}
