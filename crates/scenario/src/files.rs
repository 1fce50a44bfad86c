//! Other files that a scenario names: handed in by the caller, read here.

use crate::recording::Recording;

/// Hands in the files that a scenario names. Parsing never opens a file itself.
///
/// Implemented for any function from a name to a text, and for `()`, which has no
/// files.
pub trait Files {
    /// The text of a file, or why there is none.
    fn text(&self, name: &str) -> Result<String, String>;

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
    fn text(&self, _name: &str) -> Result<String, String> {
        Err("no files are at hand here".to_owned())
    }
}

/// The recording in a file, or what is wrong with it.
pub(crate) fn recording(files: &dyn Files, name: &str) -> Result<Recording, String> {
    let from_text = || Recording::from_csv(&files.text(name)?).map_err(|error| error.to_string());
    files.recording(name).unwrap_or_else(from_text)
}
