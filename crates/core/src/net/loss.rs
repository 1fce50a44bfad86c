//! Random loss on a wire.

use crate::random::{Stream, unit_below_one};

/// A loss process with its own random numbers; one step for each packet transmitted.
#[derive(Clone, Debug)]
pub struct LossProcess {
    to_bad: f64,
    to_good: f64,
    loss_good: f64,
    loss_bad: f64,
    bad: bool,
    random: Stream,
}

impl LossProcess {
    /// Loses each packet independently with this probability.
    pub fn bernoulli(probability: f64, random: Stream) -> LossProcess {
        LossProcess {
            to_bad: 0.0,
            to_good: 0.0,
            loss_good: probability,
            loss_bad: probability,
            bad: false,
            random,
        }
    }

    /// The Gilbert–Elliott chain: it starts in its stationary state, loses each packet with the
    /// probability of its state, and then moves.
    pub fn gilbert_elliott(
        to_bad: f64,
        to_good: f64,
        loss_good: f64,
        loss_bad: f64,
        mut random: Stream,
    ) -> LossProcess {
        let share_bad = if to_bad > 0.0 {
            to_bad / (to_bad + to_good)
        } else {
            0.0
        };
        let bad = unit_below_one(&mut random) < share_bad;
        LossProcess {
            to_bad,
            to_good,
            loss_good,
            loss_bad,
            bad,
            random,
        }
    }

    /// True if the next packet is lost.
    pub(crate) fn next_is_lost(&mut self) -> bool {
        let (loss, leave) = match self.bad {
            false => (self.loss_good, self.to_bad),
            true => (self.loss_bad, self.to_good),
        };
        let lost = unit_below_one(&mut self.random) < loss;
        if leave > 0.0 && unit_below_one(&mut self.random) < leave {
            self.bad = !self.bad;
        }
        lost
    }
}
