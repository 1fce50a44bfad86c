//! Sentences on each paper: its message, the part of it that holds, results to build on, and
//! omissions. Their numbers come from the findings.

use pacesim_lab::claims::{Claim, Value};
use pacesim_lab::findings::Findings;

/// The sentences on the papers.
const MESSAGES: &str = include_str!("messages.toml");

/// Sentences on a paper. The file has `{ID: CLAIM}` as a placeholder for each number from the
/// findings.
#[derive(Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Message {
    pub(crate) paper: String,
    /// The paper's message, in a sentence.
    pub(crate) says: String,
    /// The part of it that holds, with numbers.
    pub(crate) stands: String,
    /// Results to build on, and results to avoid.
    pub(crate) build_on: String,
    /// Parts of its set-up that the paper omits.
    pub(crate) left_out: String,
}

#[derive(serde::Deserialize)]
struct Messages {
    message: Vec<Message>,
}

/// All papers in order.
pub(crate) fn messages() -> Vec<Message> {
    let all: Messages = toml::from_str(MESSAGES).expect("messages.toml is read by a test");
    all.message
}

/// A sentence with numbers from the findings; missing ones are "(not run)".
pub(crate) fn filled(sentence: &str, findings: &[&Findings]) -> String {
    let mut text = String::new();
    let mut rest = sentence;
    while let Some((before, after)) = rest.split_once('{') {
        let (name, behind) = after.split_once('}').expect("a closing brace");
        let claim = named(name, findings);
        text += before;
        text += &claim.map_or_else(|| "(not run)".to_owned(), short);
        rest = behind;
    }
    text + rest
}

/// The claims named in sentences, as experiment and claim.
#[cfg(test)]
pub(crate) fn names(sentence: &str) -> Vec<(String, String)> {
    let parts = sentence.split('{').skip(1);
    let names = parts.map(|part| part.split_once('}').expect("a closing brace").0);
    let pair = |name: &str| {
        let (id, claim) = name.split_once(": ").expect("ID: CLAIM");
        (id.to_owned(), claim.to_owned())
    };
    names.map(pair).collect()
}

fn named<'a>(name: &str, findings: &[&'a Findings]) -> Option<&'a Claim> {
    let (id, claim) = name.split_once(": ")?;
    let mut of_id = findings.iter().filter(|findings| findings.id == id);
    let mut claims = of_id.next()?.claims.iter();
    claims.find(|known| known.claim == claim)
}

/// pacesim's number with three digits.
fn short(claim: &Claim) -> String {
    match &claim.ours {
        Some(Value::Number(number)) => claim.shown().text(three_digits(*number)),
        Some(Value::Text(text)) => text.clone(),
        None => "(not run)".to_owned(),
    }
}

fn three_digits(number: f64) -> f64 {
    format!("{number:.2e}").parse().expect("a number")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_paper_has_its_sentences() {
        let papers: Vec<String> = messages().into_iter().map(|one| one.paper).collect();
        assert_eq!(papers, ["qlbp11", "qlbp09", "impact", "edge", "zerobuf"]);
    }

    #[test]
    fn sentences_name_claims_that_there_are() {
        for message in messages() {
            let Message {
                stands, build_on, ..
            } = &message;
            for (id, claim) in names(stands).into_iter().chain(names(build_on)) {
                let file = format!("{id}.study.toml");
                let (_, text) = crate::shipped::find(&file).unwrap_or_else(|| panic!("{file}"));
                assert!(
                    text.contains(&format!("claim = \"{claim}\"")),
                    "{id}: {claim}"
                );
            }
        }
    }

    #[test]
    fn numbers_have_three_digits() {
        assert_eq!(three_digits(1.81441), 1.81);
        assert_eq!(three_digits(81_551.36), 81_600.0);
    }
}
