//! DualPI2 as in the pseudocode of RFC 9332, appendix A.

use pacesim_units::Span;

use super::{Class, Drawn, DualPi2Config, Step};
use crate::chance::Chance;
use crate::fate::Fate;
use crate::queue::Mark;

/// The number of packets beyond which the step of the L4S queue applies.
const LEAST_BEHIND: u32 = 1;

/// The state of the control. Times are in seconds.
#[derive(Clone, Debug)]
pub(super) struct RfcControl {
    target: f64,
    alpha: f64,
    beta: f64,
    step: Step,
    coupling: f64,
    drop_overload: bool,
    probability: f64,
    last: f64,
    /// The accumulated probabilities without a signal, for the classic queue and for L4S.
    classic: f64,
    l4s: f64,
}

impl RfcControl {
    pub(super) fn new(config: &DualPi2Config) -> RfcControl {
        RfcControl {
            target: config.target.as_secs_f64(),
            alpha: f64::from(config.alpha) / 256.0,
            beta: f64::from(config.beta) / 256.0,
            step: config.step,
            coupling: f64::from(config.coupling.max(1)),
            drop_overload: config.drop_overload,
            probability: 0.0,
            last: 0.0,
            classic: 0.0,
            l4s: 0.0,
        }
    }

    pub(super) fn probability(&self) -> f64 {
        self.probability
    }

    /// True if an update changes nothing until a packet arrives.
    pub(super) fn is_at_rest(&self) -> bool {
        self.probability == 0.0 && self.last == 0.0
    }

    /// Updates the base probability (figure 6).
    pub(super) fn update(&mut self, delay: Span) {
        let delay = delay.as_secs_f64();
        let change = self.alpha * (delay - self.target) + self.beta * (delay - self.last);
        let most = if self.drop_overload {
            1.0
        } else {
            1.0 / self.coupling
        };
        self.probability = (self.probability + change).clamp(0.0, most);
        self.last = delay;
    }

    /// Decides on a packet at its arrival.
    pub(super) fn draw(&mut self, drawn: &Drawn, chance: &mut dyn Chance) -> Fate {
        self.leave(drawn, true, chance)
    }

    /// Decides on a departing packet (figures 4 and 7, with overload).
    #[inline(always)]
    pub(super) fn leave(&mut self, drawn: &Drawn, draws: bool, _chance: &mut dyn Chance) -> Fate {
        let base = if draws { self.probability } else { 0.0 };
        let (squared, coupled) = (base * base, base * self.coupling);
        let is_overloaded = coupled >= 1.0;
        match drawn.class {
            Class::Classic => match recurs(&mut self.classic, squared) {
                false => Fate::Pass,
                true if drawn.ecn.is_capable() && !is_overloaded => Fate::Mark(Mark::Probability),
                true => Fate::Drop,
            },
            Class::L4s if is_overloaded => {
                if self.drop_overload && recurs(&mut self.l4s, squared) {
                    Fate::Drop
                } else {
                    self.mark_if_recurs(coupled.min(1.0), Mark::Forced)
                }
            }
            Class::L4s => match self.native(drawn) {
                native if native > coupled => self.mark_if_recurs(native, Mark::Threshold),
                _ => self.mark_if_recurs(coupled, Mark::Coupled),
            },
        }
    }

    fn mark_if_recurs(&mut self, likelihood: f64, mark: Mark) -> Fate {
        if recurs(&mut self.l4s, likelihood) {
            Fate::Mark(mark)
        } else {
            Fate::Pass
        }
    }

    /// The marking probability of the L4S queue itself: a ramp from two thirds of the step (figure
    /// 4).
    fn native(&self, drawn: &Drawn) -> f64 {
        let Some((sojourn, behind)) = drawn.native else {
            return 0.0;
        };
        match self.step {
            Step::Packets(most) => f64::from(u8::from(behind > most)),
            Step::Sojourn(_) if behind < LEAST_BEHIND => 0.0,
            Step::Sojourn(top) => {
                let (top, sojourn) = (top.as_secs_f64(), sojourn.as_secs_f64());
                let bottom = top * 2.0 / 3.0;
                ((sojourn - bottom) / (top - bottom)).clamp(0.0, 1.0)
            }
        }
    }
}

/// True each time the accumulated likelihoods of packets reach one more (figure 5).
fn recurs(sum: &mut f64, likelihood: f64) -> bool {
    *sum += likelihood;
    let recurs = *sum > 1.0;
    if recurs {
        *sum -= 1.0;
    }
    recurs
}
