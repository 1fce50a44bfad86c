//! The shortest remaining transfer first: M/G/1 under SRPT (Schrage and Miller, 1966).

use crate::{Range, SolveError};

/// A distribution of service times with a mean of 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Sizes {
    /// Exponentially distributed.
    Exponential,
    /// Pareto between two bounds: this exponent, and the largest over the smallest.
    Pareto {
        /// Exponent of the tail.
        shape: f64,
        /// The largest over the smallest.
        range: f64,
    },
}

/// The sizes up to one of them: their share, and their part of the first and second moment.
#[derive(Clone, Copy, Debug)]
struct Below {
    share: f64,
    first: f64,
    second: f64,
}

/// The mean delay of customers of one size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Delay {
    /// Service time.
    pub size: f64,
    /// The share of customers that are not larger.
    pub share: f64,
    /// Mean time from arrival to departure, in mean service times.
    pub mean: f64,
}

/// Number of sizes at which the integrals are taken.
const POINTS: usize = 40_000;

impl Sizes {
    /// The smallest and the largest size; those of the exponential are of no weight.
    fn bounds(self) -> (f64, f64) {
        match self {
            Sizes::Exponential => (1e-7, 60.0),
            Sizes::Pareto { shape, range } => {
                let least = 1.0 / pareto_part(shape, range, 1.0, range);
                (least, least * range)
            }
        }
    }

    fn below(self, x: f64) -> Below {
        match self {
            Sizes::Exponential => {
                let rest = libm::exp(-x);
                Below {
                    share: 1.0 - rest,
                    first: 1.0 - rest * (1.0 + x),
                    second: 2.0 - rest * (x * x + 2.0 * x + 2.0),
                }
            }
            Sizes::Pareto { shape, range } => {
                let (least, _) = self.bounds();
                let part = |power| pareto_part(shape, range, power, x / least);
                Below {
                    share: part(0.0),
                    first: part(1.0) * least,
                    second: part(2.0) * least * least,
                }
            }
        }
    }

    /// The second moment.
    pub fn second_moment(self) -> f64 {
        self.below(self.bounds().1).second
    }
}

/// The part of the moment of this power that sizes from 1 to `x` have, of a Pareto distribution from
/// 1 to `range`.
fn pareto_part(shape: f64, range: f64, power: f64, x: f64) -> f64 {
    let weight = shape / (1.0 - libm::pow(range, -shape));
    let exponent = power - shape;
    let integral = match exponent.abs() < 1e-12 {
        true => libm::log(x),
        false => (libm::pow(x, exponent) - 1.0) / exponent,
    };
    weight * integral
}

/// The mean delays by size, in the order of sizes: the wait until a customer's service begins,
/// `λ (∫₀ˣ t² dF + x² (1 − F(x))) / (2 (1 − ρ(x))²)`, and the time from there, `∫₀ˣ dt / (1 − ρ(t))`.
pub fn delays(load: f64, sizes: Sizes) -> Result<Vec<Delay>, SolveError> {
    Range::PROPER_SHARE.check("load", load)?;
    let (least, most) = sizes.bounds();
    let step = libm::pow(most / least, 1.0 / (POINTS - 1) as f64);
    let (mut x, mut in_service) = (least, least);
    let mut free_before = 1.0 - load * sizes.below(least).first;
    let delay = |_| {
        let below = sizes.below(x);
        let free = 1.0 - load * below.first;
        let rest = (1.0 - below.share).max(0.0);
        let wait = load * (below.second + x * x * rest) / (2.0 * free * free);
        let delay = Delay {
            size: x,
            share: below.share,
            mean: wait + in_service,
        };
        let next = x * step;
        free_before = 1.0 - load * sizes.below(next).first;
        in_service += (next - x) * (1.0 / free + 1.0 / free_before) / 2.0;
        x = next;
        delay
    };
    Ok((0..POINTS).map(delay).collect())
}

/// The mean over all customers of a function of their delays.
pub fn mean(delays: &[Delay], of: impl Fn(&Delay) -> f64) -> f64 {
    let first = delays[0].share * of(&delays[0]);
    let pairs = delays.windows(2);
    let between =
        pairs.map(|two| (two[1].share - two[0].share) * (of(&two[0]) + of(&two[1])) / 2.0);
    first + crate::numeric::sum(between)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mean_delay(load: f64, sizes: Sizes) -> f64 {
        mean(&delays(load, sizes).expect("a load below 1"), |delay| {
            delay.mean
        })
    }

    #[test]
    fn sizes_have_a_mean_of_one() {
        let pareto = |shape, range| Sizes::Pareto { shape, range };
        for sizes in [
            Sizes::Exponential,
            pareto(1.1, 1e6),
            pareto(1.0, 100.0),
            pareto(2.0, 10.0),
        ] {
            let all = sizes.below(sizes.bounds().1);
            assert!(
                (all.share - 1.0).abs() < 1e-9 && (all.first - 1.0).abs() < 1e-9,
                "{sizes:?}"
            );
        }
        assert!((Sizes::Exponential.second_moment() - 2.0).abs() < 1e-9);
    }

    #[test]
    fn nearly_equal_customers_wait_as_first_come_first_served() {
        let equal = Sizes::Pareto {
            shape: 1.5,
            range: 1.000_001,
        };
        let delay = mean_delay(0.8, equal);
        // M/D/1: 1 + 0.8 / (2 · 0.2).
        assert!((delay - 3.0).abs() < 1e-3, "{delay}");
        let alone = mean_delay(
            1e-9,
            Sizes::Pareto {
                shape: 1.2,
                range: 1e4,
            },
        );
        assert!((alone - 1.0).abs() < 1e-6, "{alone}");
    }

    #[test]
    fn delays_rise_with_sizes_and_are_less_than_first_come_first_served() {
        for sizes in [
            Sizes::Exponential,
            Sizes::Pareto {
                shape: 1.3,
                range: 1e4,
            },
        ] {
            let all = delays(0.8, sizes).expect("a load below 1");
            assert!(
                all.windows(2).all(|two| two[0].mean <= two[1].mean),
                "{sizes:?}"
            );
            let fcfs = 1.0 + 0.8 * sizes.second_moment() / (2.0 * 0.2);
            assert!(mean_delay(0.8, sizes) < fcfs / 2.0, "{sizes:?}");
        }
    }
}
