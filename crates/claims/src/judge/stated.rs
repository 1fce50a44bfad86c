//! A claim as a study states it, before any run.

use pacesim_runs::manifest::Digest;
use pacesim_study::{Claimed, Expectation, Paper, Study};

use crate::claims::{Claim, InUnit, Value, Verdict, six_digits};

/// Digest of the number that a claim is about.
pub fn number_of(study: &Study, claim: &Expectation) -> String {
    let mut digest = Digest::default();
    digest.add(claim.number_text(study).as_bytes());
    digest.to_string()
}

/// The claim with its kind, bounds and printed number.
pub(super) fn claim(study: &Study, claim: &Expectation, verdict: Verdict) -> Claim {
    let (least, most) = claim.bounds(&study.references);
    let stated = Claim {
        kind: claim.kind.into(),
        instead_of: claim.instead_of.as_ref().map(Into::into),
        group: claim.group.clone(),
        number: Some(number_of(study, claim)),
        paper: paper(study, claim),
        ns2: claim.ns2,
        least,
        most,
        ..Claim::shows(claim.claim.clone(), "", false, "")
    };
    Claim {
        verdict,
        ours: None,
        ..stated.in_unit(claim.unit, claim.in_percent)
    }
}

/// The paper's value: by default the claimed number, unless the study says that the paper has none.
fn paper(study: &Study, claim: &Expectation) -> Option<Value> {
    match (&claim.paper, &claim.claimed) {
        (Some(Paper::Number(number)), _) => Some(Value::Number(*number)),
        (Some(Paper::Words(words)), _) if words.is_empty() => None,
        (Some(Paper::Words(words)), _) => Some(Value::Text(words.clone())),
        (None, Claimed::About { number, .. }) => Some(Value::Number(*number)),
        (None, Claimed::Measured { .. }) if claim.each.is_none() => {
            let (mean, _) = claim.measured(&study.references, &claim.at)?;
            Some(Value::Number(mean))
        }
        _ => None,
    }
}

/// The range of numbers that count as the same, of a claim about numbers.
pub(super) fn accepts(study: &Study, claim: &Expectation) -> String {
    let told = |number: f64| shown(claim).text(number);
    let range = |least: Option<f64>, most: Option<f64>| match (least, most) {
        (Some(least), Some(most)) => format!("from {} to {}", told(least), told(most)),
        (Some(least), None) => format!("at least {}", told(least)),
        (None, most) => format!("at most {}", told(most.unwrap_or(f64::INFINITY))),
    };
    match &claim.claimed {
        Claimed::Between { least, most } => range(*least, *most),
        Claimed::Band { band, .. } => {
            let (least, most) = claim.bounds(&study.references);
            format!("{}: {}", band.words(), range(least, most))
        }
        Claimed::About { number, within } => match paper(study, claim) {
            Some(Value::Number(_)) => format!("within {} %", percent(*within)),
            _ => format!("within {} % of {}", percent(*within), told(*number)),
        },
        Claimed::Measured { reference, .. } => format!("as {}", study.references[*reference].name),
        _ => String::new(),
    }
}

/// A share in percent, without the noise of its multiplication.
fn percent(share: f64) -> String {
    six_digits(100.0 * share)
}

/// The unit in which texts state the numbers of a claim.
pub(super) fn shown(claim: &Expectation) -> InUnit {
    InUnit::new(claim.unit, claim.in_percent)
}
