//! Delayed ACKs: for a second packet, by a timer in ticks, or compressed where much is out of
//! order.

use pacesim_tcp_linux::Ticks;
use pacesim_units::{Span, Time};

use super::{Micros, micros};

/// Fractions of a second: the least and the greatest delay of an ACK.
const LEAST: u64 = 25;
const MOST: u64 = 5;
/// Duplicates sent at once; later ones may wait for this time, or a twentieth of a round trip.
const PROMPT_DUPLICATES: u32 = 3;
const COMPRESSION: Span = Span::from_ms(1);
/// Slack of the timer of such ACKs, used in full where nothing else wakes the host.
const SLACK: Span = Span::from_us(100);
const MOST_COMPRESSED: u32 = 44;
/// The minimum time-out compared with gaps between packets.
const LEAST_RTO: Micros = 200_000;

/// The fate of an ACK that is not urgent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AckTiming {
    Send,
    Wait,
}

#[derive(Debug)]
pub(super) struct Delay {
    pub(super) ticks: Ticks,
    /// Number of quick ACKs that remain.
    pub(super) quick: u32,
    /// The estimated delay, in ticks; the time-out of this end; the tick of the last data.
    wait: u64,
    rto: u64,
    last_arrival: u64,
    /// Round trip of the handshake in eighths of microseconds.
    handshake8: Option<Micros>,
    /// Flags: an ACK is due; at once; when the application has read all.
    pub(super) scheduled: bool,
    pub(super) at_once: bool,
    pub(super) pushed: bool,
    /// The tick that the ACK waits for, and the expiry of the wheel's timer, which may outlive its
    /// ACK.
    until: Option<u64>,
    wheel: Time,
    /// Number of compressed ACKs, and the delay of their timer.
    compressed: u32,
    compressed_until: Time,
    duplicates: u32,
    duplicates_of: u32,
    armed: Time,
}

impl Delay {
    pub(super) fn new(ticks: Ticks) -> Delay {
        Delay {
            quick: 0,
            wait: 0,
            rto: ticks.per_second(),
            last_arrival: 0,
            handshake8: None,
            scheduled: false,
            at_once: false,
            pushed: false,
            until: None,
            wheel: Time::NEVER,
            compressed: 0,
            compressed_until: Time::NEVER,
            duplicates: 0,
            duplicates_of: 0,
            armed: Time::ZERO,
            ticks,
        }
    }

    fn tick(&self, now: Time) -> u64 {
        self.ticks.at(micros(now))
    }

    fn least(&self) -> u64 {
        self.ticks.per_second() / LEAST
    }

    fn most(&self) -> u64 {
        self.ticks.per_second() / MOST
    }

    /// Opens the connection, established at this time after a handshake of this length.
    pub(super) fn open(&mut self, established: Micros, round_trip: Option<Micros>) {
        self.last_arrival = self.ticks.at(established);
        if let Some(round_trip) = round_trip {
            self.handshake8 = Some(8 * round_trip);
            let rto = round_trip + (2 * round_trip).max(LEAST_RTO);
            self.rto = self.ticks.covering(rto);
        }
    }

    /// Makes the next ACKs quick: at most `most`, and no more than the packets in half a window.
    pub(super) fn hurry(&mut self, most: u32, half_window: u32) {
        let packets = match half_window {
            0 => 2,
            packets => packets,
        };
        self.quick = self.quick.max(most.min(packets));
    }

    pub(super) fn reset_wait(&mut self) {
        self.wait = self.least();
    }

    /// Data arrived in order: the delay follows the gaps; true if quick ACKs begin again, at the
    /// start or after a long silence. It is not the start if an ACK of data out of order was quick
    /// already.
    #[inline]
    pub(super) fn note_data(&mut self, now: Time) -> bool {
        let tick = self.tick(now);
        let gap = tick - std::mem::replace(&mut self.last_arrival, tick);
        let least = self.least();
        if self.wait == 0 {
            self.reset_wait();
            return true;
        }
        if gap <= least / 2 {
            self.wait = self.wait / 2 + least / 2;
        } else if gap < self.wait {
            self.wait = (self.wait / 2 + gap).min(self.rto).min(self.most());
        } else {
            return gap > self.rto;
        }
        false
    }

    /// Notes that an ACK has been sent.
    #[inline]
    pub(super) fn sent(&mut self) {
        self.compressed = 0;
        self.compressed_until = Time::NEVER;
        let counted = u32::from(self.scheduled);
        if self.quick > 0 {
            self.quick = self.quick.saturating_sub(counted);
            if self.quick == 0 {
                self.reset_wait();
            }
        }
        self.scheduled = false;
        self.at_once = false;
        self.pushed = false;
        self.until = None;
    }

    /// Delays the ACK for a second packet, unless its timer is about to expire.
    pub(super) fn put_off(&mut self, now: Time) -> AckTiming {
        let tick = self.tick(now);
        let mut wait = self.wait;
        if wait > self.least() {
            let most = if self.pushed {
                self.most()
            } else {
                self.ticks.per_second() / 2
            };
            let known = self
                .handshake8
                .map(|eighths| self.ticks.covering(eighths / 8));
            let round_trip = known.map_or(most, |ticks| ticks.max(self.least()));
            wait = wait.min(most).min(round_trip);
        }
        wait = wait.min(self.most());
        let mut until = tick + wait;
        if let Some(before) = self.until {
            if before <= tick + wait / 4 {
                return AckTiming::Send;
            }
            until = until.min(before);
        }
        self.until = Some(until);
        self.set_wheel(now, tick, until);
        AckTiming::Wait
    }

    fn set_wheel(&mut self, now: Time, tick: u64, until: u64) {
        self.wheel = self.ticks.begin(self.ticks.rounded(tick, until));
        self.armed = now;
    }

    /// Handles a gap in the data: the first ACKs are sent at once, others are compressed.
    pub(super) fn compress(&mut self, now: Time, next: u32, round_trip8: Micros) -> AckTiming {
        if self.compressed >= MOST_COMPRESSED {
            return AckTiming::Send;
        }
        if self.duplicates_of != next {
            self.duplicates_of = next;
            self.duplicates = 0;
        }
        if self.duplicates < PROMPT_DUPLICATES {
            self.duplicates += 1;
            return AckTiming::Send;
        }
        self.compressed += 1;
        if self.compressed_until == Time::NEVER {
            let round_trip8 = self.handshake8.unwrap_or(u64::MAX).min(round_trip8);
            let part = Span::from_ns(round_trip8.saturating_mul(125) / 20);
            self.compressed_until = now.saturating_add(COMPRESSION.min(part) + SLACK);
            self.armed = now;
        }
        AckTiming::Wait
    }

    /// True if an ACK is delayed for a second packet.
    pub(super) fn is_waiting(&self) -> bool {
        self.until.is_some()
    }

    /// Asks for another ACK at once.
    pub(super) fn ask_again(&mut self, now: Time) {
        self.armed = now;
    }

    /// True if ACKs are being compressed.
    pub(super) fn is_compressing(&self) -> bool {
        self.compressed > 0
    }

    /// The next expiry of a timer; a wheel's timer that expired unseen is over.
    #[inline]
    pub(super) fn next(&self, now: Time) -> Time {
        let wheel = if self.until.is_some() || (self.compressed > 0 && self.wheel > now) {
            self.wheel
        } else {
            Time::NEVER
        };
        wheel.min(self.compressed_until)
    }

    pub(super) fn armed(&self) -> Time {
        self.armed
    }

    /// True if the timer of compressed ACKs has expired.
    pub(super) fn ends_compression(&self, now: Time) -> bool {
        self.compressed_until <= now
    }

    /// Handles timers that may have expired: true if an ACK must be sent.
    pub(super) fn end_timers(&mut self, now: Time) -> bool {
        if self.ends_compression(now) {
            self.compressed_until = Time::NEVER;
            return true;
        }
        if self.wheel > now {
            return false;
        }
        self.wheel = Time::NEVER;
        if self.compressed > 0 {
            return true;
        }
        let tick = self.tick(now);
        match self.until {
            Some(until) if until > tick => self.set_wheel(now, tick, until),
            Some(_) => {
                self.until = None;
                self.wait = (2 * self.wait).min(self.rto).min(self.most());
                return self.scheduled;
            }
            None => {}
        }
        false
    }
}
