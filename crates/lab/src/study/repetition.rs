//! What is repeated at a point, so that its numbers have intervals: independent replications, or
//! the equal windows of one run.

use super::Sweep;

/// One of the repetitions of a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Repetition {
    pub(super) replication: u64,
    /// Into how many windows its measured time is cut: one if it is not.
    pub(super) windows: u64,
    /// Which of them, from 0.
    pub(super) window: u64,
}

impl Sweep<'_> {
    /// Into how many windows the measured time of each run is cut.
    pub(super) fn windows(&self) -> u64 {
        self.study.batches.unwrap_or(1)
    }

    /// The repetitions of this number of runs, in their order.
    pub(super) fn repetitions(&self, runs: u64) -> impl Iterator<Item = Repetition> + use<> {
        let windows = self.windows();
        (0..runs).flat_map(move |replication| {
            (0..windows).map(move |window| Repetition {
                replication,
                windows,
                window,
            })
        })
    }
}
