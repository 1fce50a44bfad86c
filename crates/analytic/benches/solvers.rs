//! Solve time against states (linear) and bulk size (flat for exponential service), elimination for
//! comparison, and the searches for FEC blocks.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use pacesim_analytic::bulk::{Admission, BulkQueue, Bulks};
use pacesim_analytic::bulk_det;
use pacesim_analytic::fec_network::{HopModel, Network, Topology};
use pacesim_analytic::markov::Banded;

/// A load of 0.9, a tenth of it in single customers.
fn queue(places: usize, size: usize) -> BulkQueue {
    let bulks = |load: f64, size: usize| Bulks {
        rate: load / size as f64,
        size,
    };
    BulkQueue {
        places,
        service_rate: 1.0,
        classes: vec![bulks(0.09, 1), bulks(0.81, size)],
        admission: Admission::CompleteRejection,
    }
}

fn against_states(c: &mut Criterion) {
    let mut group = c.benchmark_group("bulk_states");
    group.sample_size(10);
    for places in [1_000, 10_000, 100_000, 1_000_000] {
        let queue = queue(places, 40);
        group.throughput(Throughput::Elements(places as u64));
        group.bench_function(BenchmarkId::from_parameter(places), |b| {
            b.iter(|| black_box(&queue).solve().expect("admissible"));
        });
    }
    group.finish();
}

fn against_bulk_size(c: &mut Criterion) {
    let mut group = c.benchmark_group("bulk_size");
    group.sample_size(10);
    group.throughput(Throughput::Elements(100_000));
    for size in [2, 40, 400, 10_000] {
        let queue = queue(100_000, size);
        group.bench_function(BenchmarkId::from_parameter(size), |b| {
            b.iter(|| black_box(&queue).solve().expect("admissible"));
        });
    }
    group.finish();
}

fn deterministic(c: &mut Criterion) {
    let mut group = c.benchmark_group("bulk_det");
    group.sample_size(10);
    for (places, size) in [(1_000, 5), (10_000, 5), (100_000, 5), (10_000, 40)] {
        let queue = queue(places, size);
        group.throughput(Throughput::Elements(places as u64));
        group.bench_function(BenchmarkId::new(format!("bulks_of_{size}"), places), |b| {
            b.iter(|| bulk_det::solve(black_box(&queue)).expect("admissible"));
        });
    }
    group.finish();
}

fn elimination(c: &mut Criterion) {
    let queue = queue(10_000, 40);
    let mut chain = Banded::new(queue.places + 1, 1, 40);
    for n in 0..=queue.places {
        for class in queue.classes.iter().filter(|c| n + c.size <= queue.places) {
            chain.add(n, n + class.size, class.rate);
        }
        chain.add(n, n.saturating_sub(1), queue.service_rate);
    }
    c.bench_function("elimination/10000x40", |b| {
        b.iter(|| black_box(&chain).clone().stationary().expect("irreducible"));
    });
}

fn blocks(c: &mut Criterion) {
    let model = HopModel::new(0.11, 3).expect("admissible");
    let network = Network::all_pairs(&Topology::nsfnet(), 0.11).expect("connected");
    let mut group = c.benchmark_group("fec_blocks");
    group.sample_size(10);
    group.bench_function("all_100^3", |b| b.iter(|| black_box(&model).search(100)));
    group.bench_function("hops_exact", |b| b.iter(|| black_box(&model).exact(100)));
    group.bench_function("nsfnet_182_flows_exact", |b| {
        b.iter(|| black_box(&network).best_blocks(100));
    });
    group.finish();
}

criterion_group!(
    benches,
    against_states,
    against_bulk_size,
    deterministic,
    elimination,
    blocks
);
criterion_main!(benches);
