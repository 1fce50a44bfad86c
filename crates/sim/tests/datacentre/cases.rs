//! The files of cases: a line of settings, perhaps other lines of remarks, then a table.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use pacesim::units::{Bytes, Rate, Span};
use serde_json::Value;

/// A case: its settings, and its rows by column.
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) settings: Value,
    columns: Vec<String>,
    rows: Vec<Vec<String>>,
}

/// The cases of the folder given, or of those beside this file.
pub(crate) fn all() -> Vec<Case> {
    let paths = files("micro", "csv");
    paths.iter().map(|path| read(path)).collect()
}

/// The files with this ending in a part of the folder given, or beside this file.
pub(crate) fn files(part: &str, ending: &str) -> Vec<PathBuf> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/datacentre");
    let folder = std::env::var_os("PACESIM_DATACENTRE").map_or_else(beside, PathBuf::from);
    let folder = folder.join(part);
    let entries = std::fs::read_dir(&folder);
    let entries = entries.unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("a file").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|end| end == ending));
    paths.sort();
    assert!(!paths.is_empty(), "no case in {}", folder.display());
    paths
}

pub(crate) fn read(path: &Path) -> Case {
    let text = std::fs::read_to_string(path).expect("a text");
    let mut lines = text.lines();
    let settings = lines.next().and_then(|line| line.strip_prefix('#'));
    let settings = settings.expect("a line of settings");
    let mut lines = lines.skip_while(|line| line.starts_with('#'));
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

    /// A number of the settings that the case must have.
    pub(crate) fn real(&self, key: &str) -> f64 {
        self.number(key)
            .unwrap_or_else(|| panic!("no number {key}"))
    }

    /// A whole number of the settings, which may be written as a real one.
    pub(crate) fn whole(&self, key: &str) -> u64 {
        let number = self.real(key);
        assert!(number >= 0.0 && number.fract() == 0.0, "{key} is {number}");
        number as u64
    }

    pub(crate) fn rate(&self, key: &str) -> Rate {
        Rate::from_bps(self.whole(key)).expect("above zero")
    }

    pub(crate) fn bytes(&self, key: &str) -> Bytes {
        Bytes(self.whole(key))
    }

    /// A span in microseconds.
    pub(crate) fn microseconds(&self, key: &str) -> Span {
        microseconds(self.real(key))
    }

    /// A list of times in microseconds.
    pub(crate) fn times(&self, key: &str) -> Vec<Span> {
        let list = self.settings.get(key).and_then(Value::as_array);
        let list = list.unwrap_or_else(|| panic!("no list {key}"));
        let number = |value: &Value| value.as_f64().expect("a number");
        list.iter()
            .map(|value| microseconds(number(value)))
            .collect()
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

    /// The rows with their numbers, to be read by column.
    pub(crate) fn table(&self) -> impl Iterator<Item = Row<'_>> {
        let columns = &self.columns[..];
        let rows = self.rows.iter().enumerate();
        rows.map(move |(number, cells)| Row {
            number,
            columns,
            cells,
        })
    }

    /// Number of rows.
    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }
}

/// The span of so many microseconds, to the picosecond.
pub(crate) fn microseconds(us: f64) -> Span {
    Span::from_ps_f64(us * 1e6).expect("a span")
}

/// A row of a table.
#[derive(Clone, Copy)]
pub(crate) struct Row<'a> {
    pub(crate) number: usize,
    columns: &'a [String],
    cells: &'a [String],
}

impl<'a> Row<'a> {
    pub(crate) fn text(&self, column: &str) -> &'a str {
        let place = self.columns.iter().position(|name| name == column);
        let place = place.unwrap_or_else(|| panic!("no column {column}"));
        &self.cells[place]
    }

    pub(crate) fn real(&self, column: &str) -> f64 {
        let text = self.text(column);
        text.parse()
            .unwrap_or_else(|_| panic!("{column} is {text}"))
    }

    pub(crate) fn integer(&self, column: &str) -> u64 {
        let text = self.text(column);
        text.parse()
            .unwrap_or_else(|_| panic!("{column} is {text}"))
    }

    /// The numbers of a cell that has several, in groups of four.
    pub(crate) fn fours(&self, column: &str) -> impl Iterator<Item = [i64; 4]> {
        let numbers = self.text(column).split(' ').map(|number| {
            let parsed = number.parse::<i64>();
            parsed.unwrap_or_else(|_| panic!("{column} has {number}"))
        });
        let numbers: Vec<i64> = numbers.collect();
        assert!(
            numbers.len().is_multiple_of(4),
            "groups of four in {column}"
        );
        let groups: Vec<[i64; 4]> = numbers.as_chunks().0.to_vec();
        groups.into_iter()
    }
}
