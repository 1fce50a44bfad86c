//! The sources that a study was read from.

use std::sync::Arc;

use pacesim_scenario::Files;

/// The files of a study, shared between threads.
pub type SharedFiles = Arc<dyn Files + Send + Sync>;

/// Sources of a study: enough to read it again where its files are not available.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Origin {
    /// Name of the file, for messages.
    pub file: String,
    /// Name of the study if it does not give itself one.
    pub stem: String,
    /// Content of the file.
    pub text: Vec<u8>,
    /// The base scenario: its name in the text, and its content.
    pub base: Option<(String, String)>,
    /// Tables of measured numbers: their names in the text, and their contents.
    pub tables: Vec<(String, String)>,
    /// Options that were given, each "key.path=value".
    pub sets: Vec<String>,
}

impl Origin {
    pub(crate) fn new(file: &str, stem: &str, text: &[u8]) -> Origin {
        Origin {
            file: file.to_owned(),
            stem: stem.to_owned(),
            text: text.to_vec(),
            ..Origin::default()
        }
    }

    /// Keeps a table of measured numbers.
    pub(crate) fn keep_table(&mut self, name: &str, text: &str) {
        if !self.tables.iter().any(|(known, _)| known == name) {
            self.tables.push((name.to_owned(), text.to_owned()));
        }
    }

    /// The only file that its tables need.
    pub(crate) fn files(&self) -> SharedFiles {
        let base = self.base.iter().cloned();
        Arc::new(Kept(base.chain(self.tables.iter().cloned()).collect()))
    }
}

/// The files that a study's tables take, in memory.
struct Kept(Vec<(String, String)>);

impl Files for Kept {
    fn text(&self, name: &str) -> Result<String, String> {
        let file = self.0.iter().find(|(known, _)| known == name);
        let text = file.map(|(_, text)| text.clone());
        text.ok_or_else(|| "it was not kept".to_owned())
    }
}
