//! The printed table of transfers.

use pacesim_lab::summary::{GroupSummary, SizeClass, TransferSummary};

use crate::columns::of_texts;
use crate::numbers::{or_dash, si, three_digits, time};

/// How long the transfers of each group took, by size if there are several classes.
pub(crate) fn table(groups: &[GroupSummary]) -> String {
    let header = [
        "transfers",
        "finished",
        "unfinished",
        "mean",
        "p50",
        "p99",
        "slowdown",
        "p99",
    ];
    let row = |name: String, all: &TransferSummary| {
        let seconds = |x: Option<f64>| or_dash(x, time);
        [
            name,
            all.finished.to_string(),
            all.unfinished.to_string(),
            seconds(all.completion_mean_s),
            seconds(all.completion_p50_s),
            seconds(all.completion_p99_s),
            or_dash(all.slowdown_mean, three_digits),
            or_dash(all.slowdown_p99, three_digits),
        ]
    };
    let rows = groups.iter().flat_map(|group| {
        let all = group.transfers.iter();
        all.flat_map(|all| {
            let bytes = |bytes: u64| format!("{}B", si(bytes as f64));
            let class = move |class: &SizeClass| {
                let from = bytes(class.from_bytes);
                let to = class.to_bytes.map_or(String::new(), bytes);
                row(format!("  {from} to {to}"), &class.transfers)
            };
            let classes = all.by_size.iter().map(class);
            std::iter::once(row(group.group.clone(), all)).chain(classes)
        })
    });
    let header = header.map(str::to_owned).to_vec();
    of_texts(header, rows.map(|row| row.to_vec()))
}
