//! Reading of scenarios: from a file name to a checked scenario, or to all its problems.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, BufRead, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use pacesim::model::tape::OpenStore;
use pacesim::recording::Recording;
use pacesim::scenario::{Checked, Files, Problem, Problems, Raw};
use pacesim::units::Span;
pub use pacesim_study::NumberName;
use pacesim_study::{Study, StudyText};

use crate::files::FileError;
use crate::{files, recorded, spill};

/// One byte more than the reader accepts, so that the reader reports the problem.
const MOST_BYTES: u64 = (16 << 20) + 1;

/// A scenario that can be run, with its files.
#[derive(Debug)]
pub struct Input {
    /// The scenario's name: its title, or the name of its file.
    pub name: String,
    /// Scenario, checked.
    pub scenario: Checked,
    /// Legal settings that are probably mistakes.
    pub warnings: Vec<Problem>,
    /// Folder of the files that the scenario names.
    pub folder: PathBuf,
    raw: Raw,
}

impl Input {
    /// The scenario with another warm-up, which has to be shorter than the run.
    pub fn with_warmup(mut self, warmup: Span) -> Input {
        let mut scenario = self.scenario.scenario().clone();
        scenario.run.warmup = warmup;
        let checked = Checked::of(scenario);
        self.scenario = checked.expect("a warm-up shorter than the run is no mistake");
        self
    }

    /// The text of the file in which a warning occurs.
    pub fn text_of(&self, file: &str) -> Option<&str> {
        self.raw.text_of(file)
    }
}

/// A runnable study, as far as its first point has been checked.
#[derive(Debug)]
pub struct StudyInput {
    /// Study, checked.
    pub study: Study,
    /// Folder of the files that the study names.
    pub folder: PathBuf,
    /// True if the file has tables that only studies have.
    pub is_study: bool,
}

impl StudyInput {
    /// One of its points, as a scenario to run.
    ///
    /// # Panics
    ///
    /// Fails if no point has this number.
    pub fn point(&self, number: u64) -> Result<Input, Rejected> {
        point(&self.study, &self.folder, number).map_err(|Problems(problems)| {
            let texts = Texts::Point(Box::new(self.study.raw(number)));
            Rejected { problems, texts }
        })
    }

    /// The point of this number, if it exists.
    pub fn point_of(self, number: u64) -> Result<Input, Rejected> {
        if self.study.point(number).is_some() {
            return self.point(number);
        }
        let message = match self.study.points().last() {
            Some(last) if number < last => format!("the point {number} is excluded"),
            Some(last) => format!("there is no point {number}; the last one is {last}"),
            None => "all points are excluded".to_owned(),
        };
        let help = "pacesim sweep --dry-run lists the points";
        Err(self.refuse("sweep", message, help))
    }

    /// The only point; fails if something varies.
    pub fn alone(self) -> Result<Input, Rejected> {
        let axes = self.study.axes.iter();
        let names: Vec<&str> = axes.map(|axis| axis.name.as_str()).collect();
        if names.is_empty() {
            return self.point(0);
        }
        let names = names.join(", ");
        let message = format!("this is a study of many runs: it varies {names}");
        let help = "pacesim sweep runs it all; pacesim run FILE --point N --out DIR runs one of its points, whose scenario is DIR/scenario.toml";
        Err(self.refuse("sweep", message, help))
    }

    /// The study with times and replications multiplied by `scale`.
    pub fn at_scale(mut self, scale: f64) -> StudyInput {
        self.study = self.study.at_scale(scale);
        self
    }

    /// The study with points repeated until their numbers reach this precision, if given.
    pub fn with_precision(mut self, precision: Option<f64>) -> StudyInput {
        self.study.precision = precision.or(self.study.precision);
        self
    }

    /// Rejects the study for these problems of its points.
    pub fn reject(self, problems: Vec<Problem>) -> Rejected {
        let texts = Texts::Study(Box::new(self.study));
        Rejected { problems, texts }
    }

    fn refuse(self, path: &str, message: String, help: &str) -> Rejected {
        let problem = self.study.problem(path, message, help.to_owned());
        self.reject(vec![problem])
    }
}

/// One point of a study whose files are in this folder.
pub fn point(study: &Study, folder: &Path, number: u64) -> Result<Input, Problems> {
    let raw = study.raw(number);
    let scenario = study.scenario(number)?;
    let title = &scenario.scenario().title;
    let name = if title.is_empty() { &study.name } else { title };
    Ok(Input {
        name: name.clone(),
        warnings: raw.warnings(&scenario),
        scenario,
        folder: folder.to_path_buf(),
        raw,
    })
}

/// A rejected scenario: all problems, and the sources in which they occur.
#[derive(Debug)]
pub struct Rejected {
    /// Problems of the input, at least one.
    pub problems: Vec<Problem>,
    texts: Texts,
}

/// The texts in which problems occur.
#[derive(Debug)]
enum Texts {
    Nowhere,
    File(Box<StudyText>),
    Study(Box<Study>),
    Point(Box<Raw>),
}

impl Rejected {
    /// The text of the file in which a problem occurs.
    pub fn text_of(&self, file: &str) -> Option<&str> {
        match &self.texts {
            Texts::Nowhere => None,
            Texts::File(text) => text.text_of(file),
            Texts::Study(study) => study.text_of(file),
            Texts::Point(raw) => raw.text_of(file),
        }
    }

    /// A rejection without a text, for a file that could not be read.
    fn unreadable(file: &str, message: String, help: &str) -> Rejected {
        let problem = Problem {
            file: file.to_owned(),
            line: 0,
            column: 0,
            path: String::new(),
            message,
            help: Some(help.to_owned()),
            span: 0..0,
            kind: "",
        };
        Rejected {
            problems: vec![problem],
            texts: Texts::Nowhere,
        }
    }
}

/// Finds all mistakes in a text with these problems.
pub(crate) type AllMistakes = fn(&StudyText, Problems) -> Vec<Problem>;

/// Reads a study from a file and applies changes ("run.duration=10s"); a plain scenario is a study
/// of one point.
pub fn read_file(path: &Path, sets: &[String], all: AllMistakes) -> Result<StudyInput, Rejected> {
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
    read(&file, &stem, &bytes, folder, sets, all)
}

/// Reads a study from a stream such as standard input; the files it names are resolved in the
/// current folder.
pub fn read_stream(
    stream: impl Read,
    sets: &[String],
    all: AllMistakes,
) -> Result<StudyInput, Rejected> {
    const FILE: &str = "<stdin>";
    let bytes = bytes(stream)
        .map_err(|error| Rejected::unreadable(FILE, error.to_string(), "pipe a scenario in"))?;
    read(FILE, "stdin", &bytes, Path::new(""), sets, all)
}

/// Reads a study from a string that came from a file of this name in this folder, or from standard
/// input.
pub fn read_text(
    file: &str,
    text: &str,
    folder: &Path,
    sets: &[String],
    all: AllMistakes,
) -> Result<StudyInput, Rejected> {
    let stem = Path::new(file).file_stem();
    let stem = stem.map_or("scenario".into(), |stem| stem.to_string_lossy());
    read(file, &stem, text.as_bytes(), folder, sets, all)
}

fn bytes(stream: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    stream.take(MOST_BYTES).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn read(
    file: &str,
    stem: &str,
    bytes: &[u8],
    folder: &Path,
    sets: &[String],
    all: AllMistakes,
) -> Result<StudyInput, Rejected> {
    let files = Arc::new(Beside::new(folder));
    let mut text = StudyText::parse(file, stem, bytes, files);
    let sets: Vec<&str> = sets.iter().map(String::as_str).collect();
    text.apply_sets(&sets);
    match text.check() {
        Ok(study) => Ok(StudyInput {
            study,
            folder: folder.to_path_buf(),
            is_study: text.is_study(),
        }),
        Err(problems) => Err(Rejected {
            problems: all(&text, problems),
            texts: Texts::File(Box::new(text)),
        }),
    }
}

/// Resolves the files that a scenario names. Recordings are read once and shared by all points of a
/// study.
struct Beside {
    folder: PathBuf,
    recordings: Mutex<BTreeMap<String, Result<Recording, String>>>,
}

impl Beside {
    fn new(folder: &Path) -> Beside {
        Beside {
            folder: folder.to_path_buf(),
            recordings: Mutex::default(),
        }
    }
}

impl Files for Beside {
    fn text(&self, name: &str) -> Result<String, String> {
        files::read_text(&self.folder.join(name)).map_err(|error| error.to_string())
    }

    fn stream(&self, name: &str) -> Result<Box<dyn BufRead>, String> {
        let path = self.folder.join(name);
        let there = files::is_there(&path).map_err(|error| error.to_string());
        let open = || fs::File::open(&path).map_err(|error| error.to_string());
        Ok(Box::new(recorded::buffered(there.and_then(|()| open())?)))
    }

    fn stores(&self) -> Option<&OpenStore> {
        Some(&spill::open)
    }

    fn recording(&self, name: &str) -> Option<Result<Recording, String>> {
        let mut known = self.recordings.lock().expect("reading a file never panics");
        let read = || recorded::read(&self.folder.join(name)).map_err(|error| error.to_string());
        Some(known.entry(name.to_owned()).or_insert_with(read).clone())
    }
}
