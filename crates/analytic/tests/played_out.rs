//! The queues simulated event by event: a test of the chains' meaning (admission, counting), which
//! a dense solve of the same chain cannot give.

use pacesim_analytic::Service;
use pacesim_analytic::bulk::{Admission, BulkQueue, Bulks};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

/// Random numbers that are the same everywhere.
struct Random(Xoshiro256PlusPlus);

impl Random {
    fn uniform(&mut self) -> f64 {
        self.0.random()
    }

    fn exponential(&mut self, rate: f64) -> f64 {
        -libm::log1p(-self.uniform()) / rate
    }
}

/// Totals of one stretch of time.
#[derive(Clone, Default)]
struct Counts {
    time: f64,
    customer_time: f64,
    offered: Vec<f64>,
    hurt: Vec<f64>,
    lost_customers: Vec<f64>,
    stay_over: Vec<f64>,
    admitted: Vec<f64>,
}

struct Play<'a> {
    queue: &'a BulkQueue,
    service: Service,
    /// A stay longer than this is counted.
    limit: f64,
    random: Random,
    now: f64,
    next_arrival: f64,
    next_departure: f64,
    /// The customers present; each the last of its bulk (class, arrival) or not.
    present: std::collections::VecDeque<Option<(usize, f64)>>,
}

impl Play<'_> {
    fn new(queue: &BulkQueue, service: Service, limit: f64) -> Play<'_> {
        Play {
            queue,
            service,
            limit,
            random: Random(Xoshiro256PlusPlus::seed_from_u64(2026)),
            now: 0.0,
            next_arrival: 0.0,
            next_departure: f64::INFINITY,
            present: std::collections::VecDeque::new(),
        }
    }

    fn stretch(&mut self, bulks: usize) -> Counts {
        let n = self.queue.classes.len();
        let mut counts = Counts {
            offered: vec![0.0; n],
            hurt: vec![0.0; n],
            lost_customers: vec![0.0; n],
            stay_over: vec![0.0; n],
            admitted: vec![0.0; n],
            ..Counts::default()
        };
        let mut arrived = 0;
        while arrived < bulks {
            let at = self.next_arrival.min(self.next_departure);
            counts.customer_time += (at - self.now) * self.present.len() as f64;
            counts.time += at - self.now;
            self.now = at;
            if self.next_departure <= self.next_arrival {
                self.depart(&mut counts);
            } else {
                self.arrive(&mut counts);
                arrived += 1;
            }
        }
        counts
    }

    fn depart(&mut self, counts: &mut Counts) {
        if let Some(Some((class, since))) = self.present.pop_front() {
            counts.admitted[class] += 1.0;
            counts.stay_over[class] += f64::from(u8::from(self.now - since > self.limit));
        }
        self.next_departure = f64::INFINITY;
        self.serve();
    }

    fn serve(&mut self) {
        if self.present.is_empty() || self.next_departure.is_finite() {
            return;
        }
        let rate = self.queue.service_rate;
        self.next_departure = self.now
            + match self.service {
                Service::Exponential => self.random.exponential(rate),
                Service::Deterministic => 1.0 / rate,
            };
    }

    fn arrive(&mut self, counts: &mut Counts) {
        let total: f64 = self.queue.classes.iter().map(|c| c.rate).sum();
        let mut pick = self.random.uniform() * total;
        let mut class = 0;
        while pick >= self.queue.classes[class].rate {
            pick -= self.queue.classes[class].rate;
            class += 1;
        }
        let size = self.queue.classes[class].size;
        let room = self.queue.places - self.present.len();
        let taken = match self.queue.admission {
            Admission::CompleteRejection if size > room => 0,
            _ => size.min(room),
        };
        counts.offered[class] += 1.0;
        counts.hurt[class] += f64::from(u8::from(taken < size));
        counts.lost_customers[class] += (size - taken) as f64;
        for i in 1..=taken {
            self.present
                .push_back((i == taken).then_some((class, self.now)));
        }
        self.serve();
        self.next_arrival = self.now + self.random.exponential(total);
    }
}

/// Mean and standard error of one ratio over the stretches.
fn estimate(stretches: &[Counts], ratio: impl Fn(&Counts) -> f64) -> (f64, f64) {
    let n = stretches.len() as f64;
    let values: Vec<f64> = stretches.iter().map(ratio).collect();
    let mean = values.iter().sum::<f64>() / n;
    let squares: f64 = values.iter().map(|v| (v - mean) * (v - mean)).sum();
    (mean, (squares / (n - 1.0) / n).sqrt())
}

/// Within 3.66 standard errors: 99.9 % of Student's t with 29 degrees of freedom.
#[track_caller]
fn assert_played(what: &str, closed: f64, (mean, error): (f64, f64)) {
    let distance = (closed - mean).abs();
    assert!(
        distance < 3.66 * error,
        "{what}: {closed} against {mean} ± {error}"
    );
}

fn judge(queue: &BulkQueue, service: Service) {
    let limit = 6.0 / queue.service_rate + 1e-9;
    let mut play = Play::new(queue, service, limit);
    play.stretch(20_000); // forget the empty start
    let stretches: Vec<Counts> = (0..30).map(|_| play.stretch(40_000)).collect();
    let solution = service.solve(queue).unwrap();
    let queued = estimate(&stretches, |c| c.customer_time / c.time);
    assert_played("mean queue", solution.queue.mean(), queued);
    for (i, class) in queue.classes.iter().enumerate() {
        let loss = &solution.classes[i];
        let bulks = estimate(&stretches, |c| c.hurt[i] / c.offered[i]);
        assert_played("bulks hurt", loss.loss_bulks, bulks);
        let size = class.size as f64;
        let customers = estimate(&stretches, |c| c.lost_customers[i] / c.offered[i] / size);
        assert_played("customers lost", loss.loss_customers, customers);
        let stay = service
            .sojourn(queue, &solution.queue, class)
            .longer_than(limit);
        let over = estimate(&stretches, |c| c.stay_over[i] / c.admitted[i]);
        assert_played("long stays", stay, over);
    }
}

fn mixture(admission: Admission) -> BulkQueue {
    BulkQueue {
        places: 12,
        service_rate: 2.0,
        classes: vec![Bulks { rate: 0.5, size: 1 }, Bulks { rate: 0.3, size: 4 }],
        admission,
    }
}

#[test]
fn whole_bulks_rejected_exponential_service() {
    judge(&mixture(Admission::CompleteRejection), Service::Exponential);
}

#[test]
fn whole_bulks_rejected_deterministic_service() {
    judge(
        &mixture(Admission::CompleteRejection),
        Service::Deterministic,
    );
}

#[test]
fn bulks_taken_in_part_exponential_service() {
    judge(&mixture(Admission::PartialAcceptance), Service::Exponential);
}

#[test]
fn bulks_taken_in_part_deterministic_service() {
    judge(
        &mixture(Admission::PartialAcceptance),
        Service::Deterministic,
    );
}
