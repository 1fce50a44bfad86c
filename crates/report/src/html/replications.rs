//! Several replications of a scenario: means with intervals, and the number of each run.

use std::fs;
use std::path::{Path, PathBuf};

use pacesim_trace::{Recording, TraceError};
use serde_json::{Value, json};

use super::chapter::{Chapter, Table};
use super::document;

/// The first recorded replication of a folder, if it has several.
pub(super) fn first(results: &Path) -> Option<PathBuf> {
    let manifest = fs::read_to_string(results.join("manifest.json")).ok()?;
    let manifest: Value = serde_json::from_str(&manifest).ok()?;
    manifest["replications"].as_u64()?;
    let folders = (0..manifest["replications"].as_u64()?).map(|n| format!("replication-{n}"));
    folders
        .map(|name| results.join(name))
        .find(|path| path.is_dir())
}

/// The chapter of all replications.
pub(super) fn chapter(results: &Path) -> Result<Chapter, TraceError> {
    let summary = document(&results.join("summary.json"))?;
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
    Ok(Chapter {
        title: format!("{of} replications"),
        about: vec![format!(
            "Means over independent replications, with {level:.0} % intervals (Student)."
        )],
        tables: tables.collect(),
        ..Chapter::default()
    })
}

/// One row for each mean.
fn means_table(title: &str, means: &[&Value]) -> Table {
    let row = |mean: &&Value| {
        let keys = ["entity", "metric", "mean", "half_width", "n"];
        keys.map(|key| mean[key].clone()).to_vec()
    };
    Table {
        title: title.to_owned(),
        columns: ["of", "metric", "mean", "half width", "replications"]
            .map(str::to_owned)
            .to_vec(),
        rows: means.iter().map(row).collect(),
    }
}

/// The facts of a page of replications.
pub(super) fn facts(results: &Path, one: &Recording) -> Result<Value, TraceError> {
    let summary = document(&results.join("summary.json"))?;
    let shown = one.folder.file_name().map(|name| name.to_string_lossy());
    Ok(json!([
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
    ]))
}
