//! The numbers of a link and of its pacer.

use super::declared::Declared;
use crate::summary::{LinkSummary, PacerSummary, QueueSummary};

pub(super) const NUMBERS: &[Declared<LinkSummary>] = &[
    Declared::new("utilisation", "Time in which the line was busy.", |link| {
        Some(link.utilisation)
    }),
    // Rounding may leave less than nothing for a full link.
    Declared::new(
        "idle_ratio",
        "Time in which the line was not busy.",
        |link| Some((1.0 - link.utilisation).max(0.0)),
    ),
    Declared::new("arrived_pkts", "Packets that came to the port.", |link| {
        Some(link.arrived_pkts as f64)
    }),
    Declared::share(
        "loss_ratio",
        "Packets dropped over those that came, and of the others those lost on the wire.",
        "arrived_pkts",
        |link| Some(link.loss_ratio),
    ),
    Declared::new(
        "queue_mean_pkts",
        "Time average of the packets waiting, without the one being sent.",
        |link| Some(link.queue_mean_pkts),
    ),
    Declared::new("queue_max_pkts", "The most packets waiting.", |link| {
        Some(link.queue_max_pkts as f64)
    }),
    Declared::new(
        "queue_mean_bytes",
        "Time average of the bytes waiting, without the packet being sent.",
        |link| Some(link.queue_mean_bytes),
    ),
    Declared::new("queue_max_bytes", "The most bytes waiting.", |link| {
        Some(link.queue_max_bytes as f64)
    }),
    Declared::new("marked_pkts", "Packets marked at the port.", |link| {
        Some(link.marked_pkts as f64)
    }),
    Declared::new(
        "early_pkts",
        "Packets that the queue discipline refused though there was room.",
        |link| of_queue(link, |queue| Some(queue.early_pkts as f64)),
    ),
    Declared::new(
        "pushed_out_pkts",
        "Packets that the queue discipline pushed out for want of room.",
        |link| of_queue(link, |queue| Some(queue.pushed_out_pkts as f64)),
    ),
    Declared::new(
        "departure_pkts",
        "Packets that the queue discipline had taken and dropped though there was room.",
        |link| of_queue(link, |queue| Some(queue.departure_pkts as f64)),
    ),
    Declared::new(
        "sojourn_mean_s",
        "Mean time that packets waited in the queue discipline.",
        |link| of_queue(link, |queue| queue.sojourn_mean_s),
    ),
    Declared::new(
        "sojourn_p50_s",
        "Median time that packets waited in the queue discipline.",
        |link| of_queue(link, |queue| queue.sojourn_p50_s),
    ),
    Declared::new(
        "sojourn_p99_s",
        "99th percentile of the times that packets waited in the queue discipline.",
        |link| of_queue(link, |queue| queue.sojourn_p99_s),
    ),
    Declared::new(
        "pacer_utilisation",
        "Bits that the pacer released over the most that it may.",
        |link| of_pacer(link, |pacer| pacer.pacer_utilisation),
    ),
    Declared::new(
        "held_mean_pkts",
        "Time average of the packets that the pacer held.",
        |link| of_pacer(link, |pacer| Some(pacer.held_mean_pkts)),
    ),
    Declared::new(
        "held_max_pkts",
        "The most packets that the pacer held.",
        |link| of_pacer(link, |pacer| Some(pacer.held_max_pkts as f64)),
    ),
    Declared::new(
        "pacing_delay_mean_s",
        "Mean time from arrival at the pacer to release.",
        |link| of_pacer(link, |pacer| pacer.pacing_delay_mean_s),
    ),
    Declared::new(
        "pacing_delay_max_s",
        "The longest time from arrival at the pacer to release.",
        |link| of_pacer(link, |pacer| pacer.pacing_delay_max_s),
    ),
];

fn of_queue(link: &LinkSummary, number: fn(&QueueSummary) -> Option<f64>) -> Option<f64> {
    number(link.discipline.as_ref()?)
}

fn of_pacer(link: &LinkSummary, number: fn(&PacerSummary) -> Option<f64>) -> Option<f64> {
    number(link.pacer.as_ref()?)
}
