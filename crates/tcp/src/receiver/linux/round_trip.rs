//! The round trip as estimated by the receiver, for its buffer and for compressed ACKs
//! (tcp_rcv_rtt_measure).

use pacesim_units::Time;

use super::{Arrival, Micros, micros};

/// Lateness up to which an ACK is still taken as the one that released a packet.
const SLACK: Micros = 100;
/// Number of packets that leave after the answer to the SYN.
const FIRST_FLIGHT: u32 = 10;

#[derive(Debug, Default)]
pub(super) struct RoundTrip {
    /// Round-trip time in eighths of microseconds; 0 before the first estimate.
    pub(super) eighths: Micros,
    /// The end of a window of data, and the time at which the window before it was full.
    window: Option<(u64, Micros)>,
    last_echo: Option<u64>,
    /// The lead of the timestamp clock over time zero.
    pub(super) phase: Micros,
    /// Time of the last reading of the timestamp clock.
    clock: Micros,
    /// When recent ACKs were sent, and their timestamps: the last that has let a packet leave, and later ones.
    answered: Option<(Micros, Micros)>,
    acks: Acks,
    /// The delay of ACKs on their way to the sender.
    back: Option<Micros>,
    /// Time at which the SYN was answered, and its delay.
    opened: Option<Micros>,
    forth: Micros,
}

/// ACKs on their way, in a ring with a power of two of places, or none.
#[derive(Debug, Default)]
struct Acks {
    places: Vec<(Micros, Micros)>,
    first: usize,
    end: usize,
}

impl Acks {
    #[inline]
    fn push(&mut self, ack: (Micros, Micros)) {
        if self.end - self.first == self.places.len() {
            self.widen();
        }
        let place = self.end & (self.places.len() - 1);
        self.places[place] = ack;
        self.end += 1;
    }

    #[inline]
    fn front(&self) -> Option<(Micros, Micros)> {
        let place = self.first & self.places.len().wrapping_sub(1);
        (self.first != self.end).then(|| self.places[place])
    }

    #[cold]
    fn widen(&mut self) {
        let places = (2 * self.places.len()).max(4);
        let mut wider = vec![(0, 0); places];
        while let Some(ack) = self.front() {
            wider[self.first & (places - 1)] = ack;
            self.first += 1;
        }
        self.first = self.end - self.places.len();
        self.places = wider;
    }
}

impl RoundTrip {
    /// Answers the SYN, which was sent at this time.
    pub(super) fn open(&mut self, now: Time, sent: Time) {
        self.opened = Some(micros(now));
        self.forth = micros(now).saturating_sub(micros(sent));
        self.answered = None;
        self.acks.first = self.acks.end;
        self.read_clock(now);
        self.note_ack(now);
    }

    /// Reads the clock: at each packet and for a delayed ACK, but not for compressed ACKs.
    pub(super) fn read_clock(&mut self, now: Time) {
        self.clock = micros(now);
    }

    /// Notes an ACK that is sent.
    #[inline]
    pub(super) fn note_ack(&mut self, now: Time) {
        self.acks.push((micros(now), self.clock));
    }

    /// Derives the delay of ACKs from the first packet, then the round trip of the handshake, if it
    /// had a SYN. Data may have waited behind others of their flight, unlike the ACK that ends a
    /// handshake.
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
            // Without a SYN both directions are assumed to have equal delays.
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

    /// Measures the time since departure of the ACK that released a packet, by the packet's echoed
    /// timestamp.
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

    /// The timestamp of the last ACK that had arrived when the packet left, assuming the delay of
    /// the first ACK.
    #[inline]
    fn likely_echo(&mut self, sent: Time) -> Option<Micros> {
        let (sent, back) = (micros(sent), self.back?);
        let arrived = |ack: &(Micros, Micros)| ack.0 + back <= sent + SLACK;
        while let Some(ack) = self.acks.front().filter(arrived) {
            self.answered = Some(ack);
            self.acks.first += 1;
        }
        let last = self.answered.as_ref().filter(|ack| arrived(ack));
        last.map(|(_, stamp)| *stamp)
    }

    /// Data up to byte `received` arrived in order: a window of data takes at most a round trip.
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
