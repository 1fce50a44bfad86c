//! How long one customer's service takes, and what follows for a bulk queue.

use crate::bulk::{BulkQueue, BulkSolution, Bulks, Sojourn};
use crate::{SolveError, Stationary, bulk_det};

/// The distribution of one customer's service time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Service {
    /// Exponentially distributed.
    Exponential,
    /// Always the same.
    Deterministic,
}

impl Service {
    /// What a bulk queue does in the long run under this service.
    pub fn solve(self, queue: &BulkQueue) -> Result<BulkSolution, SolveError> {
        match self {
            Service::Exponential => queue.solve(),
            Service::Deterministic => bulk_det::solve(queue),
        }
    }

    /// How long an admitted bulk of `class` stays, until its last customer is
    /// served, in a queue whose distribution under this service is `found`.
    pub fn sojourn(self, queue: &BulkQueue, found: &Stationary, class: &Bulks) -> Sojourn {
        Sojourn::new(self, queue, found, class)
    }
}
