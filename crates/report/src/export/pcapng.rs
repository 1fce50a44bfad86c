//! Packet captures as pcapng (draft-ietf-opsawg-pcapng): raw IPv4, nanoseconds, an interface for
//! each port or end.

use std::collections::BTreeMap;

use pacesim_measure::record::{PacketKind, PacketRow};
use pacesim_trace::{Event, Recording, Step, TraceError, What};

use super::headers::{self, Numbers, Sacks, Segment};
use super::wire::{Bytes, Sink, Told};
use super::{At, Chosen, Out};
use crate::words;

/// Headers of 20 bytes each for IP and TCP, as scenarios assume unless told otherwise.
const HEADERS: u32 = 40;

/// The most bytes of a packet that are written: its headers with options.
const SNAP: u32 = 96;

pub(super) fn write(
    recording: &Recording,
    chosen: &Chosen,
    at: At,
    out: &mut Out,
) -> Result<(), TraceError> {
    let mut capture = Capture::new(recording, at);
    capture.begin(out)?;
    let takes = |step, row: &PacketRow| {
        chosen.flow(row.flow_id) && chosen.link(row.link_id) && is_needed(recording, at, step, row)
    };
    let mut events = recording.events(takes)?;
    // A sender's events need no packets.
    if !recording.has(pacesim_trace::Table::Packets) {
        recording.packets(|_| ())?;
    }
    while let Some(event) = events.next_event()? {
        if let Event {
            t_ps,
            what: What::Packet(step, row),
            ..
        } = &event
        {
            capture.step(*t_ps, *step, row, out)?;
        }
    }
    Ok(())
}

/// True for the steps that a capture shows, and for those from which SACK blocks follow: arrivals of data at
/// sinks, and the ways of acknowledgements.
fn is_needed(recording: &Recording, at: At, step: Step, row: &PacketRow) -> bool {
    let link = &recording.links[row.link_id as usize];
    let ends = &recording.flows[row.flow_id as usize];
    let is_data = row.kind == PacketKind::Data.code();
    let tells = match step {
        Step::Reached => is_data && link.to == ends.dst,
        Step::Arrived => !is_data && link.from == ends.dst,
        Step::Dropped | Step::Lost => !is_data,
        Step::Released | Step::Left => false,
    };
    tells || is_shown(recording, at, step, row)
}

/// True for the steps that a capture shows.
fn is_shown(recording: &Recording, at: At, step: Step, row: &PacketRow) -> bool {
    let link = &recording.links[row.link_id as usize];
    let ends = &recording.flows[row.flow_id as usize];
    let is_data = row.kind == PacketKind::Data.code();
    match (at, step) {
        (At::Ports, Step::Left | Step::Dropped) => true,
        (At::Ports, _) => false,
        (At::Senders, Step::Arrived) => is_data && link.from == ends.src,
        (At::Senders, Step::Reached) => !is_data && link.to == ends.src,
        (At::Receivers, Step::Arrived) => !is_data && link.from == ends.dst,
        (At::Receivers, Step::Reached) => is_data && link.to == ends.dst,
        (At::Senders | At::Receivers, _) => false,
    }
}

struct Capture<'a> {
    recording: &'a Recording,
    at: At,
    /// Names of the interfaces.
    interfaces: Vec<String>,
    /// The address of each node.
    addresses: BTreeMap<&'a str, u32>,
    is_tcp: Vec<bool>,
    bytes: Vec<Bytes>,
    sinks: Vec<Sink>,
    told: Vec<Told>,
    block: Vec<u8>,
    packet: Vec<u8>,
}

impl<'a> Capture<'a> {
    fn new(recording: &'a Recording, at: At) -> Capture<'a> {
        let flows = &recording.flows;
        let names = flows
            .iter()
            .flat_map(|flow| [flow.src.as_str(), flow.dst.as_str()]);
        let mut nodes: Vec<&str> = names.collect();
        nodes.sort_unstable();
        nodes.dedup();
        let addresses = nodes.iter().enumerate();
        let addresses: BTreeMap<&str, u32> = addresses
            .map(|(place, name)| (*name, 0x0A00_0001 + place as u32))
            .collect();
        let interfaces = match at {
            At::Ports => recording
                .links
                .iter()
                .map(|link| link.name.clone())
                .collect(),
            At::Senders | At::Receivers => nodes.iter().map(|name| (*name).to_owned()).collect(),
        };
        Capture {
            recording,
            at,
            interfaces,
            addresses,
            is_tcp: flows.iter().map(|flow| flow.is_tcp).collect(),
            bytes: vec![Bytes::default(); flows.len()],
            sinks: vec![Sink::default(); flows.len()],
            told: vec![Told::default(); flows.len()],
            block: Vec::new(),
            packet: Vec::new(),
        }
    }

    /// The section header and the interfaces.
    fn begin(&mut self, out: &mut Out) -> Result<(), TraceError> {
        const SECTION: u32 = 0x0A0D_0D0A;
        const INTERFACE: u32 = 1;
        const RAW_IPV4: u16 = 228;
        let mut body = Vec::new();
        body.extend(0x1A2B_3C4D_u32.to_le_bytes());
        body.extend([1, 0, 0, 0]);
        body.extend(u64::MAX.to_le_bytes());
        option(&mut body, 4, b"pacesim");
        option(&mut body, 0, b"");
        out.put(&block(SECTION, &body))?;
        for name in &self.interfaces {
            body.clear();
            body.extend(RAW_IPV4.to_le_bytes());
            body.extend([0, 0]);
            body.extend(SNAP.to_le_bytes());
            option(&mut body, 2, name.as_bytes());
            option(&mut body, 9, &[9]);
            option(&mut body, 0, b"");
            out.put(&block(INTERFACE, &body))?;
        }
        Ok(())
    }

    /// Follows a packet's step, and captures it if its place is there.
    fn step(
        &mut self,
        t_ps: u64,
        step: Step,
        row: &PacketRow,
        out: &mut Out,
    ) -> Result<(), TraceError> {
        let flow = row.flow_id as usize;
        let is_data = row.kind == PacketKind::Data.code();
        let link = &self.recording.links[row.link_id as usize];
        let ends = &self.recording.flows[flow];
        let interface = match self.at {
            At::Ports => Some(row.link_id),
            At::Senders => self.place_of(&ends.src),
            At::Receivers => self.place_of(&ends.dst),
        };
        if is_data {
            let payload = row.size_bytes.saturating_sub(HEADERS).max(1);
            self.bytes[flow].note(row.seq, payload);
        }
        if !is_data && step == Step::Arrived && link.from == ends.dst {
            let sacks = self.sinks[flow].sacks(acknowledged(row), |seq| self.byte(flow, seq));
            self.told[flow].note(acknowledged(row), sacks);
        }
        if is_shown(self.recording, self.at, step, row)
            && let Some(interface) = interface
        {
            self.capture(t_ps, interface, row, out)?;
        }
        match step {
            Step::Reached if is_data && link.to == ends.dst => self.sinks[flow].take(row.seq),
            Step::Dropped | Step::Lost if !is_data => {
                // Ports show packets before they are lost.
                let has_passed = self.at == At::Ports;
                self.told[flow].forget(row.link_id, acknowledged(row), has_passed);
            }
            _ => {}
        }
        Ok(())
    }

    /// The number of a packet's first byte on the wire.
    fn byte(&self, flow: usize, seq: u64) -> u32 {
        (self.bytes[flow].at(seq) as u32).wrapping_add(1)
    }

    fn place_of(&self, node: &str) -> Option<u32> {
        self.addresses
            .get(node)
            .map(|address| address - 0x0A00_0001)
    }

    fn capture(
        &mut self,
        t_ps: u64,
        interface: u32,
        row: &PacketRow,
        out: &mut Out,
    ) -> Result<(), TraceError> {
        const ENHANCED_PACKET: u32 = 6;
        self.packet.clear();
        let told = &mut self.told[row.flow_id as usize];
        let sacks = match row.kind == PacketKind::Ack.code() {
            true => told.of(row.link_id, acknowledged(row)),
            false => Sacks::default(),
        };
        let total = headers::write(&self.segment(row, sacks), &mut self.packet);
        let nanoseconds = t_ps / 1000;
        let body = &mut self.block;
        body.clear();
        body.extend(interface.to_le_bytes());
        body.extend(((nanoseconds >> 32) as u32).to_le_bytes());
        body.extend((nanoseconds as u32).to_le_bytes());
        body.extend((self.packet.len() as u32).to_le_bytes());
        body.extend(total.to_le_bytes());
        body.extend(&self.packet);
        pad(body);
        if let Some(comment) = comment(row) {
            option(body, 1, comment.as_bytes());
            option(body, 0, b"");
        }
        out.event(&block(ENHANCED_PACKET, body))
    }

    fn segment(&self, row: &PacketRow, sacks: Sacks) -> Segment {
        let flow = row.flow_id as usize;
        let ends = &self.recording.flows[flow];
        let address = |node: &str| self.addresses.get(node).copied().unwrap_or(0);
        let mut addresses = [address(&ends.src), address(&ends.dst)];
        // Unique for each flow between two nodes, and beyond the ports of known protocols.
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
            tcp: tcp.then(|| self.numbers(row, is_ack, sacks)),
            id: row.seq as u16,
        }
    }

    fn numbers(&self, row: &PacketRow, is_ack: bool, sacks: Sacks) -> Numbers {
        let flow = row.flow_id as usize;
        let byte = |seq: u64| self.byte(flow, seq);
        if !is_ack {
            // Data without a payload stand for a SYN, as in ns-2; it counts as one byte.
            let syn = row.size_bytes <= HEADERS;
            return Numbers {
                seq: byte(row.seq),
                ack: if syn { 0 } else { 1 },
                syn,
                sacks,
            };
        }
        let next = acknowledged(row);
        let syn = next == 1 && byte(1) == byte(0).wrapping_add(1);
        Numbers {
            seq: if syn { 0 } else { 1 },
            ack: byte(next),
            syn,
            sacks,
        }
    }
}

/// The packet that an acknowledgement asks for; one of nothing has the number before 0.
fn acknowledged(row: &PacketRow) -> u64 {
    u64::from((row.seq as u32).wrapping_add(1))
}

/// The comment of a packet that did not simply pass.
fn comment(row: &PacketRow) -> Option<String> {
    let mut notes = Vec::new();
    if words::outcome(row) != "sent" {
        notes.push(words::outcome(row));
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

/// A block with its length on both sides.
fn block(kind: u32, body: &[u8]) -> Vec<u8> {
    let length = (body.len() + 12) as u32;
    let mut block = Vec::with_capacity(length as usize);
    block.extend(kind.to_le_bytes());
    block.extend(length.to_le_bytes());
    block.extend(body);
    block.extend(length.to_le_bytes());
    block
}

/// Appends an option, padded to 32 bits; names beyond 64 KB are cut.
fn option(to: &mut Vec<u8>, code: u16, value: &[u8]) {
    let value = &value[..value.len().min(usize::from(u16::MAX))];
    to.extend(code.to_le_bytes());
    to.extend((value.len() as u16).to_le_bytes());
    to.extend(value);
    pad(to);
}

fn pad(to: &mut Vec<u8>) {
    to.resize(to.len().next_multiple_of(4), 0);
}
