//! The text of a scenario, its options, and where everything stands.

use std::ops::Range;

use crate::check::check;
use crate::checked::Checked;
use crate::field::Record;
use crate::files::Files;
use crate::language::{Scenario, named_files};
use crate::problem::{Fault, Faults, Problem, Problems, nearest};
use crate::tree::{self, Item, Place, SyntaxError, Toml, TomlTable};
use crate::walk;

/// The largest text that is read as a scenario.
const LARGEST: usize = 16 << 20;

/// The most syntax errors that are worth reporting.
const MOST_SYNTAX_ERRORS: usize = 20;

/// A scenario as written: a tree, not yet compared with the language.
#[derive(Clone, Debug)]
pub struct Raw {
    /// The file first, then the options that were set.
    pub(super) sources: Vec<Source>,
    pub(super) tree: TomlTable,
    /// What is wrong with the text itself.
    problems: Vec<Problem>,
    /// Whether the tree may lack what the text was meant to say.
    broken: bool,
    /// Whether the file is of another kind. Nothing of its text is repeated: it may be
    /// anything that the user can read.
    foreign: bool,
}

/// A text that values come from.
#[derive(Clone, Debug)]
pub(super) struct Source {
    pub(super) name: String,
    pub(super) text: String,
}

/// A file that a scenario names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NeededFile {
    /// The file's name as written.
    pub name: String,
    /// The key that names it.
    pub path: String,
    /// The line of that key's value, from 1.
    pub line: usize,
    /// Its column, from 1.
    pub column: usize,
    /// Its bytes in the text.
    pub span: Range<usize>,
}

/// Reads, checks and resolves a scenario: [`Raw::parse`], [`Raw::apply_sets`] and
/// [`Raw::check`] in one.
pub fn load(file: &str, text: &str, sets: &[&str], files: &dyn Files) -> Result<Checked, Problems> {
    let mut raw = Raw::parse(file, text);
    raw.apply_sets(sets);
    raw.check(files)
}

impl Raw {
    /// Reads a text. What is not TOML is kept for [`Raw::check`] to report.
    pub fn parse(file: &str, text: &str) -> Raw {
        let source = Source {
            name: file.to_owned(),
            text: text.to_owned(),
        };
        let mut raw = Raw {
            sources: vec![source],
            tree: TomlTable::default(),
            problems: vec![],
            broken: false,
            foreign: false,
        };
        if text.len() > LARGEST {
            raw.broken = true;
            let message = format!("{} MB is too large for a scenario", text.len() >> 20);
            raw.problems.push(raw.problem(
                Place::default(),
                String::new(),
                message,
                Some("at most 16 MB".to_owned()),
            ));
            return raw;
        }
        let (tree, errors) = tree::parse(text);
        raw.tree = tree;
        raw.broken = !errors.is_empty();
        raw.foreign = is_foreign(&raw.tree, raw.broken);
        match raw.foreign {
            true => raw.tell_foreign(errors),
            false => raw.tell_syntax(errors),
        }
        raw
    }

    /// Reads bytes, which may not be a text at all.
    pub fn parse_bytes(file: &str, bytes: &[u8]) -> Raw {
        let error = match std::str::from_utf8(bytes) {
            Ok(text) => return Raw::parse(file, text),
            Err(error) => error,
        };
        let valid = std::str::from_utf8(&bytes[..error.valid_up_to()]).expect("valid up to there");
        let mut raw = Raw::parse(file, "");
        valid.clone_into(&mut raw.sources[0].text);
        raw.broken = true;
        raw.foreign = is_foreign(&tree::parse(valid).0, true);
        let place = Place {
            source: 0,
            start: valid.len(),
            end: valid.len(),
        };
        let message = "this is not a text in UTF-8".to_owned();
        let help = Some("scenarios are TOML files; is this one?".to_owned());
        raw.problems
            .push(raw.problem(place, String::new(), message, help));
        raw
    }

    fn tell_foreign(&mut self, errors: Vec<SyntaxError>) {
        let keys = Scenario::TABLE.keys();
        let list: Vec<&str> = keys.iter().map(|key| key.name).collect();
        let list = list.join(", ");
        let mut message = format!("this is not a scenario: it has none of the keys {list}");
        if let Some(error) = errors.first() {
            message += &format!(", and is not TOML: {}", error.message);
        }
        let help = "give the path of a scenario, a TOML file; `pacesim new` writes one";
        let problem = self.problem(
            Place::default(),
            String::new(),
            message,
            Some(help.to_owned()),
        );
        self.problems.push(problem);
    }

    fn tell_syntax(&mut self, errors: Vec<SyntaxError>) {
        let more = errors.len().saturating_sub(MOST_SYNTAX_ERRORS);
        for error in errors.into_iter().take(MOST_SYNTAX_ERRORS) {
            let place = Place {
                source: 0,
                start: error.start,
                end: error.end,
            };
            let message = format!("not TOML: {}", error.message);
            self.problems
                .push(self.problem(place, String::new(), message, None));
        }
        if let (Some(last), 1..) = (self.problems.last_mut(), more) {
            last.help = Some("and more lines that are not TOML".to_owned());
        }
    }

    /// The text in which a [`Problem`] of this name stands: the file's, or that of
    /// an option. Of a file that is no scenario nothing is shown.
    pub fn text_of(&self, file: &str) -> Option<&str> {
        let hidden = usize::from(self.foreign);
        self.sources
            .iter()
            .skip(hidden)
            .find(|source| source.name == file)
            .map(|source| source.text.as_str())
    }

    /// The files that the scenario names.
    pub fn needed_files(&self) -> Vec<NeededFile> {
        named_files(&self.tree)
            .into_iter()
            .map(|(path, name)| {
                let problem = self.problem(self.place(&path, false), path, String::new(), None);
                let Problem {
                    path,
                    line,
                    column,
                    span,
                    ..
                } = problem;
                NeededFile {
                    name,
                    path,
                    line,
                    column,
                    span,
                }
            })
            .collect()
    }

    /// All mistakes in the order of the text, or the scenario.
    pub fn check(&self, files: &dyn Files) -> Result<Checked, Problems> {
        if self.foreign || (self.tree.entries.is_empty() && self.broken) {
            return Err(Problems(self.problems.clone()));
        }
        let mut faults = walk::differences(&self.tree, Scenario::TABLE);
        let mut found = Faults::default();
        let scenario = Scenario::read(&self.tree, files, &mut found);
        faults.merge(found);
        let guess =
            self.broken || (scenario.topology.is_none() && self.tree.get("topology").is_some());
        let (mut later, plan) = check(&scenario, &faults);
        later.list.retain(|fault| !(guess && fault.absence));
        faults.merge(later);
        let problems = self.problems_of(faults);
        if problems.is_empty() {
            Ok(Checked::new(scenario, plan))
        } else {
            Err(Problems(problems))
        }
    }

    /// What is allowed but can hardly be meant, in the scenario that this has become.
    pub fn warnings(&self, checked: &Checked) -> Vec<Problem> {
        let warnings = checked.suspicions().list.into_iter();
        let mut located: Vec<Problem> = warnings.map(|fault| self.locate(fault)).collect();
        located.sort_by_key(|warning| warning.span.start);
        located
    }

    /// What is wrong with the text, and all that is wrong with what it says.
    fn problems_of(&self, faults: Faults) -> Vec<Problem> {
        let mut problems = self.problems.clone();
        let told = problems
            .iter()
            .map(|p| (p.file.clone(), p.line))
            .collect::<Vec<_>>();
        for fault in faults.list {
            if fault.silent || (self.broken && fault.absence) {
                continue;
            }
            let problem = self.locate(fault);
            // In a line that is not TOML, whatever was read is a guess.
            if !self.broken || !told.contains(&(problem.file.clone(), problem.line)) {
                problems.push(problem);
            }
        }
        problems.sort_by_key(|p| (p.file != self.sources[0].name, p.file.clone(), p.span.start));
        problems
    }

    fn locate(&self, fault: Fault) -> Problem {
        let place = self.place(&fault.path, fault.at_key);
        self.problem(place, fault.path, fault.message, fault.help)
    }

    pub(super) fn problem(
        &self,
        place: Place,
        path: String,
        message: String,
        help: Option<String>,
    ) -> Problem {
        let source = &self.sources[place.source];
        let (line, column) = line_and_column(&source.text, place.start);
        let file = source.name.clone();
        Problem {
            file,
            line,
            column,
            path,
            message,
            help,
            span: place.start..place.end,
        }
    }

    /// Adds a mistake that was found before the check.
    pub(super) fn tell(&mut self, problem: Problem) {
        self.problems.push(problem);
    }

    /// Where a key stands, or the nearest one around it.
    fn place(&self, path: &str, at_key: bool) -> Place {
        let mut place = Place::default();
        let mut table = &self.tree;
        let mut rest = path;
        while let Some((entry, after)) = first_entry(table, rest) {
            let (item, after) = element(&entry.item, after);
            place = if after.is_empty() && at_key {
                entry.key_place
            } else {
                item.place
            };
            match &item.value {
                Toml::Table(inner) => (table, rest) = (inner, after.trim_start_matches('.')),
                _ => break,
            }
        }
        place
    }
}

/// Whether a text that says something says nothing that belongs into a scenario.
fn is_foreign(tree: &TomlTable, broken: bool) -> bool {
    let keys = Scenario::TABLE.keys();
    let names = || keys.iter().map(|key| key.name);
    let is_like_ours = |entry: &tree::Entry| nearest(&entry.key, names()).is_some();
    let says_something = broken || !tree.entries.is_empty();
    says_something && !tree.entries.iter().any(is_like_ours)
}

/// The entry that a path begins with, and the path behind it.
fn first_entry<'t, 'p>(table: &'t TomlTable, path: &'p str) -> Option<(&'t tree::Entry, &'p str)> {
    let fits = |entry: &&tree::Entry| {
        path.strip_prefix(entry.key.as_str())
            .is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
    };
    let entry = table
        .entries
        .iter()
        .filter(fits)
        .max_by_key(|entry| entry.key.len())?;
    (!path.is_empty()).then(|| (entry, &path[entry.key.len()..]))
}

/// The element of a list, if the path goes on with "\[3\]".
fn element<'t, 'p>(item: &'t Item, path: &'p str) -> (&'t Item, &'p str) {
    let inner = || {
        let (index, rest) = path.strip_prefix('[')?.split_once(']')?;
        match &item.value {
            Toml::List(items) => Some((items.get(index.parse::<usize>().ok()?)?, rest)),
            _ => None,
        }
    };
    inner().map_or((item, path), |(found, rest)| element(found, rest))
}

fn line_and_column(text: &str, at: usize) -> (usize, usize) {
    let before = text.get(..at).unwrap_or(text);
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    let line = before.bytes().filter(|byte| *byte == b'\n').count() + 1;
    (line, before[line_start..].chars().count() + 1)
}
