//! The evaluation of a congestion control: its studies, and its results as text, JUnit and Markdown.

mod page;
mod traffic;

use pacesim_lab::claims::{Claim, Verdict};
use pacesim_tcp_conformance::{Finding, Verdict as Held};
use serde_json::{Value, json};

use crate::columns::of_texts;
use crate::junit::{self, Case, Fault, Suite};
use crate::reproduction;

pub(crate) use page::page;
pub(crate) use traffic::Traffic;

/// The name of the trials of RFC 9743 among the studies.
pub(crate) const CONFORMANCE: &str = "conformance";

/// A study with a place for the traffic that is tried.
pub(crate) struct Template {
    pub(crate) name: &'static str,
    text: &'static str,
}

macro_rules! templates {
    ($($name:literal)*) => {
        &[ $( Template { name: $name, text: include_str!(concat!("evaluation/", $name, ".toml")) } ),* ]
    };
}

/// All studies, in the order of the page.
pub(crate) const TEMPLATES: &[Template] = templates! {
    "alone" "itself" "beside" "short" "loss" "reordering" "queues" "change" "far"
};

/// The place of the traffic in a template.
const PLACE: &str = "TRAFFIC";

impl Template {
    /// The text of its file with this traffic.
    pub(crate) fn of(&self, traffic: &Traffic) -> String {
        self.text.replace(PLACE, traffic.keys())
    }

    /// Its subject: the comment at its top.
    pub(crate) fn subject(&self) -> &str {
        let first = self.text.lines().next().unwrap_or_default();
        first.trim_start_matches("# ")
    }
}

/// The results of a study.
pub(crate) struct Tried {
    pub(crate) name: &'static str,
    pub(crate) subject: String,
    pub(crate) claims: Vec<Claim>,
    /// The names of its figures.
    pub(crate) figures: Vec<String>,
    /// The runs that gave up, and why.
    pub(crate) gave_up: Vec<String>,
    pub(crate) fingerprint: String,
}

/// The results of all studies, and of the trials.
pub(crate) struct Evaluation {
    pub(crate) traffic: Traffic,
    pub(crate) tried: Vec<Tried>,
    /// The findings of the trials; absent for transports other than TCP, and if they were not asked.
    pub(crate) trials: Option<Vec<Finding>>,
    pub(crate) scale: f64,
}

impl Evaluation {
    /// True if a claim differs, a trial fails, or a run gave up.
    pub(crate) fn has_failures(&self) -> bool {
        let differs = |claim: &Claim| claim.verdict == Verdict::Differs;
        let fails = |finding: &Finding| finding.verdict == Held::Fails;
        let tried = self.tried.iter();
        tried
            .clone()
            .any(|one| one.claims.iter().any(differs) || !one.gave_up.is_empty())
            || self.trials.iter().flatten().any(fails)
    }

    /// The tables of the terminal.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        for one in &self.tried {
            text += &format!("{}: {}\n", one.name, one.subject);
            text += &reproduction::expected(&one.claims);
            for gave_up in &one.gave_up {
                text += &format!("\ngave up: {gave_up}\n");
            }
            text.push('\n');
        }
        if let Some(trials) = &self.trials {
            text += "conformance: trials of RFC 9743\n\n";
            let header = ["criterion", "trial", "measured", "verdict"].map(str::to_owned);
            let rows = trials.iter().map(|finding| {
                let trial = reproduction::broken(finding.trial, 44);
                let criterion = reproduction::broken(finding.criterion, 28);
                vec![
                    criterion,
                    trial,
                    measured(finding),
                    held(finding.verdict).to_owned(),
                ]
            });
            text += &of_texts(header.to_vec(), rows);
            text += "\n\n";
        }
        text + &self.totals() + "\n"
    }

    /// The counts of verdicts in a line.
    pub(crate) fn totals(&self) -> String {
        let claims = || self.tried.iter().flat_map(|one| &one.claims);
        let verdicts = [
            Verdict::Pass,
            Verdict::Differs,
            Verdict::Undecided,
            Verdict::NotRun,
        ];
        let counted = verdicts.map(|verdict| {
            let count = claims().filter(|claim| claim.verdict == verdict).count();
            (count, verdict.text().to_owned())
        });
        let trials = || self.trials.iter().flatten();
        let fails = trials().filter(|finding| finding.verdict == Held::Fails);
        let failed = (fails.count(), "trials fail".to_owned());
        let some = counted
            .into_iter()
            .chain([failed])
            .filter(|(count, _)| *count > 0);
        let texts: Vec<String> = some
            .map(|(count, what)| format!("{count} {what}"))
            .collect();
        format!("{}: {}", self.traffic.name(), texts.join(", "))
    }

    /// The document of JUnit: a suite for each study.
    pub(crate) fn junit(&self) -> String {
        let suite = |name: &str, cases: Vec<Case>| Suite {
            name: format!("{}.{name}", self.traffic.name()),
            cases,
        };
        let studies = self.tried.iter().map(|one| {
            let claims = one.claims.iter();
            let claims = claims.map(|claim| Case::of_claim(one.name.to_owned(), claim));
            let faults = one.gave_up.iter().cloned().map(Fault::failed);
            let ends = Case {
                class: one.name.to_owned(),
                name: "all runs have results".to_owned(),
                faults: faults.collect(),
            };
            suite(one.name, claims.chain([ends]).collect())
        });
        let trials = self.trials.iter();
        let trials = trials.map(|all| suite(CONFORMANCE, all.iter().map(of_finding).collect()));
        let suites: Vec<Suite> = studies.chain(trials).collect();
        junit::document(&suites)
    }

    /// One document for other programs.
    pub(crate) fn json(&self) -> Value {
        let studies = self.tried.iter().map(|one| {
            json!({
                "study": one.name,
                "claims": one.claims,
                "gave_up": one.gave_up,
                "fingerprint": one.fingerprint,
            })
        });
        let trials = self.trials.as_ref().map(|trials| {
            let finding = |finding: &Finding| {
                json!({
                    "criterion": finding.criterion,
                    "trial": finding.trial,
                    "measured": finding.measured,
                    "bound": finding.bound,
                    "verdict": held(finding.verdict),
                })
            };
            trials.iter().map(finding).collect::<Vec<_>>()
        });
        json!({
            "control": self.traffic.name(),
            "traffic": self.traffic.keys(),
            "scale": self.scale,
            "studies": studies.collect::<Vec<_>>(),
            "trials": trials,
        })
    }
}

/// The case of a trial.
fn of_finding(finding: &Finding) -> Case {
    let fault = match finding.verdict {
        Held::Fails => Some(Fault::failed(measured(finding))),
        Held::Skipped => Some(Fault::Skipped {
            message: measured(finding),
        }),
        Held::Holds | Held::Stated => None,
    };
    Case {
        class: CONFORMANCE.to_owned(),
        name: format!("{}: {}", finding.criterion, finding.trial),
        faults: fault.into_iter().collect(),
    }
}

/// The number of a trial, with its bound.
fn measured(finding: &Finding) -> String {
    match &finding.bound {
        Some(bound) => format!("{} ({bound})", finding.measured),
        None => finding.measured.clone(),
    }
}

/// The word for a verdict of a trial.
fn held(verdict: Held) -> &'static str {
    match verdict {
        Held::Holds => "holds",
        Held::Fails => "fails",
        Held::Stated => "stated",
        Held::Skipped => "skipped",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_template_has_a_subject_and_a_place() {
        for template in TEMPLATES {
            assert_eq!(template.text.matches(PLACE).count(), 1, "{}", template.name);
            assert!(template.subject().ends_with('.'), "{}", template.name);
            let lines = template.text.lines().count();
            assert!(lines <= 62, "{}: {lines} lines", template.name);
        }
    }
}
