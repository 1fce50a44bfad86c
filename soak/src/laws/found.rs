//! The numbers and tables of a swept study.

use std::collections::BTreeMap;
use std::fs;
use std::num::NonZeroUsize;
use std::path::Path;

use pacesim_lab::Unwatched;
use pacesim_lab::input::{self, study_from_text};
use pacesim_lab::study::{Sweep, sweep};
use serde_json::{Map, Value as Json};

use crate::rows::{self, Cell, Rows};
use crate::toml;
use crate::trial::{Failure, Fault};

/// A number of a run: its name, replication and window.
pub(crate) type Number = (String, u64, u64);

/// All that a sweep has found.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// The numbers of each point.
    pub(crate) points: BTreeMap<u64, BTreeMap<Number, Option<f64>>>,
    /// The tables of measures, by name.
    pub(crate) tables: Vec<(String, Rows)>,
}

/// The cell of a column.
pub(crate) fn cell<'a>(row: &'a [(String, Cell)], column: &str) -> Option<&'a Cell> {
    row.iter()
        .find(|(name, _)| name == column)
        .map(|(_, cell)| cell)
}

/// The whole number of a column; 0 if it has none.
pub(crate) fn whole(row: &[(String, Cell)], column: &str) -> u64 {
    match cell(row, column) {
        Some(Cell::Whole(n)) => u64::try_from(*n).unwrap_or(0),
        _ => 0,
    }
}

/// The number of a column, if it has one.
pub(crate) fn real(row: &[(String, Cell)], column: &str) -> Option<f64> {
    match cell(row, column)? {
        Cell::Real(x) => Some(*x),
        Cell::Whole(n) => Some(*n as f64),
        _ => None,
    }
}

fn text<'a>(row: &'a [(String, Cell)], column: &str) -> &'a str {
    match cell(row, column) {
        Some(Cell::Text(text)) => text,
        _ => "",
    }
}

/// The name of the number in a row, as studies give it.
pub(crate) fn number_name(row: &[(String, Cell)]) -> String {
    ["of", "entity", "metric"]
        .map(|column| text(row, column))
        .join(".")
}

/// Sweeps a study; measures that `check` refuses are left out, and live flows are simulated. Returns
/// `None` if it refuses anything else.
pub(crate) fn swept(
    study: &mut Map<String, Json>,
    folder: &Path,
    name: &str,
    shown: &mut String,
) -> Result<Option<Found>, Failure> {
    let out = folder.join(name);
    simulate_all(study);
    for _ in 0..8 {
        *shown = toml::document(study);
        let input = study_from_text("laws.toml", shown, folder, &[]);
        let problems = match input {
            Err(rejected) => rejected.problems,
            Ok(input) => match input::check(&input.study, NonZeroUsize::MIN) {
                Err(problems) => problems,
                Ok(_) => {
                    let order = Sweep {
                        folder: &input.folder,
                        ..Sweep::new(&input.study, &out)
                    };
                    sweep(&order, &Unwatched)
                        .map_err(|error| Fault::Refused.seen(format!("sweep: {error}")))?;
                    let found = read(&out)?;
                    fs::remove_dir_all(&out).map_err(|error| Fault::Unreadable.seen(error))?;
                    return Ok(Some(found));
                }
            },
        };
        if !without(study, problems.iter().map(|problem| problem.path.as_str())) {
            return Ok(None);
        }
    }
    Ok(None)
}

/// Makes no flow live: sweeps take those from recorded runs.
fn simulate_all(study: &mut Map<String, Json>) {
    study.remove("live");
    let flows = study.get_mut("flow").and_then(Json::as_array_mut);
    for flow in flows.into_iter().flatten().filter_map(Json::as_object_mut) {
        flow.remove("live");
    }
}

/// Removes the measures at these paths; false if any other part is refused.
fn without<'a>(study: &mut Map<String, Json>, paths: impl Iterator<Item = &'a str>) -> bool {
    let mut places = Vec::new();
    for path in paths {
        let place = path
            .strip_prefix("measure[")
            .and_then(|rest| rest.split_once(']'));
        match place.and_then(|(place, _)| place.parse::<usize>().ok()) {
            Some(place) => places.push(place),
            None => return false,
        }
    }
    places.sort_unstable();
    places.dedup();
    let Some(measures) = study.get_mut("measure").and_then(Json::as_array_mut) else {
        return false;
    };
    for place in places.iter().rev() {
        measures.remove(*place);
    }
    if measures.is_empty() {
        study.remove("measure");
    }
    true
}

/// The numbers and tables in the folder of a sweep.
pub(super) fn read(out: &Path) -> Result<Found, Failure> {
    let unreadable = |error: String| Fault::Unreadable.seen(error);
    let mut found = Found::default();
    for row in rows::read(&out.join("runs.parquet")).map_err(unreadable)? {
        let point = whole(&row, "point");
        let number = (
            number_name(&row),
            whole(&row, "replication"),
            whole(&row, "window"),
        );
        found
            .points
            .entry(point)
            .or_default()
            .insert(number, real(&row, "value"));
    }
    let measures = out.join("measures");
    if measures.exists() {
        found.tables = rows::tables(&measures).map_err(unreadable)?;
    }
    Ok(found)
}
