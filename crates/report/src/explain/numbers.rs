//! The numbers that senders other than TCP declare: at a moment, and over time.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::titled;
use crate::answer::{Answer, Rows};
use crate::model::{model, transport, transports};
use crate::trace::{NumberRow, Recording, Table, TraceError};
use crate::words;

/// Flows shown of a moment.
const SHOWN: usize = 20;
/// Parts of the time for which means are given.
const PARTS: u64 = 5;

/// A remedy, if a transport declares numbers that were not recorded.
const MISSING: &str =
    "Numbers of senders other than TCP were not recorded: `ends = {}` in [output] records them.\n";

/// The last numbers of a flow up to a time.
pub(super) fn of_flow(
    recording: &Recording,
    flow: u32,
    at_ps: u64,
) -> Result<BTreeMap<Rc<str>, Option<f64>>, TraceError> {
    let mut all = at(recording, at_ps, |of| of == flow)?;
    Ok(all.remove(&flow).unwrap_or_default())
}

type Known = BTreeMap<u32, BTreeMap<Rc<str>, Option<f64>>>;

fn at(
    recording: &Recording,
    at_ps: u64,
    of_flow: impl Fn(u32) -> bool,
) -> Result<Known, TraceError> {
    let mut known = Known::new();
    if recording.has(Table::Ends) {
        recording.numbers(|row| {
            if row.t_ps <= at_ps && of_flow(row.flow_id) {
                let of = known.entry(row.flow_id).or_default();
                of.insert(row.name, row.value);
            }
        })?;
    }
    Ok(known)
}

/// A table of the last numbers of all senders, or of one flow's.
pub(super) fn at_moment(
    recording: &Recording,
    at_ps: u64,
    only: Option<u32>,
) -> Result<Answer, TraceError> {
    let of_flow = |flow: u32| only.is_none_or(|only| only == flow);
    if !recording.has(Table::Ends) {
        let mut flows = (0..).zip(transports(recording));
        let declares = flows.any(|(flow, transport)| {
            of_flow(flow) && transport.is_some_and(|of| !of.numbers().is_empty())
        });
        return Ok(if declares { MISSING } else { "" }.to_owned().into());
    }
    let known = at(recording, at_ps, of_flow)?;
    if known.is_empty() {
        return Ok(Answer::default());
    }
    let mut rows = vec![["sender", "number", "value"].map(str::to_owned).to_vec()];
    for (flow, numbers) in known.iter().take(SHOWN) {
        for (name, value) in numbers {
            let flow = recording.flow_name(*flow).to_owned();
            rows.push(vec![flow, name.to_string(), words::number(*value)]);
        }
    }
    Ok(titled("\n".to_owned(), Rows::headed(rows)))
}

/// Means of a flow's numbers in parts of the run.
pub(super) fn over_time(recording: &Recording, flow: u32) -> Result<Answer, TraceError> {
    let declares = transport(recording, flow).is_some_and(|of| !of.numbers().is_empty());
    if !recording.has(Table::Ends) {
        let missing = if declares {
            format!("\n{MISSING}")
        } else {
            String::new()
        };
        return Ok(missing.into());
    }
    let mut changes: Vec<NumberRow> = Vec::new();
    recording.numbers(|row| {
        if row.flow_id == flow {
            changes.push(row);
        }
    })?;
    let (Some(first), Some(last)) = (changes.first(), changes.last()) else {
        return Ok(Answer::default());
    };
    let from = first.t_ps;
    let end = model(recording).map_or(last.t_ps, |model| model.duration.as_ps());
    let whole = end.saturating_sub(from).max(1);
    let edge = |part: u64| from + (u128::from(whole) * u128::from(part) / u128::from(PARTS)) as u64;
    let mut courses: BTreeMap<Rc<str>, Vec<(u64, Option<f64>)>> = BTreeMap::new();
    for row in &changes {
        let course = courses.entry(row.name.clone()).or_default();
        course.push((row.t_ps, row.value));
    }
    let mut rows = vec![vec!["from".to_owned(), "to".to_owned()]];
    rows[0].extend(courses.keys().map(|name| name.to_string()));
    for part in 0..PARTS {
        let (begin, end) = (edge(part), edge(part + 1));
        let mut row = vec![words::moment(begin), words::moment(end)];
        let means = courses.values().map(|course| mean(course, begin, end));
        row.extend(means.map(words::number));
        rows.push(row);
    }
    let title = "\nMeans of its end's numbers over the time in which they have values:\n";
    Ok(titled(title.to_owned(), Rows::headed(rows)))
}

/// The mean over the part of this time in which there is a value.
fn mean(course: &[(u64, Option<f64>)], begin: u64, end: u64) -> Option<f64> {
    let (mut sum, mut time) = (0.0, 0.0);
    let mut ends = course.iter().skip(1).map(|(t_ps, _)| *t_ps);
    for (from, value) in course {
        let to = ends.next().unwrap_or(u64::MAX).min(end);
        let lasts = to.saturating_sub(begin.max(*from)) as f64;
        if let Some(value) = value {
            sum += value * lasts;
            time += lasts;
        }
    }
    (time > 0.0).then(|| sum / time)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_are_weighted_by_time_and_leave_out_what_has_no_value() {
        let course = [
            (10, Some(2.0)),
            (20, Some(4.0)),
            (50, None),
            (60, Some(8.0)),
        ];
        assert_eq!(mean(&course, 0, 10), None);
        assert_eq!(mean(&course, 10, 20), Some(2.0));
        assert_eq!(
            mean(&course, 10, 40),
            Some((2.0 * 10.0 + 4.0 * 20.0) / 30.0)
        );
        assert_eq!(mean(&course, 40, 60), Some(4.0));
        assert_eq!(mean(&course, 50, 60), None);
        assert_eq!(mean(&course, 50, 100), Some(8.0));
    }
}
