//! Supervision of many runs at once: the clock, the machine, and their joint progress.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::error::RunError;
use crate::footprint::PACKET_BYTES;
use crate::limits::{Exhausted, RunLimits};
use crate::lived::{LiveOrder, Lived};
use crate::manifest::Host;
use crate::run_monitor::{Progress, RunMonitor, Unwatched};

/// Facts that many runs must not know by themselves: the clock, the machine, and requests to stop.
/// The counterpart of [`RunMonitor`] for several threads.
pub trait BatchMonitor: Sync {
    /// True if the work should end.
    fn wants_end(&self) -> bool {
        false
    }

    /// Real time since the work began.
    fn elapsed(&self) -> Duration;

    /// The processor time of the calling thread, if the system reports it: unlike real time it does
    /// not pass faster when other programs use the processor.
    fn processor_time(&self) -> Option<Duration> {
        None
    }

    /// Reports progress; called regularly, by one thread only.
    fn progress(&self, _progress: &BatchProgress) {}

    /// Called regularly, by one thread only, during work other than runs.
    fn step(&self, _step: &StepProgress) {}

    /// Called with a sentence for the user to read.
    fn note(&self, _sentence: &str) {}

    /// Peak memory of the program.
    fn peak_rss_bytes(&self) -> Option<u64> {
        None
    }

    /// Current memory of the program.
    fn rss_bytes(&self) -> Option<u64> {
        None
    }

    /// Machine limits that apply to each run.
    fn limits(&self) -> RunLimits {
        RunLimits::default()
    }

    /// The machine that the runs are made on.
    fn host(&self) -> Host {
        Host::default()
    }

    /// Makes a live run of a scenario, or finds a recorded one.
    fn live(&self, of: &LiveOrder<'_>) -> Result<Lived, RunError> {
        Err(of.refused())
    }
}

impl BatchMonitor for Unwatched {
    fn elapsed(&self) -> Duration {
        RunMonitor::elapsed(self)
    }
}

/// Progress of work other than runs: points checked or written into tables, stores merged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StepProgress {
    /// Noun for the pieces: "points", "stores".
    pub what: &'static str,
    /// Verb for the work on them: "checked", "written".
    pub verb: &'static str,
    /// Number of pieces done.
    pub done: u64,
    /// Number of all pieces.
    pub all: u64,
}

/// The joint progress of many runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BatchProgress {
    /// Number of runs that are finished.
    pub done: u64,
    /// Number of all runs, finished ones included.
    pub all: u64,
    /// The share of the work done, including runs under way.
    pub share: f64,
    /// Number of packet hops so far in all runs.
    pub packet_hops: u64,
}

/// One whole run, in the units of [`ThreadProgress::share`].
const WHOLE: f64 = 1e6;

/// The threads that make the runs, each with its own progress.
pub struct Workers<'a> {
    monitor: &'a dyn BatchMonitor,
    all: u64,
    done: AtomicU64,
    threads: Vec<ThreadProgress>,
}

/// The progress of one thread.
#[derive(Default)]
struct ThreadProgress {
    /// Progress of the run under way, in millionths.
    share: AtomicU64,
    /// Number of packet-hops of all runs of the thread.
    packet_hops: AtomicU64,
    /// The bytes of packets and samples of its run under way.
    held: AtomicU64,
}

impl<'a> Workers<'a> {
    /// A crew of this many threads for all these runs.
    pub fn new(monitor: &'a dyn BatchMonitor, threads: usize, all: u64) -> Workers<'a> {
        Workers {
            monitor,
            all,
            done: AtomicU64::new(0),
            threads: std::iter::repeat_with(ThreadProgress::default)
                .take(threads)
                .collect(),
        }
    }

    /// The monitor of the run that this thread begins now.
    pub fn run_monitor(&self, thread: usize) -> OneOfMany<'_> {
        let thread = &self.threads[thread];
        thread.share.store(0, Ordering::Relaxed);
        OneOfMany {
            workers: self,
            monitor: self.monitor,
            thread,
            limits: self.monitor.limits(),
            next_look: Duration::ZERO,
            began: self.monitor.elapsed(),
            earlier_hops: thread.packet_hops.load(Ordering::Relaxed),
        }
    }

    /// Notes that a thread has finished a run.
    pub fn finished(&self, thread: usize) {
        self.threads[thread].share.store(0, Ordering::Relaxed);
        self.threads[thread].held.store(0, Ordering::Relaxed);
        self.done.fetch_add(1, Ordering::Relaxed);
    }

    /// Breaks if the work should end.
    pub fn wants_end(&self) -> ControlFlow<()> {
        if self.monitor.wants_end() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }

    /// Makes the monitor report the joint progress.
    pub fn report(&self) {
        let sum = |of: fn(&ThreadProgress) -> &AtomicU64| -> u64 {
            let each = self.threads.iter().map(of);
            each.map(|n| n.load(Ordering::Relaxed)).sum()
        };
        let done = self.done.load(Ordering::Relaxed);
        let under_way = sum(|thread| &thread.share) as f64 / WHOLE;
        self.monitor.progress(&BatchProgress {
            done,
            all: self.all,
            share: ((done as f64 + under_way) / self.all.max(1) as f64).min(1.0),
            packet_hops: sum(|thread| &thread.packet_hops),
        });
    }
}

/// The supervisor of one run of many.
pub struct OneOfMany<'a> {
    workers: &'a Workers<'a>,
    monitor: &'a dyn BatchMonitor,
    thread: &'a ThreadProgress,
    limits: RunLimits,
    /// Time of the next check of memory.
    next_look: Duration,
    began: Duration,
    earlier_hops: u64,
}

/// Interval between checks of the program's memory, each of which takes some microseconds.
const LOOK_EVERY: Duration = Duration::from_millis(20);

impl OneOfMany<'_> {
    /// True if no run under way holds more in memory.
    fn holds_most(&self) -> bool {
        let held = |thread: &ThreadProgress| thread.held.load(Ordering::Relaxed);
        let ours = held(self.thread);
        self.workers
            .threads
            .iter()
            .all(|thread| held(thread) <= ours)
    }
}

impl RunMonitor for OneOfMany<'_> {
    fn progress(&mut self, progress: &Progress) -> ControlFlow<()> {
        let share = progress.now.as_secs_f64() / progress.end.as_secs_f64();
        let share = (share * WHOLE) as u64;
        self.thread.share.store(share, Ordering::Relaxed);
        let hops = self.earlier_hops + progress.packet_hops;
        self.thread.packet_hops.store(hops, Ordering::Relaxed);
        if self.monitor.wants_end() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }

    /// Runs come side by side first: threads without a run are for those that are left.
    fn threads(&self) -> Option<u32> {
        let workers = self.workers;
        let left = workers.all - workers.done.load(Ordering::Relaxed).min(workers.all);
        let each = workers.threads.len() as u64 / left.max(1);
        Some(each.max(1) as u32)
    }

    fn exhausted(&mut self, progress: &Progress) -> Option<Exhausted> {
        let held = progress.held.saturating_mul(PACKET_BYTES);
        let held = held.saturating_add(progress.kept_bytes);
        self.thread.held.store(held, Ordering::Relaxed);
        let elapsed = self.elapsed();
        if let Some(limit) = self.limits.time.filter(|limit| elapsed > *limit) {
            return Some(Exhausted::Time(limit));
        }
        let limit = self.limits.memory?;
        if elapsed < self.next_look {
            return None;
        }
        self.next_look = elapsed + LOOK_EVERY;
        let is_beyond = self.monitor.rss_bytes()? > limit && self.holds_most();
        is_beyond.then_some(Exhausted::Memory(limit))
    }

    fn elapsed(&self) -> Duration {
        self.monitor.elapsed().saturating_sub(self.began)
    }

    fn peak_rss_bytes(&self) -> Option<u64> {
        self.monitor.peak_rss_bytes()
    }

    fn live(&mut self, of: &LiveOrder<'_>) -> Result<Lived, RunError> {
        self.monitor.live(of)
    }

    fn host(&self) -> Host {
        self.monitor.host()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_runs_share_the_threads_that_have_none() {
        let workers = Workers::new(&Unwatched, 8, 20);
        let threads = || workers.run_monitor(0).threads();
        assert_eq!(threads(), Some(1));
        (0..17).for_each(|_| workers.finished(1));
        assert_eq!(threads(), Some(2));
        (0..2).for_each(|_| workers.finished(1));
        assert_eq!(threads(), Some(8));
    }
}
