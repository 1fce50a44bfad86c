//! Counters of the packets that a stage of a port holds.

use pacesim_units::Time;

use super::{Mark, Packet, Reason, Stage, Volume};

/// Counters of a stage of a port since the start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HoldCounters {
    /// Packets that the stage took.
    pub taken: Volume,
    /// Packets that the stage refused.
    pub refused: Volume,
    /// Packets that the stage refused although it had room.
    pub refused_early: Volume,
    /// Packets that the stage has released.
    pub released: Volume,
    /// Packets that the stage took and later dropped.
    pub dropped: Volume,
    /// Packets that the stage took and later pushed out for lack of room.
    pub pushed_out: Volume,
    /// Packets that the stage took and later cut to their headers, and the bytes cut off.
    pub trimmed: Volume,
    /// Packets that the stage marked at their release, or the port's switch.
    pub marked: Volume,
    /// Number of marked packets by the reason of the [`Mark`].
    pub marks: [u64; Mark::ALL.len()],
    /// Integral of the number of held packets, in packet-picoseconds.
    pub held_packet_ps: u128,
    /// Integral of held bytes, in byte-picoseconds.
    pub held_byte_ps: u128,
    /// The most packets held at once.
    pub max_held_packets: u64,
    /// The most bytes held at once.
    pub max_held_bytes: u64,
    /// Sum of the holding times of released packets, in picoseconds.
    pub held_ps: u128,
    /// The longest holding time of a released packet, in picoseconds.
    pub longest_ps: u64,
}

impl HoldCounters {
    /// The packets that the stage holds now.
    pub fn held(&self) -> Volume {
        let held = self.taken - self.released - self.dropped;
        Volume {
            bytes: held.bytes - self.trimmed.bytes,
            ..held
        }
    }

    fn raise_maxima(&mut self) {
        let held = self.held();
        self.max_held_packets = self.max_held_packets.max(held.packets);
        self.max_held_bytes = self.max_held_bytes.max(held.bytes);
    }
}

/// A stage and its counters.
#[derive(Debug)]
pub(super) struct Hold<S> {
    pub(super) stage: S,
    /// The integrals apart from the packets now held: departure minus arrival for each packet that
    /// has left, and minus the arrival for each that is still held.
    counters: HoldCounters,
}

impl<S: Stage> Hold<S> {
    pub(super) fn new(stage: S) -> Hold<S> {
        Hold {
            stage,
            counters: HoldCounters::default(),
        }
    }

    #[inline]
    pub(super) fn arrive(&mut self, now: Time, place: u32, packet: &Packet) -> Result<(), Reason> {
        let answer = self.stage.arrive(now, place, packet);
        let counters = &mut self.counters;
        if answer.is_ok() {
            counters.taken.add(packet.size);
            let [ps, byte_ps] = moment(now, packet.size);
            counters.held_packet_ps = counters.held_packet_ps.wrapping_sub(ps);
            counters.held_byte_ps = counters.held_byte_ps.wrapping_sub(byte_ps);
        }
        if let Err(reason) = answer {
            self.note_refusal(packet, reason);
        }
        answer
    }

    /// Counts a packet refused by the stage, or by the switch that its port belongs to.
    pub(super) fn note_refusal(&mut self, packet: &Packet, reason: Reason) {
        self.counters.refused.add(packet.size);
        if reason == Reason::Early {
            self.counters.refused_early.add(packet.size);
        }
    }

    /// Counts the mark of a packet that the stage has just taken.
    pub(super) fn note_mark(&mut self, size: u32, mark: Mark) {
        self.counters.marked.add(size);
        self.counters.marks[mark as usize] += 1;
    }

    /// The packets that the stage holds now.
    pub(super) fn held(&self) -> Volume {
        self.counters.held()
    }

    /// Notes the release of a packet that arrived at `arrived`.
    #[inline]
    pub(super) fn note_release(
        &mut self,
        now: Time,
        arrived: Time,
        packet: &Packet,
        mark: Option<Mark>,
    ) {
        self.leave(now, packet);
        if let Some(mark) = mark {
            self.counters.marked.add(packet.size);
            self.counters.marks[mark as usize] += 1;
        }
        self.counters.released.add(packet.size);
        let held_for = (now - arrived).as_ps();
        self.counters.held_ps += u128::from(held_for);
        self.counters.longest_ps = self.counters.longest_ps.max(held_for);
    }

    pub(super) fn note_drop(&mut self, now: Time, packet: &Packet, reason: Reason) {
        self.leave(now, packet);
        self.counters.dropped.add(packet.size);
        if reason == Reason::Full {
            self.counters.pushed_out.add(packet.size);
        }
    }

    /// Notes that a packet has lost this many bytes, and stays.
    pub(super) fn note_trim(&mut self, now: Time, cut: u32) {
        let [_, byte_ps] = moment(now, cut);
        let counters = &mut self.counters;
        counters.held_byte_ps = counters.held_byte_ps.wrapping_add(byte_ps);
        counters.trimmed.add(cut);
    }

    #[inline]
    fn leave(&mut self, now: Time, packet: &Packet) {
        let [ps, byte_ps] = moment(now, packet.size);
        let counters = &mut self.counters;
        counters.held_packet_ps = counters.held_packet_ps.wrapping_add(ps);
        counters.held_byte_ps = counters.held_byte_ps.wrapping_add(byte_ps);
    }

    /// Updates the maxima after a turn; a packet that only passed is not held. Returns true if more
    /// than `most` packets are.
    #[inline]
    pub(super) fn note_held(&mut self, most: u32) -> bool {
        self.counters.raise_maxima();
        self.counters.held().packets > u64::from(most)
    }

    pub(super) fn restart_maxima(&mut self) {
        let held = self.counters.held();
        self.counters.max_held_packets = held.packets;
        self.counters.max_held_bytes = held.bytes;
        self.counters.longest_ps = 0;
    }

    pub(super) fn counters_at(&self, now: Time) -> HoldCounters {
        let (held, now) = (self.counters.held(), u128::from(now.as_ps()));
        let until_now = |integral: u128, held: u64| integral.wrapping_add(now * u128::from(held));
        HoldCounters {
            held_packet_ps: until_now(self.counters.held_packet_ps, held.packets),
            held_byte_ps: until_now(self.counters.held_byte_ps, held.bytes),
            ..self.counters
        }
    }
}

/// The contribution of a packet at this time to the two integrals: added at its departure,
/// subtracted at its arrival.
#[inline]
fn moment(now: Time, size: u32) -> [u128; 2] {
    let ps = u128::from(now.as_ps());
    [ps, ps * u128::from(size)]
}
