//! The balance equations of the chain, as a check on any solution.

use super::BulkQueue;
use crate::stationary::Stationary;

impl BulkQueue {
    /// The largest violation of the chain's balance equations under exponential service (zerobuf
    /// eq. 5-9) by these probabilities: flow into a state per unit of time, less the flow out of
    /// it. It is independent of the recursion over cuts that solves the chain.
    pub(crate) fn imbalance(&self, queue: &Stationary) -> f64 {
        let p = queue.probabilities();
        let mut gain = vec![0.0; p.len()];
        for class in self.arriving() {
            for from in 0..=self.last_admitting(class) {
                let flow = class.rate * p[from];
                gain[from] -= flow;
                gain[(from + class.size).min(self.places)] += flow;
            }
        }
        for from in 1..p.len() {
            let flow = self.service_rate * p[from];
            gain[from] -= flow;
            gain[from - 1] += flow;
        }
        gain.into_iter().map(f64::abs).fold(0.0, f64::max)
    }
}

#[cfg(test)]
mod tests {
    use crate::bulk::{Admission, BulkQueue, Bulks};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_is_solved_is_in_balance_and_a_neighbour_is_not(
            places in 6usize..80,
            udp in 0.01..0.9,
            tcp in 0.01..0.3,
            is_partial: bool,
        ) {
            let queue = BulkQueue {
                places,
                service_rate: 1.0,
                classes: vec![Bulks { rate: udp, size: 1 }, Bulks { rate: tcp, size: 5 }],
                admission: if is_partial {
                    Admission::PartialAcceptance
                } else {
                    Admission::CompleteRejection
                },
            };
            let solved = queue.solve().expect("it is sound").queue;
            prop_assert!(queue.imbalance(&solved) < 1e-14);
            let mut other = queue.clone();
            other.classes[1].rate *= 1.01;
            prop_assert!(other.imbalance(&solved) > 1e-9);
        }
    }
}
