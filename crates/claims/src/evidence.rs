//! The numbers by which claims are judged.

use pacesim_probes::among::among;
use pacesim_runs::marks::has_enough;
use pacesim_runs::metrics::trials_of;
use pacesim_runs::rare::Counts;
use pacesim_study::places::{Combine, selections_of};
use pacesim_study::{Expectation, Formula, NumberName, Selection, Study};

/// The least share of the measured time in which a group counts as present in all of it.
const PRESENT: f64 = 0.99;

/// A number in each replication, or none in one without it.
pub type PerReplication = Vec<Option<f64>>;

/// The numbers of a study's points, wherever they are kept.
pub trait Evidence {
    /// The point at which these axes have these values, and all others their only value.
    fn point(&self, study: &Study, at: &Selection) -> Option<u64>;

    /// The numbers of a point, one for each repetition.
    fn of(&self, name: &NumberName, point: u64) -> &[Option<f64>];

    /// The numbers of a point that a pattern stands for.
    fn all_of(&self, pattern: &NumberName, point: u64) -> Vec<(&NumberName, &[Option<f64>])>;

    /// True if a number is inherently the same in all repetitions.
    fn is_exact(&self, name: &NumberName) -> bool;

    /// True if the replications of a point are the same to the packet.
    fn are_identical(&self, point: u64) -> bool;

    /// The reason why a run of a point gave up or was stopped, if one did.
    fn ended_early(&self, point: u64) -> Option<&str>;

    /// The range in which a value found by a search lies, for the case of a point.
    fn found_span(&self, study: &Study, name: &NumberName, point: u64) -> Option<(f64, f64)>;

    /// The points that a claim refers to.
    fn points_of(&self, study: &Study, claim: &Expectation) -> Vec<u64> {
        let all = selections_of(study, claim).into_iter();
        all.filter_map(|at| self.point(study, &at)).collect()
    }

    /// The mean over the repetitions of a point that have the number.
    fn mean(&self, name: &NumberName, point: u64) -> Option<f64> {
        mean(self.of(name, point))
    }

    /// The numbers of a point divided by another number, run by run; with rates of groups over the
    /// measured time if the other number is not of the same group.
    fn divided(&self, name: &NumberName, per: Option<&NumberName>, point: u64) -> PerReplication {
        let ours = self.of(name, point);
        let Some(per) = per else {
            return ours.to_vec();
        };
        match name.over_window_per(per) {
            Some(quotient) => self.of(&quotient, point).to_vec(),
            None => paired(ours, self.of(per, point), |a, b| a / b),
        }
    }

    /// The groups whose rates a number takes over the measured time though they are not present in
    /// all of it, each with the share of it in which they are.
    fn absences(&self, name: &NumberName, point: u64) -> Vec<(String, f64)> {
        let Some(formula) = Formula::of(name) else {
            return Vec::new();
        };
        let all = formula
            .presences()
            .flat_map(|presence| self.all_of(presence, point));
        let absent = all.filter_map(|(name, shares)| {
            let share = mean(shares)?;
            (share < PRESENT).then(|| (name.entity.clone(), share))
        });
        absent.collect()
    }

    /// The first quantile in a number beyond which fewer than five values lie in some replication
    /// at a point.
    fn few_values(&self, study: &Study, name: &NumberName, point: u64) -> Option<FewValues> {
        let few = |part: NumberName| {
            let (quantile, counted) = among(study, &part)?;
            let counts = self.all_of(&counted, point).into_iter();
            let counts = counts.flat_map(|(_, counts)| counts).flatten().copied();
            let fewest = counts.reduce(f64::min)?;
            (!has_enough(quantile, fewest)).then_some(FewValues {
                of: part,
                quantile,
                fewest,
            })
        };
        name.parts().into_iter().find_map(few)
    }

    /// The events behind a share of packets at a point, if they are few.
    fn rare(&self, name: &NumberName, shares: &[Option<f64>], point: u64) -> Option<Counts> {
        Counts::rare(shares, self.of(&packets_of(name)?, point))
    }
}

/// A quantile that rests on few values.
pub struct FewValues {
    /// Name of the number that is the quantile.
    pub of: NumberName,
    /// The quantile, as a share.
    pub quantile: f64,
    /// Number of values in the replication with the fewest.
    pub fewest: f64,
}

/// The number of packets that is the denominator of a share.
pub fn packets_of(name: &NumberName) -> Option<NumberName> {
    Some(NumberName {
        metric: trials_of(&name.of, &name.metric)?.to_owned(),
        ..name.clone()
    })
}

/// A note on a number that no replication has.
pub(crate) fn without_value(name: &NumberName) -> String {
    match packets_of(name) {
        Some(_) => format!("{name} has no value in any replication: no packet arrived"),
        None => format!("{name} has no value in any replication"),
    }
}

/// The numbers of two points combined, repetition by repetition. A ratio to 0 is missing.
pub fn paired(ours: &[Option<f64>], theirs: &[Option<f64>], combine: Combine) -> PerReplication {
    let pairs = ours.iter().zip(theirs);
    let combined = |a: &Option<f64>, b: &Option<f64>| Some(combine((*a)?, (*b)?));
    pairs
        .map(|(a, b)| combined(a, b).filter(|number| number.is_finite()))
        .collect()
}

fn mean(numbers: &[Option<f64>]) -> Option<f64> {
    let values: Vec<f64> = numbers.iter().copied().flatten().collect();
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}
