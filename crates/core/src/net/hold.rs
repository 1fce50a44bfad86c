//! What is counted at a stage of a port.

use pacesim_units::Time;

use super::{Packet, Reason, Stage, Volume};

/// What has happened at a stage of a port since the start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HoldCounters {
    /// The packets it took.
    pub taken: Volume,
    /// The packets it refused.
    pub refused: Volume,
    /// The packets it has let go.
    pub released: Volume,
    /// The packets it took and dropped later.
    pub dropped: Volume,
    /// The packets it marked among those it let go.
    pub marked: Volume,
    /// The integral of held packets over time, in packet-picoseconds.
    pub held_packet_ps: u128,
    /// The integral of held bytes over time, in byte-picoseconds.
    pub held_byte_ps: u128,
    /// The most packets that were held at once.
    pub max_held_packets: u64,
    /// The most bytes that were held at once.
    pub max_held_bytes: u64,
    /// The sum of the times that those let go were held, in picoseconds.
    pub held_ps: u128,
    /// The longest time that one of them was held, in picoseconds.
    pub longest_ps: u64,
}

impl HoldCounters {
    /// The packets that are held.
    pub fn held(&self) -> Volume {
        self.taken - self.released - self.dropped
    }

    /// Time passes with what is held.
    fn pass(&mut self, ps: u64) {
        let held = self.held();
        self.held_packet_ps += u128::from(ps) * u128::from(held.packets);
        self.held_byte_ps += u128::from(ps) * u128::from(held.bytes);
    }

    /// Packets that stay are held; one that only passes is not.
    fn raise_maxima(&mut self) {
        let held = self.held();
        self.max_held_packets = self.max_held_packets.max(held.packets);
        self.max_held_bytes = self.max_held_bytes.max(held.bytes);
    }
}

/// A stage, and what is counted there.
#[derive(Debug)]
pub(super) struct Hold<S> {
    pub(super) stage: S,
    counters: HoldCounters,
    counted_to: Time,
}

impl<S: Stage> Hold<S> {
    pub(super) fn new(stage: S) -> Hold<S> {
        Hold {
            stage,
            counters: HoldCounters::default(),
            counted_to: Time::ZERO,
        }
    }

    pub(super) fn arrive(&mut self, now: Time, place: u32, packet: &Packet) -> Result<(), Reason> {
        let answer = self.stage.arrive(now, place, packet);
        if answer.is_ok() {
            self.count_to(now);
            self.counters.taken.add(packet.size);
        } else {
            self.counters.refused.add(packet.size);
        }
        answer
    }

    /// A packet that came at `arrived` has been let go.
    pub(super) fn note_release(&mut self, now: Time, arrived: Time, packet: &Packet, marked: bool) {
        self.count_to(now);
        if marked {
            self.counters.marked.add(packet.size);
        }
        self.counters.released.add(packet.size);
        let held_for = (now - arrived).as_ps();
        self.counters.held_ps += u128::from(held_for);
        self.counters.longest_ps = self.counters.longest_ps.max(held_for);
    }

    pub(super) fn note_drop(&mut self, now: Time, packet: &Packet) {
        self.count_to(now);
        self.counters.dropped.add(packet.size);
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
