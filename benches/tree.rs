//! Runs the tree of Poisson flows without the program around it, for profilers:
//! `tree SECONDS [FLOWS]` prints packet-hops and fingerprint.

use pacesim::World;
use pacesim_benches::poisson_tree;
use pacesim_units::Span;

fn main() {
    let mut numbers = std::env::args()
        .skip(1)
        .map(|text| text.parse().expect("a number"));
    let seconds = numbers.next().expect("usage: tree SECONDS [FLOWS]");
    let flows = numbers
        .next()
        .map_or(1000, |n| u32::try_from(n).expect("fewer flows"));
    let model = poisson_tree(flows, 0.9, Span::from_secs(seconds));
    let mut world = World::new(model).expect("the tree is a good model");
    world.run();
    println!(
        "{} packet-hops, fingerprint {:016x}",
        world.packet_hops(),
        world.fingerprint()
    );
}
