//! Mistakes in a text, and their places.

use std::fmt;
use std::ops::Range;

/// One mistake in a text: its place, the error and the remedy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The file under the caller's name for it, or the option ("--set run.seed=x"); empty for a
    /// document built in code.
    pub file: String,
    /// The line, from 1; 0 without a text.
    pub line: usize,
    /// The column in characters, from 1; 0 without a text.
    pub column: usize,
    /// Path of the key: "flow\[0\].traffic.rate".
    pub path: String,
    /// Description of the error, with the value.
    pub message: String,
    /// Accepted values, or the nearest valid name.
    pub help: Option<String>,
    /// Bytes of the mistake in the text.
    pub span: Range<usize>,
    /// The kind of a warning, by which it can be accepted; empty for a mistake.
    pub kind: &'static str,
}

impl Problem {
    /// True if the other one says the same of the same place, possibly under another key: one value
    /// of an axis may be that of several keys.
    pub fn tells(&self, other: &Problem) -> bool {
        let same_place = self.line > 0 && (&self.file, &self.span) == (&other.file, &other.span);
        self == other || (same_place && self.message == other.message && self.kind == other.kind)
    }
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

/// A mistake at a key, before its place in the text has been looked up.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fault {
    /// Path of the key: "flow\[0\].traffic.rate".
    pub path: String,
    /// True to point at the key, not at its value.
    pub at_key: bool,
    /// Description of the error, with the value.
    pub message: String,
    /// Accepted values, or the nearest valid name.
    pub help: Option<String>,
    /// A missing key or value, perhaps only because another one cannot be read.
    pub absence: bool,
    /// Already reported in other words; it only keeps later stages from repeating it.
    pub silent: bool,
    /// The kind of a warning; empty for a mistake.
    pub kind: &'static str,
}

/// The most mistakes collected; beyond that a hostile file only costs time.
const MOST: usize = 500;

/// A list of all mistakes so far.
#[derive(Debug, Default)]
pub struct Faults {
    /// The mistakes, in the order in which they were found.
    pub list: Vec<Fault>,
    /// Takes the mistakes beyond the limit.
    spare: Fault,
}

impl From<Vec<Fault>> for Faults {
    fn from(list: Vec<Fault>) -> Faults {
        let spare = Fault::default();
        Faults { list, spare }
    }
}

impl Faults {
    /// Adds a mistake at `path`.
    pub fn add(&mut self, path: impl Into<String>, message: impl Into<String>) -> &mut Fault {
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

    /// True if no more mistakes are collected.
    pub fn is_full(&self) -> bool {
        self.list.len() >= MOST
    }

    /// True if this key, a key within it or one around it has a mistake.
    pub fn touch(&self, path: &str) -> bool {
        self.list
            .iter()
            .any(|known| within(&known.path, path) || within(path, &known.path))
    }

    /// Adds the mistakes of a later stage, except at keys that an earlier stage reported.
    pub fn merge(&mut self, later: Faults) {
        for fault in later.list {
            let reports = |known: &Fault| !known.at_key && within(&fault.path, &known.path);
            if !self.is_full() && !self.list.iter().any(reports) {
                self.list.push(fault);
            }
        }
    }
}

/// Joins "flow\[0\]" and "rate" to "flow\[0\].rate".
pub fn join(path: &str, key: &str) -> String {
    if path.is_empty() {
        key.to_owned()
    } else {
        format!("{path}.{key}")
    }
}

impl Fault {
    /// Sets the accepted values.
    pub fn help(&mut self, help: impl Into<String>) -> &mut Fault {
        self.help = Some(help.into());
        self
    }

    /// Points at the key.
    pub fn at_key(&mut self) -> &mut Fault {
        self.at_key = true;
        self
    }

    /// Marks the fault as an absence.
    pub fn absence(&mut self) -> &mut Fault {
        self.absence = true;
        self
    }

    /// The problem, for a document without a text.
    pub fn without_place(self) -> Problem {
        Problem {
            file: String::new(),
            line: 0,
            column: 0,
            path: self.path,
            message: self.message,
            help: self.help,
            span: 0..0,
            kind: self.kind,
        }
    }
}

/// True if `path` is `outer` or a key within it.
fn within(path: &str, outer: &str) -> bool {
    path.strip_prefix(outer)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
}

/// The valid name nearest to a wrong one, if any is near enough.
pub fn nearest<'a>(wrong: &str, valid: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    const LIKE: f64 = 0.75;
    const MOST_COMPARED: usize = 1_000;
    let wrong = shortened(wrong).to_lowercase();
    valid
        .into_iter()
        .take(MOST_COMPARED)
        .map(|name| (likeness(&wrong, &name.to_lowercase()), name))
        .filter(|(likeness, _)| *likeness > LIKE)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, name)| name)
}

/// Similarity from 0 to 1; a slip of one letter, or two letters in the other order, is likely in
/// any name.
fn likeness(wrong: &str, name: &str) -> f64 {
    const SLIP: f64 = 0.9;
    const SHORTEST: usize = 3;
    let alike = strsim::jaro_winkler(wrong, name);
    let is_long = wrong.chars().count().min(name.chars().count()) >= SHORTEST;
    if is_long && strsim::osa_distance(wrong, name) == 1 {
        alike.max(SLIP)
    } else {
        alike
    }
}

/// "did you mean ...?" for a name that is not in the list, and the list.
pub fn suggest<'a>(wrong: &str, valid: impl IntoIterator<Item = &'a str>) -> String {
    let mut valid: Vec<&str> = valid.into_iter().collect();
    let begin = beginning(wrong, &valid);
    // Those that begin alike come first: their ends are a choice, and the nearest is a guess.
    valid.sort_by_key(|name| begin.is_none_or(|begin| !name.starts_with(begin)));
    let list = listed(&valid);
    let is_guess = |name: &&str| begin.is_some() && strsim::osa_distance(wrong, name) > 2;
    match nearest(wrong, valid.iter().copied()).filter(|name| !is_guess(name)) {
        Some(name) => format!("did you mean \"{name}\"? Valid here: {list}"),
        None if valid.is_empty() => "there is none".to_owned(),
        None => format!("valid here: {list}"),
    }
}

/// The longest beginning of a name, up to its second underscore or one behind it, that several names in the
/// list have: `slowdown_p99_`.
fn beginning<'w>(wrong: &'w str, valid: &[&str]) -> Option<&'w str> {
    let ends = wrong.match_indices('_').skip(1);
    let begins: Vec<&str> = ends.map(|(at, _)| &wrong[..=at]).collect();
    let are_several = |begin: &&&str| {
        valid
            .iter()
            .filter(|name| name.starts_with(**begin))
            .count()
            > 1
    };
    begins.iter().rev().find(are_several).copied()
}

/// A string, cut to its first forty characters.
pub fn shortened(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}

/// The path of a key, cut only if it is longer than anybody would write.
pub(crate) fn path_of(text: &str) -> &str {
    const MOST: usize = 300;
    text.char_indices()
        .nth(MOST)
        .map_or(text, |(end, _)| &text[..end])
}

/// Names, cut to a line; the members of a group, such as `core[0]` and `core[1]`, are one entry.
fn listed(names: &[&str]) -> String {
    const MOST: usize = 16;
    let groups = names.chunk_by(|a, b| group_of(a).is_some_and(|a| group_of(b) == Some(a)));
    let entries: Vec<String> = groups.map(entry).collect();
    let shown = entries[..entries.len().min(MOST)].join(", ");
    match entries.len().checked_sub(MOST) {
        None | Some(0) => shown,
        Some(more) => format!("{shown} and {more} more"),
    }
}

/// The group of a member, such as `core` of `core[1]`.
fn group_of(name: &str) -> Option<&str> {
    let (group, index) = name.strip_suffix(']')?.rsplit_once('[')?;
    index.bytes().all(|c| c.is_ascii_digit()).then_some(group)
}

/// Names of one group, or a single name.
fn entry(names: &[&str]) -> String {
    match names {
        [first, second] => format!("{first}, {second}"),
        [first, .., last] => format!("{first} to {last}"),
        _ => names.concat(),
    }
}

/// All mistakes of a document, in the order of the text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.0.iter().map(Problem::to_string).collect::<Vec<_>>().join("\n"))]
pub struct Problems(pub Vec<Problem>);

impl Problems {
    /// The problems of both, in the order of the text, without duplicates.
    pub fn united(self, others: Problems) -> Problems {
        let mut all = self.0;
        for problem in others.0 {
            if !all.iter().any(|known| known.tells(&problem)) {
                all.push(problem);
            }
        }
        all.sort_by(|a, b| (&a.file, a.span.start).cmp(&(&b.file, b.span.start)));
        Problems(all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_of_one_letter_have_a_suggestion_and_other_names_none() {
        let kinds = ["cbr", "poisson", "tcp", "core"];
        for (wrong, meant) in [
            ("tpc", Some("tcp")),
            ("croe", Some("core")),
            ("ox", None),
            ("Poison", Some("poisson")),
            ("xyz", None),
        ] {
            assert_eq!(nearest(wrong, kinds), meant, "{wrong}");
        }
    }

    #[test]
    fn members_of_a_group_are_one_entry_of_a_list() {
        let members: Vec<String> = (0..40).map(|i| format!("access[{i}]")).collect();
        let others = [
            "access.back[0]",
            "access.back[1]",
            "core",
            "exit[0]",
            "a[b]",
        ];
        let names = members.iter().map(String::as_str).chain(others);
        assert_eq!(
            suggest("bottleneck", names),
            "valid here: access[0] to access[39], access.back[0], access.back[1], core, exit[0], a[b]"
        );
        let many: Vec<String> = (0..20).map(|i| format!("link{i}")).collect();
        // A class of sizes is a choice: the nearest in letters may be the opposite.
        let classes = [
            "finished",
            "slowdown_p99_below_10KB",
            "slowdown_p99_from_1MB",
        ];
        assert_eq!(
            suggest("slowdown_p99_above_1MB", classes),
            "valid here: slowdown_p99_below_10KB, slowdown_p99_from_1MB, finished"
        );
        let slip = suggest("slowdown_p99_below_10kB", classes);
        assert!(
            slip.starts_with("did you mean \"slowdown_p99_below_10KB\"?"),
            "{slip}"
        );
        let told = suggest("?", many.iter().map(String::as_str));
        assert!(told.ends_with("link15 and 4 more"), "{told}");
    }
}
