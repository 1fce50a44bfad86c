//! The printed table of transfers.

use pacesim_lab::summary::{GroupSummary, SizeClass, TransferSummary};

use crate::care::quantile;
use crate::columns::{Column, of_columns};
use crate::numbers::{or_dash, si, three_digits, time};

/// The completion times of transfers for each group, by size if there are several classes.
pub(crate) fn table(groups: &[GroupSummary]) -> String {
    let columns: [Column<(String, &TransferSummary)>; 12] = [
        ("transfers", |(name, _)| name.clone()),
        ("finished", |(_, all)| all.finished.to_string()),
        ("unfinished", |(_, all)| all.unfinished.to_string()),
        ("mean", |(_, all)| or_dash(all.completion_mean_s, time)),
        ("p50", |(_, all)| {
            quantile(all.completion_p50_s, (0.5, all.finished), time)
        }),
        ("p99", |(_, all)| {
            quantile(all.completion_p99_s, (0.99, all.finished), time)
        }),
        ("max", |(_, all)| or_dash(all.completion_max_s, time)),
        ("slowdown", |(_, all)| {
            or_dash(all.slowdown_mean, three_digits)
        }),
        ("p50", |(_, all)| {
            quantile(all.slowdown_p50, (0.5, all.finished), three_digits)
        }),
        ("p99", |(_, all)| {
            quantile(all.slowdown_p99, (0.99, all.finished), three_digits)
        }),
        ("p999", |(_, all)| {
            quantile(all.slowdown_p999, (0.999, all.finished), three_digits)
        }),
        ("max", |(_, all)| or_dash(all.slowdown_max, three_digits)),
    ];
    let all = groups
        .iter()
        .filter_map(|group| Some((group, group.transfers.as_ref()?)));
    let rows = all.flat_map(|(group, all)| {
        let classes = all
            .by_size
            .iter()
            .map(|class| (name(class), &class.transfers));
        std::iter::once((group.group.clone(), all)).chain(classes)
    });
    of_columns(&columns, rows)
}

fn name(class: &SizeClass) -> String {
    let bytes = |bytes: u64| format!("{}B", si(bytes as f64));
    let to = class.to_bytes.map_or(String::new(), bytes);
    format!("  {} to {to}", bytes(class.from_bytes))
}
