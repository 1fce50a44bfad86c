//! One stream of all recorded events, in order of time.

use pacesim_measure::record::{PacketOutcome, PacketRow};
use pacesim_tables::Strip;

use crate::trace::error::TraceError;
use crate::trace::folder::{Recording, What as Table};
use crate::trace::in_time::{Groups, InTime};
use crate::trace::packets::PacketTable;
use crate::trace::senders::SenderRow;
use crate::trace::senders::SenderTable;

/// An event.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// Time of the event.
    pub t_ps: u64,
    /// Kind and data of the event.
    pub what: What,
}

/// An event where it was read, which costs no copy.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Seen<'a> {
    /// A packet took a step on its path.
    Packet(Step, &'a PacketRow),
    /// A sender changed.
    Sender(&'a SenderRow),
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
    /// The packet arrived at the port.
    Arrived,
    /// The pacer released it.
    Released,
    /// The port dropped it. Recordings lack the time at which a queue drops an accepted packet, so
    /// the last known time stands in for it.
    Dropped,
    /// The transmission of the packet ended.
    Left,
    /// The packet reached the end of the wire.
    Reached,
    /// The packet was lost on the wire.
    Lost,
}

impl Step {
    /// All of them.
    pub const ALL: [Step; 6] = [
        Step::Arrived,
        Step::Released,
        Step::Dropped,
        Step::Left,
        Step::Reached,
        Step::Lost,
    ];
}

/// A set of steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Steps(u8);

impl Steps {
    /// No step.
    pub const NONE: Steps = Steps(0);
    /// Every step.
    pub const ALL: Steps = Steps::of(&Step::ALL);

    /// The set of these steps.
    pub const fn of(steps: &[Step]) -> Steps {
        let (mut set, mut place) = (0, 0);
        while place < steps.len() {
            set |= 1 << steps[place] as u8;
            place += 1;
        }
        Steps(set)
    }

    /// The steps of both sets.
    pub const fn and(self, other: Steps) -> Steps {
        Steps(self.0 | other.0)
    }

    /// These steps if a condition holds, otherwise none.
    pub const fn when(self, holds: bool) -> Steps {
        if holds { self } else { Steps::NONE }
    }

    /// True if a step belongs to the set.
    pub const fn has(self, step: Step) -> bool {
        self.0 >> step as u8 & 1 == 1
    }
}

/// Visits the steps of a packet through a port, in order of time.
fn steps(row: &PacketRow, delay_ps: u64, mut visit: impl FnMut(u64, Step)) {
    visit(row.t_ps, Step::Arrived);
    if let Some(at) = row.release_ps {
        visit(at, Step::Released);
    }
    let Some(at) = row.departure_ps else {
        return visit(row.release_ps.unwrap_or(row.t_ps), Step::Dropped);
    };
    visit(at, Step::Left);
    let end = if row.outcome == PacketOutcome::LostWire.code() {
        Step::Lost
    } else {
        Step::Reached
    };
    visit(at.saturating_add(delay_ps), end);
}

/// All events of a recording in order of time; it implements no `Iterator` because reading may fail
/// at any event.
pub struct Events<F: Fn(&PacketRow) -> Steps> {
    packets: Option<InTime<PacketGroups<F>>>,
    senders: Option<InTime<SenderGroups>>,
}

struct PacketGroups<F> {
    table: PacketTable,
    delays: Vec<u64>,
    wanted: F,
    strip: Strip,
}

struct SenderGroups(SenderTable);

impl<F: Fn(&PacketRow) -> Steps> Groups for PacketGroups<F> {
    type Row = PacketRow;

    fn count(&self) -> usize {
        self.table.table.groups()
    }

    fn least(&self, group: usize) -> Result<u64, TraceError> {
        Ok(self.table.least(group)?)
    }

    fn read(&mut self, group: usize, to: &mut Vec<PacketRow>) -> Result<(), TraceError> {
        Ok(self
            .table
            .for_each(group, &mut self.strip, |packet| to.push(packet))?)
    }

    fn times(&self, packet: &PacketRow, mut visit: impl FnMut(u64, u8)) {
        let wanted = (self.wanted)(packet);
        if wanted == Steps::NONE {
            return;
        }
        let delay = self.delays.get(packet.link_id as usize).copied();
        steps(packet, delay.unwrap_or(0), |t_ps, step| {
            if wanted.has(step) {
                visit(t_ps, step as u8);
            }
        });
    }
}

impl Groups for SenderGroups {
    type Row = SenderRow;

    fn count(&self) -> usize {
        self.0.table.groups()
    }

    fn least(&self, group: usize) -> Result<u64, TraceError> {
        Ok(self.0.least(group)?)
    }

    fn read(&mut self, group: usize, to: &mut Vec<SenderRow>) -> Result<(), TraceError> {
        Ok(self.0.for_each(group, |sender| to.push(sender))?)
    }

    fn times(&self, sender: &SenderRow, mut visit: impl FnMut(u64, u8)) {
        visit(sender.t_ps, 0);
    }
}

impl Recording {
    /// The events of the recorded tables, with only the wanted steps of packets. At one instant
    /// packets precede senders, since senders react to them.
    pub fn events<F>(&self, wanted: F) -> Result<Events<F>, TraceError>
    where
        F: Fn(&PacketRow) -> Steps,
    {
        let packets = if self.has(Table::Packets) {
            Some(self.packets_in_time(wanted)?)
        } else {
            None
        };
        let senders = if self.has(Table::Senders) {
            Some(InTime::new(SenderGroups(SenderTable::open(self)?))?)
        } else {
            None
        };
        match (&packets, &senders) {
            (None, None) => Err(self
                .table(Table::Packets)
                .err()
                .expect("`has` found no table of packets")),
            _ => Ok(Events { packets, senders }),
        }
    }

    /// The wanted steps of packets, without events of senders.
    pub fn packet_events<F>(&self, wanted: F) -> Result<Events<F>, TraceError>
    where
        F: Fn(&PacketRow) -> Steps,
    {
        Ok(Events {
            packets: Some(self.packets_in_time(wanted)?),
            senders: None,
        })
    }

    fn packets_in_time<F>(&self, wanted: F) -> Result<InTime<PacketGroups<F>>, TraceError>
    where
        F: Fn(&PacketRow) -> Steps,
    {
        InTime::new(PacketGroups {
            table: PacketTable::open(self)?,
            delays: self.links.iter().map(|link| link.delay_ps).collect(),
            wanted,
            strip: Strip::default(),
        })
    }
}

impl<F: Fn(&PacketRow) -> Steps> Events<F> {
    /// The next event, or `None` at the end.
    pub fn next_event(&mut self) -> Result<Option<Event>, TraceError> {
        let packet = time_of(&mut self.packets)?;
        let sender = time_of(&mut self.senders)?;
        let takes_packet = match (packet, sender) {
            (Some(packet), Some(sender)) => packet <= sender,
            (packet, _) => packet.is_some(),
        };
        Ok(if takes_packet {
            self.packets.as_mut().and_then(next_packet)
        } else {
            self.senders.as_mut().and_then(next_sender)
        })
    }

    /// Visits the remaining events.
    pub fn for_each<V>(mut self, mut visit: V) -> Result<(), TraceError>
    where
        V: FnMut(u64, Seen) -> Result<(), TraceError>,
    {
        loop {
            let sender = time_of(&mut self.senders)?;
            if let Some(packets) = &mut self.packets {
                packets.for_each_until(sender.unwrap_or(u64::MAX), |t_ps, step, row| {
                    visit(t_ps, Seen::Packet(Step::ALL[usize::from(step)], row))
                })?;
            }
            match self.senders.as_mut().and_then(InTime::pop) {
                Some((t_ps, _, row)) => visit(t_ps, Seen::Sender(row))?,
                None => return Ok(()),
            }
        }
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
    F: Fn(&PacketRow) -> Steps,
{
    let (t_ps, step, packet) = packets.pop()?;
    let what = What::Packet(Step::ALL[usize::from(step)], packet.clone());
    Some(Event { t_ps, what })
}

fn next_sender(senders: &mut InTime<SenderGroups>) -> Option<Event> {
    let (t_ps, _, sender) = senders.pop()?;
    let what = What::Sender(*sender);
    Some(Event { t_ps, what })
}
