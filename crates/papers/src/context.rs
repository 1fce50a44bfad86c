//! What an experiment is given: how long to run, random numbers, and simulations.

use std::cell::{Cell, RefCell};
use std::ops::ControlFlow;

use pacesim::World;
use pacesim::model::Model;
use pacesim::net::Probe;
use pacesim::units::{Span, Time};
use pacesim_core::random::{Stream, Streams};

use pacesim_lab::input::{Input, from_stream};
use pacesim_lab::study::{LEAST_SCALE, MOST_SCALE};
use pacesim_lab::{Digest, Progress, RunError, Supervisor};

use crate::Fault;
use crate::shipped::text_of;

/// The seed of what draws without a scenario.
const SEED: u64 = 1;

/// The world of an experiment. What it runs is watched by the supervisor, and stops
/// when that says so.
pub struct Context<'a> {
    scale: f64,
    seed: Option<u64>,
    supervisor: RefCell<&'a mut dyn Supervisor>,
    runs: Cell<u64>,
    fingerprints: Cell<Digest>,
}

impl<'a> Context<'a> {
    /// Times and replications are multiplied by `scale`; `seed` takes the place of
    /// every scenario's own.
    pub fn new(scale: f64, seed: Option<u64>, supervisor: &'a mut dyn Supervisor) -> Context<'a> {
        Context {
            scale: scale.clamp(LEAST_SCALE, MOST_SCALE),
            seed,
            supervisor: RefCell::new(supervisor),
            runs: Cell::new(0),
            fingerprints: Cell::default(),
        }
    }

    /// What times and replications are multiplied by; 1 is the paper's length.
    pub fn scale(&self) -> f64 {
        self.scale
    }

    /// A number of replications, samples or packets at this scale, at least `least`.
    pub fn scaled(&self, full: u64, least: u64) -> u64 {
        ((full as f64 * self.scale).round() as u64).max(least)
    }

    /// A random stream for what is done without a scenario.
    pub fn stream(&self, replication: u64, component: &str, purpose: &str) -> Stream {
        let seed = self.seed.unwrap_or(SEED);
        Streams { seed, replication }.stream(component, purpose)
    }

    /// A scenario of the catalogue (`scenarios/papers/NAME.toml`) with changes as
    /// `--set` makes them, its times multiplied by the scale.
    pub fn scenario(&self, name: &str, sets: &[&str]) -> Result<Input, Fault> {
        let text = text_of(&format!("{name}.toml")).expect("checks name scenarios that ship");
        self.scenario_of(name, text, sets)
    }

    /// The same for a scenario's own text.
    pub fn scenario_of(&self, name: &str, text: &str, sets: &[&str]) -> Result<Input, Fault> {
        let read = |sets: &[String]| {
            from_stream(text.as_bytes(), sets).map_err(|rejected| Fault::Scenario {
                name: name.to_owned(),
                problems: rejected.problems,
            })
        };
        let mut sets: Vec<String> = sets.iter().map(|set| (*set).to_owned()).collect();
        let full = read(&sets)?;
        if self.scale == 1.0 {
            return Ok(full);
        }
        let run = &full.scenario.scenario().run;
        let (warmup, duration) = (self.shorter(run.warmup, 0), self.shorter(run.duration, 1));
        sets.push(format!("run.warmup={}ps", warmup.as_ps()));
        sets.push(format!("run.duration={}ps", duration.as_ps()));
        read(&sets)
    }

    /// Runs a scenario watched by a probe that is made for its model, and hands back the
    /// world at its end: its rows of links and flows, and the probe.
    pub fn watch<P: Probe>(
        &self,
        input: &Input,
        replication: u64,
        probe: impl FnOnce(&Model) -> P,
    ) -> Result<World<P>, Fault> {
        let mut supervisor = self.begin();
        let world = pacesim_lab::watch(input, self.seed, replication, probe, &mut **supervisor)?;
        self.note(&format!("{:016x}", world.fingerprint()));
        Ok(world)
    }

    /// The digest of the fingerprints of all runs so far, if there were any.
    pub fn fingerprint(&self) -> Option<String> {
        (self.runs.get() > 0).then(|| self.fingerprints.get().to_string())
    }

    fn note(&self, fingerprint: &str) {
        let mut all = self.fingerprints.get();
        all.add(fingerprint.as_bytes());
        self.fingerprints.set(all);
    }

    /// Lets the supervisor stop an experiment that works long without a simulation.
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

    /// Reports that another simulation begins; nobody knows how many there will be.
    fn begin(&self) -> std::cell::RefMut<'_, &'a mut dyn Supervisor> {
        let mut supervisor = self.supervisor.borrow_mut();
        supervisor.begin(self.runs.get(), 0);
        self.runs.set(self.runs.get() + 1);
        supervisor
    }

    fn shorter(&self, span: Span, least: u64) -> Span {
        let ps = (span.as_ps() as f64 * self.scale) as u64;
        Span::from_ps(ps.max(least))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    struct Patient;
    impl Supervisor for Patient {
        fn elapsed(&self) -> Duration {
            Duration::from_secs(1)
        }
    }

    struct Stopper;
    impl Supervisor for Stopper {
        fn elapsed(&self) -> Duration {
            Duration::from_secs(1)
        }
        fn progress(&mut self, _: &Progress) -> ControlFlow<()> {
            ControlFlow::Break(())
        }
    }

    const SCENARIO: &str = r#"
        run = { duration = "10s", warmup = "1s" }
        node = [{ name = "a" }, { name = "b" }]
        link = [{ name = "core", from = "a", to = "b", rate = "10Mbps", buffer = "10pkts" }]
        [[flow]]
        name = "poisson"
        from = "a"
        to = "b"
        traffic = { kind = "poisson", rate = "8Mbps", size = "1KB" }
    "#;

    #[test]
    fn the_scale_shortens_times_only() {
        let mut patient = Patient;
        let context = Context::new(0.1, None, &mut patient);
        let input = context
            .scenario_of("test", SCENARIO, &["link[0].buffer=5pkts"])
            .expect("sound");
        let run = &input.scenario.scenario().run;
        assert_eq!(run.duration, Span::from_secs(1));
        assert_eq!(run.warmup, Span::from_ms(100));
        assert_eq!(context.fingerprint(), None);
        let world = context.watch(&input, 0, |_| ()).expect("it runs");
        assert_eq!(world.model().links[0].name, "core");
        assert!(context.fingerprint().is_some());
    }

    #[test]
    fn a_seed_takes_the_place_of_the_scenarios_own() {
        let run = |seed| {
            let mut patient = Patient;
            let context = Context::new(0.1, seed, &mut patient);
            let input = context.scenario_of("test", SCENARIO, &[]).expect("sound");
            context
                .watch(&input, 0, |_| ())
                .expect("it runs")
                .fingerprint()
        };
        assert_eq!(run(None), run(Some(1)));
        assert_ne!(run(None), run(Some(2)));
    }

    #[test]
    fn the_supervisor_stops_what_runs() {
        let mut stopper = Stopper;
        let context = Context::new(1.0, None, &mut stopper);
        let input = context.scenario_of("test", SCENARIO, &[]).expect("sound");
        let interrupted = |fault| matches!(fault, Fault::Run(RunError::Interrupted));
        let watched = context.watch(&input, 0, |_| ()).map(|_| ());
        assert!(watched.is_err_and(interrupted));
        assert!(context.check_in().is_err_and(interrupted));
    }

    #[test]
    fn a_wrong_change_names_the_scenario() {
        let mut patient = Patient;
        let context = Context::new(1.0, None, &mut patient);
        let fault = context.scenario_of("test", SCENARIO, &["link[0].bufer=5pkts"]);
        let text = fault.expect_err("there is no such key").to_string();
        assert!(text.starts_with("scenario test: "), "{text}");
    }
}
