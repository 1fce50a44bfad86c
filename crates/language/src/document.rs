//! The text of a file, its options, and the places of its values.

use crate::form::Table;
use crate::problem::{Fault, Faults, Problem, Problems, nearest};
use crate::tree::{self, Entry, Item, Place, SyntaxError, Toml, TomlTable};
use crate::walk;

/// Size of the largest text that is read.
const LARGEST: usize = 16 << 20;

/// The most syntax errors that are reported.
const MOST_SYNTAX_ERRORS: usize = 20;

/// A language: the name of its files, and their keys.
#[derive(Debug)]
pub struct Language {
    /// Noun for a file of the language: "scenario".
    pub noun: &'static str,
    /// Keys that a file may have.
    pub table: &'static Table,
    /// Remedy for a file of another kind.
    pub remedy: &'static str,
}

/// A file as written: a tree that has not yet been compared with the language, and the sources of
/// its values.
///
/// ```
/// use pacesim_language::document::{Document, Language};
/// use pacesim_language::field::{Reader, Record};
/// use pacesim_language::problem::Faults;
///
/// pacesim_language::table! {
///     /// A journey.
///     pub struct Journey "journey" {
///         to: String, "Where it leads.", "Rome";
///         days: u32 as pacesim_language::field::Count, (= "1"), "How long it takes.", "3";
///     }
/// }
/// static JOURNEYS: Language = Language {
///     noun: "journey",
///     table: Journey::TABLE,
///     remedy: "give the path of a journey",
/// };
///
/// let mut document = Document::parse(&JOURNEYS, "rome.toml", b"to = \"Rome\"\ndays = 0\n");
/// let problem = &document.check(Faults::default()).expect_err("no day").0[0];
/// assert_eq!((problem.line, problem.path.as_str()), (2, "days"));
///
/// document.apply_sets(&["days=3"]);
/// assert_eq!(document.check(Faults::default()), Ok(()));
/// let mut faults = Faults::default();
/// let journey = Journey::read_keys(document.tree(), &mut Reader::new(&(), &mut faults));
/// assert_eq!(journey.map(|journey| journey.days), Some(3));
/// ```
#[derive(Clone, Debug)]
pub struct Document {
    language: &'static Language,
    /// The file first, then other files and options.
    sources: Vec<Source>,
    tree: TomlTable,
    /// Errors of the sources themselves.
    problems: Vec<Problem>,
    /// True if part of a text may be missing from the tree.
    broken: bool,
    /// Index of the file itself among the sources.
    own: usize,
}

/// A text that values come from.
#[derive(Clone, Debug)]
struct Source {
    name: String,
    text: String,
    /// True for a file of another kind. Its text is not quoted: it may be any file that the user
    /// can read.
    foreign: bool,
}

impl Document {
    /// Reads a file, which may not be text at all. [`Document::check`] reports the parts that are
    /// not TOML.
    pub fn parse(language: &'static Language, file: &str, bytes: &[u8]) -> Document {
        let nothing = Document {
            language,
            sources: vec![],
            tree: TomlTable::EMPTY,
            problems: vec![],
            broken: false,
            own: 0,
        };
        nothing.include(language, file, bytes)
    }

    /// Reads a file that this one names, in addition to the sources of this one: values from it may
    /// be inserted into this one, and keep their places.
    pub fn include(&self, language: &'static Language, file: &str, bytes: &[u8]) -> Document {
        let mut included = self.with_tree(language, TomlTable::EMPTY);
        included.own = self.sources.len();
        included.tree = match std::str::from_utf8(bytes) {
            Ok(text) => included.read(file, text),
            Err(error) => included.read_no_text(file, &bytes[..error.valid_up_to()]),
        };
        included
    }

    /// The keys of this file that belong to another language, such as the scenario in a study.
    pub fn part(&self, language: &'static Language) -> Document {
        let keys = language.table.keys();
        let belongs = |entry: &&Entry| keys.iter().any(|key| key.name == entry.key);
        let entries = self.tree.entries.iter().filter(belongs).cloned();
        self.with_tree(
            language,
            TomlTable {
                entries: entries.collect(),
            },
        )
    }

    /// The same sources with another tree.
    pub fn with_tree(&self, language: &'static Language, tree: TomlTable) -> Document {
        Document {
            language,
            tree,
            ..self.clone()
        }
    }

    fn read(&mut self, file: &str, text: &str) -> TomlTable {
        let source = self.add_source(file, text);
        if text.len() > LARGEST {
            self.broken = true;
            let (size, noun) = (text.len() >> 20, self.language.noun);
            let message = format!("{size} MB is too large for a {noun}");
            self.refuse(self.beginning(), "", message, Some("at most 16 MB"));
            return TomlTable::EMPTY;
        }
        let (tree, errors) = tree::parse(text, source);
        self.broken |= !errors.is_empty();
        self.sources[source].foreign = self.is_foreign(&tree, !errors.is_empty());
        if self.sources[source].foreign {
            self.refuse_kind(errors.first())
        } else {
            self.refuse_syntax(source, errors)
        }
        tree
    }

    fn read_no_text(&mut self, file: &str, valid: &[u8]) -> TomlTable {
        let valid = std::str::from_utf8(valid).expect("valid up to there");
        let source = self.add_source(file, valid);
        self.broken = true;
        self.sources[source].foreign = self.is_foreign(&tree::parse(valid, source).0, true);
        let message = "this is not a text in UTF-8".to_owned();
        let help = format!("{}s are TOML files; is this one?", self.language.noun);
        let place = Place::of(source, valid.len()..valid.len());
        self.refuse(place, "", message, Some(&help));
        TomlTable::EMPTY
    }

    /// True if a non-empty file has no keys of the language.
    fn is_foreign(&self, tree: &TomlTable, broken: bool) -> bool {
        let keys = self.language.table.keys();
        let names = || keys.iter().map(|key| key.name);
        let is_like_ours = |entry: &Entry| nearest(&entry.key, names()).is_some();
        let says_something = broken || !tree.entries.is_empty();
        says_something && !tree.entries.iter().any(is_like_ours)
    }

    fn refuse_kind(&mut self, error: Option<&SyntaxError>) {
        let Language {
            noun,
            table,
            remedy,
        } = self.language;
        let list: Vec<&str> = table.keys().iter().map(|key| key.name).collect();
        let list = list.join(", ");
        let mut message = format!("this is not a {noun}: it has none of the keys {list}");
        if let Some(error) = error {
            message += &format!(", and is not TOML: {}", error.message);
        }
        self.refuse(self.beginning(), "", message, Some(remedy));
    }

    fn refuse_syntax(&mut self, source: usize, errors: Vec<SyntaxError>) {
        let more = errors.len().saturating_sub(MOST_SYNTAX_ERRORS);
        for error in errors.into_iter().take(MOST_SYNTAX_ERRORS) {
            let message = format!("not TOML: {}", error.message);
            let place = Place::of(source, error.start..error.end);
            self.refuse(place, "", message, None);
        }
        if let (Some(last), 1..) = (self.problems.last_mut(), more) {
            last.help = Some("and more lines that are not TOML".to_owned());
        }
    }

    /// The language of the file.
    pub fn language(&self) -> &'static Language {
        self.language
    }

    /// Content of the file.
    pub fn tree(&self) -> &TomlTable {
        &self.tree
    }

    pub(crate) fn tree_mut(&mut self) -> &mut TomlTable {
        &mut self.tree
    }

    /// True if part of a text may be missing from the tree.
    pub fn is_broken(&self) -> bool {
        self.broken
    }

    /// Adds another text with values, and returns its number for their [`Place`].
    pub(crate) fn add_source(&mut self, name: &str, text: &str) -> usize {
        self.sources.push(Source {
            name: name.to_owned(),
            text: text.to_owned(),
            foreign: false,
        });
        self.sources.len() - 1
    }

    /// The text that a [`Problem`] of this file name refers to: the file's, or that of an option. A
    /// file of another kind has none.
    pub fn text_of(&self, file: &str) -> Option<&str> {
        let shown = |source: &&Source| !source.foreign && source.name == file;
        let source = self.sources.iter().find(shown);
        source.map(|source| source.text.as_str())
    }

    /// All mistakes in the order of the sources, if any: those of the sources themselves, the
    /// differences from the language, and those `found` elsewhere.
    pub fn check(&self, found: Faults) -> Result<(), Problems> {
        let mut faults = self.differences()?;
        faults.merge(found);
        self.report(faults)
    }

    /// Differences of the tree from the language. A file that cannot be compared with it has the
    /// problems of its text.
    pub fn differences(&self) -> Result<Faults, Problems> {
        let is_foreign = self.sources.iter().any(|source| source.foreign);
        if is_foreign || (self.tree.entries.is_empty() && self.broken) {
            return Err(Problems(self.problems.clone()));
        }
        Ok(walk::differences(&self.tree, self.language.table))
    }

    /// All mistakes of the sources and of their content.
    pub fn report(&self, faults: Faults) -> Result<(), Problems> {
        let mut problems = self.problems.clone();
        let reported: Vec<_> = problems.iter().map(|p| (p.file.clone(), p.line)).collect();
        for fault in faults.list {
            if fault.silent || (self.broken && fault.absence) {
                continue;
            }
            let problem = self.locate(fault);
            // In a line that is not TOML, every value is a guess.
            if !self.broken || !reported.contains(&(problem.file.clone(), problem.line)) {
                problems.push(problem);
            }
        }
        problems.sort_by_key(|p| (p.file != self.sources[0].name, p.file.clone(), p.span.start));
        if problems.is_empty() {
            Ok(())
        } else {
            Err(Problems(problems))
        }
    }

    /// The mistake with its place in a text.
    pub fn locate(&self, fault: Fault) -> Problem {
        let place = self.place(&fault.path, fault.at_key);
        let kind = fault.kind;
        let problem = self.problem(place, fault.path, fault.message, fault.help);
        Problem { kind, ..problem }
    }

    fn problem(
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
            kind: "",
        }
    }

    /// True if this mistake is at this place or within it.
    pub fn is_within(&self, mistake: &Problem, place: Place) -> bool {
        let is_of_file = self.sources[place.source].name == mistake.file;
        let span = &mistake.span;
        is_of_file && place.start <= span.start && span.end <= place.end && !span.is_empty()
    }

    /// Adds a mistake that was found before the check.
    pub(crate) fn refuse(&mut self, place: Place, path: &str, message: String, help: Option<&str>) {
        let help = help.map(str::to_owned);
        let problem = self.problem(place, path.to_owned(), message, help);
        self.problems.push(problem);
    }

    /// The beginning of the file itself.
    fn beginning(&self) -> Place {
        Place::of(self.own, 0..0)
    }

    /// The value at a key; `None` if it is absent.
    pub fn item(&self, path: &str) -> Option<&Item> {
        let mut table = &self.tree;
        let mut rest = path;
        loop {
            let (entry, after) = first_entry(table, rest)?;
            let (item, after) = element(&entry.item, after);
            if after.is_empty() {
                return Some(item);
            }
            (table, rest) = (item.table()?, after.strip_prefix('.')?);
        }
    }

    /// Place of a key, or of the nearest one around it.
    pub fn place(&self, path: &str, at_key: bool) -> Place {
        let mut place = self.beginning();
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

/// The entry that a path begins with, and the rest of the path.
fn first_entry<'t, 'p>(table: &'t TomlTable, path: &'p str) -> Option<(&'t Entry, &'p str)> {
    let fits = |entry: &&Entry| {
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

/// The element of a list, if the path continues with "\[3\]".
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
