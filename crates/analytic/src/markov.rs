//! Any finite chain of short steps: elimination without subtraction.
//!
//! The recursions of [`bulk`](crate::bulk) and [`bulk_det`](crate::bulk_det) need
//! a chain that goes down one state at a time. For all others (service in bulks,
//! rates that depend on the state) this solver eliminates the states from the
//! top (Grassmann, Taksar and Heyman 1985). It uses only additions,
//! multiplications and divisions of positive numbers, so no digit cancels; time is
//! states × up × down, memory states × (up + down).
//!
//! ```
//! use pacesim_analytic::markov::Banded;
//!
//! // Two servers: down at twice the rate once two are busy.
//! let mut chain = Banded::new(4, 1, 1);
//! for n in 0..3 {
//!     chain.add(n, n + 1, 1.0);
//!     chain.add(n + 1, n, 1.0_f64.max(n as f64 + 1.0).min(2.0));
//! }
//! let p = chain.stationary()?;
//! assert!((p.probabilities()[3] - 0.25 / 2.75).abs() < 1e-15);
//! # Ok::<(), pacesim_analytic::SolveError>(())
//! ```

use crate::SolveError;
use crate::stationary::{Recent, Stationary, Weights};

/// A chain over `0..states` that moves at most `down` states down and `up` up.
#[derive(Clone, Debug)]
pub struct Banded {
    states: usize,
    down: usize,
    up: usize,
    /// Row by row, each from `state - down` to `state + up`.
    rates: Vec<f64>,
}

impl Banded {
    /// A chain without any transition yet. Panics without a state.
    pub fn new(states: usize, down: usize, up: usize) -> Banded {
        assert!(states > 0, "a chain has at least one state");
        let (down, up) = (down.min(states - 1), up.min(states - 1));
        Banded {
            states,
            down,
            up,
            rates: vec![0.0; states * (down + up + 1)],
        }
    }

    /// Adds to the rate (or probability) of a transition. Panics outside the band or for a negative
    /// rate; a transition to the state itself is ignored.
    pub fn add(&mut self, from: usize, to: usize, rate: f64) {
        assert!(rate >= 0.0 && rate.is_finite(), "rates are not negative");
        assert!(from < self.states && to < self.states, "both are states");
        assert!(
            to + self.down >= from && to <= from + self.up,
            "in the band"
        );
        if from != to {
            *self.rate(from, to) += rate;
        }
    }

    /// The long-run distribution. An error if some state cannot reach a lower one.
    pub fn stationary(mut self) -> Result<Stationary, SolveError> {
        for state in (1..self.states).rev() {
            self.eliminate(state)?;
        }
        let mut weights = Weights::with_capacity(self.states);
        let mut recent = Recent::new(self.states, self.up);
        let mut weight = 1.0;
        for state in 0..self.states {
            if state > 0 {
                weight = self.inflow(&recent, state);
            }
            if weight == 0.0 {
                return Err(SolveError::Reducible { state: state - 1 });
            }
            recent.push(weight);
            if let Some(factor) = weights.push(weight) {
                recent.scale(factor);
            }
        }
        Ok(weights.normalise())
    }

    fn rate(&mut self, from: usize, to: usize) -> &mut f64 {
        &mut self.rates[from * (self.down + self.up + 1) + to + self.down - from]
    }

    /// Redirects transitions to `state` to its successors.
    fn eliminate(&mut self, state: usize) -> Result<(), SolveError> {
        let below = state.saturating_sub(self.down)..state;
        let out: f64 = below.clone().map(|to| *self.rate(state, to)).sum();
        if out == 0.0 {
            return Err(SolveError::Reducible { state });
        }
        for from in state.saturating_sub(self.up)..state {
            let into = self.rate(from, state);
            *into /= out;
            let share = *into;
            if share > 0.0 {
                for to in below.clone() {
                    let onward = *self.rate(state, to);
                    *self.rate(from, to) += share * onward;
                }
            }
        }
        Ok(())
    }

    fn inflow(&mut self, recent: &Recent, state: usize) -> f64 {
        (state.saturating_sub(self.up)..state)
            .map(|from| recent.get(from) * *self.rate(from, state))
            .sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_with_an_absorbing_part_is_refused() {
        let mut stuck_above = Banded::new(3, 1, 1);
        stuck_above.add(0, 1, 1.0);
        stuck_above.add(1, 2, 1.0);
        stuck_above.add(1, 0, 1.0);
        let error = stuck_above.stationary().unwrap_err();
        assert_eq!(error, SolveError::Reducible { state: 2 });
        let mut never_up = Banded::new(2, 1, 1);
        never_up.add(1, 0, 1.0);
        assert!(never_up.stationary().is_err());
    }
}
