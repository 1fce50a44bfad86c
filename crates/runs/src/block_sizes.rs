//! Block sizes derived from the loads of links (zerobuf 5.4), computed for a model before it runs.

use std::collections::{BTreeMap, BTreeSet};

use pacesim::model::{Model, Protection, SizeMethod, SizeModel};
use pacesim::scenario::Checked;
use pacesim_analytic::fec_network::{Flow, HopModel, Network};

/// The largest block size that is tried, as in the paper.
const MOST: u32 = 100;
/// The most links of the core that the heuristic distinguishes.
const MOST_LINKS: usize = 100;

/// The model of a replication, ready to run: includes the block sizes derived from its loads, which
/// the scenario alone leaves open.
pub fn expand(scenario: &Checked, seed: u64, replication: u64) -> Model {
    let mut model = scenario.expand(seed, replication);
    solve(&mut model);
    model
}

/// Sets the block sizes not yet known, those of each `[[fec]]` entry together.
fn solve(model: &mut Model) {
    let unsolved = |pair: &Protection| Some((pair.group.clone(), pair.unsolved?));
    let groups: BTreeMap<String, SizeModel> =
        model.protections.iter().filter_map(unsolved).collect();
    for (group, sizes) in groups {
        let of_group = |pair: &&Protection| pair.group == group && !pair.core.is_empty();
        let pairs: Vec<&Protection> = model.protections.iter().filter(of_group).collect();
        let found = blocks(model, &pairs, sizes);
        let mut found = found.into_iter();
        for pair in model
            .protections
            .iter_mut()
            .filter(|pair| pair.group == group)
        {
            // Between edges at the same core node there is nothing to protect.
            let block = if pair.core.is_empty() {
                None
            } else {
                found.next()
            };
            pair.config.block = block.unwrap_or(MOST) as u16;
            pair.unsolved = None;
        }
    }
}

/// Computes the block size of each pair.
fn blocks(model: &Model, pairs: &[&Protection], sizes: SizeModel) -> Vec<u32> {
    if pairs.is_empty() {
        return Vec::new();
    }
    let flows = loads(model, pairs, sizes.load);
    const CHECKED: &str = "pairs of a checked scenario cross links, with loads that are numbers";
    match sizes.method {
        SizeMethod::Exact => {
            let links = model.links.len();
            let network = Network::new(links, flows).expect(CHECKED);
            network.best_blocks(MOST).expect(CHECKED).blocks
        }
        SizeMethod::Heuristic => {
            let hops = |flow: &Flow| flow.path.len().min(MOST_LINKS);
            let most = flows.iter().map(hops).max().unwrap_or(1);
            // A load above 1 is as bad as 1.
            let load = mean_load(&flows).clamp(f64::MIN_POSITIVE, 1.0);
            let alike = HopModel::new(load, most).expect(CHECKED);
            let by_hops = alike.exact(MOST).expect(CHECKED).blocks;
            flows.iter().map(|flow| by_hops[hops(flow) - 1]).collect()
        }
    }
}

/// The load of each pair on the core, as a share of the slowest core link on its path.
fn loads(model: &Model, pairs: &[&Protection], mean: Option<f64>) -> Vec<Flow> {
    let share = |pair: &&Protection| {
        let links = pair.core.iter().map(|link| model.links[link.index()].rate);
        let slowest = links
            .min()
            .map_or(f64::INFINITY, |rate| rate.as_bps() as f64);
        let flows = pair.data.iter().map(|flow| &model.flows[flow.index()]);
        let bps: f64 = match mean {
            Some(_) => pair.data.len() as f64,
            None => flows.filter_map(|flow| flow.traffic.mean_bps()).sum(),
        };
        Flow {
            load: bps / slowest,
            path: pair.core.iter().map(|link| link.index()).collect(),
        }
    };
    let mut flows: Vec<Flow> = pairs.iter().map(share).collect();
    let now = mean_load(&flows);
    if let Some(mean) = mean.filter(|_| now > 0.0) {
        flows.iter_mut().for_each(|flow| flow.load *= mean / now);
    }
    flows
}

/// The mean load of the links in use.
fn mean_load(flows: &[Flow]) -> f64 {
    let links: BTreeSet<usize> = flows.iter().flat_map(|flow| flow.path.clone()).collect();
    let crossings = flows.iter().map(|flow| flow.load * flow.path.len() as f64);
    crossings.sum::<f64>() / links.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use pacesim::scenario::load;

    /// One Poisson flow in each direction between all pairs of NSFNET nodes, each with an edge.
    fn nsfnet(keys: &str, bps: u64) -> Checked {
        let text = format!(
            r#"
            run = {{ duration = "1s" }}
            topology = {{ shape = "nsfnet", edges = 1, hosts = 1, link = {{ rate = "1Gbps" }}, edge = {{ rate = "1Gbps" }}, access = {{ rate = "1Gbps" }} }}
            [[flow]]
            name = "f"
            from = "host"
            to = "host"
            pair = "all"
            traffic = {{ kind = "poisson", rate = "{bps}bps", size = "1000B" }}
            [[fec]]
            ingress = "edge"
            egress = "edge"
            {keys}
            "#
        );
        load("nsfnet.toml", &text, &[], &()).expect("nothing is wrong")
    }

    /// The rate that gives core links this mean load: 390 crossings of 42 links.
    fn rate_for(load: f64) -> u64 {
        (load * 42.0 / 390.0 * 1e9) as u64
    }

    fn by_hops(model: &Model) -> BTreeMap<u32, BTreeSet<u16>> {
        let mut found: BTreeMap<u32, BTreeSet<u16>> = BTreeMap::new();
        for pair in &model.protections {
            let sizes = found.entry(pair.hops()).or_default();
            sizes.insert(pair.config.block);
        }
        found
    }

    #[test]
    fn the_heuristic_gives_the_papers_blocks_at_its_load() {
        let wanted: BTreeMap<u32, BTreeSet<u16>> = [(1, 19), (2, 4), (3, 2)]
            .map(|(hops, block)| (hops, BTreeSet::from([block])))
            .into();
        let by_rates = nsfnet("from = \"fec_network\"", rate_for(0.11));
        let given = nsfnet("from = \"fec_network\"\nload = 0.11", 3_000_000);
        for scenario in [by_rates, given] {
            let model = expand(&scenario, 1, 0);
            assert_eq!(model.protections.len(), 182);
            assert_eq!(by_hops(&model), wanted);
        }
    }

    #[test]
    fn the_exact_blocks_lose_less_where_most_is_lost() {
        let rate = rate_for(0.11);
        let worst = |keys: &str| {
            let model = expand(&nsfnet(keys, rate), 1, 0);
            let pairs: Vec<&Protection> = model.protections.iter().collect();
            let network = Network::new(model.links.len(), loads(&model, &pairs, None));
            let blocks = pairs.iter().map(|pair| pair.config.block.into());
            let blocks: Vec<u32> = blocks.collect();
            network.expect("a network").with_blocks(&blocks).max()
        };
        let exact = worst("from = \"fec_network_exact\"");
        let heuristic = worst("from = \"fec_network\"");
        assert!(exact < 0.9 * heuristic, "{exact} {heuristic}");
    }

    #[test]
    fn a_model_that_is_not_solved_is_not_run() {
        let model = nsfnet("from = \"fec_network\"", 1_000_000).expand(1, 0);
        let error = pacesim::World::new(model)
            .map(|_| ())
            .expect_err("no sizes");
        assert!(
            matches!(error, pacesim::BuildError::Unsolved { .. }),
            "{error:?}"
        );
    }
}
