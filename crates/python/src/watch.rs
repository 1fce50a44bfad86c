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
use pyo3::types::PyBool;

use crate::control::Raised;
use crate::fault::usage;
use crate::quantity::whole_if_given;

/// Watches work for Python: its progress goes to a callable, and an exception from that or from a
/// signal's handler ends the work.
pub(crate) struct Watch {
    began: Stopwatch,
    limits: RunLimits,
    stop: AtomicBool,
    raised: Mutex<Option<PyErr>>,
    progress: Shown,
    controllers: Raised,
}

/// The receiver of progress.
enum Shown {
    Nowhere,
    /// A user's callable.
    To(Py<PyAny>),
    /// A bar of this module, which is removed at the end.
    On(Py<PyAny>),
}

impl Shown {
    /// A watch from an argument: a callable, `False` for no progress, `None` for a bar in terminals
    /// and notebooks.
    fn of(progress: Option<&Bound<'_, PyAny>>, py: Python<'_>) -> PyResult<Shown> {
        let Some(progress) = progress else {
            let bar = py.import("pacesim._progress")?.call_method0("bar")?;
            return Ok(if bar.is_none() {
                Shown::Nowhere
            } else {
                Shown::On(bar.unbind())
            });
        };
        if progress.is(PyBool::new(py, false)) {
            return Ok(Shown::Nowhere);
        }
        if progress.is_callable() {
            Ok(Shown::To(progress.clone().unbind()))
        } else {
            Err(usage(
                "progress is not callable; give a function of the share done, False for none, or omit it",
            ))
        }
    }

    fn callable(&self) -> Option<&Py<PyAny>> {
        match self {
            Shown::Nowhere => None,
            Shown::To(callable) | Shown::On(callable) => Some(callable),
        }
    }
}

impl Watch {
    pub(crate) fn new(py: Python<'_>, progress: Option<&Bound<'_, PyAny>>) -> PyResult<Watch> {
        Ok(Watch {
            began: Stopwatch::start(),
            limits: RunLimits {
                memory: host::sensible_memory(),
                ..RunLimits::default()
            },
            stop: AtomicBool::new(false),
            raised: Mutex::new(None),
            progress: Shown::of(progress, py)?,
            controllers: Raised::default(),
        })
    }

    /// The watch for runs with controllers, whose exceptions end them.
    pub(crate) fn with_controllers(self, raised: &Raised) -> Watch {
        let controllers = raised.clone();
        Watch {
            controllers,
            ..self
        }
    }

    /// Does the work without Python's lock. An exception raised meanwhile takes precedence over the
    /// work's own error.
    pub(crate) fn run<T: Send, E: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&Watch) -> Result<T, E> + Send,
    ) -> PyResult<Result<T, E>> {
        let ended = py.detach(|| work(self));
        if let Shown::On(bar) = &self.progress {
            bar.call_method0(py, "close")?;
        }
        let mut raised = self
            .raised
            .lock()
            .unwrap_or_else(|poison| poison.into_inner());
        match (self.controllers.take().or(raised.take()), ended) {
            // Work that ended all the same keeps its result.
            (Some(error), Err(_)) => Err(error),
            (_, ended) => Ok(ended),
        }
    }

    /// Lets Python handle signals, and reports the finished share of the runs, if known.
    fn look(&self, share: Option<f64>) {
        if self.stop.load(Ordering::Relaxed) {
            return;
        }
        let looked = Python::attach(|py| {
            py.check_signals()?;
            match (self.progress.callable(), share) {
                (Some(progress), Some(share)) => progress.call1(py, (share,)).map(|_| ()),
                _ => Ok(()),
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
        self.look(Some(progress.share));
    }

    fn step(&self, _: &StepProgress) {
        self.look(None);
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

/// The watch of a single run on the calling thread.
pub(crate) struct OneRun<'a>(pub(crate) &'a Watch);

impl RunMonitor for OneRun<'_> {
    fn progress(&mut self, progress: &Progress) -> ControlFlow<()> {
        let share = progress.now.as_secs_f64() / progress.end.as_secs_f64();
        self.0.look(Some(share));
        if self.0.wants_end() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }

    /// Calls of Python come from one thread at a time.
    fn threads(&self) -> Option<u32> {
        Some(1)
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

/// The most threads that a call may request, more than any machine has cores.
const MOST_JOBS: u64 = 4096;

/// The requested number of threads, or the number of cores.
pub(crate) fn jobs(asked: Option<&Bound<'_, PyAny>>) -> PyResult<NonZeroUsize> {
    let cores = || std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let Some(jobs) = whole_if_given("jobs", asked)? else {
        return Ok(cores());
    };
    let jobs = usize::try_from(jobs.min(MOST_JOBS)).unwrap_or(usize::MAX);
    NonZeroUsize::new(jobs)
        .ok_or_else(|| usage("jobs is 0; give at least 1, or leave it out for all cores"))
}
