//! A memory shared by the ports of a switch: which packets it refuses, and when the others leave.

use pacesim::World;
use pacesim::model::switch::{Alpha, Frees, Rule, SharedBuffer, Thresholds};
use pacesim::model::{Arrival, Model, Traffic};
use pacesim::net::{DropCause, Packet, Passage, Probe};
use pacesim::units::{Bytes, LinkId, NodeId, Rate, Span, Time};

use crate::cases::Case;

/// A packet as a case has it.
struct Row {
    at: u64,
    port: i64,
    bytes: u64,
    /// The start of its transmission in picoseconds; -1 if it was refused.
    start: i64,
}

pub(crate) fn replay(case: &Case) -> Result<(), String> {
    let rows: Vec<Row> = case
        .rows()
        .map(|row| Row {
            at: row["t_ps"] as u64,
            port: row["port"],
            bytes: row["bytes"] as u64,
            start: row["tx_start_ps"],
        })
        .collect();
    let fates = Fates(vec![None; rows.len()]);
    let mut world = World::watched(model(case, &rows), fates).expect("a world");
    world.run();
    for (i, (row, found)) in rows.iter().zip(&world.probe().0).enumerate() {
        if *found != Some(row.start) {
            return Err(format!("packet {i}: {found:?} in place of {}", row.start));
        }
    }
    Ok(())
}

fn memory(case: &Case) -> SharedBuffer {
    let bytes = |key| case.number(key).map(|bytes| Bytes(bytes as u64));
    let alpha = || Alpha::new(case.number("alpha").expect("an alpha")).expect("above 0");
    let thresholds =
        bytes("static").map_or_else(|| Thresholds::Dynamic(alpha()), Thresholds::Static);
    SharedBuffer {
        memory: bytes("B").expect("a size"),
        reserve: Bytes::ZERO,
        cell: Bytes(1),
        thresholds,
        class_memory: Vec::new(),
        rule: match case.word("rule") {
            Some("before") => Rule::Before,
            _ => Rule::After,
        },
        frees: match case.word("free") {
            Some("end") => Frees::End,
            _ => Frees::Start,
        },
        marking: None,
    }
}

/// The time zero of a case, in picoseconds: its first packet begins to arrive before it.
const ZERO: u64 = 1_000;

/// Each packet comes over a line of its own that takes a picosecond, so that it arrives after the
/// departures of that instant, and in the order of the case.
fn model(case: &Case, rows: &[Row]) -> Model {
    let last = rows.last().map_or(0, |row| row.at);
    let mut model = Model::new(&case.name, Span::from_ps(last) + Span::from_secs(1));
    let switch = model.add_node("switch");
    let rate = Rate::from_bps(case.number("rate").expect("a rate") as u64).expect("not zero");
    let at_once = Rate::from_bps(u64::MAX).expect("not zero");
    let places: Vec<NodeId> = rows
        .iter()
        .map(|_| {
            let place = model.add_node("place");
            model.add_link(place, switch, at_once, Span::ZERO);
            place
        })
        .collect();
    let ports = rows.iter().map(|row| row.port).max().expect("packets") + 1;
    let sinks: Vec<_> = (0..ports)
        .map(|_| {
            let sink = model.add_node("sink");
            model.add_link(switch, sink, rate, Span::ZERO);
            sink
        })
        .collect();
    for (row, place) in rows.iter().zip(places) {
        let arrival = Arrival {
            at: Span::from_ps(ZERO + row.at - 1),
            size: Bytes(row.bytes),
        };
        let traffic = Traffic::Recorded(vec![arrival].into());
        model.add_flow(place, sinks[row.port as usize], traffic);
    }
    model.add_switch(switch, memory(case).part([].into()));
    model
}

/// The start of each packet's transmission, by the number of its flow.
struct Fates(Vec<Option<i64>>);

impl Fates {
    fn set(&mut self, packet: &Packet, fate: i64) {
        self.0[packet.flow.index()] = Some(fate);
    }
}

impl Probe for Fates {
    fn dropped(&mut self, _now: Time, _link: LinkId, packet: &Packet, _cause: DropCause) {
        self.set(packet, -1);
    }

    /// The last link of a packet is that of the port.
    fn accepted(&mut self, now: Time, _link: LinkId, packet: &Packet, _passage: Passage) {
        self.set(packet, now.as_ps() as i64 - ZERO as i64);
    }
}
