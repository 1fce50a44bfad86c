//! FEC over one link and over a network.

use super::param::{param, params};
use super::{Model, Param, Solution, Table, Values};
use crate::fec::{
    FanIn, best_block, core_loss, edge_loss_by_counting, edge_to_edge, load_with_fec,
};
use crate::fec_network::{HopModel, MinMax, Network};
use crate::{Range, SolveError};

const MAX_K: Param = param! {
    "max_k": Count = "100", Range::closed(1.0, 1e5), "largest block: data packets per repair packet"
};

pub(super) const FEC: Model = Model {
    name: "fec",
    summary: "edge-to-edge loss over one bufferless link against the FEC block size",
    source: "zerobuf eq. (10)-(15), Fig. 25",
    params: params! {
        "load": Number = "0.2", Range::POSITIVE_SHARE, "load of the link without FEC";
        "k": Count = "3", Range::closed(1.0, 1e5), "data packets per repair packet at that load";
        "loads": Numbers = "0.2,0.3,0.4", Range::POSITIVE_SHARE, "loads of the curves";
        "fan_in": Count = "0", Range::closed(0.0, 1e6), "input links; 0 for the Poisson limit of many";
        MAX_K;
    },
    run: fec,
};

fn fec(values: &Values) -> Result<Solution, SolveError> {
    let fan_in = match values.count("fan_in") {
        0 => FanIn::Poisson,
        links => FanIn::Finite(links as u32),
    };
    let max_k = values.count("max_k") as u32;
    let mut solution = at_load(values, fan_in)?;
    let mut table = Table::new(
        "loss",
        "edge-to-edge loss against block size (zerobuf Fig. 25)",
    )
    .log_y()
    .column("k", (1..=max_k).map(f64::from));
    for &load in values.numbers("loads") {
        let best = best_block(load, fan_in, max_k)?;
        let losses: Result<Vec<f64>, SolveError> =
            (1..=max_k).map(|k| edge_to_edge(load, k, fan_in)).collect();
        table = table.column(format!("loss_at_load_{load}"), losses?);
        solution = solution
            .scalar(format!("best_k_at_load_{load}"), f64::from(best.k))
            .scalar(format!("best_loss_at_load_{load}"), best.loss)
            .scalar(
                format!("loss_without_fec_at_load_{load}"),
                core_loss(load, fan_in)?,
            )
            .scalar(
                format!("overhead_load_at_load_{load}"),
                load / f64::from(best.k),
            );
    }
    Ok(solution.table(table))
}

/// The loss at one load with one block, by eq. (14) and by eq. (15), and the best block.
fn at_load(values: &Values, fan_in: FanIn) -> Result<Solution, SolveError> {
    let (load, k) = (values.number("load"), values.count("k") as u32);
    let best = best_block(load, fan_in, values.count("max_k") as u32)?;
    let in_core = core_loss(load_with_fec(load, k), fan_in)?;
    Ok(Solution::default()
        .scalar("loss", edge_to_edge(load, k, fan_in)?)
        .scalar("loss_by_counting", edge_loss_by_counting(in_core, k))
        .scalar("loss_without_fec", core_loss(load, fan_in)?)
        .scalar("best_k", f64::from(best.k))
        .scalar("best_loss", best.loss))
}

pub(super) const FEC_NETWORK: Model = Model {
    name: "fec_network",
    summary: "fair FEC block sizes in a network: hop-length heuristic and the exact min-max",
    source: "zerobuf eq. (16)-(26), Fig. 30",
    params: params! {
        "load": Number = "0.11", Range::POSITIVE_SHARE, "mean load of the core links without FEC";
        "network": Network = "nsfnet", Range::ANY, "nodes and links; every pair of nodes exchanges one flow each way";
        MAX_K;
        "method": Choice(&["exact", "exhaustive"]) = "exact", Range::ANY, "how the heuristic's blocks are found: by the exact argument, or all combinations";
        "blocks": Numbers = "19,4,2", Range::at_least(1.0), "fixed block sizes by hop length; the longest paths have the last";
        "loads": Numbers = "0.01..0.8:0.01", Range::POSITIVE_SHARE, "loads of the curve of loss and overhead";
    },
    run: fec_network,
};

fn fec_network(values: &Values) -> Result<Solution, SolveError> {
    let (load, max_k) = (values.number("load"), values.count("max_k") as u32);
    let network = Network::all_pairs(values.network("network"), load)?;
    let hops = network
        .flows()
        .iter()
        .map(|f| f.path.len())
        .max()
        .unwrap_or(1);
    let model = HopModel::new(load, hops)?;
    let heuristic = match values.word("method") {
        "exhaustive" => model.search(max_k)?,
        _ => model.exact(max_k)?,
    };
    let by_heuristic = network.blocks_by_hops(&heuristic.blocks)?;
    let by_hops = network.best_blocks_by_hops(max_k)?;
    let own = network.best_blocks(max_k)?;
    let on_network = network.with_blocks(&by_heuristic).max();
    let mut solution = Solution::default();
    for (h, k) in heuristic.blocks.iter().enumerate() {
        solution = solution.scalar(format!("heuristic_k{}", h + 1), f64::from(*k));
    }
    for (h, k) in by_hops.blocks.iter().enumerate() {
        solution = solution.scalar(format!("best_by_hops_k{}", h + 1), f64::from(*k));
    }
    let adapted = model.with_blocks(&heuristic.blocks);
    Ok(solution
        .scalar("mean_loss_without_fec", model.without_fec().mean())
        .scalar("mean_loss_with_heuristic", adapted.mean())
        .scalar(
            "mean_loss_with_blocks",
            model.with_blocks(&kept_blocks(values, hops)).mean(),
        )
        .scalar("added_load", adapted.load - load)
        .scalar("heuristic_max_loss_on_like_links", heuristic.max_loss)
        .scalar("heuristic_max_loss_on_network", on_network)
        .scalar("best_by_hops_max_loss_on_network", by_hops.max_loss)
        .scalar("best_own_max_loss_on_network", own.max_loss)
        .scalar("heuristic_over_best_ratio", on_network / own.max_loss)
        .table(flows(&network, &by_heuristic, &own))
        .table(against_load(hops, &heuristic, values)?)
        .note(
            "the exact optimum is a greatest fixed point: a flow's loss rises with its own block \
             and falls with every other's, so lowering blocks from the top never passes a \
             feasible assignment",
        )
        .note(
            "zerobuf's text to Fig. 30 (loss below 1e-3 up to 10 % load without FEC, 30 % with) \
             does not follow from its equations: 3.20 % without, 10.19 % with blocks 19, 4, 2; \
             at 30 % the best blocks lose 4.8e-2",
        ))
}

/// The block of each hop length.
fn kept_blocks(values: &Values, hops: usize) -> Vec<u32> {
    let given = values.numbers("blocks");
    let block = |hop: usize| given[hop.min(given.len() - 1)] as u32;
    (0..hops).map(block).collect()
}

fn flows(network: &Network, heuristic: &[u32], own: &MinMax) -> Table {
    let without = network.without_fec();
    let flows = network.flows();
    Table::new(
        "flows",
        "loss of every flow: without FEC, with the heuristic, with the best blocks",
    )
    .log_y()
    .column("flow", (0..flows.len()).map(|f| f as f64))
    .column("hops", flows.iter().map(|f| f.path.len() as f64))
    .column("loss_without_fec", without.edge_losses)
    .column("heuristic_k", heuristic.iter().map(|k| f64::from(*k)))
    .column(
        "loss_with_heuristic",
        network.with_blocks(heuristic).edge_losses,
    )
    .column("best_k", own.blocks.iter().map(|k| f64::from(*k)))
    .column(
        "loss_with_best",
        network.with_blocks(&own.blocks).edge_losses,
    )
}

/// Fig. 30: the heuristic is recomputed for each load; the fixed blocks of the headline load are
/// shown for comparison.
fn against_load(hops: usize, fixed: &MinMax, values: &Values) -> Result<Table, SolveError> {
    let loads = values.numbers("loads");
    let max_k = values.count("max_k") as u32;
    let [mut without, mut with, mut kept, mut overhead] = [const { Vec::new() }; 4];
    for &load in loads {
        let model = HopModel::new(load, hops)?;
        let adapted = model.with_blocks(&model.exact(max_k)?.blocks);
        without.push(model.without_fec().mean());
        kept.push(model.with_blocks(&fixed.blocks).mean());
        overhead.push(adapted.load - load);
        with.push(adapted.mean());
    }
    Ok(Table::new(
        "load",
        "mean loss and overhead against load (zerobuf Fig. 30)",
    )
    .log_y()
    .column("load", loads.iter().copied())
    .column("loss_without_fec", without)
    .column("loss_with_heuristic", with)
    .column("loss_with_fixed_blocks", kept)
    .column("overhead_load", overhead))
}
