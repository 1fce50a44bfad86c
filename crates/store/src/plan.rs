//! The runs of a sweep: every point of the grid with the key of its scenario, and its replications.

use pacesim::units::Span;
use pacesim_runs::manifest::Digest;
use pacesim_study::{Point, Study};

use crate::repetition::Repetition;
use crate::shard::Part;

/// The points in the order of their numbers.
#[derive(Debug, Default)]
pub struct SweepPlan {
    /// Points of the plan, in order.
    pub points: Vec<Planned>,
}

/// A point with a valid scenario.
#[derive(Clone, Copy, Debug)]
pub struct Planned {
    /// Number of the point.
    pub number: u64,
    /// Key of the point's scenario.
    pub scenario: Digest,
    /// Seed of the point's runs.
    pub seed: u64,
    /// The number of replications that count, from 0 on; the store may have more.
    pub replications: u64,
    /// The state of its number of replications.
    pub outcome: Outcome,
    /// The warm-up found by a pilot, replacing the scenario's.
    pub warmup: Option<FoundWarmup>,
    /// The number of windows that the measured time of each run is divided into.
    pub windows: u64,
    /// The replications made by this sweep.
    pub part: Part,
}

/// The state of a point whose number of replications depends on its results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// As many replications as requested.
    Given,
    /// At least this many: its numbers are not precise yet.
    Open,
    /// As many as made its numbers precise.
    Precise,
    /// The maximum, and its numbers are still not precise.
    GivenUp,
}

impl Planned {
    /// The point itself.
    pub fn at<'s>(&self, study: &'s Study) -> Point<'s> {
        let point = study.point(self.number);
        point.expect("a planned point is in the study")
    }

    /// The repetitions that count, in order.
    pub fn repetitions(&self) -> impl Iterator<Item = Repetition> + use<> {
        Repetition::all(self.replications, self.windows)
    }
}

/// A warm-up found by a pilot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FoundWarmup {
    /// End of the warm-up, at the end of a window.
    pub warmup: Span,
    /// True if it takes at most half of the run; otherwise the run is too short to show where it
    /// ends.
    pub is_settled: bool,
}

impl FoundWarmup {
    /// The state before the search for a warm-up.
    pub const NONE: FoundWarmup = FoundWarmup {
        warmup: Span::ZERO,
        is_settled: true,
    };
}
