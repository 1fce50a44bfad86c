//! What a sweep shall run: every point of the grid, checked, with the key of its scenario.

use std::io;
use std::path::PathBuf;

use pacesim::scenario::Checked;
use pacesim_study::{Point, Study};

use super::key::Keys;
use super::repetition::Repetition;
use super::{Sweep, SweepError};
use crate::crew::Overseer;
use crate::manifest::Digest;
use crate::points::{Unsound, of_points};

/// The points in the order of their numbers.
#[derive(Debug, Default)]
pub(super) struct Plan {
    pub(super) points: Vec<Planned>,
}

/// A point whose scenario is sound.
#[derive(Clone, Copy, Debug)]
pub(super) struct Planned {
    pub(super) number: u64,
    pub(super) scenario: Digest,
    pub(super) seed: u64,
    /// How many replications count, from 0 on; the store may have more.
    pub(super) replications: u64,
    /// Into how many windows the measured time of each run is cut.
    pub(super) windows: u64,
}

impl Planned {
    /// The point itself.
    pub(super) fn at<'s>(&self, study: &'s Study) -> Point<'s> {
        let point = study.point(self.number);
        point.expect("a planned point is in the study")
    }

    /// The repetitions that count, in their order.
    pub(super) fn repetitions(&self) -> impl Iterator<Item = Repetition> + use<> {
        Repetition::all(self.replications, self.windows)
    }
}

impl Plan {
    /// Checks every point.
    pub(super) fn of(sweep: &Sweep<'_>, overseer: &dyn Overseer) -> Result<Plan, SweepError> {
        Plan::of_points(sweep, sweep.study.points(), overseer)
    }

    /// Checks these points.
    pub(super) fn of_points(
        sweep: &Sweep<'_>,
        numbers: impl Iterator<Item = u64> + Send,
        overseer: &dyn Overseer,
    ) -> Result<Plan, SweepError> {
        let keys = Keys::new(sweep.folder, &sweep.study.measures);
        let plan = |number, scenario| planned(sweep, &keys, number, &scenario);
        let wants_end = || overseer.wants_end();
        let points = of_points(sweep.study, numbers, sweep.jobs, plan, wants_end);
        let points = points.map_err(|unsound| match unsound {
            Unsound::Problems(problems) => SweepError::Problems(problems),
            Unsound::Stopped => SweepError::Stopped,
        })?;
        let points: Result<Vec<Planned>, _> = points.into_iter().collect();
        let points = points.map_err(|(path, source)| SweepError::File { path, source })?;
        Ok(Plan { points })
    }
}

fn planned(
    sweep: &Sweep<'_>,
    keys: &Keys<'_>,
    number: u64,
    scenario: &Checked,
) -> Result<Planned, (PathBuf, io::Error)> {
    let seed = sweep.seed.unwrap_or(scenario.scenario().run.seed);
    let scenario = keys.of(scenario, seed)?;
    Ok(Planned {
        number,
        scenario,
        seed,
        replications: sweep.replications,
        windows: sweep.study.batches.unwrap_or(1),
    })
}
