//! Sources of a study.

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
    /// The content of the file.
    pub text: Vec<u8>,
    /// The base scenario: its name in the text, and its content.
    pub base: Option<(String, String)>,
    /// The options, each "key.path=value".
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

    /// The only file that its tables need.
    pub(crate) fn files(&self) -> SharedFiles {
        Arc::new(Base(self.base.clone()))
    }
}

/// The base scenario of a study, in memory.
struct Base(Option<(String, String)>);

impl Files for Base {
    fn text(&self, name: &str) -> Result<String, String> {
        let base = self.0.as_ref().filter(|(known, _)| known == name);
        let text = base.map(|(_, text)| text.clone());
        text.ok_or_else(|| "it was not kept".to_owned())
    }
}
