//! Service times, and the resulting bulk queue.

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
    /// The stationary bulk queue under this service.
    pub fn solve(self, queue: &BulkQueue) -> Result<BulkSolution, SolveError> {
        match self {
            Service::Exponential => queue.solve(),
            Service::Deterministic => bulk_det::solve(queue),
        }
    }

    /// The sojourn of an admitted bulk of `class`, until its last customer is served, in a queue
    /// with the distribution `found` under this service.
    pub fn sojourn(self, queue: &BulkQueue, found: &Stationary, class: &Bulks) -> Sojourn {
        Sojourn::new(self, queue, found, class)
    }
}
