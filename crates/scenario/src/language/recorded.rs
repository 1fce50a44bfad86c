//! Recordings that a scenario names.

use pacesim_language::field::{Field, FileName, Reader, Written};
use pacesim_language::form::Form;
use pacesim_language::tree::Item;

use crate::files;
use crate::recording::Recording;

/// A recording, and where it is from.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordedFile {
    /// The file, as named in the scenario.
    pub name: String,
    /// What is in it.
    pub recording: Recording,
}

impl Field for RecordedFile {
    type Value = RecordedFile;
    const FORM: &'static Form = FileName::FORM;

    fn read(item: &Item, reader: &mut Reader<'_>) -> Option<RecordedFile> {
        let name = FileName::read(item, reader)?;
        let recording = files::recording(reader, &name);
        let form =
            "a CSV or Parquet file with the columns t_s (or t_ms, t_us, t_ns, t_ps) and size_bytes";
        let recording = reader.content(&name, recording, form)?;
        Some(RecordedFile { name, recording })
    }

    fn write(file: &RecordedFile) -> Option<Written> {
        Some(Written::text(&file.name))
    }
}
