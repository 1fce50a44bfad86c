//! Aggregation of ACKs, as by a radio link that sends when it has its turn.

use std::collections::VecDeque;

use pacesim_core::net::{Kind, Middlebox, Packet, Step};
use pacesim_units::{Span, Time};

use super::OwnMiddlebox;
use crate::Payload;

/// Parameters of the aggregation of ACKs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AckAggregation {
    /// Time between releases.
    pub every: Span,
    /// Origin of the time for which ACKs are collected.
    pub counted: AggregationClock,
}

/// The origin of the time for which ACKs are collected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AggregationClock {
    /// Releases at the multiples of the time, as by slots of a schedule.
    Slots,
    /// Each release comes that long after the first ACK collected.
    FirstAck,
}

/// A middlebox that collects ACKs and releases them in a burst. Other packets pass at once.
#[derive(Debug)]
pub struct Aggregator {
    config: AckAggregation,
    acks: VecDeque<u32>,
    /// Time at which the collected ACKs are released.
    goes: Time,
    /// Packets other than ACKs.
    others: VecDeque<u32>,
}

impl AckAggregation {
    /// Name of the middlebox in scenarios.
    pub const NAME: &'static str = "ack_aggregation";

    /// Builds the middlebox.
    pub fn build(self) -> Aggregator {
        Aggregator {
            config: self,
            acks: VecDeque::new(),
            goes: Time::ZERO,
            others: VecDeque::new(),
        }
    }

    /// The middlebox as a part of a model.
    pub fn part(self) -> OwnMiddlebox {
        OwnMiddlebox::new(AckAggregation::NAME, move |_| self.build())
    }

    /// The release of a group of ACKs whose first one arrives now.
    fn release(&self, now: Time) -> Time {
        match self.counted {
            AggregationClock::FirstAck => now.saturating_add(self.every),
            AggregationClock::Slots => {
                let slots = now.as_ps().div_ceil(self.every.as_ps().max(1));
                let ps = slots.checked_mul(self.every.as_ps());
                ps.map_or(Time::NEVER, Time::from_ps)
            }
        }
    }
}

impl Middlebox for Aggregator {
    type Payload = Payload;

    fn arrive(&mut self, now: Time, place: u32, packet: &Packet, _: &mut u32) {
        if packet.kind() != Kind::Ack {
            return self.others.push_back(place);
        }
        if self.acks.is_empty() {
            self.goes = self.config.release(now);
        }
        self.acks.push_back(place);
    }

    fn step(&mut self, now: Time) -> Step {
        if let Some(place) = self.others.pop_front() {
            return Step::Pass(place);
        }
        if self.goes <= now {
            self.acks.pop_front().map_or(Step::Wait, Step::Pass)
        } else {
            Step::Wait
        }
    }

    fn next_wake(&self) -> Option<Time> {
        (!self.acks.is_empty()).then_some(self.goes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pacesim_core::net::middlebox_laws;

    /// Microseconds at which ACKs with gaps of 3 ms, with a data packet behind the second, pass.
    fn passed(counted: AggregationClock) -> Vec<(u32, u64)> {
        let every = Span::from_ms(10);
        let packet = |kind: Kind| Packet {
            flags: kind.into(),
            ..Packet::default()
        };
        let gap = Span::from_ms(3);
        let kinds = [Kind::Ack, Kind::Ack, Kind::Data, Kind::Ack, Kind::Ack];
        let packets = kinds.map(|kind| (gap, packet(kind)));
        let make = || AckAggregation { every, counted }.build();
        let steps = middlebox_laws(make, &packets).expect("it obeys the laws");
        let passed = steps.iter().filter_map(|(at, step)| match step {
            Step::Pass(place) => Some((*place, at.as_ps() / 1_000_000_000)),
            _ => None,
        });
        passed.collect()
    }

    #[test]
    fn acks_leave_in_bursts_and_data_at_once() {
        let slots = [(2, 9), (0, 10), (1, 10), (3, 20), (4, 20)];
        assert_eq!(passed(AggregationClock::Slots), slots);
        let from_first = [(2, 9), (0, 13), (1, 13), (3, 13), (4, 25)];
        assert_eq!(passed(AggregationClock::FirstAck), from_first);
    }
}
