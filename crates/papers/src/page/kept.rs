//! The findings behind a page, stored next to it as one JSON document.

use std::path::Path;

use pacesim_lab::Digest;
use pacesim_lab::findings::Findings;
use serde::{Deserialize, Serialize};

use super::Pictures;
use super::text::text;
use crate::{Catalogue, Experiment};

/// All findings of a page, and the digests of its figures.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct KeptPage {
    /// The figures: each file next to the page, and the digest of its bytes.
    pub figures: Vec<(String, String)>,
    /// The findings, in the order of the catalogue.
    pub findings: Vec<Findings>,
}

/// The digest of all results of a page.
pub type PageDigest = String;

impl KeptPage {
    /// Parses the output of [`KeptPage::to_json`].
    pub fn from_json(bytes: &[u8]) -> Option<KeptPage> {
        serde_json::from_slice(bytes).ok()
    }

    /// The findings stored next to this page, if any.
    pub(super) fn beside(page: &Path) -> Option<KeptPage> {
        let bytes = std::fs::read(page.with_extension("json")).ok()?;
        KeptPage::from_json(&bytes)
    }

    /// True if the page has a section of this experiment.
    pub(super) fn has(&self, experiment: &Experiment) -> bool {
        self.findings
            .iter()
            .any(|findings| findings.id == experiment.id)
    }

    /// The document stored next to the page.
    pub fn to_json(&self) -> String {
        let json = serde_json::to_string_pretty(self).expect("findings are texts and numbers");
        json + "\n"
    }

    /// The page, which follows from the catalogue and these findings alone.
    pub fn page(&self, catalogue: &Catalogue, file: &Path) -> String {
        let of = |id: &str| self.findings.iter().find(|findings| findings.id == id);
        let experiments = catalogue.experiments().iter();
        let known: Vec<_> = experiments.map(|e| (e, of(&e.id))).collect();
        text(&known, &self.digest(), &Pictures::beside(file))
    }

    /// The findings of a study whose files are those of today.
    pub(super) fn unchanged(&self, experiment: &Experiment) -> Option<Findings> {
        let inputs = experiment.inputs()?;
        let same = |findings: &&Findings| {
            findings.id == experiment.id && findings.origin.inputs.as_ref() == Some(&inputs)
        };
        self.findings.iter().find(same).cloned()
    }

    /// The digest of the digests of all sections.
    pub fn digest(&self) -> PageDigest {
        let mut digest = Digest::default();
        for findings in &self.findings {
            digest.add(findings.digest().as_bytes());
        }
        digest.to_string()
    }

    /// The digest of the bytes of a figure.
    pub fn digest_of(bytes: &[u8]) -> String {
        let mut digest = Digest::default();
        digest.add(bytes);
        digest.to_string()
    }

    pub(super) fn add_figure(&mut self, name: &str, bytes: &[u8]) {
        self.figures
            .push((name.to_owned(), KeptPage::digest_of(bytes)));
    }
}
