//! The summary of a link.

use pacesim::measure::record::LinkRow;
use pacesim::model::{Link, Model, PortPacer, PortQueue};
use pacesim::units::Capacity;
use serde::Serialize;

/// A link with its port in the measured time.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LinkSummary {
    /// Name of the link.
    pub link: String,
    /// Rate of the line.
    pub rate_bps: u64,
    /// Size of the buffer: "10KB", "40pkts", "unlimited".
    pub buffer: String,
    /// Share of time in which the line was busy.
    pub utilisation: f64,
    /// Number of packets that arrived at the port.
    pub arrived_pkts: u64,
    /// Number of packets whose transmission ended.
    pub left_pkts: u64,
    /// Share of packets that were not delivered: dropped divided by arrived, and for the others
    /// lost divided by those that reached the far end of the wire.
    pub loss_ratio: Option<f64>,
    /// Time average of the packets waiting, without the one in transmission.
    pub queue_mean_pkts: f64,
    /// The most packets that waited at once.
    pub queue_max_pkts: u64,
    /// Time average of the bytes waiting, without the packet in transmission.
    pub queue_mean_bytes: f64,
    /// The most bytes that waited at once.
    pub queue_max_bytes: u64,
    /// Number of packets marked at the port.
    pub marked_pkts: u64,
    /// Marked packets by the reason for their marks, if the port has a queue discipline or a step.
    pub marks: Option<MarkSummary>,
    /// The queue of the port, if it has a discipline beyond drop-tail or shares a memory.
    pub discipline: Option<QueueSummary>,
    /// Summary of the pacer before the port, if any.
    pub pacer: Option<PacerSummary>,
    /// Times at which the port was asked to hold packets that it was free to send, if the switch at
    /// the other end may.
    pub pauses: Option<u64>,
    /// Time for which the port was asked to hold packets, in seconds.
    pub paused_s: Option<f64>,
    /// Number of these requests that ended by themselves.
    pub expired_pauses: Option<u64>,
    /// Frames with requests that the port sent for its own switch, if that may.
    pub pause_frames: Option<u64>,
    /// Packets whose payload the queue discipline cut off, if it cuts any.
    pub trimmed_pkts: Option<u64>,
    /// Bytes that it cut off.
    pub trimmed_bytes: Option<u64>,
}

impl LinkSummary {
    /// A class that its queue discipline keeps apart.
    pub(crate) fn class(&self, class: usize) -> Option<&ClassSummary> {
        self.discipline.as_ref()?.classes.get(class)
    }
}

/// Packets marked at a port in the measured time, by the reason for their marks.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MarkSummary {
    /// The backlog or the sojourn time was beyond a fixed threshold.
    pub threshold_marked_pkts: u64,
    /// Number of packets marked at the time of CoDel's control law.
    pub law_marked_pkts: u64,
    /// A probability decided: RED's, PIE's, that of DualPI2's classic queue.
    pub probability_marked_pkts: u64,
    /// The probability coupled to that of DualPI2's classic queue decided.
    pub coupled_marked_pkts: u64,
    /// Without a draw, at a limit of RED or PIE or under DualPI2's overload.
    pub forced_marked_pkts: u64,
}

/// The summary of a port's queue discipline in the measured time.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct QueueSummary {
    /// Name of the discipline: "codel", "fq_codel"...; "shared memory" without one.
    pub kind: String,
    /// Number of packets refused for lack of room.
    pub full_pkts: u64,
    /// Number of packets refused although there was room.
    pub early_pkts: u64,
    /// Number of packets pushed out for lack of room.
    pub pushed_out_pkts: u64,
    /// Number of packets dropped later although there was room.
    pub departure_pkts: u64,
    /// Mean sojourn time of packets sent.
    pub sojourn_mean_s: Option<f64>,
    /// Median of the sojourn time.
    pub sojourn_p50_s: Option<f64>,
    /// 99th percentile of the sojourn time.
    pub sojourn_p99_s: Option<f64>,
    /// Summaries of the classes that the discipline keeps apart, if any.
    pub classes: Vec<ClassSummary>,
}

/// A class of packets in a queue discipline in the measured time.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ClassSummary {
    /// Number of packets dropped for any of these causes.
    pub dropped_pkts: u64,
    /// Number of packets refused for lack of room.
    pub full_pkts: u64,
    /// Number of packets refused although there was room.
    pub early_pkts: u64,
    /// Number of packets pushed out for lack of room.
    pub pushed_out_pkts: u64,
    /// Number of packets dropped later although there was room.
    pub departure_pkts: u64,
    /// Number of packets marked.
    pub marked_pkts: u64,
    /// Mean sojourn time of packets sent.
    pub sojourn_mean_s: Option<f64>,
    /// Median of the sojourn time.
    pub sojourn_p50_s: Option<f64>,
    /// 99th percentile of the sojourn time.
    pub sojourn_p99_s: Option<f64>,
    /// Time for which the port was asked to hold packets of the class, if a switch may ask it.
    pub paused_s: Option<f64>,
}

/// A port's pacer in the measured time. Packets that it holds are not yet in the queue.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PacerSummary {
    /// Kind of the pacer: "qlbp", "hull"...
    pub kind: String,
    /// Bits released divided by the most that it may release in that time; null if only the line
    /// limits it. A burst saved up by a token bucket may bring it above 1.
    pub pacer_utilisation: Option<f64>,
    /// Packets that the pacer refused for lack of room, among those that the port dropped.
    pub refused_pkts: u64,
    /// Time average of the number of packets held.
    pub held_mean_pkts: f64,
    /// The most packets held at once.
    pub held_max_pkts: u64,
    /// Time average of the number of bytes held.
    pub held_mean_bytes: f64,
    /// The most bytes held at once.
    pub held_max_bytes: u64,
    /// The mean time from arrival to release; null if nothing was released.
    pub pacing_delay_mean_s: Option<f64>,
    /// Longest time from arrival to release.
    pub pacing_delay_max_s: Option<f64>,
}

/// The load above which a line counts as full.
pub(super) const SATURATED: f64 = 0.95;

/// True if packets may be dropped, lost, marked or held at a link.
fn is_critical(link: &Link) -> bool {
    let may_drop = link.buffer.capacity != Capacity::Unlimited;
    may_drop
        || link.extras.may_lose()
        || !link.extras.drops.is_empty()
        || link.extras.pacer.is_some()
        || link.extras.queue.is_some()
        || link.extras.mark.is_some()
        || link.extras.behind() > 0
}

/// The links worth showing: those where packets may be dropped, lost, marked or held, or all if
/// there are none such.
pub(crate) fn notable(model: &Model) -> Vec<usize> {
    let critical = |place: &usize| is_critical(&model.links[*place]);
    let notable: Vec<usize> = (0..model.links.len()).filter(critical).collect();
    if notable.is_empty() {
        (0..model.links.len()).collect()
    } else {
        notable
    }
}

/// All notable links by id.
pub(super) fn notable_links(rows: &[LinkRow], model: &Model) -> Vec<LinkSummary> {
    let summary = |place: usize| link(&rows[place], &model.links[place]);
    notable(model).into_iter().map(summary).collect()
}

/// The most loaded of the listed links, at most `shown`, and the number of further ones. The list
/// has the notable links, and those that cannot keep up for any buffer: a full line behind an
/// unlimited buffer loses nothing and still is the bottleneck. Links that carried nothing are
/// omitted.
pub(super) fn by_load(rows: &[LinkRow], model: &Model, shown: usize) -> (Vec<LinkSummary>, usize) {
    let notable = notable(model);
    let is_listed = |place: &usize| {
        let row = &rows[*place];
        is_busy(row) && (row.utilisation >= SATURATED || notable.binary_search(place).is_ok())
    };
    let mut places: Vec<usize> = (0..rows.len()).filter(is_listed).collect();
    // A stable sort: equally loaded links stay ordered by id.
    places.sort_by(|a, b| rows[*b].utilisation.total_cmp(&rows[*a].utilisation));
    let more = places.len().saturating_sub(shown);
    let summary = |place| link(&rows[place], &model.links[place]);
    (places.into_iter().take(shown).map(summary).collect(), more)
}

fn is_busy(row: &LinkRow) -> bool {
    row.utilisation > 0.0
        || row.loss_ratio > Some(0.0)
        || row.queue_max_pkts > 0
        || row.held_max_pkts.is_some_and(|held| held > 0)
}

fn link(row: &LinkRow, link: &Link) -> LinkSummary {
    LinkSummary {
        link: row.link.clone(),
        rate_bps: row.rate_bps,
        buffer: link.buffer.capacity.to_string(),
        utilisation: row.utilisation,
        arrived_pkts: row.arrived_pkts,
        left_pkts: row.left_pkts,
        loss_ratio: row.loss_ratio,
        queue_mean_pkts: row.queue_mean_pkts,
        queue_max_pkts: row.queue_max_pkts,
        queue_mean_bytes: row.queue_mean_bytes,
        queue_max_bytes: row.queue_max_bytes,
        marked_pkts: row.marked_pkts,
        marks: marks(row),
        discipline: discipline(row, link).map(|kind| queue(row, kind)),
        pacer: link.extras.pacer.as_ref().map(|of| pacer(row, of)),
        pauses: row.pauses,
        paused_s: row.paused_s,
        expired_pauses: row.expired_pauses,
        pause_frames: row.pause_frames,
        trimmed_pkts: row.trimmed_pkts,
        trimmed_bytes: row.trimmed_bytes,
    }
}

fn marks(row: &LinkRow) -> Option<MarkSummary> {
    Some(MarkSummary {
        threshold_marked_pkts: row.threshold_marked_pkts?,
        law_marked_pkts: row.law_marked_pkts?,
        probability_marked_pkts: row.probability_marked_pkts?,
        coupled_marked_pkts: row.coupled_marked_pkts?,
        forced_marked_pkts: row.forced_marked_pkts?,
    })
}

/// The name of a port's queue that counts drops by their causes: its discipline, or the plain queue of
/// a port that shares a memory.
fn discipline<'l>(row: &LinkRow, link: &'l Link) -> Option<&'l str> {
    let shares = row.shared_max_bytes.is_some();
    let own = link.extras.queue.as_ref().map(PortQueue::name);
    own.or(shares.then_some("shared memory"))
}

fn queue(row: &LinkRow, kind: &str) -> QueueSummary {
    QueueSummary {
        kind: kind.to_owned(),
        full_pkts: row.full_pkts.unwrap_or_default(),
        early_pkts: row.early_pkts.unwrap_or_default(),
        pushed_out_pkts: row.pushed_out_pkts.unwrap_or_default(),
        departure_pkts: row.departure_pkts.unwrap_or_default(),
        sojourn_mean_s: row.sojourn_mean_s,
        sojourn_p50_s: row.sojourn_p50_s,
        sojourn_p99_s: row.sojourn_p99_s,
        classes: classes(row).unwrap_or_default(),
    }
}

fn classes(row: &LinkRow) -> Option<Vec<ClassSummary>> {
    macro_rules! class {
        ($dropped:ident $full:ident $early:ident $pushed_out:ident $departure:ident $marked:ident $mean:ident $p50:ident $p99:ident $paused:ident) => {
            ClassSummary {
                dropped_pkts: row.$dropped?,
                full_pkts: row.$full?,
                early_pkts: row.$early?,
                pushed_out_pkts: row.$pushed_out?,
                departure_pkts: row.$departure?,
                marked_pkts: row.$marked?,
                sojourn_mean_s: row.$mean,
                sojourn_p50_s: row.$p50,
                sojourn_p99_s: row.$p99,
                paused_s: row.$paused,
            }
        };
    }
    Some(vec![
        class!(class0_dropped_pkts class0_full_pkts class0_early_pkts class0_pushed_out_pkts class0_departure_pkts class0_marked_pkts class0_sojourn_mean_s class0_sojourn_p50_s class0_sojourn_p99_s class0_paused_s),
        class!(class1_dropped_pkts class1_full_pkts class1_early_pkts class1_pushed_out_pkts class1_departure_pkts class1_marked_pkts class1_sojourn_mean_s class1_sojourn_p50_s class1_sojourn_p99_s class1_paused_s),
        class!(class2_dropped_pkts class2_full_pkts class2_early_pkts class2_pushed_out_pkts class2_departure_pkts class2_marked_pkts class2_sojourn_mean_s class2_sojourn_p50_s class2_sojourn_p99_s class2_paused_s),
        class!(class3_dropped_pkts class3_full_pkts class3_early_pkts class3_pushed_out_pkts class3_departure_pkts class3_marked_pkts class3_sojourn_mean_s class3_sojourn_p50_s class3_sojourn_p99_s class3_paused_s),
    ])
}

fn pacer(row: &LinkRow, pacer: &PortPacer) -> PacerSummary {
    PacerSummary {
        kind: pacer.name().to_owned(),
        pacer_utilisation: row.pacer_utilisation,
        refused_pkts: row.refused_pkts.unwrap_or_default(),
        held_mean_pkts: row.held_mean_pkts.unwrap_or_default(),
        held_max_pkts: row.held_max_pkts.unwrap_or_default(),
        held_mean_bytes: row.held_mean_bytes.unwrap_or_default(),
        held_max_bytes: row.held_max_bytes.unwrap_or_default(),
        pacing_delay_mean_s: row.pacing_delay_mean_s,
        pacing_delay_max_s: row.pacing_delay_max_s,
    }
}
