//! Runs a world without the program around it, for profilers:
//!
//! `tree SECONDS [FLOWS]` runs the tree of Poisson flows, `tree SECONDS FILE` a scenario. Prints
//! packet-hops and fingerprint.

use pacesim::World;
use pacesim::model::Model;
use pacesim::scenario::load;
use pacesim_benches::poisson_tree;
use pacesim_units::Span;

fn scenario(file: &str, seconds: u64) -> Model {
    let text = std::fs::read_to_string(file).expect("a readable scenario");
    let duration = format!("run.duration={seconds}s");
    load(file, &text, &[&duration], &())
        .expect("a good scenario")
        .expand(1, 0)
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let usage = "usage: tree SECONDS [FLOWS | FILE]";
    let seconds = arguments
        .first()
        .and_then(|text| text.parse().ok())
        .expect(usage);
    let what = arguments.get(1).map_or("1000", String::as_str);
    let model = match what.parse() {
        Ok(flows) => poisson_tree(flows, 0.9, Span::from_secs(seconds)),
        Err(_) => scenario(what, seconds),
    };
    let mut world = World::new(model).expect("a good model");
    world.run();
    println!(
        "{} packet-hops, fingerprint {:016x}",
        world.packet_hops(),
        world.fingerprint()
    );
}
