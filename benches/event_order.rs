//! Event-order operations per queue: removing the first wake-up and setting it again (the classic
//! hold model), and the engine's own pattern, in which one link falls idle and another is armed a
//! little later.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use pacesim_benches::event_queues::{FourAryHeap, StdHeap, WinnerTree};
use pacesim_core::engine::{EventQueue, Wheel};
use pacesim_units::{Span, Time};

const OPERATIONS: u64 = 10_000;
const LAST: Time = Time::from_ps(u64::MAX - 1);

/// A cheap pseudo-random sequence.
fn scramble(n: u64) -> u64 {
    let mixed = n.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (mixed ^ (mixed >> 32)).wrapping_mul(0xD6E8_FEB8_6659_FD93) >> 20
}

fn filled<Q: EventQueue>(components: u32) -> Q {
    let mut queue = Q::with_components(components as usize);
    for id in 0..components / 2 {
        queue.set(id, Time::from_ps(scramble(u64::from(id))), Time::ZERO);
    }
    queue
}

/// Moves the first wake-up to a random later time.
fn hold<Q: EventQueue>(queue: &mut Q, from: u64) {
    for n in from..from + OPERATIONS {
        let (now, id) = queue.take_first(LAST).expect("half are armed");
        queue.set(id, now + Span::from_ps(scramble(n)), now);
    }
}

/// The first component falls idle, and an idle one is armed.
fn pass_on<Q: EventQueue>(queue: &mut Q, components: u32, from: u64) {
    for n in from..from + OPERATIONS {
        let (now, id) = queue.take_first(LAST).expect("half are armed");
        let heir = (id + components / 2) % components;
        queue.set(heir, now + Span::from_ps(scramble(n) / 64), now);
    }
}

fn bench_queue<Q: EventQueue>(c: &mut Criterion, name: &str) {
    for components in [100u32, 2_000, 40_000] {
        let mut group = c.benchmark_group("event_order");
        group.throughput(Throughput::Elements(OPERATIONS));
        let mut queue: Q = filled(components);
        let mut n = 0;
        group.bench_function(BenchmarkId::new(format!("{name}/hold"), components), |b| {
            b.iter(|| {
                hold(black_box(&mut queue), n);
                n += OPERATIONS;
            });
        });
        let mut queue: Q = filled(components);
        group.bench_function(
            BenchmarkId::new(format!("{name}/pass_on"), components),
            |b| {
                b.iter(|| {
                    pass_on(black_box(&mut queue), components, n);
                    n += OPERATIONS;
                });
            },
        );
        group.finish();
    }
}

fn all_queues(c: &mut Criterion) {
    bench_queue::<Wheel>(c, "wheel");
    bench_queue::<FourAryHeap>(c, "four_ary_heap");
    bench_queue::<WinnerTree>(c, "winner_tree");
    bench_queue::<StdHeap>(c, "std_heap");
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20);
    targets = all_queues
}
criterion_main!(benches);
