//! Supervision of many runs at once: the clock, the bar, and Ctrl-C.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use pacesim_front::host::{self, Stopwatch};
use pacesim_lab::{
    BatchMonitor, BatchProgress, Host, LiveOrder, Lived, RunError, RunLimits, StepProgress,
};

use crate::progress::Bar;
use crate::reality::Reality;
use crate::signals;

/// Supervises many runs.
pub(crate) struct TerminalMonitor {
    bar: Mutex<Bar>,
    began: Stopwatch,
    stop: Arc<AtomicBool>,
    /// Packet hops of the batch of runs under way, and of those before it.
    packet_hops: AtomicU64,
    earlier_hops: AtomicU64,
    limits: RunLimits,
    reality: Option<Reality>,
}

impl TerminalMonitor {
    /// A monitor with a bar, if wanted and if standard error is a terminal.
    pub(crate) fn new(bar: bool) -> TerminalMonitor {
        let stop = Arc::new(AtomicBool::new(false));
        signals::on_stop(&stop);
        TerminalMonitor {
            bar: Mutex::new(Bar::new(bar)),
            began: Stopwatch::start(),
            stop,
            packet_hops: AtomicU64::new(0),
            earlier_hops: AtomicU64::new(0),
            limits: RunLimits {
                memory: host::sensible_memory(),
                ..RunLimits::default()
            },
            reality: None,
        }
    }

    /// Lets live runs be those of a folder, or be made.
    pub(crate) fn with_reality(self, folder: Option<PathBuf>) -> TerminalMonitor {
        let reality = folder.map(Reality::in_folder);
        TerminalMonitor { reality, ..self }
    }

    /// Sets these limits for each run.
    pub(crate) fn within(self, limits: RunLimits) -> TerminalMonitor {
        TerminalMonitor { limits, ..self }
    }

    /// Removes the bar; call it before writing anything else to the terminal.
    pub(crate) fn clear(&self) {
        self.with_bar(Bar::clear);
    }

    /// The packet hops of all runs so far.
    pub(crate) fn packet_hops(&self) -> u64 {
        self.earlier_hops.load(Ordering::Relaxed) + self.packet_hops.load(Ordering::Relaxed)
    }

    fn with_bar(&self, change: impl FnOnce(&mut Bar)) {
        change(&mut self.bar.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

impl BatchMonitor for TerminalMonitor {
    fn live(&self, of: &LiveOrder<'_>) -> Result<Lived, RunError> {
        match &self.reality {
            Some(reality) => reality.live(of),
            None => Err(of.refused()),
        }
    }

    fn wants_end(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    fn elapsed(&self) -> Duration {
        self.began.elapsed()
    }

    fn processor_time(&self) -> Option<Duration> {
        host::processor_time()
    }

    fn progress(&self, progress: &BatchProgress) {
        let before = self
            .packet_hops
            .swap(progress.packet_hops, Ordering::Relaxed);
        // A precision is reached in several batches, each of which counts from zero.
        if progress.packet_hops < before {
            self.earlier_hops.fetch_add(before, Ordering::Relaxed);
        }
        self.with_bar(|bar| bar.show_all(progress, self.began.elapsed()));
    }

    fn step(&self, step: &StepProgress) {
        self.with_bar(|bar| bar.show_step(step));
    }

    fn note(&self, sentence: &str) {
        self.clear();
        anstream::eprintln!("note: {sentence}");
    }

    fn peak_rss_bytes(&self) -> Option<u64> {
        host::peak_rss_bytes()
    }

    fn rss_bytes(&self) -> Option<u64> {
        host::rss_bytes()
    }

    fn limits(&self) -> RunLimits {
        self.limits
    }

    fn host(&self) -> Host {
        host::host()
    }
}

/// The requested number of threads, or the number of cores.
pub(crate) fn jobs(asked: Option<NonZeroUsize>) -> NonZeroUsize {
    let cores = || std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    asked.unwrap_or_else(cores)
}
