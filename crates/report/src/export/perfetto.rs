//! Tracks for ui.perfetto.dev: messages of Perfetto's `trace.proto`, encoded as protobuf.
//!
//! A port has a counter of its packets and one of those in its pacer, slices for the transmissions on its line, and instants for
//! drops; a flow has counters of its window and packets in flight, and instants of its sender.

use crate::trace::{Link, Recording, Seen, SenderRow, Step, Steps, TraceError};
use pacesim_measure::record::PacketRow;

use super::page::{EventBytes, Page, Word};
use super::{Chosen, Out};
use crate::words;

/// Tracks of a link or a flow.
const TRACKS: u64 = 4;

pub(super) fn write(
    recording: &Recording,
    chosen: &Chosen,
    out: &mut Out,
) -> Result<(), TraceError> {
    const SHOWN: Steps = Steps::of(&[
        Step::Arrived,
        Step::Released,
        Step::Dropped,
        Step::Left,
        Step::Lost,
    ]);
    let named = |name: &String| Word::new(&format!("{name} "));
    let mut tracks = Tracks {
        recording,
        ports: recording.links.iter().map(Port::new).collect(),
        flows: recording.flows.iter().map(|of| named(&of.name)).collect(),
    };
    tracks.describe(chosen, out)?;
    let events = recording.events(|row| SHOWN.when(chosen.packet(row)))?;
    events.for_each(|t_ps, seen| match seen {
        Seen::Packet(step, row) => tracks.packet(t_ps, step, row, out),
        Seen::Sender(row) if chosen.flow(row.flow_id) => tracks.sender(t_ps, row, out),
        Seen::Sender(_) => Ok(()),
    })
}

struct Tracks<'a> {
    recording: &'a Recording,
    ports: Vec<Port>,
    /// Names of flows, each with a space behind it.
    flows: Vec<Word>,
}

/// The state of a port so far.
#[derive(Clone, Copy, Debug)]
struct Port {
    rate_bps: u64,
    /// The size of the last packet sent, and the time of its transmission.
    last: (u32, u64),
    /// Packets at the port.
    waiting: i64,
    /// Packets in its pacer.
    held: i64,
    has_pacer: bool,
    /// The end of the last slice of its line: slices of a track do not overlap.
    sent_ps: u64,
}

impl Port {
    fn new(link: &Link) -> Port {
        Port {
            rate_bps: link.rate_bps.max(1),
            last: (0, 0),
            waiting: 0,
            held: 0,
            has_pacer: false,
            sent_ps: 0,
        }
    }
}

/// Time, track and kind of an event.
type EventPlace = (u64, u64, TrackEventKind);

/// Kinds of a track event (`TrackEvent.Type`).
#[derive(Clone, Copy)]
enum TrackEventKind {
    Begin = 1,
    End = 2,
    Instant = 3,
    Counter = 4,
}

impl Tracks<'_> {
    fn describe(&mut self, chosen: &Chosen, out: &mut Out) -> Result<(), TraceError> {
        let recording = self.recording;
        for (id, link) in (0..).zip(&recording.links) {
            if chosen.link(id) {
                let of = self.of_link(id);
                self.track(of, None, &format!("link {}", link.name), None, out)?;
                let unit = Some("packets");
                self.track(of + 1, Some(of), "packets at the port", unit, out)?;
                self.track(of + 2, Some(of), "line", None, out)?;
            }
        }
        for (id, flow) in (0..).zip(&recording.flows) {
            if chosen.flow(id) {
                let of = self.of_flow(id);
                self.track(of, None, &format!("flow {}", flow.name), None, out)?;
                let unit = Some("packets");
                self.track(of + 1, Some(of), "congestion window", unit, out)?;
                self.track(of + 2, Some(of), "in flight", unit, out)?;
            }
        }
        Ok(())
    }

    fn of_link(&self, id: u32) -> u64 {
        1 + TRACKS * u64::from(id)
    }

    fn of_flow(&self, id: u32) -> u64 {
        1 + TRACKS * (self.recording.links.len() as u64 + u64::from(id))
    }

    fn track(
        &mut self,
        uuid: u64,
        parent: Option<u64>,
        name: &str,
        unit: Option<&str>,
        out: &mut Out,
    ) -> Result<(), TraceError> {
        out.page.text(&track(uuid, parent, name, unit));
        out.end(0)
    }

    fn counter(
        &mut self,
        t_ps: u64,
        track: u64,
        value: f64,
        out: &mut Out,
    ) -> Result<(), TraceError> {
        let counter = (t_ps, track, TrackEventKind::Counter);
        event(&mut out.page, counter, &Name::default(), Some(value));
        out.end(1)
    }

    fn packet(
        &mut self,
        t_ps: u64,
        step: Step,
        row: &PacketRow,
        out: &mut Out,
    ) -> Result<(), TraceError> {
        let link = row.link_id as usize;
        self.hold(t_ps, step, row, out)?;
        let change = match step {
            Step::Arrived => 1,
            Step::Dropped | Step::Left => -1,
            Step::Lost => return self.loss(t_ps, "lost", row, out),
            Step::Released | Step::Reached => return Ok(()),
        };
        self.ports[link].waiting += change;
        let count = self.ports[link].waiting as f64;
        self.counter(t_ps, self.of_link(row.link_id) + 1, count, out)?;
        match step {
            Step::Dropped => self.loss(t_ps, words::outcome(row), row, out),
            Step::Left => self.transmission(t_ps, row, out),
            _ => Ok(()),
        }
    }

    /// Counts the packets in a port's pacer, whose track begins with the first of them.
    fn hold(
        &mut self,
        t_ps: u64,
        step: Step,
        row: &PacketRow,
        out: &mut Out,
    ) -> Result<(), TraceError> {
        let change = match (step, row.release_ps) {
            (Step::Arrived, Some(_)) => 1,
            (Step::Released, _) => -1,
            _ => return Ok(()),
        };
        let (link, of) = (row.link_id as usize, self.of_link(row.link_id));
        if !self.ports[link].has_pacer {
            self.ports[link].has_pacer = true;
            self.track(
                of + 3,
                Some(of),
                "packets in the pacer",
                Some("packets"),
                out,
            )?;
        }
        self.ports[link].held += change;
        let count = self.ports[link].held as f64;
        self.counter(t_ps, of + 3, count, out)
    }

    fn transmission(
        &mut self,
        t_ps: u64,
        row: &PacketRow,
        out: &mut Out,
    ) -> Result<(), TraceError> {
        let track = self.of_link(row.link_id) + 2;
        let port = &mut self.ports[row.link_id as usize];
        if port.last.0 != row.size_bytes {
            port.last = (row.size_bytes, sending_ps(row.size_bytes, port.rate_bps));
        }
        let start = t_ps.saturating_sub(port.last.1).max(port.sent_ps);
        port.sent_ps = t_ps;
        let begin = (start, track, TrackEventKind::Begin);
        event(&mut out.page, begin, &self.name("", row), None);
        out.end(1)?;
        let end = (t_ps, track, TrackEventKind::End);
        event(&mut out.page, end, &Name::default(), None);
        out.end(1)
    }

    fn loss(
        &mut self,
        t_ps: u64,
        fate: &'static str,
        row: &PacketRow,
        out: &mut Out,
    ) -> Result<(), TraceError> {
        let instant = (t_ps, self.of_link(row.link_id) + 2, TrackEventKind::Instant);
        event(&mut out.page, instant, &self.name(fate, row), None);
        out.end(1)
    }

    /// A packet's name behind its fate, if that is not empty.
    fn name(&self, fate: &'static str, row: &PacketRow) -> Name<'_> {
        let (before, seq, after) = words::packet_parts(row);
        Name {
            fate,
            flow: Some(&self.flows[row.flow_id as usize]),
            before,
            seq,
            after,
        }
    }

    fn sender(&mut self, t_ps: u64, row: &SenderRow, out: &mut Out) -> Result<(), TraceError> {
        let of = self.of_flow(row.flow_id);
        self.counter(t_ps, of + 1, row.cwnd_pkts, out)?;
        self.counter(t_ps, of + 2, f64::from(row.in_flight_pkts), out)?;
        match row.event {
            "timeout" | "fast_retransmit" | "recovered" => {
                let instant = (t_ps, of, TrackEventKind::Instant);
                event(&mut out.page, instant, &Name::of(row.event), None);
                out.end(1)
            }
            _ => Ok(()),
        }
    }
}

/// The time to send a packet.
fn sending_ps(bytes: u32, rate_bps: u64) -> u64 {
    (u128::from(bytes) * 8_000_000_000_000 / u128::from(rate_bps)) as u64
}

// Numbers of fields in trace_packet.proto, track_descriptor.proto, counter_descriptor.proto and
// track_event.proto.
const TRACE_PACKET: u32 = 1;
const TIMESTAMP: u32 = 8;
const SEQUENCE: u32 = 10;
const TRACK_EVENT: u32 = 11;
const TRACK_DESCRIPTOR: u32 = 60;
const UUID: u32 = 1;
const NAME: u32 = 2;
const PARENT: u32 = 5;
const COUNTER: u32 = 8;
const UNIT_NAME: u32 = 6;
const TYPE: u32 = 9;
const TRACK: u32 = 11;
const EVENT_NAME: u32 = 23;
const DOUBLE_VALUE: u32 = 44;

// Types of fields on the wire.
const NUMBER: u32 = 0;
const DOUBLE: u32 = 1;
const BYTES: u32 = 2;

/// The tag of a field below 16.
const fn tag(field: u32, wire: u32) -> [u8; 1] {
    assert!(field < 16, "one byte");
    [(field << 3 | wire) as u8]
}

/// The tag of a field from 16 on.
const fn long_tag(field: u32, wire: u32) -> [u8; 2] {
    let tag = field << 3 | wire;
    [tag as u8 | 0x80, (tag >> 7) as u8]
}

/// A number below 2^56 in groups of seven bits, and their count.
#[inline(always)]
fn varint(value: u64) -> ([u8; 8], usize) {
    let length = (63 - (value | 1).leading_zeros()) / 7 + 1;
    // Halves, quarters and eighths move to their places.
    let groups = value & 0x0FFF_FFFF | (value & 0x00FF_FFFF_F000_0000) << 4;
    let groups = groups & 0x0000_3FFF_0000_3FFF | (groups & 0x0FFF_C000_0FFF_C000) << 2;
    let groups = groups & 0x007F_007F_007F_007F | (groups & 0x3F80_3F80_3F80_3F80) << 1;
    let all_but_last = (1_u64 << (8 * (length - 1))) - 1;
    let groups = groups | 0x8080_8080_8080_8080 & all_but_last;
    (groups.to_le_bytes(), length as usize)
}

/// The description of a track.
fn track(uuid: u64, parent: Option<u64>, name: &str, unit: Option<&str>) -> Vec<u8> {
    let mut track = Vec::new();
    number(&mut track, UUID, uuid);
    bytes(&mut track, NAME, name.as_bytes());
    if let Some(parent) = parent {
        number(&mut track, PARENT, parent);
    }
    if let Some(unit) = unit {
        let mut counter = Vec::new();
        bytes(&mut counter, UNIT_NAME, unit.as_bytes());
        bytes(&mut track, COUNTER, &counter);
    }
    let (mut packet, mut framed) = (Vec::new(), Vec::new());
    bytes(&mut packet, TRACK_DESCRIPTOR, &track);
    number(&mut packet, SEQUENCE, 1);
    bytes(&mut framed, TRACE_PACKET, &packet);
    framed
}

fn number(to: &mut Vec<u8>, field: u32, value: u64) {
    append(to, (field << 3 | NUMBER).into());
    append(to, value);
}

fn bytes(to: &mut Vec<u8>, field: u32, value: &[u8]) {
    append(to, (field << 3 | BYTES).into());
    append(to, value.len() as u64);
    to.extend_from_slice(value);
}

fn append(to: &mut Vec<u8>, value: u64) {
    let (bytes, length) = varint(value);
    to.extend_from_slice(&bytes[..length]);
}

/// An event's name in parts, all of them empty for none.
#[derive(Clone, Copy, Default)]
struct Name<'a> {
    /// The fate of a lost packet.
    fate: &'static str,
    flow: Option<&'a Word>,
    before: &'static str,
    seq: Option<u64>,
    after: &'static str,
}

impl Name<'_> {
    fn of(text: &'static str) -> Name<'static> {
        Name {
            before: text,
            ..Name::default()
        }
    }

    #[inline(always)]
    fn length(&self) -> usize {
        let fate = match self.fate {
            "" => 0,
            fate => fate.len() + 2,
        };
        let seq = self.seq.map_or(0, |seq| seq.max(1).ilog10() as usize + 1);
        fate + self.flow.map_or(0, Word::length) + self.before.len() + seq + self.after.len()
    }

    #[inline(always)]
    fn write(&self, to: &mut EventBytes) {
        if !self.fate.is_empty() {
            to.text(self.fate.as_bytes());
            to.array(*b": ");
        }
        if let Some(flow) = self.flow {
            to.word(flow);
        }
        to.text(self.before.as_bytes());
        if let Some(seq) = self.seq {
            to.decimal(seq);
        }
        if !self.after.is_empty() {
            to.text(self.after.as_bytes());
        }
    }
}

/// Appends an event: the lengths of its messages come first, so that none is written twice.
#[inline]
fn event(to: &mut Page, (t_ps, track, kind): EventPlace, name: &Name, value: Option<f64>) {
    let (time, track, name_length) = (varint(t_ps / 1000), varint(track), name.length());
    let named = varint(name_length as u64);
    let event = 3
        + track.1
        + if name_length == 0 {
            0
        } else {
            2 + named.1 + name_length
        }
        + if value.is_none() { 0 } else { 10 };
    let event_length = varint(event as u64);
    let packet = 1 + time.1 + 1 + event_length.1 + event + 2;
    let packet_length = varint(packet as u64);
    let mut to = to.begin_event();
    to.array(const { tag(TRACE_PACKET, BYTES) });
    to.part(packet_length.0, packet_length.1);
    to.array(const { tag(TIMESTAMP, NUMBER) });
    to.part(time.0, time.1);
    to.array(const { tag(TRACK_EVENT, BYTES) });
    to.part(event_length.0, event_length.1);
    to.array(const { tag(TYPE, NUMBER) });
    to.array([kind as u8]);
    to.array(const { tag(TRACK, NUMBER) });
    to.part(track.0, track.1);
    if name_length > 0 {
        to.array(const { long_tag(EVENT_NAME, BYTES) });
        to.part(named.0, named.1);
        name.write(&mut to);
    }
    if let Some(value) = value {
        to.array(const { long_tag(DOUBLE_VALUE, DOUBLE) });
        to.array(value.to_le_bytes());
    }
    to.array(const { tag(SEQUENCE, NUMBER) });
    to.array([1]);
    to.end();
}
