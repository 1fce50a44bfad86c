//! Packet captures as pcapng (draft-ietf-opsawg-pcapng): raw IPv4, nanoseconds, an interface for
//! each port or end.

use crate::trace::{Recording, Seen, Step, Steps, TraceError};
use pacesim_measure::record::{PacketKind, PacketOutcome, PacketRow};

use super::headers::{self, STAMPS, Sacks, Segment, SegmentNumbers};
use super::page::{EventBytes, Page};
use super::places::Places;
use super::wire::{Bytes, Clocks, Sink, Told};
use super::{At, Chosen, Out};
use crate::model::{self, Headers};
use crate::words;

/// Headers of IP and TCP without options.
const HEADERS: u32 = 40;

/// The most bytes written of a packet: its headers with options.
const SNAP: u32 = 96;

pub(super) fn write(
    recording: &Recording,
    chosen: &Chosen,
    at: At,
    out: &mut Out,
) -> Result<(), TraceError> {
    let headers = model::headers(recording);
    let is_stamped = |of: &Headers| of.data >= HEADERS + STAMPS as u32;
    let places = Places::new(recording, at, headers.iter().map(is_stamped).collect());
    let mut capture = Capture::new(recording, at, &places, headers);
    capture.begin(out)?;
    let events = recording.packet_events(|row| {
        if chosen.packet(row) {
            places.needs(row)
        } else {
            Steps::NONE
        }
    })?;
    events.for_each(|t_ps, seen| match seen {
        Seen::Packet(step, row) => capture.step(t_ps, step, row, out),
        Seen::Sender(_) => Ok(()),
    })
}

struct Capture<'a> {
    places: &'a Places<'a>,
    at: At,
    /// Names of the interfaces.
    interfaces: Vec<&'a str>,
    is_tcp: Vec<bool>,
    headers: Vec<Headers>,
    /// The links at which a flow's connection was acknowledged.
    opened: Vec<Vec<u32>>,
    bytes: Vec<Bytes>,
    sinks: Vec<Sink>,
    clocks: Vec<Clocks>,
    acks: Vec<Told<(Sacks, [u32; 2])>>,
    data: Vec<Told<[u32; 2]>>,
}

impl<'a> Capture<'a> {
    fn new(
        recording: &'a Recording,
        at: At,
        places: &'a Places<'a>,
        headers: Vec<Headers>,
    ) -> Capture<'a> {
        let flows = &recording.flows;
        let interfaces = match at {
            At::Ports => recording.links.iter().map(|link| &*link.name).collect(),
            At::Senders | At::Receivers => places.nodes.clone(),
        };
        Capture {
            places,
            at,
            interfaces,
            is_tcp: flows.iter().map(|flow| flow.is_tcp).collect(),
            headers,
            opened: vec![Vec::new(); flows.len()],
            bytes: vec![Bytes::default(); flows.len()],
            sinks: vec![Sink::default(); flows.len()],
            clocks: vec![Clocks::default(); flows.len()],
            acks: vec![Told::default(); flows.len()],
            data: vec![Told::default(); flows.len()],
        }
    }

    /// The section header and the interfaces.
    fn begin(&mut self, out: &mut Out) -> Result<(), TraceError> {
        const SECTION: u32 = 0x0A0D_0D0A;
        const INTERFACE: u32 = 1;
        const RAW_IPV4: u16 = 228;
        let mut block = begin_block(SECTION, &mut out.page);
        block.array(0x1A2B_3C4D_u32.to_le_bytes());
        block.array([1, 0, 0, 0]);
        block.array(u64::MAX.to_le_bytes());
        option(&mut block, 4, b"pacesim");
        option(&mut block, 0, b"");
        end_block(block);
        for name in &self.interfaces {
            let mut block = begin_block(INTERFACE, &mut out.page);
            block.array(RAW_IPV4.to_le_bytes());
            block.array([0, 0]);
            block.array(SNAP.to_le_bytes());
            option(&mut block, 2, name.as_bytes());
            option(&mut block, 9, &[9]);
            option(&mut block, 0, b"");
            end_block(block);
            out.end(0)?;
        }
        Ok(())
    }

    /// Follows a packet's step, and captures it if it is at a captured place.
    fn step(
        &mut self,
        t_ps: u64,
        step: Step,
        row: &PacketRow,
        out: &mut Out,
    ) -> Result<(), TraceError> {
        let flow = row.flow_id as usize;
        let is_data = row.kind == PacketKind::Data.code();
        if is_data {
            let payload = if self.headers[flow].is_syn(row) {
                1
            } else {
                row.size_bytes - self.headers[flow].data
            };
            self.bytes[flow].note(row.seq, payload);
        }
        if step == Step::Arrived {
            self.send(t_ps, row, is_data);
        }
        if self.places.shows(row).has(step) {
            self.capture(t_ps, row, out)?;
        }
        match step {
            Step::Reached => self.receive(row, is_data),
            Step::Dropped | Step::Lost => {
                // Ports capture packets before they are lost.
                let has_passed = self.at == At::Ports;
                if is_data {
                    self.data[flow].forget(row.link_id, row.seq, has_passed)
                } else {
                    self.acks[flow].forget(row.link_id, acknowledged(row), has_passed)
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Notes the fields of a packet that leaves its end.
    fn send(&mut self, t_ps: u64, row: &PacketRow, is_data: bool) {
        let flow = row.flow_id as usize;
        if is_data {
            if self.places.is_stamped(row) && self.places.begins_at_source(row) {
                self.data[flow].note(row.seq, self.clocks[flow].of_data(t_ps));
            }
        } else if self.places.begins_at_sink(row) {
            let next = acknowledged(row);
            let sacks = self.sinks[flow].sacks(next, |seq| self.byte(flow, seq));
            let stamps = self.clocks[flow].of_ack(t_ps, next);
            self.acks[flow].note(next, (sacks, stamps));
        }
    }

    /// Takes a packet that reaches the other end.
    fn receive(&mut self, row: &PacketRow, is_data: bool) {
        let flow = row.flow_id as usize;
        if is_data && self.places.ends_at_sink(row) {
            self.sinks[flow].take(row.seq);
            if self.places.is_stamped(row)
                && let Some(stamps) = self.data[flow].end(row.seq)
            {
                self.clocks[flow].take_data(row.seq, stamps);
            }
        } else if !is_data
            && self.places.ends_at_source(row)
            && let Some((_, stamps)) = self.acks[flow].end(acknowledged(row))
        {
            self.clocks[flow].take_ack(stamps);
        }
    }

    /// The number of a packet's first byte on the wire.
    fn byte(&self, flow: usize, seq: u64) -> u32 {
        (self.bytes[flow].at(seq) as u32).wrapping_add(1)
    }

    fn capture(&mut self, t_ps: u64, row: &PacketRow, out: &mut Out) -> Result<(), TraceError> {
        const ENHANCED_PACKET: u32 = 6;
        let flow = row.flow_id as usize;
        let is_ack = row.kind == PacketKind::Ack.code();
        let (sacks, stamps) = match (is_ack, self.places.is_stamped(row)) {
            (true, _) => self.acks[flow].of(row.link_id, acknowledged(row)).unzip(),
            (false, true) => (None, self.data[flow].of(row.link_id, row.seq)),
            (false, false) => (None, None),
        };
        let stamps = stamps.filter(|_| self.places.is_stamped(row));
        let segment = self.segment(row, sacks.unwrap_or_default(), stamps);
        let headers = headers::write(&segment);
        let nanoseconds = t_ps / 1000;
        let mut block = begin_block(ENHANCED_PACKET, &mut out.page);
        let fields = [
            self.places.interface(row),
            (nanoseconds >> 32) as u32,
            nanoseconds as u32,
            headers.length as u32,
            headers.total,
        ];
        for field in fields {
            block.array(field.to_le_bytes());
        }
        block.part(headers.bytes, headers.length);
        if let Some(comment) = comment(row) {
            option(&mut block, 1, comment.as_bytes());
            option(&mut block, 0, b"");
        }
        end_block(block);
        out.end(1)
    }

    fn segment(&mut self, row: &PacketRow, sacks: Sacks, stamps: Option<[u32; 2]>) -> Segment {
        const FIRST: u32 = 0x0A00_0001;
        let (flow, ends) = (row.flow_id as usize, self.places.flow(row));
        let mut addresses = [FIRST + ends.from, FIRST + ends.to];
        // Unique for each flow between two nodes, and above the ports of known protocols.
        let mut ports = [
            20_000 + (row.flow_id % 40_000) as u16,
            5_001 + (row.flow_id / 40_000) as u16,
        ];
        let is_ack = row.kind == PacketKind::Ack.code();
        if is_ack {
            addresses.reverse();
            ports.reverse();
        }
        let is_repair = row.kind == PacketKind::Auxiliary.code();
        let tcp = self.is_tcp[flow] && !is_repair;
        Segment {
            addresses,
            ports,
            size: row.size_bytes,
            tcp: tcp.then(|| SegmentNumbers {
                stamps,
                ..self.numbers(row, is_ack, sacks)
            }),
            id: row.seq as u16,
            ecn: row.ecn,
        }
    }

    fn numbers(&mut self, row: &PacketRow, is_ack: bool, sacks: Sacks) -> SegmentNumbers {
        let flow = row.flow_id as usize;
        let options = self.options(row, is_ack, &sacks);
        if !is_ack {
            // Data without a payload represent a SYN, as in ns-2; it counts as one byte.
            let syn = self.headers[flow].is_syn(row);
            return SegmentNumbers {
                seq: self.byte(flow, row.seq),
                ack: if syn { 0 } else { 1 },
                syn,
                sacks,
                options,
                stamps: None,
            };
        }
        let next = acknowledged(row);
        let is_first = next == 1 && self.byte(flow, 1) == self.byte(flow, 0).wrapping_add(1);
        let syn = is_first && !self.opened[flow].contains(&row.link_id);
        if syn {
            self.opened[flow].push(row.link_id);
        }
        SegmentNumbers {
            seq: if syn { 0 } else { 1 },
            ack: self.byte(flow, next),
            syn,
            sacks,
            options,
            stamps: None,
        }
    }

    /// Bytes of options other than SACK: those of the flow's headers, and of an acknowledgement and
    /// a SYN the full recorded size, since they have no payload.
    fn options(&self, row: &PacketRow, is_ack: bool, sacks: &Sacks) -> usize {
        let headers = &self.headers[row.flow_id as usize];
        let usual = headers.data.saturating_sub(HEADERS) as usize;
        let recorded =
            (row.size_bytes.saturating_sub(HEADERS) as usize).saturating_sub(sacks.length());
        let is_empty = is_ack || headers.is_syn(row);
        let options = if is_empty { usual.max(recorded) } else { usual };
        options.min(40).next_multiple_of(4)
    }
}

/// The packet requested by an acknowledgement; one that acknowledges nothing has the number before
/// 0.
fn acknowledged(row: &PacketRow) -> u64 {
    u64::from((row.seq as u32).wrapping_add(1))
}

/// The comment on a packet that did not simply pass.
fn comment(row: &PacketRow) -> Option<String> {
    let mut notes = Vec::new();
    if row.outcome != PacketOutcome::Sent.code() {
        notes.push(words::outcome(row));
    }
    if words::is_marked(row) {
        notes.push("marked (CE)");
    }
    if row.retransmission {
        notes.push("retransmission");
    }
    if row.repaired {
        notes.push("repaired by FEC");
    }
    if row.kind == PacketKind::Auxiliary.code() {
        notes.push("FEC repair packet or report");
    }
    (!notes.is_empty()).then(|| format!("pacesim: {}", notes.join("; ")))
}

/// Begins a block, whose length is added at its end.
#[inline(always)]
fn begin_block(kind: u32, page: &mut Page) -> EventBytes<'_> {
    let mut block = page.begin_event();
    block.array(kind.to_le_bytes());
    block.array([0; 4]);
    block
}

/// Writes the length of a block at both of its ends.
#[inline(always)]
fn end_block(mut block: EventBytes) {
    let length = (block.length() + 4) as u32;
    block.put(4, length.to_le_bytes());
    block.array(length.to_le_bytes());
    block.end();
}

/// Appends an option, padded to 32 bits; names beyond 64 KB are cut.
fn option(to: &mut EventBytes, code: u16, value: &[u8]) {
    let value = &value[..value.len().min(usize::from(u16::MAX))];
    to.array(code.to_le_bytes());
    to.array((value.len() as u16).to_le_bytes());
    to.text(value);
    to.part([0; 4], value.len().next_multiple_of(4) - value.len());
}
