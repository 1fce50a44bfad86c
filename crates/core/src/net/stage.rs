//! The stages of a port: what may hold packets before the line.

use pacesim_units::Time;

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

    /// What happens at its turn.
    fn turn(&mut self, now: Time, line: Line) -> Turn;

    /// When to be asked again though nothing comes and the line stays free; a time that has
    /// passed means now. A gate is asked at no other time.
    fn next_turn(&self) -> Option<Time> {
        None
    }
}

/// Whether a packet could go on now. Behind a gate the line is always free.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line {
    /// It sends a packet.
    Busy,
    /// A packet that is let go is sent at once.
    Free,
}

/// A stage's answer when it is asked whose turn it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// No packet's turn: the stage holds what it has, or has nothing.
    Hold,
    /// The packet at this place goes on. Only if the line is free.
    Go {
        /// The packet's place.
        place: u32,
        /// Whether it gets a mark of congestion.
        marked: bool,
    },
    /// The packet at this place, which it took earlier, is dropped.
    Drop(u32, Reason),
}

/// Why a stage drops a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// There is no room.
    Full,
    /// There is room, but the queue must be kept short.
    Early,
}

/// What is fitted to a network beyond its links: one type of gates, one of queues, one of
/// middleboxes.
pub trait Parts {
    /// What stands before the queues of ports.
    type Gate: Stage;
    /// What stands in place of the drop-tail queues of ports.
    type Queue: Stage;
    /// What stands on routes.
    type Middlebox: super::Middlebox<Payload = Self::Payload>;
    /// What packets may carry beside their records.
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
