//! Fair block sizes by hop length (eq. 16-25) at a mean load of 11 %, and beyond the paper the
//! exact min-max over the blocks of all flows of NSFNET.

use pacesim_analytic::fec_network::{HopModel, Network, Topology};
use pacesim_core::random::{Rng, Stream};
use pacesim_lab::claims::Claim;
use pacesim_lab::plot::{Figure, Panel};

use crate::{Context, Fault, Report};

const LOAD: f64 = 0.11;
const LARGEST: u32 = 100;

/// The paper's search over all 100^3 combinations, and the exact optimum.
pub(crate) fn run(context: &Context<'_>) -> Result<Report, Fault> {
    let model = HopModel::new(LOAD, 3)?;
    let search = model.search(LARGEST)?;
    context.check_in()?;
    let exact = model.exact(LARGEST)?;
    let network = Network::all_pairs(&Topology::nsfnet(), LOAD)?;
    let heuristic = network.blocks_by_hops(&search.blocks)?;
    let own = network.best_blocks(LARGEST)?;
    let same = "the exact argument beside the search";
    let ours = format!("{:?}", exact.blocks);
    let accepts = "the blocks of the search";
    Ok(Report::new()
        .claims(block_claims(&search.blocks))
        .claim(Claim::shows(
            same,
            ours,
            exact.blocks == search.blocks,
            accepts,
        ))
        .claim(gain(&network, &heuristic, &own.blocks))
        .claim(optimal(context, &network, &own.blocks)?)
        .figure(figure(&network, &heuristic, &own.blocks))
        .note(
            "Beyond the paper, which calls the problem intractable to large size networks: a \
             flow's loss rises with its own block and falls with every other's, so lowering blocks \
             from the top never passes below a feasible assignment, and finds the best of all \
             flows of NSFNET.",
        ))
}

fn block_claims(blocks: &[u32]) -> Vec<Claim> {
    let claim = |(h, printed): (usize, &&str)| {
        let text = format!("k{} at a mean load of 11 %", h + 1);
        Claim::prints(text, printed, f64::from(blocks[h]))
    };
    ["19", "4", "2"].iter().enumerate().map(claim).collect()
}

fn gain(network: &Network, heuristic: &[u32], own: &[u32]) -> Claim {
    let worst = |blocks| network.with_blocks(blocks).max();
    let text = "all 182 flows of NSFNET: worst loss with the best block for each flow over that \
                with the heuristic";
    Claim::at_most(text, 0.9, worst(own) / worst(heuristic))
}

/// The blocks of some flows, at random, made larger or smaller.
fn beside(blocks: &[u32], stream: &mut Stream) -> Vec<u32> {
    let few = 1 + stream.next_u64() % 20;
    let near = |k: &u32| match stream.next_u64() % 20 {
        n if n >= few => *k,
        n if n % 2 == 0 => (k + 1).min(LARGEST),
        _ => (k - 1).max(1),
    };
    blocks.iter().map(near).collect()
}

/// What follows from its argument may not fail on any assignment.
fn optimal(context: &Context<'_>, network: &Network, own: &[u32]) -> Result<Claim, Fault> {
    let least = network.with_blocks(own).max() * (1.0 - 1e-9);
    let mut stream = context.stream(0, "k-optimum", "blocks");
    let (tried, mut better) = (context.scaled(20_000, 1_000), 0);
    for _ in 0..tried {
        let other = beside(own, &mut stream);
        better += u64::from(network.with_blocks(&other).max() < least);
    }
    let text = "assignments beside the best blocks with a lower worst loss";
    Ok(Claim::none(text, better, tried))
}

fn figure(network: &Network, heuristic: &[u32], own: &[u32]) -> Figure {
    let points = |losses: Vec<f64>| {
        let point = |(flow, loss)| (flow as f64, 100.0 * loss);
        losses
            .into_iter()
            .enumerate()
            .map(point)
            .collect::<Vec<_>>()
    };
    let panel = Panel::new("flow", "edge-to-edge loss (%)")
        .log_y()
        .points("without FEC", points(network.without_fec().edge_losses))
        .points(
            "heuristic",
            points(network.with_blocks(heuristic).edge_losses),
        )
        .points("best blocks", points(network.with_blocks(own).edge_losses));
    Figure::new("loss of every flow of NSFNET at a mean load of 11 %").panel(panel)
}
