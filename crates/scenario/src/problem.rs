//! What is wrong with a scenario, and where.

use std::fmt;
use std::ops::Range;

/// One mistake in a scenario: where it is, what is wrong, what is accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The file as the caller named it, or the option ("--set run.seed=x"); empty
    /// for a scenario that was built in code.
    pub file: String,
    /// The line, from 1; 0 if there is no text.
    pub line: usize,
    /// The column in characters, from 1; 0 if there is no text.
    pub column: usize,
    /// The key: "flow\[0\].traffic.rate".
    pub path: String,
    /// What is wrong, with the value.
    pub message: String,
    /// What is accepted, or the nearest valid name.
    pub help: Option<String>,
    /// The bytes of the text where the mistake is.
    pub span: Range<usize>,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line > 0 {
            write!(f, "{}:{}:{}: ", self.file, self.line, self.column)?;
        }
        if !self.path.is_empty() {
            write!(f, "{}: ", self.path)?;
        }
        f.write_str(&self.message)?;
        match &self.help {
            Some(help) => write!(f, " ({help})"),
            None => Ok(()),
        }
    }
}

/// A mistake at a key, before anyone has looked up where in the text that is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) path: String,
    /// Point at the key, not at its value.
    pub(crate) at_key: bool,
    pub(crate) message: String,
    pub(crate) help: Option<String>,
    /// Something is missing: perhaps only because something else cannot be read.
    pub(crate) absence: bool,
    /// Reported already in other words; only keeps later stages from repeating it.
    pub(crate) silent: bool,
}

/// More mistakes than anyone reads; beyond them a hostile file only costs time.
const MOST: usize = 500;

/// All mistakes so far.
#[derive(Debug, Default)]
pub(crate) struct Faults {
    pub(crate) list: Vec<Fault>,
    /// Takes what is beyond the most.
    spare: Fault,
}

impl Faults {
    /// A mistake at `path`.
    pub(crate) fn add(
        &mut self,
        path: impl Into<String>,
        message: impl Into<String>,
    ) -> &mut Fault {
        if self.is_full() {
            return &mut self.spare;
        }
        self.list.push(Fault {
            path: path.into(),
            message: message.into(),
            ..Fault::default()
        });
        self.list.last_mut().expect("a fault was pushed above")
    }

    /// Whether no more are taken.
    pub(crate) fn is_full(&self) -> bool {
        self.list.len() >= MOST
    }

    /// Whether something is wrong at this key, within it or around it.
    pub(crate) fn touch(&self, path: &str) -> bool {
        self.list
            .iter()
            .any(|known| within(&known.path, path) || within(path, &known.path))
    }

    /// Adds what a later stage found, but not where an earlier one complained.
    pub(crate) fn merge(&mut self, later: Faults) {
        for fault in later.list {
            let told = |known: &Fault| !known.at_key && within(&fault.path, &known.path);
            if !self.is_full() && !self.list.iter().any(told) {
                self.list.push(fault);
            }
        }
    }
}

/// "flow\[0\]" and "rate" make "flow\[0\].rate".
pub(crate) fn join(path: &str, key: &str) -> String {
    if path.is_empty() {
        key.to_owned()
    } else {
        format!("{path}.{key}")
    }
}

impl Fault {
    pub(crate) fn help(&mut self, help: impl Into<String>) -> &mut Fault {
        self.help = Some(help.into());
        self
    }

    pub(crate) fn at_key(&mut self) -> &mut Fault {
        self.at_key = true;
        self
    }

    pub(crate) fn absence(&mut self) -> &mut Fault {
        self.absence = true;
        self
    }

    /// The problem, for a scenario that has no text.
    pub(crate) fn without_place(self) -> Problem {
        Problem {
            file: String::new(),
            line: 0,
            column: 0,
            path: self.path,
            message: self.message,
            help: self.help,
            span: 0..0,
        }
    }
}

/// Whether `path` is `outer` or a key within it.
fn within(path: &str, outer: &str) -> bool {
    path.strip_prefix(outer)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
}

/// The valid name that a wrong one is most like, if it is like any.
pub(crate) fn nearest<'a>(
    wrong: &str,
    valid: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    const LIKE: f64 = 0.75;
    const MOST_COMPARED: usize = 1_000;
    let wrong = shortened(wrong).to_lowercase();
    valid
        .into_iter()
        .take(MOST_COMPARED)
        .map(|name| (strsim::jaro_winkler(&wrong, &name.to_lowercase()), name))
        .filter(|(likeness, _)| *likeness > LIKE)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, name)| name)
}

/// "did you mean ...?" for a name that is not in the list, and the list.
pub(crate) fn suggest<'a>(wrong: &str, valid: impl IntoIterator<Item = &'a str>) -> String {
    let valid: Vec<&str> = valid.into_iter().collect();
    let list = listed(&valid);
    match nearest(wrong, valid.iter().copied()) {
        Some(name) => format!("did you mean \"{name}\"? Valid here: {list}"),
        None if valid.is_empty() => "there is none".to_owned(),
        None => format!("valid here: {list}"),
    }
}

/// A text, cut to its first forty characters.
pub(crate) fn shortened(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}

/// Names, cut to a line.
fn listed(names: &[&str]) -> String {
    const MOST: usize = 16;
    let shown = names
        .iter()
        .take(MOST)
        .copied()
        .collect::<Vec<_>>()
        .join(", ");
    if names.len() > MOST {
        format!("{shown} and {} more", names.len() - MOST)
    } else {
        shown
    }
}

/// All mistakes of a scenario, in the order of the text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.0.iter().map(Problem::to_string).collect::<Vec<_>>().join("\n"))]
pub struct Problems(pub Vec<Problem>);
