//! Tracks for ui.perfetto.dev: messages of Perfetto's `trace.proto`, encoded as protobuf.
//!
//! A port has a counter of its packets, slices for the transmissions on its line, and instants for
//! drops; a flow has counters of its window and packets in flight, and instants of its sender.

use pacesim_measure::record::PacketRow;
use pacesim_trace::{Event, Recording, SenderRow, Step, TraceError, What};

use super::{Chosen, Out};
use crate::words;

/// Tracks of a link or a flow.
const TRACKS: u64 = 4;

pub(super) fn write(
    recording: &Recording,
    chosen: &Chosen,
    out: &mut Out,
) -> Result<(), TraceError> {
    let mut tracks = Tracks {
        recording,
        waiting: vec![0; recording.links.len()],
        starts: vec![0; recording.links.len()],
    };
    tracks.describe(chosen, out)?;
    let mut events = recording.events(|step, row| {
        step != Step::Reached && chosen.flow(row.flow_id) && chosen.link(row.link_id)
    })?;
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
    /// Packets at each port.
    waiting: Vec<i64>,
    /// The end of the last slice of each line: slices of a track do not overlap.
    starts: Vec<u64>,
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
    fn describe(&self, chosen: &Chosen, out: &mut Out) -> Result<(), TraceError> {
        for (id, link) in self.recording.links.iter().enumerate() {
            if chosen.link(id as u32) {
                let of = self.of_link(id as u32);
                out.put(&descriptor(of, None, &format!("link {}", link.name), None))?;
                out.put(&descriptor(
                    of + 1,
                    Some(of),
                    "packets at the port",
                    Some("packets"),
                ))?;
                out.put(&descriptor(of + 2, Some(of), "line", None))?;
            }
        }
        for (id, flow) in self.recording.flows.iter().enumerate() {
            if chosen.flow(id as u32) {
                let of = self.of_flow(id as u32);
                out.put(&descriptor(of, None, &format!("flow {}", flow.name), None))?;
                out.put(&descriptor(
                    of + 1,
                    Some(of),
                    "congestion window",
                    Some("packets"),
                ))?;
                out.put(&descriptor(of + 2, Some(of), "in flight", Some("packets")))?;
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

    fn packet(
        &mut self,
        t_ps: u64,
        step: Step,
        row: &PacketRow,
        out: &mut Out,
    ) -> Result<(), TraceError> {
        let (of, link) = (self.of_link(row.link_id), row.link_id as usize);
        let name = || {
            format!(
                "{} {}",
                self.recording.flow_name(row.flow_id),
                words::packet(row)
            )
        };
        let change = match step {
            Step::Arrived => 1,
            Step::Dropped | Step::Left => -1,
            Step::Lost => {
                let text = format!("lost: {}", name());
                return out.event(&event(t_ps, of + 2, Kind::Instant, &text, None));
            }
            Step::Released | Step::Reached => return Ok(()),
        };
        self.waiting[link] += change;
        let count = self.waiting[link] as f64;
        out.event(&event(t_ps, of + 1, Kind::Counter, "", Some(count)))?;
        match step {
            Step::Dropped => {
                let text = format!("{}: {}", words::outcome(row), name());
                out.event(&event(t_ps, of + 2, Kind::Instant, &text, None))
            }
            Step::Left => {
                let name = name();
                let rate = self.recording.links[link].rate_bps.max(1);
                let sending = u128::from(row.size_bytes) * 8_000_000_000_000 / u128::from(rate);
                let start = t_ps.saturating_sub(sending as u64).max(self.starts[link]);
                self.starts[link] = t_ps;
                out.event(&event(start, of + 2, Kind::Begin, &name, None))?;
                out.event(&event(t_ps, of + 2, Kind::End, "", None))
            }
            _ => Ok(()),
        }
    }

    fn sender(&self, t_ps: u64, row: &SenderRow, out: &mut Out) -> Result<(), TraceError> {
        let of = self.of_flow(row.flow_id);
        let window = Some(row.cwnd_pkts);
        out.event(&event(t_ps, of + 1, Kind::Counter, "", window))?;
        let flight = Some(f64::from(row.in_flight_pkts));
        out.event(&event(t_ps, of + 2, Kind::Counter, "", flight))?;
        match row.event {
            "timeout" | "fast_retransmit" | "recovered" => {
                out.event(&event(t_ps, of, Kind::Instant, row.event, None))
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

fn descriptor(uuid: u64, parent: Option<u64>, name: &str, unit: Option<&str>) -> Vec<u8> {
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
    let mut packet = Vec::new();
    bytes(&mut packet, TRACK_DESCRIPTOR, &track);
    framed(&mut packet)
}

fn event(t_ps: u64, track: u64, kind: Kind, name: &str, value: Option<f64>) -> Vec<u8> {
    let mut event = Vec::new();
    number(&mut event, TYPE, kind as u64);
    number(&mut event, TRACK, track);
    if !name.is_empty() {
        bytes(&mut event, EVENT_NAME, name.as_bytes());
    }
    if let Some(value) = value {
        varint(&mut event, DOUBLE_VALUE << 3 | 1);
        event.extend(value.to_le_bytes());
    }
    let mut packet = Vec::new();
    number(&mut packet, TIMESTAMP, t_ps / 1000);
    bytes(&mut packet, TRACK_EVENT, &event);
    framed(&mut packet)
}

fn framed(packet: &mut Vec<u8>) -> Vec<u8> {
    number(packet, SEQUENCE, 1);
    let mut framed = Vec::with_capacity(packet.len() + 4);
    bytes(&mut framed, TRACE_PACKET, packet);
    framed
}

fn number(to: &mut Vec<u8>, field: u64, value: u64) {
    varint(to, field << 3);
    varint(to, value);
}

fn bytes(to: &mut Vec<u8>, field: u64, value: &[u8]) {
    varint(to, field << 3 | 2);
    varint(to, value.len() as u64);
    to.extend(value);
}

fn varint(to: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        to.push(value as u8 | 0x80);
        value >>= 7;
    }
    to.push(value as u8);
}
