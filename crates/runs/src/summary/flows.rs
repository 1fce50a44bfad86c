//! The summary of a group of flows.

use std::collections::BTreeMap;

use pacesim::delays::Delays;
use pacesim::measure::record::FlowRow;
use pacesim::measure::{Quantiles, jain};
use pacesim::units::Span;
use serde::Serialize;

use crate::summary::{TcpSummary, TransferSummary, ratio};

/// The summary of a group of flows in the measured time.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GroupSummary {
    /// Name of the group.
    pub group: String,
    /// Number of flows in the group.
    pub flows: u64,
    /// The time within the measured time from the start of its first flow to the end of its last,
    /// in seconds.
    pub active_s: f64,
    /// That time as a share of the measured time.
    pub present_ratio: f64,
    /// Number of packets that the sources sent.
    pub sent_pkts: u64,
    /// Number of packets that reached their receivers.
    pub delivered_pkts: u64,
    /// Packets marked at ports, counted once for each port that marked them.
    pub marked_pkts: u64,
    /// Packets of known fate, the denominator of the loss ratio.
    pub settled_pkts: u64,
    /// Rate of the bytes that its sources sent, summed over flows, during the group's active time,
    /// as for the rates below; null if it was never present.
    pub offered_bps: Option<f64>,
    /// Rate of the bytes that arrived, headers and retransmissions included.
    pub throughput_bps: Option<f64>,
    /// Rate of the payload bytes that arrived, each counted once.
    pub goodput_bps: Option<f64>,
    /// Packets dropped or lost and not repaired, divided by these plus those delivered.
    pub loss_ratio: Option<f64>,
    /// Mean delay from sender to receiver.
    pub delay_mean_s: Option<f64>,
    /// Median of the delay.
    pub delay_p50_s: Option<f64>,
    /// 99th percentile of the delay.
    pub delay_p99_s: Option<f64>,
    /// Greatest delay from sender to receiver.
    pub delay_max_s: Option<f64>,
    /// Jain's index of the goodputs of the flows that were present: 1 if all are equal, 1/n if one
    /// has everything.
    pub jain_index: Option<f64>,
    /// The group's TCP senders, if its flows are TCP.
    pub tcp: Option<TcpSummary>,
    /// Summary of the group's transfers, if it had any.
    pub transfers: Option<TransferSummary>,
    /// The time from its first start to the arrival of the last transfer of its job; null if it has
    /// none, or if not all have arrived.
    pub job_s: Option<f64>,
    /// The rounds of its job; nulls without rounds.
    #[serde(flatten)]
    pub rounds: RoundSummary,
    /// Numbers of its sending ends by name, means over flows, if its transport is a user's own and
    /// declares any.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub end: BTreeMap<&'static str, Option<f64>>,
    /// Numbers of its application by name, means over the flows that have them, if that is a user's
    /// own and declares any.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub application: BTreeMap<&'static str, Option<f64>>,
}

/// The rounds of a job that ended, each from its first start to its last arrival, without those that
/// began in the warm-up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct RoundSummary {
    /// Their number.
    pub rounds: Option<u64>,
    /// Mean time of a round.
    pub round_mean_s: Option<f64>,
    /// Median of the times.
    pub round_p50_s: Option<f64>,
    /// 99th percentile of the times.
    pub round_p99_s: Option<f64>,
    /// The longest time.
    pub round_max_s: Option<f64>,
}

impl RoundSummary {
    /// The summary of these times.
    pub(super) fn of(times: &[Span]) -> RoundSummary {
        if times.is_empty() {
            return RoundSummary::default();
        }
        let mut all = Quantiles::new();
        times.iter().for_each(|time| all.add(time.as_ps()));
        let seconds = |q: f64| all.quantile(q).map(|ps| Span::from_ps(ps).as_secs_f64());
        let sum: f64 = times.iter().map(|time| time.as_secs_f64()).sum();
        RoundSummary {
            rounds: Some(all.count()),
            round_mean_s: Some(sum / times.len() as f64),
            round_p50_s: seconds(0.5),
            round_p99_s: seconds(0.99),
            round_max_s: seconds(1.0),
        }
    }
}

/// The groups in order of first appearance.
pub(super) fn groups(
    rows: &[FlowRow],
    delays: &Delays,
    measured_s: f64,
    tcp: impl Fn(&[&FlowRow]) -> Option<TcpSummary>,
) -> Vec<GroupSummary> {
    let mut groups: Vec<(&str, Vec<&FlowRow>)> = Vec::new();
    for row in rows {
        // The flows of a group are adjacent.
        match groups.last_mut() {
            Some((name, members)) if *name == row.group => members.push(row),
            _ => groups.push((&row.group, vec![row])),
        }
    }
    let summary = |(name, members): &(&str, Vec<&FlowRow>)| GroupSummary {
        tcp: tcp(members),
        ..group(name, members, delays, measured_s)
    };
    groups.iter().map(summary).collect()
}

fn group(name: &str, rows: &[&FlowRow], delays: &Delays, measured_s: f64) -> GroupSummary {
    let count = |of: fn(&FlowRow) -> u64| rows.iter().map(|row| of(row)).sum::<u64>();
    let active_s = active_s(rows);
    let rate =
        |of: fn(&FlowRow) -> u64| (active_s > 0.0).then(|| count(of) as f64 * 8.0 / active_s);
    let delivered_pkts = count(|row| row.delivered_pkts);
    let gone = count(|row| row.dropped_pkts + row.lost_pkts);
    let repaired = count(|row| row.repaired_pkts);
    // Each packet once: a repair takes back a loss, possibly one before these statistics.
    let settled_pkts = (delivered_pkts + gone).saturating_sub(repaired);
    let gone = gone.saturating_sub(repaired);
    let present = rows.iter().filter(|row| row.until_ps > row.from_ps);
    let goodputs: Vec<f64> = present.map(|row| row.goodput_bps).collect();
    let distribution = delays.of_all(rows.iter().copied());
    let quantile_s = |q| distribution.quantile(q).map(|ns| ns as f64 / 1e9);
    GroupSummary {
        group: name.to_owned(),
        flows: rows.len() as u64,
        active_s,
        present_ratio: if measured_s > 0.0 {
            active_s / measured_s
        } else {
            0.0
        },
        sent_pkts: count(|row| row.sent_pkts),
        delivered_pkts,
        marked_pkts: count(|row| row.marked_pkts),
        settled_pkts,
        offered_bps: rate(|row| row.sent_bytes),
        throughput_bps: rate(|row| row.delivered_bytes),
        goodput_bps: rate(|row| row.goodput_bytes),
        loss_ratio: ratio(gone, settled_pkts),
        delay_mean_s: mean_delay_s(rows),
        delay_p50_s: quantile_s(0.5),
        delay_p99_s: quantile_s(0.99),
        delay_max_s: quantile_s(1.0),
        jain_index: jain(&goodputs),
        tcp: None,
        transfers: None,
        job_s: None,
        rounds: RoundSummary::default(),
        end: BTreeMap::new(),
        application: BTreeMap::new(),
    }
}

/// The time from the start of the first flow to the end of the last.
fn active_s(rows: &[&FlowRow]) -> f64 {
    let present = rows.iter().filter(|row| row.until_ps > row.from_ps);
    let times = present.map(|row| (row.from_ps, row.until_ps));
    let all = times.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)));
    all.map_or(0.0, |(from, until)| (until - from) as f64 / 1e12)
}

/// The mean delay over all packets of all flows.
fn mean_delay_s(rows: &[&FlowRow]) -> Option<f64> {
    let weighted = |row: &&FlowRow| Some((row.delay_mean_s?, row.delivered_pkts as f64));
    let (sum, packets) = rows
        .iter()
        .filter_map(weighted)
        .fold((0.0, 0.0), |(sum, all), (mean, n)| {
            (sum + mean * n, all + n)
        });
    (packets > 0.0).then(|| sum / packets)
}

#[cfg(test)]
mod tests {
    use super::*;
    use pacesim::units::Time;

    fn row(flow: u32, group: &str, delivered: u64, delay: Option<f64>) -> FlowRow {
        FlowRow {
            flow_id: flow,
            group: group.into(),
            until_ps: 2_000_000_000_000,
            sent_pkts: 10,
            sent_bytes: 10_000,
            delivered_pkts: delivered,
            dropped_pkts: 10 - delivered,
            goodput_bps: delivered as f64,
            delay_mean_s: delay,
            ..FlowRow::default()
        }
    }

    #[test]
    fn groups_sum_rates_and_weigh_delays_by_packets() {
        let rows = [
            row(0, "a", 9, Some(1e-3)),
            row(1, "a", 1, Some(11e-3)),
            row(2, "b", 0, None),
        ];
        let groups = groups(&rows, &Delays::new(3, Time::ZERO), 10.0, |_| None);
        assert_eq!(groups.len(), 2);
        let (a, b) = (&groups[0], &groups[1]);
        assert_eq!((a.flows, a.sent_pkts, a.delivered_pkts), (2, 20, 10));
        assert_eq!(a.offered_bps, Some(80_000.0));
        assert_eq!(a.loss_ratio, Some(0.5));
        assert_eq!(a.delay_mean_s, Some(2e-3));
        assert_eq!(a.jain_index, Some(100.0 / (2.0 * 82.0)));
        assert_eq!(
            (b.loss_ratio, b.delay_mean_s, b.delay_p99_s),
            (Some(1.0), None, None)
        );
    }

    #[test]
    fn rates_are_over_the_time_that_the_group_was_there() {
        const SECOND: u64 = 1_000_000_000_000;
        let flow = |place: u32, from: u64, until: u64| FlowRow {
            from_ps: from * SECOND,
            until_ps: until * SECOND,
            goodput_bytes: 1000,
            goodput_bps: match until - from {
                0 => 0.0,
                seconds => 8000.0 / seconds as f64,
            },
            ..row(place, "a", 5, None)
        };
        // One after the other, and one that starts after the end of the run.
        let rows = [flow(0, 10, 12), flow(1, 12, 14), flow(2, 60, 60)];
        let groups_of = |rows: &[FlowRow]| {
            let mut groups = groups(rows, &Delays::new(3, Time::ZERO), 10.0, |_| None);
            groups.swap_remove(0)
        };
        let group = groups_of(&rows);
        assert_eq!((group.active_s, group.offered_bps), (4.0, Some(60_000.0)));
        assert_eq!(group.present_ratio, 0.4);
        assert_eq!(group.goodput_bps, Some(6000.0));
        let never = groups_of(&[flow(0, 60, 60)]);
        assert_eq!((never.offered_bps, never.goodput_bps), (None, None));
        assert_eq!(group.jain_index, Some(1.0), "of those that were there");
    }
}
