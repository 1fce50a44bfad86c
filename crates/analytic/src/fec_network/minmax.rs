//! The least possible largest loss over all block sizes, with its proof.
//!
//! zerobuf calls the problem (eq. 20) intractable, being an integer programme. Its structure makes
//! it easy. A flow's loss (eq. 19) rises with its own `k` and with the losses of the links it
//! crosses, and those rise when *any* flow's `k` falls. So for a bound `t` on every loss:
//!
//! 1. Let `k` be any assignment that at every flow is at least as large as some
//!    feasible one `k'`. Then the links lose at most what they do under `k'`, so
//!    the largest block each flow may use at these link losses is at least its `k'`.
//! 2. Hence lowering every flow to that largest block, again and again from the top, never passes
//!    below a feasible assignment. It either stops at the *greatest* feasible assignment or, where
//!    a flow would need a block of less than one, proves that none exists.
//!
//! Requiring strictly less than the best loss found, until that is refused, ends at the optimum;
//! the refusal is the certificate. (Equal within rounding: losses are floats, and comparisons on
//! them are exact.)

use crate::fec::edge_loss;

/// Flows in classes that share a block size, and the losses they meet.
pub(crate) trait Classes {
    /// The number of block sizes to choose.
    fn count(&self) -> usize;

    /// For each class the largest path loss among its flows under these block sizes. Reducing a
    /// block size must not reduce any of them.
    fn path_losses(&self, blocks: &[u32], losses: &mut Vec<f64>);
}

/// An optimal assignment.
#[derive(Clone, Debug, PartialEq)]
pub struct MinMax {
    /// A block size for each class.
    pub blocks: Vec<u32>,
    /// The largest loss under it, which no assignment undercuts.
    pub max_loss: f64,
    /// The number of evaluations of all link losses, the refusal included.
    pub rounds: usize,
}

/// The assignment of blocks in `1..=max_k` that minimises the largest loss.
pub(crate) fn solve(classes: &impl Classes, max_k: u32) -> MinMax {
    let mut search = Search {
        classes,
        losses: Vec::new(),
        rounds: 0,
    };
    let mut best = vec![max_k; classes.count()];
    let mut max_loss = search.max_loss(&best);
    // Large steps first: bisect between a refused and the best bound.
    let mut refused = 0.0;
    while max_loss - refused > 1e-6 * max_loss {
        let bound = refused + (max_loss - refused) / 2.0;
        match search.greatest_below(&best, bound) {
            Some(blocks) => {
                max_loss = search.max_loss(&blocks);
                best = blocks;
            }
            None => refused = bound,
        }
    }
    while let Some(blocks) = search.greatest_below(&best, max_loss) {
        max_loss = search.max_loss(&blocks);
        best = blocks;
    }
    MinMax {
        blocks: best,
        max_loss,
        rounds: search.rounds,
    }
}

struct Search<'a, C> {
    classes: &'a C,
    losses: Vec<f64>,
    rounds: usize,
}

impl<C: Classes> Search<'_, C> {
    fn path_losses(&mut self, blocks: &[u32]) {
        self.rounds += 1;
        self.classes.path_losses(blocks, &mut self.losses);
    }

    fn max_loss(&mut self, blocks: &[u32]) -> f64 {
        self.path_losses(blocks);
        let flows = self.losses.iter().zip(blocks);
        flows.map(|(l, k)| edge_loss(*l, *k)).fold(0.0, f64::max)
    }

    /// The greatest assignment up to `top` with every loss below `bound`; `top` must be at least
    /// that assignment, like the answer for any larger bound.
    fn greatest_below(&mut self, top: &[u32], bound: f64) -> Option<Vec<u32>> {
        let mut blocks = top.to_vec();
        loop {
            self.path_losses(&blocks);
            let mut lowered = false;
            for (k, loss) in blocks.iter_mut().zip(&self.losses) {
                let allowed = largest_block_below(*loss, *k, bound)?;
                lowered |= allowed < *k;
                *k = allowed;
            }
            if !lowered {
                return Some(blocks);
            }
        }
    }
}

/// The largest block up to `top` with a loss below the bound, if any.
fn largest_block_below(path_loss: f64, top: u32, bound: f64) -> Option<u32> {
    let fits = |k: u32| edge_loss(path_loss, k) < bound;
    if fits(top) {
        return Some(top);
    }
    // First index that does not fit, by bisection; it is at most `top`.
    let (mut fit, mut unfit) = (0, top);
    while unfit - fit > 1 {
        let middle = fit + (unfit - fit) / 2;
        if fits(middle) {
            fit = middle;
        } else {
            unfit = middle;
        }
    }
    (fit > 0).then_some(fit)
}
