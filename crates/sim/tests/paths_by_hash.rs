//! Paths that hashes give to flows, over a thousand seeds: balls in bins, and the shares of a
//! permutation on a fat tree.

use pacesim::measure::mean_interval;
use pacesim::model::{Leg, Model, PathKey};
use pacesim::scenario::{Checked, load};
use pacesim::units::LinkId;
use pacesim_analytic::catalogue;
use pacesim_analytic::fabric::max_min;

const SEEDS: u64 = 1000;

fn checked(topology: &str, flows: &str) -> Checked {
    let text = format!(
        r#"
run = {{ duration = "1ms", multipath = "flow" }}
[topology]
{topology}
[[flow]]
name = "f"
{flows}
traffic = {{ kind = "cbr", rate = "1Gbps", size = "1000B" }}
"#
    );
    load("hash.toml", &text, &[], &()).expect("it is sound")
}

fn paths(model: &Model) -> Vec<Vec<LinkId>> {
    let mut paths = model.paths();
    let flows = model.flows.iter();
    flows
        .map(|flow| paths.by(PathKey::of(flow, Leg::There)).expect("a path"))
        .collect()
}

/// Flows on each link.
fn loads(model: &Model, paths: &[Vec<LinkId>]) -> Vec<u32> {
    let mut loads = vec![0; model.links.len()];
    for link in paths.iter().flatten() {
        loads[link.index()] += 1;
    }
    loads
}

/// Asserts that the mean of samples is in their interval of 99.99 %, widened by the expectation's own
/// error.
fn assert_mean(what: &str, samples: &[f64], expected: f64, error: f64) {
    let interval = mean_interval(samples, 0.9999).expect("samples");
    let (low, high) = (interval.low - error, interval.high + error);
    assert!(
        (low..=high).contains(&expected),
        "{what}: {expected} is outside {low} to {high}"
    );
}

#[test]
fn flows_fall_on_links_as_balls_into_bins() {
    for (flows, links) in [(8_u32, 8_u32), (32, 8), (16, 16)] {
        let topology = format!(
            "shape = \"leaf_spine\"\nleaves = 2\nspines = {links}\nhosts = {flows}\n\
             access = {{ rate = \"10Gbps\" }}\nuplink = {{ rate = \"10Gbps\" }}"
        );
        let ends = format!(
            "from = \"host[0..{flows}]\"\nto = \"host[{flows}..{}]\"",
            2 * flows
        );
        let checked = checked(&topology, &ends);
        let (mut most, mut idle) = (Vec::new(), Vec::new());
        for seed in 1..=SEEDS {
            let model = checked.expand(seed, 0);
            let loads = loads(&model, &paths(&model));
            let named = model.links.iter().zip(loads);
            let up: Vec<u32> = named
                .filter(|(link, _)| link.name.to_string().starts_with("uplink["))
                .map(|(_, load)| load)
                .take(links as usize)
                .collect();
            assert_eq!(up.iter().sum::<u32>(), flows);
            most.push(f64::from(*up.iter().max().expect("links")));
            idle.push(up.iter().filter(|load| **load == 0).count() as f64);
        }
        let given = [("flows", flows.to_string()), ("links", links.to_string())];
        let given = given
            .each_ref()
            .map(|(name, value)| (*name, value.as_str()));
        let law = catalogue::solve("ecmp", &given).expect("it is solved");
        let value = |name| law.value(name).expect("a number");
        let what = format!("{flows} flows on {links} links");
        assert_mean(&what, &most, value("busiest_mean_flows"), 0.0);
        assert_mean(&what, &idle, value("idle_mean_links"), 0.0);
    }
}

/// Means and standard deviations over a thousand permutations with random paths, computed by a program
/// that shares nothing with this one: k = 4, lines that carry 1.
const FLUID: [(&str, f64, f64); 4] = [
    ("mean share", 0.592_682, 0.075_669),
    ("least share", 0.405_333, 0.088_216),
    ("flows with a line of their own", 0.224, 0.134_216),
    ("flows on the busiest link", 2.591, 0.577_973),
];

#[test]
fn permutations_on_a_fat_tree_have_the_shares_of_random_paths() {
    let topology = "shape = \"fat_tree\"\nk = 4\naccess = { rate = \"10Gbps\" }";
    let checked = checked(
        topology,
        "from = \"host\"\nto = \"host\"\npair = \"permutation\"",
    );
    let mut found = [const { Vec::new() }; 4];
    for seed in 1..=SEEDS {
        let model = checked.expand(seed, 0);
        let paths = paths(&model);
        let busiest = loads(&model, &paths).into_iter().max().expect("links");
        let places: Vec<Vec<usize>> = paths
            .iter()
            .map(|path| path.iter().map(|link| link.index()).collect())
            .collect();
        let shares = max_min(&places, &vec![1.0; model.links.len()]);
        let flows = shares.len() as f64;
        let alone = shares.iter().filter(|share| **share > 0.999).count();
        let numbers = [
            shares.iter().sum::<f64>() / flows,
            shares.iter().copied().fold(f64::INFINITY, f64::min),
            alone as f64 / flows,
            f64::from(busiest),
        ];
        for (samples, number) in found.iter_mut().zip(numbers) {
            samples.push(number);
        }
    }
    for ((what, mean, deviation), samples) in FLUID.into_iter().zip(&found) {
        let error = 2.0 * deviation / (SEEDS as f64).sqrt();
        assert_mean(what, samples, mean, error);
    }
}
