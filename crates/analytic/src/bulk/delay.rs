//! How long a bulk stays: from its arrival until its last customer is served.

use super::{Admission, BulkQueue, Bulks};
use crate::numeric;
use crate::stationary::Stationary;

/// The time an admitted bulk spends until the last of what was taken of it is
/// served: a mixture of Erlang times over what it finds on arrival.
#[derive(Clone, Debug)]
pub struct Sojourn {
    service_rate: f64,
    /// `more_than[n]`: the chance that more than `n` services are needed.
    more_than: Vec<f64>,
}

impl Sojourn {
    /// Of a class in a queue whose distribution is `found`.
    pub fn exponential(queue: &BulkQueue, found: &Stationary, class: &Bulks) -> Sojourn {
        Sojourn {
            service_rate: queue.service_rate,
            more_than: services_needed(queue, found, class),
        }
    }

    /// The mean.
    pub fn mean(&self) -> f64 {
        numeric::sum(self.more_than.iter().copied()) / self.service_rate
    }

    /// The chance to stay longer than `t`: more services are needed than a
    /// Poisson stream of them completes by then.
    pub fn longer_than(&self, t: f64) -> f64 {
        let (first, weights) = numeric::poisson_around(self.service_rate * t);
        let needed = self.more_than.iter().skip(first);
        numeric::sum(weights.iter().zip(needed).map(|(w, m)| w * m))
    }

    /// The time that is exceeded with chance `1 - share`; `share` below one.
    pub fn percentile(&self, share: f64) -> f64 {
        let not_yet = |t: f64| self.longer_than(t) > 1.0 - share;
        let mut high = self.mean();
        while not_yet(high) {
            high *= 2.0;
        }
        let exact = numeric::last_where(0.0, 1.0, |x| not_yet(x * high));
        exact * high
    }
}

/// Given that the bulk is admitted: the chance that more than `n` customers
/// must be served until its last one is, for n = 0, 1, ...
pub(crate) fn services_needed(queue: &BulkQueue, found: &Stationary, class: &Bulks) -> Vec<f64> {
    let places = queue.places;
    let last = queue.last_admitting(class);
    let mut exactly = vec![0.0; places + 1];
    for (n, p) in found.probabilities()[..=last].iter().enumerate() {
        let taken = match queue.admission {
            Admission::CompleteRejection => class.size,
            Admission::PartialAcceptance => class.size.min(places - n),
        };
        exactly[n + taken] += p;
    }
    let admitted = numeric::sum(exactly.iter().copied());
    let mut above = numeric::Sum::default();
    let mut more_than = vec![0.0; places];
    for n in (0..places).rev() {
        above.add(exactly[n + 1] / admitted);
        more_than[n] = above.value();
    }
    more_than
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mm1k(load: f64, places: usize) -> BulkQueue {
        BulkQueue {
            places,
            service_rate: 2.0,
            classes: vec![Bulks {
                rate: 2.0 * load,
                size: 1,
            }],
            admission: Admission::CompleteRejection,
        }
    }

    #[test]
    fn in_a_large_room_the_stay_is_exponential() {
        // M/M/1: the sojourn is exponential with rate mu - lambda.
        let queue = mm1k(0.5, 400);
        let solution = queue.solve().unwrap();
        let stay = Sojourn::exponential(&queue, &solution.queue, &queue.classes[0]);
        assert!((stay.mean() - 1.0).abs() < 1e-12);
        assert!((stay.longer_than(3.0) / libm::exp(-3.0) - 1.0).abs() < 1e-12);
        assert!((stay.percentile(0.99) / libm::log(100.0) - 1.0).abs() < 1e-10);
    }

    #[test]
    fn mean_stay_of_single_customers_obeys_littles_law() {
        let queue = mm1k(0.9, 10);
        let solution = queue.solve().unwrap();
        let stay = Sojourn::exponential(&queue, &solution.queue, &queue.classes[0]);
        assert!((stay.mean() / solution.mean_customer_delay - 1.0).abs() < 1e-13);
    }
}
