//! temp
use pacesim::World;
use pacesim_benches::poisson_tree;
use pacesim_units::Span;
fn main() {
    let secs: u64 = std::env::args().nth(1).unwrap().parse().unwrap();
    let hosts: u32 = std::env::args().nth(2).map_or(1000, |s| s.parse().unwrap());
    let mut w = World::new(poisson_tree(hosts, 0.9, Span::from_secs(secs))).unwrap();
    w.run();
    println!(
        "{} hops {:016x} events {}",
        w.packet_hops(),
        w.fingerprint(),
        w.events()
    );
}
