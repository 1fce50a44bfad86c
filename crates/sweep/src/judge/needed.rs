//! Replications that would decide an undecided claim.

use pacesim_claims::claims::{Estimate, ON_BORDER, Value, Verdict};

use super::{Finding, Judge};

/// More replications than this are not made by anybody: the number is on the border.
const BORDER: f64 = 1000.0;

impl Judge<'_> {
    /// The replications that would decide a claim about one number.
    pub(super) fn replications_needed(&self, found: &Finding) -> Option<String> {
        let Some(Value::Number(mean)) = found.ours else {
            return None;
        };
        let (least, most) = self.claim.bounds(&self.study.references);
        let bounds = [least, most].into_iter().flatten();
        let made = match self.claim.line {
            None => self.made(self.compared(&self.claim.at).len()),
            Some(_) => self.study.replications as f64,
        };
        Some(told(made * times(mean, found.interval?, bounds)))
    }

    /// The replications that would decide a claim at all of these values, each with its bounds and
    /// the number of its samples.
    pub(super) fn needed_at_each<'a>(
        &self,
        all: impl Iterator<Item = (&'a Estimate, &'a (f64, f64), usize)>,
    ) -> Option<String> {
        let needed = all.filter_map(|(estimate, (least, most), samples)| {
            let undecided = estimate.lies_within(*least, *most) == Verdict::Undecided;
            let interval = estimate.interval.filter(|_| undecided)?;
            let bounds = [*least, *most].into_iter();
            Some(self.made(samples) * times(estimate.value, interval, bounds))
        });
        needed.reduce(f64::max).map(told)
    }

    /// The replications behind these samples, which may be windows of one run.
    fn made(&self, samples: usize) -> f64 {
        match self.study.batches {
            Some(_) => self.study.replications as f64,
            None => samples as f64,
        }
    }
}

/// The factor of the replications if the mean stays the same: an interval shrinks with the square
/// root of their number.
fn times(mean: f64, (low, high): (f64, f64), bounds: impl Iterator<Item = f64>) -> f64 {
    let room = bounds.map(|bound| (mean - bound).abs());
    let part = (high - low) / 2.0 / room.fold(f64::INFINITY, f64::min);
    part * part
}

fn told(needed: f64) -> String {
    if !needed.is_finite() {
        return ON_BORDER.to_owned();
    }
    let needed = needed.ceil();
    let border = match needed > BORDER {
        true => format!("{ON_BORDER}: "),
        false => String::new(),
    };
    format!("{border}some {needed} replications would decide it")
}
