//! From a file's name to a checked scenario, or all that is wrong with it.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use pacesim::recording::Recording;
use pacesim::scenario::{Checked, Files, Problem, Raw};

use crate::files::FileError;
use crate::{files, recorded};

/// One byte more than the reader accepts, so that it is the reader who complains.
const MOST_BYTES: u64 = (16 << 20) + 1;

/// A scenario that can be run.
#[derive(Debug)]
pub struct Input {
    /// The scenario's name: its title, or the name of its file.
    pub name: String,
    /// What to run.
    pub scenario: Checked,
    /// What is allowed but can hardly be meant.
    pub warnings: Vec<Problem>,
    /// Where the files that it names are.
    pub(crate) folder: PathBuf,
    raw: Raw,
}

impl Input {
    /// The text in which a warning of this file stands.
    pub fn text_of(&self, file: &str) -> Option<&str> {
        self.raw.text_of(file)
    }
}

/// A scenario that cannot be run: every problem, and the texts they stand in.
#[derive(Debug)]
pub struct Rejected {
    /// The problems, at least one.
    pub problems: Vec<Problem>,
    raw: Option<Raw>,
}

impl Rejected {
    /// The text in which a problem of this file stands.
    pub fn text_of(&self, file: &str) -> Option<&str> {
        self.raw.as_ref()?.text_of(file)
    }

    /// A scenario without a text: its file could not be read.
    fn unreadable(file: &str, message: String, help: &str) -> Rejected {
        let problem = Problem {
            file: file.to_owned(),
            line: 0,
            column: 0,
            path: String::new(),
            message,
            help: Some(help.to_owned()),
            span: 0..0,
        };
        Rejected {
            problems: vec![problem],
            raw: None,
        }
    }
}

/// Reads a scenario from a file and makes the changes ("run.duration=10s").
pub fn from_file(path: &Path, sets: &[String]) -> Result<Input, Rejected> {
    let file = path.display().to_string();
    let reject = |error: FileError| {
        let help = match error {
            FileError::NotRegular => "give a regular file, or - to read standard input",
            _ => "give the path of a scenario, a TOML file; `pacesim new` writes one",
        };
        Rejected::unreadable(&file, error.to_string(), help)
    };
    files::is_there(path).map_err(reject)?;
    let opened = fs::File::open(path).and_then(bytes);
    let bytes = opened.map_err(|error| reject(error.into()))?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let stem = path
        .file_stem()
        .map_or("scenario".into(), |stem| stem.to_string_lossy());
    from_bytes(&file, &stem, &bytes, folder, sets)
}

/// Reads a scenario from a stream, such as standard input; the files it names are
/// looked for in the current folder.
pub fn from_stream(stream: impl Read, sets: &[String]) -> Result<Input, Rejected> {
    const FILE: &str = "<stdin>";
    let bytes = bytes(stream)
        .map_err(|error| Rejected::unreadable(FILE, error.to_string(), "pipe a scenario in"))?;
    from_bytes(FILE, "stdin", &bytes, Path::new(""), sets)
}

fn bytes(stream: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    stream.take(MOST_BYTES).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn from_bytes(
    file: &str,
    stem: &str,
    bytes: &[u8],
    folder: &Path,
    sets: &[String],
) -> Result<Input, Rejected> {
    let mut raw = Raw::parse_bytes(file, bytes);
    let sets: Vec<&str> = sets.iter().map(String::as_str).collect();
    raw.apply_sets(&sets);
    let scenario = match raw.check(&Beside(folder.to_path_buf())) {
        Ok(scenario) => scenario,
        Err(problems) => {
            return Err(Rejected {
                problems: problems.0,
                raw: Some(raw),
            });
        }
    };
    let title = &scenario.scenario().title;
    Ok(Input {
        name: if title.is_empty() { stem } else { title }.to_owned(),
        warnings: raw.warnings(&scenario),
        scenario,
        folder: folder.to_path_buf(),
        raw,
    })
}

/// The files that a scenario names are looked for beside it.
struct Beside(PathBuf);

impl Files for Beside {
    fn text(&self, name: &str) -> Result<String, String> {
        files::read_text(&self.0.join(name)).map_err(|error| error.to_string())
    }

    fn recording(&self, name: &str) -> Option<Result<Recording, String>> {
        Some(recorded::read(&self.0.join(name)).map_err(|error| error.to_string()))
    }
}
