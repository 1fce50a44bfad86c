//! Supervision of a run: access to the clock and the machine, and the right to stop it.

use std::ops::ControlFlow;
use std::time::Duration;

use pacesim::units::Time;
use pacesim::{Cut, Schedule, Uncut};

use crate::error::RunError;
use crate::limits::Exhausted;
use crate::lived::{LiveOrder, Lived};
use crate::manifest::Host;

/// The progress of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Simulated time.
    pub now: Time,
    /// End of the run.
    pub end: Time,
    /// Packets that have reached the far end of a link so far, summed over links.
    pub packet_hops: u64,
    /// Number of packets in the network now.
    pub held: u64,
    /// Bytes of the samples that probes and series have kept.
    pub kept_bytes: u64,
}

/// Facts that a run must not know by itself: the clock, the machine, and requests to stop. The
/// program implements it; none of it reaches the simulation.
pub trait RunMonitor {
    /// Notes that a run begins: `number` of `all`, from zero.
    fn begin(&mut self, _number: u64, _all: u64) {}

    /// Called regularly (after about a million packet hops); a break ends the run without results.
    fn progress(&mut self, _progress: &Progress) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    /// Called after [`RunMonitor::progress`]: the machine limit that the run has exceeded, if any,
    /// which ends it without results.
    fn exhausted(&mut self, _progress: &Progress) -> Option<Exhausted> {
        None
    }

    /// Real time since the run began.
    fn elapsed(&self) -> Duration;

    /// Peak memory of the program.
    fn peak_rss_bytes(&self) -> Option<u64> {
        None
    }

    /// The machine that the run is made on.
    fn host(&self) -> Host {
        Host::default()
    }

    /// The most threads that a run may be divided among; by default as its scenario says. Results do
    /// not depend on them.
    fn threads(&self) -> Option<u32> {
        None
    }

    /// Called if a run may have this many threads: its division, or the reason why it has only one.
    fn divided(&mut self, _cut: &Result<Cut, Uncut>, _most: u32) {}

    /// True if the work of a run on several threads is counted round by round.
    fn counts_rounds(&self) -> bool {
        false
    }

    /// Called at the end of such a run.
    fn counted(&mut self, _schedule: &Schedule) {}

    /// Makes a live run of a scenario, or finds a recorded one.
    fn live(&mut self, of: &LiveOrder<'_>) -> Result<Lived, RunError> {
        Err(of.refused())
    }
}

/// No supervision: every run continues to its end. Without a clock, each counts as one second.
#[derive(Clone, Copy, Debug)]
pub struct Unwatched;

impl RunMonitor for Unwatched {
    fn elapsed(&self) -> Duration {
        Duration::from_secs(1)
    }
}
