//! Several replications of a scenario: means with intervals, and the number of each run.

use std::path::{Path, PathBuf};

use crate::trace::{Recording, TraceError};
use pacesim_runs::folder::{CheckedFolder, OpenError, SUMMARY};
use serde_json::{Value, json};

use super::chapter::{Chapter, Table};

/// A folder of several replications.
pub(super) struct All {
    /// The folder of the first one.
    pub(super) first: PathBuf,
    summary: Value,
}

/// The replications in a folder, if it has several.
pub(super) fn all(results: &Path) -> Result<Option<All>, TraceError> {
    let folder = match CheckedFolder::open(results) {
        // Its own reader has a better remedy.
        Err(OpenError::NotResults(_)) => return Ok(None),
        folder => folder?,
    };
    if !folder.manifest()["replications"].is_u64() {
        return Ok(None);
    }
    let first = folder.subfolders().next();
    let Some(first) = first.map(|name| results.join(name)) else {
        return Ok(None);
    };
    let summary = folder.document(SUMMARY)?;
    Ok(Some(All { first, summary }))
}

impl All {
    /// The chapter of all replications.
    pub(super) fn chapter(&self) -> Chapter {
        chapter(&self.summary)
    }

    /// The facts of a page of replications.
    pub(super) fn facts(&self, one: &Recording) -> Value {
        facts(&self.summary, one)
    }
}

fn chapter(summary: &Value) -> Chapter {
    let means = summary["means"].as_array().into_iter().flatten();
    let entities = |of: &str| -> Vec<&Value> { means.clone().filter(|m| m["of"] == of).collect() };
    let tables = [
        ("flows", "Flows"),
        ("link", "Links"),
        ("fec", "Coders"),
        ("run", "Runs"),
    ];
    let tables = tables.map(|(of, title)| means_table(title, &entities(of)));
    let tables = tables.into_iter().filter(|table| !table.rows.is_empty());
    let of = summary["replications"].to_string();
    let level = summary["confidence"].as_f64().unwrap_or(0.95) * 100.0;
    Chapter {
        title: format!("{of} replications"),
        about: vec![format!(
            "Means over independent replications, with the ends of {level:.0} % intervals."
        )],
        tables: tables.collect(),
        ..Chapter::default()
    }
}

const COLUMNS: [&str; 7] = [
    "of",
    "metric",
    "mean",
    "low",
    "high",
    "replications",
    "read with care",
];

/// Reasons to read a mean with care.
fn care(mean: &Value) -> String {
    let reasons = [
        (mean["few_values"] == true, "a quantile of few values"),
        (mean["clusters"].is_object(), "a mean of two clusters"),
        (mean["identical"] == true, "identical: nothing is drawn"),
    ];
    let reasons = reasons.iter().filter(|(holds, _)| *holds);
    let texts: Vec<&str> = reasons.map(|(_, text)| *text).collect();
    texts.join("; ")
}

/// One row for each mean.
fn means_table(title: &str, means: &[&Value]) -> Table {
    let row = |mean: &&Value| {
        let keys = ["entity", "metric", "mean", "low", "high", "n"];
        let mut row = keys.map(|key| mean[key].clone()).to_vec();
        row.push(care(mean).into());
        row
    };
    Table {
        title: title.to_owned(),
        columns: COLUMNS.map(str::to_owned).to_vec(),
        rows: means.iter().map(row).collect(),
    }
}

fn facts(summary: &Value, one: &Recording) -> Value {
    let shown = one.folder.file_name().map(|name| name.to_string_lossy());
    json!([
        format!("seed {}", summary["seed"]),
        format!("version {}", summary["version"].as_str().unwrap_or("?")),
        format!(
            "fingerprint {}",
            summary["fingerprint"].as_str().unwrap_or("?")
        ),
        format!(
            "tables of flows and links, and recordings, are those of {}",
            shown.unwrap_or_default()
        ),
    ])
}
