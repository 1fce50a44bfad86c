//! Claims judged again by numbers that were stored with an earlier judgement: their runs are the same, and
//! words, kinds, bounds and reasons may differ.

use pacesim_study::{Expectation, Study};

use super::stated::number_of;
use super::{reasons, stated};
use crate::claims::{Claim, Estimate, OfVariant, Value, Verdict};
use crate::needed::{by_students, times, told};

/// A claim whose number is not among the stored ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unknown(pub String);

/// The claims of a study by the stored numbers of the same runs; or the first claim about another
/// number.
pub fn again(study: &Study, stored: &[Claim]) -> Result<Vec<Claim>, Unknown> {
    let claims = study.expectations.iter();
    let judge = |claim: &Expectation| {
        let number = number_of(study, claim);
        let mut same = stored.iter();
        let is_known = |kept: &&Claim| {
            kept.number.as_ref() == Some(&number) && kept.verdict != Verdict::NotRun
        };
        let kept = same.find(is_known);
        if study.scale() < claim.scale {
            return Ok(not_run(study, claim));
        }
        let kept = kept.ok_or_else(|| Unknown(claim.claim.clone()))?;
        Ok(one(study, claim, kept))
    };
    claims.map(judge).collect()
}

/// A claim by a stored number.
fn one(study: &Study, claim: &Expectation, kept: &Claim) -> Claim {
    let stated = stated::claim(study, claim, kept.verdict);
    let mut judged = Claim {
        ours: kept.ours.clone(),
        low: kept.low,
        high: kept.high,
        accepts: kept.accepts.clone(),
        open: kept.open.clone(),
        remarks: kept.remarks.clone(),
        ..stated
    };
    let mut variants = kept.variants.clone();
    let mut note = kept.open.clone();
    if claim.is_of_one_number() {
        let bounds = (judged.least, judged.most);
        judged.accepts = stated::accepts(study, claim);
        judged.verdict = verdict(kept, bounds);
        for variant in &mut variants {
            variant.verdict = verdict_of_variant(variant, bounds);
        }
        let is_wide = judged.verdict == Verdict::Undecided && note.is_none();
        note = note.or_else(|| is_wide.then(|| needed(study, claim, &judged))?);
    } else if kept.verdict == Verdict::Undecided && note.is_none() {
        note = kept.lacking().map(str::to_owned);
    }
    let note = note.filter(|_| judged.verdict == Verdict::Undecided);
    let notes: Vec<String> = note.into_iter().chain(kept.remarks.clone()).collect();
    judged.note = (!notes.is_empty()).then(|| notes.join("; "));
    let because = reasons::because(study, claim, &variants);
    judged.reasoned(because, variants)
}

/// A claim that runs of this scale do not decide.
fn not_run(study: &Study, claim: &Expectation) -> Claim {
    let scale = claim.scale;
    Claim {
        accepts: format!("at --scale {scale}"),
        note: Some(format!("needs --scale {scale} or more")),
        ..stated::claim(study, claim, Verdict::NotRun)
    }
}

type Bounds = (Option<f64>, Option<f64>);

/// The verdict on a stored number.
fn verdict(kept: &Claim, bounds: Bounds) -> Verdict {
    if kept.open.is_some() {
        return Verdict::Undecided;
    }
    by_bounds(
        kept.verdict,
        kept.ours.as_ref(),
        kept.low.zip(kept.high),
        bounds,
    )
}

fn verdict_of_variant(kept: &OfVariant, bounds: Bounds) -> Verdict {
    by_bounds(
        kept.verdict,
        kept.ours.as_ref(),
        kept.low.zip(kept.high),
        bounds,
    )
}

/// The verdict by an interval. A number that was decided without one has no randomness.
fn by_bounds(
    before: Verdict,
    ours: Option<&Value>,
    interval: Option<(f64, f64)>,
    (least, most): Bounds,
) -> Verdict {
    let Some(Value::Number(value)) = ours else {
        return before;
    };
    if interval.is_none() && before == Verdict::Undecided {
        return before;
    }
    let estimate = Estimate {
        value: *value,
        interval,
    };
    estimate.lies_within(
        least.unwrap_or(f64::NEG_INFINITY),
        most.unwrap_or(f64::INFINITY),
    )
}

/// The replications that would decide it.
fn needed(study: &Study, claim: &Expectation, judged: &Claim) -> Option<String> {
    let Some(Value::Number(mean)) = judged.ours else {
        return None;
    };
    let bounds = [judged.least, judged.most].into_iter().flatten();
    let mut points = study.points();
    let point = points.find(|point| study.meets(*point, &claim.at));
    let made = match point {
        Some(point) if study.batches.is_none() => study.replications_of(point, study.replications),
        _ => study.replications,
    };
    let times = times(mean, judged.low.zip(judged.high)?, bounds);
    let is_students = study.batches.is_none() && claim.quantile.is_none();
    let made = made as f64;
    Some(told(if is_students {
        by_students(made, times)
    } else {
        made * times
    }))
}

impl Claim {
    /// The part of the note of an undecided claim that its remarks do not repeat.
    fn lacking(&self) -> Option<&str> {
        let note = self.note.as_deref()?;
        let note = match &self.remarks {
            Some(remarks) => note.strip_suffix(remarks.as_str())?.trim_end_matches("; "),
            None => note,
        };
        let note = match note.strip_prefix("not explained") {
            Some(rest) => rest.trim_start_matches("; "),
            None => note,
        };
        (!note.is_empty()).then_some(note)
    }
}
