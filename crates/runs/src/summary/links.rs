//! One link.

use pacesim::measure::record::LinkRow;
use pacesim::model::{Link, Model, PortPacer, PortQueue};
use pacesim::units::Capacity;
use serde::Serialize;

/// A link with its port in the measured time.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LinkSummary {
    /// Its name.
    pub link: String,
    /// The line's rate.
    pub rate_bps: u64,
    /// The room of its buffer: "10KB", "40pkts", "unlimited".
    pub buffer: String,
    /// Share of time the line was busy.
    pub utilisation: f64,
    /// Packets that came to the port.
    pub arrived_pkts: u64,
    /// Share of packets that did not get through: dropped over arrived, and of the others
    /// lost over those that reached the far end of the wire.
    pub loss_ratio: f64,
    /// Time average of the packets waiting, without the one being sent.
    pub queue_mean_pkts: f64,
    /// The most packets waiting.
    pub queue_max_pkts: u64,
    /// Time average of the bytes waiting, without the packet being sent.
    pub queue_mean_bytes: f64,
    /// The most bytes waiting.
    pub queue_max_bytes: u64,
    /// Packets marked at the port.
    pub marked_pkts: u64,
    /// The queue discipline of the port, if it has one beyond drop-tail.
    pub discipline: Option<QueueSummary>,
    /// The pacer before the port, if there is one.
    pub pacer: Option<PacerSummary>,
}

/// A port's queue discipline in the measured time.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct QueueSummary {
    /// Its name: "codel", "fq_codel"...
    pub kind: String,
    /// Packets that it refused for want of room.
    pub full_pkts: u64,
    /// Packets that it refused though there was room.
    pub early_pkts: u64,
    /// Packets that it pushed out for want of room.
    pub pushed_out_pkts: u64,
    /// Packets that it dropped later though there was room.
    pub departure_pkts: u64,
    /// The mean time that packets waited in it, of those sent.
    pub sojourn_mean_s: Option<f64>,
    /// Half of them waited no longer.
    pub sojourn_p50_s: Option<f64>,
    /// 99 % of them waited no longer.
    pub sojourn_p99_s: Option<f64>,
}

/// A port's pacer in the measured time. Packets that it holds are not in the queue yet.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PacerSummary {
    /// The kind of pacer: "qlbp", "hull"...
    pub kind: String,
    /// Bits released over the most that it may in that time; null if only the line limits it. A burst that a bucket had
    /// saved may bring it above 1.
    pub pacer_utilisation: Option<f64>,
    /// Packets dropped because it had no room, of those that the port dropped.
    pub refused_pkts: u64,
    /// Time average of the packets held.
    pub held_mean_pkts: f64,
    /// The most packets held.
    pub held_max_pkts: u64,
    /// Time average of the bytes held.
    pub held_mean_bytes: f64,
    /// The most bytes held.
    pub held_max_bytes: u64,
    /// The mean time from arrival to release; null if nothing was released.
    pub pacing_delay_mean_s: Option<f64>,
    /// The longest time from arrival to release.
    pub pacing_delay_max_s: Option<f64>,
}

/// The load from which a line counts as full.
pub(super) const SATURATED: f64 = 0.95;

/// True if something can go wrong at a link.
fn is_critical(link: &Link) -> bool {
    let may_drop = link.buffer.capacity != Capacity::Unlimited;
    may_drop
        || link.extras.loss.is_some()
        || !link.extras.drops.is_empty()
        || link.extras.pacer.is_some()
        || link.extras.queue.is_some()
        || link.extras.mark.is_some()
}

/// The links worth showing: those where something can go wrong, or else all.
pub(super) fn notable(model: &Model) -> Vec<usize> {
    let critical = |place: &usize| is_critical(&model.links[*place]);
    let notable: Vec<usize> = (0..model.links.len()).filter(critical).collect();
    match notable.is_empty() {
        true => (0..model.links.len()).collect(),
        false => notable,
    }
}

/// All notable links, in the order of their ids.
pub(super) fn notable_links(rows: &[LinkRow], model: &Model, measured_s: f64) -> Vec<LinkSummary> {
    let summary = |place: usize| link(&rows[place], &model.links[place], measured_s);
    notable(model).into_iter().map(summary).collect()
}

/// The most loaded of the listed links, at most `shown`, and how many more there are. Listed are the notable links and
/// those that cannot keep up, whatever their buffer: a full line behind an unlimited buffer loses nothing and still is
/// the bottleneck. Links that carried nothing are not.
pub(super) fn by_load(
    rows: &[LinkRow],
    model: &Model,
    measured_s: f64,
    shown: usize,
) -> (Vec<LinkSummary>, usize) {
    let notable = notable(model);
    let is_listed = |place: &usize| {
        let row = &rows[*place];
        is_busy(row) && (row.utilisation >= SATURATED || notable.binary_search(place).is_ok())
    };
    let mut places: Vec<usize> = (0..rows.len()).filter(is_listed).collect();
    // A stable sort: equally loaded links stay in the order of their ids.
    places.sort_by(|a, b| rows[*b].utilisation.total_cmp(&rows[*a].utilisation));
    let more = places.len().saturating_sub(shown);
    let summary = |place| link(&rows[place], &model.links[place], measured_s);
    (places.into_iter().take(shown).map(summary).collect(), more)
}

fn is_busy(row: &LinkRow) -> bool {
    row.utilisation > 0.0
        || row.loss_ratio > 0.0
        || row.queue_max_pkts > 0
        || row.held_max_pkts.is_some_and(|held| held > 0)
}

/// Bits that a pacer let go over the most that it may, if it has a limit of its own.
pub(super) fn pacer_utilisation(row: &LinkRow, link: &Link, measured_s: f64) -> Option<f64> {
    let most_bits = link.extras.pacer.as_ref()?.top_bps()? * measured_s;
    (most_bits > 0.0).then(|| row.left_bytes as f64 * 8.0 / most_bits)
}

fn link(row: &LinkRow, link: &Link, measured_s: f64) -> LinkSummary {
    LinkSummary {
        link: row.link.clone(),
        rate_bps: row.rate_bps,
        buffer: link.buffer.capacity.to_string(),
        utilisation: row.utilisation,
        arrived_pkts: row.arrived_pkts,
        loss_ratio: row.loss_ratio,
        queue_mean_pkts: row.queue_mean_pkts,
        queue_max_pkts: row.queue_max_pkts,
        queue_mean_bytes: row.queue_mean_bytes,
        queue_max_bytes: row.queue_max_bytes,
        marked_pkts: row.marked_pkts,
        discipline: link.extras.queue.as_ref().map(|of| queue(row, of)),
        pacer: link.extras.pacer.as_ref().map(|of| PacerSummary {
            pacer_utilisation: pacer_utilisation(row, link, measured_s),
            ..pacer(row, of)
        }),
    }
}

fn queue(row: &LinkRow, queue: &PortQueue) -> QueueSummary {
    QueueSummary {
        kind: queue.name().to_owned(),
        full_pkts: row.full_pkts.unwrap_or_default(),
        early_pkts: row.early_pkts.unwrap_or_default(),
        pushed_out_pkts: row.pushed_out_pkts.unwrap_or_default(),
        departure_pkts: row.departure_pkts.unwrap_or_default(),
        sojourn_mean_s: row.sojourn_mean_s,
        sojourn_p50_s: row.sojourn_p50_s,
        sojourn_p99_s: row.sojourn_p99_s,
    }
}

fn pacer(row: &LinkRow, pacer: &PortPacer) -> PacerSummary {
    PacerSummary {
        kind: pacer.name().to_owned(),
        pacer_utilisation: None,
        refused_pkts: row.refused_pkts.unwrap_or_default(),
        held_mean_pkts: row.held_mean_pkts.unwrap_or_default(),
        held_max_pkts: row.held_max_pkts.unwrap_or_default(),
        held_mean_bytes: row.held_mean_bytes.unwrap_or_default(),
        held_max_bytes: row.held_max_bytes.unwrap_or_default(),
        pacing_delay_mean_s: row.pacing_delay_mean_s,
        pacing_delay_max_s: row.pacing_delay_max_s,
    }
}
