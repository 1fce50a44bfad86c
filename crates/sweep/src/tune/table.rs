//! The results of searches as a table with one row per search.

use pacesim::measure::record::Value;
use pacesim_claims::spread::Spread;
use pacesim_store::sweep::Sweep;
use pacesim_study::{Study, Tune};
use pacesim_tables::partial::{PARTIAL, left_beside};
use pacesim_tables::{RowWriter, TableError};

use crate::columns;
use crate::columns::real;
use crate::error::SweepError;
use crate::outline::OutlineValue;
use crate::tune::tuned::{SearchEnd, Tuned, TunedCase};

/// Name of the table's file.
pub(super) const TUNED: &str = "tuned.parquet";

/// Writes the table.
pub(super) fn keep(sweep: &Sweep<'_>, tune: &Tune, tuned: &Tuned) -> Result<(), SweepError> {
    let path = sweep.out.join(TUNED);
    // Left by a killed search; the store is locked, so nothing else is writing it.
    for left in left_beside(&path, PARTIAL) {
        std::fs::remove_file(&left).map_err(|source| SweepError::File { path: left, source })?;
    }
    let study = sweep.study;
    let all = columns::of_searches(study, tune);
    let write = || -> Result<(), TableError> {
        let mut table = RowWriter::create(&path, all, &columns::notes(study))?;
        for case in &tuned.cases {
            table.push(&row(study, tune, case))?;
        }
        table.finish().map(drop)
    };
    Ok(write()?)
}

fn row<'a>(study: &Study, tune: &Tune, case: &'a TunedCase) -> Vec<Value<'a>> {
    let mut row = Vec::new();
    let is_found = case.ended != SearchEnd::Nowhere;
    let (mut listed, mut found) = (case.values.iter(), case.found.iter());
    for (place, axis) in study.axes.iter().enumerate() {
        let value = if tune.searches(place) {
            found.next().filter(|_| is_found)
        } else {
            listed.next()
        };
        row.push(value.map_or(Value::Null, |value| Value::Text(&value.text)));
        if columns::has_formulas(axis) {
            let text = |value: &'a OutlineValue| value.resolved.as_ref().unwrap_or(&value.text);
            row.push(value.map_or(Value::Null, |value| Value::Text(text(value))));
        }
        if columns::is_numeric(axis) {
            row.push(real(value.and_then(number)));
        }
    }
    row.push(Value::Text(word(case.ended)));
    row.push(Value::U64(case.tried as u64));
    row.push(case.point.map_or(Value::Null, Value::U64));
    let broken = case.broken.as_ref().map(|broken| &broken.value);
    row.push(broken.map_or(Value::Null, |value| Value::Text(&value.text)));
    row.push(real(broken.and_then(number)));
    row.push(match (&case.not_monotone, case.ended) {
        (_, SearchEnd::Nowhere) => Value::Null,
        (Some(_), _) => Value::Text("no"),
        (None, _) => Value::Text("yes"),
    });
    let bounds = case.bounds.iter().map(|bound| Some(bound.spread));
    let bounds = bounds
        .chain(std::iter::repeat(None))
        .take(tune.bounds.len());
    for spread in std::iter::once(case.goal).chain(bounds) {
        row.push(real(spread.and_then(|spread| spread.mean)));
        row.push(real(spread.as_ref().and_then(Spread::half_width)));
    }
    row
}

fn number(value: &OutlineValue) -> Option<f64> {
    value.number
}

fn word(ended: SearchEnd) -> &'static str {
    match ended {
        SearchEnd::Found => "found",
        SearchEnd::Nowhere => "nowhere",
        SearchEnd::OutOfTries => "out_of_tries",
        SearchEnd::Interrupted => "interrupted",
    }
}
