//! Jitter: an extra delay of each packet behind a wire.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use pacesim_core::net::{Middlebox, Packet, Step};
use pacesim_core::random::samplers::Sampler;
use pacesim_core::random::{Distribution as _, Stream};
use pacesim_units::Time;

use crate::range::DELAY;
use crate::{Distribution, Payload};

/// The jitter of a link.
#[derive(Clone, Debug, PartialEq)]
pub struct Jitter {
    /// Distribution of the extra delays, in picoseconds.
    pub delay: Distribution,
    /// True if a packet may overtake others; otherwise it waits for those before it.
    pub reorders: bool,
}

/// A middlebox that delays each packet by a random time.
#[derive(Debug)]
pub struct JitterBox {
    delays: Sampler,
    reorders: bool,
    stream: Stream,
    /// Time of the latest release so far.
    latest: Time,
    /// Held packets by the time of their release, then by arrival.
    held: BinaryHeap<Reverse<(Time, u64, u32)>>,
    came: u64,
}

impl Jitter {
    /// Builds the middlebox, with random numbers of its own.
    ///
    /// # Panics
    ///
    /// Panics if the distribution has no sampler; `check` has ruled that out.
    pub fn build(&self, stream: Stream) -> JitterBox {
        JitterBox {
            delays: self.delay.checked_sampler(),
            reorders: self.reorders,
            stream,
            latest: Time::ZERO,
            held: BinaryHeap::new(),
            came: 0,
        }
    }
}

impl Middlebox for JitterBox {
    type Payload = Payload;

    fn arrive(&mut self, now: Time, place: u32, _: &Packet, _: &mut u32) {
        let delay = DELAY.nearest(self.delays.sample(&mut self.stream));
        let mut goes = now.saturating_add(delay);
        if !self.reorders {
            goes = goes.max(self.latest);
            self.latest = goes;
        }
        self.held.push(Reverse((goes, self.came, place)));
        self.came += 1;
    }

    fn step(&mut self, now: Time) -> Step {
        match self.next_wake() {
            Some(goes) if goes <= now => {
                let Reverse((.., place)) = self.held.pop().expect("one that may go");
                Step::Pass(place)
            }
            _ => Step::Wait,
        }
    }

    fn next_wake(&self) -> Option<Time> {
        self.held.peek().map(|Reverse((goes, ..))| *goes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pacesim_core::net::middlebox_laws;
    use pacesim_core::random::{Streams, unit_below_one};
    use pacesim_units::Span;

    const PACKETS: usize = 2000;

    /// Arrivals and releases of packets at random gaps behind this jitter, in microseconds, in the
    /// order of the releases.
    fn released(delay: Distribution, reorders: bool, seed: u64) -> Vec<(u32, f64, f64)> {
        let replication = 0;
        let streams = Streams { seed, replication };
        let mut gaps = streams.stream("gaps", "test");
        let packet = |_| {
            let gap = Span::from_ns((unit_below_one(&mut gaps) * 200_000.0) as u64);
            (gap, Packet::default())
        };
        let packets: Vec<_> = (0..PACKETS).map(packet).collect();
        let mut now = Time::ZERO;
        let came = packets.iter().map(|(gap, _)| {
            now += *gap;
            now
        });
        let came: Vec<Time> = came.collect();
        let jitter = Jitter { delay, reorders };
        let make = || jitter.build(streams.stream("link/core", "jitter"));
        let steps = middlebox_laws(make, &packets).expect("it obeys the laws");
        let us = |time: Time| time.as_ps() as f64 / 1e6;
        let passed = steps.iter().filter_map(|(at, step)| match step {
            Step::Pass(place) => Some((*place, us(came[*place as usize]), us(*at))),
            _ => None,
        });
        passed.collect()
    }

    fn distributions() -> [Distribution; 3] {
        let (low, high) = (0.0, 1e9);
        [
            Distribution::Uniform { low, high },
            Distribution::Exponential { mean: 5e8 },
            Distribution::Normal {
                mean: 5e8,
                std_dev: 2e8,
            },
        ]
    }

    #[test]
    fn all_packets_pass_in_order_unless_they_may_overtake() {
        for (delay, seed) in distributions().into_iter().zip(1..) {
            for reorders in [false, true] {
                let passed = released(delay.clone(), reorders, seed);
                assert_eq!(passed.len(), PACKETS, "every packet passes once");
                let places: Vec<u32> = passed.iter().map(|(place, ..)| *place).collect();
                assert_eq!(places.is_sorted(), !reorders, "{delay:?}");
                assert!(passed.iter().all(|(_, came, goes)| goes >= came));
            }
        }
    }

    #[test]
    fn packets_that_may_overtake_have_the_distribution_s_delays() {
        for delay in distributions() {
            let passed = released(delay.clone(), true, 7);
            let delays = passed.iter().map(|(_, came, goes)| goes - came);
            let mean_us = delays.sum::<f64>() / PACKETS as f64;
            // Four standard errors of the exponential, the widest: 500 us / sqrt(2000) each.
            assert!((mean_us - 500.0).abs() < 45.0, "{delay:?}: {mean_us} us");
        }
    }

    #[test]
    fn in_order_a_packet_waits_only_for_those_before_it() {
        let delay = Distribution::Exponential { mean: 5e8 };
        let free = released(delay.clone(), true, 3);
        let mut drawn = vec![0.0; PACKETS];
        free.iter()
            .for_each(|(place, _, goes)| drawn[*place as usize] = *goes);
        let mut latest = 0.0_f64;
        for (place, _, goes) in released(delay, false, 3) {
            latest = latest.max(drawn[place as usize]);
            assert_eq!(goes, latest, "packet {place}");
        }
    }
}
