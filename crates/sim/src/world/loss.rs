//! Random loss on wires.

use pacesim_core::net::LossProcess;

use crate::model::Loss;

/// A loss model that loses nothing, for a link that may get some loss later.
pub(super) const LOSSLESS: Loss = Loss::Bernoulli { probability: 0.0 };

pub(super) fn loss_process(loss: &Loss, stream: pacesim_core::random::Stream) -> LossProcess {
    match *loss {
        Loss::Bernoulli { probability } => LossProcess::bernoulli(probability, stream),
        Loss::GilbertElliott {
            to_bad,
            to_good,
            loss_good,
            loss_bad,
        } => LossProcess::gilbert_elliott(to_bad, to_good, loss_good, loss_bad, stream),
    }
}
