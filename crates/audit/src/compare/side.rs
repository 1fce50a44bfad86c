//! The kind of results at a path, and their runs.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::{fmt, fs};

use pacesim_runs::folder::{CheckedFolder, OpenError, SUMMARY};
use pacesim_store::keys::{Keys, of_text};
use pacesim_study::NumberName;
use pacesim_sweep::kept::Kept;
use pacesim_sweep::kept_run::{Run, RunId};
use pacesim_tables::{Cell, TableReader};
use serde::Serialize;
use serde_json::Value;

use crate::compare::fingerprints::FingerprintTable;
use crate::compare::{CompareError, Points};

/// Kinds of results that can be compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SideKind {
    /// The folder of one run.
    Run,
    /// The folder of several replications.
    Replications,
    /// The folder of a study.
    Study,
    /// A file of fingerprints.
    Fingerprints,
}

impl fmt::Display for SideKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            SideKind::Run => "the folder of one run",
            SideKind::Replications => "the folder of several replications",
            SideKind::Study => "the folder of a study",
            SideKind::Fingerprints => "a file of fingerprints",
        })
    }
}

/// The place of a point on its side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PointIndex(pub(super) usize);

/// One side of the comparison.
pub(super) enum ComparedSide {
    /// A single run, and the links that its summary shows.
    Run(Box<Run>, BTreeSet<String>),
    /// A single point with its runs.
    Replications(Vec<Run>),
    Study(Box<Kept>),
    Fingerprints(FingerprintTable),
}

impl ComparedSide {
    /// Opens the results at a path.
    pub(super) fn open(path: &Path) -> Result<ComparedSide, CompareError> {
        let found = fs::metadata(path).map_err(file(path))?;
        if found.is_file() {
            let text = pacesim_runs::files::read_text(path).ok();
            let table = text.and_then(|text| FingerprintTable::read(&text));
            let not_ours = || CompareError::NotOurs(path.to_path_buf());
            return table.map(ComparedSide::Fingerprints).ok_or_else(not_ours);
        }
        if Kept::is_in(path) {
            return ComparedSide::of_study(path);
        }
        ComparedSide::of_results(path)
    }

    fn of_study(path: &Path) -> Result<ComparedSide, CompareError> {
        let kept = Kept::open(path)?;
        let (missing, all) = kept.missing()?;
        if missing > 0 {
            let path = path.to_path_buf();
            return Err(CompareError::Incomplete { path, missing, all });
        }
        Ok(ComparedSide::Study(Box::new(kept)))
    }

    fn of_results(path: &Path) -> Result<ComparedSide, CompareError> {
        let folder = match CheckedFolder::open(path) {
            Err(OpenError::NotResults(path)) => return Err(CompareError::NotOurs(path)),
            folder => folder?,
        };
        if !folder.has(SUMMARY) {
            return Err(CompareError::NotOurs(path.to_path_buf()));
        }
        if folder.manifest()["replications"].is_u64() {
            replications(&folder).map(ComparedSide::Replications)
        } else {
            single(&folder)
        }
    }

    pub(super) fn kind(&self) -> SideKind {
        match self {
            ComparedSide::Run(..) => SideKind::Run,
            ComparedSide::Replications(_) => SideKind::Replications,
            ComparedSide::Study(_) => SideKind::Study,
            ComparedSide::Fingerprints(_) => SideKind::Fingerprints,
        }
    }

    /// The points, by the values of their axes.
    pub(super) fn points(&self) -> Result<Points, CompareError> {
        Ok(match self {
            ComparedSide::Study(kept) => {
                let points = kept.points()?.into_iter().enumerate();
                points
                    .map(|(place, point)| (point, PointIndex(place)))
                    .collect()
            }
            _ => Points::from([(String::new(), PointIndex(0))]),
        })
    }

    /// The keys of each point's scenario, in the order of the points; the results are at this path.
    pub(super) fn keys(&self, path: &Path) -> Vec<Keys> {
        match self {
            ComparedSide::Study(kept) => kept.keys(),
            ComparedSide::Fingerprints(_) => Vec::new(),
            ComparedSide::Run(..) | ComparedSide::Replications(_) => {
                let text = fs::read_to_string(path.join("scenario.toml"));
                text.iter().map(|text| of_text(text)).collect()
            }
        }
    }

    /// True if a summary shows this number: among the links of a run it shows the busiest critical
    /// ones.
    pub(super) fn shows(&self, number: &NumberName) -> bool {
        match self {
            ComparedSide::Run(_, links) => number.of != LINK || links.contains(&number.entity),
            _ => true,
        }
    }

    /// The runs of a point.
    pub(super) fn runs(&self, place: PointIndex) -> Result<Vec<Run>, CompareError> {
        Ok(match self {
            ComparedSide::Run(run, _) => vec![Run::clone(run)],
            ComparedSide::Replications(runs) => runs.clone(),
            ComparedSide::Study(kept) => kept.runs(place.0)?,
            ComparedSide::Fingerprints(_) => Vec::new(),
        })
    }
}

/// The entity of numbers of links.
const LINK: &str = "link";

/// One run: its groups of flows as in the summary, and all its links.
fn single(folder: &CheckedFolder) -> Result<ComparedSide, CompareError> {
    let path = folder.path().join(SUMMARY);
    let summary = folder.document(SUMMARY)?;
    let lacks = |key: &str| damaged(&path, format!("it has no {key}"));
    let whole = |key: &str| summary[key].as_u64().ok_or_else(|| lacks(key));
    let fingerprint = summary["fingerprint"].as_str();
    let mut numbers = Vec::new();
    for group in summary["flows"].as_array().ok_or_else(|| lacks("flows"))? {
        let entity = group["group"].as_str().ok_or_else(|| lacks("group"))?;
        numbers.extend(of_group(entity, group));
        numbers.extend(of_group(entity, &group["tcp"]));
    }
    for pairs in summary["fec"].as_array().into_iter().flatten() {
        let entity = pairs["fec"].as_str().ok_or_else(|| lacks("fec"))?;
        numbers.extend(of_table("fec", entity, pairs));
    }
    numbers.extend(links(&folder.file("links.parquet")?)?);
    let shown = summary["links"].as_array().into_iter().flatten();
    let shown = shown.filter_map(|link| link[LINK].as_str().map(str::to_owned));
    let shown = shown.collect();
    let run = Run {
        id: RunId::whole(whole("seed")?, whole("replication")?),
        fingerprint: fingerprint.ok_or_else(|| lacks("fingerprint"))?.to_owned(),
        numbers,
    };
    Ok(ComparedSide::Run(Box::new(run), shown))
}

/// The numbers of a JSON table; null means no number.
fn of_group(entity: &str, fields: &Value) -> Vec<(NumberName, Option<f64>)> {
    of_table("flows", entity, fields)
}

fn of_table(of: &str, entity: &str, fields: &Value) -> Vec<(NumberName, Option<f64>)> {
    let fields = fields.as_object().into_iter().flatten();
    let fields = fields.filter(|(_, value)| value.is_number() || value.is_null());
    let nothing_inside = fields.filter(|(name, _)| !["tcp", "limited_by"].contains(&name.as_str()));
    nothing_inside
        .map(|(name, value)| (number(of, entity, name), value.as_f64()))
        .collect()
}

fn number(of: &str, entity: &str, metric: &str) -> NumberName {
    NumberName::new(of, entity, metric)
}

/// All numbers of all links.
fn links(path: &Path) -> Result<Vec<(NumberName, Option<f64>)>, CompareError> {
    let mut numbers = Vec::new();
    TableReader::open(path)?.for_each_row(|row| {
        let name = row.iter().find(|(column, _)| *column == LINK);
        let Some((_, Cell::Text(link))) = name else {
            return;
        };
        for (column, cell) in row {
            let value = match cell {
                Cell::Integer(value) => Some(*value as f64),
                Cell::Real(value) => Some(*value),
                Cell::Null => None,
                Cell::Text(_) | Cell::Other => continue,
            };
            if *column != "link_id" {
                numbers.push((number(LINK, link, column), value));
            }
        }
    })?;
    Ok(numbers)
}

/// Reads several replications from their table.
fn replications(folder: &CheckedFolder) -> Result<Vec<Run>, CompareError> {
    let path = folder.file("runs.parquet")?;
    let fingerprints = folder.manifest()["fingerprints"].as_array();
    let fingerprint = |replication: u64| {
        let all = fingerprints?.get(usize::try_from(replication).ok()?);
        all?.as_str().map(str::to_owned)
    };
    let mut runs: BTreeMap<RunId, Run> = BTreeMap::new();
    let mut is_whole = true;
    TableReader::open(&path)?.for_each_row(|row| {
        let Some((id, number, value)) = of_run(row) else {
            is_whole = false;
            return;
        };
        let run = runs.entry(id).or_insert_with(|| Run {
            id,
            fingerprint: fingerprint(id.replication).unwrap_or_default(),
            numbers: Vec::new(),
        });
        run.numbers.push((number, value));
    })?;
    if is_whole {
        Ok(runs.into_values().collect())
    } else {
        Err(damaged(&path, "a column is missing".to_owned()))
    }
}

/// A row of `runs.parquet`.
fn of_run(row: &[(&str, Cell)]) -> Option<(RunId, NumberName, Option<f64>)> {
    let cell = |name: &str| {
        row.iter()
            .find(|(column, _)| *column == name)
            .map(|(_, cell)| cell)
    };
    let text = |name: &str| match cell(name)? {
        Cell::Text(text) => Some(text.as_str()),
        _ => None,
    };
    let whole = |name: &str| match cell(name)? {
        Cell::Integer(number) => u64::try_from(*number).ok(),
        _ => None,
    };
    let value = match cell("value")? {
        Cell::Real(value) => Some(*value),
        _ => None,
    };
    let id = RunId::whole(whole("seed")?, whole("replication")?);
    Some((
        id,
        number(text("of")?, text("entity")?, text("metric")?),
        value,
    ))
}

fn file(path: &Path) -> impl FnOnce(std::io::Error) -> CompareError {
    let path = path.to_path_buf();
    move |source| CompareError::File { path, source }
}

fn damaged(path: &Path, what: String) -> CompareError {
    let path: PathBuf = path.to_path_buf();
    CompareError::Damaged { path, what }
}
