//! Supervision of work that runs without Python's lock: Ctrl-C, progress, the clock.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use pacesim_front::host::{self, Stopwatch};
use pacesim_lab::{
    BatchMonitor, BatchProgress, Exhausted, Host, Progress, RunLimits, RunMonitor, StepProgress,
};
use pyo3::prelude::*;

use crate::control::Raised;
use crate::fault::usage;

/// Watches work for Python: its progress goes to a callable, and an exception that this raises, or
/// a signal's handler, ends the work.
pub(crate) struct Watch {
    began: Stopwatch,
    limits: RunLimits,
    stop: AtomicBool,
    raised: Mutex<Option<PyErr>>,
    progress: Option<Py<PyAny>>,
    controllers: Raised,
}

impl Watch {
    pub(crate) fn new(progress: Option<Py<PyAny>>) -> Watch {
        Watch {
            began: Stopwatch::start(),
            limits: RunLimits {
                memory: host::sensible_memory(),
                ..RunLimits::default()
            },
            stop: AtomicBool::new(false),
            raised: Mutex::new(None),
            progress,
            controllers: Raised::default(),
        }
    }

    /// The same for runs with controllers, whose exceptions end them.
    pub(crate) fn with_controllers(self, raised: &Raised) -> Watch {
        let controllers = raised.clone();
        Watch {
            controllers,
            ..self
        }
    }

    /// Does the work without Python's lock. An exception raised meanwhile comes before the work's
    /// own error.
    pub(crate) fn run<T: Send, E: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&Watch) -> Result<T, E> + Send,
    ) -> PyResult<Result<T, E>> {
        let ended = py.detach(|| work(self));
        let mut raised = self
            .raised
            .lock()
            .unwrap_or_else(|poison| poison.into_inner());
        match (self.controllers.take().or(raised.take()), ended) {
            // Work that came to its end all the same keeps its result.
            (Some(error), Err(_)) => Err(error),
            (_, ended) => Ok(ended),
        }
    }

    /// Lets Python handle signals, and reports the share of the work that is done.
    fn look(&self, share: f64) {
        if self.stop.load(Ordering::Relaxed) {
            return;
        }
        let looked = Python::attach(|py| {
            py.check_signals()?;
            match &self.progress {
                Some(progress) => progress.call1(py, (share,)).map(|_| ()),
                None => Ok(()),
            }
        });
        if let Err(error) = looked {
            let mut raised = self
                .raised
                .lock()
                .unwrap_or_else(|poison| poison.into_inner());
            *raised = Some(error);
            self.stop.store(true, Ordering::Relaxed);
        }
    }
}

impl BatchMonitor for Watch {
    fn wants_end(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.controllers.is_there()
    }

    fn elapsed(&self) -> Duration {
        self.began.elapsed()
    }

    fn processor_time(&self) -> Option<Duration> {
        host::processor_time()
    }

    fn progress(&self, progress: &BatchProgress) {
        self.look(progress.share);
    }

    fn step(&self, step: &StepProgress) {
        self.look(step.done as f64 / step.all.max(1) as f64);
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

/// The same for a single run on the calling thread.
pub(crate) struct OneRun<'a>(pub(crate) &'a Watch);

impl RunMonitor for OneRun<'_> {
    fn progress(&mut self, progress: &Progress) -> ControlFlow<()> {
        self.0
            .look(progress.now.as_secs_f64() / progress.end.as_secs_f64());
        match self.0.wants_end() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }

    fn exhausted(&mut self, _: &Progress) -> Option<Exhausted> {
        let limit = self.0.limits.memory?;
        (host::rss_bytes()? > limit).then_some(Exhausted::Memory(limit))
    }

    fn elapsed(&self) -> Duration {
        self.0.began.elapsed()
    }

    fn peak_rss_bytes(&self) -> Option<u64> {
        host::peak_rss_bytes()
    }

    fn host(&self) -> Host {
        host::host()
    }
}

/// The requested number of threads, or the number of cores.
pub(crate) fn jobs(asked: Option<usize>) -> PyResult<NonZeroUsize> {
    let cores = || std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    match asked.map(NonZeroUsize::new) {
        None => Ok(cores()),
        Some(Some(jobs)) => Ok(jobs),
        Some(None) => Err(usage(
            "jobs is 0; give at least 1, or leave it out for all cores",
        )),
    }
}
