//! The queue of Fig. 9, simulated: the judge of its chain, and nothing of it. The scenario
//! language has no bulks that are refused whole, so this is a world of three clocks: a UDP packet
//! comes, a TCP packet (a bulk of five) comes, a service ends.

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

/// Shares of packets lost. Poisson arrivals find what there is at any time, so each is the share
/// of time in which such a packet would be lost, which is known better than a count of losses.
#[derive(Clone, Copy, Debug)]
pub(super) struct Losses {
    pub(super) udp: f64,
    pub(super) tcp: f64,
}

/// Units of time before counting begins: the queue is empty at the start.
const WARMUP: f64 = 2_000.0;

impl BulkWorld {
    /// Runs for so many units of time, with a stream for each clock: UDP, TCP, services.
    pub(super) fn losses(&self, mut streams: [Stream; 3], time: f64) -> Losses {
        let mean_gaps = [1.0 / self.udp_rate, 1.0 / self.tcp_rate, 1.0];
        let clocks = mean_gaps.map(|gap| Exponential::with_mean(gap).expect("above zero"));
        let mut gap = |clock: usize| clocks[clock].sample(&mut streams[clock]);
        let mut next = [gap(0), gap(1), f64::INFINITY];
        let (mut customers, mut before) = (0, 0.0);
        let mut lost = [0.0, 0.0];
        while before < WARMUP + time {
            let clock = (0..3).fold(0, |first, i| if next[i] < next[first] { i } else { first });
            let now = next[clock];
            for (lost, size) in lost.iter_mut().zip([1, self.tcp_size]) {
                if customers + size > self.places {
                    *lost += (now.min(WARMUP + time) - before.max(WARMUP)).max(0.0);
                }
            }
            let was_idle = customers == 0;
            customers = match clock {
                0 if customers < self.places => customers + 1,
                1 if customers + self.tcp_size <= self.places => customers + self.tcp_size,
                2 => customers - 1,
                _ => customers,
            };
            if clock == 2 || was_idle && customers > 0 {
                next[2] = if customers > 0 {
                    now + gap(2)
                } else {
                    f64::INFINITY
                };
            }
            if clock < 2 {
                next[clock] = now + gap(clock);
            }
            before = now;
        }
        let [udp, tcp] = lost.map(|lost| lost / time);
        Losses { udp, tcp }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pacesim::measure::mean_interval;
    use pacesim_core::random::Streams;

    fn runs(world: &BulkWorld) -> Vec<Losses> {
        let run = |replication| {
            let streams = Streams {
                seed: 5,
                replication,
            };
            let stream = |clock| streams.stream(clock, "gaps");
            world.losses(["udp", "tcp", "server"].map(stream), 40_000.0)
        };
        (0..20).map(run).collect()
    }

    fn assert_udp_loses(runs: &[Losses], theory: f64) {
        let udp: Vec<f64> = runs.iter().map(|losses| losses.udp).collect();
        let interval = mean_interval(&udp, 0.99).expect("twenty runs");
        assert!(interval.contains(theory), "{theory} {interval:?}");
        assert!(interval.high - interval.low < 0.1 * theory, "{interval:?}");
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
        assert_udp_loses(&runs(&world), 0.2 * 0.512 / (1.0 - 0.8 * 0.512));
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
        let runs = runs(&world);
        assert!(runs.iter().all(|losses| (losses.tcp - 1.0).abs() < 1e-9));
        assert_udp_loses(&runs, 0.5 * 0.0625 / (1.0 - 0.5 * 0.0625));
    }
}
