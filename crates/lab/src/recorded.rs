//! Recorded arrivals out of a file: CSV, or Parquet with the same columns.
//!
//! Which columns these are, and all that can be wrong with them, is said in
//! [`pacesim::recording`]; here only files are opened.
//!
//! In a Parquet file a column may say its unit itself, as a duration (of Arrow), a time of day or a
//! timestamp; that holds, whatever the column is called.

mod parquet;

use std::path::Path;

use pacesim::recording::{Recording, RecordingError};

use crate::files::{self, FileError};

/// The recording in a file, a Parquet file if it is called `.parquet`.
pub fn read(path: &Path) -> Result<Recording, RecordingError> {
    let unreadable = |error: FileError| RecordingError::whole(error.to_string());
    files::is_there(path).map_err(unreadable)?;
    if path.extension().is_some_and(|ending| ending == "parquet") {
        return parquet::read(path);
    }
    Recording::from_csv(&files::read_text(path).map_err(unreadable)?)
}
