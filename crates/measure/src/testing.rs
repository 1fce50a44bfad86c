//! A small fixed generator for tests, which makes a random crate unnecessary, and a queue with a
//! known solution.

/// xorshift64*: enough for tests, the same on every machine.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        // The first outputs of nearby seeds are similar.
        for _ in 0..16 {
            random.bits();
        }
        random
    }

    pub(crate) fn bits(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// Draws a number uniformly from (0, 1).
    pub(crate) fn uniform(&mut self) -> f64 {
        ((self.bits() >> 12) as f64 + 0.5) / (1u64 << 52) as f64
    }

    /// Draws an exponential number of mean 1.
    pub(crate) fn exponential(&mut self) -> f64 {
        -libm::log(self.uniform())
    }

    /// Draws a standard normal number (Box-Muller).
    pub(crate) fn normal(&mut self) -> f64 {
        let radius = (2.0 * self.exponential()).sqrt();
        radius * libm::cos(2.0 * std::f64::consts::PI * self.uniform())
    }
}

/// An M/M/1/K queue in steps of its embedded chain, with K = 10 places including the server, at a
/// load of 0.8. It starts empty; the mean service time is 1.
pub(crate) struct Queue {
    random: Random,
    number: u32,
    /// Time to the next change.
    left: f64,
}

impl Queue {
    const PLACES: u32 = 10;
    const LOAD: f64 = 0.8;

    pub(crate) fn new(seed: u64) -> Queue {
        let mut queue = Queue {
            random: Random::new(seed),
            number: 0,
            left: 0.0,
        };
        queue.left = queue.stay();
        queue
    }

    /// A seed for an independent queue.
    pub(crate) fn seed_of_next(&mut self) -> u64 {
        self.random.bits()
    }

    /// The mean of the closed form: p(n) is proportional to load^n.
    pub(crate) fn mean_number() -> f64 {
        let weight = |n: u32| libm::pow(Queue::LOAD, f64::from(n));
        let total: f64 = (0..=Queue::PLACES).map(weight).sum();
        let sum: f64 = (0..=Queue::PLACES).map(|n| f64::from(n) * weight(n)).sum();
        sum / total
    }

    /// The mean number over the next `time` service times.
    pub(crate) fn mean_over(&mut self, time: f64) -> f64 {
        let (mut area, mut ahead) = (0.0, time);
        while self.left <= ahead {
            area += f64::from(self.number) * self.left;
            ahead -= self.left;
            self.change();
        }
        self.left -= ahead;
        (area + f64::from(self.number) * ahead) / time
    }

    /// Returns the current number and its duration, and advances past it.
    pub(crate) fn step(&mut self) -> (u32, f64) {
        let now = (self.number, self.left);
        self.change();
        now
    }

    /// The rates of arrivals and departures.
    fn rates(&self) -> (f64, f64) {
        let comes = if self.number < Queue::PLACES {
            Queue::LOAD
        } else {
            0.0
        };
        let goes = if self.number > 0 { 1.0 } else { 0.0 };
        (comes, goes)
    }

    fn stay(&mut self) -> f64 {
        let (comes, goes) = self.rates();
        self.random.exponential() / (comes + goes)
    }

    fn change(&mut self) {
        let (comes, goes) = self.rates();
        if self.random.uniform() * (comes + goes) < comes {
            self.number += 1
        } else {
            self.number -= 1
        }
        self.left = self.stay();
    }
}
