//! Other files that a text names: handed in by the caller, read by the fields that name them.

use std::any::Any;
use std::io::{BufRead, Cursor};

use pacesim_tape::OpenStore;

/// Hands in the files that a text names. Reading never opens a file itself.
///
/// Implemented for any function from a name to a text, and for `()`, which has no files.
pub trait NamedFiles {
    /// The text of a file, or why there is none.
    fn text(&self, name: &str) -> Result<String, String>;

    /// The same to be read piece by piece, for texts that may be longer than memory.
    fn stream(&self, name: &str) -> Result<Box<dyn BufRead>, String> {
        Ok(Box::new(Cursor::new(self.text(name)?)))
    }

    /// Opens stores for what is read and is too much for memory; without it, all is in memory.
    fn stores(&self) -> Option<&OpenStore> {
        None
    }

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
