//! All events of a recorded sender, in order.

use std::collections::{BTreeMap, VecDeque};

use pacesim_tcp::{Ack, Amount, Block, SackBlocks};
use pacesim_units::{Bytes, Span, Time};

use crate::case::{Case, Info, Packet, time};
use crate::clock;
use crate::replay::PROMPT;

/// Time at which the kernel read its clock for an ACK: recorded are the hand-over and, some
/// microseconds later, the state after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reading {
    /// Derived from the reported rates of delivery, otherwise the time of the record.
    ByRates,
    AtArrival,
    /// A microsecond before the record.
    Between,
    AtRecord,
}

/// An event at the sender.
#[derive(Clone, Debug)]
pub(crate) enum Event {
    Open,
    Write(Amount),
    Ack(Ack, Option<u32>),
    /// A timer's packets were recorded.
    Timer,
    /// Nothing; time only.
    End,
}

impl Event {
    pub(crate) fn is_ack(&self) -> bool {
        matches!(self, Event::Ack(..))
    }
}

/// An event at its time, with the state expected after it.
pub(crate) type Recorded = (Time, Event, Option<Info>);

/// All events of the recorded sender, in order.
pub(crate) fn events(case: &Case, reading: Reading) -> Vec<Recorded> {
    let mut events = Vec::new();
    let syn = case.packets.iter().find(|p| !p.is_ack && p.flags & 2 != 0);
    let opened = syn.map_or(Time::ZERO, |syn| syn.at);
    events.push((opened, Event::Open, None));
    let of = |why: char| {
        case.infos
            .iter()
            .filter(move |info| info.why == why)
            .copied()
    };
    let end = case.packets.last().map_or(opened, |p| p.at);
    let acks = acks(case);
    let established = acks.first().map_or(opened, |(at, _)| *at);
    let mut states = of('A');
    let mut arrivals = BTreeMap::new();
    let mut windows = windows(case);
    let clock = match reading {
        Reading::ByRates => clock::times(case, &acks),
        _ => BTreeMap::new(),
    };
    for (index, (at, ack)) in acks.iter().enumerate() {
        let info = states.next();
        let recorded = info.map_or(*at, |info| info.at.max(*at));
        let told = info.and_then(|info| clock.get(&info.order));
        let now = told.map_or(recorded, |told| *told);
        let window = if index == 0 {
            None
        } else {
            windows.pop_front().flatten()
        };
        // The application writes as soon as the connection is open, before the state is read.
        if let Some(info) = info {
            arrivals.insert(info.order, *at);
        }
        let early = index == 0 && !case.scenario.peer;
        events.push((now, Event::Ack(*ack, window), info.filter(|_| !early)));
        if early {
            events.extend(first_write(case).map(|amount| (now, Event::Write(amount), info)));
        }
    }
    events.extend(writes(case, established, end));
    // A departure from fq admits another packet just after the state was read.
    events.extend(
        of('T')
            .filter(|info| !case.scenario.is_write(info.at, established))
            .map(|info| {
                (
                    info.at,
                    Event::Timer,
                    Some(info).filter(|_| !case.scenario.fq),
                )
            }),
    );
    events.push((end, Event::End, None));
    events.sort_by_key(|(at, _, info)| (*at, info.map(|info| info.order)));
    events.retain(|event| event.0 <= end);
    if matches!(reading, Reading::AtArrival | Reading::Between) {
        read_early(&mut events, &arrivals, reading);
    }
    events
}

/// Moves ACKs before the record of the state after them, but not before earlier records.
fn read_early(events: &mut [Recorded], arrivals: &BTreeMap<usize, Time>, reading: Reading) {
    let mut earlier = Time::ZERO;
    for (at, event, info) in events {
        if let (Event::Ack(..) | Event::Write(_), Some(info)) = (&event, &info)
            && let Some(arrival) = arrivals.get(&info.order)
        {
            let before = match reading {
                Reading::AtArrival => *arrival,
                _ => *at - Span::from_us(1),
            };
            *at = before.max(*arrival).min(*at).max(earlier);
        }
        earlier = *at;
    }
}

fn first_write(case: &Case) -> Option<Amount> {
    Some(match (case.scenario.chunk, case.scenario.segments) {
        (Some((packets, _)), _) | (None, Some(packets)) => Amount::Packets(packets),
        (None, None) => Amount::Endless,
    })
}

/// Further writes: by the script, or by the clock.
fn writes(case: &Case, established: Time, end: Time) -> Vec<(Time, Event, Option<Info>)> {
    let bytes = |n: u64| Event::Write(Amount::Bytes(Bytes(n)));
    if case.scenario.peer {
        let seen = case.infos.iter().filter(|info| info.why == 'W');
        let script = case.scenario.script.iter().filter_map(|step| step.write);
        return script
            .zip(seen)
            .map(|(n, info)| (info.at, bytes(n), Some(*info)))
            .collect();
    }
    let Some((packets, gap)) = case.scenario.chunk else {
        return Vec::new();
    };
    let mut all = Vec::new();
    let mut at = established + Span::from_us(gap);
    while at <= end {
        let seen = case.infos.iter().find(|info| {
            info.why == 'T' && info.at + PROMPT >= at && info.at <= at + Span::from_ms(1)
        });
        let now = seen.map_or(at, |info| info.at);
        all.push((now, Event::Write(Amount::Packets(packets)), seen.copied()));
        at = now + Span::from_us(gap);
    }
    all
}

impl crate::case::Scenario {
    /// True if the application writes at about this time, by the clock.
    fn is_write(&self, at: Time, established: Time) -> bool {
        let Some((_, gap)) = self.chunk else {
            return false;
        };
        let since = at.saturating_since(established).as_ps() / 1_000_000;
        since >= gap / 2 && (since % gap).min(gap - since % gap) < 2_000
    }
}

/// The windows of ACKs, in packets: those of scripted ACKs, otherwise those recorded.
fn windows(case: &Case) -> VecDeque<Option<u32>> {
    let packets = |bytes: u64| Some((bytes / case.payload()) as u32);
    if !case.scenario.peer {
        let known = case.scenario.receive_buffer.is_none();
        let acks = delivered_acks(case).filter(|p| p.flags & 2 == 0);
        let mut acks: Vec<&Packet> = acks.collect();
        acks.sort_by_key(|p| p.out);
        let windows = acks.iter().map(|p| p.window.filter(|_| known));
        return windows.map(|window| packets(window? << 7)).collect();
    }
    let acks = case
        .scenario
        .script
        .iter()
        .filter(|step| step.write.is_none());
    acks.map(|step| {
        let bytes = step.window.unwrap_or(1 << 24);
        packets((bytes >> 8).min(65_535) << 8)
    })
    .collect()
}

fn delivered_acks(case: &Case) -> impl Iterator<Item = &Packet> {
    let end = case.packets.last().map_or(Time::ZERO, |p| p.at);
    let acks = case.packets.iter().filter(|p| p.is_ack);
    acks.filter(move |p| p.delivered && p.out <= end)
}

/// The ACKs that reached the sender, with the timestamps they echo, in their order.
fn acks(case: &Case) -> Vec<(Time, Ack)> {
    let payload = case.payload() as i64;
    let end = case.packets.last().map_or(Time::ZERO, |p| p.at);
    let mut echoes = Echoes::new(case);
    let mut acks = Vec::new();
    for packet in case.packets.iter().filter(|p| p.is_ack) {
        let stamp = echoes.of(packet);
        if !packet.delivered && !case.scenario.peer {
            continue;
        }
        if packet.out > end && !case.scenario.peer {
            continue;
        }
        let syn = packet.flags & 2 != 0;
        let number = |byte: i64| (byte.max(0) / payload) as u32;
        let upwards = |byte: i64| (byte.max(0) as u64).div_ceil(payload as u64) as u32;
        let blocks: Vec<Block> = packet
            .sacks
            .iter()
            .map(|(start, end)| Block {
                start: 1 + upwards(*start),
                end: 1 + number(*end),
            })
            .filter(|block| block.start < block.end)
            .collect();
        let ack = Ack {
            next: if syn { 1 } else { 1 + number(packet.ack) },
            stamp,
            sacks: SackBlocks::new(&blocks),
            ece: packet.flags & 0x40 != 0 && !syn,
            marked: None,
        };
        acks.push((packet.out, ack));
    }
    acks.sort_by_key(|(at, _)| *at);
    acks
}

/// The timestamp that the receiver echoes, by RFC 7323 §4.3.
struct Echoes<'c> {
    arrivals: VecDeque<&'c Packet>,
    recent: Time,
    last_acked: i64,
}

impl<'c> Echoes<'c> {
    fn new(case: &'c Case) -> Echoes<'c> {
        let data = case.packets.iter().filter(|p| !p.is_ack && p.delivered);
        let mut arrivals: Vec<&Packet> = data.collect();
        arrivals.sort_by_key(|p| p.out);
        Echoes {
            arrivals: arrivals.into(),
            recent: time(0),
            last_acked: -1,
        }
    }

    fn of(&mut self, ack: &Packet) -> Time {
        while let Some(packet) = self.arrivals.front().filter(|p| p.out <= ack.at) {
            if packet.seq <= self.last_acked && packet.at >= self.recent {
                self.recent = packet.at;
            }
            self.arrivals.pop_front();
        }
        self.last_acked = self.last_acked.max(ack.ack);
        self.recent
    }
}
