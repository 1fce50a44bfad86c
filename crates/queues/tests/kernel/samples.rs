//! The states of disciplines, compared with recorded samples.

use pacesim_units::Time;

use crate::cases::Case;
use crate::line::time;

/// PIE's probability, which is recorded modulo one with nine digits.
pub(crate) fn probability(case: &Case, states: &[(Time, f64)], end: i64) -> Result<(), String> {
    let table = case.table("samples").ok_or("no samples")?;
    for row in table.rows() {
        let ns = row.ns("t_us").expect("a time");
        let ours = at(states, time(ns));
        let recorded = row.number("prob");
        let off = (ours - recorded).rem_euclid(1.0);
        let off = off.min(1.0 - off);
        if ns < end && off > 1e-9 {
            return Err(format!(
                "probability {ours} at {ns} ns, recorded {recorded}"
            ));
        }
    }
    Ok(())
}

/// RED's mean queue in bytes. A sample at the nanosecond of an arrival may precede or follow it.
pub(crate) fn mean_queue(case: &Case, states: &[(Time, f64)], end: i64) -> Result<(), String> {
    let table = case.table("samples").ok_or("no samples")?;
    for row in table.rows() {
        let ns = row.ns("t_us").expect("a time");
        let recorded = row.number("avg_bytes");
        let ours = [-1, 0, 1].map(|off| at(states, time((ns + off).max(0))));
        if ns < end && !ours.contains(&recorded) {
            return Err(format!(
                "mean of {} B at {ns} ns, recorded {recorded} B",
                ours[1]
            ));
        }
    }
    Ok(())
}

/// DualPI2's base probability in 32 bits, at each update.
pub(crate) fn base_probability(case: &Case, states: &[(Time, f64)]) -> Result<(), String> {
    let table = case.table("samples").ok_or("no samples")?;
    for row in table.rows() {
        let ns = row.ns("update_us").expect("a time");
        let recorded = row.count("prob32");
        if ns < 0 {
            continue;
        }
        let found = states.binary_search_by_key(&time(ns), |(at, _)| *at);
        let ours = found
            .ok()
            .map(|place| (states[place].1 * 4_294_967_296.0) as u64);
        if ours.is_some_and(|ours| ours != recorded) || (ours.is_none() && recorded > 0) {
            return Err(format!(
                "probability {ours:?} at {ns} ns, recorded {recorded} of 2^32"
            ));
        }
    }
    Ok(())
}

/// The last state at or before a time.
fn at(states: &[(Time, f64)], now: Time) -> f64 {
    let after = states.partition_point(|(at, _)| *at <= now);
    after.checked_sub(1).map_or(0.0, |place| states[place].1)
}
