//! Fair block sizes by hop length (eq. 16-25) at a mean load of 11 %, and beyond the
//! paper the exact min-max over the blocks of all flows of NSFNET.

use pacesim_analytic::fec_network::{HopModel, MinMax, Network, Topology};

use crate::{Context, Fault, Report};
use pacesim_lab::claims::Claim;
use pacesim_lab::plot::{Figure, Panel};

const LOAD: f64 = 0.11;
const HOPS: usize = 3;
const LARGEST: u32 = 100;

/// The paper's search over all 100^3 combinations, its losses, and the exact optimum.
pub(crate) fn run(context: &Context<'_>) -> Result<Report, Fault> {
    let model = HopModel::new(LOAD, HOPS)?;
    let search = model.search(LARGEST)?;
    context.check_in()?;
    let exact = model.exact(LARGEST)?;
    let network = Network::all_pairs(&Topology::nsfnet(), LOAD)?;
    let own = network.best_blocks(LARGEST)?;
    Ok(Report::new()
        .claims(block_claims(&search))
        .claims(loss_claims(&model, &search))
        .claim(Claim::shows(
            "the exact argument beside the search",
            "the same blocks",
            format!("{:?}", exact.blocks),
            exact.blocks == search.blocks,
        ))
        .claim(beyond(&network, &search, &own)?)
        .figure(figure(&network, &search, &own)?)
        .note(
            "The paper calls the min-max over all flows' blocks intractable. It is not: a flow's \
             loss rises with its own block and falls with every other's, so lowering blocks from \
             the top never passes below a feasible assignment.",
        ))
}

fn block_claims(search: &MinMax) -> Vec<Claim> {
    let claim = |(h, printed): (usize, &&str)| {
        let text = format!("k{} at a mean load of 11 %", h + 1);
        Claim::prints(text, printed, f64::from(search.blocks[h]))
    };
    ["19", "4", "2"].iter().enumerate().map(claim).collect()
}

/// Values of eq. (22)-(25) at these blocks, solved outside of pacesim.
fn loss_claims(model: &HopModel, search: &MinMax) -> Vec<Claim> {
    let with = model.with_blocks(&search.blocks);
    let without = model.without_fec();
    let percent = 100.0;
    vec![
        Claim::prints(
            "load with FEC, % (by eq. 22)",
            "13.943",
            percent * with.load,
        ),
        Claim::prints("link loss, % (by eq. 23)", "0.88623", percent * with.core),
        Claim::prints(
            "loss over 1 hop, % (by eq. 25)",
            "0.1379",
            percent * with.edge[0],
        ),
        Claim::prints(
            "loss over 2 hops, % (by eq. 25)",
            "0.1224",
            percent * with.edge[1],
        ),
        Claim::prints(
            "loss over 3 hops, % (by eq. 25)",
            "0.1395",
            percent * with.edge[2],
        ),
        Claim::prints(
            "mean loss without FEC, % (by eq. 24)",
            "1.125",
            percent * without.mean(),
        ),
    ]
}

fn beyond(network: &Network, search: &MinMax, own: &MinMax) -> Result<Claim, Fault> {
    let heuristic = network.with_blocks(&network.blocks_by_hops(&search.blocks)?);
    let ours = format!(
        "worst loss {:.4e} with the heuristic, {:.4e} with the best block for each flow",
        heuristic.max(),
        own.max_loss
    );
    let holds = own.max_loss <= heuristic.max();
    let text = "all 182 flows of NSFNET: the exact min-max is no worse than the heuristic";
    Ok(Claim::shows(text, "tractable", ours, holds)
        .note("beyond the paper: exact, with the refusal of every lower bound as its proof"))
}

fn figure(network: &Network, search: &MinMax, own: &MinMax) -> Result<Figure, Fault> {
    let by_hops = network.blocks_by_hops(&search.blocks)?;
    let points = |losses: &[f64]| {
        let point = |(flow, loss): (usize, &f64)| (flow as f64, 100.0 * loss);
        losses.iter().enumerate().map(point).collect::<Vec<_>>()
    };
    let panel = Panel::new("flow", "edge-to-edge loss (%)")
        .log_y()
        .points("without FEC", points(&network.without_fec().edge_losses))
        .points(
            "heuristic",
            points(&network.with_blocks(&by_hops).edge_losses),
        )
        .points(
            "best blocks",
            points(&network.with_blocks(&own.blocks).edge_losses),
        );
    Ok(Figure::new("loss of every flow of NSFNET at a mean load of 11 %").panel(panel))
}
