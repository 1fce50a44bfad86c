//! A receiver fed with the packets that the kernel's got must acknowledge as the kernel did.

use std::sync::Arc;

use pacesim_tcp::{Ack, AckRule, Arrival, Config, Receiver, Variant};
use pacesim_units::{Bytes, Span, Time};

use crate::case::{Case, Packet, micros};

/// ACKs leave at most so much later or earlier than recorded.
const PROMPT: Span = Span::from_us(150);

/// The parts of an ACK that must agree, in bytes.
type Told = (i64, Vec<(i64, i64)>, bool);

/// Compares; what differs first.
pub(crate) fn check(case: &Case) -> Result<(), String> {
    let payload = case.payload();
    let mut config = Config::linux(Variant::Sack);
    config.payload = Bytes(payload);
    config.linux.acks = match case.scenario.every_packet {
        true => AckRule::EveryPacket,
        false => AckRule::Linux,
    };
    let mut receiver = Receiver::new(&Arc::new(config));
    let mut ours = Vec::new();
    for packet in arrivals(case) {
        while let Some(at) = receiver.next_timeout().filter(|at| *at <= packet.out) {
            ours.extend(receiver.on_timer(at).map(|ack| (at, ack)));
        }
        let syn = packet.flags & 2 != 0;
        let seq = match syn {
            true => 0,
            false => 1 + (packet.seq as u64 / payload) as u32,
        };
        let mut arrival = Arrival::new(seq, packet.at, packet.len as u32);
        arrival.marked = packet.fate_marked;
        arrival.cwr = packet.flags & 0x80 != 0 && !syn;
        arrival.push = packet.flags & 8 != 0;
        let ack = receiver.on_segment(packet.out, &arrival);
        ours.extend(ack.map(|ack| (packet.out, ack)));
    }
    let theirs: Vec<&Packet> = case.packets.iter().filter(|p| p.is_ack).collect();
    compare(payload as i64, &ours, &theirs)
}

fn arrivals(case: &Case) -> Vec<&Packet> {
    let end = case.packets.last().map_or(Time::ZERO, |p| p.at);
    let syn_or_data = |p: &&Packet| !p.is_ack && (p.len > 0 || p.flags & 2 != 0);
    let mut arrivals: Vec<&Packet> = case.packets.iter().filter(syn_or_data).collect();
    arrivals.retain(|p| p.delivered && p.out <= end);
    arrivals.sort_by_key(|p| p.out);
    arrivals
}

fn compare(payload: i64, ours: &[(Time, Ack)], theirs: &[&Packet]) -> Result<(), String> {
    for (n, (at, ack)) in ours.iter().enumerate() {
        let Some(there) = theirs.get(n) else {
            return Ok(());
        };
        let here = told(payload, ack);
        let recorded: Told = (
            there.ack,
            there.sacks.clone(),
            there.flags & 0x40 != 0 && there.flags & 2 == 0,
        );
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

fn told(payload: i64, ack: &Ack) -> Told {
    let byte = |packet: u32| (i64::from(packet) - 1) * payload;
    let blocks = ack.sacks.iter().map(|b| (byte(b.start), byte(b.end)));
    (byte(ack.next).max(0), blocks.collect(), ack.ece)
}
