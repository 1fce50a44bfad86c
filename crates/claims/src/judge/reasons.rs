//! Reasons of differences, evaluated.

use pacesim_probes::theory::Solved;
use pacesim_study::{Because as Reason, Expectation, Inferred, ModelReason, Study};

use crate::claims::{Because, OfVariant, Verdict};

/// The reason for a difference: the one given in the study, or an inferred setting under which the claim
/// holds.
pub(super) fn because(
    study: &Study,
    claim: &Expectation,
    variants: &[OfVariant],
) -> Option<Because> {
    Some(match &claim.because {
        None => return inferred(study, claim, variants),
        Some(Reason::NotExplained) => Because::not_explained(),
        Some(Reason::Variant { variant, shows }) => {
            let mut all = study.variants();
            let (_, name) = all.find(|(place, _)| place == variant)?;
            Because::Shown {
                variant: name.to_owned(),
                shows: shows.clone(),
            }
        }
        Some(Reason::Model(reason)) => Because::Model {
            model: reason.model.clone(),
            y: reason.y.clone(),
            gives: solve_reason(study, claim, reason),
            within: reason.within,
            shows: reason.shows.clone(),
        },
        Some(Reason::Bound {
            bound,
            least,
            most,
            shows,
        }) => Because::Bound {
            bound: bound.words().to_owned(),
            possible_from: *least,
            possible_to: *most,
            shows: shows.clone(),
        },
    })
}

/// The inferred setting under which a claim holds, as a variant.
fn inferred(study: &Study, claim: &Expectation, variants: &[OfVariant]) -> Option<Because> {
    let holds = |name: &String| {
        let mut variants = variants.iter();
        variants.any(|one| one.variant == *name && one.verdict == Verdict::Pass)
    };
    let decides = |setting: &&Inferred| {
        setting.variant.as_ref().is_some_and(holds)
            && (setting.fitted == claim.claim || setting.predicts.contains(&claim.claim))
    };
    let setting = study.inferred.iter().find(decides)?;
    let role = match setting.fitted == claim.claim {
        true => "was fitted to this number".to_owned(),
        false => format!("was fitted to \"{}\" and predicts this", setting.fitted),
    };
    Some(Because::Shown {
        variant: setting.variant.clone()?,
        shows: format!("{}, inferred as {}, {role}", setting.setting, setting.value),
    })
}

/// The number that a model gives at the point of a claim, in the claim's unit.
pub(super) fn solve_reason(
    study: &Study,
    claim: &Expectation,
    reason: &ModelReason,
) -> Option<f64> {
    let mut points = study.points();
    let point = points.find(|point| study.meets(*point, &claim.at))?;
    let solved = Solved::reason(reason).at(study, point, |_| None).ok()??;
    let result = solved.value(&reason.y)?;
    Some(result * reason.times)
}
