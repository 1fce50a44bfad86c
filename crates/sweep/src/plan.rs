//! The runs of a sweep: every point of the grid with the key of its scenario, and its replications.

use pacesim::units::Span;
use pacesim_runs::manifest::Digest;
use pacesim_study::{Point, Study};

use crate::repetition::Repetition;
use crate::shard::Part;

/// The points in the order of their numbers.
#[derive(Debug, Default)]
pub struct Plan {
    /// The points.
    pub points: Vec<Planned>,
}

/// A point whose scenario is sound.
#[derive(Clone, Copy, Debug)]
pub struct Planned {
    /// The number of the point.
    pub number: u64,
    /// The key of its scenario.
    pub scenario: Digest,
    /// The seed.
    pub seed: u64,
    /// The number of replications that count, from 0 on; the store may have more.
    pub replications: u64,
    /// True if more of them are to come.
    pub(crate) outcome: Outcome,
    /// The warm-up that was found, instead of the scenario's.
    pub warmup: Option<FoundWarmup>,
    /// Into how many windows the measured time of each run is cut.
    pub windows: u64,
    /// The replications that are made here.
    pub(crate) part: Part,
}

/// The state of a point whose number of replications follows from its numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// As many as asked for.
    Given,
    /// So many at least: its numbers are not precise yet.
    Open,
    /// As many as made its numbers precise.
    Precise,
    /// As many as it may take, and its numbers are not precise.
    GivenUp,
}

impl Planned {
    /// The point itself.
    pub(crate) fn at<'s>(&self, study: &'s Study) -> Point<'s> {
        let point = study.point(self.number);
        point.expect("a planned point is in the study")
    }

    /// The repetitions that count, in their order.
    pub fn repetitions(&self) -> impl Iterator<Item = Repetition> + use<> {
        Repetition::all(self.replications, self.windows)
    }
}

/// A warm-up that was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FoundWarmup {
    /// Its end: at the end of a window.
    pub warmup: Span,
    /// True if it takes no more than half of the run; otherwise this is too short to show where
    /// it ends.
    pub is_settled: bool,
}

impl FoundWarmup {
    /// Before it is looked for.
    pub(crate) const NONE: FoundWarmup = FoundWarmup {
        warmup: Span::ZERO,
        is_settled: true,
    };
}
