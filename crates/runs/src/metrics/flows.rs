//! Metrics of a group of flows.

use super::declared::{Declared, metrics};
use crate::summary::GroupSummary;

pub(super) const NUMBERS: &[Declared<GroupSummary>] = metrics! { |group|
    "offered_bps" = group.offered_bps, "Bits per second sent by the sources, while the group was present (as for the other rates); no value if it never was.";
    "throughput_bps" = group.throughput_bps, "Bits per second that arrived, including headers and retransmissions.";
    "goodput_bps" = group.goodput_bps, "Payload bits per second that arrived, each counted once.";
    "flow_goodput_bps" = Some(group.goodput_bps? / group.flows as f64), "The goodput divided by the number of flows.";
    "present_ratio" = Some(group.present_ratio), "Share of the measured time from the group's first start to its last end, over which its rates are taken.";
    "delivered_pkts" = Some(group.delivered_pkts as f64), "Packets that reached their receivers.";
    "settled_pkts" = Some(group.settled_pkts as f64), "Packets whose fate is known: delivered, dropped or lost.";
    "marked_pkts" = Some(group.marked_pkts as f64), "Packets marked at ports, each once for every port that marked it.";
    "loss_ratio" of "settled_pkts" = group.loss_ratio, "Packets dropped or lost and not repaired, divided by those whose fate is known.";
    "dropped_per_delivered" = (group.delivered_pkts > 0).then(|| group.settled_pkts.saturating_sub(group.delivered_pkts) as f64 / group.delivered_pkts as f64), "Packets dropped or lost and not repaired, divided by the delivered: some papers call this the loss.";
    "delay_mean_s" = group.delay_mean_s, "Mean delay of packets from sender to receiver.";
    "delay_p50_s" among "delivered_pkts" = group.delay_p50_s, "Median delay of packets.";
    "delay_p99_s" among "delivered_pkts" = group.delay_p99_s, "99th percentile of the delays of packets.";
    "jain_index" = group.jain_index, "Jain's index of the flows' goodputs: 1 if all are equal, 1/n if one has all.";
    "retransmitted_pkts" = Some(group.tcp.as_ref()?.retransmitted_pkts as f64), "Packets retransmitted by TCP.";
    "retransmitted_ratio" = group.tcp.as_ref()?.retransmitted_ratio, "Packets retransmitted by TCP, divided by all that it sent.";
    "timeouts" = Some(group.tcp.as_ref()?.timeouts as f64), "Retransmission time-outs.";
    "fast_recoveries" = Some(group.tcp.as_ref()?.fast_recoveries as f64), "Entries into fast recovery.";
    "cnps" = group.tcp.as_ref()?.cnps.map(|cnps| cnps as f64), "Answers that told RDMA senders of marks (CNPs).";
    "nacks" = group.tcp.as_ref()?.nacks.map(|nacks| nacks as f64), "Answers that told RDMA or NDP senders of a missing packet (NACKs).";
    "rtt_mean_s" = group.tcp.as_ref()?.rtt_mean_s, "Mean round trip that the senders measured.";
    "rtt_samples" = Some(group.tcp.as_ref()?.rtt_samples as f64), "Round trips that the senders measured.";
    "rtt_p99_s" among "rtt_samples" = group.tcp.as_ref()?.rtt_p99_s, "99th percentile of the round trips.";
    "window_limited" = group.tcp.as_ref()?.window_limited, "Time in which the receiver's window kept senders from sending more.";
    "congestion_limited" = group.tcp.as_ref()?.congestion_limited, "Time in which the congestion window, the repair of losses or a time-out kept senders from sending more.";
    "data_limited" = group.tcp.as_ref()?.data_limited, "Time in which all data from the application had been sent.";
    "pacing_limited" = group.tcp.as_ref()?.pacing_limited, "Time in which the senders' own pacing kept them from sending more.";
    "transfer_goodput_bps" = group.tcp.as_ref()?.transfer_goodput_bps, "Mean over flows of the payload delivered per second with data in progress.";
    "slow_start" = group.tcp.as_ref()?.slow_start, "Time with data in progress in which the congestion window was below the slow-start threshold.";
    "finished" = Some(group.transfers.as_ref()?.finished as f64), "Transfers that ended in the measured time.";
    "unfinished" = Some(group.transfers.as_ref()?.unfinished as f64), "Transfers that had not ended.";
    "completion_mean_s" = group.transfers.as_ref()?.completion_mean_s, "Mean time of transfers from their start to the last acknowledgement.";
    "completion_p50_s" among "finished" = group.transfers.as_ref()?.completion_p50_s, "Median time of transfers.";
    "completion_p99_s" among "finished" = group.transfers.as_ref()?.completion_p99_s, "99th percentile of the times of transfers.";
    "slowdown_mean" = group.transfers.as_ref()?.slowdown_mean, "Mean of the times of transfers divided by their ideal times.";
    "slowdown_p50" among "finished" = group.transfers.as_ref()?.slowdown_p50, "Median of the times divided by the ideal ones.";
    "slowdown_p99" among "finished" = group.transfers.as_ref()?.slowdown_p99, "99th percentile of the times divided by the ideal ones.";
    "job_s" = group.job_s, "Time from the group's first start to the arrival of the last transfer of its job; no value if some are missing.";
};
