//! A log of every packet at selected ports, written directly to a file.

use std::collections::VecDeque;

use pacesim::measure::record::{PacketKind, PacketOutcome, PacketRow};
use pacesim::model::change::Change;
use pacesim::model::{Model, PacketFilter, Stages};
use pacesim::net::{DropCause, Kind, Packet, Passage, Probe};
use pacesim::units::{FlowId, LinkId, Span, Time};
use pacesim_tables::{TableError, TableWriter};

/// The latest time that a column holds. A packet at the end of a long queue may leave years after
/// the end of the run.
const LATEST: u64 = i64::MAX as u64;

/// A probe that writes a row for each packet that passes a filter.
///
/// Rows are in the order in which the fates of packets become known: on arrival, or on release by a
/// pacer. On a link with random loss, a row waits while its packet is on the link.
pub(crate) struct PacketLog {
    filter: Filter,
    ports: Vec<Port>,
    /// Pending rows of each link with random loss.
    links: Vec<Option<LossyLink>>,
    table: TableWriter<PacketRow>,
    /// First error that occurred; nothing is written after it.
    error: Option<TableError>,
}

/// Properties of a port needed for every packet, adjacent in memory.
#[derive(Clone, Copy)]
struct Port {
    is_lossy: bool,
    has_pacer: bool,
}

/// Rows whose packets may still be lost, with the times until which they may. Packets keep their
/// order on a link.
struct LossyLink {
    /// Greatest delay of the link over time.
    delay: Span,
    /// True if the delay never changes, so that arrivals are known to the picosecond.
    is_constant: bool,
    on_link: VecDeque<(Time, PacketRow)>,
}

impl PacketLog {
    /// A log of the packets that pass this filter.
    pub(crate) fn new(
        model: &Model,
        filter: &PacketFilter,
        table: TableWriter<PacketRow>,
    ) -> PacketLog {
        let links = (0..model.links.len()).map(LinkId::from_index);
        let stages = model.stages();
        let links: Vec<_> = links
            .map(|link| LossyLink::of(&stages, model, link))
            .collect();
        let port = |(i, lossy): (usize, &Option<LossyLink>)| Port {
            is_lossy: lossy.is_some(),
            has_pacer: stages.has_gate(LinkId::from_index(i)),
        };
        PacketLog {
            filter: Filter::new(model, filter),
            ports: links.iter().enumerate().map(port).collect(),
            links,
            table,
            error: None,
        }
    }

    /// Writes the pending rows and completes the file; returns its number of rows.
    pub(crate) fn finish(mut self) -> Result<u64, TableError> {
        for link in 0..self.links.len() {
            self.settle(LinkId::from_index(link), Time::NEVER);
        }
        match self.error {
            Some(error) => Err(error),
            None => self.table.finish(),
        }
    }

    #[inline]
    fn write(&mut self, row: PacketRow) {
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
            self.write(row);
        }
    }
}

impl LossyLink {
    /// `None` if the link can never lose packets.
    fn of(stages: &Stages<'_>, model: &Model, id: LinkId) -> Option<LossyLink> {
        let link = &model.links[id.index()];
        let mut delays = vec![link.delay];
        for change in model.changes.iter().filter(|change| change.link == id) {
            if let Change::Delay(delay) = change.change {
                delays.push(delay);
            }
        }
        stages.may_lose(id).then(|| LossyLink {
            delay: delays.iter().copied().max().unwrap_or(link.delay),
            is_constant: delays.len() == 1,
            on_link: VecDeque::new(),
        })
    }

    /// The position of the packet that is lost now. Packets do not overtake each other, so those
    /// before it have arrived.
    fn place(&self, now: Time, packet: &Packet) -> Option<usize> {
        let is_it = |row: &PacketRow| {
            (row.flow_id, row.seq, row.kind)
                == (packet.flow.0, packet.seq.into(), code(packet.kind()))
        };
        if self.is_constant {
            let (at, row) = self.on_link.front()?;
            (*at == now && is_it(row)).then_some(0)
        } else {
            self.on_link.iter().position(|(_, row)| is_it(row))
        }
    }

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
    fn accepted(&mut self, now: Time, link: LinkId, packet: &Packet, passage: Passage) {
        let Passage {
            arrived,
            joined,
            departure,
        } = passage;
        if !self.filter.takes(arrived, link, packet.flow) {
            return;
        }
        let row = PacketRow {
            release_ps: self.release(joined, link),
            departure_ps: Some(departure.as_ps().min(LATEST)),
            ..row(arrived, link, packet, PacketOutcome::Sent)
        };
        if self.ports[link.index()].is_lossy {
            self.keep(now, departure, row, link)
        } else {
            self.write(row)
        }
    }

    #[inline]
    fn dropped(&mut self, now: Time, link: LinkId, packet: &Packet, cause: DropCause) {
        let (arrived, release_ps, outcome) = match cause {
            DropCause::Full { arrived } => {
                let release = self.release(now, link);
                (arrived, release, PacketOutcome::DroppedFull)
            }
            DropCause::Early { arrived } => {
                let release = self.release(now, link);
                (arrived, release, PacketOutcome::DroppedEarly)
            }
            DropCause::PushedOut { arrived } | DropCause::Departure { arrived } => {
                (arrived, None, PacketOutcome::DroppedLater)
            }
            DropCause::Gate => (now, None, PacketOutcome::RefusedPacer),
            DropCause::Script => (now, None, PacketOutcome::DroppedScript),
            DropCause::Wire => return self.lost(now, link, packet),
        };
        if self.filter.takes(arrived, link, packet.flow) {
            self.write(PacketRow {
                release_ps,
                ..row(arrived, link, packet, outcome)
            });
        }
    }
}

impl PacketLog {
    /// The time of release, if the port has a pacer: a packet that joins the queue has just been
    /// released.
    fn release(&self, joined: Time, link: LinkId) -> Option<u64> {
        let has_pacer = self.ports[link.index()].has_pacer;
        has_pacer.then(|| joined.as_ps())
    }

    /// Keeps a row until its packet can no longer be lost.
    fn keep(&mut self, now: Time, departure: Time, row: PacketRow, link: LinkId) {
        self.settle(link, now);
        if let Some(lossy) = &mut self.links[link.index()] {
            let arrives = departure.saturating_add(lossy.delay);
            lossy.on_link.push_back((arrives, row));
        }
    }

    /// The packet at the head of the link was lost; ignored unless the filter chose it.
    fn lost(&mut self, now: Time, link: LinkId, packet: &Packet) {
        self.settle(link, now);
        let lossy = self.links[link.index()].as_mut();
        let lossy = lossy.expect("wires that lose packets are known");
        let Some(place) = lossy.place(now, packet) else {
            return;
        };
        let mut rows: Vec<PacketRow> = lossy.on_link.drain(..=place).map(|(_, row)| row).collect();
        let mut row = rows.pop().expect("the one that is lost");
        for arrived in rows {
            self.write(arrived);
        }
        row.outcome = PacketOutcome::LostWire.code();
        self.write(row);
    }
}

fn row(arrived: Time, link: LinkId, packet: &Packet, outcome: PacketOutcome) -> PacketRow {
    PacketRow {
        t_ps: arrived.as_ps(),
        release_ps: None,
        departure_ps: None,
        link_id: link.0,
        flow_id: packet.flow.0,
        seq: u64::from(packet.seq),
        size_bytes: packet.size,
        kind: code(packet.kind()),
        outcome: outcome.code(),
        retransmission: packet.is_again(),
        repaired: packet.is_repaired(),
        ecn: ecn(packet),
    }
}

/// The ECN field, CWR and, of acknowledgements, ECE, which is PSH of data: the lowest bits of the
/// flags.
#[inline]
fn ecn(packet: &Packet) -> u8 {
    const DATA: u8 = 0b0111;
    const ACK: u8 = 0b1111;
    let mask = match packet.kind() {
        Kind::Ack => ACK,
        Kind::Data | Kind::Auxiliary => DATA,
    };
    packet.flags.bits() as u8 & mask
}

fn code(kind: Kind) -> u8 {
    match kind {
        Kind::Data => PacketKind::Data.code(),
        Kind::Ack => PacketKind::Ack.code(),
        Kind::Auxiliary => PacketKind::Auxiliary.code(),
    }
}

/// A packet filter as lookup tables by id.
struct Filter {
    links: Vec<bool>,
    /// True for each chosen flow; `None` if all are chosen.
    flows: Option<Vec<bool>>,
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
            flows: (!filter.flows.is_empty()).then(|| {
                let named = filter.flows.iter().map(|flow| flow.index());
                chosen(model.flows.len(), named)
            }),
            from: filter.from,
            to: filter.to.unwrap_or(Time::NEVER),
        }
    }

    #[inline]
    fn takes(&self, now: Time, link: LinkId, flow: FlowId) -> bool {
        let in_time = self.from <= now && now < self.to;
        in_time
            && self.links[link.index()]
            && self.flows.as_ref().is_none_or(|flows| flows[flow.index()])
    }
}

/// The chosen ones of `all`: all if none is named.
fn chosen(all: usize, named: impl ExactSizeIterator<Item = usize>) -> Vec<bool> {
    let mut chosen = vec![named.len() == 0; all];
    named.for_each(|place| chosen[place] = true);
    chosen
}
