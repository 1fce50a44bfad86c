//! Metrics of a link and of its pacer.

use super::declared::{Declared, metrics};
use crate::summary::LinkSummary;

/// Beginnings of the names of metrics that only queue disciplines count.
pub(super) const OF_DISCIPLINES: [&str; 6] = [
    "full_pkts",
    "early_pkts",
    "pushed_out_pkts",
    "departure_pkts",
    "sojourn_",
    "class",
];

pub(super) const NUMBERS: &[Declared<LinkSummary>] = metrics! { |link|
    "utilisation" = Some(link.utilisation), "Time in which the line was busy.";
    // Rounding may yield a negative value for a full link.
    "idle_ratio" = Some((1.0 - link.utilisation).max(0.0)), "Time in which the line was not busy.";
    "arrived_pkts" = Some(link.arrived_pkts as f64), "Packets that arrived at the port.";
    "left_pkts" = Some(link.left_pkts as f64), "Packets whose transmission ended.";
    "loss_ratio" of "arrived_pkts" = link.loss_ratio, "The share of arriving packets that were dropped, or lost on the wire; no value without any.";
    "marked_pkts" = Some(link.marked_pkts as f64), "Packets marked at the port.";
    "threshold_marked_pkts" = Some(link.marks.as_ref()?.threshold_marked_pkts as f64), "Packets marked beyond a fixed threshold of the backlog or of their sojourn times.";
    "law_marked_pkts" = Some(link.marks.as_ref()?.law_marked_pkts as f64), "Packets marked at times of CoDel's control law.";
    "probability_marked_pkts" = Some(link.marks.as_ref()?.probability_marked_pkts as f64), "Packets marked with the probability of RED, PIE or DualPI2's classic queue.";
    "coupled_marked_pkts" = Some(link.marks.as_ref()?.coupled_marked_pkts as f64), "Packets marked with the probability coupled to that of DualPI2's classic queue.";
    "forced_marked_pkts" = Some(link.marks.as_ref()?.forced_marked_pkts as f64), "Packets marked without a draw, at a limit of RED or PIE or under DualPI2's overload.";
    "full_pkts" = Some(link.discipline.as_ref()?.full_pkts as f64), "Packets that the queue discipline refused for lack of room.";
    "early_pkts" = Some(link.discipline.as_ref()?.early_pkts as f64), "Packets that the queue discipline refused though there was room.";
    "pushed_out_pkts" = Some(link.discipline.as_ref()?.pushed_out_pkts as f64), "Packets that the queue discipline pushed out for lack of room.";
    "departure_pkts" = Some(link.discipline.as_ref()?.departure_pkts as f64), "Packets that the queue discipline accepted and dropped later, although there was room.";
    "sojourn_mean_s" = link.discipline.as_ref()?.sojourn_mean_s, "Mean time that packets waited in the queue discipline; without one, give { kind = \"drop_tail\" }.";
    "sojourn_p50_s" among "left_pkts" = link.discipline.as_ref()?.sojourn_p50_s, "Median time that packets waited in the queue discipline; without one, give { kind = \"drop_tail\" }.";
    "sojourn_p99_s" among "left_pkts" = link.discipline.as_ref()?.sojourn_p99_s, "99th percentile of the times that packets waited in the queue discipline; without one, give { kind = \"drop_tail\" }.";
    "class0_dropped_pkts" = Some(link.class(0)?.dropped_pkts as f64), "Packets of class 0 that the queue discipline dropped.";
    "class0_full_pkts" = Some(link.class(0)?.full_pkts as f64), "Packets of class 0 that it refused for lack of room.";
    "class0_early_pkts" = Some(link.class(0)?.early_pkts as f64), "Packets of class 0 that it refused though there was room.";
    "class0_pushed_out_pkts" = Some(link.class(0)?.pushed_out_pkts as f64), "Packets of class 0 that it pushed out for lack of room.";
    "class0_departure_pkts" = Some(link.class(0)?.departure_pkts as f64), "Packets of class 0 that it accepted and dropped later, although there was room.";
    "class0_marked_pkts" = Some(link.class(0)?.marked_pkts as f64), "Packets of class 0 that it marked.";
    "class0_sojourn_mean_s" = link.class(0)?.sojourn_mean_s, "Mean time that packets of class 0 waited in it.";
    "class0_sojourn_p50_s" among "left_pkts" = link.class(0)?.sojourn_p50_s, "Median time that packets of class 0 waited in it.";
    "class0_sojourn_p99_s" among "left_pkts" = link.class(0)?.sojourn_p99_s, "99th percentile of the times that packets of class 0 waited in it.";
    "class0_paused_s" = link.class(0)?.paused_s, "Time for which the port was asked to hold packets of class 0 (PFC).";
    "class1_dropped_pkts" = Some(link.class(1)?.dropped_pkts as f64), "Packets of class 1 that the queue discipline dropped.";
    "class1_full_pkts" = Some(link.class(1)?.full_pkts as f64), "Packets of class 1 that it refused for lack of room.";
    "class1_early_pkts" = Some(link.class(1)?.early_pkts as f64), "Packets of class 1 that it refused though there was room.";
    "class1_pushed_out_pkts" = Some(link.class(1)?.pushed_out_pkts as f64), "Packets of class 1 that it pushed out for lack of room.";
    "class1_departure_pkts" = Some(link.class(1)?.departure_pkts as f64), "Packets of class 1 that it accepted and dropped later, although there was room.";
    "class1_marked_pkts" = Some(link.class(1)?.marked_pkts as f64), "Packets of class 1 that it marked.";
    "class1_sojourn_mean_s" = link.class(1)?.sojourn_mean_s, "Mean time that packets of class 1 waited in it.";
    "class1_sojourn_p50_s" among "left_pkts" = link.class(1)?.sojourn_p50_s, "Median time that packets of class 1 waited in it.";
    "class1_sojourn_p99_s" among "left_pkts" = link.class(1)?.sojourn_p99_s, "99th percentile of the times that packets of class 1 waited in it.";
    "class1_paused_s" = link.class(1)?.paused_s, "Time for which the port was asked to hold packets of class 1 (PFC).";
    "class2_dropped_pkts" = Some(link.class(2)?.dropped_pkts as f64), "Packets of class 2 that the queue discipline dropped.";
    "class2_full_pkts" = Some(link.class(2)?.full_pkts as f64), "Packets of class 2 that it refused for lack of room.";
    "class2_early_pkts" = Some(link.class(2)?.early_pkts as f64), "Packets of class 2 that it refused though there was room.";
    "class2_pushed_out_pkts" = Some(link.class(2)?.pushed_out_pkts as f64), "Packets of class 2 that it pushed out for lack of room.";
    "class2_departure_pkts" = Some(link.class(2)?.departure_pkts as f64), "Packets of class 2 that it accepted and dropped later, although there was room.";
    "class2_marked_pkts" = Some(link.class(2)?.marked_pkts as f64), "Packets of class 2 that it marked.";
    "class2_sojourn_mean_s" = link.class(2)?.sojourn_mean_s, "Mean time that packets of class 2 waited in it.";
    "class2_sojourn_p50_s" among "left_pkts" = link.class(2)?.sojourn_p50_s, "Median time that packets of class 2 waited in it.";
    "class2_sojourn_p99_s" among "left_pkts" = link.class(2)?.sojourn_p99_s, "99th percentile of the times that packets of class 2 waited in it.";
    "class2_paused_s" = link.class(2)?.paused_s, "Time for which the port was asked to hold packets of class 2 (PFC).";
    "class3_dropped_pkts" = Some(link.class(3)?.dropped_pkts as f64), "Packets of class 3 that the queue discipline dropped.";
    "class3_full_pkts" = Some(link.class(3)?.full_pkts as f64), "Packets of class 3 that it refused for lack of room.";
    "class3_early_pkts" = Some(link.class(3)?.early_pkts as f64), "Packets of class 3 that it refused though there was room.";
    "class3_pushed_out_pkts" = Some(link.class(3)?.pushed_out_pkts as f64), "Packets of class 3 that it pushed out for lack of room.";
    "class3_departure_pkts" = Some(link.class(3)?.departure_pkts as f64), "Packets of class 3 that it accepted and dropped later, although there was room.";
    "class3_marked_pkts" = Some(link.class(3)?.marked_pkts as f64), "Packets of class 3 that it marked.";
    "class3_sojourn_mean_s" = link.class(3)?.sojourn_mean_s, "Mean time that packets of class 3 waited in it.";
    "class3_sojourn_p50_s" among "left_pkts" = link.class(3)?.sojourn_p50_s, "Median time that packets of class 3 waited in it.";
    "class3_sojourn_p99_s" among "left_pkts" = link.class(3)?.sojourn_p99_s, "99th percentile of the times that packets of class 3 waited in it.";
    "class3_paused_s" = link.class(3)?.paused_s, "Time for which the port was asked to hold packets of class 3 (PFC).";
    "queue_mean_pkts" = Some(link.queue_mean_pkts), "Time average of the packets waiting, without the one in transmission.";
    "queue_max_pkts" = Some(link.queue_max_pkts as f64), "The most packets waiting.";
    "queue_mean_bytes" = Some(link.queue_mean_bytes), "Time average of the bytes waiting, without the packet in transmission.";
    "queue_max_bytes" = Some(link.queue_max_bytes as f64), "The most bytes waiting.";
    "pauses" = link.pauses.map(|pauses| pauses as f64), "Times at which the switch at the other end asked the port to hold packets (PFC).";
    "paused_s" = link.paused_s, "Time for which the port was asked to hold packets.";
    "expired_pauses" = link.expired_pauses.map(|pauses| pauses as f64), "Pauses that ended by themselves, since no frame renewed them in time.";
    "pause_frames" = link.pause_frames.map(|frames| frames as f64), "Frames with such requests that the port sent for its own switch.";
    "trimmed_pkts" = link.trimmed_pkts.map(|pkts| pkts as f64), "Packets whose payload the queue discipline cut off.";
    "trimmed_bytes" = link.trimmed_bytes.map(|bytes| bytes as f64), "Bytes that it cut off.";
    "pacer_utilisation" = link.pacer.as_ref()?.pacer_utilisation, "Volume that the pacer released, divided by the maximum.";
    "held_mean_pkts" = Some(link.pacer.as_ref()?.held_mean_pkts), "Time average of the packets that the pacer held.";
    "held_max_pkts" = Some(link.pacer.as_ref()?.held_max_pkts as f64), "The most packets that the pacer held.";
    "pacing_delay_mean_s" = link.pacer.as_ref()?.pacing_delay_mean_s, "Mean time from arrival at the pacer to release.";
    "pacing_delay_max_s" = link.pacer.as_ref()?.pacing_delay_max_s, "The longest time from arrival at the pacer to release.";
};
