//! The context of a check: its length, random numbers, and a monitor that may stop it.

use pacesim_core::random::{Stream, Streams};
use pacesim_lab::study::{LEAST_SCALE, MOST_SCALE};
use pacesim_lab::{BatchMonitor, RunError};

use crate::Fault;

/// The seed of random numbers outside scenarios.
const SEED: u64 = 1;

/// The context of a check.
pub struct Context<'a> {
    scale: f64,
    seed: u64,
    monitor: &'a dyn BatchMonitor,
}

impl<'a> Context<'a> {
    /// Multiplies lengths by `scale`; `seed` overrides the default one.
    pub fn new(scale: f64, seed: Option<u64>, monitor: &'a dyn BatchMonitor) -> Context<'a> {
        Context {
            scale: scale.clamp(LEAST_SCALE, MOST_SCALE),
            seed: seed.unwrap_or(SEED),
            monitor,
        }
    }

    /// The factor for lengths.
    pub fn scale(&self) -> f64 {
        self.scale
    }

    /// The seed of random numbers.
    pub(crate) fn seed(&self) -> u64 {
        self.seed
    }

    /// A number of samples or packets at this scale, at least `least`.
    pub fn scaled(&self, full: u64, least: u64) -> u64 {
        ((full as f64 * self.scale).round() as u64).max(least)
    }

    /// A random stream.
    pub fn stream(&self, replication: u64, component: &str, purpose: &str) -> Stream {
        let seed = self.seed;
        Streams { seed, replication }.stream(component, purpose)
    }

    /// Lets the monitor stop long work.
    pub(crate) fn check_in(&self) -> Result<(), Fault> {
        if self.monitor.wants_end() {
            Err(RunError::Interrupted.into())
        } else {
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    struct Stopper;
    impl BatchMonitor for Stopper {
        fn elapsed(&self) -> Duration {
            Duration::from_secs(1)
        }
        fn wants_end(&self) -> bool {
            true
        }
    }

    #[test]
    fn the_overseer_ends_what_works_long() {
        let context = Context::new(1.0, None, &Stopper);
        let fault = context.check_in().expect_err("stopped");
        assert!(
            matches!(fault, Fault::Run(RunError::Interrupted)),
            "{fault:?}"
        );
    }

    #[test]
    fn the_scale_shortens_to_the_least() {
        let context = Context::new(0.1, None, &Stopper);
        assert_eq!((context.scaled(1000, 5), context.scaled(10, 5)), (100, 5));
    }
}
