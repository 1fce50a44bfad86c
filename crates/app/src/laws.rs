//! The laws that every part keeps, as tests: random trials that panic at the first violation.

use pacesim::pacers::{Pacer, laws as of_pacers};
use pacesim::queues::{Queue, laws as of_disciplines};
use pacesim::random::Streams;
use pacesim::source::{Feed, Source, laws as of_sources};
use pacesim::tcp::{CongestionControl, laws as of_controls};
use pacesim::units::{Capacity, Rate};
use pacesim_language::field::Field;
use pacesim_language::form::{Key, Need};
use pacesim_parts::PartKeys;

/// Trials of different random operations.
const TRIALS: u64 = 20;

/// Operations of a trial.
const OPERATIONS: usize = 1000;

/// The default of every key.
///
/// # Panics
///
/// Panics if a key has no default.
pub fn defaults<K: PartKeys>() -> K {
    let table = K::TABLE;
    let required = |key: &&Key| key.need == Need::Required;
    if let Some(key) = table.keys().into_iter().find(required) {
        panic!(
            "the key {} has no default: use the laws of its crate",
            key.name
        );
    }
    <K as Field>::stand_in().expect("no key is required, as was just checked")
}

/// Tries a congestion control with the defaults of its keys; see `pacesim_app::tcp::laws`.
pub fn control<K: PartKeys, C: CongestionControl>(make: impl Fn(&K) -> C) {
    let keys = defaults();
    for seed in 0..TRIALS {
        let events = of_controls::random_events(seed, OPERATIONS);
        if let Err(violation) = of_controls::check(|| make(&keys), &events) {
            panic!("trial {seed}: {violation}");
        }
    }
}

/// Tries a pacer with the defaults of its keys; see `pacesim_app::pacers::laws`, which also tests
/// its promises.
pub fn pacer<K: PartKeys, P: Pacer>(make: impl Fn(&K) -> P) {
    let keys = defaults();
    for seed in 0..TRIALS {
        let operations = of_pacers::random_operations(seed, OPERATIONS);
        let promise = of_pacers::Promise::NONE;
        if let Err(violation) = of_pacers::check(make(&keys), promise, &operations) {
            panic!("trial {seed}: {violation}");
        }
    }
}

/// Tries a discipline with the defaults of its keys and room for twenty packets; see
/// `pacesim_app::queues::laws`, which also tests its promises.
pub fn discipline<K: PartKeys, Q: Queue>(make: impl Fn(&K, Capacity) -> Q) {
    let (keys, room) = (defaults(), Capacity::Packets(20));
    for seed in 0..TRIALS {
        let arrivals = of_disciplines::random_arrivals(seed, OPERATIONS);
        let promise = of_disciplines::Promise::of(room);
        let new = || make(&keys, room);
        let line = Rate::from_mbps(100);
        if let Err(violation) = of_disciplines::check(new, promise, line, &arrivals) {
            panic!("trial {seed}: {violation}");
        }
    }
}

/// Tries a source with the defaults of its keys; see `pacesim_app::source::laws`.
pub fn source<K: PartKeys, S: Source>(make: impl Fn(&K, Feed) -> S) {
    let keys = defaults();
    for replication in 0..TRIALS {
        let seed = 1;
        let streams = Streams { seed, replication };
        let feed = || Feed {
            flow: "flow/laws[0]".to_owned(),
            stream: streams.stream("flow/laws[0]", "source"),
        };
        if let Err(violation) = of_sources::check(|| make(&keys, feed()), OPERATIONS) {
            panic!("trial {replication}: {violation}");
        }
    }
}
