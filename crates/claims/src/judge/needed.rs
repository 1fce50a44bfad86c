//! The replications that would decide an undecided claim.

use crate::claims::{Estimate, Value, Verdict};
use crate::needed::{by_students, times, told};

use super::{Finding, Judge};

impl Judge<'_> {
    /// The replications that would decide a claim about one number.
    pub(super) fn replications_needed(&self, found: &Finding) -> Option<String> {
        let Some(Value::Number(mean)) = found.ours else {
            return None;
        };
        let (least, most) = self.claim.bounds(&self.study.references);
        let bounds = [least, most].into_iter().flatten();
        let numbers = self.compared(&self.claim.at);
        let made = match self.claim.line {
            None => self.made(numbers.len()),
            Some(_) => self.study.replications as f64,
        };
        let times = times(mean, found.interval?, bounds);
        let is_students = self.study.batches.is_none()
            && self.claim.quantile.is_none()
            && self.rare(&self.claim.at, &numbers).is_none();
        let needed = if is_students {
            by_students(made, times)
        } else {
            made * times
        };
        Some(told(needed))
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
