//! Packet hops per second of whole worlds.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use pacesim::World;
use pacesim_benches::poisson_tree;
use pacesim_units::Span;

fn worlds(c: &mut Criterion) {
    let mut group = c.benchmark_group("packet_hops");
    for (hosts, load) in [(40, 0.9), (1000, 0.9), (20_000, 0.9)] {
        let model = poisson_tree(hosts, load, Span::from_secs(2));
        let mut once = World::new(model.clone()).expect("a good model");
        once.run();
        group.throughput(Throughput::Elements(once.packet_hops()));
        group.bench_function(format!("poisson_tree/{hosts}_flows"), |b| {
            b.iter_batched(
                || World::new(model.clone()).expect("a good model"),
                |mut world| {
                    world.run();
                    world.packet_hops()
                },
                criterion::BatchSize::LargeInput,
            );
        });
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(10);
    targets = worlds
}
criterion_main!(benches);
