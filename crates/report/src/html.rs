//! A run as one self-contained HTML page: its data packed in the file, drawn by a small script.
//!
//! The page needs no network, and its policy forbids any. Names from the scenario enter as JSON and
//! are shown by `textContent`, so they stay text. Packets are columns of numbers in base64; the
//! script thins them by pixel and draws all of them where zoomed in.

mod page;
mod points;

use std::fs;
use std::io::Write;
use std::path::Path;

use pacesim_tables::FileWriter;
use pacesim_trace::{Recording, TraceError};

/// Writes the report of a run to a file that must not exist, with the packets of these flows, or of
/// all if none is named.
pub fn report(results: &Path, flows: &[String], to: &Path) -> Result<(), TraceError> {
    if to.symlink_metadata().is_ok() {
        return Err(TraceError::Exists(to.to_path_buf()));
    }
    let recording = Recording::open(results)?;
    let page = page::page(&recording, flows)?;
    let mut file = FileWriter::create(to).map_err(TraceError::at(to))?;
    file.write_all(page.as_bytes())
        .map_err(TraceError::at(to))?;
    file.finish().map_err(TraceError::at(to))
}

/// A JSON document of the folder.
fn document(recording: &Recording, name: &str) -> Result<serde_json::Value, TraceError> {
    let path = recording.folder.join(name);
    let text = fs::read_to_string(&path).map_err(TraceError::at(&path))?;
    serde_json::from_str(&text).map_err(|error| TraceError::Damaged {
        path,
        why: error.to_string(),
    })
}
