//! Places of a capture: the ends of links and flows as numbers, which are compared for every
//! packet.

use std::collections::BTreeMap;

use crate::trace::{Recording, Step, Steps};
use pacesim_measure::record::{PacketKind, PacketRow};

use super::At;

/// Source and destination by the number of their node; nodes without flows share one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ends {
    pub(super) from: u32,
    pub(super) to: u32,
}

/// The steps that a capture needs and shows.
pub(super) struct Places<'a> {
    at: At,
    /// Names of the nodes with flows, in order.
    pub(super) nodes: Vec<&'a str>,
    links: Vec<Ends>,
    flows: Vec<Ends>,
    /// True for flows whose packets have timestamps.
    stamped: Vec<bool>,
}

impl<'a> Places<'a> {
    pub(super) fn new(recording: &'a Recording, at: At, stamped: Vec<bool>) -> Places<'a> {
        let flows = recording.flows.iter();
        let mut nodes: Vec<&str> = flows.flat_map(|of| [&*of.src, &*of.dst]).collect();
        nodes.sort_unstable();
        nodes.dedup();
        let numbers: BTreeMap<&str, u32> = nodes.iter().copied().zip(0..).collect();
        let number = |name: &str| numbers.get(name).copied().unwrap_or(u32::MAX);
        let ends = |from: &str, to: &str| Ends {
            from: number(from),
            to: number(to),
        };
        let links = recording.links.iter().map(|of| ends(&of.from, &of.to));
        let flows = recording.flows.iter().map(|of| ends(&of.src, &of.dst));
        Places {
            at,
            links: links.collect(),
            flows: flows.collect(),
            stamped,
            nodes,
        }
    }

    pub(super) fn flow(&self, row: &PacketRow) -> Ends {
        self.flows[row.flow_id as usize]
    }

    /// The interface of a packet.
    pub(super) fn interface(&self, row: &PacketRow) -> u32 {
        match self.at {
            At::Ports => row.link_id,
            At::Senders => self.flow(row).from,
            At::Receivers => self.flow(row).to,
        }
    }

    /// True if the row's link ends at the flow's sink.
    pub(super) fn ends_at_sink(&self, row: &PacketRow) -> bool {
        self.links[row.link_id as usize].to == self.flow(row).to
    }

    /// True if the row's link begins at the flow's sink.
    pub(super) fn begins_at_sink(&self, row: &PacketRow) -> bool {
        self.links[row.link_id as usize].from == self.flow(row).to
    }

    /// True if a packet has timestamps.
    pub(super) fn is_stamped(&self, row: &PacketRow) -> bool {
        self.stamped[row.flow_id as usize]
    }

    /// True if the row's link begins at the flow's source.
    pub(super) fn begins_at_source(&self, row: &PacketRow) -> bool {
        self.links[row.link_id as usize].from == self.flow(row).from
    }

    /// True if the row's link ends at the flow's source.
    pub(super) fn ends_at_source(&self, row: &PacketRow) -> bool {
        self.links[row.link_id as usize].to == self.flow(row).from
    }

    /// The steps that a capture shows, and those that determine SACK blocks and timestamps: arrivals
    /// at the other end, and the paths of acknowledgements and of data with timestamps.
    pub(super) fn needs(&self, row: &PacketRow) -> Steps {
        const SENT: Steps = Steps::of(&[Step::Arrived]);
        const TAKEN: Steps = Steps::of(&[Step::Reached]);
        const LOST: Steps = Steps::of(&[Step::Dropped, Step::Lost]);
        let is_stamped = self.is_stamped(row);
        let tells = if row.kind == PacketKind::Data.code() {
            TAKEN
                .when(self.ends_at_sink(row))
                .and(SENT.when(is_stamped && self.begins_at_source(row)))
                .and(LOST.when(is_stamped))
        } else {
            SENT.when(self.begins_at_sink(row))
                .and(TAKEN.when(self.ends_at_source(row)))
                .and(LOST)
        };
        tells.and(self.shows(row))
    }

    /// The steps that a capture shows.
    pub(super) fn shows(&self, row: &PacketRow) -> Steps {
        const ARRIVED: Steps = Steps::of(&[Step::Arrived]);
        const REACHED: Steps = Steps::of(&[Step::Reached]);
        let (link, ends) = (self.links[row.link_id as usize], self.flow(row));
        let is_data = row.kind == PacketKind::Data.code();
        match (self.at, is_data) {
            (At::Ports, _) => Steps::of(&[Step::Left, Step::Dropped]),
            (At::Senders, true) => ARRIVED.when(link.from == ends.from),
            (At::Senders, false) => REACHED.when(link.to == ends.from),
            (At::Receivers, true) => REACHED.when(link.to == ends.to),
            (At::Receivers, false) => ARRIVED.when(link.from == ends.to),
        }
    }
}
