//! The identity of a study's plan: its sources, the options that affect it, and the program that
//! runs it. Only stores of the same plan may be merged.

use pacesim_runs::manifest::Digest;
use pacesim_study::Origin;
use serde::{Deserialize, Serialize};

use crate::key::RESULTS_VERSION;
use crate::sweep::Sweep;

/// The identity of a plan.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Identity {
    /// Version of the program.
    pub version: String,
    /// Version of the program's results.
    pub results: u32,
    /// Name of the study.
    pub name: String,
    /// Text of the study's file.
    pub text: String,
    /// The text of the scenario that it builds on.
    pub base: Option<String>,
    /// Changes made by --set, each "key.path=value".
    pub sets: Vec<String>,
    /// Options of the sweep other than --set.
    pub options: Options,
}

/// Options of a sweep that affect its runs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Options {
    /// The factor applied to times and replications.
    pub scale: f64,
    /// Seed that overrides the scenarios'.
    pub seed: Option<u64>,
    /// The number of replications of each point, or the minimum.
    pub replications: u64,
    /// Target precision, if any.
    pub precision: Option<f64>,
}

impl Identity {
    /// The identity of a sweep's plan.
    pub fn of(sweep: &Sweep<'_>) -> Identity {
        let study = sweep.study;
        let Origin {
            text, base, sets, ..
        } = study.origin();
        Identity {
            version: pacesim_runs::VERSION.to_owned(),
            results: RESULTS_VERSION,
            name: study.name.clone(),
            text: String::from_utf8_lossy(text).into_owned(),
            base: base.as_ref().map(|(_, text)| text.clone()),
            sets: sets.clone(),
            options: Options {
                scale: study.scale(),
                seed: sweep.seed,
                replications: sweep.replications,
                precision: study.precision,
            },
        }
    }

    /// One digest of everything, for command lines.
    pub fn digest(&self) -> Digest {
        let mut digest = Digest::default();
        let text = serde_json::to_string(self).expect("texts and numbers are JSON");
        digest.add(text.as_bytes());
        digest
    }

    /// The differences from another identity, in words; `None` if they are equal.
    pub fn difference(&self, other: &Identity) -> Option<String> {
        if self.version != other.version {
            let (ours, theirs) = (&self.version, &other.version);
            return Some(format!("pacesim {theirs} instead of {ours}"));
        }
        if self.results != other.results {
            let (ours, theirs) = (self.results, other.results);
            return Some(format!("results of version {theirs} instead of {ours}"));
        }
        if self.name != other.name {
            return Some(format!(
                "the study \"{}\" instead of \"{}\"",
                other.name, self.name
            ));
        }
        if self.text != other.text {
            let line = first_difference(&self.text, &other.text);
            return Some(format!("another text of the study, from line {line} on"));
        }
        if self.base != other.base {
            let [ours, theirs] = [self, other].map(|of| of.base.as_deref().unwrap_or_default());
            let line = first_difference(ours, theirs);
            return Some(format!(
                "another text of the base scenario, from line {line} on"
            ));
        }
        if self.sets != other.sets {
            let [ours, theirs] = [self, other].map(|of| {
                if of.sets.is_empty() {
                    "nothing".to_owned()
                } else {
                    of.sets.join(", ")
                }
            });
            return Some(format!("--set {theirs} instead of {ours}"));
        }
        self.options.difference(&other.options)
    }
}

impl Options {
    fn difference(&self, other: &Options) -> Option<String> {
        if self.scale != other.scale {
            return Some(format!("--scale {} instead of {}", other.scale, self.scale));
        }
        if self.seed != other.seed {
            let [ours, theirs] = [self, other].map(|of| match of.seed {
                Some(seed) => seed.to_string(),
                None => "the scenarios'".to_owned(),
            });
            return Some(format!("the seed {theirs} instead of {ours}"));
        }
        if self.replications != other.replications {
            let (ours, theirs) = (self.replications, other.replications);
            return Some(format!("{theirs} replications instead of {ours}"));
        }
        if self.precision != other.precision {
            let [ours, theirs] = [self, other].map(|of| match of.precision {
                Some(share) => share.to_string(),
                None => "none".to_owned(),
            });
            return Some(format!("a precision of {theirs} instead of {ours}"));
        }
        None
    }
}

/// The first line in which two strings differ, counted from 1.
fn first_difference(one: &str, other: &str) -> usize {
    let same = one.lines().zip(other.lines()).take_while(|(a, b)| a == b);
    same.count() + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn identity() -> Identity {
        Identity {
            version: "0.1.0".to_owned(),
            results: 2,
            name: "buffers".to_owned(),
            text: "a = 1\nb = 2\n".to_owned(),
            base: None,
            sets: Vec::new(),
            options: Options {
                scale: 1.0,
                seed: None,
                replications: 3,
                precision: None,
            },
        }
    }

    #[test]
    fn everything_that_fixes_a_plan_is_told_apart_and_named() {
        let plain = identity();
        assert_eq!(plain.difference(&plain), None);
        let changed = |change: fn(&mut Identity)| {
            let mut other = identity();
            change(&mut other);
            assert_ne!(other.digest(), plain.digest());
            plain.difference(&other).expect("a difference")
        };
        let words = [
            changed(|of| of.version = "0.2.0".to_owned()),
            changed(|of| of.results = 3),
            changed(|of| of.name = "other".to_owned()),
            changed(|of| of.text = "a = 1\nb = 3\n".to_owned()),
            changed(|of| of.base = Some("c = 1".to_owned())),
            changed(|of| of.sets.push("run.duration=1s".to_owned())),
            changed(|of| of.options.scale = 0.1),
            changed(|of| of.options.seed = Some(7)),
            changed(|of| of.options.replications = 10),
            changed(|of| of.options.precision = Some(0.02)),
        ];
        let expected = [
            "pacesim 0.2.0 instead of 0.1.0",
            "results of version 3 instead of 2",
            "the study \"other\" instead of \"buffers\"",
            "another text of the study, from line 2 on",
            "another text of the base scenario, from line 1 on",
            "--set run.duration=1s instead of nothing",
            "--scale 0.1 instead of 1",
            "the seed 7 instead of the scenarios'",
            "10 replications instead of 3",
            "a precision of 0.02 instead of none",
        ];
        assert_eq!(words, expected);
    }
}
