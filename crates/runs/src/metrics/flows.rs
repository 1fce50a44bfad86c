//! The numbers of a group of flows.

use super::declared::Declared;
use crate::summary::{GroupSummary, TcpSummary, TransferSummary};

pub(super) const NUMBERS: &[Declared<GroupSummary>] = &[
    Declared::new(
        "offered_bps",
        "Bits that the sources sent a second, over the time that the group was there, as of the other rates.",
        |group| Some(group.offered_bps),
    ),
    Declared::new(
        "throughput_bps",
        "Bits that arrived a second, headers and retransmissions included.",
        |group| Some(group.throughput_bps),
    ),
    Declared::new(
        "goodput_bps",
        "Payload bits that arrived a second, each counted once.",
        |group| Some(group.goodput_bps),
    ),
    Declared::new(
        "flow_goodput_bps",
        "The goodput over the number of flows.",
        |group| Some(group.goodput_bps / group.flows as f64),
    ),
    Declared::new(
        "settled_pkts",
        "Packets whose fate is known: delivered, dropped or lost.",
        |group| Some(group.settled_pkts as f64),
    ),
    Declared::new(
        "marked_pkts",
        "Packets marked at ports, each once for every port that marked it.",
        |group| Some(group.marked_pkts as f64),
    ),
    Declared::share(
        "loss_ratio",
        "Packets dropped or lost, and not repaired, over those whose fate is known.",
        "settled_pkts",
        |group| group.loss_ratio,
    ),
    Declared::new(
        "delay_mean_s",
        "Mean delay of packets from sender to receiver.",
        |group| group.delay_mean_s,
    ),
    Declared::new("delay_p50_s", "Median delay of packets.", |group| {
        group.delay_p50_s
    }),
    Declared::new(
        "delay_p99_s",
        "99th percentile of the delays of packets.",
        |group| group.delay_p99_s,
    ),
    Declared::new(
        "jain_index",
        "Jain's index of the flows' goodputs: 1 if all are equal, 1/n if one has all.",
        |group| group.jain_index,
    ),
    Declared::new(
        "retransmitted_pkts",
        "Packets that TCP sent again.",
        |group| of_tcp(group, |tcp| Some(tcp.retransmitted_pkts as f64)),
    ),
    Declared::new(
        "retransmitted_ratio",
        "Packets that TCP sent again over all that it sent.",
        |group| of_tcp(group, |tcp| tcp.retransmitted_ratio),
    ),
    Declared::new("timeouts", "Retransmission time-outs.", |group| {
        of_tcp(group, |tcp| Some(tcp.timeouts as f64))
    }),
    Declared::new("fast_recoveries", "Entries into fast recovery.", |group| {
        of_tcp(group, |tcp| Some(tcp.fast_recoveries as f64))
    }),
    Declared::new(
        "rtt_mean_s",
        "Mean round trip that the senders measured.",
        |group| of_tcp(group, |tcp| tcp.rtt_mean_s),
    ),
    Declared::new(
        "rtt_p99_s",
        "99th percentile of the round trips.",
        |group| of_tcp(group, |tcp| tcp.rtt_p99_s),
    ),
    Declared::new(
        "window_limited",
        "Time in which the receiver's window kept senders from sending more.",
        |group| of_tcp(group, |tcp| tcp.window_limited),
    ),
    Declared::new(
        "congestion_limited",
        "Time in which the congestion window, the repair of losses or a time-out kept senders from sending more.",
        |group| of_tcp(group, |tcp| tcp.congestion_limited),
    ),
    Declared::new(
        "data_limited",
        "Time in which everything was sent that the application had handed over.",
        |group| of_tcp(group, |tcp| tcp.data_limited),
    ),
    Declared::new(
        "pacing_limited",
        "Time in which the senders' own pacing kept them from sending more.",
        |group| of_tcp(group, |tcp| tcp.pacing_limited),
    ),
    Declared::new(
        "transfer_goodput_bps",
        "Mean over flows of the payload that each got through in a second with data in progress.",
        |group| of_tcp(group, |tcp| tcp.transfer_goodput_bps),
    ),
    Declared::new(
        "slow_start",
        "Time with data in progress in which the congestion window was below the slow-start threshold.",
        |group| of_tcp(group, |tcp| tcp.slow_start),
    ),
    Declared::new(
        "finished",
        "Transfers that ended in the measured time.",
        |group| of_transfers(group, |all| Some(all.finished as f64)),
    ),
    Declared::new("unfinished", "Transfers that had not ended.", |group| {
        of_transfers(group, |all| Some(all.unfinished as f64))
    }),
    Declared::new(
        "completion_mean_s",
        "Mean time of transfers from being handed over to the last acknowledgement.",
        |group| of_transfers(group, |all| all.completion_mean_s),
    ),
    Declared::new("completion_p50_s", "Median time of transfers.", |group| {
        of_transfers(group, |all| all.completion_p50_s)
    }),
    Declared::new(
        "completion_p99_s",
        "99th percentile of the times of transfers.",
        |group| of_transfers(group, |all| all.completion_p99_s),
    ),
    Declared::new(
        "slowdown_mean",
        "Mean of the times of transfers over the ideal ones.",
        |group| of_transfers(group, |all| all.slowdown_mean),
    ),
    Declared::new(
        "slowdown_p50",
        "Median of the times over the ideal ones.",
        |group| of_transfers(group, |all| all.slowdown_p50),
    ),
    Declared::new(
        "slowdown_p99",
        "99th percentile of the times over the ideal ones.",
        |group| of_transfers(group, |all| all.slowdown_p99),
    ),
];

fn of_tcp(group: &GroupSummary, number: fn(&TcpSummary) -> Option<f64>) -> Option<f64> {
    number(group.tcp.as_ref()?)
}

fn of_transfers(group: &GroupSummary, number: fn(&TransferSummary) -> Option<f64>) -> Option<f64> {
    number(group.transfers.as_ref()?)
}
