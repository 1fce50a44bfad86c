//! Replications until numbers are precise. The number that counts at each point follows from their
//! results in the order of replication numbers, checked after fixed batches, so it depends neither
//! on jobs or interruptions nor on what else is in the store.

use std::collections::BTreeMap;

use pacesim::measure::{Decision, Precision};
use pacesim_runs::replicate::CONFIDENCE;
use pacesim_store::database::Reader;
use pacesim_store::plan::{Outcome, Planned, SweepPlan};
use pacesim_store::sweep::Sweep;
use pacesim_study::{NumberName, value_in};

use crate::compared::Groups;
use crate::error::SweepError;

/// Number of replications between checks.
const BATCH: u64 = 5;

/// The rule for a sufficient number of replications.
pub struct Stopping {
    precision: Precision,
    names: Vec<NumberName>,
    /// Indices of the points in the plan that stop together.
    groups: Vec<Vec<usize>>,
}

impl Stopping {
    /// `None` unless points are repeated until they are precise.
    pub fn of(sweep: &Sweep<'_>, plan: &SweepPlan) -> Option<Stopping> {
        let study = sweep.study;
        let precision = Precision {
            relative: study.precision?,
            level: CONFIDENCE,
            batch: BATCH as usize,
            least: sweep.replications as usize,
            most: study.most as usize,
        };
        let compared = Groups::of(study);
        let mut groups: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
        for (place, point) in plan.points.iter().enumerate() {
            let first = compared.first(point.number);
            groups.entry(first).or_default().push(place);
        }
        Some(Stopping {
            precision,
            names: study.precise_numbers(),
            groups: groups.into_values().collect(),
        })
    }

    /// Sets the replications that each point needs, as far as the stored results tell. True if no
    /// more will follow.
    pub fn decide(
        &self,
        plan: &mut SweepPlan,
        reader: &mut Reader<'_>,
    ) -> Result<bool, SweepError> {
        let mut is_decided = true;
        for group in &self.groups {
            let (replications, outcome) = self.of_group(plan, group, reader)?;
            is_decided &= outcome != Outcome::Open;
            for place in group {
                let point = &mut plan.points[*place];
                (point.replications, point.outcome) = (replications, outcome);
            }
        }
        Ok(is_decided)
    }

    /// Plans the first batch of every point.
    pub(crate) fn begin(&self, plan: &mut SweepPlan) {
        for point in &mut plan.points {
            (point.replications, point.outcome) = (self.first() as u64, Outcome::Open);
        }
    }

    /// The number of replications at the first check.
    fn first(&self) -> usize {
        let Precision { least, most, .. } = self.precision;
        least
            .next_multiple_of(BATCH as usize)
            .max(BATCH as usize)
            .min(most)
    }

    fn of_group(
        &self,
        plan: &SweepPlan,
        group: &[usize],
        reader: &mut Reader<'_>,
    ) -> Result<(u64, Outcome), SweepError> {
        let mut series = Vec::new();
        let mut there = self.precision.most;
        for place in group {
            let of_point = self.of_point(&plan.points[*place], reader)?;
            there = there.min(of_point.runs);
            series.extend(of_point.numbers.into_values());
        }
        if series.is_empty() {
            // No run yet, or runs without any of the numbers, which leaves nothing to be imprecise.
            let outcome = if there >= self.first() {
                Outcome::Precise
            } else {
                Outcome::Open
            };
            return Ok((self.first() as u64, outcome));
        }
        // The series of a number that only some points have is as long as their runs.
        let series: Vec<&[f64]> = series.iter().map(|of| &of[..of.len().min(there)]).collect();
        Ok(match self.precision.decide(&series) {
            Decision::More(n) => ((there + n) as u64, Outcome::Open),
            Decision::Reached { replications } => (replications as u64, Outcome::Precise),
            Decision::GivenUp { replications } => (replications as u64, Outcome::GivenUp),
        })
    }

    /// The numbers of a point's replications, up to the first missing one.
    fn of_point(&self, point: &Planned, reader: &mut Reader<'_>) -> Result<OfPoint, SweepError> {
        let mut of_point = OfPoint::default();
        let all = Planned {
            replications: self.precision.most as u64,
            ..*point
        };
        let mut numbers = Vec::new();
        for repetition in all.repetitions() {
            let Some(run) = reader.run(point.scenario, repetition)? else {
                if reader.is_abandoned(point.scenario, repetition)? {
                    of_point.runs += 1;
                    continue;
                }
                break;
            };
            reader.numbers(&run, &mut numbers)?;
            let names = reader.names(&run);
            for (wanted, name) in self.names.iter().enumerate() {
                if let Some(value) = value_in(name, names, &numbers) {
                    let series = of_point.numbers.entry(wanted).or_default();
                    // A missing number is as imprecise as can be.
                    series.resize(of_point.runs, f64::NAN);
                    series.push(value.unwrap_or(f64::NAN));
                }
            }
            of_point.runs += 1;
        }
        let runs = of_point.runs;
        let all = of_point.numbers.values_mut();
        all.for_each(|series| series.resize(runs, f64::NAN));
        Ok(of_point)
    }
}

/// The runs of a point in the store.
#[derive(Default)]
struct OfPoint {
    /// Number of replications without a gap.
    runs: usize,
    /// The series of the numbers that it has, by index in the list of names.
    numbers: BTreeMap<usize, Vec<f64>>,
}
