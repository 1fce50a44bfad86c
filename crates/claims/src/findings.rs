//! The findings of an experiment: judged claims, a figure, and their folder.

mod keep;
mod points;

use std::path::Path;

use pacesim_plot::Figure;
use pacesim_runs::error::RunError;
use pacesim_runs::folder::seal::{is_sound, sealed};
use pacesim_runs::folder::{FolderError, ResultsFolder, may_become, system};
use pacesim_runs::manifest::{Digest, Host};
use pacesim_runs::summary::to_json;
use pacesim_study::Inferred;
use pacesim_tables::partial::write_complete;
use serde::{Deserialize, Serialize};

use crate::claims::{Claim, Verdict};

/// Outcome of an experiment, or the reason why it was not run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Findings {
    /// Name of the experiment.
    pub id: String,
    /// Summary of the experiment in one line.
    pub summary: String,
    /// Factor applied to simulated times and replications.
    pub scale: f64,
    /// Seed, if not the experiment's own.
    pub seed: Option<u64>,
    /// Version of pacesim that made the findings.
    pub version: String,
    /// The digest of the fingerprints of all runs, if any.
    pub fingerprint: Option<String>,
    /// Origin and cost of the findings.
    #[serde(default)]
    pub origin: Origin,
    /// Claims of the experiment, judged.
    pub claims: Vec<Claim>,
    /// Settings that the paper leaves open, inferred from one of its numbers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub inferred: Vec<InferredSetting>,
    /// Notes for readers.
    pub notes: Vec<String>,
    /// Names of the figures' files in the folder.
    pub figures: Vec<String>,
    /// The figure, if the folder does not have it yet.
    #[serde(skip)]
    pub figure: Option<Figure>,
}

/// A setting inferred from one number of a paper; the verdicts on it and on its predictions are those of
/// the claims, under the variant if there is one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InferredSetting {
    /// The setting in words.
    pub setting: String,
    /// Its value in words.
    pub value: String,
    /// Name of the variant that has the value, unless the study itself does.
    pub variant: Option<String>,
    /// Words of the claim whose number chose the value.
    pub fitted: String,
    /// Words of the claims that it predicts.
    pub predicts: Vec<String>,
    /// Names of variants whose values were drawn at random from the plausible range of the setting.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub drawn: Vec<String>,
}

impl From<&Inferred> for InferredSetting {
    fn from(inferred: &Inferred) -> InferredSetting {
        InferredSetting {
            setting: inferred.setting.clone(),
            value: inferred.value.clone(),
            variant: inferred.variant.clone(),
            fitted: inferred.fitted.clone(),
            predicts: inferred.predicts.clone(),
            drawn: inferred.drawn.clone(),
        }
    }
}

/// Origin and cost of findings; none of it affects a number.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Origin {
    /// Commit that the program was built from, if given.
    pub commit: Option<String>,
    /// Machine that ran the experiment: its system and processors.
    pub machine: Option<String>,
    /// Sum of the runs' times in seconds, each on one thread.
    pub wall_s: Option<f64>,
    /// Seeds of the runs, in words.
    pub seeds: Option<String>,
    /// Digest of a shipped study's files, if it is one.
    #[serde(default)]
    pub inputs: Option<String>,
    /// The version of the results of its runs, if it is a study.
    #[serde(default)]
    pub results: Option<u32>,
}

impl Findings {
    /// Digest of all results: the same study, seed and scale give the same on every machine.
    pub fn digest(&self) -> String {
        let mut digest = Digest::default();
        let seed = self.seed.map_or_else(String::new, |seed| seed.to_string());
        let runs = self.fingerprint.as_deref().unwrap_or_default();
        for text in [&self.id, &self.scale.to_string(), &seed, runs] {
            digest.add(text.as_bytes());
        }
        for claim in &self.claims {
            digest.add(to_json(claim).as_bytes());
        }
        digest.to_string()
    }

    /// The number of claims with this verdict.
    pub fn count(&self, verdict: Verdict) -> usize {
        let same = |claim: &&Claim| claim.verdict == verdict;
        self.claims.iter().filter(same).count()
    }

    /// The findings as one JSON document.
    pub fn to_json(&self) -> String {
        to_json(self)
    }

    /// The claims as a table in Markdown, with remarks.
    pub fn markdown(&self) -> String {
        keep::markdown(self)
    }

    fn page(&self) -> String {
        let (id, summary) = (&self.id, &self.summary);
        format!("# {id}\n\n{summary}\n\n{}", self.markdown())
    }

    /// The findings as JSON with their digest, as a file of results.
    pub fn sealed(&self) -> String {
        sealed(&self.to_json())
    }

    /// Reads the output of [`Findings::sealed`]; `None` if it has changed since it was written.
    pub fn from_sealed(json: &str) -> Option<Findings> {
        let is_sound = is_sound(json);
        Findings::from_json(json.as_bytes()).filter(|_| is_sound)
    }

    /// Reads the output of [`Findings::to_json`].
    pub fn from_json(bytes: &[u8]) -> Option<Findings> {
        serde_json::from_slice(bytes).ok()
    }

    /// Writes claims and table into a folder that has everything else.
    pub fn keep_beside(&self, folder: &Path) -> Result<(), FolderError> {
        for (name, text) in [(CLAIMS, self.sealed()), (TABLE, self.page())] {
            let path = folder.join(name);
            write_complete(&path, text.as_bytes()).map_err(system(&path))?;
        }
        Ok(())
    }
}

/// Name of the file of the findings in their folder.
pub const CLAIMS: &str = "claims.json";
/// Name of the file of the findings as Markdown.
const TABLE: &str = "table.md";

/// A folder for findings, which gets its name only once it is complete.
#[derive(Debug)]
pub struct FindingsFolder(ResultsFolder);

impl FindingsFolder {
    /// Checks that findings may be kept in a folder of this name: call it for all experiments
    /// before the first run.
    pub fn may_be(out: &Path, force: bool) -> Result<(), FolderError> {
        may_become(out, force)
    }

    /// Creates a folder that will be named `out`; called before the work, so that a taken name is
    /// reported at once.
    pub fn create(out: &Path, force: bool) -> Result<FindingsFolder, FolderError> {
        ResultsFolder::create(out, force).map(FindingsFolder)
    }

    /// Fills the folder and gives it its name.
    pub fn keep(self, findings: &Findings, command: &[String], host: Host) -> Result<(), RunError> {
        keep::keep(self.0.contents(), findings, command, host)?;
        Ok(self.0.finish()?)
    }
}
