//! Textbook queues, as yardsticks: M/M/1, M/D/1, M/G/1 and, with finite room, M/M/1/K and M/D/1/K.
//! Loads are arrival rate times mean service time; times are in mean service times. `places`
//! includes the customer in service.

use crate::bulk::{Admission, BulkQueue, Bulks};
use crate::{Range, SolveError, bulk_det, numeric};

/// Loss of M/M/1/K: `(1 - ρ) ρ^K / (1 - ρ^(K+1))`.
///
/// Written as a reciprocal sum of powers, which is as exact at ρ = 1 as elsewhere.
pub fn mm1k_loss(load: f64, places: usize) -> Result<f64, SolveError> {
    Range::POSITIVE.check("load", load)?;
    Range::at_least(1.0).check("places", places as f64)?;
    // Powers of the smaller of ρ and 1/ρ, so that none overflows.
    let down = load.min(1.0 / load);
    let mut power = 1.0;
    let mut total = numeric::Sum::default();
    for _ in 0..=places {
        total.add(power);
        power *= down;
    }
    let full = if load > 1.0 { 1.0 } else { power / down };
    Ok(full / total.value())
}

/// Loss of M/D/1/K by the embedded chain.
pub fn md1k_loss(load: f64, places: usize) -> Result<f64, SolveError> {
    Ok(bulk_det::solve(&singles(load, places))?.classes[0].loss_customers)
}

/// Single customers into `places`, one service per unit of time.
pub fn singles(load: f64, places: usize) -> BulkQueue {
    BulkQueue {
        places,
        service_rate: 1.0,
        classes: vec![Bulks {
            rate: load,
            size: 1,
        }],
        admission: Admission::CompleteRejection,
    }
}

/// Mean wait before service in M/G/1 (Pollaczek and Khinchine), in mean service
/// times: `ρ (1 + c²) / (2 (1 - ρ))`, `c²` the squared coefficient of variation
/// of the service time (0 deterministic, 1 exponential).
pub fn mg1_mean_wait(load: f64, service_scv: f64) -> Result<f64, SolveError> {
    Range::PROPER_SHARE.check("load", load)?;
    Range::NON_NEGATIVE.check("service_scv", service_scv)?;
    Ok(load * (1.0 + service_scv) / (2.0 * (1.0 - load)))
}

/// Mean wait before service in M/M/1, in mean service times.
pub fn mm1_mean_wait(load: f64) -> Result<f64, SolveError> {
    mg1_mean_wait(load, 1.0)
}

/// Mean wait before service in M/D/1, in service times.
pub fn md1_mean_wait(load: f64) -> Result<f64, SolveError> {
    mg1_mean_wait(load, 0.0)
}

/// Mean number in the system, from the mean wait by Little's law.
pub fn mean_in_system(load: f64, mean_wait: f64) -> f64 {
    load * (mean_wait + 1.0)
}
