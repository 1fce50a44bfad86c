//! Pacing of payload bytes: by TCP's own timer, or by departure times for a local fq queue.

use pacesim_units::{Span, Time};

use crate::clock::Micros;
use crate::config::{Config, Pacing};

/// Number of packets at the start of a connection that are unpaced.
const FREE: u32 = 10;
const NS_PER_S: u64 = 1_000_000_000;

/// The place where packets wait for their departure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holder {
    /// Packets do not wait: only the window limits sending.
    Nobody,
    /// Packets wait in TCP itself, for a timer.
    Sender,
    /// Packets wait in the fq queue of the host; TCP sends within its window.
    Queue,
}

/// Pacing, with rates in payload bytes per second and times in nanoseconds.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// Place where packets wait.
    pub holder: Holder,
    /// The rate as a quotient, divided on demand: an unpaced sender hardly ever needs it.
    rate: (u64, u64),
    most: u64,
    /// A payload and its nanoseconds at the current rate: most packets have the same.
    length: (u32, u64),
    /// Departure of the next packet, and the first whole microsecond not before it.
    next: u64,
    wake: Time,
    sent: u32,
}

impl Pace {
    /// The pacing of a configuration, before there is a rate.
    pub fn new(config: &Config) -> Pace {
        let (holder, most) = match config.pacing {
            Pacing::Off | Pacing::Window | Pacing::WindowStrict { .. } => {
                (Holder::Nobody, u64::MAX)
            }
            Pacing::Linux | Pacing::Controller => (Holder::Queue, u64::MAX),
            Pacing::Fixed(rate) => (Holder::Sender, rate.as_bps() / 8),
        };
        Pace {
            holder,
            rate: (0, 1),
            most,
            length: (0, 0),
            next: 0,
            wake: Time::ZERO,
            sent: 0,
        }
    }

    /// True while TCP's own timer delays the next packet.
    #[inline]
    pub fn holds(&self, now: Micros) -> bool {
        self.holder == Holder::Sender && self.next > now * 1000
    }

    /// Number of nanoseconds until the next packet departs.
    #[inline]
    pub fn delay(&self, now: Micros) -> u64 {
        self.next.saturating_sub(now * 1000)
    }

    /// Time at which the next packet departs.
    pub fn next(&self) -> u64 {
        self.next
    }

    /// Time at which TCP's own timer releases the next packet.
    #[inline]
    pub fn wake(&self) -> Time {
        self.wake
    }

    /// Sets the pacing rate.
    #[inline]
    pub fn set_rate(&mut self, rate: u64) {
        self.rate = (rate.min(self.most), 1);
        self.length = (0, 0);
    }

    /// Sets the rate to a quotient; a divisor of zero counts as one.
    #[inline]
    pub fn set_quotient(&mut self, dividend: u64, divisor: u64) {
        let divisor = divisor.max(1);
        match self.holder {
            Holder::Nobody => self.rate = (dividend, divisor),
            _ => self.set_rate(dividend / divisor),
        }
    }

    /// The pacing rate.
    #[inline]
    pub fn rate(&self) -> u64 {
        let (dividend, divisor) = self.rate;
        match divisor {
            1 => dividend.min(self.most),
            _ => (dividend / divisor).min(self.most),
        }
    }

    /// [`depart`](Self::depart) for this number of packets with data while nothing is paced: they
    /// leave now.
    #[inline]
    pub fn leave_now(&mut self, now: Micros, packets: u32) {
        debug_assert!(self.holder == Holder::Nobody && self.next <= now * 1000);
        self.next = now * 1000;
        self.sent = self.sent.saturating_add(packets);
    }

    /// [`depart`](Self::depart) for a packet that nothing holds: it leaves now. True if the next one
    /// has to wait.
    #[inline(always)]
    pub fn leave_paced(&mut self, now: Micros, payload: u32) -> bool {
        debug_assert!(self.holder == Holder::Sender && self.next <= now * 1000);
        let before = std::mem::replace(&mut self.next, now * 1000);
        self.sent = self.sent.saturating_add(u32::from(payload > 0));
        if self.sent >= FREE {
            self.hold_next(payload, before);
        }
        self.wake = Time::ZERO + Span::from_us(self.next.div_ceil(1000));
        self.next > now * 1000
    }

    /// The packet behind one that leaves at `next` waits for its length; lateness of up to half of
    /// that, since the departure that was due, is made up for.
    #[inline(always)]
    fn hold_next(&mut self, payload: u32, due: u64) {
        if self.length.0 != payload {
            let length = u64::from(payload) * NS_PER_S;
            self.length = (payload, length.checked_div(self.rate()).unwrap_or(0));
        }
        let length = self.length.1;
        self.next += length - (self.next - due).min(length / 2);
    }

    /// Paces a packet of this payload, and returns its departure in nanoseconds.
    #[inline]
    pub fn depart(&mut self, now: Micros, payload: u32, packets: u32) -> u64 {
        let before = self.next;
        let departs = before.max(now * 1000);
        self.next = departs;
        if payload > 0 {
            self.sent = self.sent.saturating_add(packets);
        }
        if self.holder == Holder::Nobody {
            return departs;
        }
        if self.sent >= FREE {
            self.hold_next(payload, before);
        }
        self.wake = Time::ZERO + Span::from_us(self.next.div_ceil(1000));
        departs
    }
}
