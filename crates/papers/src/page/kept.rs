//! The findings behind a page, stored next to it as one JSON document.

use std::path::Path;

use pacesim_lab::Digest;
use pacesim_lab::findings::Findings;
use serde::{Deserialize, Serialize};

use super::text::text;
use super::{Pictures, numbers};
use crate::{Catalogue, Experiment, ExperimentKind, study};

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

    /// The findings of a study that still runs as then, judged by its claims of today.
    pub(super) fn judged_again(&self, experiment: &Experiment) -> Option<Findings> {
        let mut stored = self.findings.iter();
        let stored = stored.find(|findings| findings.id == experiment.id)?;
        study::judged_again(experiment, stored)
    }

    /// The page whose sections are judged by the claims of today, and the ids of the sections that must
    /// run again for that, which are as before.
    pub fn today(&self, catalogue: &Catalogue) -> (KeptPage, Vec<String>) {
        let mut old = Vec::new();
        let mut judge = |findings: &Findings| {
            let mut experiments = catalogue.experiments().iter();
            let experiment = experiments.find(|experiment| experiment.id == findings.id);
            let is_check = |e: &&Experiment| matches!(e.kind, ExperimentKind::Check(_));
            if experiment.is_some_and(|experiment| is_check(&experiment)) {
                return findings.clone();
            }
            let again = experiment.and_then(|experiment| self.judged_again(experiment));
            again.unwrap_or_else(|| {
                old.push(findings.id.clone());
                findings.clone()
            })
        };
        let findings = self.findings.iter().map(&mut judge).collect();
        let page = KeptPage {
            figures: self.figures.clone(),
            findings,
        };
        (page, old)
    }

    /// The figures of the papers' printed numbers beside ours: each file next to the page, and its
    /// bytes. They follow from the findings.
    pub fn figures_of_numbers(&self, file: &Path) -> Vec<(String, Vec<u8>)> {
        let all: Vec<&Findings> = self.findings.iter().collect();
        numbers::figures(&all, &Pictures::beside(file))
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
