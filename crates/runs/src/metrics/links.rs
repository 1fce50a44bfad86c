//! Metrics of a link and of its pacer.

use super::declared::{Declared, metrics};
use crate::summary::LinkSummary;

pub(super) const NUMBERS: &[Declared<LinkSummary>] = metrics! { |link|
    "utilisation" = Some(link.utilisation), "Time in which the line was busy.";
    // Rounding may yield a negative value for a full link.
    "idle_ratio" = Some((1.0 - link.utilisation).max(0.0)), "Time in which the line was not busy.";
    "arrived_pkts" = Some(link.arrived_pkts as f64), "Packets that came to the port.";
    "loss_ratio" of "arrived_pkts" = Some(link.loss_ratio), "Packets dropped over those that came, and of the others those lost on the wire.";
    "marked_pkts" = Some(link.marked_pkts as f64), "Packets marked at the port.";
    "early_pkts" = Some(link.discipline.as_ref()?.early_pkts as f64), "Packets that the queue discipline refused though there was room.";
    "pushed_out_pkts" = Some(link.discipline.as_ref()?.pushed_out_pkts as f64), "Packets that the queue discipline pushed out for want of room.";
    "departure_pkts" = Some(link.discipline.as_ref()?.departure_pkts as f64), "Packets that the queue discipline had taken and dropped though there was room.";
    "sojourn_mean_s" = link.discipline.as_ref()?.sojourn_mean_s, "Mean time that packets waited in the queue discipline.";
    "sojourn_p50_s" = link.discipline.as_ref()?.sojourn_p50_s, "Median time that packets waited in the queue discipline.";
    "sojourn_p99_s" = link.discipline.as_ref()?.sojourn_p99_s, "99th percentile of the times that packets waited in the queue discipline.";
    "queue_mean_pkts" = Some(link.queue_mean_pkts), "Time average of the packets waiting, without the one being sent.";
    "queue_max_pkts" = Some(link.queue_max_pkts as f64), "The most packets waiting.";
    "queue_mean_bytes" = Some(link.queue_mean_bytes), "Time average of the bytes waiting, without the packet being sent.";
    "queue_max_bytes" = Some(link.queue_max_bytes as f64), "The most bytes waiting.";
    "pacer_utilisation" = link.pacer.as_ref()?.pacer_utilisation, "Bits that the pacer released over the most that it may.";
    "held_mean_pkts" = Some(link.pacer.as_ref()?.held_mean_pkts), "Time average of the packets that the pacer held.";
    "held_max_pkts" = Some(link.pacer.as_ref()?.held_max_pkts as f64), "The most packets that the pacer held.";
    "pacing_delay_mean_s" = link.pacer.as_ref()?.pacing_delay_mean_s, "Mean time from arrival at the pacer to release.";
    "pacing_delay_max_s" = link.pacer.as_ref()?.pacing_delay_max_s, "The longest time from arrival at the pacer to release.";
};
