//! Results as one self-contained HTML page: data packed in the file, drawn by a small script.
//!
//! The page needs no network, and its policy forbids any access. Names from the scenario are
//! inserted as JSON and shown by `textContent`, so they remain text. Packets are columns of numbers
//! in base64; the script thins them by pixel, and draws all of them when zoomed in.

mod chapter;
mod network;
mod page;
mod points;
mod replications;

use std::io::Write;
use std::path::Path;

use crate::trace::{Recording, TraceError};
use serde_json::json;

use crate::export::create;

pub use chapter::{Chapter, Table, figure_of};
pub use network::network;

/// Writes the report of a run, or of several replications, to a file that must not exist, with the
/// packets of these flows, by default of all.
pub fn report(results: &Path, flows: &[String], to: &Path) -> Result<(), TraceError> {
    refuse_existing(to)?;
    let page = match replications::all(results)? {
        Some(all) => {
            let recording = Recording::open(&all.first)?;
            let mut data = page::data(&recording, flows)?;
            data["facts"] = all.facts(&recording);
            data["chapters"] = json!([all.chapter().json()]);
            page::page(&data)
        }
        None => page::page(&page::data(&Recording::open(results)?, flows)?),
    };
    write(&page, to)
}

/// Writes a page of chapters, such as those of a study or a catalogue, to a file that must not
/// exist.
pub fn book(
    title: &str,
    facts: &[String],
    chapters: &[Chapter],
    to: &Path,
) -> Result<(), TraceError> {
    refuse_existing(to)?;
    let chapters: Vec<_> = chapters.iter().map(Chapter::json).collect();
    let data = json!({ "title": title, "facts": facts, "chapters": chapters });
    write(&page::page(&data), to)
}

fn refuse_existing(to: &Path) -> Result<(), TraceError> {
    if to.symlink_metadata().is_ok() {
        Err(TraceError::Exists(to.to_path_buf()))
    } else {
        Ok(())
    }
}

fn write(page: &str, to: &Path) -> Result<(), TraceError> {
    let mut file = create(to)?;
    file.write_all(page.as_bytes())
        .map_err(TraceError::at(to))?;
    file.finish().map_err(TraceError::at(to))
}
