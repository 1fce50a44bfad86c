//! Reading of text files, with errors for the user.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use pacesim_language::problem::nearest;
use pacesim_tables::partial::around;

/// The limit, larger than any scenario, edge list or text recording.
const LARGEST: u64 = 1 << 30;

/// The reason why a text file cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// The file does not exist; perhaps one of this name beside it was meant.
    #[error("there is no such file{}", .0.as_ref().map_or_else(String::new, |near| format!("; did you mean \"{near}\"?")))]
    Missing(Option<String>),
    /// The path is a directory.
    #[error("this is a directory, not a file")]
    Directory,
    /// The file is a pipe, a device or a socket, which may have no end.
    #[error("this is a pipe or a device, not a regular file")]
    NotRegular,
    /// The file is too large.
    #[error("this file is larger than {} MB, which is the most that is read as text", .0 / 1_000_000)]
    TooLarge(u64),
    /// The file is not text.
    #[error("this is not a text file: byte {at} is not UTF-8")]
    NotUtf8 {
        /// The position of the first invalid byte, from zero.
        at: usize,
    },
    /// The system reported an error.
    #[error("{0}")]
    System(#[from] io::Error),
}

/// Reads the text of a file.
pub fn read_text(path: &Path) -> Result<String, FileError> {
    read_text_within(path, LARGEST)
}

/// Checks that a file exists and is regular: others may have no end.
pub(crate) fn is_there(path: &Path) -> Result<(), FileError> {
    let found = match fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Err(FileError::Missing(near(path)));
        }
        found => found?,
    };
    match (found.is_dir(), found.is_file()) {
        (true, _) => Err(FileError::Directory),
        (_, false) => Err(FileError::NotRegular),
        (_, true) => Ok(()),
    }
}

/// The entry beside a missing file whose name is most like its name.
fn near(path: &Path) -> Option<String> {
    let name = path.file_name()?.to_str()?;
    let entries = fs::read_dir(around(path)).ok()?.flatten();
    let names: Vec<String> = entries
        .filter_map(|entry| entry.file_name().into_string().ok())
        .collect();
    nearest(name, names.iter().map(String::as_str)).map(str::to_owned)
}

/// The text of a file of at most `largest` bytes.
pub(crate) fn read_text_within(path: &Path, largest: u64) -> Result<String, FileError> {
    is_there(path)?;
    read_stream(File::open(path)?, largest)
}

/// The text of a stream, which may be an endless pipe.
pub fn read_stream(stream: impl Read, largest: u64) -> Result<String, FileError> {
    let mut bytes = Vec::new();
    stream.take(largest + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > largest {
        return Err(FileError::TooLarge(largest));
    }
    String::from_utf8(bytes).map_err(|error| FileError::NotUtf8 {
        at: error.utf8_error().valid_up_to(),
    })
}
