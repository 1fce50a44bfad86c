//! The laws that every part keeps, as tests: random trials that panic at the first violation.

pub mod elsewhere;

use pacesim::middlebox::Site;
use pacesim::model::Payload;
use pacesim::model::application::{Application, Role};
use pacesim::model::transport::{Made, Opening};
use pacesim::net::{Flags, Kind, LossModel, Middlebox, Packet, middlebox_laws};
use pacesim::pacers::{Pacer, laws as of_pacers};
use pacesim::queues::{Queue, laws as of_disciplines};
use pacesim::random::{Stream, Streams, unit_below_one};
use pacesim::source::{Feed, Source, laws as of_sources};
use pacesim::tcp::{CongestionControl, laws as of_controls};
use pacesim::transport::application::laws as of_applications;
use pacesim::transport::laws::{self as of_ends, Fate};
use pacesim::units::{Bytes, Capacity, FlowId, LinkId, Rate, Span, Time};
use pacesim_language::field::Field;
use pacesim_language::form::{Key, Need};
use pacesim_parts::{Measure, PartKeys};

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

/// Tries both ends of a transport with the defaults of its keys and packets of 1500 B; see
/// `pacesim_app::end::laws`. Returns hashes of the packets of each trial, for
/// [`elsewhere::same`].
pub fn end<K: PartKeys>(make: impl Fn(&K, Opening) -> Made) -> Vec<Vec<u64>> {
    let keys = defaults();
    let (seed, delay) = (1, Span::from_ms(10));
    let trial = |replication| {
        let streams = Streams { seed, replication };
        let mut dice = streams.stream("laws", "transfers");
        let mut below = |limit: u64| (unit_below_one(&mut dice) * limit as f64) as u64;
        let count = 1 + below(4);
        let transfers: Vec<Bytes> = (0..count).map(|_| Bytes(1 + below(50_000))).collect();
        let fates: Vec<_> = (0..97)
            .map(|_| (below(12), Span::from_ms(below(30))))
            .collect();
        let fate = |number: u32| match fates[number as usize % fates.len()] {
            // The same packet must not be lost for ever.
            (0, _) if number < 200 => Fate::Lost,
            (1, late) => Fate::Late(late),
            (2, late) => Fate::Twice(late),
            (3, _) => Fate::Marked,
            _ => Fate::Late(Span::ZERO),
        };
        let both = |at: Time| {
            [true, false].map(|is_source| {
                let opening = Opening {
                    flow: FlowId(0),
                    call: 0,
                    at,
                    seed: replication,
                    is_source,
                    packet_size: 1500,
                    header: 40,
                    line: Rate::from_mbps(10_000),
                    round_trip: Span::from_us(100),
                    hops: 3,
                    ecn: replication % 2 == 1,
                };
                make(&keys, opening).expect("ends with the defaults of their keys")
            })
        };
        of_ends::check_made(both, &transfers, delay, fate)
    };
    (0..TRIALS).map(trial).collect()
}

/// Tries both sides of an application with the defaults of its keys, which yield numbers of these
/// names; see `pacesim_app::application::laws`. Returns hashes of the messages of each trial, for
/// [`elsewhere::same`].
pub fn application<K: PartKeys>(
    names: &[&str],
    make: impl Fn(&K, Role) -> Box<dyn Application>,
) -> Vec<Vec<u64>> {
    let keys = defaults();
    let trial = |replication| {
        let seed = 1;
        let streams = Streams { seed, replication };
        let both = || {
            [true, false].map(|is_client| {
                let flow = if is_client {
                    "flow/laws[0]"
                } else {
                    "flow/laws[1]"
                };
                make(
                    &keys,
                    Role {
                        flow: flow.to_owned(),
                        is_client,
                        stream: streams.stream(flow, "application"),
                    },
                )
            })
        };
        let (delay, per_byte) = (Span::from_ms(1 + 5 * replication), Span::from_ns(800));
        of_applications::check(both, names.len(), delay, per_byte)
    };
    (0..TRIALS).map(trial).collect()
}

/// Tries a middlebox with the defaults of its keys; see `pacesim::net::middlebox_laws`.
pub fn middlebox<K: PartKeys, M: Middlebox<Payload = Payload>>(make: impl Fn(&K, Site) -> M) {
    let keys = defaults();
    for replication in 0..TRIALS {
        let seed = 1;
        let streams = Streams { seed, replication };
        let site = || Site {
            node: "laws".to_owned(),
            stream: streams.stream("link/laws/middlebox[0]", "middlebox"),
        };
        let arrivals = random_packets(&mut streams.stream("laws", "packets"));
        if let Err(violation) = middlebox_laws(|| make(&keys, site()), &arrivals) {
            panic!("trial {replication}: {violation}");
        }
    }
}

/// Tries a loss model with the defaults of its keys: constructed again, it loses the same packets.
pub fn loss<K: PartKeys, M: LossModel>(make: impl Fn(&K) -> M) {
    let keys = defaults();
    for replication in 0..TRIALS {
        let seed = 1;
        let streams = Streams { seed, replication };
        let arrivals = random_packets(&mut streams.stream("laws", "packets"));
        let lost = || {
            let (mut model, mut now) = (make(&keys), Time::ZERO);
            let loses = arrivals.iter().map(|(gap, packet)| {
                now += *gap;
                model.loses(now, packet)
            });
            loses.collect::<Vec<bool>>()
        };
        assert_eq!(
            lost(),
            lost(),
            "trial {replication}: constructed again it loses others"
        );
    }
}

/// Data and ACKs of three flows, with their gaps.
fn random_packets(dice: &mut Stream) -> Vec<(Span, Packet)> {
    let mut below = |limit: f64| (unit_below_one(dice) * limit) as u32;
    let packet = |_| {
        let gap = Span::from_us(u64::from(below(2000.0)));
        let kind = if below(2.0) == 0 {
            Kind::Data
        } else {
            Kind::Ack
        };
        let packet = Packet {
            flow: FlowId(below(3.0)),
            seq: below(1000.0),
            size: 40 + below(1460.0),
            flags: Flags::from(kind),
            ..Packet::default()
        };
        (gap, packet)
    };
    (0..OPERATIONS).map(packet).collect()
}

/// Tries a measure with the defaults of its keys: it has a number for each name, and constructed
/// again it yields the same numbers.
pub fn measure<K: PartKeys, M: Measure>(names: &[&str], make: impl Fn(&K) -> M) {
    let keys = defaults();
    for replication in 0..TRIALS {
        let seed = 1;
        let streams = Streams { seed, replication };
        let arrivals = random_packets(&mut streams.stream("laws", "packets"));
        let numbers = || {
            let (mut measure, mut now) = (make(&keys), Time::ZERO);
            for (gap, packet) in &arrivals {
                now += *gap;
                let departs = now + Span::from_us(1);
                measure.accepted(now, LinkId(0), packet, departs);
                if packet.seq.is_multiple_of(10) {
                    measure.dropped(departs, LinkId(0), packet)
                } else {
                    measure.delivered(departs, packet)
                }
            }
            measure.numbers(now + Span::from_secs(1))
        };
        let found = numbers();
        assert_eq!(found.len(), names.len(), "a number for each of {names:?}");
        assert_eq!(
            found,
            numbers(),
            "trial {replication}: constructed again it has others"
        );
    }
}
