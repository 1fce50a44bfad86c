//! DualPI2: a queue for L4S flows beside one for classic flows, coupled by a PI controller (RFC
//! 9332).

mod linux;
mod rfc;

use std::collections::VecDeque;

use pacesim_units::{Bytes, Capacity, Span, Time};

use crate::built_in::{BuiltIn, Site};
use crate::chance::Chance;
use crate::fate::Fate;
use crate::periods::Periods;
use crate::profile::Profile;
use crate::queue::{Ecn, Line, Mark, Pending, Queue, Reason, State, Turn, Waiting};
use crate::room::Room;
use linux::LinuxControl;
use rfc::RfcControl;

/// The threshold (step) at which packets of the L4S queue are marked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Packets that waited longer. By RFC 9332: from 2/3 of this on, with a probability that rises
    /// to 1.
    Sojourn(Span),
    /// A step in packets: a packet is marked if it leaves more packets behind.
    Packets(u32),
}

/// Parameters of DualPI2. Weights are in 1/256 Hz.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DualPi2Config {
    /// The limit on waiting packets in both queues.
    pub capacity: Capacity,
    /// True if the packet in transmission counts towards the limit.
    pub counts_sending: bool,
    /// Target of the queueing delay.
    pub target: Span,
    /// Time between two updates of the probability.
    pub update: Span,
    /// Time of the first update.
    pub first_update: Time,
    /// Weight of the delay's distance from its target.
    pub alpha: u32,
    /// Weight of the delay's change.
    pub beta: u32,
    /// Step of the L4S queue.
    pub step: Step,
    /// The step marks only packets that found at least this many others in the L4S queue.
    pub min_qlen_step: u32,
    /// Factor by which the base probability is multiplied for marks of L4S packets.
    pub coupling: u32,
    /// True if L4S packets are dropped under overload; otherwise the base probability is limited to
    /// 1 / coupling.
    pub drop_overload: bool,
    /// True if packets are dropped or marked on arrival instead of on departure.
    pub drop_early: bool,
    /// Least percentage of the line for classic flows.
    pub c_protection: u8,
    /// The bits of the ECN field that make a packet L4S: 1 for ECT(1) and CE, 3 for ECT(0) as well.
    pub ecn_mask: u8,
    /// Size of the largest packet.
    pub mtu: Bytes,
    /// True if a decrease of the probability by one or more wraps around, as in Linux.
    pub wraps: bool,
    /// Reference whose details are followed.
    pub profile: Profile,
}

impl Default for DualPi2Config {
    /// The parameters of appendix A of the RFC.
    fn default() -> DualPi2Config {
        let ms = |n: u64| Span::from_ps(n * 1_000_000_000);
        DualPi2Config {
            capacity: Capacity::Packets(10_000),
            counts_sending: false,
            target: ms(15),
            update: ms(15),
            first_update: Time::ZERO + ms(15),
            alpha: 38,
            beta: 768,
            step: Step::Sojourn(Span::from_ps(1_200_000_000)),
            min_qlen_step: 0,
            coupling: 2,
            drop_overload: true,
            drop_early: false,
            c_protection: 10,
            ecn_mask: 1,
            mtu: Bytes(1500),
            wraps: false,
            profile: Profile::Rfc,
        }
    }
}

impl DualPi2Config {
    /// The default parameters of Linux.
    pub fn linux() -> DualPi2Config {
        let update = Span::from_ps(16_000_000_000);
        DualPi2Config {
            update,
            first_update: Time::ZERO + update,
            alpha: 41,
            beta: 819,
            step: Step::Sojourn(Span::from_ps(1_000_000_000)),
            profile: Profile::Linux,
            ..DualPi2Config::default()
        }
    }
}

/// The queue that a packet joins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Class {
    Classic,
    L4s,
}

/// A packet that waits in one of the queues.
#[derive(Clone, Copy, Debug, Default)]
struct Held {
    came: Time,
    key: u32,
    size: u32,
    ecn: Ecn,
    /// True if the step applies to the packet.
    has_step: bool,
    /// Reason for the packet's mark, if it was marked on arrival.
    mark: Option<Mark>,
}

/// A packet for which a control draws: at the tail of its queue with early draws, otherwise about
/// to leave.
#[derive(Clone, Copy, Debug)]
struct Drawn {
    key: u32,
    ecn: Ecn,
    class: Class,
    /// Number of bytes in both queues, excluding the packet.
    backlog: u64,
    /// Time of the packet in the queue and, if the step applies, the packets behind it in its own
    /// queue.
    native: Option<(Span, u32)>,
}

/// The control rules of one of the references.
#[derive(Clone, Debug)]
enum ReferenceRules {
    Rfc(RfcControl),
    Linux(LinuxControl),
}

macro_rules! of_each {
    ($control:expr, $inner:ident => $answer:expr) => {
        pacesim_units::dispatch!($control, ReferenceRules { Rfc, Linux }, $inner => $answer)
    };
}

/// A discipline of two FIFOs before one line.
#[derive(Debug)]
pub struct DualPi2 {
    config: DualPi2Config,
    control: ReferenceRules,
    updates: Periods,
    room: Room,
    /// Both queues, in the order of [`Class`].
    queues: [VecDeque<Held>; 2],
    /// Credit of the classic queue: the L4S queue is served first unless this is above zero.
    credit: i64,
    /// The change of the credit per byte of each class sent while the other waits.
    charges: [i64; 2],
    chance: Box<dyn Chance>,
}

impl DualPi2 {
    /// A queue without packets, which draws from `chance`.
    pub fn new(config: &DualPi2Config, chance: impl Into<Box<dyn Chance>>) -> DualPi2 {
        let classic = i64::from(config.c_protection);
        let mut queue = DualPi2 {
            config: *config,
            control: match config.profile {
                Profile::Rfc => ReferenceRules::Rfc(RfcControl::new(config)),
                Profile::Linux => ReferenceRules::Linux(LinuxControl::new(config)),
            },
            updates: Periods::new(config.first_update, config.update),
            room: Room::new(config.capacity, config.counts_sending),
            queues: Default::default(),
            credit: 0,
            charges: [classic - 100, classic],
            chance: chance.into(),
        };
        queue.reset_credit();
        queue
    }

    /// The base probability after its last update.
    pub fn probability(&self) -> f64 {
        of_each!(&self.control, control => control.probability())
    }

    /// The packets waiting in the classic queue, and in the L4S queue.
    pub fn lengths(&self) -> [usize; 2] {
        self.queues.each_ref().map(VecDeque::len)
    }

    /// Updates the probability for the periods that ended before `now`, and calls the function with
    /// the time and the probability of each.
    pub fn catch_up_with(&mut self, now: Time, mut note: impl FnMut(Time, f64)) {
        while let Some(at) = self.updates.due_before(now) {
            let ages = self.queues.each_ref().map(|queue| {
                let head = queue.front();
                head.map_or(Span::ZERO, |head| at.saturating_since(head.came))
            });
            let delay = ages[0].max(ages[1]);
            of_each!(&mut self.control, control => {
                control.update(delay);
                note(at, control.probability());
                if self.room.packets() == 0 && control.is_at_rest() {
                    self.updates.skip_before(now);
                }
            });
        }
    }

    #[inline]
    fn catch_up(&mut self, now: Time) {
        if self.updates.is_due_before(now) {
            self.update(now);
        }
    }

    #[cold]
    fn update(&mut self, now: Time) {
        self.catch_up_with(now, |_, _| {});
    }

    fn reset_credit(&mut self) {
        self.credit = self.config.mtu.get() as i64 * (self.charges[0] + self.charges[1]);
    }

    /// Number of packets in the L4S queue.
    #[inline]
    fn l4s_packets(&self) -> u32 {
        self.queues[Class::L4s as usize].len() as u32
    }

    #[inline]
    fn class(&self, ecn: Ecn) -> Class {
        match ecn as u8 & self.config.ecn_mask {
            0 => Class::Classic,
            _ => Class::L4s,
        }
    }

    /// Decides on a packet at its arrival.
    #[cold]
    fn arrive_early(&mut self, now: Time, packet: &Pending, class: Class) -> Result<(), Reason> {
        let drawn = Drawn {
            key: packet.key,
            ecn: packet.ecn,
            class,
            backlog: self.room.bytes(),
            native: None,
        };
        let chance = &mut *self.chance;
        match of_each!(&mut self.control, control => control.draw(&drawn, chance)) {
            Fate::Drop => Err(Reason::Early),
            fate => {
                self.hold(now, packet, class, fate.mark());
                Ok(())
            }
        }
    }

    #[inline]
    fn hold(&mut self, now: Time, packet: &Pending, class: Class, mark: Option<Mark>) {
        let held = Held {
            came: now,
            key: packet.key,
            size: packet.size,
            ecn: packet.ecn,
            has_step: self.l4s_packets() >= self.config.min_qlen_step,
            mark,
        };
        self.queues[class as usize].push_back(held);
        self.room.take(packet.size);
    }

    /// Decides on a packet at its departure.
    #[inline(always)]
    fn leaves(&mut self, now: Time, held: &Held, class: Class) -> Fate {
        let native =
            (class == Class::L4s && held.has_step).then(|| (now - held.came, self.l4s_packets()));
        let drawn = Drawn {
            key: held.key,
            ecn: held.ecn,
            class,
            backlog: self.room.bytes() - u64::from(held.size),
            native,
        };
        let draws = !self.config.drop_early;
        let chance = &mut *self.chance;
        of_each!(&mut self.control, control => control.leave(&drawn, draws, chance))
    }
}

impl DualPi2 {
    /// Serves the queues when the line is free.
    #[inline]
    fn serve(&mut self, now: Time) -> Turn {
        self.catch_up(now);
        let [classic, l4s] = &self.queues;
        let is_both = !classic.is_empty() && !l4s.is_empty();
        let turn = if classic.is_empty() || (is_both && self.credit <= 0) {
            self.send(now, Class::L4s, is_both)
        } else {
            self.send(now, Class::Classic, is_both)
        };
        turn.unwrap_or_else(|| {
            self.reset_credit();
            self.room.rest();
            Turn::Hold
        })
    }

    /// Sends or drops the head of this class's queue, if there is one; charges it if the other
    /// queue waits.
    #[inline(always)]
    fn send(&mut self, now: Time, class: Class, is_charged: bool) -> Option<Turn> {
        let held = self.queues[class as usize].pop_front()?;
        let (key, size) = (held.key, held.size);
        let fate = self.leaves(now, &held, class);
        if fate == Fate::Drop {
            self.room.drop(size);
            return Some(Turn::Drop(key, Reason::Early));
        }
        if is_charged {
            self.credit += self.charges[class as usize] * i64::from(size);
        }
        self.room.send(size);
        let mark = held.mark.or(fate.mark());
        Some(Turn::Go { key, mark })
    }
}

impl BuiltIn for DualPi2 {
    type Config = DualPi2Config;
    const NAME: &'static str = "dualpi2";

    fn at(site: Site, config: &Self::Config) -> DualPi2 {
        let config = DualPi2Config {
            capacity: site.capacity,
            counts_sending: site.counts_sending,
            ..*config
        };
        DualPi2::new(&config, site.chance)
    }

    fn marks(_: &Self::Config) -> bool {
        true
    }

    fn class_of(config: &Self::Config, _: u16, ecn: Ecn) -> Option<usize> {
        Some(usize::from(ecn as u8 & config.ecn_mask != 0))
    }
}

impl Queue for DualPi2 {
    #[inline]
    fn arrive(&mut self, now: Time, packet: Pending) -> Result<(), Reason> {
        self.catch_up(now);
        if !self.room.fits(packet.size) {
            return Err(Reason::Full);
        }
        let class = self.class(packet.ecn);
        if self.config.drop_early {
            return self.arrive_early(now, &packet, class);
        }
        self.hold(now, &packet, class, None);
        Ok(())
    }

    #[inline]
    fn turn(&mut self, now: Time, line: Line) -> Turn {
        line.if_free(|| self.serve(now))
    }

    fn state(&self) -> Option<State> {
        Some(State {
            name: "dualpi2_probability",
            value: self.probability(),
        })
    }

    fn waiting(&self) -> Waiting {
        self.room.held()
    }
}
