//! JUnit's XML, which build machines show.

use std::fmt::Write as _;

use pacesim_lab::claims::{Claim, Verdict};

/// Test cases under one name.
pub(crate) struct Suite {
    pub(crate) name: String,
    pub(crate) cases: Vec<Case>,
}

/// A test case, which passed if it has no fault.
pub(crate) struct Case {
    pub(crate) class: String,
    pub(crate) name: String,
    pub(crate) faults: Vec<Fault>,
}

/// The reason why a case did not pass.
pub(crate) enum Fault {
    Failed { message: String, text: String },
    Skipped { message: String },
}

impl Case {
    /// The case of a claim; one that is not decided was skipped.
    pub(crate) fn of_claim(class: String, claim: &Claim) -> Case {
        let fault = match claim.verdict {
            Verdict::Pass => None,
            Verdict::Differs => Some(Fault::failed(told(claim))),
            Verdict::Undecided | Verdict::NotRun => Some(Fault::Skipped {
                message: format!("{}: {}", claim.verdict.text(), told(claim)),
            }),
        };
        Case {
            class,
            name: claim.claim.clone(),
            faults: fault.into_iter().collect(),
        }
    }

    fn has(&self, is_wanted: fn(&Fault) -> bool) -> bool {
        self.faults.iter().any(is_wanted)
    }
}

impl Fault {
    /// A failure without a text of its own.
    pub(crate) fn failed(message: String) -> Fault {
        Fault::Failed {
            message,
            text: String::new(),
        }
    }

    fn is_failure(&self) -> bool {
        matches!(self, Fault::Failed { .. })
    }

    fn xml(&self) -> String {
        match self {
            Fault::Failed { message, text } => {
                let (message, text) = (escaped(message), escaped(text));
                format!("<failure message=\"{message}\">{text}</failure>")
            }
            Fault::Skipped { message } => format!("<skipped message=\"{}\"/>", escaped(message)),
        }
    }
}

/// The measured and the expected number of a claim.
fn told(claim: &Claim) -> String {
    let note = claim.note.iter().map(|note| format!("; {note}"));
    let note: String = note.collect();
    format!("{}; expected {}{note}", claim.ours(), claim.bound())
}

/// The document.
pub(crate) fn document(suites: &[Suite]) -> String {
    let mut xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n".to_owned();
    for suite in suites {
        let count = |of: fn(&Fault) -> bool| suite.cases.iter().filter(|case| case.has(of)).count();
        let (failures, skipped) = (count(Fault::is_failure), count(|fault| !fault.is_failure()));
        let (name, all) = (escaped(&suite.name), suite.cases.len());
        let _ = writeln!(
            xml,
            "<testsuite name=\"{name}\" tests=\"{all}\" failures=\"{failures}\" skipped=\"{skipped}\" errors=\"0\">"
        );
        for case in &suite.cases {
            let (class, name) = (escaped(&case.class), escaped(&case.name));
            let faults: String = case.faults.iter().map(Fault::xml).collect();
            let _ = writeln!(
                xml,
                "<testcase classname=\"{class}\" name=\"{name}\">{faults}</testcase>"
            );
        }
        xml += "</testsuite>\n";
    }
    xml + "</testsuites>\n"
}

/// Text within XML. Control characters, which XML has no place for, are left out.
fn escaped(text: &str) -> String {
    let one = |c: char| match c {
        '&' => "&amp;".to_owned(),
        '<' => "&lt;".to_owned(),
        '>' => "&gt;".to_owned(),
        '"' => "&quot;".to_owned(),
        c if c.is_control() => " ".to_owned(),
        c => c.to_string(),
    };
    text.chars().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn xml_has_no_character_that_ends_a_text() {
        let text = escaped("a < b & \"c\" > d\u{1b}");
        assert_eq!(text, "a &lt; b &amp; &quot;c&quot; &gt; d ");
    }

    #[test]
    fn failures_and_skipped_cases_are_counted() {
        let case = |faults| Case {
            class: "alone".to_owned(),
            name: "a < b".to_owned(),
            faults,
        };
        let skipped = Fault::Skipped {
            message: "too few".to_owned(),
        };
        let failed = Fault::failed("0.5 for at least 0.9".to_owned());
        let suite = Suite {
            name: "cubic".to_owned(),
            cases: vec![case(Vec::new()), case(vec![failed]), case(vec![skipped])],
        };
        let xml = document(&[suite]);
        assert!(
            xml.contains("tests=\"3\" failures=\"1\" skipped=\"1\""),
            "{xml}"
        );
        assert!(xml.contains("name=\"a &lt; b\"></testcase>"), "{xml}");
    }
}
