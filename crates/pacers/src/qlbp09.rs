//! Queue-length based pacing, the form of 2009 (qlbp09 Algorithm 1), and the
//! variant of its prototype.

use std::fmt;

use pacesim_units::{Bytes, Capacity, PS_PER_SECOND, Rate, Span, Time, Transmitter};
use rand_core::Rng;

use crate::built_in::BuiltIn;
use crate::config::{ConfigProblem, InvalidConfig, Problems, all_valid};
use crate::fifo::Fifo;
use crate::pacer::{Pacer, Pending, Refused, Release, Use, Waiting};
use crate::rate_law::{RateLaw, check_law};

/// Parameters of [`Qlbp09`], by the paper's names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Qlbp09Config {
    /// Longest pause, at an empty queue.
    pub d_max: Span,
    /// The largest packet; with `d_max` it gives `mu_min` (eq. (2)). The paper's
    /// "1518KB" are bytes.
    pub s_max: Bytes,
    /// Rate from `q_max` on.
    pub mu_max: Rate,
    /// Queue at which the rate has risen to `mu_max`.
    pub q_max: Capacity,
    /// Size of the buffer, in the same unit.
    pub q_lim: Capacity,
    /// Details in which the prototype differs.
    pub plug_in: Option<PlugIn>,
    /// Largest random extension of every pause.
    pub jitter: Span,
}

/// The prototype's variant (qlbp09 IV-A): pauses are scaled by alpha (eq. (9)), above `Q_max` there
/// is no pause, and call-backs occur only at the timer's ticks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlugIn {
    /// Factor alpha in percent: 500 is a factor of 5.
    pub alpha_percent: u32,
    /// Granularity of the timer; zero for an ideal one.
    pub tick: Span,
    /// True if its arithmetic is in whole ticks too: the moment of a release and each pause lose
    /// their fractions, so that a pause of less than a tick is none.
    pub whole_ticks: bool,
}

impl PlugIn {
    /// The part of a number of picoseconds that an integer of ticks keeps.
    #[inline]
    fn counted(&self, ps: u64) -> u64 {
        if self.whole_ticks {
            ps - ps % self.tick.as_ps()
        } else {
            ps
        }
    }
}

impl Qlbp09Config {
    /// `S_max/D_max` (eq. (2)), rounded up to a whole bit per second so that no
    /// pause is longer than `d_max`; `None` if it does not fit.
    pub fn mu_min(&self) -> Option<Rate> {
        if self.d_max.is_zero() {
            return None;
        }
        let bit_ps = self.s_max.bits() * u128::from(PS_PER_SECOND);
        let bps = bit_ps.div_ceil(u128::from(self.d_max.as_ps()));
        u64::try_from(bps).ok().and_then(Rate::from_bps)
    }

    /// Lists all problems of this configuration.
    pub fn validate(&self) -> Vec<ConfigProblem> {
        let mut problems = Problems::default();
        problems.require_sane_delay(self.d_max, "d_max");
        problems.require_sane_delay(self.jitter, "jitter");
        let mu_min = self.mu_min();
        problems.require(
            mu_min.is_some(),
            "d_max",
            || {
                format!(
                    "eq. (2), mu_min = S_max/D_max, has no value for {}/{}",
                    self.s_max, self.d_max
                )
            },
            "give a D_max such as 10ms and an S_max such as 1518B",
        );
        check_law(&mut problems, mu_min, self.mu_max, self.q_max, self.q_lim);
        if let Some(plug_in) = self.plug_in {
            problems.require(
                plug_in.alpha_percent >= 100,
                "plug_in.alpha_percent",
                || {
                    format!(
                        "eq. (9) scales pauses by alpha >= 1, but alpha is {}",
                        f64::from(plug_in.alpha_percent) / 100.0
                    )
                },
                "give a factor of 1 or more",
            );
            problems.require_sane_delay(plug_in.tick, "plug_in.tick");
            problems.require(
                !(plug_in.whole_ticks && plug_in.tick.is_zero()),
                "plug_in.tick",
                || "whole ticks cannot be counted without a tick".to_owned(),
                "give the timer's granularity, such as 1ms, or leave out whole_ticks",
            );
        }
        problems.into_list()
    }
}

/// Algorithm 1. At least S/mu(q) passes between two releases, re-evaluated at every change of the
/// queue; the first packet is not delayed.
///
/// A packet leaves at the first call-back or arrival at or after its time. The call-back is
/// [`Release::At`], on a tick if the timer is coarse; an arrival after t_next makes the head ready
/// at once.
pub struct Qlbp09 {
    law: RateLaw,
    plug_in: Option<PlugIn>,
    jitter: Jitter,
    queue: Fifo,
    t_last: Option<Time>,
    top: Top,
    next: Release,
}

impl Qlbp09 {
    /// An empty pacer; it draws from `stream` if `jitter` is not zero.
    pub fn new(
        config: &Qlbp09Config,
        stream: Box<dyn Rng + Send>,
    ) -> Result<Qlbp09, InvalidConfig> {
        all_valid(config.validate())?;
        Ok(Qlbp09 {
            law: RateLaw::new(config.mu_min(), config.mu_max, config.q_max),
            plug_in: config.plug_in,
            jitter: Jitter {
                most: config.jitter,
                of_head: Span::ZERO,
                stream,
            },
            queue: Fifo::new(config.q_lim),
            t_last: None,
            top: Top {
                line: Transmitter::new(config.mu_max),
                busy_until: Time::ZERO,
                rested: Span::ZERO,
            },
            next: Release::Idle,
        })
    }

    /// The pause d(t) of eq. (3), or of eq. (9) for the plug-in.
    #[inline]
    fn pause(&self, size: u32) -> Span {
        let q = self.law.length(self.queue.waiting());
        let pause = self.law.pause(size, q.min(self.law.q_max()));
        match self.plug_in {
            None => pause,
            Some(_) if q > self.law.q_max() => Span::ZERO,
            Some(plug_in) => {
                let scaled = scale(pause, plug_in.alpha_percent);
                Span::from_ps(plug_in.counted(scaled.as_ps()))
            }
        }
    }

    /// The last release in the pacer's arithmetic.
    #[inline]
    fn counted(&self, t_last: Time) -> Time {
        match self.plug_in {
            None => t_last,
            Some(plug_in) => Time::from_ps(plug_in.counted(t_last.as_ps())),
        }
    }

    /// Lines 6 to 11 and 19 to 23: t_next, and the tick that notices it.
    #[inline]
    fn schedule(&mut self, now: Time) {
        let Some(head) = self.queue.front() else {
            self.next = Release::Idle;
            return;
        };
        let t_next = match self.t_last {
            None => now,
            Some(last) => self
                .counted(last)
                .saturating_add(self.pause(head.size))
                .saturating_add(self.jitter.of_head),
        };
        self.next = Release::At(if t_next <= now {
            now
        } else {
            self.tick_after(t_next)
        });
    }

    /// The first tick of the timer at or after `t`.
    #[inline]
    fn tick_after(&self, t: Time) -> Time {
        match self.plug_in {
            Some(PlugIn { tick, .. }) if !tick.is_zero() => {
                let late = t.as_ps() % tick.as_ps();
                if late == 0 {
                    t
                } else {
                    t.saturating_add(Span::from_ps(tick.as_ps() - late))
                }
            }
            _ => t,
        }
    }
}

impl BuiltIn for Qlbp09 {
    type Config = Qlbp09Config;
    const NAME: &'static str = "qlbp09";

    fn of(
        config: &Qlbp09Config,
        stream: impl Rng + Send + 'static,
    ) -> Result<Qlbp09, InvalidConfig> {
        Qlbp09::new(config, Box::new(stream))
    }
}

impl Pacer for Qlbp09 {
    #[inline]
    fn enqueue(&mut self, now: Time, packet: Pending) -> Result<(), Refused> {
        let was_empty = self.queue.is_empty();
        self.queue.push(packet)?;
        if was_empty {
            self.jitter.draw();
        }
        self.schedule(now);
        Ok(())
    }

    #[inline]
    fn dequeue(&mut self, now: Time) -> Option<Pending> {
        if !self.next.is_ready(now) {
            return None;
        }
        let packet = self.queue.pop();
        packet
            .iter()
            .for_each(|packet| self.top.send(now, packet.size));
        self.t_last = Some(now);
        if !self.queue.is_empty() {
            self.jitter.draw();
        }
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

    /// The use of the greatest rate; none for the plug-in, which may exceed it.
    fn in_use(&self, now: Time) -> Option<Use> {
        let exact = self.plug_in.is_none();
        exact.then(|| Use::of_line(now, self.top.rested, self.top.busy_until))
    }
}

/// A line of the greatest rate, to which releases hand their packets.
struct Top {
    line: Transmitter,
    busy_until: Time,
    rested: Span,
}

impl Top {
    #[inline]
    fn send(&mut self, now: Time, size: u32) {
        if now > self.busy_until {
            self.rested += now - self.busy_until;
            self.busy_until = now;
            self.line.rest();
        }
        let span = self.line.send(size);
        self.busy_until = self.busy_until.saturating_add(span);
    }
}

impl fmt::Debug for Qlbp09 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Qlbp09")
            .field("law", &self.law)
            .field("queue", &self.queue)
            .field("t_last", &self.t_last)
            .field("next", &self.next)
            .finish_non_exhaustive()
    }
}

/// The random part of a pause, drawn once for each head.
struct Jitter {
    most: Span,
    of_head: Span,
    stream: Box<dyn Rng + Send>,
}

impl Jitter {
    /// Draws a number uniformly from 0..=most.
    #[inline]
    fn draw(&mut self) {
        if !self.most.is_zero() {
            let values = u128::from(self.most.as_ps()) + 1;
            let drawn = (u128::from(self.stream.next_u64()) * values) >> 64;
            self.of_head = Span::from_ps(drawn as u64);
        }
    }
}

/// Takes a percentage of a span, rounded up.
#[inline]
fn scale(span: Span, percent: u32) -> Span {
    let ps = (u128::from(span.as_ps()) * u128::from(percent)).div_ceil(100);
    Span::from_ps(u64::try_from(ps).unwrap_or(u64::MAX))
}
