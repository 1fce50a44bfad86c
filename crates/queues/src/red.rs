//! RED: packets are dropped or marked on arrival, with a probability that grows with the mean queue
//! (Floyd and Jacobson 1993).

mod linux;
mod ns2;

use std::collections::VecDeque;

use pacesim_units::{Capacity, Rate, Span, Time};

use crate::built_in::{BuiltIn, Site};
use crate::chance::{Chance, Signal};
use crate::fate::Fate;
use crate::periods::Periods;
use crate::queue::{Line, Mark, Pending, Queue, Reason, State, Turn, Waiting};
use crate::room::Room;
use linux::LinuxAverage;
use ns2::Ns2Average;

/// Parameters of RED.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RedConfig {
    /// Limit on waiting packets.
    pub capacity: Capacity,
    /// True if the packet in transmission counts towards the limit.
    pub counts_sending: bool,
    /// The mean queue from which packets are dropped, in packets or bytes.
    pub min_th: f64,
    /// Mean queue at which the probability is `max_p`.
    pub max_th: f64,
    /// True if the thresholds are in bytes; those of Linux always are.
    pub in_bytes: bool,
    /// Probability of a drop at `max_th`.
    pub max_p: f64,
    /// The weight of a new sample in the mean; Linux rounds it down to a power of two.
    pub weight: f64,
    /// True if the probability rises to 1 at twice `max_th`, instead of a step (ns-2 only).
    pub gentle: bool,
    /// True if drops are spread evenly, none before a mean distance from the last (ns-2 only).
    pub wait: bool,
    /// Mean packet size, for idle times.
    pub mean_packet: u32,
    /// Rate of the line, for idle times.
    pub rate: Rate,
    /// True if packets are marked, where permitted, instead of dropped.
    pub ecn: bool,
    /// True if packets are dropped from `max_th` on even if they may be marked (Linux only).
    pub hard_drop: bool,
    /// True if `max_p` follows the mean queue (Linux only).
    pub adaptive: bool,
    /// Reference whose details are followed.
    pub profile: RedProfile,
}

/// The reference that RED follows in detail.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RedProfile {
    /// The implementation of ns-2.35.
    #[default]
    Ns2,
    /// Linux 6.12, with the table for idle times computed by its tc.
    Linux,
}

impl RedConfig {
    /// The parameters of ns-2 with these thresholds in packets, for a line of this rate.
    pub fn of(min_th: f64, max_th: f64, rate: Rate) -> RedConfig {
        RedConfig {
            capacity: Capacity::Packets(1000),
            counts_sending: false,
            min_th,
            max_th,
            in_bytes: false,
            max_p: 0.1,
            weight: 0.002,
            gentle: true,
            wait: true,
            mean_packet: 500,
            rate,
            ecn: false,
            hard_drop: false,
            adaptive: false,
            profile: RedProfile::Ns2,
        }
    }
}

/// The mean queue, computed as in one of the references.
#[derive(Clone, Debug)]
enum Average {
    Ns2(Ns2Average),
    Linux(LinuxAverage),
}

macro_rules! of_each {
    ($average:expr, $inner:ident => $answer:expr) => {
        pacesim_units::dispatch!($average, Average { Ns2, Linux }, $inner => $answer)
    };
}

/// The decision of the mean queue on an arriving packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ArrivalDecision {
    Take,
    /// The packet is dropped or marked with this probability, relative to a whole.
    Draw(u64, u64),
    /// The packet is dropped, or marked if marks are permitted for too long a queue.
    Strike {
        may_mark: bool,
    },
}

/// A FIFO that drops at random on arrival.
#[derive(Debug)]
pub struct Red {
    ecn: bool,
    average: Average,
    updates: Option<Periods>,
    room: Room,
    /// The packets, and the reasons for the marks of those that are marked.
    packets: VecDeque<(Pending, Option<Mark>)>,
    chance: Box<dyn Chance>,
}

impl Red {
    /// A queue without packets that draws from `chance`.
    pub fn new(config: &RedConfig, chance: impl Into<Box<dyn Chance>>) -> Red {
        // Half a second in Linux's ticks, on the grid of its timers.
        let period = Span::from_ps(512_000_000_000);
        let first = Time::from_ps(496_000_000_000);
        Red {
            ecn: config.ecn,
            average: match config.profile {
                RedProfile::Ns2 => Average::Ns2(Ns2Average::new(config)),
                RedProfile::Linux => Average::Linux(LinuxAverage::new(config)),
            },
            updates: config.adaptive.then(|| Periods::new(first, period)),
            room: Room::new(config.capacity, config.counts_sending),
            packets: VecDeque::new(),
            chance: chance.into(),
        }
    }

    /// The mean queue, in packets or bytes, at the last arrival.
    pub fn mean(&self) -> f64 {
        of_each!(&self.average, average => average.mean())
    }

    /// The probability of a drop at `max_th`.
    pub fn max_p(&self) -> f64 {
        of_each!(&self.average, average => average.max_p())
    }

    /// Adapts the probability for the periods that ended before `now`.
    fn catch_up(&mut self, now: Time) {
        if let (Some(updates), Average::Linux(average)) = (&mut self.updates, &mut self.average) {
            while let Some(due) = updates.due_before(now) {
                average.adapt(due);
            }
        }
    }

    /// Decides on an arriving packet.
    fn decide(&mut self, packet: &Pending, verdict: ArrivalDecision) -> Fate {
        let marks = self.ecn && packet.ecn.is_capable();
        match verdict {
            ArrivalDecision::Take => Fate::Pass,
            ArrivalDecision::Strike { may_mark } if marks && may_mark => Fate::Mark(Mark::Forced),
            ArrivalDecision::Strike { .. } => Fate::Drop,
            ArrivalDecision::Draw(part, whole) => {
                let signal = if marks { Signal::Mark } else { Signal::Drop };
                let strikes = part > 0 && self.chance.strikes(packet.key, signal, part, whole);
                if strikes {
                    of_each!(&mut self.average, average => average.start_over());
                }
                match (strikes, marks) {
                    (false, _) => Fate::Pass,
                    (true, true) => Fate::Mark(Mark::Probability),
                    (true, false) => Fate::Drop,
                }
            }
        }
    }
}

impl Red {
    /// Serves the queue when the line is free.
    #[inline]
    fn serve(&mut self, now: Time) -> Turn {
        let next = self.packets.pop_front();
        if next.is_none() {
            // For updates up to this time, the line was not idle.
            self.catch_up(now);
            of_each!(&mut self.average, average => average.rest(now));
        }
        self.room.go(next)
    }
}

impl BuiltIn for Red {
    type Config = RedConfig;
    const NAME: &'static str = "red";

    fn at(site: Site, config: &Self::Config) -> Red {
        let config = RedConfig {
            capacity: site.capacity,
            counts_sending: site.counts_sending,
            rate: site.rate,
            ..*config
        };
        Red::new(&config, site.chance)
    }

    fn marks(config: &Self::Config) -> bool {
        config.ecn
    }
}

impl Queue for Red {
    fn arrive(&mut self, now: Time, packet: Pending) -> Result<(), Reason> {
        self.catch_up(now);
        let held = self.room.held();
        let fits = self.room.fits(packet.size);
        let verdict = of_each!(&mut self.average, average => {
            average.judge(now, held, packet.size, fits)
        });
        let answer = match self.decide(&packet, verdict) {
            Fate::Drop => Err(Reason::Early),
            _ if !fits => Err(Reason::Full),
            fate => {
                self.room.take(packet.size);
                self.packets.push_back((packet, fate.mark()));
                Ok(())
            }
        };
        if answer.is_err() {
            of_each!(&mut self.average, average => average.note_drop(now));
        }
        answer
    }

    #[inline]
    fn turn(&mut self, now: Time, line: Line) -> Turn {
        line.if_free(|| self.serve(now))
    }

    fn state(&self) -> Option<State> {
        Some(State {
            name: "red_mean",
            value: self.mean(),
        })
    }

    fn waiting(&self) -> Waiting {
        self.room.held()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pacesim_units::{FlowId, Rate};
    use rand::SeedableRng;
    use rand::rngs::Xoshiro256PlusPlus;

    #[test]
    fn an_update_before_an_idle_time_finds_the_line_busy() {
        let ms = |n: u64| Time::from_ps(n * 1_000_000_000);
        let config = RedConfig {
            profile: RedProfile::Linux,
            adaptive: true,
            ..RedConfig::of(1000.0, 1500.0, Rate::from_mbps(1))
        };
        let mut red = Red::new(&config, Xoshiro256PlusPlus::seed_from_u64(1));
        let packet = Pending::new(0, FlowId(0), 1000);
        assert!(red.arrive(ms(0), packet).is_ok());
        assert!(matches!(red.turn(ms(0), Line::Free), Turn::Go { .. }));
        // The line finishes after the update at 512 ms, and rests; the next packet comes later.
        assert_eq!(red.turn(ms(600), Line::Free), Turn::Hold);
        assert!(red.arrive(ms(700), packet).is_ok());
        assert_eq!(red.mean(), 0.0);
        let fallen = config.max_p * 0.9;
        let is = red.max_p();
        assert!((is - fallen).abs() < 1e-6, "{is}, not {fallen}");
    }
}
