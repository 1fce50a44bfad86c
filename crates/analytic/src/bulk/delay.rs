//! Sojourn of a bulk: from its arrival until its last customer is served.

use super::{Admission, BulkQueue, Bulks};
use crate::Service;
use crate::numeric;
use crate::stationary::Stationary;

/// The time from a bulk's admission until the last of its admitted customers is served; see
/// [`Service::sojourn`].
#[derive(Clone, Debug)]
pub struct Sojourn {
    service_rate: f64,
    service: Service,
    /// `more_than[n]`: the probability that more than `n` services are needed.
    more_than: Vec<f64>,
}

impl Sojourn {
    /// Exponential service: a mixture of Erlang times. Deterministic service is
    /// counted whole: with k services to wait for, one of them perhaps begun, the
    /// stay ends in the k-th.
    pub(crate) fn new(
        service: Service,
        queue: &BulkQueue,
        found: &Stationary,
        class: &Bulks,
    ) -> Sojourn {
        Sojourn {
            service_rate: queue.service_rate,
            service,
            more_than: services_needed(queue, found, class),
        }
    }

    /// The mean number of services to wait for, including its own.
    pub(crate) fn mean_services(&self) -> f64 {
        numeric::sum(self.more_than.iter().copied())
    }

    /// The probability of a sojourn longer than `t`. For exponential service: more services are
    /// needed than a Poisson stream of them completes by then. For deterministic service `t` is
    /// rounded down to whole services.
    pub fn longer_than(&self, t: f64) -> f64 {
        let services = self.service_rate * t;
        if self.service == Service::Deterministic {
            let whole = services as usize;
            return self.more_than.get(whole).copied().unwrap_or(0.0);
        }
        let (first, weights) = numeric::poisson_around(services);
        let needed = self.more_than.iter().skip(first);
        numeric::sum(weights.iter().zip(needed).map(|(w, m)| w * m))
    }

    /// The time exceeded with probability `1 - share` (for deterministic service: rounded up to a
    /// whole service); `share` below one.
    pub fn percentile(&self, share: f64) -> f64 {
        if self.service == Service::Deterministic {
            let services = self.more_than.partition_point(|m| *m > 1.0 - share);
            return services as f64 / self.service_rate;
        }
        let not_yet = |t: f64| self.longer_than(t) > 1.0 - share;
        let mut high = self.mean_services() / self.service_rate;
        while not_yet(high) {
            high *= 2.0;
        }
        let exact = numeric::last_where(0.0, 1.0, |x| not_yet(x * high));
        exact * high
    }
}

/// The probability that more than `n` customers must be served until the last one of an admitted
/// bulk is, for n = 0, 1, ...
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
        let stay = Service::Exponential.sojourn(&queue, &solution.queue, &queue.classes[0]);
        assert!(
            (stay.mean_services() - 2.0).abs() < 1e-12,
            "{:?}",
            stay.mean_services()
        );
        assert!(
            (stay.longer_than(3.0) / libm::exp(-3.0) - 1.0).abs() < 1e-12,
            "{:?} and {:?}",
            stay.longer_than(3.0),
            libm::exp(-3.0)
        );
        assert!(
            (stay.percentile(0.99) / libm::log(100.0) - 1.0).abs() < 1e-10,
            "{:?} and {:?}",
            stay.percentile(0.99),
            libm::log(100.0)
        );
    }

    #[test]
    fn mean_stay_of_single_customers_obeys_littles_law() {
        let queue = mm1k(0.9, 10);
        let solution = queue.solve().unwrap();
        let stay = Service::Exponential.sojourn(&queue, &solution.queue, &queue.classes[0]);
        assert!(
            (stay.mean_services() / 2.0 / solution.mean_customer_delay - 1.0).abs() < 1e-13,
            "{:?} and {:?}",
            stay.mean_services(),
            2.0 / solution.mean_customer_delay
        );
    }
}
