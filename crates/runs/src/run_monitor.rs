//! The one who watches a run: it has the clock and the machine, and may end the run.

use std::ops::ControlFlow;
use std::time::Duration;

use pacesim::units::Time;

use crate::limits::Exhausted;
use crate::manifest::Host;

/// The progress of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Simulated time.
    pub now: Time,
    /// The end of the run.
    pub end: Time,
    /// Packets that reached the far end of a link so far.
    pub packet_hops: u64,
    /// Packets that are in the network now.
    pub held: u64,
}

/// Knowledge that a run must not have by itself: the clock, the machine, and whether somebody
/// wants it to stop. The program answers; nothing of it reaches the simulation.
pub trait RunMonitor {
    /// A run begins: `number` of `all`, from zero.
    fn begin(&mut self, _number: u64, _all: u64) {}

    /// Called every now and then (after about a million packet-hops); a break ends the
    /// run without results.
    fn progress(&mut self, _progress: &Progress) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    /// Called after [`RunMonitor::progress`]: the limit of the machine that the run is beyond, if it is; then it
    /// ends without results.
    fn exhausted(&mut self, _progress: &Progress) -> Option<Exhausted> {
        None
    }

    /// Real time since the run began.
    fn elapsed(&self) -> Duration;

    /// The most memory that the program has had.
    fn peak_rss_bytes(&self) -> Option<u64> {
        None
    }

    /// The machine.
    fn host(&self) -> Host {
        Host::default()
    }
}

/// Nobody who watches: all goes to its end. Without a clock, each work takes one second.
#[derive(Clone, Copy, Debug)]
pub struct Unwatched;

impl RunMonitor for Unwatched {
    fn elapsed(&self) -> Duration {
        Duration::from_secs(1)
    }
}
