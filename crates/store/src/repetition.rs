//! Repetitions of a point, the basis of its intervals: independent replications, or the equal
//! windows of one run.

/// One of the repetitions of a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Repetition {
    /// Number of the replication.
    pub replication: u64,
    /// The number of windows that its measured time is divided into, at least one.
    pub windows: u64,
    /// The index of the window, from 0.
    pub window: u64,
}

impl Repetition {
    /// All windows of these replications, in order.
    pub fn all(replications: u64, windows: u64) -> impl Iterator<Item = Repetition> + use<> {
        (0..replications).flat_map(move |replication| {
            (0..windows).map(move |window| Repetition {
                replication,
                windows,
                window,
            })
        })
    }
}
