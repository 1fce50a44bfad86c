//! The files of cases: a line of settings, then a table.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A case: its settings, and its rows by column.
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) settings: serde_json::Value,
    columns: Vec<String>,
    rows: Vec<Vec<String>>,
}

/// The cases of the folder given, or of those beside this file.
pub(crate) fn all() -> Vec<Case> {
    let folder = match std::env::var_os("PACESIM_DATACENTRE") {
        Some(folder) => PathBuf::from(folder).join("micro"),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/datacentre/micro"),
    };
    let entries = std::fs::read_dir(&folder);
    let entries = entries.unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("a file").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|end| end == "csv"));
    paths.sort();
    assert!(!paths.is_empty(), "no case in {}", folder.display());
    paths.iter().map(|path| read(path)).collect()
}

fn read(path: &Path) -> Case {
    let text = std::fs::read_to_string(path).expect("a text");
    let mut lines = text.lines();
    let settings = lines.next().and_then(|line| line.strip_prefix('#'));
    let settings = settings.expect("a line of settings");
    let cells = |line: &str| line.split(',').map(str::to_owned).collect();
    Case {
        name: path.file_stem().expect("a name").to_string_lossy().into(),
        settings: serde_json::from_str(settings).expect("settings in JSON"),
        columns: cells(lines.next().expect("columns")),
        rows: lines.map(cells).collect(),
    }
}

impl Case {
    /// A number of the settings.
    pub(crate) fn number(&self, key: &str) -> Option<f64> {
        self.settings.get(key)?.as_f64()
    }

    pub(crate) fn word(&self, key: &str) -> Option<&str> {
        self.settings.get(key)?.as_str()
    }

    /// The integers of each row by the names of their columns; other cells are left out.
    pub(crate) fn rows(&self) -> impl Iterator<Item = BTreeMap<&str, i64>> {
        self.rows.iter().map(|row| {
            let cells = self.columns.iter().zip(row);
            cells
                .filter_map(|(name, cell)| Some((name.as_str(), cell.parse().ok()?)))
                .collect()
        })
    }
}
