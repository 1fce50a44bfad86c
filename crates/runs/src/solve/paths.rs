//! The max-min fair shares of a scenario's flows on the paths that they take.

use pacesim::model::{Flow, Model, PathRule};
use pacesim::units::{FlowId, LinkId};

use super::catalogue::{Solution, fair_shares};
use super::port::NoFit;

/// The shares of all flows, and the assumptions.
pub(super) fn shares(model: &Model, seed: u64) -> Result<(Solution, Vec<String>), NoFit> {
    let is_divided = |flow: &Flow| flow.path.divides_connections();
    if let Some(flow) = model.flows.iter().position(is_divided) {
        let flow = model.flow_name(FlowId::from_index(flow));
        return Err(NoFit::Divided { flow });
    }
    let mut known = model.paths();
    let mut paths: Vec<Vec<usize>> = Vec::with_capacity(model.flows.len());
    for flow in &model.flows {
        let links = known.there(flow).unwrap_or_default();
        paths.push(links.into_iter().map(LinkId::index).collect());
    }
    let capacities = model.links.iter().map(|link| link.rate.as_bps() as f64);
    let solution = fair_shares(&paths, &capacities.collect::<Vec<f64>>());
    let mut assumptions = vec!["each flow sends as much as its path lets it".to_owned()];
    let is_hashed = |flow: &Flow| matches!(flow.path, PathRule::Hashed(_));
    if model.flows.iter().any(is_hashed) {
        assumptions.push(format!("paths are hashed with the salts of seed {seed}"));
    }
    let busiest = busiest(model, &paths);
    assumptions.push(format!("of all links {busiest} has the most flows"));
    Ok((solution, assumptions))
}

/// The name of the first link of those with the most flows.
fn busiest(model: &Model, paths: &[Vec<usize>]) -> String {
    let mut users = vec![0_u32; model.links.len()];
    paths.iter().flatten().for_each(|link| users[*link] += 1);
    let busiest = (0..users.len()).rev().max_by_key(|link| users[*link]);
    busiest.map_or_else(String::new, |link| model.links[link].name.to_string())
}
