//! Other files that a text names: provided by the caller, read by the fields that name them.

use std::any::Any;
use std::io::{BufRead, Cursor};

use pacesim_tape::OpenStore;

/// Provides the files that a text names. Reading never opens a file itself.
///
/// Implemented for any function from a name to a text, and for `()`, which has no files.
pub trait NamedFiles {
    /// The text of a file, or the reason why it is unavailable.
    fn text(&self, name: &str) -> Result<String, String>;

    /// The text as a stream, for files that may be longer than memory.
    fn stream(&self, name: &str) -> Result<Box<dyn BufRead>, String> {
        Ok(Box::new(Cursor::new(self.text(name)?)))
    }

    /// Opens stores for data larger than memory; `None` keeps all data in memory.
    fn stores(&self) -> Option<&OpenStore> {
        None
    }

    /// Binary content of a file, as the type that the key's field expects; `None` to read the file
    /// as text.
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
