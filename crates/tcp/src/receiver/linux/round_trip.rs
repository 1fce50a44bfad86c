//! The round trip as the receiver sees it, for its buffer and for ACKs that wait (tcp_rcv_rtt_measure).

use std::collections::VecDeque;

use pacesim_units::Time;

use super::{Arrival, Micros, micros};

/// An ACK that arrives so much later than expected is still taken as the one that let a packet leave.
const SLACK: Micros = 100;
/// Packets that leave once the answer to the SYN has come.
const FIRST_FLIGHT: u32 = 10;

#[derive(Debug, Default)]
pub(super) struct RoundTrip {
    /// Eighths of microseconds; 0: not known yet.
    pub(super) eighths: Micros,
    /// The end of a window of data, and when the window before it had been filled.
    window: Option<(u64, Micros)>,
    last_echo: Option<u64>,
    /// The clock of time-stamps is ahead of time zero.
    pub(super) phase: Micros,
    /// When the clock of time-stamps was read last.
    clock: Micros,
    /// When recent ACKs were sent, and their time-stamps: the last that has let a packet leave, and later ones.
    answered: Option<(Micros, Micros)>,
    acks: VecDeque<(Micros, Micros)>,
    /// The time that ACKs take to the sender.
    back: Option<Micros>,
    /// When the SYN was answered, and the time it took to come.
    opened: Option<Micros>,
    forth: Micros,
}

impl RoundTrip {
    /// The SYN is answered, which was sent at this time.
    pub(super) fn open(&mut self, now: Time, sent: Time) {
        self.opened = Some(micros(now));
        self.forth = micros(now).saturating_sub(micros(sent));
        self.answered = None;
        self.acks.clear();
        self.read_clock(now);
        self.note_ack(now);
    }

    /// Reads the clock: at each packet and for a delayed ACK, but not for ACKs that waited for others.
    pub(super) fn read_clock(&mut self, now: Time) {
        self.clock = micros(now);
    }

    /// An ACK is sent.
    #[inline]
    pub(super) fn note_ack(&mut self, now: Time) {
        self.acks.push_back((micros(now), self.clock));
    }

    /// The first packet tells how long ACKs travel: then the round trip of the handshake, if it had a SYN. Data may have
    /// waited behind others of their flight, which an ACK that ends a handshake did not.
    #[inline]
    pub(super) fn establish(&mut self, now: Time, arrival: &Arrival) -> Option<Option<Micros>> {
        if self.back.is_some() {
            return None;
        }
        let sent = micros(arrival.stamp);
        let back = match self.opened {
            Some(opened) if arrival.seq <= FIRST_FLIGHT && !arrival.again => {
                sent.saturating_sub(opened)
            }
            Some(_) => self.forth,
            // Without a SYN both ways are taken as equally long.
            None => micros(now).saturating_sub(sent),
        };
        self.back = Some(back);
        let trip = self.opened.map(|_| (back + self.forth).max(1));
        Some(trip.map(|trip| trip.min(self.since_opened(now))))
    }

    pub(super) fn since_opened(&self, now: Time) -> Micros {
        let opened = self.opened.unwrap_or_default();
        micros(now).saturating_sub(opened).max(1)
    }

    /// The time-stamp that a packet echoes tells how long ago the ACK left that let it leave.
    #[inline]
    pub(super) fn measure(&mut self, now: Time, arrival: &Arrival, is_full: bool) {
        let Some(echo) = arrival
            .echo
            .map(micros)
            .or_else(|| self.likely_echo(arrival.stamp))
        else {
            return;
        };
        let now = micros(now);
        let echo = (echo + self.phase) / 1000;
        if self.last_echo.replace(echo) == Some(echo) || !is_full {
            return;
        }
        let sample = ((now + self.phase) / 1000).saturating_sub(echo) * 1000;
        if sample > 0 {
            self.eighths = match self.eighths {
                old if old == 0 || 8 * sample < old => 8 * sample,
                old => old - old / 8 + sample,
            };
        }
    }

    /// The time-stamp of the last ACK that had arrived as the packet left, if ACKs travel as long as the first did.
    #[inline]
    fn likely_echo(&mut self, sent: Time) -> Option<Micros> {
        let (sent, back) = (micros(sent), self.back?);
        let arrived = |ack: &(Micros, Micros)| ack.0 + back <= sent + SLACK;
        while self.acks.front().is_some_and(arrived) {
            self.answered = self.acks.pop_front();
        }
        let last = self.answered.as_ref().filter(|ack| arrived(ack));
        last.map(|(_, stamp)| *stamp)
    }

    /// Data up to byte `received` came in order: a window of data takes a round trip at most.
    #[inline]
    pub(super) fn measure_window(&mut self, now: Time, received: u64, window: u64) {
        let now = micros(now);
        if let Some((end, since)) = self.window {
            if received < end {
                return;
            }
            let eighths = 8 * (now - since).max(1);
            if self.eighths == 0 || eighths < self.eighths {
                self.eighths = eighths;
            }
        }
        self.window = Some((received + window, now));
    }
}
