//! Reading of inferred settings: each names a fitted claim of the paper, and others that it predicts.

use pacesim_language::problem::{Faults, suggest};

use super::because::variant_named;
use crate::inferred::Inferred;
use crate::keys::{ClaimKind, InferredKeys};
use crate::study::Study;

/// The inferred settings, except faulty ones; the study's claims are known.
pub(crate) fn inferred(
    study: &Study,
    all: &[InferredKeys],
    known: &Faults,
    faults: &mut Faults,
) -> Vec<Inferred> {
    let mut sound = Vec::new();
    for (i, keys) in all.iter().enumerate() {
        let path = format!("inferred[{i}]");
        if !known.touch(&path) && !faults.touch("expect") && !known.touch("expect") {
            sound.extend(one(study, &path, keys, faults));
        }
    }
    sound
}

fn one(study: &Study, path: &str, keys: &InferredKeys, faults: &mut Faults) -> Option<Inferred> {
    let before = faults.list.len();
    for (key, text) in [("setting", &keys.setting), ("value", &keys.value)] {
        if text.trim().is_empty() {
            let help = "say it in words";
            faults
                .add(format!("{path}.{key}"), "this says nothing")
                .help(help);
        }
    }
    if let Some(name) = &keys.variant {
        variant_named(study, name, &format!("{path}.variant"), faults);
    }
    of_paper(study, &keys.fitted, &format!("{path}.fitted"), faults);
    if keys.predicts.is_empty() {
        let help = "name the claims that this setting decides too; a setting that predicts nothing may be anything";
        let path = format!("{path}.predicts");
        faults.add(path, "nothing is predicted").help(help);
    }
    for (i, claim) in keys.predicts.iter().enumerate() {
        let path = format!("{path}.predicts[{i}]");
        let is_twice = keys.predicts[..i].contains(claim);
        if *claim == keys.fitted || is_twice {
            let (message, help) = match is_twice {
                true => ("this prediction is named twice", "leave one out"),
                false => (
                    "a number that the setting was fitted to is no prediction",
                    "leave it out",
                ),
            };
            faults.add(path, message).help(help);
        } else {
            of_paper(study, claim, &path, faults);
        }
    }
    drawn(study, path, keys, faults);
    (faults.list.len() == before).then(|| Inferred {
        setting: keys.setting.clone(),
        value: keys.value.clone(),
        variant: keys.variant.clone(),
        fitted: keys.fitted.clone(),
        predicts: keys.predicts.clone(),
        drawn: keys.drawn.clone(),
    })
}

/// Requires that the drawn values are variants, each another one.
fn drawn(study: &Study, path: &str, keys: &InferredKeys, faults: &mut Faults) {
    for (i, name) in keys.drawn.iter().enumerate() {
        let path = format!("{path}.drawn[{i}]");
        if keys.variant.as_ref() == Some(name) {
            let help = "name variants with other values";
            faults
                .add(path, "this variant has the inferred value")
                .help(help);
        } else if keys.drawn[..i].contains(name) {
            let message = "this variant is named twice";
            faults.add(path, message).help("leave one out");
        } else {
            variant_named(study, name, &path, faults);
        }
    }
}

/// Requires a claim of the paper with these words.
fn of_paper(study: &Study, claim: &str, path: &str, faults: &mut Faults) {
    let mut all = study.expectations.iter();
    match all.find(|known| known.claim == claim) {
        Some(known) if known.kind == ClaimKind::Paper => (),
        Some(_) => {
            let help = "name a claim with kind = \"paper\"";
            faults
                .add(path, "this claim is none of the paper")
                .help(help);
        }
        None => {
            let of_paper = study.expectations.iter();
            let of_paper = of_paper.filter(|known| known.kind == ClaimKind::Paper);
            let help = suggest(claim, of_paper.map(|known| known.claim.as_str()));
            let message = format!("there is no claim \"{claim}\"");
            faults.add(path, message).help(help);
        }
    }
}
