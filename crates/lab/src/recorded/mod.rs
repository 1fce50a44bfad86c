//! Recorded arrivals: times and sizes of packets from a CSV or Parquet file.
//!
//! The first line of a CSV file names its columns; lines that are empty or start
//! with `#` are skipped. One column is the time since the start of the recording,
//! with its unit in its name, and one the size in bytes; others are ignored:
//!
//! ```csv
//! time_s,size_bytes
//! 0.000,1500
//! 0.0125,40
//! ```
//!
//! | column | means |
//! |---|---|
//! | `t_ps` `t_ns` `t_us` `t_ms` `t_s` | time, in that unit |
//! | `time_ps` ... `time_s`, `time` | the same; `time` is in seconds |
//! | `size_bytes`, `size`, `bytes` | size, in bytes |
//!
//! Times must not decrease. A Parquet file has the same columns, as integers or
//! floats without nulls.

mod columns;
mod csv;
mod parquet;

use std::path::Path;

use pacesim::model::Arrival;
use pacesim::units::{Bytes, Span};

use crate::files;
use columns::Place;

/// The arrivals in a file, a Parquet file if it is called `.parquet`.
pub fn read(path: &Path) -> Result<Vec<Arrival>, RecordedError> {
    if path.extension().is_some_and(|ending| ending == "parquet") {
        return parquet::read(path);
    }
    let text = files::read_text(path).map_err(|error| RecordedError {
        file: path.display().to_string(),
        line: None,
        message: error.to_string(),
    })?;
    from_csv(&path.display().to_string(), &text)
}

/// The arrivals in the text of a CSV file; `file` is its name in errors.
///
/// ```
/// use pacesim_lab::recorded;
///
/// let arrivals = recorded::from_csv("trace.csv", "t_ms,size_bytes\n0,1500\n12.5,40\n")?;
/// assert_eq!(arrivals[1].at.to_string(), "12.5ms");
/// let error = recorded::from_csv("trace.csv", "t_ms,size\n5,1\n2,1\n").unwrap_err();
/// assert!(error.to_string().starts_with("trace.csv:3: "));
/// # Ok::<(), recorded::RecordedError>(())
/// ```
pub fn from_csv(file: &str, text: &str) -> Result<Vec<Arrival>, RecordedError> {
    csv::parse(text).map_err(|fault| fault.in_file(file))
}

/// Why a recording cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedError {
    /// The file.
    pub file: String,
    /// The line, from one, or the row of a Parquet file.
    pub line: Option<usize>,
    /// What is wrong, and what is accepted.
    pub message: String,
}

impl std::error::Error for RecordedError {}

impl std::fmt::Display for RecordedError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:", self.file)?;
        if let Some(line) = self.line {
            write!(f, "{line}:")?;
        }
        write!(f, " {}", self.message)
    }
}

/// An error that does not know its file yet.
#[derive(Debug)]
struct Fault {
    line: Option<usize>,
    message: String,
}

impl Fault {
    fn at(line: usize, message: String) -> Fault {
        Fault {
            line: Some(line),
            message,
        }
    }

    fn in_file(self, file: &str) -> RecordedError {
        RecordedError {
            file: file.to_owned(),
            line: self.line,
            message: self.message,
        }
    }
}

/// Arrivals in order of time, as they are read.
#[derive(Default)]
struct Arrivals(Vec<Arrival>);

impl Arrivals {
    /// Adds one if it is possible; `line` is for the error.
    fn add(&mut self, line: usize, at: Span, size: u64) -> Result<(), Fault> {
        if self.0.last().is_some_and(|last| at < last.at) {
            let message = format!("time {at} is before the line above: times must not decrease");
            return Err(Fault::at(line, message));
        }
        if size == 0 || size > u64::from(u32::MAX) {
            let message = format!("a size of {size} bytes: accepted are 1 to {}", u32::MAX);
            return Err(Fault::at(line, message));
        }
        self.0.push(Arrival {
            at,
            size: Bytes(size),
        });
        Ok(())
    }

    fn finish(self) -> Result<Vec<Arrival>, Fault> {
        if self.0.is_empty() {
            let message = "no arrivals: a header and at least one row are needed".to_owned();
            return Err(Fault {
                line: None,
                message,
            });
        }
        Ok(self.0)
    }
}
