//! Time of one arrival and one release, with n packets waiting.
#![allow(missing_docs, unreachable_pub)]

mod workload;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use std::time::Duration;
use workload::{PACERS, steady};

fn cost(c: &mut Criterion) {
    let mut group = c.benchmark_group("packet");
    group.throughput(Throughput::Elements(1));
    group
        .sample_size(20)
        .warm_up_time(Duration::from_millis(300));
    group.measurement_time(Duration::from_secs(1));
    for name in PACERS {
        for n in [100, 1_000, 10_000, 100_000, 1_000_000] {
            if !worth_measuring(name, n) {
                continue;
            }
            group.bench_function(BenchmarkId::new(name, n), |b| {
                let mut workload = steady(name, n);
                b.iter(|| workload.step());
            });
        }
    }
    group.finish();
}

/// Only hulls depend on n, and the rebuild takes too long beyond ten thousand.
fn worth_measuring(name: &str, n: u64) -> bool {
    match name {
        "hull" | "hull_multi" => true,
        "rebuild" => n <= 10_000,
        _ => n == 1_000,
    }
}

criterion_group!(benches, cost);
criterion_main!(benches);
