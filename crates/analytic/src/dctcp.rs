//! DCTCP with marks from K packets on: the sawtooth of synchronised flows (Alizadeh et al., SIGCOMM
//! 2010, section 3.3), and the fluid law (Alizadeh, Javanmard and Prabhakar, SIGMETRICS 2011,
//! equations 1 to 3).

use crate::numeric::last_where;
use crate::{Range, SolveError};

/// Flows of DCTCP over one link.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dctcp {
    /// The rate of the link, in packets per second.
    pub packets_per_s: f64,
    /// The round trip without the queue, in seconds.
    pub rtt_s: f64,
    /// The number of flows.
    pub flows: f64,
    /// The queue, in packets, from which on an arrival is marked.
    pub threshold: f64,
    /// The gain of the estimator of marks.
    pub gain: f64,
}

/// The sawtooth of flows whose windows move together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sawtooth {
    /// The share of marked packets that each flow estimates.
    pub alpha: f64,
    /// The maximum queue in packets; without the window's growth in the last round trip it would
    /// equal the threshold.
    pub most: f64,
    /// The minimum queue, 0 if the link runs empty.
    pub least: f64,
    /// The length of a cycle in round trips.
    pub rounds: f64,
}

/// A cycle of the fluid law.
#[derive(Clone, Debug, PartialEq)]
pub struct Fluid {
    /// The mean estimate of the share of marks.
    pub alpha: f64,
    /// The share of time in which packets are marked.
    pub marked: f64,
    /// The mean queue in packets.
    pub queue: f64,
    /// The minimum and the maximum queue.
    pub range: (f64, f64),
    /// The utilisation of the link.
    pub utilisation: f64,
    /// Time in seconds, queue and window in packets over some cycles.
    pub course: Vec<[f64; 3]>,
}

/// Integration steps per round trip.
const STEPS: usize = 1000;
/// Round trips until the cycle has settled, and round trips over which it is then measured.
const SETTLING: usize = 600;
const MEASURED: usize = 400;
/// Round trips drawn, and points in each of them.
const DRAWN: usize = 40;
const POINTS: usize = 10;

impl Dctcp {
    fn check(&self) -> Result<(), SolveError> {
        Range::POSITIVE.check("rate", self.packets_per_s)?;
        Range::POSITIVE.check("rtt", self.rtt_s)?;
        Range::at_least(1.0).check("flows", self.flows)?;
        Range::NON_NEGATIVE.check("threshold", self.threshold)?;
        Range::POSITIVE_SHARE.check("gain", self.gain)?;
        Ok(())
    }

    /// The window of each flow at which marks begin.
    fn marked_window(&self) -> f64 {
        (self.packets_per_s * self.rtt_s + self.threshold) / self.flows
    }

    /// The least threshold at which the link does not run empty, a seventh of the packets in flight
    /// (2010, equation 13).
    pub fn least_threshold(&self) -> f64 {
        self.packets_per_s * self.rtt_s / 7.0
    }

    /// The sawtooth, by equations 5 to 10 of 2010.
    pub fn sawtooth(&self) -> Result<Sawtooth, SolveError> {
        self.check()?;
        let window = self.marked_window();
        let marked = (2.0 * window + 1.0) / ((window + 1.0) * (window + 1.0));
        let alpha = last_where(0.0, 1.0, |a| a * a * (1.0 - a / 4.0) < marked);
        let rounds = (window + 1.0) * alpha / 2.0;
        let most = self.threshold + self.flows;
        Ok(Sawtooth {
            alpha,
            most,
            least: (most - self.flows * rounds).max(0.0),
            rounds,
        })
    }

    /// The cycle of the fluid law, integrated from the sawtooth's top.
    pub fn fluid(&self) -> Result<Fluid, SolveError> {
        let alpha = self.sawtooth()?.alpha;
        let delay = self.rtt_s + self.threshold / self.packets_per_s;
        let mut state = FluidState {
            window: self.marked_window(),
            alpha,
            queue: self.threshold,
        };
        // The signals of the last round trip, as a ring.
        let mut signals = vec![false; STEPS];
        let mut cycle = Cycle::default();
        let step = delay / STEPS as f64;
        for n in 0..(SETTLING + MEASURED) * STEPS {
            let place = n % STEPS;
            let signal = std::mem::replace(&mut signals[place], state.queue > self.threshold);
            let sent = self.advance(&mut state, signal, step);
            if n >= SETTLING * STEPS {
                cycle.add(n - SETTLING * STEPS, step, &state, signal, sent);
            }
        }
        Ok(cycle.into_fluid())
    }

    /// One step of equations 1 to 3; returns the used share of the link.
    fn advance(&self, state: &mut FluidState, signal: bool, step: f64) -> f64 {
        let rtt = self.rtt_s + state.queue / self.packets_per_s;
        let signal = f64::from(u8::from(signal));
        let arriving = self.flows * state.window / rtt;
        let growth = (1.0 - state.window * state.alpha / 2.0 * signal) / rtt;
        let used = if state.queue > 0.0 {
            1.0
        } else {
            (arriving / self.packets_per_s).min(1.0)
        };
        state.queue = (state.queue + step * (arriving - self.packets_per_s)).max(0.0);
        state.alpha += step * self.gain / rtt * (signal - state.alpha);
        state.window = (state.window + step * growth).max(1.0);
        used
    }
}

struct FluidState {
    window: f64,
    alpha: f64,
    queue: f64,
}

/// Sums over the measured cycles.
#[derive(Default)]
struct Cycle {
    steps: f64,
    alpha: f64,
    marked: f64,
    queue: f64,
    used: f64,
    range: Option<(f64, f64)>,
    course: Vec<[f64; 3]>,
}

impl Cycle {
    fn add(&mut self, n: usize, step: f64, state: &FluidState, signal: bool, used: f64) {
        self.steps += 1.0;
        self.alpha += state.alpha;
        self.marked += f64::from(u8::from(signal));
        self.queue += state.queue;
        self.used += used;
        let (least, most) = self.range.unwrap_or((state.queue, state.queue));
        self.range = Some((least.min(state.queue), most.max(state.queue)));
        if n < DRAWN * STEPS && n.is_multiple_of(STEPS / POINTS) {
            self.course
                .push([n as f64 * step, state.queue, state.window]);
        }
    }

    fn into_fluid(self) -> Fluid {
        Fluid {
            alpha: self.alpha / self.steps,
            marked: self.marked / self.steps,
            queue: self.queue / self.steps,
            range: self.range.unwrap_or_default(),
            utilisation: self.used / self.steps,
            course: self.course,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 50 Mbps of 1490 B and 40 ms, and two flows over 250 packets in flight.
    const ONE: Dctcp = Dctcp {
        packets_per_s: 50e6 / 8.0 / 1490.0,
        rtt_s: 0.04,
        flows: 1.0,
        threshold: 32.0,
        gain: 1.0 / 16.0,
    };

    #[test]
    fn the_sawtooth_is_that_of_the_closed_forms() {
        let one = ONE.sawtooth().unwrap();
        assert!((one.alpha - 0.100_962_6).abs() < 1e-6, "{one:?}");
        assert!(
            (one.least - 22.864).abs() < 1e-3 && one.most == 33.0,
            "{one:?}"
        );
        let two = Dctcp {
            packets_per_s: 250.0 / 0.04,
            flows: 2.0,
            threshold: 40.0,
            ..ONE
        };
        let two = two.sawtooth().unwrap();
        assert!((two.alpha - 0.118_612).abs() < 1e-6, "{two:?}");
        assert!((two.most - two.least - 17.317_4).abs() < 1e-3, "{two:?}");
    }

    /// The fluid overshoots the threshold by a window's growth during a round trip of delay, and
    /// falls further below it than the sawtooth, whose flows reduce once: here windows shrink for a
    /// round trip after the queue has fallen below the threshold.
    #[test]
    fn the_fluid_law_moves_around_the_threshold() {
        let fluid = ONE.fluid().unwrap();
        let (least, most) = fluid.range;
        assert!((32.5..34.0).contains(&most), "{most}");
        assert!((17.0..22.864).contains(&least), "{least}");
        assert_eq!(fluid.utilisation, 1.0);
        // Over round trips the mean estimate equals the share with marks; round trips differ by up
        // to 7 %.
        assert!(
            (fluid.alpha / fluid.marked - 1.0).abs() < 0.07,
            "{} {}",
            fluid.alpha,
            fluid.marked
        );
    }

    #[test]
    fn a_threshold_far_below_a_seventh_lets_the_link_run_empty() {
        let low = Dctcp {
            threshold: 0.1 * ONE.least_threshold(),
            ..ONE
        };
        assert!(low.fluid().unwrap().utilisation < 1.0);
        assert_eq!(low.sawtooth().unwrap().least, 0.0);
        let high = Dctcp {
            threshold: ONE.least_threshold(),
            ..ONE
        };
        assert_eq!(high.fluid().unwrap().utilisation, 1.0);
    }
}
