//! Claims about the course of a number along an axis: its steps, its bends, its extremes.

use crate::claims::{Value, Verdict};
use crate::over_replications::Range;
use pacesim_study::Course;

use crate::evidence::paired;

use super::{Finding, Judge, PerReplication, simultaneous_level};

impl Judge<'_> {
    /// Judges whether each step along the axis, or each change from one step to the next, has the same
    /// sign.
    pub(super) fn course(&self, axis: usize, course: Course) -> Finding {
        let curve = self.curve(axis);
        let (sign, word) = match course {
            Course::Rises => (1.0, "rises at each step"),
            Course::Falls => (-1.0, "falls at each step"),
            Course::Convex => (1.0, "bends upwards at each value"),
            Course::Concave => (-1.0, "bends downwards at each value"),
        };
        let compared = match course {
            Course::Rises | Course::Falls => &curve,
            Course::Convex | Course::Concave => &self.slopes(axis, &curve),
        };
        let steps = compared.windows(2).map(|pair| (&pair[1], &pair[0]));
        self.all_positive(steps.collect(), sign, &curve, word.to_owned())
    }

    /// The slopes from each value of an axis to the next.
    fn slopes(&self, axis: usize, curve: &[PerReplication]) -> Vec<PerReplication> {
        let values = self.claim.stretch(&self.study.axes[axis]);
        let numbers: Vec<Option<f64>> = values.map(|i| self.value(axis, i).number).collect();
        let slope = |i: usize| {
            let step = Some(numbers[i + 1]? - numbers[i]?);
            let rises = paired(&curve[i + 1], &curve[i], |a, b| a - b);
            let slope = |rise: Option<f64>| Some(rise? / step?);
            Some(rises.into_iter().map(slope).collect())
        };
        (0..curve.len().saturating_sub(1))
            .map(|i| slope(i).unwrap_or_default())
            .collect()
    }

    /// Judges whether the numbers at all other values are greater (or, with the other sign, less).
    pub(super) fn extreme(&self, axis: usize, value: usize, sign: f64) -> Finding {
        let curve = self.curve(axis);
        let start = *self.claim.stretch(&self.study.axes[axis]).start();
        let place = value - start;
        let others = (0..curve.len()).filter(|i| *i != place);
        let pairs = others.map(|i| (&curve[i], &curve[place]));
        let text = |place: usize| self.value(axis, place).shown().into_owned();
        let word = if sign > 0.0 { "least" } else { "greatest" };
        let accepts = format!("{word} at {}", text(value));
        let finding = self.all_positive(pairs.collect(), sign, &curve, accepts);
        let in_order = |a: &usize, b: &usize| {
            let key = |i: usize| sign * self.central(&curve[i]);
            key(*a).total_cmp(&key(*b))
        };
        let found = (0..curve.len()).min_by(in_order).unwrap_or_default();
        let found = text(found + start);
        let ours = format!("at {found}: {}", self.means(&curve));
        Finding {
            ours: Some(Value::Text(ours)),
            ..finding
        }
    }

    /// Judges whether all differences, times the sign, are positive. The intervals are simultaneous,
    /// so that a longer course is no more likely to be refused by chance.
    fn all_positive(
        &self,
        pairs: Vec<(&PerReplication, &PerReplication)>,
        sign: f64,
        curve: &[PerReplication],
        accepts: String,
    ) -> Finding {
        let each = simultaneous_level(pairs.len());
        let intervals = pairs.iter().map(|(a, b)| {
            let differences = paired(a, b, |a, b| a - b);
            let interval = self.estimate(&differences, Range::Any, each).interval;
            interval
                .map(|(low, high)| (sign * low).min(sign * high)..=(sign * low).max(sign * high))
        });
        let intervals: Vec<_> = intervals.collect();
        let is_wrong = intervals.iter().flatten().any(|all| *all.end() <= 0.0);
        let is_right = intervals
            .iter()
            .all(|all| all.as_ref().is_some_and(|all| *all.start() > 0.0));
        let verdict = match (is_wrong, is_right && !intervals.is_empty()) {
            (true, _) => Verdict::Differs,
            (_, true) => Verdict::Pass,
            _ => Verdict::Undecided,
        };
        // The closest call, among values with an interval.
        let closest = intervals.iter().flatten().cloned();
        let closest = closest.min_by(|a, b| a.start().total_cmp(b.start()));
        Finding {
            verdict,
            ours: Some(Value::Text(self.means(curve))),
            interval: closest.map(|all| (*all.start(), *all.end())),
            accepts,
            lacking: None,
        }
    }
}
