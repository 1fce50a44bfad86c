//! One stream of all recorded events, in order of time.

use std::cell::Cell;

use pacesim_measure::record::{PacketOutcome, PacketRow};

use crate::error::TraceError;
use crate::folder::{Recording, What as Table};
use crate::in_time::{Groups, InTime, Timed};
use crate::packets::PacketTable;
use crate::senders::SenderRow;
use crate::senders::SenderTable;

/// An event.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// Its time.
    pub t_ps: u64,
    /// The row of its table, from 0; it orders events of one instant.
    pub row: u64,
    /// Its kind and data.
    pub what: What,
}

/// Kinds of events.
#[derive(Clone, Debug, PartialEq)]
pub enum What {
    /// A packet took a step on its path.
    Packet(Step, PacketRow),
    /// A sender changed.
    Sender(SenderRow),
}

/// Steps of a packet at a port and on the wire behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Step {
    /// It arrived at the port.
    Arrived,
    /// The pacer released it.
    Released,
    /// The port dropped it. Recordings lack the time at which a queue drops an accepted packet, so
    /// the last known time stands in for it.
    Dropped,
    /// Its transmission ended.
    Left,
    /// It reached the end of the wire.
    Reached,
    /// It was lost on the wire.
    Lost,
}

/// The steps of a packet through a port, in order of time.
pub fn steps(row: &PacketRow, delay_ps: u64) -> impl Iterator<Item = (u64, Step)> {
    let arrived = Some((row.t_ps, Step::Arrived));
    let released = row.release_ps.map(|at| (at, Step::Released));
    let departed = row.departure_ps.map(|at| (at, Step::Left));
    let is_lost = row.outcome == PacketOutcome::LostWire.code();
    let end = match row.departure_ps {
        Some(at) if is_lost => (at.saturating_add(delay_ps), Step::Lost),
        Some(at) => (at.saturating_add(delay_ps), Step::Reached),
        None => (row.release_ps.unwrap_or(row.t_ps), Step::Dropped),
    };
    [arrived, released, departed, Some(end)]
        .into_iter()
        .flatten()
}

/// All events of a recording in order of time; it implements no `Iterator` because reading may fail
/// at any event.
pub struct Events<F: Fn(Step, &PacketRow) -> bool> {
    packets: Option<InTime<PacketGroups<F>>>,
    senders: Option<InTime<SenderGroups>>,
}

struct PacketGroups<F> {
    table: PacketTable,
    delays: Vec<u64>,
    wanted: F,
    rows: Cell<u64>,
}

struct SenderGroups {
    table: SenderTable,
    rows: Cell<u64>,
}

impl<F: Fn(Step, &PacketRow) -> bool> Groups for PacketGroups<F> {
    type Event = Event;

    fn count(&self) -> usize {
        self.table.table.groups()
    }

    fn least(&self, group: usize) -> Result<u64, TraceError> {
        Ok(self.table.least(group)?)
    }

    fn read(&self, group: usize, to: &mut Vec<Event>) -> Result<(), TraceError> {
        self.table.for_each(group, |packet| {
            let row = self.rows.get();
            self.rows.set(row + 1);
            let delay = self
                .delays
                .get(packet.link_id as usize)
                .copied()
                .unwrap_or(0);
            for (t_ps, step) in steps(&packet, delay) {
                if (self.wanted)(step, &packet) {
                    let what = What::Packet(step, packet.clone());
                    to.push(Event { t_ps, row, what });
                }
            }
        })?;
        Ok(())
    }
}

impl Groups for SenderGroups {
    type Event = Event;

    fn count(&self) -> usize {
        self.table.table.groups()
    }

    fn least(&self, group: usize) -> Result<u64, TraceError> {
        Ok(self.table.least(group)?)
    }

    fn read(&self, group: usize, to: &mut Vec<Event>) -> Result<(), TraceError> {
        self.table.for_each(group, |sender| {
            let row = self.rows.get();
            self.rows.set(row + 1);
            to.push(Event {
                t_ps: sender.t_ps,
                row,
                what: What::Sender(sender),
            });
        })?;
        Ok(())
    }
}

impl Recording {
    /// The events of the recorded tables, with only the wanted steps of packets. At one instant
    /// packets precede senders, since senders react to them.
    pub fn events<F>(&self, wanted: F) -> Result<Events<F>, TraceError>
    where
        F: Fn(Step, &PacketRow) -> bool,
    {
        let rows = Cell::new(0);
        let packets = match self.has(Table::Packets) {
            true => Some(InTime::new(PacketGroups {
                table: PacketTable::open(self)?,
                delays: self.links.iter().map(|link| link.delay_ps).collect(),
                wanted,
                rows: rows.clone(),
            })?),
            false => None,
        };
        let senders = match self.has(Table::Senders) {
            true => Some(InTime::new(SenderGroups {
                table: SenderTable::open(self)?,
                rows,
            })?),
            false => None,
        };
        match (&packets, &senders) {
            (None, None) => Err(self
                .table(Table::Packets)
                .err()
                .expect("`has` found no table of packets")),
            _ => Ok(Events { packets, senders }),
        }
    }
}

impl<F: Fn(Step, &PacketRow) -> bool> Events<F> {
    /// The next event, or `None` at the end.
    pub fn next_event(&mut self) -> Result<Option<Event>, TraceError> {
        let packet = time_of(&mut self.packets)?;
        let sender = time_of(&mut self.senders)?;
        let takes_packet = match (packet, sender) {
            (Some(packet), Some(sender)) => packet <= sender,
            (packet, _) => packet.is_some(),
        };
        Ok(match takes_packet {
            true => self.packets.as_mut().and_then(InTime::pop),
            false => self.senders.as_mut().and_then(InTime::pop),
        })
    }
}

impl Timed for Event {
    fn at(&self) -> (u64, u64) {
        (self.t_ps, self.row)
    }
}

fn time_of<G: Groups<Event = Event>>(
    stream: &mut Option<InTime<G>>,
) -> Result<Option<u64>, TraceError> {
    match stream {
        Some(stream) => Ok(stream.peek()?.map(|event| event.t_ps)),
        None => Ok(None),
    }
}
