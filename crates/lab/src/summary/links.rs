//! One link.

use pacesim::model::{Link, Model};
use pacesim_measure::record::LinkRow;
use pacesim_units::Capacity;
use serde::Serialize;

/// How many links a summary shows.
const SHOWN: usize = 8;

/// A link with its port in the measured time.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LinkSummary {
    /// Its name.
    pub link: String,
    /// The line's rate.
    pub rate_bps: u64,
    /// What its buffer holds: "10KB", "40pkts", "unlimited".
    pub buffer: String,
    /// Share of time the line was busy.
    pub utilisation: f64,
    /// Packets dropped or lost over packets arrived.
    pub loss_ratio: f64,
    /// Time average of the packets waiting, without the one being sent.
    pub queue_mean_pkts: f64,
    /// The most packets waiting.
    pub queue_max_pkts: u64,
    /// Time average of the bytes waiting, without the packet being sent.
    pub queue_mean_bytes: f64,
    /// The most bytes waiting.
    pub queue_max_bytes: u64,
}

/// Whether something can go wrong at a link.
fn is_critical(link: &Link) -> bool {
    link.buffer.capacity != Capacity::Unlimited || link.loss.is_some() || !link.drops.is_empty()
}

/// The links worth showing: those where something can go wrong, or else all.
pub(crate) fn notable(model: &Model) -> Vec<usize> {
    let critical = |place: &usize| is_critical(&model.links[*place]);
    let notable: Vec<usize> = (0..model.links.len()).filter(critical).collect();
    match notable.is_empty() {
        true => (0..model.links.len()).collect(),
        false => notable,
    }
}

/// The most loaded notable links, and how many more there are.
pub(crate) fn links(rows: &[LinkRow], model: &Model) -> (Vec<LinkSummary>, u64) {
    let mut places = notable(model);
    // A stable sort: equally loaded links stay in the order of their ids.
    places.sort_by(|a, b| rows[*b].utilisation.total_cmp(&rows[*a].utilisation));
    let more = places.len().saturating_sub(SHOWN) as u64;
    places.truncate(SHOWN);
    let summary = |place: &usize| link(&rows[*place], &model.links[*place]);
    (places.iter().map(summary).collect(), more)
}

fn link(row: &LinkRow, link: &Link) -> LinkSummary {
    LinkSummary {
        link: row.name.clone(),
        rate_bps: row.rate_bps,
        buffer: link.buffer.capacity.to_string(),
        utilisation: row.utilisation,
        loss_ratio: row.loss_ratio,
        queue_mean_pkts: row.queue_mean_pkts,
        queue_max_pkts: row.queue_max_pkts,
        queue_mean_bytes: row.queue_mean_bytes,
        queue_max_bytes: row.queue_max_bytes,
    }
}
