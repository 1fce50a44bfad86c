//! Recorded arrivals from a file: CSV, Parquet with the same columns, or a packet capture.
//!
//! [`pacesim::recording`] defines these columns and their errors; this module only opens files.
//!
//! A Parquet column may carry its own unit, as a duration (of Arrow), a time of day or a timestamp;
//! this unit takes precedence over the column's name.

mod parquet;

use std::fs::File;
use std::io::BufReader;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use pacesim::recording::{Recording, RecordingError};

use crate::files::FileError;
use crate::{files, spill};

/// The recording in a file: Parquet if it is called `.parquet`, a packet capture if `.pcap`,
/// `.pcapng` or `.cap`.
pub fn read(path: &Path) -> Result<Recording, RecordingError> {
    let unreadable = |error: FileError| RecordingError::whole(error.to_string());
    files::is_there(path).map_err(unreadable)?;
    match path.extension().and_then(|ending| ending.to_str()) {
        Some("parquet") => return refused_if_it_panics(|| parquet::read(path)),
        Some("pcap" | "pcapng" | "cap") => {
            let file = File::open(path).map_err(|error| unreadable(error.into()))?;
            return Recording::read_capture(buffered(file), Some(&spill::open));
        }
        _ => (),
    }
    let file = File::open(path).map_err(|error| unreadable(error.into()))?;
    Recording::read_csv(buffered(file), Some(&spill::open))
}

pub(crate) fn buffered(file: File) -> BufReader<File> {
    BufReader::with_capacity(1 << 16, file)
}

/// Refuses a file on which the Parquet library panics, as it does on some broken files; its results
/// are then discarded.
fn refused_if_it_panics(
    read: impl FnOnce() -> Result<Recording, RecordingError>,
) -> Result<Recording, RecordingError> {
    catch_unwind(AssertUnwindSafe(read)).unwrap_or_else(|_| {
        let message = "the file is damaged: its Parquet cannot be decoded; write it again";
        Err(RecordingError::whole(message.to_owned()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_at_which_the_library_panics_is_refused() {
        let refused =
            refused_if_it_panics(|| panic!("column start and length should not be negative"));
        let refused = refused.expect_err("a panic").to_string();
        assert!(refused.contains("damaged"), "{refused}");
    }
}
