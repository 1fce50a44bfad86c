//! What a check is given: how long to work, random numbers, and somebody who may stop it.

use std::cell::RefCell;
use std::ops::ControlFlow;

use pacesim::units::{Span, Time};
use pacesim_core::random::{Stream, Streams};
use pacesim_lab::study::{LEAST_SCALE, MOST_SCALE};
use pacesim_lab::{Progress, RunError, Supervisor};

use crate::Fault;

/// The seed of what draws without a scenario.
const SEED: u64 = 1;

/// The world of a check.
pub struct Context<'a> {
    scale: f64,
    seed: u64,
    supervisor: RefCell<&'a mut dyn Supervisor>,
}

impl<'a> Context<'a> {
    /// Lengths are multiplied by `scale`; `seed` takes the place of the usual one.
    pub fn new(scale: f64, seed: Option<u64>, supervisor: &'a mut dyn Supervisor) -> Context<'a> {
        Context {
            scale: scale.clamp(LEAST_SCALE, MOST_SCALE),
            seed: seed.unwrap_or(SEED),
            supervisor: RefCell::new(supervisor),
        }
    }

    /// What lengths are multiplied by.
    pub fn scale(&self) -> f64 {
        self.scale
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

    /// Lets the supervisor stop what works long.
    pub fn check_in(&self) -> Result<(), Fault> {
        let nothing = Progress {
            now: Time::ZERO,
            end: Time::ZERO + Span::from_secs(1),
            packet_hops: 0,
        };
        match self.supervisor.borrow_mut().progress(&nothing) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(RunError::Interrupted.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    struct Stopper;
    impl Supervisor for Stopper {
        fn elapsed(&self) -> Duration {
            Duration::from_secs(1)
        }
        fn progress(&mut self, _: &Progress) -> ControlFlow<()> {
            ControlFlow::Break(())
        }
    }

    #[test]
    fn the_supervisor_stops_what_works_long() {
        let mut stopper = Stopper;
        let context = Context::new(1.0, None, &mut stopper);
        let fault = context.check_in().expect_err("stopped");
        assert!(matches!(fault, Fault::Run(RunError::Interrupted)));
    }

    #[test]
    fn the_scale_shortens_to_the_least() {
        let mut stopper = Stopper;
        let context = Context::new(0.1, None, &mut stopper);
        assert_eq!((context.scaled(1000, 5), context.scaled(10, 5)), (100, 5));
    }
}
