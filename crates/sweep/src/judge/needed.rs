//! Replications that would decide an undecided claim.

use pacesim::measure::student_quantile;
use pacesim_claims::claims::{Estimate, ON_BORDER, Value, Verdict};
use pacesim_runs::replicate::CONFIDENCE;

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
        let numbers = self.compared(&self.claim.at);
        let made = match self.claim.line {
            None => self.made(numbers.len()),
            Some(_) => self.study.replications as f64,
        };
        let times = times(mean, found.interval?, bounds);
        let is_students = self.study.batches.is_none()
            && self.claim.quantile.is_none()
            && self.rare(&self.claim.at, &numbers).is_none();
        let needed = match is_students {
            true => by_students(made, times),
            false => made * times,
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

/// The factor of the replications if the mean stays the same: an interval shrinks with the square
/// root of their number.
fn times(mean: f64, (low, high): (f64, f64), bounds: impl Iterator<Item = f64>) -> f64 {
    let room = bounds.map(|bound| (mean - bound).abs());
    let part = (high - low) / 2.0 / room.fold(f64::INFINITY, f64::min);
    part * part
}

/// The replications whose Student's interval is narrower by the root of this factor: an interval of
/// few is wide also because their deviation is uncertain.
fn by_students(made: f64, times: f64) -> f64 {
    let square = |n: f64| student_quantile(0.5 + CONFIDENCE / 2.0, n - 1.0).map(|t| t * t);
    let Some(own) = square(made) else {
        return made * times;
    };
    let mut needed = made;
    while needed < BORDER && square(needed).is_some_and(|t| needed * own < made * times * t) {
        needed += 1.0;
    }
    // Beyond that, the quantile hardly changes.
    match (needed < BORDER, square(needed)) {
        (false, Some(last)) => (made * times * last / own).max(needed),
        _ => needed,
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_narrow_enough_interval_of_student_takes_so_many() {
        let half = |n: f64| student_quantile(0.975, n - 1.0).expect("a quantile") / n.sqrt();
        for (made, times) in [(2.0, 30.0), (3.0, 60.3), (5.0, 4.0), (60.0, 1.3)] {
            let needed = by_students(made, times).ceil();
            let narrow = half(made) / times.sqrt();
            assert!(
                half(needed) <= narrow * (1.0 + 1e-9),
                "{made} {times}: {needed}"
            );
            assert!(half(needed - 1.0) > narrow, "{made} {times}: {needed}");
        }
    }
}
