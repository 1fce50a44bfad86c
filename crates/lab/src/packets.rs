//! Every packet at some ports, straight into a file.

use std::collections::VecDeque;

use pacesim::measure::record::{PacketKind, PacketOutcome, PacketRow};
use pacesim::model::{Model, PacketFilter};
use pacesim::net::{DropCause, Kind, Packet, Probe};
use pacesim::units::{FlowId, LinkId, Span, Time};

use crate::tables::{TableError, TableWriter};

/// A probe that writes a row for each packet that a filter lets through.
///
/// Rows come in the order in which packets' fates are known: that is on arrival,
/// or on release by a pacer, except that on a link with random loss a row waits while its
/// packet is on the link.
pub struct PacketLog {
    filter: Filter,
    links: Vec<Option<LossyLink>>,
    table: TableWriter<PacketRow>,
    /// When the packet came that a pacer lets go now: the queue's answer follows at once.
    released: Option<Time>,
    /// When the packet came whose turn has come in a queue discipline: the same follows.
    dequeued: Option<Time>,
    /// The first error; nothing is written after it.
    error: Option<TableError>,
}

/// Rows whose packets still may be lost, with the times at which they will not any
/// more. A link keeps their order.
struct LossyLink {
    delay: Span,
    on_link: VecDeque<(Time, PacketRow)>,
}

impl PacketLog {
    /// A log of what this filter lets through.
    pub fn new(model: &Model, filter: &PacketFilter, table: TableWriter<PacketRow>) -> PacketLog {
        let lossy = |link: &pacesim::model::Link| {
            link.loss.as_ref().map(|_| LossyLink {
                delay: link.delay,
                on_link: VecDeque::new(),
            })
        };
        PacketLog {
            filter: Filter::new(model, filter),
            links: model.links.iter().map(lossy).collect(),
            table,
            released: None,
            dequeued: None,
            error: None,
        }
    }

    /// Writes what still waits and completes the file; says how many rows it has.
    pub fn finish(mut self) -> Result<u64, TableError> {
        for link in 0..self.links.len() {
            self.settle(LinkId::from_index(link), Time::NEVER);
        }
        match self.error {
            Some(error) => Err(error),
            None => self.table.finish(),
        }
    }

    fn write(&mut self, row: &PacketRow) {
        if self.error.is_none() {
            self.error = self.table.push(row).err();
        }
    }

    /// Writes the rows of packets that have left this link before `now`.
    fn settle(&mut self, link: LinkId, now: Time) {
        while let Some(row) = self.links[link.index()]
            .as_mut()
            .and_then(|l| l.settled(now))
        {
            self.write(&row);
        }
    }
}

impl LossyLink {
    fn settled(&mut self, now: Time) -> Option<PacketRow> {
        let (arrives, _) = self.on_link.front()?;
        if *arrives >= now {
            return None;
        }
        self.on_link.pop_front().map(|(_, row)| row)
    }
}

impl Probe for PacketLog {
    #[inline]
    fn released(&mut self, _now: Time, _link: LinkId, _packet: &Packet, arrived: Time) {
        self.released = Some(arrived);
    }

    #[inline]
    fn queued(&mut self, _now: Time, _link: LinkId, _packet: &Packet) {
        self.released = None;
    }

    #[inline]
    fn dequeued(&mut self, _now: Time, _link: LinkId, _packet: &Packet, arrived: Time) {
        self.dequeued = Some(arrived);
    }

    #[inline]
    fn accepted(&mut self, now: Time, link: LinkId, packet: &Packet, departure: Time) {
        let Some(mut row) = self.row(now, link, packet, PacketOutcome::Sent) else {
            return;
        };
        row.departure_ps = Some(departure.as_ps());
        self.settle(link, now);
        match &mut self.links[link.index()] {
            Some(lossy) => {
                let arrives = departure.saturating_add(lossy.delay);
                lossy.on_link.push_back((arrives, row));
            }
            None => self.write(&row),
        }
    }

    #[inline]
    fn dropped(&mut self, now: Time, link: LinkId, packet: &Packet, cause: DropCause) {
        let outcome = match cause {
            DropCause::Full => PacketOutcome::DroppedFull,
            DropCause::Early => PacketOutcome::DroppedEarly,
            DropCause::PushedOut | DropCause::Departure => PacketOutcome::DroppedLater,
            DropCause::Gate => PacketOutcome::RefusedPacer,
            DropCause::Script => PacketOutcome::DroppedScript,
            DropCause::Wire => return self.lost(now, link, packet),
        };
        if let Some(row) = self.row(now, link, packet, outcome) {
            self.write(&row);
        }
    }
}

impl PacketLog {
    /// The row of a packet, if the filter takes it, by when it came.
    #[inline]
    fn row(
        &mut self,
        now: Time,
        link: LinkId,
        packet: &Packet,
        outcome: PacketOutcome,
    ) -> Option<PacketRow> {
        let released = self.released.take();
        let came = released.or(self.dequeued.take()).unwrap_or(now);
        let takes = self.filter.takes(came, link, packet.flow);
        takes.then(|| PacketRow {
            release_ps: released.map(|_| now.as_ps()),
            ..row(came, link, packet, outcome)
        })
    }

    /// The packet at the head of the link was lost, if the filter took it.
    fn lost(&mut self, now: Time, link: LinkId, packet: &Packet) {
        self.settle(link, now);
        let lossy = self.links[link.index()].as_mut();
        let on_link = &mut lossy.expect("wires that lose packets are known").on_link;
        let is_it = |row: &PacketRow| {
            (row.flow, row.seq, row.kind) == (packet.flow.0, packet.seq.into(), code(packet.kind))
        };
        if !on_link
            .front()
            .is_some_and(|(at, row)| *at == now && is_it(row))
        {
            return;
        }
        let (_, mut row) = on_link.pop_front().expect("its head was just looked at");
        row.outcome = PacketOutcome::LostWire.code();
        self.write(&row);
    }
}

fn row(now: Time, link: LinkId, packet: &Packet, outcome: PacketOutcome) -> PacketRow {
    PacketRow {
        t_ps: now.as_ps(),
        release_ps: None,
        departure_ps: None,
        link: link.0,
        flow: packet.flow.0,
        seq: u64::from(packet.seq),
        size_bytes: packet.size,
        kind: code(packet.kind),
        outcome: outcome.code(),
        retransmission: packet.again,
    }
}

fn code(kind: Kind) -> u8 {
    match kind {
        Kind::Data => PacketKind::Data.code(),
        Kind::Ack => PacketKind::Ack.code(),
        Kind::Auxiliary => PacketKind::Auxiliary.code(),
    }
}

/// A filter as tables by id.
struct Filter {
    links: Vec<bool>,
    flows: Vec<bool>,
    from: Time,
    to: Time,
}

impl Filter {
    fn new(model: &Model, filter: &PacketFilter) -> Filter {
        Filter {
            links: chosen(
                model.links.len(),
                filter.links.iter().map(|link| link.index()),
            ),
            flows: chosen(
                model.flows.len(),
                filter.flows.iter().map(|flow| flow.index()),
            ),
            from: filter.from,
            to: filter.to.unwrap_or(Time::NEVER),
        }
    }

    #[inline]
    fn takes(&self, now: Time, link: LinkId, flow: FlowId) -> bool {
        self.from <= now && now < self.to && self.links[link.index()] && self.flows[flow.index()]
    }
}

/// Which of `all` are chosen: all if none is named.
fn chosen(all: usize, named: impl ExactSizeIterator<Item = usize>) -> Vec<bool> {
    let mut chosen = vec![named.len() == 0; all];
    named.for_each(|place| chosen[place] = true);
    chosen
}
