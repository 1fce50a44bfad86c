//! The text of a scenario, its options, and the places of everything in it.

use std::ops::Range;

use pacesim_keys::{Files, Scenario, named_files};
use pacesim_language::document::{Document, Language};
use pacesim_language::field::Record;
use pacesim_language::problem::{Fault, Faults, Problem, Problems};

use crate::accepted::unaccepted;
use crate::checked::Checked;
use crate::inventory::Inventory;
use crate::judgement::judged;

/// The language of scenario files.
pub static SCENARIOS: Language = Language {
    noun: "scenario",
    table: Scenario::TABLE,
    remedy: "give the path of a scenario, a TOML file; `pacesim new` writes one",
};

/// A scenario as written: a tree, not yet compared with the language.
#[derive(Clone, Debug)]
pub struct Raw(Document);

/// A file named in a scenario.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NeededFile {
    /// Name of the file as written.
    pub name: String,
    /// Path of the key that names it.
    pub path: String,
    /// Line of the key's value, from 1.
    pub line: usize,
    /// Column of the key's value, from 1.
    pub column: usize,
    /// Byte range of the value in the text.
    pub span: Range<usize>,
}

/// Reads, checks and resolves a scenario: [`Raw::parse`], [`Raw::apply_sets`] and
/// [`Raw::check`] in one.
pub fn load(file: &str, text: &str, sets: &[&str], files: &dyn Files) -> Result<Checked, Problems> {
    let mut raw = Raw::parse(file, text);
    raw.apply_sets(sets);
    raw.check(files)
}

/// A document whose tree is a scenario, whatever the origin of its values.
impl From<Document> for Raw {
    fn from(document: Document) -> Raw {
        Raw(document)
    }
}

impl Raw {
    /// Reads a text. [`Raw::check`] reports the parts that are not TOML.
    pub fn parse(file: &str, text: &str) -> Raw {
        Raw::parse_bytes(file, text.as_bytes())
    }

    /// Reads bytes, which need not be text.
    pub fn parse_bytes(file: &str, bytes: &[u8]) -> Raw {
        Raw(Document::parse(&SCENARIOS, file, bytes))
    }

    /// Applies options to the scenario, each "key.path=value": "run.duration=60s",
    /// "topology.core.buffer=10KB", "flow.NAME.count=5" or "flow\[0\].count=5". The value is TOML,
    /// or otherwise a string. [`Raw::check`] reports those that cannot be applied.
    pub fn apply_sets(&mut self, sets: &[&str]) {
        self.0.apply_sets(sets);
    }

    /// The text of the file or option in which a [`Problem`] of this name is located. A file that
    /// is not a scenario is never shown.
    pub fn text_of(&self, file: &str) -> Option<&str> {
        self.0.text_of(file)
    }

    /// The files named in the scenario.
    pub fn needed_files(&self) -> Vec<NeededFile> {
        let needed = |(path, name)| {
            let fault = Fault {
                path,
                ..Fault::default()
            };
            let Problem {
                path,
                line,
                column,
                span,
                ..
            } = self.0.locate(fault);
            NeededFile {
                name,
                path,
                line,
                column,
                span,
            }
        };
        named_files(self.0.tree()).into_iter().map(needed).collect()
    }

    /// All mistakes in the order of the text, or the scenario.
    pub fn check(&self, files: &dyn Files) -> Result<Checked, Problems> {
        judged(&self.0, files)
    }

    /// Names in the scenario, even if parts of it have mistakes; `None` if its text cannot be read.
    pub fn inventory(&self, files: &dyn Files) -> Option<Inventory> {
        let mut faults = self.0.differences().ok()?;
        let mut found = Faults::default();
        let scenario = Scenario::read(self.0.tree(), files, &mut found);
        faults.merge(found);
        Some(Inventory::of(&scenario, &faults))
    }

    /// Settings of the checked scenario that are legal but probably mistakes, and that it does not
    /// accept.
    pub fn warnings(&self, checked: &Checked) -> Vec<Problem> {
        unaccepted(self.all_warnings(checked), &checked.scenario().accepts)
    }

    /// All warnings of the scenario, accepted or not.
    pub fn all_warnings(&self, checked: &Checked) -> Vec<Problem> {
        let warnings = checked.suspicions().list.into_iter();
        let mut located: Vec<Problem> = warnings.map(|fault| self.0.locate(fault)).collect();
        located.sort_by_key(|warning| warning.span.start);
        located
    }
}
