//! Superposed senders of constant rate that start and stop: M/G/∞ sessions, and ON-OFF sources with
//! Pareto phases.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use pacesim_core::random::samplers::{Exponential, Pareto};
use pacesim_core::random::{Distribution, Stream, unit_above_zero, unit_below_one};
use pacesim_units::{PS_PER_SECOND, Span};

use super::fluid::{Fluid, Packetised, Piece};
use crate::model::self_similar::{ParetoOnOff, Sessions, shape};
use crate::model::wire_size;

/// Sessions that arrive as a Poisson process and last Pareto times, stationary from the start.
#[derive(Debug)]
pub struct SessionFluid {
    random: Stream,
    gaps: Exponential,
    lengths: Pareto,
    now: u64,
    next_session: u64,
    /// End times of the active sessions.
    ends: BinaryHeap<Reverse<u64>>,
    packets_per_ps: f64,
}

/// A source that superposes such sessions.
pub(super) fn sessions(traffic: &Sessions, mut random: Stream) -> Packetised<SessionFluid> {
    let first = unit_above_zero(&mut random);
    let (number, mean_ps) = (traffic.mean_number(), traffic.mean.as_ps() as f64);
    let mut fluid = SessionFluid {
        random,
        gaps: Exponential::with_mean(mean_ps / number).expect("checked sessions"),
        lengths: Pareto::with_mean(mean_ps, shape(traffic.hurst)).expect("a checked H"),
        now: 0,
        next_session: 0,
        ends: BinaryHeap::new(),
        packets_per_ps: packets_per_ps(traffic.peak_bps(), traffic.size.bits() as f64),
    };
    fluid.fill(number);
    fluid.next_session = fluid.draw_gap();
    Packetised::new(fluid, wire_size(traffic.size), first)
}

impl SessionFluid {
    /// Starts in the stationary state: a Poisson number of sessions, each with the residual life of
    /// a session in progress.
    fn fill(&mut self, mean_number: f64) {
        let unit = Exponential::with_mean(1.0).expect("a positive mean");
        let mut sum = unit.sample(&mut self.random);
        while sum < mean_number {
            let left = self.lengths.sample_residual(&mut self.random);
            self.ends.push(Reverse(left as u64));
            sum += unit.sample(&mut self.random);
        }
    }

    fn draw_gap(&mut self) -> u64 {
        let gap = self.gaps.sample(&mut self.random) as u64;
        self.now.saturating_add(gap)
    }
}

impl Fluid for SessionFluid {
    fn next(&mut self) -> Option<Piece> {
        let sending = self.ends.len();
        let first_end = self.ends.peek().map_or(u64::MAX, |Reverse(end)| *end);
        let until = first_end.min(self.next_session);
        let length = until - self.now;
        self.now = until;
        if until == u64::MAX {
            return None;
        }
        if until == first_end {
            self.ends.pop();
        } else {
            let session = self.lengths.sample(&mut self.random) as u64;
            self.ends.push(Reverse(until.saturating_add(session)));
            self.next_session = self.draw_gap();
        }
        Some(piece(length, sending, self.packets_per_ps))
    }
}

/// ON-OFF sources with Pareto phases, stationary from the start.
#[derive(Debug)]
pub struct OnOffFluid {
    random: Stream,
    on: Pareto,
    off: Pareto,
    now: u64,
    sending: usize,
    /// The times at which each source switches; true if it switches on.
    turns: BinaryHeap<Reverse<(u64, bool)>>,
    packets_per_ps: f64,
}

/// A source that superposes such ON-OFF sources.
pub(super) fn on_off(traffic: &ParetoOnOff, mut random: Stream) -> Packetised<OnOffFluid> {
    let first = unit_above_zero(&mut random);
    let phases = |mean: Span| {
        Pareto::with_mean(mean.as_ps() as f64, shape(traffic.hurst)).expect("checked phases")
    };
    let (on, off) = (phases(traffic.mean_on), phases(traffic.mean_off));
    let share_on = on.mean() / (on.mean() + off.mean());
    let mut turns = BinaryHeap::with_capacity(traffic.sources as usize);
    let mut sending = 0;
    for _ in 0..traffic.sources {
        let is_on = unit_below_one(&mut random) < share_on;
        let phase = if is_on { &on } else { &off };
        turns.push(Reverse((phase.sample_residual(&mut random) as u64, !is_on)));
        sending += usize::from(is_on);
    }
    let peak_bps = traffic.peak.as_bps() as f64;
    let fluid = OnOffFluid {
        random,
        on,
        off,
        now: 0,
        sending,
        turns,
        packets_per_ps: packets_per_ps(peak_bps, traffic.size.bits() as f64),
    };
    Packetised::new(fluid, wire_size(traffic.size), first)
}

impl Fluid for OnOffFluid {
    fn next(&mut self) -> Option<Piece> {
        let mut turn = self.turns.peek_mut()?;
        let Reverse((until, turns_on)) = *turn;
        if until == u64::MAX {
            return None;
        }
        let (length, sending) = (until - self.now, self.sending);
        let phase = if turns_on { &self.on } else { &self.off };
        let next = until.saturating_add(phase.sample(&mut self.random) as u64);
        *turn = Reverse((next, !turns_on));
        self.now = until;
        if turns_on {
            self.sending += 1
        } else {
            self.sending -= 1
        }
        Some(piece(length, sending, self.packets_per_ps))
    }
}

fn packets_per_ps(bps: f64, bits: f64) -> f64 {
    bps / bits / PS_PER_SECOND as f64
}

fn piece(ps: u64, sending: usize, packets_per_ps: f64) -> Piece {
    Piece {
        length: Span::from_ps(ps),
        packets: ps as f64 * sending as f64 * packets_per_ps,
    }
}

#[cfg(test)]
mod tests {
    use pacesim_core::random::Streams;
    use pacesim_measure::mean_interval;
    use pacesim_units::{Bytes, Rate};

    use super::*;
    use crate::model::self_similar::Burstiness;

    const REPLICATIONS: u64 = 1000;

    /// Number of active senders at each of these times.
    fn numbers<F: Fluid>(mut fluid: F, packets_per_ps: f64, times: &[Span]) -> Vec<f64> {
        let (mut end, mut number) = (0, 0.0);
        let at = |time: &Span| {
            while end <= time.as_ps() {
                let piece = fluid.next().expect("a fluid has pieces without end");
                end += piece.length.as_ps();
                if !piece.length.is_zero() {
                    number = piece.packets / piece.length.as_ps() as f64 / packets_per_ps;
                }
            }
            number
        };
        times.iter().map(at).collect()
    }

    /// Panics unless the numbers have this mean and variance at each of the times, tested jointly
    /// at 99.9 %.
    fn have_moments(samples: &[Vec<f64>], mean: f64, variance: f64) {
        let times = samples[0].len();
        let level = 1.0 - 0.001 / (2 * times) as f64;
        for time in 0..times {
            let values: Vec<f64> = samples.iter().map(|sample| sample[time]).collect();
            let squares: Vec<f64> = values.iter().map(|n| (n - mean) * (n - mean)).collect();
            for (values, theory) in [(values, mean), (squares, variance)] {
                let interval = mean_interval(&values, level).expect("many replications");
                assert!(interval.contains(theory), "{time}: {theory}, {interval:?}");
            }
        }
    }

    fn stream(replication: u64) -> Stream {
        let seed = 1;
        Streams { seed, replication }.stream("flow/test[0]", "sessions")
    }

    #[test]
    fn sessions_are_poisson_in_number_at_any_time() {
        let traffic = Sessions {
            rate: Rate::from_mbps(100),
            size: Bytes(1000),
            hurst: 0.8,
            burstiness: Burstiness {
                beta: 0.3,
                over: Span::from_ms(1),
            },
            mean: Span::from_ms(10),
        };
        let times = [Span::ZERO, Span::from_ms(10), Span::from_ms(300)];
        let sample = |replication| {
            let fluid = sessions(&traffic, stream(replication)).into_fluid();
            let unit = fluid.packets_per_ps;
            numbers(fluid, unit, &times)
        };
        let samples: Vec<_> = (0..REPLICATIONS).map(sample).collect();
        let number = traffic.mean_number();
        have_moments(&samples, number, number);
    }

    #[test]
    fn on_off_sources_are_binomial_in_number_at_any_time() {
        let traffic = ParetoOnOff {
            sources: 40,
            peak: Rate::from_mbps(2),
            size: Bytes(1000),
            mean_on: Span::from_ms(10),
            mean_off: Span::from_ms(30),
            hurst: 0.8,
        };
        let times = [Span::ZERO, Span::from_ms(10), Span::from_ms(300)];
        let sample = |replication| {
            let fluid = on_off(&traffic, stream(replication)).into_fluid();
            let unit = fluid.packets_per_ps;
            numbers(fluid, unit, &times)
        };
        let samples: Vec<_> = (0..REPLICATIONS).map(sample).collect();
        have_moments(&samples, 10.0, 7.5);
    }
}
