//! Packets from outside: each leaves by one way, and recorded entries repeat a run.

use std::collections::BTreeSet;
use std::collections::VecDeque;

use pacesim::middlebox::OwnMiddlebox;
use pacesim::model::{Model, Traffic};
use pacesim::net::{DropCause, Ecn, Middlebox, Packet, Step};
use pacesim::random::Streams;
use pacesim::units::{FlowId, Span, Time};
use pacesim::{Exit, Exits, Fate, World, scenario};
use rand_core::Rng;

/// A packet that enters at a time.
#[derive(Clone, Copy)]
struct Entry {
    at: Time,
    flow: FlowId,
    size: u32,
    ecn: Ecn,
}

/// A line of 10 Mbps with these parts, a TCP flow of its own, and two flows from outside.
fn model(parts: &str) -> Model {
    let text = format!(
        r#"
[run]
duration = "4s"
warmup = "1s"

[topology]
shape = "dumbbell"
pairs = 3
access = {{ rate = "1Gbps", delay = "0ms", buffer = "unlimited" }}
bottleneck = {{ rate = "10Mbps", delay = "10ms", {parts}, back = {{ rate = "1Gbps", buffer = "unlimited" }} }}

[[flow]]
name = "cbr"
from = "left[0..2]"
to = "right[0..2]"
traffic = {{ kind = "cbr", rate = "1Mbps", size = "1000B" }}

[[flow]]
name = "tcp"
from = "left[2]"
to = "right[2]"
traffic = {{ kind = "tcp", profile = "linux", control = "cubic" }}
"#
    );
    let checked = scenario::load("outer.toml", &text, &[], &()).expect("a good scenario");
    let mut model = checked.expand(3, 0);
    let outer = |flow: &&mut pacesim::model::Flow| flow.group.as_ref() == "cbr";
    let flows = model.flows.iter_mut().filter(outer);
    flows.for_each(|flow| flow.traffic = Traffic::Outer);
    model
}

/// Entries at random times: bursts of up to 12 packets, of all sizes and ECN fields.
fn entries(model: &Model, seed: u64) -> Vec<Entry> {
    let streams = Streams {
        seed,
        replication: 0,
    };
    let mut random = streams.stream("outer", "entries");
    let mut draw = |n: u64| random.next_u64() % n;
    let flows: Vec<FlowId> = (0..model.flows.len())
        .filter(|i| matches!(model.flows[*i].traffic, Traffic::Outer))
        .map(FlowId::from_index)
        .collect();
    let (mut at, mut entries) = (Time::ZERO, Vec::new());
    while at < Time::ZERO + model.duration {
        for _ in 0..=draw(12) {
            entries.push(Entry {
                at,
                flow: flows[draw(flows.len() as u64) as usize],
                size: 40 + draw(1461) as u32,
                ecn: [Ecn::NotEct, Ecn::Ect0][draw(2) as usize],
            });
        }
        at += Span::from_ns(draw(20_000_000));
    }
    entries
}

/// Feeds entries to a world, and returns it with the exits so far.
fn fed(model: Model, entries: &[Entry]) -> (World<Exits>, Vec<Exit>) {
    fed_with(model, entries, |place| place as u32)
}

/// The same, with a handle for each place in the list.
fn fed_with(
    model: Model,
    entries: &[Entry],
    handle: impl Fn(usize) -> u32,
) -> (World<Exits>, Vec<Exit>) {
    let probe = Exits::of(&model);
    let mut world = World::watched(model, probe).expect("a good model");
    for (place, entry) in entries.iter().enumerate() {
        world.run_until(entry.at);
        world.enter(entry.flow, entry.size, entry.ecn, handle(place));
    }
    world.run();
    let exits = world.probe_mut().drain().collect();
    (world, exits)
}

/// Absorbs every third packet.
#[derive(Default)]
struct Sieve {
    seen: u32,
    steps: VecDeque<Step>,
}

impl Middlebox for Sieve {
    type Payload = pacesim::model::Payload;
    fn arrive(&mut self, _: Time, place: u32, _: &Packet, _: &mut u32) {
        self.seen += 1;
        self.steps.push_back(match self.seen % 3 {
            0 => Step::Absorb(place),
            _ => Step::Pass(place),
        });
    }
    fn step(&mut self, _: Time) -> Step {
        self.steps.pop_front().unwrap_or(Step::Wait)
    }
}

const PARTS: [&str; 9] = [
    r#"buffer = "8pkts""#,
    r#"buffer = "50pkts", loss = { bernoulli = 0.05 }"#,
    r#"buffer = "50pkts", drops = [{ packet = 5 }, { packet = 70 }]"#,
    r#"buffer = "50pkts", discipline = { kind = "codel", profile = "linux" }"#,
    r#"buffer = "50pkts", discipline = { kind = "fq_codel", profile = "linux" }"#,
    r#"buffer = "8pkts", discipline = { kind = "drr" }"#,
    r#"buffer = "50pkts", discipline = { kind = "red", min_th = "5pkts", max_th = "15pkts" }"#,
    r#"buffer = "50pkts", pacer = { kind = "hull", delay = "10ms" }"#,
    r#"buffer = "20pkts", pacer = { kind = "qlbp09", d_max = "10ms", q_max = "20pkts", q_lim = "20pkts" }"#,
];

fn kind(fate: Fate) -> &'static str {
    match fate {
        Fate::Delivered => "delivered",
        Fate::Absorbed(_) => "absorbed",
        Fate::Dropped(_, DropCause::Full { .. }) => "full",
        Fate::Dropped(_, DropCause::Early { .. }) => "early",
        Fate::Dropped(_, DropCause::PushedOut { .. }) => "pushed out",
        Fate::Dropped(_, DropCause::Departure { .. }) => "departure",
        Fate::Dropped(_, DropCause::Gate) => "gate",
        Fate::Dropped(_, DropCause::Script) => "script",
        Fate::Dropped(_, DropCause::Wire) => "wire",
    }
}

#[test]
fn every_packet_from_outside_leaves_by_one_way() {
    let mut kinds = BTreeSet::new();
    let sieve = |model: &mut Model| {
        let node = model.flows[0].to;
        let own = OwnMiddlebox::new("sieve", |_| Sieve::default());
        model.add_middlebox(node, vec![FlowId(0)], own);
    };
    for (number, parts) in PARTS.iter().enumerate() {
        let mut model = model(parts);
        if number == 0 {
            sieve(&mut model);
        }
        let entries = entries(&model, 1);
        let (world, exits) = fed(model, &entries);
        let handles: BTreeSet<u32> = exits.iter().map(|exit| exit.handle).collect();
        assert_eq!(handles.len(), exits.len(), "{parts}: a handle leaves twice");
        let outer = [FlowId(0), FlowId(1)].map(|flow| world.flow(flow));
        let sent: u64 = outer.iter().map(|flow| flow.sent.packets).sum();
        let gone = |of: &pacesim::FlowTally| of.delivered + of.dropped + of.lost + of.absorbed;
        let left: u64 = outer.iter().map(|flow| gone(flow).packets).sum();
        assert_eq!(sent, entries.len() as u64, "{parts}");
        assert_eq!(left, exits.len() as u64, "{parts}");
        assert!(
            sent - left < 120,
            "{parts}: {} are still inside",
            sent - left
        );
        for exit in &exits {
            let entry = &entries[exit.handle as usize];
            assert_eq!(exit.flow, entry.flow, "{parts}");
            assert!(exit.at >= entry.at, "{parts}: it leaves before it enters");
        }
        assert!(exits.is_sorted_by_key(|exit| exit.at), "{parts}");
        kinds.extend(exits.iter().map(|exit| kind(exit.fate)));
    }
    let expected = [
        "absorbed",
        "delivered",
        "departure",
        "early",
        "full",
        "gate",
        "pushed out",
        "script",
        "wire",
    ];
    assert_eq!(kinds, expected.into());
}

#[test]
fn recorded_entries_repeat_a_run_that_was_looked_at_often() {
    for parts in PARTS {
        let model = model(parts);
        let entries = entries(&model, 2);
        let (mut world, mut exits) = (fed(model.clone(), &entries).0, Vec::new());
        let fingerprint = world.fingerprint();
        assert_eq!(fed(model.clone(), &entries).0.fingerprint(), fingerprint);

        // A clock drives it: it asks for the next event before each entry, and stops there.
        let probe = Exits::of(&model);
        let mut driven = World::watched(model, probe).expect("a good model");
        for (handle, entry) in entries.iter().enumerate() {
            while let Some(next) = driven.next_event().filter(|next| *next <= entry.at) {
                driven.run_until(next);
                exits.extend(driven.probe_mut().drain());
            }
            driven.run_until(entry.at);
            driven.enter(entry.flow, entry.size, entry.ecn, handle as u32);
        }
        driven.run();
        exits.extend(driven.probe_mut().drain());
        assert_eq!(driven.fingerprint(), fingerprint, "{parts}");
        world.probe_mut().drain();
        assert!(!exits.is_empty());
    }
}

#[test]
fn nothing_happens_before_the_next_event() {
    let model = model(PARTS[6]);
    let entries = entries(&model, 3);
    let probe = Exits::of(&model);
    let mut world = World::watched(model, probe).expect("a good model");
    let mut events = 0;
    for (handle, entry) in entries.iter().enumerate().take(200) {
        while let Some(next) = world.next_event().filter(|next| *next <= entry.at) {
            let before = (world.fingerprint(), world.packet_hops());
            world.run_before(next);
            assert_eq!((world.fingerprint(), world.packet_hops()), before);
            assert_eq!(world.next_event(), Some(next), "it stays pending");
            world.run_until(next);
            assert_ne!(world.next_event(), Some(next), "it has happened");
            events += 1;
        }
        world.run_until(entry.at);
        world.enter(entry.flow, entry.size, entry.ecn, handle as u32);
    }
    assert!(events > 1000, "{events}");
}

#[test]
#[should_panic(expected = "flow 2 has a source")]
fn nothing_enters_a_flow_that_has_a_source() {
    let mut world = World::new(model(PARTS[0])).expect("a good model");
    world.enter(FlowId(2), 100, Ecn::NotEct, 0);
}

#[test]
fn handles_do_not_move_the_world() {
    for parts in PARTS {
        let entries = entries(&model(parts), 1);
        let (one, _) = fed(model(parts), &entries);
        let (other, _) = fed_with(model(parts), &entries, |place| (place % 7) as u32);
        assert_eq!(one.fingerprint(), other.fingerprint(), "{parts}");
    }
}
