//! Queue-length based pacing, the form of 2011 (qlbp11 II-C and II-D).

use pacesim_units::{Bytes, Capacity, Rate, Span, Time};
use rand_core::Rng;

use crate::built_in::BuiltIn;
use crate::config::{ConfigProblem, InvalidConfig, Problems, all_valid};
use crate::fifo::Fifo;
use crate::pacer::{Pacer, Pending, Refused, Release, Waiting};
use crate::rate_law::{RateLaw, check_law};

/// Parameters of [`Qlbp`], by the paper's names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QlbpConfig {
    /// The rate at an empty queue; `None` is zero (qlbp11 Assumption 1).
    pub mu_min: Option<Rate>,
    /// Rate at a queue of `q_max`.
    pub mu_max: Rate,
    /// Queue beyond which nothing is paced, in packets or bytes.
    pub q_max: Capacity,
    /// Size of the buffer, in the same unit.
    pub q_lim: Capacity,
    /// C, the rate of the port's line, in use beyond `q_max`.
    pub line_rate: Rate,
}

impl QlbpConfig {
    /// Lists all problems of this configuration.
    pub fn validate(&self) -> Vec<ConfigProblem> {
        let mut problems = Problems::default();
        check_law(
            &mut problems,
            self.mu_min,
            self.mu_max,
            self.q_max,
            self.q_lim,
        );
        problems.require(
            self.mu_max <= self.line_rate,
            "mu_max",
            || {
                format!(
                    "mu_max <= C does not hold: {} > {}",
                    self.mu_max, self.line_rate
                )
            },
            "lower mu_max to the line's rate: nothing leaves faster than that",
        );
        problems.into_list()
    }

    /// The bound on the pacing delay in steady state, `Q_max/mu_max` (Theorem 1), for packets of
    /// this size if `Q_max` counts packets.
    pub fn delay_bound(&self, packet: Bytes) -> Option<Span> {
        let bytes = match self.q_max {
            Capacity::Packets(n) => Bytes(n.checked_mul(packet.get())?),
            Capacity::Bytes(bytes) => bytes,
            Capacity::Unlimited => return None,
        };
        self.mu_max.transmission_time(bytes)
    }
}

/// The law of the queue's length up to `Q_max`, and the line's rate beyond.
#[derive(Clone, Debug)]
pub(crate) struct LineLaw {
    law: RateLaw,
    line_rate: Rate,
}

impl LineLaw {
    pub(crate) fn new(config: &QlbpConfig) -> LineLaw {
        LineLaw {
            law: RateLaw::new(config.mu_min, config.mu_max, config.q_max),
            line_rate: config.line_rate,
        }
    }

    /// The pause S/mu(q) at this queue, or S/C beyond `Q_max`.
    #[inline]
    pub(crate) fn pause(&self, size: u32, waiting: Waiting) -> Span {
        let q = self.law.length(waiting);
        if q <= self.law.q_max() {
            self.law.pause(size, q)
        } else {
            self.line_rate
                .transmission_time(Bytes(u64::from(size)))
                .unwrap_or(Span::MAX)
        }
    }
}

/// Releases its head no earlier than S/mu(q) after the last release, where q counts all waiting
/// packets, including the head, and S is the head's size. An arrival changes q and so the release;
/// the first packet is not delayed.
///
/// Only mu limits the rate of releases; as mu <= C, the port's FIFO never holds more than one
/// packet.
#[derive(Clone, Debug)]
pub struct Qlbp {
    law: LineLaw,
    queue: Fifo,
    last_release: Option<Time>,
    next: Release,
}

impl Qlbp {
    /// A pacer without packets.
    pub fn new(config: &QlbpConfig) -> Result<Qlbp, InvalidConfig> {
        all_valid(config.validate())?;
        Ok(Qlbp {
            law: LineLaw::new(config),
            queue: Fifo::new(config.q_lim),
            last_release: None,
            next: Release::Idle,
        })
    }

    #[inline]
    fn schedule(&mut self, now: Time) {
        self.next = match (self.queue.front(), self.last_release) {
            (None, _) => Release::Idle,
            (Some(_), None) => Release::At(now),
            (Some(head), Some(last)) => Release::At(
                last.saturating_add(self.law.pause(head.size, self.queue.waiting()))
                    .max(now),
            ),
        };
    }
}

impl BuiltIn for Qlbp {
    type Config = QlbpConfig;
    const NAME: &'static str = "qlbp";

    fn of(config: &QlbpConfig, _: impl Rng + Send + 'static) -> Result<Qlbp, InvalidConfig> {
        Qlbp::new(config)
    }
}

impl Pacer for Qlbp {
    #[inline]
    fn enqueue(&mut self, now: Time, packet: Pending) -> Result<(), Refused> {
        self.queue.push(packet)?;
        self.schedule(now);
        Ok(())
    }

    #[inline]
    fn dequeue(&mut self, now: Time) -> Option<Pending> {
        if !self.next.is_ready(now) {
            return None;
        }
        let packet = self.queue.pop();
        self.last_release = Some(now);
        self.schedule(now);
        packet
    }

    #[inline]
    fn next_release(&self) -> Release {
        self.next
    }

    #[inline]
    fn waiting(&self) -> Waiting {
        self.queue.waiting()
    }
}
