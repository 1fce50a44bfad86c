//! Tracks for ui.perfetto.dev: messages of Perfetto's `trace.proto`, encoded as protobuf.
//!
//! A port has a counter of its packets and one of those in its pacer, slices for the transmissions on its line, and instants for
//! drops; a flow has counters of its window and packets in flight, and instants of its sender.

use pacesim_measure::record::PacketRow;
use pacesim_trace::{Event, Recording, SenderRow, Step, Steps, TraceError, What};

use super::text::decimal;
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
    let mut tracks = Tracks {
        recording,
        ports: vec![Port::default(); recording.links.len()],
        message: Message::default(),
        name: Vec::new(),
    };
    tracks.describe(chosen, out)?;
    let mut events = recording.events(|row| SHOWN.when(chosen.packet(row)))?;
    while let Some(Event { t_ps, what, .. }) = events.next_event()? {
        match what {
            What::Packet(step, row) => tracks.packet(t_ps, step, &row, out)?,
            What::Sender(row) if chosen.flow(row.flow_id) => tracks.sender(t_ps, &row, out)?,
            What::Sender(_) => (),
        }
    }
    Ok(())
}

struct Tracks<'a> {
    recording: &'a Recording,
    ports: Vec<Port>,
    message: Message,
    /// The current name, kept for its memory.
    name: Vec<u8>,
}

/// The state of a port so far.
#[derive(Clone, Copy, Debug, Default)]
struct Port {
    /// Packets at the port.
    waiting: i64,
    /// Packets in its pacer.
    held: i64,
    has_pacer: bool,
    /// The end of the last slice of its line: slices of a track do not overlap.
    sent_ps: u64,
}

/// Kinds of a track event (`TrackEvent.Type`).
#[derive(Clone, Copy)]
enum Kind {
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
        out.put(self.message.track(uuid, parent, name, unit))
    }

    fn counter(
        &mut self,
        t_ps: u64,
        track: u64,
        value: f64,
        out: &mut Out,
    ) -> Result<(), TraceError> {
        let event = (t_ps, track, Kind::Counter);
        out.event(self.message.event(event, b"", Some(value)))
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
        let (track, link) = (self.of_link(row.link_id) + 2, row.link_id as usize);
        let rate = self.recording.links[link].rate_bps.max(1);
        let sending = u128::from(row.size_bytes) * 8_000_000_000_000 / u128::from(rate);
        let last = &mut self.ports[link].sent_ps;
        let start = t_ps.saturating_sub(sending as u64).max(*last);
        *last = t_ps;
        self.begin_name("", row);
        let begin = (start, track, Kind::Begin);
        out.event(self.message.event(begin, &self.name, None))?;
        let end = (t_ps, track, Kind::End);
        out.event(self.message.event(end, b"", None))
    }

    fn loss(
        &mut self,
        t_ps: u64,
        fate: &str,
        row: &PacketRow,
        out: &mut Out,
    ) -> Result<(), TraceError> {
        self.begin_name(&format!("{fate}: "), row);
        let event = (t_ps, self.of_link(row.link_id) + 2, Kind::Instant);
        out.event(self.message.event(event, &self.name, None))
    }

    /// Writes a packet's name behind some words.
    fn begin_name(&mut self, words: &str, row: &PacketRow) {
        let (before, seq, after) = words::packet_parts(row);
        let name = &mut self.name;
        name.clear();
        name.extend_from_slice(words.as_bytes());
        name.extend_from_slice(self.recording.flow_name(row.flow_id).as_bytes());
        name.push(b' ');
        name.extend_from_slice(before.as_bytes());
        if let Some(seq) = seq {
            decimal(name, seq);
        }
        name.extend_from_slice(after.as_bytes());
    }

    fn sender(&mut self, t_ps: u64, row: &SenderRow, out: &mut Out) -> Result<(), TraceError> {
        let of = self.of_flow(row.flow_id);
        self.counter(t_ps, of + 1, row.cwnd_pkts, out)?;
        self.counter(t_ps, of + 2, f64::from(row.in_flight_pkts), out)?;
        match row.event {
            "timeout" | "fast_retransmit" | "recovered" => {
                let event = (t_ps, of, Kind::Instant);
                out.event(self.message.event(event, row.event.as_bytes(), None))
            }
            _ => Ok(()),
        }
    }
}

// Numbers of fields in trace_packet.proto, track_descriptor.proto, counter_descriptor.proto and
// track_event.proto.
const TRACE_PACKET: u64 = 1;
const TIMESTAMP: u64 = 8;
const SEQUENCE: u64 = 10;
const TRACK_EVENT: u64 = 11;
const TRACK_DESCRIPTOR: u64 = 60;
const UUID: u64 = 1;
const NAME: u64 = 2;
const PARENT: u64 = 5;
const COUNTER: u64 = 8;
const UNIT_NAME: u64 = 6;
const TYPE: u64 = 9;
const TRACK: u64 = 11;
const EVENT_NAME: u64 = 23;
const DOUBLE_VALUE: u64 = 44;

/// A message being written; its parts are kept for their memory.
#[derive(Default)]
struct Message {
    body: Vec<u8>,
    packet: Vec<u8>,
    framed: Vec<u8>,
}

impl Message {
    fn track(&mut self, uuid: u64, parent: Option<u64>, name: &str, unit: Option<&str>) -> &[u8] {
        let track = &mut self.body;
        track.clear();
        number(track, UUID, uuid);
        bytes(track, NAME, name.as_bytes());
        if let Some(parent) = parent {
            number(track, PARENT, parent);
        }
        if let Some(unit) = unit {
            let mut counter = Vec::new();
            bytes(&mut counter, UNIT_NAME, unit.as_bytes());
            bytes(track, COUNTER, &counter);
        }
        self.packet.clear();
        self.framed(TRACK_DESCRIPTOR)
    }

    fn event(
        &mut self,
        (t_ps, track, kind): (u64, u64, Kind),
        name: &[u8],
        value: Option<f64>,
    ) -> &[u8] {
        let event = &mut self.body;
        event.clear();
        number(event, TYPE, kind as u64);
        number(event, TRACK, track);
        if !name.is_empty() {
            bytes(event, EVENT_NAME, name);
        }
        if let Some(value) = value {
            varint(event, DOUBLE_VALUE << 3 | 1);
            event.extend_from_slice(&value.to_le_bytes());
        }
        self.packet.clear();
        number(&mut self.packet, TIMESTAMP, t_ps / 1000);
        self.framed(TRACK_EVENT)
    }

    /// Adds the body to the packet, and frames it.
    fn framed(&mut self, field: u64) -> &[u8] {
        bytes(&mut self.packet, field, &self.body);
        number(&mut self.packet, SEQUENCE, 1);
        self.framed.clear();
        bytes(&mut self.framed, TRACE_PACKET, &self.packet);
        &self.framed
    }
}

#[inline]
fn number(to: &mut Vec<u8>, field: u64, value: u64) {
    varint(to, field << 3);
    varint(to, value);
}

#[inline]
fn bytes(to: &mut Vec<u8>, field: u64, value: &[u8]) {
    varint(to, field << 3 | 2);
    varint(to, value.len() as u64);
    to.extend_from_slice(value);
}

#[inline]
fn varint(to: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        to.push(value as u8 | 0x80);
        value >>= 7;
    }
    to.push(value as u8);
}
