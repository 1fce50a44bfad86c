//! Numbers of senders other than TCP: those that qlog knows as its metrics, and all by their own names
//! beside them.

use std::fmt::Write;

use super::super::Chosen;
use super::{Log, decimal, real};
use crate::trace::{NumberRow, Numbers as Changes, Recording, TraceError};

/// Metrics of qlog, the names for them by the convention of units, and true for a time, which qlog
/// has in milliseconds.
const METRICS: [(&str, &[&str], bool); 7] = [
    ("bytes_in_flight", &["in_flight_bytes"], false),
    ("congestion_window", &["cwnd_bytes", "window_bytes"], false),
    ("latest_rtt", &["rtt_s"], true),
    ("min_rtt", &["min_rtt_s"], true),
    ("pacing_rate", &["pacing_rate_bps", "rate_bps"], false),
    ("smoothed_rtt", &["srtt_s"], true),
    ("ssthresh", &["ssthresh_bytes"], false),
];

/// The recorded changes, written between other events.
pub(super) struct Numbers<'a> {
    changes: Changes,
    chosen: &'a Chosen,
    /// Changes of one flow at one instant: a record.
    together: Vec<NumberRow>,
}

impl<'a> Numbers<'a> {
    pub(super) fn new(
        recording: &Recording,
        chosen: &'a Chosen,
    ) -> Result<Numbers<'a>, TraceError> {
        Ok(Numbers {
            changes: recording.numbers_in_time()?,
            chosen,
            together: Vec::new(),
        })
    }

    /// Writes what changed before this time: at one instant packets come first.
    pub(super) fn write_before(&mut self, t_ps: u64, log: &mut Log) -> Result<(), TraceError> {
        let Some(until) = t_ps.checked_sub(1) else {
            return Ok(());
        };
        let (chosen, together) = (self.chosen, &mut self.together);
        self.changes.for_each_until(until, |row| {
            if !chosen.flow(row.flow_id) {
                return Ok(());
            }
            let first = together.first();
            if first.is_some_and(|of| (of.t_ps, of.flow_id) != (row.t_ps, row.flow_id)) {
                write(together, log)?;
            }
            together.push(row.clone());
            Ok(())
        })?;
        write(together, log)
    }
}

/// Writes the record of these changes.
fn write(together: &mut Vec<NumberRow>, log: &mut Log) -> Result<(), TraceError> {
    let Some((t_ps, flow)) = together.first().map(|row| (row.t_ps, row.flow_id)) else {
        return Ok(());
    };
    let value = |names: &[&str]| {
        let mut rows = together.iter().rev();
        rows.find(|row| names.contains(&&*row.name))?.value
    };
    let record = log.begin();
    let mut sign = b'{';
    for (metric, names, is_time) in METRICS {
        let Some(value) = value(names).filter(|value| *value >= 0.0) else {
            continue;
        };
        record.extend_from_slice(&[sign, b'"']);
        record.extend_from_slice(metric.as_bytes());
        record.extend_from_slice(b"\":");
        match is_time {
            true => real(record, value * 1e3),
            false => decimal(record, value as u64),
        }
        sign = b',';
    }
    if sign == b'{' {
        record.push(sign);
    }
    record.push(b'}');
    // The last value of each name, in the order of names.
    together.sort_by(|one, other| one.name.cmp(&other.name));
    let mut fields = String::new();
    for (place, row) in together.iter().enumerate() {
        if together
            .get(place + 1)
            .is_none_or(|next| next.name != row.name)
        {
            let value = serde_json::json!(row.value);
            let _ = write!(fields, ",\"pacesim_{}\":{value}", row.name);
        }
    }
    together.clear();
    log.end(t_ps, flow, "recovery_metrics_updated", &fields)
}
