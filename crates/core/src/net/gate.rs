//! What may hold packets back before they join a port's queue.

use pacesim_units::Time;

use super::{Packet, Volume};

/// Holds the packets that come to a port and lets them into its queue one by one.
///
/// It says when the next one may go in, the network brings the time. What it refuses is
/// dropped.
pub trait Gate {
    /// Takes a packet, known by its place, or refuses it and stays as it was.
    fn take(&mut self, now: Time, place: u32, packet: &Packet) -> bool;

    /// The place of a packet that may go in now.
    fn release(&mut self, now: Time) -> Option<u32>;

    /// When the next one may; a time that has passed means now. `None` if none is held.
    fn next_release(&self) -> Option<Time>;
}

/// What links without gates have.
#[derive(Clone, Copy, Debug)]
pub enum NoGate {}

impl Gate for NoGate {
    fn take(&mut self, _now: Time, _place: u32, _packet: &Packet) -> bool {
        match *self {}
    }
    fn release(&mut self, _now: Time) -> Option<u32> {
        match *self {}
    }
    fn next_release(&self) -> Option<Time> {
        match *self {}
    }
}

/// What has happened at a gate since the start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HoldCounters {
    /// What the gate took.
    pub taken: Volume,
    /// What the gate refused.
    pub refused: Volume,
    /// What it has released.
    pub released: Volume,
    /// The integral of held packets over time, in packet-picoseconds.
    pub held_packet_ps: u128,
    /// The integral of held bytes over time, in byte-picoseconds.
    pub held_byte_ps: u128,
    /// The most packets that were held at once.
    pub max_held_packets: u64,
    /// The most bytes that were held at once.
    pub max_held_bytes: u64,
    /// The sum of the times that the released were held, in picoseconds.
    pub held_ps: u128,
    /// The longest time that a packet was held, in picoseconds.
    pub longest_ps: u64,
}

impl HoldCounters {
    /// What is held.
    pub fn held(&self) -> Volume {
        self.taken - self.released
    }

    /// Time passes with what is held.
    fn pass(&mut self, ps: u64) {
        let held = self.held();
        self.held_packet_ps += u128::from(ps) * u128::from(held.packets);
        self.held_byte_ps += u128::from(ps) * u128::from(held.bytes);
    }

    /// Those that stay are held; what only passes is not.
    fn raise_maxima(&mut self) {
        let held = self.held();
        self.max_held_packets = self.max_held_packets.max(held.packets);
        self.max_held_bytes = self.max_held_bytes.max(held.bytes);
    }
}

/// A gate, what is counted there, and when it opens.
#[derive(Debug)]
pub(super) struct Hold<G> {
    pub(super) gate: G,
    /// When its timer runs out; never if it is not armed.
    pub(super) armed: Time,
    counters: HoldCounters,
    counted_to: Time,
}

impl<G: Gate> Hold<G> {
    pub(super) fn new(gate: G) -> Hold<G> {
        Hold {
            gate,
            armed: Time::NEVER,
            counters: HoldCounters::default(),
            counted_to: Time::ZERO,
        }
    }

    pub(super) fn take(&mut self, now: Time, place: u32, packet: &Packet) -> bool {
        let takes = self.gate.take(now, place, packet);
        if takes {
            self.count_to(now);
            self.counters.taken.add(packet.size);
        } else {
            self.counters.refused.add(packet.size);
        }
        takes
    }

    /// A packet that came at `arrived` has been let go.
    pub(super) fn note_release(&mut self, now: Time, arrived: Time, packet: &Packet) {
        self.count_to(now);
        self.counters.released.add(packet.size);
        let held_for = (now - arrived).as_ps();
        self.counters.held_ps += u128::from(held_for);
        self.counters.longest_ps = self.counters.longest_ps.max(held_for);
    }

    pub(super) fn note_held(&mut self) {
        self.counters.raise_maxima();
    }

    pub(super) fn restart_maxima(&mut self, now: Time) {
        self.count_to(now);
        let held = self.counters.held();
        self.counters.max_held_packets = held.packets;
        self.counters.max_held_bytes = held.bytes;
        self.counters.longest_ps = 0;
    }

    pub(super) fn counters_at(&self, now: Time) -> HoldCounters {
        let mut counters = self.counters;
        counters.pass(now.saturating_since(self.counted_to).as_ps());
        counters
    }

    fn count_to(&mut self, now: Time) {
        self.counters
            .pass(now.saturating_since(self.counted_to).as_ps());
        self.counted_to = now;
    }
}
