//! Finite buffer, several Poisson classes, each arrival a bulk: `M^[X]/M/1/B`.
//!
//! A place holds one unit of work (one customer), each served in an exponential
//! time. Class `c` arrives as a Poisson stream of bulks of `size` customers.
//! The chain goes up by whole bulks and down one by one, so the flow over the
//! cut between `j` and `j + 1` gives the stationary vector in one pass
//! (generalising zerobuf eq. 5–9):
//!
//! ```text
//! µ p(j+1) = Σ_c λ_c Σ p(i)   over j − size_c < i ≤ j from which the class is admitted
//! ```
//!
//! Every term is positive and nothing is subtracted, so each probability is accurate to its last
//! digits, also deep in the tail; the inner sums slide in constant time, so the whole takes time
//! linear in states × classes whatever the bulk sizes. A bulk of random size is several classes,
//! one for each size (a Poisson stream split at random is again Poisson).
//!
//! ```
//! use pacesim_analytic::bulk::{Admission, BulkQueue, Bulks};
//!
//! // zerobuf Fig. 9: 3 KB of 200-byte places, UDP of one place, TCP of five.
//! let queue = BulkQueue {
//!     places: 15,
//!     service_rate: 1.0,
//!     classes: vec![Bulks { rate: 0.05, size: 1 }, Bulks { rate: 0.0655, size: 5 }],
//!     admission: Admission::CompleteRejection,
//! };
//! let solution = queue.solve()?;
//! assert_eq!(solution.queue.len(), 16);
//! assert!(solution.classes[1].loss_bulks > solution.classes[0].loss_bulks);
//! # Ok::<(), pacesim_analytic::SolveError>(())
//! ```

mod balance;
mod bytes;
mod delay;
mod window;

pub use bytes::{ByteClass, ByteQueue, Room};
pub use delay::Sojourn;

use crate::error::require;
use crate::numeric;
use crate::stationary::{Stationary, Weights};
use crate::{Range, SolveError};
use window::SlidingSum;

/// The fate of a bulk that does not fit whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Admission {
    /// The bulk is lost whole.
    CompleteRejection,
    /// The part that fits is taken, the rest is lost.
    PartialAcceptance,
}

/// One class: bulks of `size` customers arriving at `rate`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bulks {
    /// Bulks per unit of time.
    pub rate: f64,
    /// Customers in a bulk.
    pub size: usize,
}

/// A queue at which customers arrive in bulks.
#[derive(Clone, Debug, PartialEq)]
pub struct BulkQueue {
    /// Customers that find room, the one in service included.
    pub places: usize,
    /// Customers served per unit of time (for deterministic service: the reciprocal of the service
    /// time).
    pub service_rate: f64,
    /// The classes of bulks.
    pub classes: Vec<Bulks>,
    /// The fate of a bulk that does not fit.
    pub admission: Admission,
}

/// The stationary behaviour of a queue.
#[derive(Clone, Debug)]
pub struct BulkSolution {
    /// The number of customers at any time (and, as Poisson arrivals see time averages, at the
    /// arrival of a bulk).
    pub queue: Stationary,
    /// One for each class, in the order given.
    pub classes: Vec<ClassLoss>,
    /// The share of time in which the server works.
    pub utilisation: f64,
    /// Mean sojourn of a served customer (Little's law).
    pub(crate) mean_customer_delay: f64,
}

/// The losses of one class.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClassLoss {
    /// Customers in a bulk.
    pub size: usize,
    /// The probability that a bulk loses any customer.
    pub loss_bulks: f64,
    /// Its natural logarithm, exact even where the probability itself underflows.
    pub ln_loss_bulks: f64,
    /// The share of customers lost.
    pub loss_customers: f64,
}

impl BulkQueue {
    /// Offered customers per service: above one, the queue is overloaded.
    pub fn load(&self) -> f64 {
        self.arrivals() / self.service_rate
    }

    /// The long run under exponential service.
    pub fn solve(&self) -> Result<BulkSolution, SolveError> {
        self.check()?;
        Ok(self.measures(self.stationary()))
    }

    /// Offered customers per unit of time.
    fn arrivals(&self) -> f64 {
        numeric::sum(self.classes.iter().map(|c| c.rate * c.size as f64))
    }

    /// The fullest state from which the class gets any customer in; only whole bulks under complete
    /// rejection.
    pub(crate) fn last_admitting(&self, class: &Bulks) -> usize {
        match self.admission {
            Admission::CompleteRejection => self.places - class.size,
            Admission::PartialAcceptance => self.places - 1,
        }
    }

    /// The limit on states, so that a distribution fits the memory of most machines.
    const MOST_PLACES: f64 = 1e7;

    /// Limits on arrival rates relative to the service rate: outside them, steps between
    /// neighbouring states would exceed the float range.
    const RELATIVE_RATE: Range = Range::closed(1e-60, 1e60);

    pub(crate) fn check(&self) -> Result<(), SolveError> {
        Range::closed(1.0, BulkQueue::MOST_PLACES).check("places", self.places as f64)?;
        Range::closed(1e-100, 1e100).check("service_rate", self.service_rate)?;
        for class in &self.classes {
            self.check_class(class)?;
        }
        require(
            self.arrivals() > 0.0,
            "some class arrives",
            || "all arrival rates are zero".to_owned(),
            || "at least one class with a rate above 0".to_owned(),
        )
    }

    fn check_class(&self, class: &Bulks) -> Result<(), SolveError> {
        Range::NON_NEGATIVE.check("rate", class.rate)?;
        if class.rate > 0.0 {
            let relative = class.rate / self.service_rate;
            BulkQueue::RELATIVE_RATE.check("rate / service_rate", relative)?;
        }
        require(
            (1..=self.places).contains(&class.size),
            "1 <= bulk size <= places",
            || format!("a bulk of {} with {} places", class.size, self.places),
            || format!("bulks of 1 to {} customers, or more places", self.places),
        )
    }

    /// The cut recursion of the module documentation.
    fn stationary(&self) -> Stationary {
        let mut weights = Weights::with_capacity(self.places + 1);
        let mut inflows: Vec<Inflow> = self.arriving().map(|c| Inflow::of(self, c)).collect();
        let mut p = 1.0;
        for j in 0..self.places {
            if let Some(factor) = weights.push(p) {
                p *= factor;
                inflows.iter_mut().for_each(|i| i.window.scale(factor));
            }
            p = inflows.iter_mut().map(|i| i.over_cut(j, p)).sum();
        }
        weights.push(p);
        weights.normalise()
    }

    /// The classes whose rate is above zero.
    pub(crate) fn arriving(&self) -> impl Iterator<Item = &Bulks> {
        self.classes.iter().filter(|c| c.rate > 0.0)
    }

    pub(crate) fn measures(&self, queue: Stationary) -> BulkSolution {
        let classes: Vec<ClassLoss> = self.classes.iter().map(|c| self.loss(&queue, c)).collect();
        let taken = self
            .classes
            .iter()
            .zip(&classes)
            .map(|(class, loss)| class.rate * class.size as f64 * (1.0 - loss.loss_customers));
        let throughput = numeric::sum(taken);
        BulkSolution {
            utilisation: queue.tail(1),
            mean_customer_delay: queue.mean() / throughput,
            classes,
            queue,
        }
    }

    fn loss(&self, queue: &Stationary, class: &Bulks) -> ClassLoss {
        let full = self.places - class.size + 1;
        let loss_bulks = queue.tail(full);
        let lost_share = |n: usize| (n + class.size - self.places) as f64 / class.size as f64;
        let loss_customers = match self.admission {
            Admission::CompleteRejection => loss_bulks,
            Admission::PartialAcceptance => {
                numeric::sum((full..=self.places).map(|n| queue.probabilities()[n] * lost_share(n)))
            }
        };
        ClassLoss {
            size: class.size,
            loss_bulks,
            ln_loss_bulks: queue.ln_tail(full),
            loss_customers,
        }
    }
}

/// One class's flow over the moving cut.
struct Inflow {
    /// Relative to the service rate.
    rate: f64,
    last_admitting: usize,
    window: SlidingSum,
}

impl Inflow {
    fn of(queue: &BulkQueue, class: &Bulks) -> Inflow {
        Inflow {
            rate: class.rate / queue.service_rate,
            last_admitting: queue.last_admitting(class),
            window: SlidingSum::new(class.size),
        }
    }

    /// The flow from `j` and below to above `j`, given the weight of `j`.
    fn over_cut(&mut self, j: usize, weight: f64) -> f64 {
        let admitted = if j <= self.last_admitting {
            weight
        } else {
            0.0
        };
        self.rate * self.window.slide(admitted)
    }
}
