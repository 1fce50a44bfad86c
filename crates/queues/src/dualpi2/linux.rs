//! DualPI2 as in Linux, in its integers.

use pacesim_units::Span;

use super::{Class, Drawn, DualPi2Config, Step};
use crate::chance::{Chance, Signal};
use crate::fate::Fate;
use crate::queue::Mark;

/// The integer for a probability of one: 2^32 - 1.
const ONE: u64 = u32::MAX as u64;
const WHOLE: u64 = ONE + 1;

/// The state of the control.
#[derive(Clone, Debug)]
pub(super) struct LinuxControl {
    target_ns: i64,
    /// Increase of the probability per 64 ns of delay.
    alpha: i64,
    beta: i64,
    /// The longest time that does not mark: times count in whole ns.
    step: Step,
    coupling: u64,
    drop_overload: bool,
    wraps: bool,
    /// The backlog below which nothing is drawn.
    least_backlog: u64,
    probability: u64,
    last_ns: i64,
}

fn ns(span: Span) -> i64 {
    (span.as_ps() / 1000) as i64
}

impl LinuxControl {
    pub(super) fn new(config: &DualPi2Config) -> LinuxControl {
        let scaled = |weight: u32| (((u64::from(weight) * ONE) >> 2) / 1_000_000_000) as i64;
        LinuxControl {
            target_ns: ns(config.target),
            alpha: scaled(config.alpha),
            beta: scaled(config.beta),
            step: match config.step {
                Step::Sojourn(most) => {
                    Step::Sojourn(Span::from_ps(most.as_ps() / 1000 * 1000 + 999))
                }
                packets => packets,
            },
            coupling: u64::from(config.coupling.max(1)),
            drop_overload: config.drop_overload,
            wraps: config.wraps,
            least_backlog: 2 * config.mtu.get(),
            probability: 0,
            last_ns: 0,
        }
    }

    pub(super) fn probability(&self) -> f64 {
        self.probability as f64 / WHOLE as f64
    }

    /// True if an update changes nothing until a packet arrives.
    pub(super) fn is_at_rest(&self) -> bool {
        self.probability == 0 && self.last_ns == 0
    }

    /// Updates the probability by the delay of the older of the two heads.
    pub(super) fn update(&mut self, delay: Span) {
        let delay = ns(delay);
        let delta = (delay - self.target_ns) * self.alpha + (delay - self.last_ns) * self.beta;
        self.last_ns = delay;
        let delta = delta / 64;
        let changed = self.probability as i64 + delta;
        self.probability = if self.wraps {
            wrapped(self.probability, delta)
        } else {
            changed.clamp(0, ONE as i64) as u64
        };
        if !self.drop_overload {
            self.probability = self.probability.min(ONE / self.coupling);
        }
    }

    /// Decides on a packet by a draw.
    #[inline(always)]
    pub(super) fn draw(&mut self, drawn: &Drawn, chance: &mut dyn Chance) -> Fate {
        if drawn.backlog < self.least_backlog {
            return Fate::Pass;
        }
        let coupled = self.probability * self.coupling;
        let is_overloaded = coupled > ONE;
        let may_mark = drawn.ecn.is_capable() && !is_overloaded;
        match drawn.class {
            Class::Classic if may_mark => {
                if self.squared(drawn, Signal::Mark, chance) {
                    Fate::Mark(Mark::Probability)
                } else {
                    Fate::Pass
                }
            }
            Class::Classic => {
                if self.squared(drawn, Signal::Drop, chance) {
                    Fate::Drop
                } else {
                    Fate::Pass
                }
            }
            Class::L4s if !is_overloaded => {
                if chance.strikes(drawn.key, Signal::Mark, coupled + 1, WHOLE) {
                    Fate::Mark(Mark::Coupled)
                } else {
                    Fate::Pass
                }
            }
            Class::L4s => {
                let drops = self.drop_overload && self.squared(drawn, Signal::Drop, chance);
                if drops {
                    Fate::Drop
                } else {
                    Fate::Mark(Mark::Forced)
                }
            }
        }
    }

    /// Draws for a departing packet, unless that was done on arrival, and marks it by the step.
    #[inline(always)]
    pub(super) fn leave(&mut self, drawn: &Drawn, draws: bool, chance: &mut dyn Chance) -> Fate {
        let fate = if draws {
            self.draw(drawn, chance)
        } else {
            Fate::Pass
        };
        let is_above = drawn
            .native
            .is_some_and(|(sojourn, behind)| match self.step {
                Step::Sojourn(most) => sojourn > most,
                Step::Packets(most) => behind > most,
            });
        match fate {
            Fate::Pass if is_above => Fate::Mark(Mark::Threshold),
            fate => fate,
        }
    }

    /// Decides by two draws, so that the probability is squared.
    #[inline]
    fn squared(&self, drawn: &Drawn, signal: Signal, chance: &mut dyn Chance) -> bool {
        let mut strikes = || chance.strikes(drawn.key, signal, self.probability + 1, WHOLE);
        strikes() && strikes()
    }
}

/// Linux's sum in 32 bits: a decrease by one or more leaves only the remainder.
fn wrapped(probability: u64, delta: i64) -> u64 {
    let before = probability as u32;
    let after = before.wrapping_add(delta as u32);
    let has_wrapped = if delta > 0 {
        after < before
    } else {
        after > before
    };
    match (has_wrapped, delta > 0) {
        (false, _) => after.into(),
        (true, true) => ONE,
        (true, false) => 0,
    }
}
