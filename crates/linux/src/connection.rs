//! The state of a connection that all steps and all controls share, in Linux's terms: `una` and `next` are
//! snd_una and snd_nxt, counted in packets.

use pacesim_units::{Span, Time};

use super::clock::{Micros, Ticks, micros};
use super::pace::Pace;
use super::rack::Rack;
use super::rate::Rates;
use super::rtt::Rtt;
use super::segments::{Flight, Lost, Marks, Segments};
use super::timer::Timer;
use super::undo::Undo;
use crate::config::Config;
use crate::packet::SackBlocks;

/// Half of the window in the answer to a SYN, in bytes.
pub(super) const HALF_WINDOW: u32 = 65_535 / 2;
/// Slow start ends nowhere.
pub(super) const INFINITE: u32 = 0x7fff_ffff;

/// The state of congestion (tcp_ca_state).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum State {
    /// Nothing unusual.
    Open,
    /// SACK blocks or duplicates came, nothing is taken as lost.
    Disorder,
    /// The window is being reduced for a mark.
    Cwr,
    /// The window is being reduced for a loss, which is being repaired.
    Recovery,
    /// The timer ran out.
    Loss,
}

/// Explicit congestion notification, RFC 3168.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Ecn {
    /// Both ends speak it.
    pub(super) on: bool,
    /// The receiver echoes each mark, not only the first of a round trip.
    pub(super) exact: bool,
    /// The route marks early.
    pub(super) low: bool,
    /// The next new packet tells the receiver that the window was reduced.
    pub(super) owes_cwr: bool,
}

/// The congestion window, and what it was used for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    pub(super) size: u32,
    pub(super) ssthresh: u32,
    /// Packets acknowledged towards the next step of the window.
    pub(super) credit: u32,
    /// The window when its reduction began, and ssthresh before it; 0: no way back.
    pub(super) prior: u32,
    pub(super) prior_ssthresh: u32,
    /// The window limited sending, in the round that ends with `used_until`.
    pub(super) limits: bool,
    /// The most packets out in that round.
    pub(super) most_out: u32,
    pub(super) used_until: u32,
    /// The most packets out while it did not limit, and when it last did.
    pub(super) used: u32,
    pub(super) checked: u64,
    /// Packets delivered and sent since its reduction began (PRR, RFC 6937).
    pub(super) reduced_delivered: u32,
    pub(super) reduced_sent: u32,
}

impl Window {
    fn new(config: &Config) -> Window {
        Window {
            size: config.initial_window as u32,
            ssthresh: config
                .initial_ssthresh
                .map_or(INFINITE, |packets| packets as u32),
            credit: 0,
            prior: 0,
            prior_ssthresh: 0,
            limits: false,
            most_out: 0,
            used_until: 0,
            used: 0,
            checked: 0,
            reduced_delivered: 0,
            reduced_sent: 0,
        }
    }
}

#[derive(Debug)]
pub(super) struct Connection {
    /// The time, and the tick that is current.
    pub(super) now: Micros,
    pub(super) tick: u64,
    pub(super) ticks: Ticks,

    pub(super) una: u32,
    pub(super) next: u32,
    /// One past the last packet that the application has given.
    pub(super) limit: u32,
    /// The receiver's window in packets, now and at its greatest.
    pub(super) peer_window: u32,
    pub(super) peer_window_max: u32,
    /// The next ACK changes the receiver's window, so that it is no duplicate.
    pub(super) peer_news: bool,
    pub(super) peer_changed: bool,

    pub(super) segments: Segments,
    pub(super) packets_out: u32,
    pub(super) sacked_out: u32,
    pub(super) lost_out: u32,
    pub(super) resent_out: u32,
    /// One past the highest SACKed packet.
    pub(super) fack: u32,
    /// No packet below this one is lost and waits to be sent again.
    pub(super) first_lost: u32,
    /// The blocks of the last ACK: need not be looked at again.
    pub(super) known: SackBlocks,
    /// The receiver has dropped what it had SACKed.
    pub(super) reneged: bool,
    /// The distance over which packets were seen to overtake each other.
    pub(super) reordering: u32,
    pub(super) reordering_seen: u32,

    pub(super) state: State,
    /// The end of what was out when the state was entered.
    pub(super) high_seq: u32,
    pub(super) window: Window,
    pub(super) grows: bool,
    pub(super) undo: Undo,
    /// A time-out may have been spurious (RFC 5682).
    pub(super) frto: bool,
    pub(super) timeouts_in_a_row: u32,
    /// Packets resent, and duplicates that the receiver reported.
    pub(super) total_resent: u32,
    pub(super) duplicates: u32,
    /// The end of what was out at a tail loss probe, and whether that was a retransmission.
    pub(super) probe_end: Option<u32>,
    pub(super) probe_resent: bool,
    /// The application had nothing more when the packet was first sent that the probe resent.
    pub(super) probe_was_app_limited: bool,
    /// Packets taken as lost of which the control is to be told.
    pub(super) losses: Vec<Lost>,

    pub(super) rack: Rack,
    pub(super) rtt: Rtt,
    pub(super) rates: Rates,
    pub(super) timer: Timer,
    pub(super) pace: Pace,
    pub(super) ecn: Ecn,
    /// The tick of the last packet with data.
    pub(super) last_sent: u64,

    pub(super) sack: bool,
    /// Packets carry time-stamps; the one that the ACK at hand echoes.
    pub(super) stamps: bool,
    pub(super) echo: Time,
    pub(super) initial_window: u32,
    pub(super) restarts_after_idle: bool,
    /// The SYN is out, and more than one was needed.
    pub(super) opening: bool,
    pub(super) syn_lost: bool,
    pub(super) payload: u32,
    /// Bytes of a full packet on the wire.
    pub(super) packet_size: u32,
    /// Packets that exceed half of the window in the answer to a SYN, and the next packet with which new data do so.
    pub(super) half_window: u32,
    pub(super) next_half: u32,
    /// Segments leave in bursts, by offload.
    pub(super) bursts: bool,
    /// No ACK is taken as plain.
    #[cfg(test)]
    pub(super) looks_at_all: bool,
}

/// Packets in the network may be this far out of order before it is a loss.
pub(super) const REORDERING: u32 = 3;
const MOST_REORDERING: u32 = 300;

impl Connection {
    pub(super) fn new(config: &Config, phase: Span) -> Connection {
        let ticks = Ticks::new(config.linux.hz, phase);
        let cap = config.window_cap.min(f64::from(u32::MAX)) as u32;
        let half_window = HALF_WINDOW / (config.payload.get() as u32).max(1) + 1;
        Connection {
            now: 0,
            tick: ticks.at(0),
            ticks,
            una: 0,
            next: 0,
            limit: 0,
            peer_window: cap,
            peer_window_max: cap,
            peer_news: false,
            peer_changed: false,
            segments: Segments::new(),
            packets_out: 0,
            sacked_out: 0,
            lost_out: 0,
            resent_out: 0,
            fack: 0,
            first_lost: 0,
            known: SackBlocks::NONE,
            reneged: false,
            reordering: REORDERING,
            reordering_seen: 0,
            state: State::Open,
            high_seq: 0,
            window: Window::new(config),
            grows: true,
            undo: Undo::default(),
            frto: false,
            timeouts_in_a_row: 0,
            total_resent: 0,
            duplicates: 0,
            probe_end: None,
            probe_resent: false,
            probe_was_app_limited: false,
            losses: Vec::new(),
            rack: Rack::default(),
            rtt: Rtt::new(config.min_rto.as_ps() / 1_000_000),
            rates: Rates::default(),
            timer: Timer::new(config, &ticks),
            pace: Pace::new(config),
            ecn: Ecn::default(),
            last_sent: 0,
            sack: config.variant.uses_sack(),
            stamps: config.linux.stamps,
            echo: Time::ZERO,
            initial_window: config.initial_window as u32,
            restarts_after_idle: config.after_idle == crate::config::AfterIdle::First,
            opening: config.syn,
            syn_lost: false,
            payload: config.payload.get() as u32,
            packet_size: (config.payload.get() + config.header.get()) as u32,
            half_window,
            next_half: half_window,
            bursts: config.linux.gso,
            #[cfg(test)]
            looks_at_all: false,
        }
    }

    #[inline]
    pub(super) fn set_time(&mut self, now: Time) {
        self.now = micros(now);
        self.tick = self.ticks.at(self.now);
    }

    /// Packets that are in the network, as far as one can tell.
    #[inline]
    pub(super) fn in_flight(&self) -> u32 {
        (self.packets_out + self.resent_out).saturating_sub(self.sacked_out + self.lost_out)
    }

    /// One past the last packet that the receiver has room for.
    #[inline]
    pub(super) fn peer_end(&self) -> u32 {
        self.una.saturating_add(self.peer_window)
    }

    #[inline]
    pub(super) fn has_new(&self) -> bool {
        self.next < self.limit
    }

    /// One past the highest SACKed packet, or the first not acknowledged.
    #[inline]
    pub(super) fn highest_sacked(&self) -> u32 {
        if self.sacked_out == 0 {
            self.una
        } else {
            self.fack
        }
    }

    #[inline]
    pub(super) fn is_reducing(&self) -> bool {
        matches!(self.state, State::Cwr | State::Recovery)
    }

    #[inline]
    pub(super) fn in_slow_start(&self) -> bool {
        self.window.size < self.window.ssthresh
    }

    /// True if the window has been used well enough to grow.
    #[inline]
    pub(super) fn window_limits(&self) -> bool {
        self.window.limits
            || (self.in_slow_start() && self.window.size < self.window.most_out.saturating_mul(2))
    }

    /// The slow-start threshold to come back to: at least three quarters of the window.
    pub(super) fn current_ssthresh(&self) -> u32 {
        match self.is_reducing() {
            true => self.window.ssthresh,
            false => {
                let size = self.window.size;
                self.window.ssthresh.max((size >> 1) + (size >> 2))
            }
        }
    }

    /// A packet below what is SACKed turns out to have been late only.
    pub(super) fn note_reordering(&mut self, low: u32) {
        let highest = self.highest_sacked();
        if low >= highest {
            return;
        }
        let distance = highest - low;
        if distance > self.reordering {
            self.reordering = distance.min(MOST_REORDERING);
        }
        self.reordering_seen += 1;
    }

    /// Takes a packet as lost, once more if it is a retransmission that is under way.
    pub(super) fn mark_lost(&mut self, seq: u32) {
        let sent = self.segments.get_mut(seq);
        if sent.is(Marks::SACKED) {
            return;
        }
        if !sent.is(Marks::LOST) {
            sent.set(Marks::LOST);
            self.lost_out += 1;
        } else if sent.is(Marks::RESENT) {
            sent.clear(Marks::RESENT);
            self.resent_out -= 1;
        } else {
            self.first_lost = self.first_lost.min(seq);
            return;
        }
        self.rates.lost += 1;
        self.first_lost = self.first_lost.min(seq);
        if let Some(flight) = self.segments.flight(seq) {
            self.note_loss(seq, flight);
        }
    }

    fn note_loss(&mut self, seq: u32, flight: Flight) {
        let sent = self.segments.get(seq);
        self.losses.push(Lost {
            in_flight: flight.packets,
            losses: self.rates.lost - flight.lost,
            is_app_limited: sent.is(Marks::APP_LIMITED),
            is_sampled: sent.delivered_at != 0,
        });
    }

    /// Notes what is in flight with packet `seq`, which is not counted yet.
    #[inline]
    pub(super) fn note_flight(&mut self, seq: u32) {
        if self.segments.follows_flights() {
            let flight = Flight {
                packets: self.in_flight() + 1,
                lost: self.rates.lost,
            };
            self.segments.set_flight(seq, flight);
        }
    }

    /// True if anything that is out was sent again.
    pub(super) fn anything_resent(&self) -> bool {
        let first = self.segments.head();
        self.resent_out > 0 || first.is_some_and(|sent| sent.is(Marks::EVER_RESENT))
    }
}
