//! CoDel: packets are dropped or marked once waiting times have exceeded a target for an interval.

mod control;

use std::collections::VecDeque;

use pacesim_units::{Bytes, Capacity, Span, Time};

pub(crate) use control::{CodelControl, Head, Law};

use crate::built_in::{BuiltIn, Site};
use crate::bypass::Bypass;
use crate::fate::Fate;
use crate::profile::Profile;
use crate::queue::{Ecn, Line, Pending, Queue, Reason, State, Turn, Waiting};
use crate::room::Room;

/// Parameters of CoDel, by default those of RFC 8289.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CodelConfig {
    /// Limit on waiting packets.
    pub capacity: Capacity,
    /// True if the packet in transmission counts towards the limit.
    pub counts_sending: bool,
    /// Acceptable standing sojourn time.
    pub target: Span,
    /// Time for which the target may be exceeded.
    pub interval: Span,
    /// Nothing is dropped while the backlog behind a packet is at most this.
    pub mtu: Bytes,
    /// True if packets are marked, where permitted, instead of dropped.
    pub ecn: bool,
    /// Sojourn time beyond which every packet is marked, where permitted.
    pub ce_threshold: Option<Span>,
    /// A sojourn time beyond which L4S packets, ECT(1), and no others are marked.
    pub l4s_threshold: Option<Span>,
    /// Reference whose details are followed.
    pub profile: Profile,
}

impl Default for CodelConfig {
    fn default() -> CodelConfig {
        let ms = |n: u64| Span::from_ps(n * 1_000_000_000);
        CodelConfig {
            capacity: Capacity::Packets(1000),
            counts_sending: false,
            target: ms(5),
            interval: ms(100),
            mtu: Bytes(1500),
            ecn: false,
            ce_threshold: None,
            l4s_threshold: None,
            profile: Profile::Rfc,
        }
    }
}

impl CodelConfig {
    /// The parameters for this port.
    pub(crate) fn before(&self, site: &Site) -> CodelConfig {
        CodelConfig {
            capacity: site.capacity,
            counts_sending: site.counts_sending,
            ..*self
        }
    }

    /// True if packets are marked, where permitted.
    pub(crate) fn marks(&self) -> bool {
        self.ecn || self.ce_threshold.or(self.l4s_threshold).is_some()
    }
}

/// A packet that waits in the queue.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Held {
    pub(crate) came: Time,
    pub(crate) key: u32,
    pub(crate) size: u32,
    pub(crate) ecn: Ecn,
}

impl Held {
    #[inline]
    pub(crate) fn new(now: Time, packet: &Pending) -> Held {
        Held {
            came: now,
            key: packet.key,
            size: packet.size,
            ecn: packet.ecn,
        }
    }
}

/// A FIFO under CoDel's control.
#[derive(Clone, Debug)]
pub struct Codel {
    law: Law,
    control: CodelControl,
    room: Room,
    packets: VecDeque<Held>,
    bypass: Bypass,
}

impl Codel {
    /// A queue without packets.
    pub fn new(config: &CodelConfig) -> Codel {
        Codel {
            law: Law::new(config),
            control: CodelControl::new(),
            room: Room::new(config.capacity, config.counts_sending),
            packets: VecDeque::new(),
            bypass: Bypass::new(config.profile),
        }
    }

    /// Number of drops and marks in the dropping state.
    pub fn count(&self) -> u32 {
        self.control.count
    }

    /// True in the dropping state.
    pub fn is_dropping(&self) -> bool {
        self.control.is_dropping()
    }
}

impl Codel {
    /// Serves the queue when the line is free.
    #[inline]
    fn serve(&mut self, now: Time) -> Turn {
        if let Some(turn) = self.bypass.turn(&mut self.room) {
            return turn;
        }
        let Some(head) = self.packets.pop_front() else {
            self.control.note_below();
            self.room.rest();
            return Turn::Hold;
        };
        let (key, size) = (head.key, head.size);
        let head = Head {
            came: head.came,
            ecn: head.ecn,
            behind: self.room.bytes() - u64::from(size),
        };
        match self.control.judge(&self.law, now, head) {
            Fate::Drop => {
                self.room.drop(size);
                Turn::Drop(key, Reason::Early)
            }
            fate => {
                self.room.send(size);
                let mark = fate.mark();
                Turn::Go { key, mark }
            }
        }
    }
}

impl BuiltIn for Codel {
    type Config = CodelConfig;
    const NAME: &'static str = "codel";

    fn at(site: Site, config: &Self::Config) -> Codel {
        Codel::new(&config.before(&site))
    }

    fn marks(config: &Self::Config) -> bool {
        config.marks()
    }
}

impl Queue for Codel {
    #[inline]
    fn arrive(&mut self, now: Time, packet: Pending) -> Result<(), Reason> {
        if !self.room.fits(packet.size) {
            return Err(Reason::Full);
        }
        let is_alone = self.room.packets() == 0;
        self.room.take(packet.size);
        if !(is_alone && self.bypass.takes(&packet)) {
            self.packets.push_back(Held::new(now, &packet));
        }
        Ok(())
    }

    #[inline]
    fn turn(&mut self, now: Time, line: Line) -> Turn {
        line.if_free(|| self.serve(now))
    }

    fn state(&self) -> Option<State> {
        Some(State {
            name: "codel_count",
            value: f64::from(self.count()),
        })
    }

    fn waiting(&self) -> Waiting {
        self.room.held()
    }
}
