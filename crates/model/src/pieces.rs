//! The mean number of packets and bytes of drawn sizes.

use std::sync::{Mutex, PoisonError};

use crate::distribution::Distribution;
use pacesim_core::random::samplers::Sampler;

/// Sums computed so far, the latest last. A sum takes up to a tenth of a second, and each point and
/// each run of a study asks for the same few.
static KNOWN: Mutex<Vec<Known>> = Mutex::new(Vec::new());

/// The most sums that are remembered.
const MOST_KNOWN: usize = 64;

struct Known {
    distribution: Distribution,
    size: u64,
    most: f64,
    mean: f64,
}

/// The mean number of pieces of `size` in a drawn value that is rounded to a whole number from one
/// to `most`.
pub(crate) fn pieces(distribution: &Distribution, size: u64, most: f64) -> f64 {
    // A panic elsewhere leaves whole entries.
    let known = || KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let is_same =
        |of: &&Known| of.distribution == *distribution && of.size == size && of.most == most;
    if let Some(known) = known().iter().find(is_same) {
        return known.mean;
    }
    let mean = summed(distribution, size, most);
    let mut known = known();
    if known.len() == MOST_KNOWN {
        known.remove(0);
    }
    known.push(Known {
        distribution: distribution.clone(),
        size,
        most,
        mean,
    });
    mean
}

/// Terms summed one by one before the step size grows.
const EXACT: u64 = 1 << 14;

/// The sum of P(value > k size) over k = 0, 1, 2...
fn summed(distribution: &Distribution, size: u64, most: f64) -> f64 {
    let Ok(sampler) = distribution.sampler() else {
        return 1.0;
    };
    let more_than = |k: f64| match k {
        k if k * size as f64 >= most => 0.0,
        k if k < 1.0 => 1.0,
        k => beyond(&sampler, k * size as f64),
    };
    let (mut sum, mut k) = (0.0, 0u64);
    loop {
        // Blocks of terms of a smooth tail are approximated by their middle.
        let step = (k / EXACT).max(1).next_power_of_two();
        let term = more_than(k as f64 + (step - 1) as f64 / 2.0) * step as f64;
        sum += term;
        if term == 0.0 || term < sum * 1e-15 {
            return sum;
        }
        k += step;
    }
}

/// The probability that the rounded value exceeds x.
fn beyond(sampler: &Sampler, x: f64) -> f64 {
    1.0 - sampler.at_most((x + 0.5).next_down())
}
