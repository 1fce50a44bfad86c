//! What a sweep shall run: every point of the grid, checked, with the key of its scenario.

use std::io;
use std::ops::ControlFlow;
use std::path::PathBuf;

use pacesim::scenario::{Problem, Problems};

use super::key::Keys;
use super::{Study, Sweep, SweepError};
use crate::crew::Overseer;
use crate::manifest::Digest;
use crate::pool::in_parallel;

/// The points in the order of their numbers.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) points: Vec<Planned>,
    /// For each axis, whether any of its values is a number.
    pub(super) numeric: Vec<bool>,
}

/// A point whose scenario is sound.
#[derive(Clone, Copy, Debug)]
pub(super) struct Planned {
    pub(super) number: u64,
    pub(super) scenario: Digest,
    pub(super) seed: u64,
}

/// More mistakes help nobody.
const MOST_PROBLEMS: usize = 20;

/// Why a point has no key.
enum Fault {
    Problems(Problems),
    File(PathBuf, io::Error),
}

impl Plan {
    /// Checks every point.
    pub(super) fn of(sweep: &Sweep<'_>, overseer: &dyn Overseer) -> Result<Plan, SweepError> {
        let keys = Keys::new(sweep.folder);
        let worker = |_| {
            |number| {
                let planned = planned(sweep, &keys, number);
                (number, planned)
            }
        };
        let (mut points, mut faults) = (Vec::new(), Vec::new());
        let take = |batch: &mut dyn Iterator<Item = (u64, Result<Planned, Fault>)>| {
            for (number, planned) in batch {
                match planned {
                    Ok(planned) => points.push(planned),
                    Err(fault) => faults.push((number, fault)),
                }
            }
            let enough = faults.len() >= MOST_PROBLEMS || overseer.wants_end();
            match enough {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        };
        in_parallel(sweep.jobs.get(), sweep.study.points(), worker, take, || ());
        if overseer.wants_end() {
            return Err(SweepError::Stopped);
        }
        refuse(faults)?;
        points.sort_unstable_by_key(|point| point.number);
        let numeric = numeric(sweep.study);
        Ok(Plan { points, numeric })
    }
}

fn planned(sweep: &Sweep<'_>, keys: &Keys<'_>, number: u64) -> Result<Planned, Fault> {
    let scenario = sweep.study.scenario(number).map_err(Fault::Problems)?;
    let seed = sweep.seed.unwrap_or(scenario.scenario().run.seed);
    let key = keys.of(&scenario, seed);
    let scenario = key.map_err(|(path, error)| Fault::File(path, error))?;
    Ok(Planned {
        number,
        scenario,
        seed,
    })
}

/// All problems of all points, each once: a mistake in what points share is one mistake.
fn refuse(mut faults: Vec<(u64, Fault)>) -> Result<(), SweepError> {
    faults.sort_by_key(|(number, _)| *number);
    let mut problems: Vec<Problem> = Vec::new();
    for (_, fault) in faults {
        match fault {
            Fault::File(path, source) => return Err(SweepError::File { path, source }),
            Fault::Problems(found) => {
                for problem in found.0 {
                    if !problems.contains(&problem) {
                        problems.push(problem);
                    }
                }
            }
        }
    }
    match problems.is_empty() {
        true => Ok(()),
        false => Err(SweepError::Problems(problems)),
    }
}

fn numeric(study: &Study) -> Vec<bool> {
    let mut numeric = vec![false; study.axes.len()];
    for number in study.points() {
        let point = study.point(number).expect("one of its own points");
        for (is_number, value) in numeric.iter_mut().zip(&point.values) {
            *is_number |= value.number.is_some();
        }
        if numeric.iter().all(|is_number| *is_number) {
            break;
        }
    }
    numeric
}
