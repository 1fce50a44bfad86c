//! Models of random loss on a wire.

use pacesim_units::Time;

use super::Packet;
use crate::random::{Stream, unit_below_one};

/// A model of losses on a wire, for one link.
pub trait LossModel: Send {
    /// True if this packet is lost, which reaches the far end of the wire now. Asked once for each,
    /// in their order.
    fn loses(&mut self, now: Time, packet: &Packet) -> bool;
}

/// A loss process with its own random numbers; one step for each packet transmitted.
pub struct LossProcess(Process);

enum Process {
    Chain(Chain),
    Own(Box<dyn LossModel>),
}

/// The Gilbert–Elliott chain, with independent losses as its case of one state.
#[derive(Debug)]
struct Chain {
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
        LossProcess(Process::Chain(Chain {
            to_bad: 0.0,
            to_good: 0.0,
            loss_good: probability,
            loss_bad: probability,
            bad: false,
            random,
        }))
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
        LossProcess(Process::Chain(Chain {
            to_bad,
            to_good,
            loss_good,
            loss_bad,
            bad,
            random,
        }))
    }

    /// A loss process that follows the caller's own model.
    pub fn own(model: Box<dyn LossModel>) -> LossProcess {
        LossProcess(Process::Own(model))
    }

    /// True if this packet is lost.
    pub(crate) fn loses(&mut self, now: Time, packet: &Packet) -> bool {
        match &mut self.0 {
            Process::Chain(chain) => chain.next_is_lost(),
            Process::Own(model) => model.loses(now, packet),
        }
    }
}

impl Chain {
    /// True if the next packet is lost.
    fn next_is_lost(&mut self) -> bool {
        let (loss, leave) = if self.bad {
            (self.loss_bad, self.to_good)
        } else {
            (self.loss_good, self.to_bad)
        };
        let lost = unit_below_one(&mut self.random) < loss;
        if leave > 0.0 && unit_below_one(&mut self.random) < leave {
            self.bad = !self.bad;
        }
        lost
    }
}

impl std::fmt::Debug for LossProcess {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.0 {
            Process::Chain(chain) => chain.fmt(f),
            Process::Own(_) => f.write_str("LossModel"),
        }
    }
}
