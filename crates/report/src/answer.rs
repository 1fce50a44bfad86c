//! Answers: sentences and small tables, as text for readers or as JSON for programs.

use std::fmt;
use std::ops::AddAssign;

use serde_json::{Value, json};

/// Sentences and tables in their order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer(Vec<Paragraph>);

/// Sentences, or a table between them.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Paragraph {
    Text(String),
    Table(Rows),
}

/// Rows of cells; the first row has the names of the columns if the table is headed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Rows {
    is_headed: bool,
    rows: Vec<Vec<String>>,
}

impl Rows {
    /// A table whose first row has the names of its columns.
    pub(crate) fn headed(rows: Vec<Vec<String>>) -> Rows {
        Rows {
            is_headed: true,
            rows,
        }
    }

    /// A table without names.
    pub(crate) fn plain(rows: Vec<Vec<String>>) -> Rows {
        Rows {
            is_headed: false,
            rows,
        }
    }

    fn json(&self) -> Value {
        match self.rows.split_first().filter(|_| self.is_headed) {
            Some((columns, rows)) => json!({ "columns": columns, "rows": rows }),
            None => json!({ "rows": self.rows }),
        }
    }
}

impl Answer {
    /// The parts as JSON: `{"text": ...}`, or `{"columns": [...], "rows": [[...]]}`.
    pub fn json(&self) -> Value {
        let part = |part: &Paragraph| match part {
            Paragraph::Text(text) => {
                let lines: Vec<&str> = text.lines().filter(|line| !line.is_empty()).collect();
                (!lines.is_empty()).then(|| json!({ "text": lines.join("\n") }))
            }
            Paragraph::Table(table) => Some(table.json()),
        };
        self.0.iter().filter_map(part).collect()
    }
}

impl<T: AsRef<str>> AddAssign<T> for Answer {
    fn add_assign(&mut self, text: T) {
        match self.0.last_mut() {
            Some(Paragraph::Text(known)) => known.push_str(text.as_ref()),
            _ => self.0.push(Paragraph::Text(text.as_ref().to_owned())),
        }
    }
}

impl AddAssign<Rows> for Answer {
    fn add_assign(&mut self, table: Rows) {
        self.0.push(Paragraph::Table(table));
    }
}

impl AddAssign for Answer {
    fn add_assign(&mut self, other: Answer) {
        for part in other.0 {
            match part {
                Paragraph::Text(text) => *self += text,
                Paragraph::Table(table) => *self += table,
            }
        }
    }
}

impl From<String> for Answer {
    fn from(text: String) -> Answer {
        Answer(vec![Paragraph::Text(text)])
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for part in &self.0 {
            match part {
                Paragraph::Text(text) => f.write_str(text)?,
                Paragraph::Table(table) => write!(f, "{table}")?,
            }
        }
        Ok(())
    }
}

/// Aligned columns.
impl fmt::Display for Rows {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let width = |column: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..columns).map(width).collect();
        for row in &self.rows {
            let cells = row.iter().zip(&widths);
            let cells = cells.map(|(cell, width)| format!("{cell:<width$}"));
            let line = cells.collect::<Vec<_>>().join("  ");
            writeln!(f, "  {}", line.trim_end())?;
        }
        Ok(())
    }
}
