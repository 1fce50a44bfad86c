//! Numbers of options, with their limits.

use std::num::NonZeroUsize;

/// More threads than any machine has cores.
const MOST_JOBS: usize = 1024;

pub(super) fn jobs(text: &str) -> Result<NonZeroUsize, String> {
    let number = text.parse().ok();
    let number = number.filter(|jobs: &NonZeroUsize| jobs.get() <= MOST_JOBS);
    number.ok_or_else(|| format!("a whole number from 1 to {MOST_JOBS}"))
}

/// Parts of one run wait for each other: beyond this they do nothing else.
const MOST_THREADS: u32 = 256;

pub(super) fn threads(text: &str) -> Result<u32, String> {
    let number = text.parse().ok();
    let number = number.filter(|threads| (1..=MOST_THREADS).contains(threads));
    number.ok_or_else(|| format!("a whole number from 1 to {MOST_THREADS}"))
}

/// More would take days, and all summaries stay in memory until the last run ends.
const MOST_REPLICATIONS: u64 = 100_000;

pub(super) fn replications(text: &str) -> Result<u64, String> {
    let number = text.parse().ok();
    let number = number.filter(|number| (1..=MOST_REPLICATIONS).contains(number));
    number.ok_or_else(|| {
        format!(
            "a whole number from 1 to {MOST_REPLICATIONS}: \
             the summary of each is kept until the end; for more, use other seeds"
        )
    })
}

pub(super) fn seed(text: &str) -> Result<u64, String> {
    const MOST: u64 = i64::MAX as u64;
    let number = text.parse().ok();
    let number = number.filter(|seed: &u64| *seed <= MOST);
    number.ok_or_else(|| format!("a whole number from 0 to {MOST}"))
}

pub(super) fn scale(text: &str) -> Result<f64, String> {
    use pacesim_lab::study::{LEAST_SCALE, MOST_SCALE};
    let number = text.parse().ok();
    number
        .filter(|scale| (LEAST_SCALE..=MOST_SCALE).contains(scale))
        .ok_or_else(|| format!("a number from {LEAST_SCALE} to {MOST_SCALE}, such as 0.1"))
}
