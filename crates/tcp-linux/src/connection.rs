//! The state of a connection shared by all steps and controls, in Linux's terms: `una` and `next`
//! are snd_una and snd_nxt, counted in packets.

use pacesim_units::{Span, Time};

use super::clock::{Micros, Ticks, micros};
use super::pace::Pace;
use super::rack::Rack;
use super::rates::Rates;
use super::rtt::Rtt;
use super::segments::{Flight, Lost, Marks, Segments};
use super::timer::Timer;
use super::undo::Undo;
use crate::config::Config;
use crate::marks::Echoes;
use crate::packet::SackBlocks;

/// Half of the window in the answer to a SYN, in bytes.
pub(super) const HALF_WINDOW: u32 = 65_535 / 2;
/// A threshold that slow start never reaches.
pub(super) const INFINITE: u32 = 0x7fff_ffff;

/// The state of congestion (tcp_ca_state).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum State {
    /// Nothing unusual has happened.
    Open,
    /// SACK blocks or duplicates arrived, and no packet is marked lost.
    Disorder,
    /// The window is being reduced for a mark.
    Cwr,
    /// The window is being reduced for a loss, which is being repaired.
    Recovery,
    /// The retransmission timer expired.
    Loss,
}

/// The congestion window, and the use that is made of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    pub(super) size: u32,
    pub(super) ssthresh: u32,
    /// Number of packets acknowledged towards the next step of the window.
    pub(super) credit: u32,
    /// The window and ssthresh before the reduction; 0 if it cannot be undone.
    pub(super) prior: u32,
    pub(super) prior_ssthresh: u32,
    /// True if the window limited sending, in the round that ends with `used_until`.
    pub(super) limits: bool,
    /// The most packets outstanding in the current round.
    pub(super) most_out: u32,
    pub(super) used_until: u32,
    /// The most packets outstanding while the window did not limit, and the last time at which it
    /// did.
    pub(super) used: u32,
    pub(super) checked: u64,
    /// Packets delivered and sent since the reduction began (PRR, RFC 6937).
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
    /// Current time and current tick.
    pub(super) now: Micros,
    pub(super) tick: u64,
    pub(super) ticks: Ticks,

    pub(super) una: u32,
    pub(super) next: u32,
    /// One past the last packet of the application's data.
    pub(super) limit: u32,
    /// The receiver's window in packets, current and maximum.
    pub(super) peer_window: u32,
    pub(super) peer_window_max: u32,
    /// Set if the next ACK changes the receiver's window and so is not a duplicate.
    pub(super) peer_news: bool,
    pub(super) peer_changed: bool,

    pub(super) segments: Segments,
    pub(super) packets_out: u32,
    pub(super) sacked_out: u32,
    pub(super) lost_out: u32,
    pub(super) resent_out: u32,
    /// One past the highest SACKed packet.
    pub(super) fack: u32,
    /// No packet below this one is lost and awaits retransmission.
    pub(super) first_lost: u32,
    /// Blocks of the last ACK, which need no second look.
    pub(super) known: SackBlocks,
    /// True if the receiver has dropped SACKed packets (reneging).
    pub(super) reneged: bool,
    /// Distance over which packets have overtaken each other.
    pub(super) reordering: u32,
    pub(super) reordering_seen: u32,

    pub(super) state: State,
    /// End of the packets that were outstanding on entry into the state.
    pub(super) high_seq: u32,
    pub(super) window: Window,
    pub(super) grows: bool,
    pub(super) undo: Undo,
    /// True if a time-out may have been spurious (RFC 5682).
    pub(super) frto: bool,
    pub(super) timeouts_in_a_row: u32,
    /// Number of packets retransmitted, and of duplicates reported by the receiver.
    pub(super) total_resent: u32,
    pub(super) duplicates: u32,
    /// The end of the outstanding packets at a tail loss probe, and whether that was a
    /// retransmission.
    pub(super) probe_end: Option<u32>,
    pub(super) probe_resent: bool,
    /// Set if the application had no more data when the probe's packet was first sent.
    pub(super) probe_was_app_limited: bool,
    /// Lost packets not yet reported to the control.
    pub(super) losses: Vec<Lost>,

    pub(super) rack: Rack,
    pub(super) rtt: Rtt,
    pub(super) rates: Rates,
    pub(super) timer: Timer,
    pub(super) pace: Pace,
    pub(super) ecn: Echoes,
    /// Tick at which the last packet with data was sent.
    pub(super) last_sent: u64,

    pub(super) sack: bool,
    /// True if packets carry timestamps, and the stamp echoed by the current ACK.
    pub(super) stamps: bool,
    pub(super) echo: Time,
    pub(super) initial_window: u32,
    pub(super) restarts_after_idle: bool,
    /// True if the SYN is outstanding, and was sent more than once.
    pub(super) opening: bool,
    pub(super) syn_lost: bool,
    pub(super) payload: u32,
    /// Size of a full packet on the wire in bytes.
    pub(super) packet_size: u32,
    /// Packets that exceed half of the window in the answer to a SYN, and the next packet with which new data do so.
    pub(super) half_window: u32,
    pub(super) next_half: u32,
    /// True if segments leave in bursts, by offload.
    pub(super) bursts: bool,
    /// True if every ACK takes the full path, even a plain one.
    #[cfg(test)]
    pub(super) looks_at_all: bool,
}

/// Reordering of packets up to this distance does not count as a loss.
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
            ecn: Echoes::default(),
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

    /// Estimated number of packets in the network.
    #[inline]
    pub(super) fn in_flight(&self) -> u32 {
        (self.packets_out + self.resent_out).saturating_sub(self.sacked_out + self.lost_out)
    }

    /// One past the last packet within the receiver's window.
    #[inline]
    pub(super) fn peer_end(&self) -> u32 {
        self.una.saturating_add(self.peer_window)
    }

    #[inline]
    pub(super) fn has_new(&self) -> bool {
        self.next < self.limit
    }

    /// True if tests take every step, instead of the paths of common cases.
    #[inline(always)]
    pub(super) fn is_thorough(&self) -> bool {
        #[cfg(test)]
        return self.looks_at_all;
        #[cfg(not(test))]
        false
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

    /// True if the use of the window allows it to grow.
    #[inline]
    pub(super) fn window_limits(&self) -> bool {
        self.window.limits
            || (self.in_slow_start() && self.window.size < self.window.most_out.saturating_mul(2))
    }

    /// The slow-start threshold to return to: at least three quarters of the window.
    pub(super) fn current_ssthresh(&self) -> u32 {
        if self.is_reducing() {
            self.window.ssthresh
        } else {
            let size = self.window.size;
            self.window.ssthresh.max((size >> 1) + (size >> 2))
        }
    }

    /// Notes that a packet below SACKed ones was only late.
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

    /// Marks a packet lost, once more if it is an outstanding retransmission.
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

    /// Notes the packets in flight including packet `seq`, which is not counted yet.
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

    /// True if any outstanding packet was retransmitted.
    pub(super) fn anything_resent(&self) -> bool {
        let first = self.segments.head();
        self.resent_out > 0 || first.is_some_and(|sent| sent.is(Marks::EVER_RESENT))
    }
}
