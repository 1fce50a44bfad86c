//! Completion times of the transfers of one group of flows.

use pacesim::World;
use pacesim::measure::record::FlowRow;
use pacesim::measure::{BySize, Completions};
use pacesim::net::Probe;
use serde::Serialize;

/// The transfers of a group that began after the warm-up: completion times from handover to the
/// last acknowledgement, and slowdowns, which are these divided by the ideal times.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TransferSummary {
    /// Number of transfers that ended in the measured time.
    pub finished: u64,
    /// Transfers unfinished at the end, not included in the times.
    pub unfinished: u64,
    /// Mean completion time.
    pub completion_mean_s: Option<f64>,
    /// Median of the completion time.
    pub completion_p50_s: Option<f64>,
    /// 95th percentile of the completion time.
    pub completion_p95_s: Option<f64>,
    /// 99th percentile of the completion time.
    pub completion_p99_s: Option<f64>,
    /// 99.9th percentile of the completion time.
    pub completion_p999_s: Option<f64>,
    /// The longest completion time.
    pub completion_max_s: Option<f64>,
    /// Mean slowdown.
    pub slowdown_mean: Option<f64>,
    /// Median of the slowdown.
    pub slowdown_p50: Option<f64>,
    /// 95th percentile of the slowdown.
    pub slowdown_p95: Option<f64>,
    /// 99th percentile of the slowdown.
    pub slowdown_p99: Option<f64>,
    /// 99.9th percentile of the slowdown.
    pub slowdown_p999: Option<f64>,
    /// The greatest slowdown.
    pub slowdown_max: Option<f64>,
    /// The completion times by size, if several classes have transfers.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub by_size: Vec<SizeClass>,
}

/// The transfers whose sizes are in one class.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SizeClass {
    /// Smallest payload of the class, in bytes.
    pub from_bytes: u64,
    /// The smallest payload of the next class; null for the last.
    pub to_bytes: Option<u64>,
    /// Summary of the transfers of the class.
    #[serde(flatten)]
    pub transfers: TransferSummary,
}

/// The summaries of all groups with TCP flows, by name.
pub(super) fn by_group<P: Probe>(world: &World<P>) -> Vec<(String, TransferSummary)> {
    let groups = world.completions().into_iter();
    let any = groups.filter(|(_, sizes)| {
        let all = sizes.all();
        all.finished() + all.unfinished > 0
    });
    any.map(|(name, sizes)| (name, summary(&sizes))).collect()
}

fn summary(sizes: &BySize) -> TransferSummary {
    let some = |class: &Completions| class.finished() + class.unfinished > 0;
    let classes = sizes.classes.iter().enumerate();
    let classes = classes.filter(|(_, class)| some(class));
    let by_size: Vec<SizeClass> = classes
        .map(|(i, class)| SizeClass {
            from_bytes: i.checked_sub(1).map_or(0, |before| BySize::EDGES[before]),
            to_bytes: BySize::EDGES.get(i).copied(),
            transfers: summary_of(class, Vec::new()),
        })
        .collect();
    let by_size = if by_size.len() > 1 {
        by_size
    } else {
        Vec::new()
    };
    summary_of(&sizes.all(), by_size)
}

fn summary_of(completions: &Completions, by_size: Vec<SizeClass>) -> TransferSummary {
    TransferSummary {
        finished: completions.finished(),
        unfinished: completions.unfinished,
        completion_mean_s: completions.mean_s(),
        completion_p50_s: completions.quantile_s(0.5),
        completion_p95_s: completions.quantile_s(0.95),
        completion_p99_s: completions.quantile_s(0.99),
        completion_p999_s: completions.quantile_s(0.999),
        completion_max_s: completions.quantile_s(1.0),
        slowdown_mean: completions.slowdown_mean(),
        slowdown_p50: completions.slowdown_quantile(0.5),
        slowdown_p95: completions.slowdown_quantile(0.95),
        slowdown_p99: completions.slowdown_quantile(0.99),
        slowdown_p999: completions.slowdown_quantile(0.999),
        slowdown_max: completions.slowdown_quantile(1.0),
        by_size,
    }
}

/// The mean over flows of the payload delivered per second with data in progress.
pub(super) fn transfer_goodput_bps(rows: &[&FlowRow]) -> Option<f64> {
    let rate = |row: &&FlowRow| {
        let seconds = row.transfer_s.filter(|seconds| *seconds > 0.0)?;
        Some(row.goodput_bytes as f64 * 8.0 / seconds)
    };
    let rates: Vec<f64> = rows.iter().filter_map(rate).collect();
    (!rates.is_empty()).then(|| rates.iter().sum::<f64>() / rates.len() as f64)
}
