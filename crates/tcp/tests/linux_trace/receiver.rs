//! A receiver fed with the packets that reached the kernel's receiver must acknowledge as the
//! kernel did.

use std::sync::Arc;

use pacesim_tcp::{Ack, Arrival, Config, EcnEcho, Receiver, Variant};
use pacesim_units::{Bytes, Span, Time};

use crate::case::{Case, Packet, Scenario, micros, time};

/// The greatest difference from the recorded departure of an ACK.
const PROMPT: Span = Span::from_us(150);

/// The parts of an ACK that must agree, in bytes; the window only where it was recorded.
type Told = (i64, Vec<(i64, i64)>, bool, Option<u64>);

/// Bits by which windows are scaled, except in the answer to the SYN.
const SCALE: u32 = 7;

/// Compares all ACKs; fails with the first difference.
pub(crate) fn check(case: &Case) -> Result<(), String> {
    let payload = case.payload();
    let mut config = Config::linux(Variant::Sack);
    config.payload = Bytes(payload);
    config.linux.receive_buffer = case.scenario.receive_buffer.map(|bytes| Bytes(2 * bytes));
    config.linux.ecn = case.scenario.ecn;
    if echoes_exactly(&case.scenario) {
        config.linux.echo = EcnEcho::Exact;
    }
    let phase = Span::from_us(case.scenario.offset_us % 4000);
    let mut receiver = Receiver::opened(&Arc::new(config), Time::ZERO, phase);
    let mut ours = Vec::new();
    for packet in arrivals(case) {
        while let Some(at) = receiver.next_timeout().filter(|at| *at <= packet.out) {
            let ack = receiver.on_timer(at);
            ours.extend(ack.map(|ack| (at, ack, receiver.offered())));
        }
        let syn = packet.flags & 2 != 0;
        let seq = if syn {
            0
        } else {
            1 + (packet.seq as u64 / payload) as u32
        };
        let mut arrival = Arrival::new(seq, packet.at, packet.len as u32);
        arrival.again = packet.again;
        arrival.echo = packet.echo.map(|ms| echoed(case, ms));
        arrival.ect = packet.ecn > 0;
        arrival.marked = packet.fate_marked;
        arrival.cwr = packet.flags & 0x80 != 0 && !syn;
        arrival.push = packet.flags & 8 != 0;
        if !syn {
            receiver.on_established(packet.out, &arrival);
            if packet.len == 0 {
                continue;
            }
        }
        let ack = receiver.on_segment(packet.out, &arrival);
        ours.extend(ack.map(|ack| (packet.out, ack, receiver.offered())));
    }
    let mut theirs: Vec<&Packet> = case.packets.iter().filter(|p| p.is_ack).collect();
    theirs.reverse();
    theirs.dedup_by(|old, new| tells_only_window(new, old));
    theirs.reverse();
    compare(case, &ours, &theirs)
}

/// The number of packets that a buffer of this size, fixed by the application, acknowledges one by one at first, of those that
/// arrive in order at 20 Mbps.
pub(crate) fn acknowledged_singly(buffer: Bytes) -> u32 {
    let mut config = Config::linux(Variant::Sack);
    config.linux.receive_buffer = Some(buffer);
    let payload = config.payload.get() as u32;
    let mut receiver = Receiver::opened(&Arc::new(config), Time::ZERO, Span::ZERO);
    let arrives = |seq: u32| time(i64::from(seq) * 600);
    receiver.on_segment(arrives(0), &Arrival::new(0, arrives(0), 0));
    let answers = |seq: &u32| {
        let arrival = Arrival::new(*seq, arrives(*seq), payload);
        receiver.on_segment(arrives(*seq), &arrival).is_some()
    };
    (1..).take_while(answers).count() as u32
}

/// True if two ACKs at one time differ only in the window, which the second one opens.
fn tells_only_window(new: &Packet, old: &Packet) -> bool {
    let told = |p: &Packet| (p.ack, p.sacks.clone(), p.flags);
    new.at == old.at && told(new) == told(old) && new.flags & 2 == 0
}

/// DCTCP reports the marks of each ACK, and so does BBR version 3 as the receiver's control on a path
/// of low ECN.
fn echoes_exactly(scenario: &Scenario) -> bool {
    let peer = scenario.peer_control.as_deref();
    scenario.control == "dctcp" || (scenario.ecn_low && peer == Some("bbr"))
}

/// Timestamps are milliseconds since that of the first ACK.
fn echoed(case: &Case, ms: u64) -> Time {
    let first = case
        .packets
        .iter()
        .find(|p| p.is_ack)
        .map_or(0, |p| micros(p.at));
    let offset = (case.scenario.offset_us % 1000) as i64;
    let floor = (first + offset).div_euclid(1000) * 1000 - offset;
    time(floor + 1000 * ms as i64)
}

fn arrivals(case: &Case) -> Vec<&Packet> {
    let end = case.packets.last().map_or(Time::ZERO, |p| p.at);
    let mut arrivals: Vec<&Packet> = case.packets.iter().filter(|p| !p.is_ack).collect();
    arrivals.retain(|p| p.delivered && p.out <= end);
    arrivals.sort_by_key(|p| p.out);
    arrivals
}

fn compare(
    case: &Case,
    ours: &[(Time, Ack, Option<Bytes>)],
    theirs: &[&Packet],
) -> Result<(), String> {
    let payload = case.payload() as i64;
    let trace = std::env::var_os("PACESIM_TRACE_REPLAY").is_some();
    for (n, (at, ack, window)) in ours.iter().enumerate() {
        let Some(there) = theirs.get(n) else {
            return Ok(());
        };
        let syn = there.flags & 2 != 0;
        let known = there
            .window
            .filter(|_| !syn && case.scenario.receive_buffer.is_none());
        let window = window.filter(|_| known.is_some());
        let here = told(payload, ack, window.map(|bytes| bytes.get() >> SCALE));
        let recorded: Told = (
            there.ack,
            there.sacks.clone(),
            there.flags & 0x40 != 0 && !syn,
            known,
        );
        if trace {
            println!(
                "{:>9} {here:?} there {:>9} {recorded:?}",
                micros(*at),
                micros(there.at)
            );
        }
        let late = (*at).max(there.at) - (*at).min(there.at);
        if here != recorded || late > PROMPT {
            return Err(format!(
                "ACK {n} at {} us is {here:?}, there at {} us {recorded:?}",
                micros(*at),
                micros(there.at)
            ));
        }
    }
    Ok(())
}

fn told(payload: i64, ack: &Ack, window: Option<u64>) -> Told {
    let byte = |packet: u32| (i64::from(packet) - 1) * payload;
    let blocks = ack.sacks.iter().map(|b| (byte(b.start), byte(b.end)));
    (byte(ack.next).max(0), blocks.collect(), ack.ece, window)
}
