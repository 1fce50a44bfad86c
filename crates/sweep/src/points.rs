//! The check of a study's points on several threads.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use pacesim::scenario::{Checked, Problem, Problems};
use pacesim_runs::pool::in_parallel;
use pacesim_study::Study;

/// Number of problems after which further ones would not help the user.
const MOST_PROBLEMS: usize = 20;

/// The reason why points cannot be run.
pub(crate) enum Unsound {
    /// Distinct mistakes; one in a part shared by points is reported for the first of them.
    Problems(Vec<Problem>),
    /// The work was stopped.
    Stopped,
}

/// Applies a function to these points' scenarios, in order. Calls `wants_end` regularly with the
/// number of points done.
pub(crate) fn of_points<T: Send>(
    study: &Study,
    points: impl Iterator<Item = u64> + Send,
    jobs: NonZeroUsize,
    make: impl Fn(u64, Checked) -> T + Sync,
    wants_end: impl Fn(u64) -> bool,
) -> Result<Vec<T>, Unsound> {
    let worker = |_| {
        |number| {
            (
                number,
                study.scenario(number).map(|found| make(number, found)),
            )
        }
    };
    let (mut made, mut faults) = (Vec::new(), Vec::new());
    let mut stopped = false;
    let take = |batch: &mut dyn Iterator<Item = (u64, Result<T, Problems>)>| {
        for (number, point) in batch {
            match point {
                Ok(point) => made.push((number, point)),
                Err(problems) => faults.push((number, problems.0)),
            }
        }
        stopped = wants_end((made.len() + faults.len()) as u64);
        if stopped || faults.len() >= MOST_PROBLEMS {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    in_parallel(jobs.get(), points, worker, take, || ());
    if stopped {
        return Err(Unsound::Stopped);
    }
    let problems = each_once(faults);
    if !problems.is_empty() {
        return Err(Unsound::Problems(problems));
    }
    made.sort_unstable_by_key(|(number, _)| *number);
    Ok(made.into_iter().map(|(_, point)| point).collect())
}

fn each_once(mut faults: Vec<(u64, Vec<Problem>)>) -> Vec<Problem> {
    faults.sort_by_key(|(number, _)| *number);
    let mut problems: Vec<Problem> = Vec::new();
    for problem in faults.into_iter().flat_map(|(_, problems)| problems) {
        if !problems.iter().any(|known| known.tells(&problem)) {
            problems.push(problem);
        }
    }
    problems
}
