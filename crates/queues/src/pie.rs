//! PIE: packets are dropped or marked on arrival, with a probability that follows the delay (RFC
//! 8033).

mod linux;
mod rfc;

use std::collections::VecDeque;

use pacesim_units::{Bytes, Capacity, Span, Time};

use crate::built_in::{BuiltIn, Site};
use crate::chance::{Chance, Signal};
use crate::codel::Held;
use crate::fate::Fate;
use crate::periods::Periods;
use crate::profile::Profile;
use crate::queue::{Line, Mark, Pending, Queue, Reason, State, Turn, Waiting};
use crate::room::Room;
use linux::LinuxControl;
use rfc::RfcControl;

/// Parameters of PIE, by default those of RFC 8033.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PieConfig {
    /// Limit on waiting packets.
    pub capacity: Capacity,
    /// True if the packet in transmission counts towards the limit.
    pub counts_sending: bool,
    /// Target of the queueing delay.
    pub target: Span,
    /// Time between two updates of the probability.
    pub update: Span,
    /// Time of the first update.
    pub first_update: Time,
    /// The weight of the delay's distance from its target, in sixteenths of 1/s.
    pub alpha: u32,
    /// Weight of the delay's change, in sixteenths of 1/s.
    pub beta: u32,
    /// Size of the largest packet.
    pub mtu: Bytes,
    /// True if packets are marked, where permitted, while the probability is small.
    pub ecn: bool,
    /// True if small packets are dropped more rarely.
    pub bytemode: bool,
    /// True if drops are spread: none before the accumulated probability since the last one reaches
    /// 0.85, a certain one at 8.5.
    pub derandomize: bool,
    /// True if the delay is the backlog divided by an estimate of the rate, instead of the delay of
    /// the last departure (Linux only).
    pub rate_estimator: bool,
    /// Reference whose details are followed.
    pub profile: Profile,
}

impl Default for PieConfig {
    fn default() -> PieConfig {
        let update = Span::from_ps(15_000_000_000);
        PieConfig {
            capacity: Capacity::Packets(1000),
            counts_sending: false,
            target: update,
            update,
            first_update: Time::ZERO + update,
            alpha: 2,
            beta: 20,
            mtu: Bytes(1500),
            ecn: false,
            bytemode: false,
            derandomize: true,
            rate_estimator: false,
            profile: Profile::Rfc,
        }
    }
}

impl PieConfig {
    /// Linux's times for an update period at ticks of 4 ms (HZ 250): rounded up to ticks plus one;
    /// the first update half a second after its creation, rounded up to the resolution of timers
    /// that far ahead.
    pub fn linux(self, asked: Span) -> PieConfig {
        let tick = 4_000_000_000;
        let ticks = asked.as_ps().div_ceil(tick) + 1;
        PieConfig {
            update: Span::from_ps(ticks * tick),
            first_update: Time::from_ps(510_000_000_000),
            profile: Profile::Linux,
            ..self
        }
    }
}

/// The control rules of one of the references.
#[derive(Clone, Debug)]
enum ReferenceRules {
    Rfc(RfcControl),
    Linux(LinuxControl),
}

/// The decision of a control on an arriving packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ArrivalDecision {
    Take,
    /// The packet is dropped or marked with this probability, relative to a whole.
    Draw(u64, u64),
    /// The packet is certainly dropped or marked.
    Strike,
}

macro_rules! of_each {
    ($control:expr, $inner:ident => $answer:expr) => {
        pacesim_units::dispatch!($control, ReferenceRules { Rfc, Linux }, $inner => $answer)
    };
}

/// A FIFO that drops at random on arrival.
#[derive(Debug)]
pub struct Pie {
    ecn: bool,
    control: ReferenceRules,
    updates: Periods,
    room: Room,
    /// The packets, and the reasons for the marks of those that are marked.
    packets: VecDeque<(Held, Option<Mark>)>,
    chance: Box<dyn Chance>,
}

impl Pie {
    /// A queue without packets that draws from `chance`.
    pub fn new(config: &PieConfig, chance: impl Into<Box<dyn Chance>>) -> Pie {
        Pie {
            ecn: config.ecn,
            control: match config.profile {
                Profile::Rfc => ReferenceRules::Rfc(RfcControl::new(config)),
                Profile::Linux => ReferenceRules::Linux(LinuxControl::new(config)),
            },
            updates: Periods::new(config.first_update, config.update),
            room: Room::new(config.capacity, config.counts_sending),
            packets: VecDeque::new(),
            chance: chance.into(),
        }
    }

    /// The probability of a drop, after its last update. Linux's may be above 1.
    pub fn probability(&self) -> f64 {
        of_each!(&self.control, control => control.probability())
    }

    #[inline]
    fn catch_up(&mut self, now: Time) {
        self.catch_up_with(now, |_, _| {});
    }

    /// Updates the probability for the periods that ended before `now`, and calls the function with
    /// the time and the probability of each.
    pub fn catch_up_with(&mut self, now: Time, mut note: impl FnMut(Time, f64)) {
        while let Some(at) = self.updates.due_before(now) {
            let (backlog, is_at_rest) = (self.room.bytes(), self.room.packets() == 0);
            of_each!(&mut self.control, control => {
                control.update(backlog);
                note(at, control.probability());
                if is_at_rest && control.is_at_rest() {
                    self.updates.skip_before(now);
                }
            });
        }
    }

    /// Decides on an arriving packet.
    #[inline]
    fn decide(&mut self, packet: &Pending) -> Fate {
        let backlog = self.room.held();
        let verdict = of_each!(&mut self.control, control => control.judge(backlog, packet.size));
        let marks = self.ecn
            && packet.ecn.is_capable()
            && of_each!(&self.control, control => control.may_mark());
        let signal = if marks { Signal::Mark } else { Signal::Drop };
        let mark = match verdict {
            ArrivalDecision::Take => return Fate::Pass,
            ArrivalDecision::Strike => Mark::Forced,
            ArrivalDecision::Draw(part, whole) => {
                if !self.chance.strikes(packet.key, signal, part, whole) {
                    return Fate::Pass;
                }
                of_each!(&mut self.control, control => control.start_over());
                Mark::Probability
            }
        };
        if marks { Fate::Mark(mark) } else { Fate::Drop }
    }
}

impl Pie {
    /// Serves the queue when the line is free.
    #[inline]
    fn serve(&mut self, now: Time) -> Turn {
        self.catch_up(now);
        let Some((head, mark)) = self.packets.pop_front() else {
            self.room.rest();
            of_each!(&mut self.control, control => control.rest());
            return Turn::Hold;
        };
        self.room.send(head.size);
        let behind = self.room.bytes();
        of_each!(&mut self.control, control => control.send(now, &head, behind));
        Turn::Go {
            key: head.key,
            mark,
        }
    }
}

impl BuiltIn for Pie {
    type Config = PieConfig;
    const NAME: &'static str = "pie";

    fn at(site: Site, config: &Self::Config) -> Pie {
        let config = PieConfig {
            capacity: site.capacity,
            counts_sending: site.counts_sending,
            ..*config
        };
        Pie::new(&config, site.chance)
    }

    fn marks(config: &Self::Config) -> bool {
        config.ecn
    }
}

impl Queue for Pie {
    fn arrive(&mut self, now: Time, packet: Pending) -> Result<(), Reason> {
        self.catch_up(now);
        let refused = if self.room.fits(packet.size) {
            match self.decide(&packet) {
                Fate::Drop => Reason::Early,
                fate => {
                    self.room.take(packet.size);
                    let held = Held::new(now, &packet);
                    self.packets.push_back((held, fate.mark()));
                    return Ok(());
                }
            }
        } else {
            Reason::Full
        };
        of_each!(&mut self.control, control => control.start_over());
        Err(refused)
    }

    #[inline]
    fn turn(&mut self, now: Time, line: Line) -> Turn {
        line.if_free(|| self.serve(now))
    }

    fn state(&self) -> Option<State> {
        Some(State {
            name: "pie_probability",
            value: self.probability(),
        })
    }

    fn waiting(&self) -> Waiting {
        self.room.held()
    }
}
