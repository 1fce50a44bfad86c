//! Edge-to-edge XOR FEC over one bufferless link: eq. (10)–(15) of zerobuf.
//!
//! One repair packet follows every `k` data packets. A smaller `k` repairs more
//! and loads the link more; loss is least in between.
//!
//! ```
//! use pacesim_analytic::fec::{FanIn, best_block};
//!
//! let best = best_block(0.3, FanIn::Poisson, 100)?;
//! assert_eq!(best.k, 3);
//! # Ok::<(), pacesim_analytic::SolveError>(())
//! ```

use crate::error::require;
use crate::{Range, SolveError, numeric};

/// Input links that share the slot of the output link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FanIn {
    /// This number of input links, with equal load on each.
    Finite(u32),
    /// The limit of many input links.
    Poisson,
}

/// A block size and the loss it gives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Block {
    /// Data packets per repair packet.
    pub k: u32,
    /// Edge-to-edge loss.
    pub loss: f64,
}

/// The load with repair packets, `(k + 1)/k · ρ` (eq. 11).
pub fn load_with_fec(load: f64, k: u32) -> f64 {
    (f64::from(k) + 1.0) / f64::from(k) * load
}

/// Loss of a bufferless link in a slot: two or more arrivals (eq. 12, 13).
pub fn core_loss(load: f64, fan_in: FanIn) -> Result<f64, SolveError> {
    Range::NON_NEGATIVE.check("load", load)?;
    match fan_in {
        FanIn::Poisson => Ok(numeric::two_or_more(load)),
        FanIn::Finite(links) => {
            require(
                load <= f64::from(links),
                "load with FEC <= number of input links",
                || format!("load {load} from {links} links"),
                || format!("loads up to {links}"),
            )?;
            Ok(two_or_more_of(links, load / f64::from(links)))
        }
    }
}

/// The probability of two or more successes in `n` trials: a sum of positive terms.
fn two_or_more_of(n: u32, p: f64) -> f64 {
    if p >= 1.0 {
        return if n >= 2 { 1.0 } else { 0.0 };
    }
    let n = f64::from(n);
    let mut term = libm::exp(n * libm::log1p(-p));
    let (mut i, mut total) = (0.0, numeric::Sum::default());
    while i < n {
        term *= (n - i) / (i + 1.0) * p / (1.0 - p);
        i += 1.0;
        if i >= 2.0 {
            total.add(term);
        }
        // Terms past the mean only fall.
        if i > n * p && term < 1e-20 * total.value() {
            break;
        }
    }
    total.value()
}

/// Loss after repair: a packet remains lost if it is lost and not all `k` others of its block
/// arrive (eq. 15).
pub fn edge_loss(core_loss: f64, k: u32) -> f64 {
    core_loss * numeric::any_of(f64::from(k), core_loss)
}

/// The loss of [`edge_loss`], by counting the unrepairable packets of a block (eq. 14).
pub(crate) fn edge_loss_by_counting(core_loss: f64, k: u32) -> f64 {
    if core_loss >= 1.0 {
        return 1.0;
    }
    let blocks = f64::from(k);
    let mut chance = libm::exp(blocks * libm::log1p(-core_loss));
    let (mut repair_lost, mut repair_arrived) = (0.0, 0.0);
    for j in 1..=k {
        let lost = f64::from(j);
        chance *= (blocks - lost + 1.0) / lost * core_loss / (1.0 - core_loss);
        repair_lost += chance * lost / blocks;
        if j >= 2 {
            repair_arrived += chance * lost / blocks;
        }
    }
    core_loss * repair_lost + (1.0 - core_loss) * repair_arrived
}

/// Edge-to-edge loss at this load without FEC and block size.
pub(crate) fn edge_to_edge(load: f64, k: u32, fan_in: FanIn) -> Result<f64, SolveError> {
    Range::at_least(1.0).check("k", f64::from(k))?;
    Ok(edge_loss(core_loss(load_with_fec(load, k), fan_in)?, k))
}

/// The block size up to `max_k` with the least loss; the smallest one in case of a tie.
pub fn best_block(load: f64, fan_in: FanIn, max_k: u32) -> Result<Block, SolveError> {
    let mut best = Block {
        k: 1,
        loss: edge_to_edge(load, 1, fan_in)?,
    };
    for k in 2..=max_k {
        let loss = edge_to_edge(load, k, fan_in)?;
        if loss < best.loss {
            best = Block { k, loss };
        }
    }
    Ok(best)
}

#[cfg(test)]
mod tests {
    use super::*;

    const BLOCKS: [u32; 10] = [1, 2, 3, 4, 5, 6, 10, 20, 50, 100];

    #[track_caller]
    fn assert_percent(ours: f64, percent: f64) {
        assert!((ours * 100.0 - percent).abs() <= 0.5001e-4, "{ours}");
    }

    #[test]
    fn losses_of_fig_25_match() {
        let rows: [(f64, f64, &[f64]); 3] = [
            (
                0.2,
                1.7523,
                &[
                    0.3789, 0.2678, 0.2590, 0.2699, 0.2876, 0.3083, 0.3989, 0.6167, 1.0919, 1.4905,
                ],
            ),
            (
                0.3,
                3.6936,
                &[
                    1.486, 1.0953, 1.0681, 1.1129, 1.1815, 1.2592, 1.5833, 2.2624, 3.2841,
                ],
            ),
            (
                0.4,
                6.1552,
                &[3.656, 2.7908, 2.7345, 2.8402, 2.9961, 3.1683, 3.8422],
            ),
        ];
        for (load, without, with) in rows {
            assert_percent(core_loss(load, FanIn::Poisson).unwrap(), without);
            for (k, percent) in BLOCKS.into_iter().zip(with) {
                assert_percent(edge_to_edge(load, k, FanIn::Poisson).unwrap(), *percent);
            }
        }
        for (load, percent) in [(0.2, 0.2247), (0.3, 0.9567), (0.4, 2.5216)] {
            assert_percent(edge_to_edge(load, 3, FanIn::Finite(10)).unwrap(), percent);
        }
    }

    #[test]
    fn the_best_block_is_3_whatever_the_fan_in() {
        for load in [0.2, 0.3, 0.4] {
            for fan_in in [FanIn::Finite(10), FanIn::Finite(20), FanIn::Poisson] {
                assert_eq!(best_block(load, fan_in, 100).unwrap().k, 3);
            }
        }
    }

    #[test]
    fn equation_14_equals_equation_15() {
        for loss in [1e-6, 1e-3, 0.05, 0.4] {
            for k in BLOCKS {
                let (counted, short) = (edge_loss_by_counting(loss, k), edge_loss(loss, k));
                assert!((counted / short - 1.0).abs() < 1e-12, "{loss} {k}");
            }
        }
    }

    #[test]
    fn many_links_approach_the_poisson_limit() {
        let limit = core_loss(0.3, FanIn::Poisson).unwrap();
        let mut before = 0.0;
        for links in [2, 10, 100, 10_000, 1_000_000] {
            let loss = core_loss(0.3, FanIn::Finite(links)).unwrap();
            assert!(
                before < loss && loss < limit,
                "{before:?}, {loss:?}, {limit:?}"
            );
            before = loss;
        }
        assert!(
            (before / limit - 1.0).abs() < 1e-6,
            "{before:?} and {limit:?}"
        );
    }

    #[test]
    fn more_load_than_the_links_can_bring_is_reported() {
        let error = edge_to_edge(0.9, 1, FanIn::Finite(1)).unwrap_err();
        assert!(error.to_string().contains("loads up to 1"), "{error}");
    }
}
