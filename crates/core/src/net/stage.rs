//! Stages of a port, which may hold packets before the line.

use pacesim_units::Time;
use pacesim_units::port::{Line, Reason, Turn};

use super::Packet;

/// A stage of a port: it takes packets and releases them one by one. Before a port's queue it is a
/// *gate* (a pacer), which releases a packet at its time; after the gate comes the *queue*, which
/// gives the line a packet when the line is free.
///
/// It is given the time and answers; the network schedules. The order of calls: `arrive` for an
/// arriving packet; after that, when the line becomes free, and at `next_turn`, `turn` until it
/// holds.
pub trait Stage {
    /// Takes a packet, known by its place among those in flight, or refuses it.
    fn arrive(&mut self, now: Time, place: u32, packet: &Packet) -> Result<(), Reason>;

    /// Chooses the next action of the stage.
    fn turn(&mut self, now: Time, line: Line) -> Turn;

    /// Time of the next call if no packet arrives and the line stays free; a time in the past means
    /// now. A gate is called at no other time.
    fn next_turn(&self) -> Option<Time> {
        None
    }

    /// Holds the packets of a class from now on, or releases them. False if the stage does not keep
    /// classes apart: then the port holds all packets.
    fn hold_class(&mut self, now: Time, class: u16, holds: bool) -> bool {
        let _ = (now, class, holds);
        false
    }
}

/// The types of a network's parts beyond its links: gates, queues, switches and middleboxes.
pub trait Parts {
    /// Type of the gates before the queues of ports.
    type Gate: Stage;
    /// Type of the queues that replace the drop-tail queues of ports.
    type Queue: Stage;
    /// Type of the parts that the ports of a node share.
    type Switch: super::Switch;
    /// Type of the middleboxes on routes.
    type Middlebox: super::Middlebox<Payload = Self::Payload>;
    /// Type of the payloads of packets.
    type Payload: std::fmt::Debug + Default + super::Telemetric;
}

/// A network of links only, without other parts.
impl Parts for () {
    type Gate = Absent;
    type Queue = Absent;
    type Switch = Absent;
    type Middlebox = Absent;
    type Payload = ();
}

/// A part that no network has: the type has no values.
#[derive(Clone, Copy, Debug)]
pub enum Absent {}

impl Stage for Absent {
    fn arrive(&mut self, _now: Time, _place: u32, _packet: &Packet) -> Result<(), Reason> {
        match *self {}
    }
    fn turn(&mut self, _now: Time, _line: Line) -> Turn {
        match *self {}
    }
}

impl super::Middlebox for Absent {
    type Payload = ();
    fn arrive(&mut self, _now: Time, _place: u32, _packet: &Packet, _header: &mut u32) {
        match *self {}
    }
    fn step(&mut self, _now: Time) -> super::Step {
        match *self {}
    }
}

impl super::Switch for Absent {
    fn admit(&mut self, _now: Time, _offered: &super::Offered<'_>) -> Result<(), Reason> {
        match *self {}
    }
    fn left(&mut self, _now: Time, _offered: &super::Offered<'_>) {
        match *self {}
    }
}
