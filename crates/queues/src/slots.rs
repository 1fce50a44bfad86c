//! A port without a buffer whose time is slotted: packets that arrive in the same slot contend for
//! the next one (zerobuf, section 5.2).

use pacesim_units::{Rate, Time};

use crate::built_in::{BuiltIn, Site};
use crate::queue::{Line, Pending, Queue, Reason, Turn, Waiting};

/// Parameters of a slotted port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SlotsConfig {
    /// Bytes that the line sends in a slot; larger packets are dropped.
    pub packet: u32,
    /// The packet that survives a contention.
    pub survivor: Survivor,
    /// Rate of the line.
    pub rate: Rate,
}

/// The packet that is sent if several arrive in a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Survivor {
    /// The first of them.
    #[default]
    First,
    /// None of them.
    Nobody,
}

/// A queue that sends the packet of a slot at the start of the next, and drops those that contend
/// with it.
#[derive(Clone, Debug)]
pub struct Slots {
    config: SlotsConfig,
    /// The first packet of the current slot.
    arriving: Option<Contender>,
    /// The packet of an earlier slot.
    ready: Option<Contender>,
}

#[derive(Clone, Copy, Debug)]
struct Contender {
    packet: Pending,
    slot: u64,
    is_alone: bool,
}

/// Picoseconds in a second.
const SECOND: u128 = 1_000_000_000_000;

impl Slots {
    /// A queue without packets.
    pub fn new(config: &SlotsConfig) -> Slots {
        Slots {
            config: *config,
            arriving: None,
            ready: None,
        }
    }

    /// Bits of a slot, times picoseconds per second: divided by the rate, the length of a slot.
    fn slot_work(&self) -> u128 {
        u128::from(self.config.packet.max(1)) * 8 * SECOND
    }

    /// The number of the slot at this time. Lengths are exact, so that slots keep step with the
    /// packets that fill them.
    fn slot_at(&self, now: Time) -> u64 {
        let work = u128::from(now.as_ps()) * u128::from(self.config.rate.as_bps());
        (work / self.slot_work()) as u64
    }

    fn start_of(&self, slot: u64) -> Time {
        let work = u128::from(slot) * self.slot_work();
        let ps = work.div_ceil(u128::from(self.config.rate.as_bps()));
        Time::from_ps(u64::try_from(ps).unwrap_or(u64::MAX))
    }

    /// Lets the packet of a slot that has ended wait for the line.
    fn advance(&mut self, now: Time) {
        let has_ended = |arriving: &Contender| arriving.slot < self.slot_at(now);
        if self.ready.is_none() && self.arriving.as_ref().is_some_and(has_ended) {
            self.ready = self.arriving.take();
        }
    }
}

impl BuiltIn for Slots {
    type Config = SlotsConfig;
    const NAME: &'static str = "slots";

    fn at(site: Site, config: &Self::Config) -> Slots {
        Slots::new(&SlotsConfig {
            rate: site.rate,
            ..*config
        })
    }
}

impl Queue for Slots {
    fn arrive(&mut self, now: Time, packet: Pending) -> Result<(), Reason> {
        if packet.size > self.config.packet {
            return Err(Reason::Early);
        }
        self.advance(now);
        let slot = self.slot_at(now);
        let Some(first) = &mut self.arriving else {
            self.arriving = Some(Contender {
                packet,
                slot,
                is_alone: true,
            });
            return Ok(());
        };
        // After a change of the line's rate, the packet of an earlier slot may still wait.
        first.is_alone &= first.slot != slot;
        Err(Reason::Early)
    }

    fn turn(&mut self, now: Time, line: Line) -> Turn {
        self.advance(now);
        let Some(Contender {
            packet, is_alone, ..
        }) = self.ready
        else {
            return Turn::Hold;
        };
        let collided = !is_alone && self.config.survivor == Survivor::Nobody;
        if !collided && line == Line::Busy {
            return Turn::Hold;
        }
        self.ready = None;
        if collided {
            Turn::Drop(packet.key, Reason::Early)
        } else {
            Turn::go(packet.key)
        }
    }

    fn waiting(&self) -> Waiting {
        let held = self.arriving.iter().chain(&self.ready);
        held.map(|contender| contender.packet.size).collect()
    }

    fn next_turn(&self) -> Option<Time> {
        let arriving = self.arriving.filter(|_| self.ready.is_none())?;
        Some(self.start_of(arriving.slot + 1))
    }
}

#[cfg(test)]
mod tests {
    use pacesim_units::FlowId;
    use rand::rngs::Xoshiro256PlusPlus;
    use rand::{RngExt, SeedableRng};

    use super::*;

    fn queue(survivor: Survivor) -> Slots {
        Slots::new(&SlotsConfig {
            packet: 1000,
            survivor,
            rate: Rate::from_mbps(8),
        })
    }

    fn us(n: u64) -> Time {
        Time::from_ps(n * 1_000_000)
    }

    fn packet(key: u32) -> Pending {
        Pending::new(key, FlowId(0), 1000)
    }

    #[test]
    fn the_packet_of_a_slot_is_sent_at_the_start_of_the_next() {
        let mut queue = queue(Survivor::First);
        assert!(queue.arrive(us(300), packet(0)).is_ok());
        assert_eq!(queue.turn(us(300), Line::Free), Turn::Hold);
        assert_eq!(queue.next_turn(), Some(us(1000)));
        // A packet at the boundary is of the next slot, also before the turn of the last.
        assert!(queue.arrive(us(1000), packet(1)).is_ok());
        assert_eq!(queue.turn(us(1000), Line::Free), Turn::go(0));
        assert_eq!(queue.turn(us(1000), Line::Busy), Turn::Hold);
        assert_eq!(queue.next_turn(), Some(us(2000)));
        assert_eq!(queue.turn(us(2000), Line::Free), Turn::go(1));
        assert_eq!((queue.next_turn(), queue.waiting().packets), (None, 0));
    }

    #[test]
    fn of_packets_in_one_slot_the_first_survives_or_none() {
        for (survivor, expected) in [
            (Survivor::First, Turn::go(0)),
            (Survivor::Nobody, Turn::Drop(0, Reason::Early)),
        ] {
            let mut queue = queue(survivor);
            assert!(queue.arrive(us(300), packet(0)).is_ok());
            assert_eq!(queue.arrive(us(999), packet(1)), Err(Reason::Early));
            assert_eq!(queue.turn(us(1000), Line::Free), expected);
            assert_eq!(queue.turn(us(1000), Line::Busy), Turn::Hold);
        }
    }

    #[test]
    fn a_packet_that_does_not_fit_into_a_slot_is_dropped() {
        let large = Pending::new(0, FlowId(0), 1001);
        let mut queue = queue(Survivor::First);
        assert_eq!(queue.arrive(us(0), large), Err(Reason::Early));
    }

    #[test]
    fn slots_of_a_part_of_a_picosecond_more_do_not_drift() {
        let queue = Slots::new(&SlotsConfig {
            packet: 1,
            survivor: Survivor::First,
            rate: Rate::from_mbps(15),
        });
        // 533333.33... ps a byte.
        assert_eq!(queue.start_of(3_000_000), us(1_600_000));
        for slot in [1, 2, 3, 1_000_001] {
            let start = queue.start_of(slot);
            assert_eq!(queue.slot_at(start), slot);
            assert_eq!(queue.slot_at(Time::from_ps(start.as_ps() - 1)), slot - 1);
        }
    }

    /// The share of slots in which something is sent, of Bernoulli arrivals from each of `inputs`.
    fn sent(survivor: Survivor, inputs: u32, load: f64, slots: u64) -> f64 {
        let mut queue = queue(survivor);
        let mut random = Xoshiro256PlusPlus::seed_from_u64(7);
        let mut sent = 0u64;
        for slot in 0..slots {
            loop {
                match queue.turn(us(slot * 1000), Line::Free) {
                    Turn::Hold | Turn::Trim { .. } => break,
                    Turn::Drop(..) => {}
                    Turn::Go { .. } => sent += 1,
                }
            }
            for input in 0..inputs {
                if random.random::<f64>() < load / f64::from(inputs) {
                    let at = us(slot * 1000 + u64::from(input));
                    // The refused are those that contend.
                    let _ = queue.arrive(at, packet(input));
                }
            }
        }
        sent as f64 / slots as f64
    }

    /// zerobuf eq. (12): the probability of two or more packets in a slot.
    fn eq12(inputs: u32, load: f64) -> f64 {
        let each = load / f64::from(inputs);
        let none = libm::pow(1.0 - each, f64::from(inputs));
        let one = load * libm::pow(1.0 - each, f64::from(inputs) - 1.0);
        1.0 - none - one
    }

    #[test]
    fn contention_is_as_frequent_as_in_equation_12() {
        const SLOTS: u64 = 200_000;
        for (inputs, load) in [(2, 0.2), (10, 0.2), (10, 0.4), (30, 0.8)] {
            // With the same arrivals, a slot with two or more is sent by the first and lost by the
            // second.
            let contended = sent(Survivor::First, inputs, load, SLOTS)
                - sent(Survivor::Nobody, inputs, load, SLOTS);
            let expected = eq12(inputs, load);
            let deviation = (expected * (1.0 - expected) / SLOTS as f64).sqrt();
            let error = (contended - expected) / deviation;
            assert!(
                error.abs() < 4.0,
                "{inputs} at {load}: {contended} for {expected}"
            );
        }
    }
}
