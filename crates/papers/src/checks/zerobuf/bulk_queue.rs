//! The queue of zerobuf Fig. 9, simulated: the judge of its chain, and nothing of it.
//!
//! The scenario language has no bulks that are refused as a whole, so this is a world
//! of three clocks on the engine's own calendar: a UDP packet comes, a TCP packet (a
//! bulk of five) comes, a service ends.

use pacesim::units::{Span, Time};
use pacesim_core::engine::{Calendar, Wake};
use pacesim_core::random::samplers::Exponential;
use pacesim_core::random::{Distribution, Stream};

/// What is simulated; the unit of time is the mean service.
pub(super) struct BulkWorld {
    /// Customers that find room, the one in service included.
    pub(super) places: u64,
    /// UDP packets (of one customer) per unit of time.
    pub(super) udp_rate: f64,
    /// TCP packets per unit of time.
    pub(super) tcp_rate: f64,
    /// Customers in a TCP packet; it is lost whole if they do not all fit.
    pub(super) tcp_size: u64,
}

/// The random numbers of a run, one stream a clock.
pub(super) struct Clocks {
    pub(super) udp: Stream,
    pub(super) tcp: Stream,
    pub(super) service: Stream,
}

/// Shares of packets lost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Losses {
    pub(super) udp: f64,
    pub(super) tcp: f64,
}

/// A mean service on the engine's time scale; its rounding is a millionth.
const SERVICE_PS: f64 = 1e6;

/// Units of time before counting begins: the queue is empty at the start.
const WARMUP: u64 = 2_000;

const UDP: u32 = 0;
const TCP: u32 = 1;
const SERVICE: u32 = 2;

struct Count {
    came: u64,
    lost: u64,
}

impl Count {
    const NONE: Count = Count { came: 0, lost: 0 };

    fn add(&mut self, was_taken: bool) {
        self.came += 1;
        self.lost += u64::from(!was_taken);
    }

    fn share(&self) -> f64 {
        self.lost as f64 / self.came as f64
    }
}

impl BulkWorld {
    /// Runs until n UDP packets have been counted.
    pub(super) fn losses(&self, mut clocks: Clocks, udp_packets: u64) -> Losses {
        let gap = |rate: f64| Exponential::with_mean(SERVICE_PS / rate).expect("a rate above zero");
        let (udp_gap, tcp_gap, service) = (gap(self.udp_rate), gap(self.tcp_rate), gap(1.0));
        let warm = Time::ZERO + Span::from_ps(WARMUP * SERVICE_PS as u64);
        let mut calendar: Calendar = Calendar::new(0, 3);
        set(&mut calendar, UDP, Time::ZERO, &udp_gap, &mut clocks.udp);
        set(&mut calendar, TCP, Time::ZERO, &tcp_gap, &mut clocks.tcp);
        let (mut udp, mut tcp) = (Count::NONE, Count::NONE);
        let mut customers = 0;
        while udp.came < udp_packets {
            let (now, wake) = calendar.next(Time::NEVER).expect("packets go on coming");
            let Wake::Timer { timer, .. } = wake else {
                unreachable!("there are no links");
            };
            let before = customers;
            match timer {
                UDP => {
                    set(&mut calendar, UDP, now, &udp_gap, &mut clocks.udp);
                    self.offer(&mut customers, 1, (now >= warm).then_some(&mut udp));
                }
                TCP => {
                    set(&mut calendar, TCP, now, &tcp_gap, &mut clocks.tcp);
                    self.offer(
                        &mut customers,
                        self.tcp_size,
                        (now >= warm).then_some(&mut tcp),
                    );
                }
                _ => customers -= 1,
            }
            let begins_service = customers > 0 && (timer == SERVICE || before == 0);
            if begins_service {
                set(&mut calendar, SERVICE, now, &service, &mut clocks.service);
            }
        }
        Losses {
            udp: udp.share(),
            tcp: tcp.share(),
        }
    }

    fn offer(&self, customers: &mut u64, size: u64, count: Option<&mut Count>) {
        let fits = *customers + size <= self.places;
        if fits {
            *customers += size;
        }
        if let Some(count) = count {
            count.add(fits);
        }
    }
}

fn set(calendar: &mut Calendar, timer: u32, now: Time, gap: &Exponential, stream: &mut Stream) {
    let gap = Span::from_ps_f64(gap.sample(stream))
        .expect("exponential gaps of microseconds fit the clock");
    calendar.set_timer(timer, now + gap, now);
}

#[cfg(test)]
mod tests {
    use super::*;
    use pacesim::measure::mean_interval;
    use pacesim_core::random::Streams;

    fn clocks(replication: u64) -> Clocks {
        let streams = Streams {
            seed: 5,
            replication,
        };
        Clocks {
            udp: streams.stream("udp", "gaps"),
            tcp: streams.stream("tcp", "gaps"),
            service: streams.stream("server", "work"),
        }
    }

    /// Without bulks it is M/M/1/K, which loses (1 - r) r^K / (1 - r^(K+1)).
    #[test]
    fn without_bulks_it_is_the_textbooks_queue() {
        let world = BulkWorld {
            places: 3,
            udp_rate: 0.4,
            tcp_rate: 0.4,
            tcp_size: 1,
        };
        let runs: Vec<f64> = (0..20)
            .map(|number| world.losses(clocks(number), 20_000).udp)
            .collect();
        let theory = 0.2 * 0.512 / (1.0 - 0.8 * 0.512);
        let interval = mean_interval(&runs, 0.99).expect("twenty runs");
        assert!(interval.contains(theory), "{theory} {interval:?}");
    }

    /// A place too few for any bulk: all of TCP is lost, and UDP has M/M/1/K for itself.
    #[test]
    fn a_bulk_that_never_fits_is_always_lost() {
        let world = BulkWorld {
            places: 4,
            udp_rate: 0.5,
            tcp_rate: 0.3,
            tcp_size: 5,
        };
        let runs: Vec<Losses> = (0..20)
            .map(|number| world.losses(clocks(number), 20_000))
            .collect();
        assert!(runs.iter().all(|losses| losses.tcp == 1.0));
        let udp: Vec<f64> = runs.iter().map(|losses| losses.udp).collect();
        let theory = 0.5 * 0.0625 / (1.0 - 0.5 * 0.0625);
        let interval = mean_interval(&udp, 0.99).expect("twenty runs");
        assert!(interval.contains(theory), "{theory} {interval:?}");
    }
}
