//! A shaper that holds every packet for a fixed share of the delay bound: it delays as a pacer
//! does, but smooths nothing.

use std::collections::VecDeque;

use pacesim_units::{Capacity, Span, Time};
use rand_core::Rng;

use crate::built_in::BuiltIn;
use crate::config::{ConfigProblem, InvalidConfig, Problems, all_valid};
use crate::fifo::Fifo;
use crate::pacer::{Pacer, Pending, Refused, Release, Waiting};

/// Parameters of [`DeadlineFraction`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeadlineFractionConfig {
    /// Delay bound of every packet.
    pub delay: Span,
    /// Share of the bound that each packet waits, in percent.
    pub percent: u32,
    /// Size of the buffer.
    pub capacity: Capacity,
}

impl DeadlineFractionConfig {
    /// Lists all problems of this configuration.
    pub fn validate(&self) -> Vec<ConfigProblem> {
        let mut problems = Problems::default();
        problems.require_sane_delay(self.delay, "delay");
        problems.require(
            self.percent <= 100,
            "percent",
            || format!("{} % of the bound is after the deadline", self.percent),
            "give 0 to 100",
        );
        problems.require_room(self.capacity, "capacity");
        problems.into_list()
    }
}

/// Releases every packet the same span after its arrival.
#[derive(Clone, Debug)]
pub struct DeadlineFraction {
    hold: Span,
    queue: Fifo,
    releases: VecDeque<Time>,
}

impl DeadlineFraction {
    /// A shaper without packets.
    pub fn new(config: &DeadlineFractionConfig) -> Result<DeadlineFraction, InvalidConfig> {
        all_valid(config.validate())?;
        // An hour in picoseconds times a hundred fits 64 bits.
        let hold = config.delay * u64::from(config.percent) / 100;
        Ok(DeadlineFraction {
            hold,
            queue: Fifo::new(config.capacity),
            releases: VecDeque::new(),
        })
    }
}

impl BuiltIn for DeadlineFraction {
    type Config = DeadlineFractionConfig;
    const NAME: &'static str = "deadline_fraction";

    fn of(
        config: &DeadlineFractionConfig,
        _: impl Rng + Send + 'static,
    ) -> Result<DeadlineFraction, InvalidConfig> {
        DeadlineFraction::new(config)
    }
}

impl Pacer for DeadlineFraction {
    #[inline]
    fn enqueue(&mut self, now: Time, packet: Pending) -> Result<(), Refused> {
        self.queue.push(packet)?;
        self.releases.push_back(now + self.hold);
        Ok(())
    }

    #[inline]
    fn dequeue(&mut self, now: Time) -> Option<Pending> {
        if !self.next_release().is_ready(now) {
            return None;
        }
        self.releases.pop_front();
        self.queue.pop()
    }

    #[inline]
    fn next_release(&self) -> Release {
        match self.releases.front() {
            None => Release::Idle,
            Some(&at) => Release::At(at),
        }
    }

    #[inline]
    fn waiting(&self) -> Waiting {
        self.queue.waiting()
    }
}
