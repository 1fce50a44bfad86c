//! The stages of a port: what may hold packets before the line.

use pacesim_units::Time;
use pacesim_units::port::{Line, Reason, Turn};

use super::Packet;

/// A stage of a port: it takes the packets that come, and lets them go on one by one. Before a
/// port's queue it is a *gate* (a pacer), which lets a packet go when its time has come;
/// behind that it is the *queue*, which gives the line a packet when this is free.
///
/// It is given the time and answers; the network schedules. The order of calls: `arrive` for
/// a packet that comes; after that, when the line becomes free, and when `next_turn` has
/// come, `turn` until it holds.
pub trait Stage {
    /// Takes a packet, known by its place among those in flight, or refuses it.
    fn arrive(&mut self, now: Time, place: u32, packet: &Packet) -> Result<(), Reason>;

    /// Says whose turn it is.
    fn turn(&mut self, now: Time, line: Line) -> Turn;

    /// When to be asked again though nothing comes and the line stays free; a time that has
    /// passed means now. A gate is asked at no other time.
    fn next_turn(&self) -> Option<Time> {
        None
    }
}

/// The parts that a network has beyond its links: one type of gates, one of queues, one of
/// middleboxes.
pub trait Parts {
    /// Gates before the queues of ports.
    type Gate: Stage;
    /// Queues in place of the drop-tail queues of ports.
    type Queue: Stage;
    /// Middleboxes on routes.
    type Middlebox: super::Middlebox<Payload = Self::Payload>;
    /// Payloads of packets.
    type Payload: std::fmt::Debug;
}

/// Nothing beyond the links.
impl Parts for () {
    type Gate = Absent;
    type Queue = Absent;
    type Middlebox = Absent;
    type Payload = ();
}

/// A part that is not there.
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
