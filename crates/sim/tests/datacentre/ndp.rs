//! NDP: each event of a log from those before it. The coin of full queues and the paths are random in the
//! source: a trim names the packet that lost its payload, and an arrival its path. All else must
//! follow, to the picosecond: departures of each port, arrivals behind each wire, answers, pulls, and
//! the packets that these release.

#[path = "ndp/hosts.rs"]
mod hosts;
#[path = "ndp/ports.rs"]
mod ports;

use std::collections::BTreeMap;

use pacesim::units::Rate;

use crate::cases::{Case, Row};
use hosts::Hosts;
use ports::Port;

/// The most rows of a log; one with as many may have been cut off. So may one that ends before its flows.
const MOST_ROWS: usize = 5000;

/// A kind of packets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Type {
    Data,
    Header,
    Ack,
    Nack,
    Pull,
}

/// A packet as a log has it. Data and headers have the pull number -1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Packet {
    kind: Type,
    flow: u32,
    /// Its first byte, from 1, or that of the packet which it answers.
    seq: u64,
    pull: i64,
}

/// A row of a log.
#[derive(Clone, Copy, Debug)]
struct Event<'a> {
    at: u64,
    place: &'a str,
    name: &'a str,
    packet: Packet,
    size: u64,
}

impl<'a> Event<'a> {
    fn of(row: &Row<'a>) -> Event<'a> {
        let kind = match row.text("type") {
            "DATA" => Type::Data,
            "HDR" => Type::Header,
            "ACK" => Type::Ack,
            "NACK" => Type::Nack,
            "PULL" => Type::Pull,
            other => panic!("no type {other}"),
        };
        Event {
            at: row.integer("t_ps"),
            place: row.text("where"),
            name: row.text("event"),
            packet: Packet {
                kind,
                flow: row.integer("flow") as u32,
                seq: row.integer("seq"),
                pull: row.real("pullno") as i64,
            },
            size: row.integer("size"),
        }
    }
}

/// The replay of a log.
struct Replay {
    rate: Rate,
    mtu: u64,
    packets: u64,
    hop_ps: u64,
    hosts: Hosts,
    /// By name without underscores, which those of wires lack.
    ports: BTreeMap<String, Port>,
}

pub(crate) fn replay(case: &Case) -> Result<(), String> {
    let mut replay = Replay {
        rate: Rate::from_mbps(case.whole("mbps")),
        mtu: case.whole("mtu"),
        packets: case.whole("q"),
        hop_ps: case.microseconds("hop_us").as_ps(),
        hosts: Hosts::new(case),
        ports: BTreeMap::new(),
    };
    let events: Vec<Event<'_>> = case.table().map(|row| Event::of(&row)).collect();
    for (i, event) in events.iter().enumerate() {
        let step = replay.step(event, events.get(i + 1));
        step.map_err(|wrong| format!("row {i}, {event:?}: {wrong}"))?;
    }
    if case.len() < MOST_ROWS && replay.hosts.are_complete() {
        replay.hosts.are_done()?;
        for (place, port) in &replay.ports {
            port.is_done()
                .map_err(|wrong| format!("{place}: {wrong}"))?;
        }
    }
    Ok(())
}

impl Replay {
    fn step(&mut self, event: &Event<'_>, next: Option<&Event<'_>>) -> Result<(), String> {
        self.hosts.pass(event.at)?;
        if let Some(place) = event.place.strip_prefix("Pipe-") {
            let port = self.ports.get_mut(place).ok_or("no packet on this wire")?;
            port.cross(event)?;
            let enters_host = place.contains("->DST");
            return match event.packet.kind {
                Type::Data | Type::Header if enters_host => self.hosts.arrive(event),
                _ => Ok(()),
            };
        }
        if !event.place.contains("->") {
            return self.hosts.step(event);
        }
        let place = event.place.replace('_', "");
        let port = self.ports.entry(place).or_insert_with(|| {
            let is_host = event.place.starts_with("SRC");
            Port::new(is_host, self.rate, self.mtu, self.packets, self.hop_ps)
        });
        port.step(event, next)
    }
}

/// Fails unless both are the same.
fn expect<T: PartialEq + std::fmt::Debug>(found: T, expected: T) -> Result<(), String> {
    match found == expected {
        true => Ok(()),
        false => Err(format!("{found:?}, not {expected:?}")),
    }
}
