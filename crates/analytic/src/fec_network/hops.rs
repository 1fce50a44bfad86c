//! The hop-length heuristic: all links alike, one block size for each hop length
//! (zerobuf eq. 21–25).

use super::minmax::{self, Classes, MinMax};
use crate::error::require;
use crate::fec::edge_loss;
use crate::{Range, SolveError, numeric};

/// A network of identical links whose flows differ only in hop length.
#[derive(Clone, Debug, PartialEq)]
pub struct HopModel {
    /// Load of a link without FEC.
    load: f64,
    /// The load of the flows of 1, 2, ... hops (eq. 21).
    shares: Vec<f64>,
}

/// The result of a choice of block sizes.
#[derive(Clone, Debug, PartialEq)]
pub struct HopLosses {
    /// Load of a link with FEC (eq. 22).
    pub load: f64,
    /// Loss of a link (eq. 23).
    pub core: f64,
    /// Loss of the flows of 1, 2, ... hops (eq. 25).
    pub edge: Vec<f64>,
}

impl HopLosses {
    /// The largest loss.
    pub fn max(&self) -> f64 {
        self.edge.iter().copied().fold(0.0, f64::max)
    }

    /// The mean over hop lengths.
    pub fn mean(&self) -> f64 {
        numeric::sum(self.edge.iter().copied()) / self.edge.len() as f64
    }
}

impl HopModel {
    /// Flows of 1 to `hops` hops that contribute equally to every link's load.
    pub fn new(load: f64, hops: usize) -> Result<HopModel, SolveError> {
        Range {
            high_in: true,
            ..Range::PROPER_SHARE
        }
        .check("load", load)?;
        Range::closed(1.0, 100.0).check("hops", hops as f64)?;
        Ok(HopModel {
            load,
            shares: vec![load / hops as f64; hops],
        })
    }

    /// The number of hop lengths.
    pub fn hops(&self) -> usize {
        self.shares.len()
    }

    /// The losses without any FEC (eq. 23, 24).
    pub(crate) fn without_fec(&self) -> HopLosses {
        let core = numeric::two_or_more(self.load);
        HopLosses {
            load: self.load,
            core,
            edge: (1..=self.hops()).map(|h| path_loss(core, h)).collect(),
        }
    }

    /// The losses with these block sizes, one for each hop length. Panics for another number of
    /// sizes.
    pub fn with_blocks(&self, blocks: &[u32]) -> HopLosses {
        assert_eq!(blocks.len(), self.hops(), "a block size a hop length");
        let load = self.load_with(blocks);
        let core = numeric::two_or_more(load);
        let hops = blocks.iter().zip(1..);
        HopLosses {
            load,
            core,
            edge: hops
                .map(|(&k, h)| edge_loss(path_loss(core, h), k))
                .collect(),
        }
    }

    /// All `max_k^hops` combinations, as in the paper; the first one in case of a tie.
    pub fn search(&self, max_k: u32) -> Result<MinMax, SolveError> {
        Range::at_least(1.0).check("max_k", f64::from(max_k))?;
        let combinations = libm::pow(f64::from(max_k), self.hops() as f64);
        require(
            combinations <= 1e9,
            "max_k ^ hops <= 1e9",
            || format!("{combinations:e} combinations"),
            || "fewer hops, smaller blocks, or the exact solution".to_owned(),
        )?;
        let mut blocks = vec![1; self.hops()];
        let mut best = MinMax {
            max_loss: self.with_blocks(&blocks).max(),
            blocks: blocks.clone(),
            rounds: 1,
        };
        while next_combination(&mut blocks, max_k) {
            best.rounds += 1;
            if let Some(max_loss) = self.max_below(&blocks, best.max_loss) {
                best.max_loss = max_loss;
                best.blocks.copy_from_slice(&blocks);
            }
        }
        Ok(best)
    }

    /// The same optimum by the argument of [`minmax`](super::MinMax), in
    /// microseconds.
    pub fn exact(&self, max_k: u32) -> Result<MinMax, SolveError> {
        Range::at_least(1.0).check("max_k", f64::from(max_k))?;
        Ok(minmax::solve(self, max_k))
    }

    fn load_with(&self, blocks: &[u32]) -> f64 {
        let flows = self.shares.iter().zip(blocks);
        flows.map(|(s, &k)| s + s / f64::from(k)).sum()
    }

    /// The largest loss if it is below `bound`. The longest paths come first: they usually have the
    /// largest loss, which ends the computation.
    fn max_below(&self, blocks: &[u32], bound: f64) -> Option<f64> {
        let core = numeric::two_or_more(self.load_with(blocks));
        let mut largest = 0.0f64;
        for h in (1..=self.hops()).rev() {
            largest = largest.max(edge_loss(path_loss(core, h), blocks[h - 1]));
            if largest >= bound {
                return None;
            }
        }
        Some(largest)
    }
}

impl Classes for HopModel {
    fn count(&self) -> usize {
        self.hops()
    }

    fn path_losses(&self, blocks: &[u32], losses: &mut Vec<f64>) {
        let core = numeric::two_or_more(self.load_with(blocks));
        losses.clear();
        losses.extend((1..=self.hops()).map(|h| path_loss(core, h)));
    }
}

/// Losses add up over hops (eq. 24), at most to one.
fn path_loss(core: f64, hops: usize) -> f64 {
    (core * hops as f64).min(1.0)
}

/// Counts up like an odometer, the last hop length fastest.
fn next_combination(blocks: &mut [u32], max_k: u32) -> bool {
    for k in blocks.iter_mut().rev() {
        if *k < max_k {
            *k += 1;
            return true;
        }
        *k = 1;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heuristic(load: f64) -> Vec<u32> {
        HopModel::new(load, 3).unwrap().search(100).unwrap().blocks
    }

    #[test]
    fn the_papers_blocks_come_out_at_11_percent() {
        assert_eq!(heuristic(0.11), [19, 4, 2]);
    }

    #[test]
    fn the_search_gives_the_computed_blocks_at_other_loads() {
        for (load, blocks) in [
            (0.05, [18, 4, 2]),
            (0.10, [19, 4, 2]),
            (0.12, [19, 4, 2]),
            (0.2, [24, 5, 2]),
            (0.24, [26, 5, 2]),
            (0.3, [40, 5, 2]),
            (0.4, [100, 6, 2]),
        ] {
            assert_eq!(heuristic(load), blocks, "{load}");
        }
    }

    #[test]
    fn losses_at_11_percent_match() {
        let model = HopModel::new(0.11, 3).unwrap();
        let losses = model.with_blocks(&[19, 4, 2]);
        assert!((losses.load - 0.13943).abs() < 5.1e-6, "{:?}", losses.load);
        assert!(
            (losses.core - 0.0088623).abs() < 5.1e-8,
            "{:?}",
            losses.core
        );
        for (ours, figure) in losses.edge.iter().zip([1.379e-3, 1.224e-3, 1.395e-3]) {
            assert!((ours - figure).abs() < 5.1e-7, "{ours}");
        }
        assert!(
            (model.without_fec().mean() - 1.125e-2).abs() < 5.1e-6,
            "{:?}",
            model.without_fec().mean()
        );
    }

    #[test]
    fn the_exact_solution_is_the_searchs_optimum() {
        for percent in (1..=80).step_by(13) {
            let model = HopModel::new(f64::from(percent) / 100.0, 3).unwrap();
            let (all, exact) = (model.search(40).unwrap(), model.exact(40).unwrap());
            assert_eq!(all.blocks, exact.blocks, "{percent} %");
            assert_eq!(all.max_loss, exact.max_loss);
        }
    }

    #[test]
    fn fig_30s_text_does_not_follow_from_its_equations() {
        // Loss below 1e-3: the text says up to 10 % load without FEC and up to
        // 30 % with. Equations 13, 24 and 25 say 3.20 % and 10.19 %.
        let mean_without = |load| HopModel::new(load, 3).unwrap().without_fec().mean();
        let limit = numeric::last_where(0.01, 0.5, |l| mean_without(l) <= 1e-3);
        assert!((limit - 0.0320).abs() < 5.1e-5, "{limit}");
        let limit = numeric::last_where(0.01, 0.5, |l| mean_without(l) <= 1e-2);
        assert!((limit - 0.1035).abs() < 5.1e-5, "{limit}");
        let mean_with = |load| {
            HopModel::new(load, 3)
                .unwrap()
                .with_blocks(&[19, 4, 2])
                .mean()
        };
        let limit = numeric::last_where(0.01, 0.5, |l| mean_with(l) <= 1e-3);
        assert!((limit - 0.1019).abs() < 5.1e-5, "{limit}");
        let limit = numeric::last_where(0.01, 0.5, |l| mean_with(l) <= 1e-2);
        assert!((limit - 0.1917).abs() < 5.1e-5, "{limit}");
        let at_30 = HopModel::new(0.3, 3).unwrap();
        let best = at_30.with_blocks(&at_30.exact(100).unwrap().blocks);
        assert!((best.mean() - 4.8e-2).abs() < 5e-4, "{}", best.mean());
    }
}
