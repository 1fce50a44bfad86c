//! Hosts that are not ideal: they take time to send, receive in lumps, and stall.
//!
//! Each is at the end of one link, and its properties are those of that link: the time to send is at
//! the link's port, arrivals are behind the wire of the link back.

use std::collections::VecDeque;

use pacesim_core::net::{HostDelays, Middlebox, Packet, Stalls, Step};
use pacesim_core::random::samplers::Exponential;
use pacesim_core::random::{Stream, Streams};
use pacesim_units::{Span, Time};

use crate::{Distribution, Payload};

/// The time that a host takes for each packet that it sends.
#[derive(Clone, Debug, PartialEq)]
pub struct HostSends {
    /// Time for a data packet, in picoseconds.
    pub data: Distribution,
    /// Time for an answer, in picoseconds.
    pub answers: Distribution,
    /// Stalls of the host.
    pub stalls: Option<HostStalls>,
}

/// The arrivals at a host.
#[derive(Clone, Debug, PartialEq)]
pub struct HostArrivals {
    /// Lumps in which packets are handed over.
    pub lumps: Option<Lumps>,
    /// Stalls of the host.
    pub stalls: Option<HostStalls>,
}

/// Lumps of arrivals, as interrupts and receive offload make them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lumps {
    /// Time from the first packet of a lump to the moment at which the host gets all of it.
    pub every: Span,
    /// The number of packets that ends a lump earlier.
    pub most: u32,
}

/// Times at which a host neither sends nor receives.
#[derive(Clone, Debug, PartialEq)]
pub struct HostStalls {
    /// Mean time from the end of a stall to the next one; it is exponential.
    pub every: Span,
    /// Length of a stall, in picoseconds.
    pub length: Distribution,
}

impl HostSends {
    /// The delays of a host of this name at the port of a link, in a run that ends at this time.
    ///
    /// # Panics
    ///
    /// Panics if a distribution has no sampler; `check` has ruled that out.
    pub fn build(&self, streams: &Streams, link: &str, host: &str, end: Time) -> HostDelays {
        let samplers = [&self.data, &self.answers].map(Distribution::checked_sampler);
        let stalls = self
            .stalls
            .as_ref()
            .map(|stalls| stalls.build(streams, host, end));
        let stream = streams.stream(&format!("link/{link}"), "host");
        HostDelays::new(samplers, stalls, stream)
    }
}

impl HostStalls {
    /// The stalls of a host, the same wherever they are built.
    fn build(&self, streams: &Streams, host: &str, end: Time) -> Stalls {
        let mean = self.every.as_ps().max(1) as f64;
        let gaps = Exponential::with_mean(mean).expect("a mean above zero");
        let stream: Stream = streams.stream(&format!("node/{host}"), "stalls");
        Stalls::new(gaps.into(), self.length.checked_sampler(), stream, end)
    }
}

impl HostArrivals {
    /// The middlebox behind the wire to a host of this name, in a run that ends at this time.
    pub fn build(&self, streams: &Streams, host: &str, end: Time) -> ArrivalBox {
        ArrivalBox {
            lumps: self.lumps,
            stalls: self
                .stalls
                .as_ref()
                .map(|stalls| stalls.build(streams, host, end)),
            held: VecDeque::new(),
            goes: Time::ZERO,
        }
    }
}

/// A middlebox that hands packets over in lumps, and none during a stall.
#[derive(Debug)]
pub struct ArrivalBox {
    lumps: Option<Lumps>,
    stalls: Option<Stalls>,
    held: VecDeque<u32>,
    /// Time at which the host gets the held packets.
    goes: Time,
}

impl Middlebox for ArrivalBox {
    type Payload = Payload;

    fn arrive(&mut self, now: Time, place: u32, _: &Packet, _: &mut u32) {
        if self.held.is_empty() {
            let wait = self.lumps.map_or(Span::ZERO, |lumps| lumps.every);
            self.goes = now.saturating_add(wait);
        }
        self.held.push_back(place);
        if self
            .lumps
            .is_some_and(|lumps| self.held.len() >= lumps.most as usize)
        {
            self.goes = self.goes.min(now);
        }
    }

    fn step(&mut self, now: Time) -> Step {
        if !self.held.is_empty()
            && self.goes <= now
            && let Some(stalls) = &mut self.stalls
        {
            self.goes = stalls.passed(now);
        }
        if self.goes > now {
            return Step::Wait;
        }
        self.held.pop_front().map_or(Step::Wait, Step::Pass)
    }

    fn next_wake(&self) -> Option<Time> {
        (!self.held.is_empty()).then_some(self.goes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pacesim_core::net::middlebox_laws;

    const RUN: Streams = Streams {
        seed: 5,
        replication: 0,
    };

    /// Arrivals and releases in microseconds of packets that arrive at these gaps.
    fn passed(arrivals: &HostArrivals, gaps_us: &[u64]) -> Vec<(u32, u64, u64)> {
        let packets = gaps_us
            .iter()
            .map(|us| (Span::from_us(*us), Packet::default()));
        let packets: Vec<_> = packets.collect();
        let steps = middlebox_laws(|| arrivals.build(&RUN, "h", Time::NEVER), &packets)
            .expect("it obeys the laws");
        let mut came = 0;
        let came: Vec<u64> = gaps_us
            .iter()
            .map(|us| {
                came += us;
                came
            })
            .collect();
        let passed = steps.iter().filter_map(|(at, step)| match step {
            Step::Pass(place) => Some((*place, came[*place as usize], at.as_ps() / 1_000_000)),
            _ => None,
        });
        passed.collect()
    }

    #[test]
    fn a_lump_goes_when_its_time_is_over_or_it_is_full() {
        let arrivals = HostArrivals {
            lumps: Some(Lumps {
                every: Span::from_us(50),
                most: 3,
            }),
            stalls: None,
        };
        let gaps = [100, 20, 40, 5, 5, 100];
        let expected = [
            (0, 100, 150),
            (1, 120, 150),
            (2, 160, 170),
            (3, 165, 170),
            (4, 170, 170),
            (5, 270, 320),
        ];
        assert_eq!(passed(&arrivals, &gaps), expected);
    }

    #[test]
    fn nothing_arrives_during_a_stall_and_what_came_arrives_at_its_end() {
        let stalls = HostStalls {
            every: Span::from_ms(1),
            length: Distribution::Uniform {
                low: 2e8,
                high: 2e8,
            },
        };
        let arrivals = HostArrivals {
            lumps: None,
            stalls: Some(stalls.clone()),
        };
        let gaps = vec![10; 5000];
        let all = passed(&arrivals, &gaps);
        assert_eq!(all.len(), 5000);
        assert!(all.is_sorted_by_key(|(place, ..)| *place), "in order");
        let waits = all.iter().map(|(_, came, goes)| goes - came);
        assert!(
            waits.clone().all(|wait| wait <= 200),
            "a stall takes 200 us"
        );
        let waiting = waits.filter(|wait| *wait > 0).count() as f64 / 5000.0;
        assert!(
            (0.1..0.24).contains(&waiting),
            "a sixth of the time: {waiting}"
        );
        // The sending side of the host stalls at the same times.
        let mut known = stalls.build(&RUN, "h", Time::NEVER);
        for (_, came, goes) in all {
            let works = known.passed(Time::ZERO + Span::from_us(came)).as_ps();
            assert_eq!(goes, works / 1_000_000);
        }
    }
}
