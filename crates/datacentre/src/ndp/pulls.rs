//! The clock by which a receiving host sends its pulls: `NdpPullPacer` of htsim.

use pacesim_units::{Bytes, PS_PER_SECOND, Rate, Span, Time};

use super::RoundRobin;

/// The settings of a clock.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PullClockConfig {
    /// Time between pulls.
    pub gap: Span,
    /// True for a fault of htsim: when the last packet of a flow removes the only pulls that wait, the
    /// timer keeps running, and the next answer starts a second one for the same time. Two pulls then
    /// leave at each tick until none waits.
    pub keeps_stale_timers: bool,
}

/// The share of the line that pulls ask for in htsim's `main_ndp`.
const PULLED_SHARE: f64 = 0.99;

impl PullClockConfig {
    /// htsim's clock for packets of this size, headers included, on a line: a little slower than the
    /// packets arrive.
    pub fn htsim(line: Rate, packet: Bytes) -> PullClockConfig {
        PullClockConfig {
            gap: gap(line, packet),
            keeps_stale_timers: true,
        }
    }

    /// The same clock without htsim's fault.
    pub fn paper(line: Rate, packet: Bytes) -> PullClockConfig {
        PullClockConfig {
            keeps_stale_timers: false,
            ..PullClockConfig::htsim(line, packet)
        }
    }
}

fn gap(line: Rate, packet: Bytes) -> Span {
    let ps = packet.bits() * u128::from(PS_PER_SECOND) / u128::from(line.as_bps());
    Span::from_ps((ps as f64 / PULLED_SHARE) as u64)
}

/// A pull to send.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pull {
    /// The flow that it asks for.
    pub flow: u64,
    /// Its number, from 1: the packets beyond the first window that the flow may have sent.
    pub number: u32,
}

/// Pulls of all flows to a host. It sends no two within a gap.
#[derive(Clone, Debug)]
pub struct PullClock {
    config: PullClockConfig,
    waiting: RoundRobin<u32>,
    last: Option<Time>,
    /// The time of the next tick, and the number of timers that expire then.
    due: Time,
    ticks: u32,
    /// Timers for the tick after that.
    later_ticks: u32,
}

impl PullClock {
    /// A clock without pulls.
    pub fn new(config: PullClockConfig) -> PullClock {
        PullClock {
            config,
            waiting: RoundRobin::default(),
            last: None,
            due: Time::ZERO,
            ticks: 0,
            later_ticks: 0,
        }
    }

    /// An answer of a flow asks for its next packet. True if the answer itself carries the pull,
    /// since none waits and the last one left a gap ago; else the pull waits.
    pub fn answer(&mut self, now: Time, flow: u64, number: u32) -> bool {
        if self.waiting.is_empty() {
            let at = self.last.map(|last| last + self.config.gap);
            match at.filter(|at| *at > now) {
                None => {
                    self.last = Some(now);
                    return true;
                }
                Some(at) => self.arm(at),
            }
        }
        self.waiting.push(flow, number);
        false
    }

    fn arm(&mut self, at: Time) {
        let count = |ticks: u32| match self.config.keeps_stale_timers {
            true => ticks + 1,
            false => 1,
        };
        if self.ticks == 0 || self.due == at {
            self.due = at;
            self.ticks = count(self.ticks);
        } else {
            self.later_ticks = count(self.later_ticks);
        }
    }

    /// The last packet of a flow has arrived: its pulls are needless.
    pub fn remove(&mut self, flow: u64) {
        self.waiting.remove(flow);
        if self.waiting.is_empty() && !self.config.keeps_stale_timers {
            self.ticks = 0;
        }
    }

    /// The time of the next tick.
    pub fn next_wake(&self) -> Option<Time> {
        (self.ticks > 0).then_some(self.due)
    }

    /// The next pull to send now. To be called at the time of a tick until it returns none.
    pub fn pull(&mut self, now: Time) -> Option<Pull> {
        while self.ticks > 0 && self.due <= now {
            let at = self.due;
            self.ticks -= 1;
            let pull = self.waiting.pop();
            if pull.is_some() {
                self.last = Some(at);
                if !self.waiting.is_empty() {
                    self.later_ticks += 1;
                }
            }
            if self.ticks == 0 && self.later_ticks > 0 {
                self.due = at + self.config.gap;
                self.ticks = std::mem::take(&mut self.later_ticks);
            }
            if let Some((flow, number)) = pull {
                return Some(Pull { flow, number });
            }
        }
        None
    }

    /// Pulls that wait.
    pub fn waiting(&self) -> usize {
        self.waiting.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(keeps_stale_timers: bool) -> PullClock {
        PullClock::new(PullClockConfig {
            gap: Span::from_us(10),
            keeps_stale_timers,
        })
    }

    fn at(us: u64) -> Time {
        Time::ZERO + Span::from_us(us)
    }

    /// The times in microseconds of all pulls up to the end, with their flows.
    fn pulls(clock: &mut PullClock, end: u64) -> Vec<(u64, u64)> {
        let mut found = Vec::new();
        while let Some(due) = clock.next_wake().filter(|due| *due <= at(end)) {
            while let Some(pull) = clock.pull(due) {
                found.push((due.as_ps() / 1_000_000, pull.flow));
            }
        }
        found
    }

    #[test]
    fn answers_carry_pulls_while_these_are_rare() {
        let mut clock = clock(false);
        assert!(clock.answer(at(0), 1, 1));
        assert!(!clock.answer(at(4), 1, 2), "a gap has not passed");
        assert!(!clock.answer(at(9), 2, 1));
        assert_eq!(pulls(&mut clock, 100), [(10, 1), (20, 2)]);
        assert!(!clock.answer(at(29), 1, 3));
        assert_eq!(pulls(&mut clock, 100), [(30, 1)]);
        assert!(clock.answer(at(40), 1, 4));
    }

    #[test]
    fn pulls_of_a_flow_that_is_complete_are_dropped_and_htsims_timer_stays() {
        for (keeps_stale_timers, expected) in [
            (false, [(10, 2), (20, 3), (30, 2)]),
            (true, [(10, 2), (10, 3), (20, 2)]),
        ] {
            let mut clock = clock(keeps_stale_timers);
            assert!(clock.answer(at(0), 1, 1));
            assert!(!clock.answer(at(1), 1, 2));
            clock.remove(1);
            for (flow, number) in [(2, 1), (3, 1), (2, 2)] {
                assert!(!clock.answer(at(2), flow, number));
            }
            assert_eq!(pulls(&mut clock, 100), expected);
            assert_eq!((clock.waiting(), clock.next_wake()), (0, None));
        }
    }

    #[test]
    fn the_gap_is_that_of_a_packet_at_99_percent_of_the_line() {
        let config = PullClockConfig::htsim(Rate::from_mbps(10_000), Bytes(9064));
        assert_eq!(config.gap, Span::from_ps(7_324_444));
    }
}
