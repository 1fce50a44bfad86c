//! The results as JUnit's XML, which CI systems show.

use std::fmt::Write;

use pacesim_lab::claims::{Claim, Verdict};
use pacesim_tcp_conformance::{Finding, Verdict as Held};

use super::{CONFORMANCE, Evaluation, measured};

/// A case, with the reason why it failed or was skipped.
struct Case {
    suite: String,
    name: String,
    fault: Option<(&'static str, String)>,
}

/// The document: a suite for each study.
pub(crate) fn junit(evaluation: &Evaluation) -> String {
    let mut text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n".to_owned();
    let of_studies = evaluation.tried.iter().map(|one| {
        let claims = one.claims.iter().map(|claim| of_claim(one.name, claim));
        let gave_up = one.gave_up.iter().map(|why| Case {
            suite: one.name.to_owned(),
            name: "runs to its end".to_owned(),
            fault: Some(("failure", why.clone())),
        });
        (one.name, claims.chain(gave_up).collect::<Vec<_>>())
    });
    let trials = evaluation.trials.iter().map(|trials| {
        (
            CONFORMANCE,
            trials.iter().map(of_finding).collect::<Vec<_>>(),
        )
    });
    for (name, cases) in of_studies.chain(trials) {
        suite(
            &mut text,
            &format!("{}.{name}", evaluation.traffic.name()),
            &cases,
        );
    }
    text + "</testsuites>\n"
}

fn of_claim(study: &str, claim: &Claim) -> Case {
    let told = || {
        format!(
            "{}: {} for {}",
            claim.verdict.text(),
            claim.ours(),
            claim.bound()
        )
    };
    Case {
        suite: study.to_owned(),
        name: claim.claim.clone(),
        fault: match claim.verdict {
            Verdict::Pass => None,
            Verdict::Differs => Some(("failure", told())),
            Verdict::Undecided | Verdict::NotRun => Some(("skipped", told())),
        },
    }
}

fn of_finding(finding: &Finding) -> Case {
    let fault = match finding.verdict {
        Held::Fails => Some(("failure", measured(finding))),
        Held::Skipped => Some(("skipped", measured(finding))),
        Held::Holds | Held::Stated => None,
    };
    Case {
        suite: CONFORMANCE.to_owned(),
        name: format!("{}: {}", finding.criterion, finding.trial),
        fault,
    }
}

fn suite(text: &mut String, name: &str, cases: &[Case]) {
    let count = |kind: &str| {
        let faults = cases.iter().filter_map(|case| case.fault.as_ref());
        faults.filter(|(of, _)| *of == kind).count()
    };
    let write = writeln!(
        text,
        "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" skipped=\"{}\">",
        escaped(name),
        cases.len(),
        count("failure"),
        count("skipped")
    );
    write.expect("a String takes every text");
    for case in cases {
        let (suite, name) = (escaped(&case.suite), escaped(&case.name));
        let head = format!("    <testcase classname=\"{suite}\" name=\"{name}\"");
        *text += &match &case.fault {
            None => format!("{head}/>\n"),
            Some((kind, why)) => {
                format!("{head}><{kind} message=\"{}\"/></testcase>\n", escaped(why))
            }
        };
    }
    *text += "  </testsuite>\n";
}

/// A text as the value of an attribute.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_and_skipped_cases_are_counted_and_escaped() {
        let case = |fault| Case {
            suite: "alone".to_owned(),
            name: "a < b & \"c\"".to_owned(),
            fault,
        };
        let cases = [
            case(None),
            case(Some(("failure", "0.5 for at least 0.9".to_owned()))),
            case(Some(("skipped", "too few".to_owned()))),
        ];
        let mut text = String::new();
        suite(&mut text, "cubic.alone", &cases);
        assert!(
            text.contains("tests=\"3\" failures=\"1\" skipped=\"1\""),
            "{text}"
        );
        assert!(
            text.contains("name=\"a &lt; b &amp; &quot;c&quot;\"/>"),
            "{text}"
        );
        assert!(
            text.contains("<failure message=\"0.5 for at least 0.9\"/></testcase>"),
            "{text}"
        );
    }
}
