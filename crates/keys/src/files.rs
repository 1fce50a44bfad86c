//! Other files named in a scenario: supplied by the caller, read here.

use std::any::Any;
use std::io::{BufRead, Cursor};

use pacesim_language::field::Reader;
use pacesim_language::files::NamedFiles;
use pacesim_tape::OpenStore;

use pacesim_recordings::recording::Recording;

/// The source of the files named in a scenario. Parsing never opens a file itself.
///
/// Implemented for any function from a name to a text, and for `()`, which has no files.
pub trait Files {
    /// The text of a file, or the reason why there is none.
    fn text(&self, name: &str) -> Result<String, String>;

    /// Reads a file as a stream, for recordings that may exceed memory.
    fn stream(&self, name: &str) -> Result<Box<dyn BufRead>, String> {
        Ok(Box::new(Cursor::new(self.text(name)?)))
    }

    /// Opens stores for recordings that exceed memory; without it, all are in memory.
    fn stores(&self) -> Option<&OpenStore> {
        None
    }

    /// A recording in a format that is not text, such as Parquet; `None` to read the
    /// file's text as CSV.
    fn recording(&self, _name: &str) -> Option<Result<Recording, String>> {
        None
    }
}

impl<F: Fn(&str) -> Result<String, String>> Files for F {
    fn text(&self, name: &str) -> Result<String, String> {
        self(name)
    }
}

impl Files for () {
    fn text(&self, name: &str) -> Result<String, String> {
        NamedFiles::text(&(), name)
    }
}

/// The files of a scenario for the language's reader.
pub(crate) struct ScenarioFiles<'f>(pub(crate) &'f dyn Files);

impl NamedFiles for ScenarioFiles<'_> {
    fn text(&self, name: &str) -> Result<String, String> {
        self.0.text(name)
    }

    fn stream(&self, name: &str) -> Result<Box<dyn BufRead>, String> {
        self.0.stream(name)
    }

    fn stores(&self) -> Option<&OpenStore> {
        self.0.stores()
    }

    fn content(&self, name: &str) -> Option<Result<Box<dyn Any>, String>> {
        let recording = self.0.recording(name)?;
        Some(recording.map(|recording| Box::new(recording) as Box<dyn Any>))
    }
}

/// Reads the recording in a file, or reports its faults.
pub(crate) fn recording(reader: &Reader<'_>, name: &str) -> Result<Recording, String> {
    let Some(content) = reader.files.content(name) else {
        let text = reader.files.stream(name)?;
        let read = Recording::read_csv(text, reader.files.stores());
        return read.map_err(|error| error.to_string());
    };
    let recording = content?.downcast();
    Ok(*recording.expect("the files of a scenario hand in recordings"))
}
