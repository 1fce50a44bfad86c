//! Time of one arrival and one release, with n packets waiting.
#![allow(missing_docs, unreachable_pub)]
#![allow(clippy::disallowed_types, reason = "a benchmark reads the clock")]

mod workload;

use std::time::{Duration, Instant};

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use workload::{PACERS, Run, steady};

fn cost(c: &mut Criterion) {
    let mut group = c.benchmark_group("packet");
    group.throughput(Throughput::Elements(1));
    for name in PACERS {
        for n in [100, 1_000, 10_000, 100_000, 1_000_000] {
            if !worth_measuring(name, n) {
                continue;
            }
            // Criterion calls the closure for every sample, but the workload settles only once.
            let mut settled = None;
            group.bench_function(BenchmarkId::new(name, n), |b| {
                let workload = settled.get_or_insert_with(|| steady(name, n));
                b.iter_custom(|steps| time(&mut **workload, steps));
            });
        }
    }
    group.finish();
}

fn time(workload: &mut dyn Run, steps: u64) -> Duration {
    let begin = Instant::now();
    workload.run(steps);
    begin.elapsed()
}

/// Only hulls depend on n, and rebuilding takes too long beyond ten thousand.
fn worth_measuring(name: &str, n: u64) -> bool {
    match name {
        "hull" | "hull_multi" => true,
        "rebuild" => n <= 10_000,
        _ => n == 1_000,
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(20)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1));
    targets = cost
}
criterion_main!(benches);
