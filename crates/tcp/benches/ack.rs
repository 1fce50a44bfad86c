//! Time of one round: a packet arrives, its ACK comes back, and the packets that it releases are
//! sent.
#![allow(missing_docs, unreachable_pub, dead_code)]

mod rounds;

use std::time::Duration;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use pacesim_tcp::{Amount, Config, Variant};
use rounds::{Path, Rounds};

fn ack(c: &mut Criterion) {
    let mut group = c.benchmark_group("ack");
    group.throughput(Throughput::Elements(1));
    group
        .sample_size(20)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1));
    for (weather, loss_per_mille) in [("no loss", 0), ("1 % loss", 10)] {
        for variant in Variant::ALL {
            group.bench_function(BenchmarkId::new(format!("{variant:?}"), weather), |b| {
                let path = Path::Loss(loss_per_mille);
                let mut rounds = Rounds::new(Config::ns2(variant), Amount::Endless, path);
                b.iter(|| rounds.ack::<false>());
            });
        }
    }
    group.finish();
}

criterion_group!(benches, ack);
criterion_main!(benches);
