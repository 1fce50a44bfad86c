//! FEC over a bufferless network: eq. (16)–(26) of zerobuf.
//!
//! Every flow adds repair packets to all links of its path, so a stronger code for one flow means
//! more loss for the others. [`Network`] gives each flow's loss for any block sizes on any routes
//! and finds the assignment that minimises the largest loss, exactly; [`HopModel`] is the paper's
//! heuristic for identical links.
//!
//! **Fig. 30.** The paper's text reads "1e-3 at up to 10 % load without FEC, up to
//! 30 % with". By its own equations (13, 24, 25) the mean loss passes 1e-3 at
//! 3.20 % without FEC (1e-2 at 10.35 %) and at 10.19 % with blocks 19, 4, 2 (1e-2
//! at 19.17 %); at 30 % even the best blocks lose 4.8e-2. This module follows
//! the equations.
//!
//! ```
//! use pacesim_analytic::fec_network::{HopModel, Network, Topology};
//!
//! let heuristic = HopModel::new(0.11, 3)?.search(30)?;
//! assert_eq!(heuristic.blocks, [19, 4, 2]);
//!
//! let network = Network::all_pairs(&Topology::nsfnet(), 0.11)?;
//! let best = network.best_blocks(100)?;
//! let by_hops = network.with_blocks(&network.blocks_by_hops(&heuristic.blocks)?);
//! assert!(best.max_loss <= by_hops.max());
//! # Ok::<(), pacesim_analytic::SolveError>(())
//! ```

mod hops;
mod minmax;
mod topology;

pub use hops::{HopLosses, HopModel};
pub use minmax::MinMax;
pub use topology::Topology;

use crate::error::require;
use crate::fec::edge_loss;
use crate::{Range, SolveError, numeric};
use minmax::Classes;

/// One edge-to-edge flow.
#[derive(Clone, Debug, PartialEq)]
pub struct Flow {
    /// Load of the flow without FEC, as a share of a core link.
    pub load: f64,
    /// The core links it crosses.
    pub path: Vec<usize>,
}

/// Flows over bufferless core links.
#[derive(Clone, Debug, PartialEq)]
pub struct Network {
    links: usize,
    flows: Vec<Flow>,
}

/// The result of a choice of block sizes.
#[derive(Clone, Debug, PartialEq)]
pub struct NetworkLosses {
    /// The load of each link with FEC.
    pub(crate) link_loads: Vec<f64>,
    /// The loss of each link (eq. 17).
    pub(crate) link_losses: Vec<f64>,
    /// The loss of each flow over its path (eq. 18), capped at one.
    pub(crate) path_losses: Vec<f64>,
    /// The loss of each flow after repair (eq. 19).
    pub(crate) edge_losses: Vec<f64>,
}

impl NetworkLosses {
    /// The largest loss of a flow after repair.
    pub fn max(&self) -> f64 {
        self.edge_losses.iter().copied().fold(0.0, f64::max)
    }

    /// The mean over flows.
    pub fn mean(&self) -> f64 {
        numeric::sum(self.edge_losses.iter().copied()) / self.edge_losses.len() as f64
    }
}

impl Network {
    /// Flows over links numbered from 0.
    pub fn new(links: usize, flows: Vec<Flow>) -> Result<Network, SolveError> {
        Range::at_least(1.0).check("flows", flows.len() as f64)?;
        for flow in &flows {
            Range::NON_NEGATIVE.check("load of a flow", flow.load)?;
            require(
                !flow.path.is_empty() && flow.path.iter().all(|&l| l < links),
                "a path crosses one or more of the links",
                || format!("path {:?}", flow.path),
                || format!("link numbers below {links}"),
            )?;
        }
        Ok(Network { links, flows })
    }

    /// One flow for every ordered pair of nodes, all of one load, with a mean load of the core
    /// links of `mean_link_load`.
    pub fn all_pairs(topology: &Topology, mean_link_load: f64) -> Result<Network, SolveError> {
        Range::POSITIVE.check("mean_link_load", mean_link_load)?;
        let mut flows = Vec::new();
        for from in 0..topology.nodes() {
            let routes = topology.routes_from(from);
            for to in (0..topology.nodes()).filter(|&to| to != from) {
                let path = routes.to(to)?;
                flows.push(Flow { load: 1.0, path });
            }
        }
        let crossings: usize = flows.iter().map(|f| f.path.len()).sum();
        let load = mean_link_load * topology.core_links() as f64 / crossings as f64;
        flows.iter_mut().for_each(|f| f.load = load);
        Network::new(topology.core_links(), flows)
    }

    /// The flows, in the order of all lists of losses and blocks.
    pub fn flows(&self) -> &[Flow] {
        &self.flows
    }

    /// The losses without any FEC: nothing is repaired.
    pub(crate) fn without_fec(&self) -> NetworkLosses {
        let mut losses = self.losses(&self.link_loads(|_| 1.0));
        losses.edge_losses = losses.path_losses.clone();
        losses
    }

    /// The losses with a block size for each flow. Panics unless there is one for each flow.
    pub fn with_blocks(&self, blocks: &[u32]) -> NetworkLosses {
        assert_eq!(blocks.len(), self.flows.len(), "a block size a flow");
        let mut losses = self.losses(&self.link_loads(|f| 1.0 + 1.0 / f64::from(blocks[f])));
        let flows = losses.path_losses.iter().zip(blocks);
        losses.edge_losses = flows.map(|(l, k)| edge_loss(*l, *k)).collect();
        losses
    }

    /// Block sizes for the flows from block sizes for 1, 2, ... hops.
    pub fn blocks_by_hops(&self, by_hops: &[u32]) -> Result<Vec<u32>, SolveError> {
        let block = |flow: &Flow| by_hops.get(flow.path.len() - 1).copied();
        let blocks: Option<Vec<u32>> = self.flows.iter().map(block).collect();
        blocks.ok_or_else(|| SolveError::Broken {
            condition: "every hop length has a block size",
            found: format!("{} of them", by_hops.len()),
            admissible: format!("{} or more", self.most_hops()),
        })
    }

    /// The least possible largest loss, with a separate block for every flow in `1..=max_k` (eq.
    /// 20); exact, see [`MinMax`].
    pub fn best_blocks(&self, max_k: u32) -> Result<MinMax, SolveError> {
        Range::at_least(1.0).check("max_k", f64::from(max_k))?;
        let own = (0..self.flows.len()).collect();
        Ok(minmax::solve(&Shared::new(self, own), max_k))
    }

    /// The least possible largest loss with one block for each hop length: the heuristic's
    /// objective, with the links' true loads.
    pub(crate) fn best_blocks_by_hops(&self, max_k: u32) -> Result<MinMax, SolveError> {
        Range::at_least(1.0).check("max_k", f64::from(max_k))?;
        let by_hops = self.flows.iter().map(|f| f.path.len() - 1).collect();
        Ok(minmax::solve(&Shared::new(self, by_hops), max_k))
    }

    fn most_hops(&self) -> usize {
        self.flows.iter().map(|f| f.path.len()).max().unwrap_or(0)
    }

    /// Each link's load when flow `f` sends `expansion(f)` times its data (eq. 16).
    fn link_loads(&self, expansion: impl Fn(usize) -> f64) -> Vec<f64> {
        let mut loads = vec![0.0; self.links];
        for (f, flow) in self.flows.iter().enumerate() {
            let load = flow.load * expansion(f);
            flow.path.iter().for_each(|&l| loads[l] += load);
        }
        loads
    }

    fn losses(&self, link_loads: &[f64]) -> NetworkLosses {
        let loss = |load: &f64| numeric::two_or_more(*load);
        let link_losses: Vec<f64> = link_loads.iter().map(loss).collect();
        let over = |f: &Flow| f.path.iter().map(|&l| link_losses[l]).sum::<f64>().min(1.0);
        NetworkLosses {
            path_losses: self.flows.iter().map(over).collect(),
            edge_losses: Vec::new(),
            link_loads: link_loads.to_vec(),
            link_losses,
        }
    }
}

/// A network whose flows share block sizes by class.
struct Shared<'a> {
    network: &'a Network,
    class_of: Vec<usize>,
    classes: usize,
}

impl Shared<'_> {
    fn new(network: &Network, class_of: Vec<usize>) -> Shared<'_> {
        let classes = class_of.iter().max().map_or(0, |c| c + 1);
        Shared {
            network,
            class_of,
            classes,
        }
    }
}

impl Classes for Shared<'_> {
    fn count(&self) -> usize {
        self.classes
    }

    fn path_losses(&self, blocks: &[u32], losses: &mut Vec<f64>) {
        let expansion = |f: usize| 1.0 + 1.0 / f64::from(blocks[self.class_of[f]]);
        let found = self.network.losses(&self.network.link_loads(expansion));
        losses.clear();
        losses.resize(self.classes, 0.0);
        for (&class, &loss) in self.class_of.iter().zip(&found.path_losses) {
            losses[class] = losses[class].max(loss);
        }
    }
}

/// Jain's index of a list of shares: 1 if all are equal, 1/n if one has all.
pub fn jain(shares: &[f64]) -> f64 {
    let sum = numeric::sum(shares.iter().copied());
    let squares = numeric::sum(shares.iter().map(|x| x * x));
    sum * sum / (shares.len() as f64 * squares)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn fairness_of_fig_29_comes_out_when_divided_by_the_benchmarks() {
        let benchmarks = [1.509, 1.440, 1.359];
        for (goodputs, relative, plain) in [
            ([1.571, 0.667, 0.391], 0.775, 0.751),
            ([2.219, 0.807, 0.397], 0.7022, 0.681),
            ([1.090, 0.760, 0.596], 0.9576, 0.940),
        ] {
            let shares = [0, 1, 2].map(|i| goodputs[i] / benchmarks[i]);
            assert!(
                (jain(&shares) - relative).abs() < 5.1e-4,
                "{} and {relative}",
                jain(&shares)
            );
            assert!(
                (jain(&goodputs) - plain).abs() < 5.1e-4,
                "{:?} and {:?}",
                jain(&goodputs),
                plain
            );
        }
        assert_eq!(jain(&[2.0, 2.0, 2.0]), 1.0);
        assert_eq!(jain(&[1.0, 0.0]), 0.5);
    }

    /// Every combination, one after another.
    fn brute_force(network: &Network, max_k: u32) -> f64 {
        let n = network.flows().len();
        let combinations = (max_k as usize).pow(n as u32);
        let nth = |i: usize| -> Vec<u32> {
            let digits = (0..n).scan(i, |rest, _| {
                let digit = *rest % max_k as usize;
                *rest /= max_k as usize;
                Some(digit as u32 + 1)
            });
            digits.collect()
        };
        (0..combinations)
            .map(|i| network.with_blocks(&nth(i)).max())
            .fold(f64::INFINITY, f64::min)
    }

    fn small_networks() -> impl Strategy<Value = Network> {
        let path = prop::sample::subsequence(vec![0usize, 1, 2], 1..=3);
        let flow = (0.001..0.3f64, path).prop_map(|(load, path)| Flow { load, path });
        prop::collection::vec(flow, 1..=4).prop_map(|f| Network::new(3, f).unwrap())
    }

    proptest! {
        #[test]
        fn the_exact_optimum_is_that_of_brute_force(network in small_networks()) {
            let best = network.best_blocks(7).unwrap();
            prop_assert_eq!(best.max_loss, brute_force(&network, 7));
            prop_assert_eq!(network.with_blocks(&best.blocks).max(), best.max_loss);
        }
    }

    #[test]
    fn on_nsfnet_own_blocks_beat_blocks_by_hops() {
        let network = Network::all_pairs(&Topology::nsfnet(), 0.11).unwrap();
        let best = network.best_blocks(100).unwrap();
        let by_hops = network.best_blocks_by_hops(100).unwrap();
        let paper = network.with_blocks(&network.blocks_by_hops(&[19, 4, 2]).unwrap());
        // The first difference is the cost of ignoring the links' individual loads, the second that
        // of blocks by hops alone, the same for all flows.
        assert!((paper.max() - 1.0104e-2).abs() < 1e-6, "{}", paper.max());
        assert_eq!(by_hops.blocks, [11, 4, 2]);
        assert!(
            (by_hops.max_loss - 6.944e-3).abs() < 1e-6,
            "{:?}",
            by_hops.max_loss
        );
        assert!(
            (best.max_loss - 4.8327e-3).abs() < 1e-7,
            "{:?}",
            best.max_loss
        );
        let loads = network.without_fec().link_loads;
        assert!(
            (loads.iter().sum::<f64>() / loads.len() as f64 - 0.11).abs() < 1e-12,
            "{:?}",
            loads.iter().sum::<f64>() / loads.len() as f64
        );
    }

    #[test]
    fn a_hop_length_without_a_block_is_reported() {
        let network = Network::all_pairs(&Topology::nsfnet(), 0.11).unwrap();
        let error = network.blocks_by_hops(&[3, 3]).unwrap_err();
        assert!(error.to_string().contains("3 or more"), "{error}");
    }
}
