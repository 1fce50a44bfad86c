//! One stream of all recorded events, in order of time.

use pacesim_measure::record::{PacketOutcome, PacketRow};

use crate::error::TraceError;
use crate::folder::{Recording, What as Table};
use crate::in_time::{Groups, InTime};
use crate::packets::PacketTable;
use crate::senders::SenderRow;
use crate::senders::SenderTable;

/// An event.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// Its time.
    pub t_ps: u64,
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

impl Step {
    const ALL: [Step; 6] = [
        Step::Arrived,
        Step::Released,
        Step::Dropped,
        Step::Left,
        Step::Reached,
        Step::Lost,
    ];
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
}

struct SenderGroups(SenderTable);

impl<F: Fn(Step, &PacketRow) -> bool> Groups for PacketGroups<F> {
    type Row = PacketRow;
    const STEPS: usize = Step::ALL.len();

    fn count(&self) -> usize {
        self.table.table.groups()
    }

    fn least(&self, group: usize) -> Result<u64, TraceError> {
        Ok(self.table.least(group)?)
    }

    fn read(&self, group: usize, to: &mut Vec<PacketRow>) -> Result<(), TraceError> {
        Ok(self.table.for_each(group, |packet| to.push(packet))?)
    }

    fn times(&self, packet: &PacketRow, mut visit: impl FnMut(u64, usize)) {
        let delay = self.delays.get(packet.link_id as usize).copied();
        for (t_ps, step) in steps(packet, delay.unwrap_or(0)) {
            if (self.wanted)(step, packet) {
                visit(t_ps, step as usize);
            }
        }
    }
}

impl Groups for SenderGroups {
    type Row = SenderRow;
    const STEPS: usize = 1;

    fn count(&self) -> usize {
        self.0.table.groups()
    }

    fn least(&self, group: usize) -> Result<u64, TraceError> {
        Ok(self.0.least(group)?)
    }

    fn read(&self, group: usize, to: &mut Vec<SenderRow>) -> Result<(), TraceError> {
        Ok(self.0.for_each(group, |sender| to.push(sender))?)
    }

    fn times(&self, sender: &SenderRow, mut visit: impl FnMut(u64, usize)) {
        visit(sender.t_ps, 0);
    }
}

impl Recording {
    /// The events of the recorded tables, with only the wanted steps of packets. At one instant
    /// packets precede senders, since senders react to them.
    pub fn events<F>(&self, wanted: F) -> Result<Events<F>, TraceError>
    where
        F: Fn(Step, &PacketRow) -> bool,
    {
        let packets = match self.has(Table::Packets) {
            true => Some(InTime::new(PacketGroups {
                table: PacketTable::open(self)?,
                delays: self.links.iter().map(|link| link.delay_ps).collect(),
                wanted,
            })?),
            false => None,
        };
        let senders = match self.has(Table::Senders) {
            true => Some(InTime::new(SenderGroups(SenderTable::open(self)?))?),
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
            true => self.packets.as_mut().and_then(next_packet),
            false => self.senders.as_mut().and_then(next_sender),
        })
    }
}

fn time_of<G: Groups>(stream: &mut Option<InTime<G>>) -> Result<Option<u64>, TraceError> {
    match stream {
        Some(stream) => stream.peek(),
        None => Ok(None),
    }
}

fn next_packet<F>(packets: &mut InTime<PacketGroups<F>>) -> Option<Event>
where
    F: Fn(Step, &PacketRow) -> bool,
{
    let (t_ps, step, packet) = packets.pop()?;
    let what = What::Packet(Step::ALL[step], packet.clone());
    Some(Event { t_ps, what })
}

fn next_sender(senders: &mut InTime<SenderGroups>) -> Option<Event> {
    let (t_ps, _, sender) = senders.pop()?;
    let what = What::Sender(*sender);
    Some(Event { t_ps, what })
}
