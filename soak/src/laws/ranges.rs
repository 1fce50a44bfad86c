//! Possible numbers: shares from 0 to 1, ordered quantiles, distributions that reach their ends.

use std::collections::BTreeMap;

use crate::rows::Rows;
use crate::trial::{Failure, Fault};

use super::found::{Found, Number, real, whole};

/// A share may exceed its ends by the rounding of floats only.
const ROUNDING: f64 = 1e-9;
/// Quantiles are within 1/32 of the true value, maxima are exact.
const QUANTILES: f64 = 1.0 / 31.0;

/// Quantities of one entity in rising order, by the ends of their names.
const ORDERED: [&[&str]; 9] = [
    &["delay_p50_s", "delay_p99_s"],
    &[
        "completion_p50_s",
        "completion_p95_s",
        "completion_p99_s",
        "completion_p999_s",
        "completion_max_s",
    ],
    &[
        "slowdown_p50",
        "slowdown_p95",
        "slowdown_p99",
        "slowdown_p999",
        "slowdown_max",
    ],
    &["sojourn_p50_s", "sojourn_p99_s"],
    &["queue_mean_pkts", "queue_max_pkts"],
    &["queue_mean_bytes", "queue_max_bytes"],
    &["held_mean_pkts", "held_max_pkts"],
    &["pacing_delay_mean_s", "pacing_delay_max_s"],
    &["utilisation_min", "utilisation_mean", "utilisation_max"],
];

/// The quantiles of a measure, with these units.
const QUANTILES_OF: [&str; 8] = ["min", "p01", "p50", "p90", "p99", "p999", "max", ""];

/// Checks all numbers and tables. In a run that is measured from its start, a link that no packet
/// arrived at has lost none.
pub(super) fn judge(found: &Found, is_from_start: bool) -> Result<(), Failure> {
    for (point, numbers) in &found.points {
        let told = |seen: String| Fault::Law.seen(format!("point {point}: {seen}"));
        for (number, value) in numbers {
            possible(number, *value).map_err(told)?;
            if is_from_start {
                share_of_none(number, *value, numbers).map_err(told)?;
            }
        }
        ordered(numbers).map_err(told)?;
    }
    for (table, rows) in &found.tables {
        let told = |seen: String| Fault::Law.seen(format!("{table}: {seen}"));
        for rows in by_run(rows).values() {
            distribution(table, rows).map_err(told)?;
        }
    }
    Ok(())
}

fn is_share(metric: &str) -> bool {
    let whole = ["slow_start", "jain_index", "all", "between"];
    let parts = ["utilisation", "_limited", "within_"];
    (metric.ends_with("_ratio") && metric != "overhead_ratio")
        || whole.contains(&metric)
        || parts.iter().any(|part| metric.contains(part))
}

/// True for the few numbers that may be negative.
pub(super) fn is_signed(name: &str) -> bool {
    let metric = name.rsplit('.').next().unwrap_or(name);
    metric.starts_with("autoco") || ["slope", "hurst", "low", "high"].contains(&metric)
}

fn possible((name, ..): &Number, value: Option<f64>) -> Result<(), String> {
    let (_, metric) = name.rsplit_once('.').unwrap_or(("", name));
    let Some(value) = value else {
        return Ok(());
    };
    if !value.is_finite() || (value < 0.0 && !is_signed(name)) {
        return Err(format!("{name} is {value}"));
    }
    if is_share(metric) && value > 1.0 + ROUNDING {
        return Err(format!("{name} is {value}, more than all"));
    }
    Ok(())
}

/// A share of no packets has no value.
fn share_of_none(
    (name, replication, window): &Number,
    value: Option<f64>,
    others: &BTreeMap<Number, Option<f64>>,
) -> Result<(), String> {
    let (entity, metric) = name.rsplit_once('.').unwrap_or(("", name));
    let events = match metric {
        // Packets may have arrived in the window before.
        _ if *window > 0 => return Ok(()),
        "loss_ratio" if entity.starts_with("link.") => "arrived_pkts",
        "loss_ratio" if entity.starts_with("flows.") => "settled_pkts",
        _ => return Ok(()),
    };
    let events = (format!("{entity}.{events}"), *replication, *window);
    match others.get(&events) {
        Some(Some(0.0)) if value == Some(0.0) => Err(format!("{name} is 0 of no packets")),
        _ => Ok(()),
    }
}

fn ordered(numbers: &BTreeMap<Number, Option<f64>>) -> Result<(), String> {
    for ((name, replication, window), value) in numbers {
        let Some(value) = value else { continue };
        let (entity, metric) = name.rsplit_once('.').unwrap_or(("", name));
        for larger in later(metric) {
            let other = (format!("{entity}.{larger}"), *replication, *window);
            if let Some(Some(other)) = numbers.get(&other)
                && *value > other * (1.0 + QUANTILES) + 1e-12
            {
                return Err(format!("{name} is {value}, {larger} only {other}"));
            }
        }
    }
    Ok(())
}

/// The metrics that are at least this one.
fn later(metric: &str) -> Vec<String> {
    for chain in ORDERED {
        if let Some(place) = chain.iter().position(|one| *one == metric) {
            return chain[place + 1..]
                .iter()
                .map(|one| (*one).to_owned())
                .collect();
        }
    }
    let (stem, unit) = metric.split_once('_').unwrap_or((metric, ""));
    let Some(place) = QUANTILES_OF.iter().position(|one| *one == stem) else {
        return Vec::new();
    };
    let later = QUANTILES_OF[place + 1..].iter();
    later.map(|one| format!("{one}_{unit}")).collect()
}

type Run<'a> = Vec<&'a Vec<(String, crate::rows::Cell)>>;

fn by_run(rows: &Rows) -> BTreeMap<(u64, u64, u64), Run<'_>> {
    let mut runs: BTreeMap<_, Run<'_>> = BTreeMap::new();
    for row in rows {
        let run = ["point", "replication", "window"].map(|column| whole(row, column));
        runs.entry(run.into()).or_default().push(row);
    }
    runs
}

fn distribution(table: &str, rows: &Run<'_>) -> Result<(), String> {
    let column =
        |name: &str| -> Vec<f64> { rows.iter().filter_map(|row| real(row, name)).collect() };
    let ccdf = column("ccdf");
    if ccdf.windows(2).any(|two| two[1] > two[0] + ROUNDING) {
        return Err(format!("ccdf rises: {ccdf:?}"));
    }
    if ccdf
        .iter()
        .any(|share| !(-ROUNDING..=1.0 + ROUNDING).contains(share))
    {
        return Err(format!("ccdf beyond 0 to 1: {ccdf:?}"));
    }
    if column("length").first() == Some(&0.0)
        && ccdf.first().is_some_and(|one| (one - 1.0).abs() > ROUNDING)
    {
        return Err(format!(
            "{table}: {} of the time at length 0 or more",
            ccdf[0]
        ));
    }
    for shares in ["time_ratio", "gaps_ratio", "values_ratio", "flows_ratio"] {
        let column = column(shares);
        let sum: f64 = column.iter().sum();
        if !column.is_empty() && (sum - 1.0).abs() > 1e-6 && sum != 0.0 {
            return Err(format!("{shares} add up to {sum}"));
        }
    }
    for place in ["length", "to_s", "to_bps", "time_s"] {
        let column = column(place);
        if column.windows(2).any(|two| two[1] <= two[0]) {
            return Err(format!("{place} does not rise: {column:?}"));
        }
    }
    Ok(())
}
