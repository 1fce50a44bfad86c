//! Other files that a text names: handed in by the caller, read by the fields that name them.

use std::any::Any;

/// Hands in the files that a text names. Reading never opens a file itself.
///
/// Implemented for any function from a name to a text, and for `()`, which has no files.
pub trait NamedFiles {
    /// The text of a file, or why there is none.
    fn text(&self, name: &str) -> Result<String, String>;

    /// What a file holds that is not text, as the type that the key's field expects; `None`
    /// to read the file's text.
    fn content(&self, _name: &str) -> Option<Result<Box<dyn Any>, String>> {
        None
    }
}

impl<F: Fn(&str) -> Result<String, String>> NamedFiles for F {
    fn text(&self, name: &str) -> Result<String, String> {
        self(name)
    }
}

impl NamedFiles for () {
    fn text(&self, _name: &str) -> Result<String, String> {
        Err("no files are at hand here".to_owned())
    }
}
