//! The difference between two numbers, each with a value per run.

use std::collections::BTreeMap;

use pacesim::measure::{Running, mean_interval, student_quantile};
use pacesim_runs::replicate::CONFIDENCE;
use pacesim_sweep::kept_run::RunId;
use serde::Serialize;

/// Values of a number by run; `None` in runs without it.
pub(super) type ValuesByRun = BTreeMap<RunId, Option<f64>>;

/// The difference between two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Apart {
    /// The first, or its mean over the counted runs.
    pub a: Option<f64>,
    /// The second.
    pub b: Option<f64>,
    /// The second minus the first; null if only one has a number.
    pub difference: Option<f64>,
    /// The lower end of the interval of the difference; null if there are too few runs.
    pub low: Option<f64>,
    /// The upper end.
    pub high: Option<f64>,
    /// Pairing of the runs behind the interval.
    pub pairing: Pairing,
    /// The number of counted runs of the first.
    pub n_a: u64,
    /// The number of counted runs of the second.
    pub(crate) n_b: u64,
}

/// Pairing of the compared runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Pairing {
    /// Runs of the same seed and replication, one by one: Student's interval of their differences.
    Paired,
    /// No run of one shares seed and replication with a run of the other: Welch's interval of the
    /// difference of means.
    NotPaired,
}

impl Apart {
    /// The difference between these; `None` if they are equal.
    pub(super) fn of(ours: &ValuesByRun, theirs: &ValuesByRun) -> Option<Apart> {
        let common = ours
            .iter()
            .filter_map(|(id, a)| Some((*a, *theirs.get(id)?)));
        let common: Vec<(Option<f64>, Option<f64>)> = common.collect();
        if common.is_empty() {
            Apart::of_means(&present(ours), &present(theirs))
        } else {
            Apart::of_pairs(&common)
        }
    }

    fn of_pairs(pairs: &[(Option<f64>, Option<f64>)]) -> Option<Apart> {
        if pairs.iter().all(|(a, b)| a == b) {
            return None;
        }
        let whole: Vec<(f64, f64)> = pairs
            .iter()
            .filter_map(|(a, b)| Some(((*a)?, (*b)?)))
            .collect();
        if whole.is_empty() {
            let ours: Vec<f64> = pairs.iter().filter_map(|(a, _)| *a).collect();
            let theirs: Vec<f64> = pairs.iter().filter_map(|(_, b)| *b).collect();
            return Some(Apart::new(Pairing::Paired, &ours, &theirs, None));
        }
        let (ours, theirs): (Vec<f64>, Vec<f64>) = whole.iter().copied().unzip();
        let differences: Vec<f64> = whole.iter().map(|(a, b)| b - a).collect();
        let interval = mean_interval(&differences, CONFIDENCE);
        let interval = interval.map(|interval| (interval.low, interval.high));
        Some(Apart::new(Pairing::Paired, &ours, &theirs, interval))
    }

    fn of_means(ours: &[f64], theirs: &[f64]) -> Option<Apart> {
        if ours == theirs {
            return None;
        }
        let apart = Apart::new(Pairing::NotPaired, ours, theirs, None);
        let half = welch(ours, theirs);
        let around = |sign: f64| Some(apart.difference? + sign * half?);
        Some(Apart {
            low: around(-1.0),
            high: around(1.0),
            ..apart
        })
    }

    fn new(pairing: Pairing, ours: &[f64], theirs: &[f64], interval: Option<(f64, f64)>) -> Apart {
        let mean = |values: &[f64]| {
            let sum: f64 = values.iter().sum();
            (!values.is_empty()).then(|| sum / values.len() as f64)
        };
        let (a, b) = (mean(ours), mean(theirs));
        Apart {
            a,
            b,
            difference: a.zip(b).map(|(a, b)| b - a),
            low: interval.map(|(low, _)| low),
            high: interval.map(|(_, high)| high),
            pairing,
            n_a: ours.len() as u64,
            n_b: theirs.len() as u64,
        }
    }

    /// True if chance does not explain it: the interval does not contain zero, or does not exist.
    pub fn is_clear(&self) -> bool {
        match (self.low, self.high) {
            (Some(low), Some(high)) => low > 0.0 || high < 0.0,
            _ => true,
        }
    }

    /// The difference as a share of the first; `None` unless both exist and the first is not zero.
    pub fn change(&self) -> Option<f64> {
        let (a, b) = (self.a?, self.b?);
        (a != 0.0).then(|| (b - a) / a.abs())
    }

    /// The difference divided by the larger of the two; infinite where only one has a number.
    pub fn ratio(&self) -> f64 {
        match (self.a, self.b) {
            (Some(a), Some(b)) if a == b => 0.0,
            (Some(a), Some(b)) => (b - a).abs() / a.abs().max(b.abs()),
            _ => f64::INFINITY,
        }
    }
}

fn present(values: &ValuesByRun) -> Vec<f64> {
    values.values().copied().flatten().collect()
}

/// Half the width of Welch's interval of a difference of means.
fn welch(ours: &[f64], theirs: &[f64]) -> Option<f64> {
    let of_mean = |values: &[f64]| {
        let running: Running = values.iter().copied().collect();
        Some((
            running.variance()? / values.len() as f64,
            values.len() as f64 - 1.0,
        ))
    };
    let ((ours, our_dof), (theirs, their_dof)) = (of_mean(ours)?, of_mean(theirs)?);
    let both = ours + theirs;
    if both == 0.0 {
        return Some(0.0);
    }
    // Welch and Satterthwaite's degrees of freedom.
    let dof = both * both / (ours * ours / our_dof + theirs * theirs / their_dof);
    Some(student_quantile(0.5 + CONFIDENCE / 2.0, dof)? * both.sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(seed: u64, all: &[f64]) -> ValuesByRun {
        let runs = all.iter().zip(0..);
        let id = |replication| RunId::whole(seed, replication);
        runs.map(|(value, replication)| (id(replication), Some(*value)))
            .collect()
    }

    #[test]
    fn a_change_is_a_share_of_the_first() {
        let change =
            |a, b| Apart::of(&values(1, &[a]), &values(1, &[b])).and_then(|of| of.change());
        let grown = change(2072.0, 5955.0).expect("both are there");
        assert!((grown - 1.874).abs() < 1e-3, "{grown}");
        assert_eq!(change(4.0, 1.0), Some(-0.75));
        assert_eq!(change(-4.0, -1.0), Some(0.75));
        assert_eq!(change(0.0, 1.0), None);
    }

    #[test]
    fn the_same_numbers_are_not_apart() {
        let same = values(1, &[1.0, 2.0]);
        assert_eq!(Apart::of(&same, &same), None);
        assert_eq!(
            Apart::of(&same, &values(1, &[1.0, 2.0, 9.0])),
            None,
            "of the common runs"
        );
        assert_eq!(
            Apart::of(&same, &values(2, &[1.0, 2.0])),
            None,
            "other seeds"
        );
    }

    #[test]
    fn runs_of_the_same_seed_are_compared_one_by_one() {
        // Far apart from run to run, with nearly equal differences between the sides.
        let (ours, theirs) = (values(1, &[1.0, 5.0, 9.0]), values(1, &[1.5, 5.6, 9.4]));
        let paired = Apart::of(&ours, &theirs).expect("they differ");
        assert_eq!((paired.pairing, paired.n_a), (Pairing::Paired, 3));
        // d = 0.5, 0.6, 0.4: mean 0.5, sd 0.1, Student's quantile of two degrees 4.30265.
        let half = 4.302_652_729_7 * 0.1 / 3_f64.sqrt();
        assert!(
            (paired.low.expect("an end") - (0.5 - half)).abs() < 1e-9,
            "{paired:?}"
        );
        assert!(paired.is_clear());
        let other = Apart::of(&ours, &values(2, &[1.5, 5.6, 9.4])).expect("they differ");
        assert_eq!(other.pairing, Pairing::NotPaired);
        assert!(!other.is_clear(), "{other:?}");
    }

    #[test]
    fn welchs_interval_has_his_degrees_of_freedom() {
        // Variances 2.5 and 40, n = 5 each: se² = 8.5, ν = 8.5²/(0.25/4 + 64/4) = 4.498.
        let ours = values(1, &[1.0, 2.0, 3.0, 4.0, 5.0]);
        let theirs = values(2, &[12.0, 16.0, 20.0, 24.0, 28.0]);
        let apart = Apart::of(&ours, &theirs).expect("they differ");
        assert_eq!(apart.difference, Some(17.0));
        let half = (apart.high.expect("an end") - apart.low.expect("an end")) / 2.0;
        let dof = 8.5 * 8.5 / (0.25 / 4.0 + 64.0 / 4.0);
        let quantile = student_quantile(0.975, dof).expect("a quantile");
        assert!((half - quantile * 8.5_f64.sqrt()).abs() < 1e-9, "{half}");
        assert!(
            (2.5..2.8).contains(&quantile),
            "between four and five degrees: {quantile}"
        );
    }

    #[test]
    fn one_run_has_no_interval_and_one_side_without_a_number_no_difference() {
        let one = Apart::of(&values(1, &[1.0]), &values(1, &[2.0])).expect("they differ");
        assert_eq!((one.difference, one.low), (Some(1.0), None));
        let none = ValuesByRun::from([(RunId::whole(1, 0), None)]);
        let half = Apart::of(&values(1, &[1.0]), &none).expect("they differ");
        assert_eq!((half.a, half.b, half.difference), (Some(1.0), None, None));
        assert!(half.is_clear() && half.ratio().is_infinite());
    }
}
