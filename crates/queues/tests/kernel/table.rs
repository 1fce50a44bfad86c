//! Tables in CSV, plain or compressed.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;

/// The rows of a table, and its columns by name.
pub(crate) struct Table {
    columns: BTreeMap<String, usize>,
    rows: Vec<Vec<String>>,
}

/// A row of a table.
#[derive(Clone, Copy)]
pub(crate) struct Row<'a> {
    table: &'a Table,
    cells: &'a [String],
}

impl Table {
    /// Reads a file; a compressed one if its name ends in `.xz`.
    pub(crate) fn read(path: &Path) -> Option<Table> {
        let file = File::open(path).ok()?;
        let mut text = Vec::new();
        let mut file = BufReader::new(file);
        if path.extension().is_some_and(|extension| extension == "xz") {
            lzma_rs::xz_decompress(&mut file, &mut text).expect("a file of xz");
        } else {
            file.read_to_end(&mut text)
                .expect("a file that can be read");
        }
        let text = String::from_utf8(text).expect("a table in UTF-8");
        let mut lines = text.lines().map(cells);
        let columns = lines.next()?.into_iter().zip(0..).collect();
        let rows = lines.collect();
        Some(Table { columns, rows })
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.columns.keys().map(String::as_str)
    }

    pub(crate) fn rows(&self) -> impl Iterator<Item = Row<'_>> {
        self.rows.iter().map(|cells| Row { table: self, cells })
    }
}

impl<'a> Row<'a> {
    /// The text in a column; empty if there is no such column.
    pub(crate) fn text(&self, column: &str) -> &'a str {
        let index = self.table.columns.get(column);
        let cell = index.and_then(|index| self.cells.get(*index));
        cell.map_or("", String::as_str)
    }

    /// An integer.
    pub(crate) fn count(&self, column: &str) -> u64 {
        self.text(column).parse().unwrap_or(0)
    }

    /// A real number.
    pub(crate) fn number(&self, column: &str) -> f64 {
        self.text(column).parse().unwrap_or(0.0)
    }

    /// A time in microseconds with three digits, in nanoseconds.
    pub(crate) fn ns(&self, column: &str) -> Option<i64> {
        ns(self.text(column))
    }
}

/// Microseconds with up to three decimal places, in nanoseconds.
pub(crate) fn ns(text: &str) -> Option<i64> {
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    let sign = if whole.starts_with('-') { -1 } else { 1 };
    let whole: i64 = whole.trim_start_matches('-').parse().ok()?;
    let part: i64 = format!("{part:0<3}").get(..3)?.parse().ok()?;
    Some(sign * (whole * 1000 + part))
}

fn cells(line: &str) -> Vec<String> {
    line.split(',').map(str::to_owned).collect()
}
