//! Paths of fabrics against fair shares of fluid flows.

use pacesim::model::Model;
use pacesim::scenario::load;
use pacesim_analytic::fabric::max_min;
use pacesim_runs::solve::solve_paths;

use crate::common::from_text;

fn tree(k: u32) -> String {
    format!(
        r#"
run = {{ duration = "1ms", multipath = "flow" }}
[topology]
shape = "fat_tree"
k = {k}
access = {{ rate = "10Gbps" }}
[[flow]]
name = "f"
from = "host"
to = "host"
pair = "permutation"
traffic = {{ kind = "cbr", rate = "1Gbps", size = "1000B" }}
"#
    )
}

/// The max-min fair rate of each flow on its path, over links of rate 1.
fn shares(model: &Model) -> Vec<f64> {
    let mut paths = model.paths();
    let path = |flow| {
        let links = paths.there(flow).expect("a path");
        links.iter().map(|link| link.index()).collect()
    };
    let paths: Vec<Vec<usize>> = model.flows.iter().map(path).collect();
    max_min(&paths, &vec![1.0; model.links.len()])
}

/// Means over seeds of the mean rate, and of the least; with the standard deviations of one seed
/// these are from a Monte Carlo computation elsewhere.
#[test]
fn flows_hashed_to_paths_have_the_fluid_shares_of_random_paths() {
    for (k, seeds, expected) in [
        (4, 1000, [(0.592_682, 0.0757), (0.405_333, 0.0882)]),
        (8, 100, [(0.473_901, 0.0199), (0.238, 0.032)]),
    ] {
        let checked = load("tree.toml", &tree(k), &[], &()).expect("it is sound");
        let mut sums = [0.0; 2];
        for seed in 0..seeds {
            let rates = shares(&checked.expand(seed, 0));
            sums[0] += rates.iter().sum::<f64>() / rates.len() as f64;
            sums[1] += rates.iter().copied().fold(1.0, f64::min);
        }
        for (sum, (mean, deviation)) in sums.into_iter().zip(expected) {
            let off = (sum / seeds as f64 - mean).abs();
            // Both means are of so many seeds.
            let error = deviation * (2.0 / seeds as f64).sqrt();
            assert!(off < 4.0 * error, "k = {k}: off by {off}, {mean}");
        }
    }
}

/// Three flows share a port, and the first host has what is left of its line for another.
#[test]
fn flows_of_a_scenario_have_the_shares_of_their_paths() {
    let text = r#"
run = { duration = "1ms" }
[topology]
shape = "star"
leaves = 5
link = { rate = "3Gbps" }
[[flow]]
name = "in"
from = "leaf[1..4]"
to = "leaf[0]"
traffic = { kind = "tcp", profile = "linux" }
[[flow]]
name = "aside"
from = "leaf[1]"
to = "leaf[4]"
traffic = { kind = "tcp", profile = "linux" }
"#;
    let solution = solve_paths(&from_text(text, &[])).expect("paths").solution;
    let shares = solution.get("shares").expect("a table");
    assert_eq!(shares.get("share_bps"), Some(&[1e9, 1e9, 1e9, 2e9][..]));
    assert_eq!(solution.value("busiest_link_flows"), Some(3.0));
    for rule in ["flow", "hosts"] {
        let hashed = from_text(text, &[&format!("run.multipath={rule}")]);
        let origin = solve_paths(&hashed).expect("paths").origin;
        let mut told = origin.iter().flat_map(|origin| &origin.assumptions);
        assert!(told.any(|told| told.contains("salts of seed")), "{rule}");
    }
    let sprayed = from_text(text, &["run.multipath=packet"]);
    let fault = solve_paths(&sprayed).expect_err("no path of their own");
    assert!(fault.to_string().contains("in[0]"), "{fault}");
}
