//! The windows of one run add up to it.

use std::collections::BTreeMap;

use crate::trial::{Failure, Fault};

use super::found::Found;

/// Counts of events, each in one window.
const COUNTS: [&str; 17] = [
    "settled_pkts",
    "marked_pkts",
    "retransmitted_pkts",
    "timeouts",
    "fast_recoveries",
    "finished",
    "arrived_pkts",
    "threshold_marked_pkts",
    "law_marked_pkts",
    "probability_marked_pkts",
    "coupled_marked_pkts",
    "forced_marked_pkts",
    "full_pkts",
    "early_pkts",
    "pushed_out_pkts",
    "departure_pkts",
    "class0_dropped_pkts",
];

/// Averages over time, with all of it.
const AVERAGES: [&str; 5] = [
    "utilisation",
    "idle_ratio",
    "queue_mean_pkts",
    "queue_mean_bytes",
    "held_mean_pkts",
];

/// Extremes.
const MAXIMA: [&str; 3] = ["queue_max_pkts", "queue_max_bytes", "held_max_pkts"];

/// Compares windows with the run that they are of, of this many picoseconds.
pub(super) fn judge(whole: &Found, windows: &Found, measured_ps: u64) -> Result<(), Failure> {
    let (Some(whole), Some(windows)) = (whole.points.get(&0), windows.points.get(&0)) else {
        return Ok(());
    };
    let mut by_name: BTreeMap<&str, Vec<Option<f64>>> = BTreeMap::new();
    for ((name, _, _), value) in windows {
        by_name.entry(name).or_default().push(*value);
    }
    // Windows are equal to a picosecond: that is their weight, if the time measured is short.
    let unequal = |count: usize| count as f64 / measured_ps as f64;
    for ((name, _, _), value) in whole {
        let (Some(value), Some(parts)) = (value, by_name.get(name.as_str())) else {
            continue;
        };
        let known: Vec<f64> = parts.iter().copied().flatten().collect();
        if known.len() < parts.len() || name.starts_with("measure.") {
            continue;
        }
        let (_, metric) = name.rsplit_once('.').unwrap_or(("", name));
        let sum: f64 = known.iter().sum();
        let max = known.iter().copied().fold(0.0, f64::max);
        let united = match metric {
            _ if COUNTS.contains(&metric) => sum,
            _ if AVERAGES.contains(&metric) => sum / known.len() as f64,
            _ if MAXIMA.contains(&metric) => max,
            _ => continue,
        };
        let exact = 1e-5 + unequal(known.len());
        if (united - value).abs() > exact * value.abs() + 1e-9 {
            let seen = format!("windows: {name} is {value}, of windows {united}: {known:?}");
            return Err(Fault::Law.seen(seen));
        }
    }
    Ok(())
}
