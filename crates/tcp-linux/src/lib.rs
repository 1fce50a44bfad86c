//! A TCP sender like Linux's: RACK and tail loss probes, proportional rate reduction, F-RTO and
//! undo, timers in ticks. State is named by its meaning; `connection.rs` gives Linux's names.
//!
//! **The order of an ACK** is that of the kernel, since each step reads results of the one before:
//! SACK blocks ([`sack`]), acknowledged packets ([`acked`]), the reordering window ([`detection`]),
//! probes, the state of congestion ([`states`]), the timer, the rate sample ([`sampling`]), the
//! window, and finally transmission ([`transmit`]).

#![allow(
    rustdoc::private_intra_doc_links,
    reason = "the order of an ACK is told by the names of private modules"
)]

mod acked;
mod burst;
mod connection;
mod control;
mod detection;
mod newreno;
mod pacing_rate;
mod rate;
mod reading;
mod reduction;
mod sack;
mod sampling;
mod segments;
mod state;
mod states;
mod taking_back;
mod timers;
mod transmit;

use std::cmp::Ordering;
use std::collections::VecDeque;
use std::sync::Arc;

use pacesim_tcp_common::{
    clock, config, control as shared, event, filter, marks, pace, packet, rack, rates, rtt, timer,
    totals, transfer, undo,
};
use pacesim_units::{Bytes, Span, Time};

pub use clock::Ticks;
use config::Config;
use connection::{Connection, State};
pub use control::Model;
use control::{LinuxControl, LinuxController};
use event::{Log, WindowReason};
use packet::{Ack, Segment};
use rate::RateSample;
pub use state::{CubicCurve, LinuxState, Reduction};
use totals::Counters;
use transfer::{Amount, DataError, Transfers};

/// Findings about an ACK (the FLAG_… of tcp_ack).
#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    /// True if the ACK acknowledges new data cumulatively.
    advanced: bool,
    /// True if the ACK changes the receiver's window.
    window_changed: bool,
    data_acked: bool,
    /// True if the ACK acknowledges the SYN.
    opened: bool,
    /// True if the ACK acknowledges a retransmitted packet.
    resent_acked: bool,
    /// True if blocks of the ACK cover new packets.
    sacked: bool,
    /// A packet never retransmitted, outstanding on entry into the state, is acknowledged or
    /// SACKed.
    original: bool,
    /// True if the ACK reports a duplicate, perhaps of the probe.
    duplicate: bool,
    duplicate_of_probe: bool,
    /// True if the ACK echoes a congestion mark.
    marked: bool,
    /// True if the receiver has dropped SACKed packets.
    reneged: bool,
    retransmission_lost: bool,
    sets_timer: bool,
}

impl Seen {
    fn acked(&self) -> bool {
        self.data_acked || self.opened
    }

    /// True if nothing in the ACK is new.
    fn is_duplicate(&self) -> bool {
        !(self.window_changed || self.acked())
    }

    fn makes_progress(&self) -> bool {
        self.acked() || self.sacked
    }
}

/// The packets that an ACK releases, apart from new data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Resend {
    Nothing,
    /// Packets marked lost are retransmitted.
    Lost,
    /// New data are sent, to detect a spurious time-out.
    New,
}

impl Resend {
    fn or(self, other: Resend) -> Resend {
        match self {
            Resend::Nothing => other,
            _ => self,
        }
    }
}

/// A packet that waits for its departure.
#[derive(Clone, Copy, Debug)]
struct Departing {
    at: Time,
    segment: Segment,
}

/// The sending side of one connection, as in Linux.
#[derive(Debug)]
pub struct Linux {
    time: Time,
    conn: Connection,
    control: LinuxController,
    transfers: Transfers,
    /// Packets that may go on the wire now.
    ready: VecDeque<Segment>,
    /// Packets in the host's fq queue, each waiting for its departure.
    queued: VecDeque<Departing>,
    /// True if pacing delayed a packet: the sender wakes for it.
    held_back: bool,
    /// The host's queue is full: the next departure admits more (TCP small queues).
    throttled: bool,
    counters: Counters,
    log: Log,
    config: Arc<Config>,
}

impl Linux {
    /// A sender with nothing to send; its ticks start when time plus `phase` is a multiple of the
    /// tick.
    pub fn new(config: &Arc<Config>, phase: Span) -> Linux {
        let mut conn = Connection::new(config, phase);
        let setup = config.setup(f64::from(conn.window.size));
        let hz = conn.ticks.per_second();
        let control = LinuxController::new(&config.control, &setup, config.linux.hystart, hz);
        conn.restarts_after_idle &= !control.rules_alone();
        if control.follows_losses() {
            conn.segments.follow_flights();
        }
        let mut linux = Linux {
            time: Time::ZERO,
            conn,
            control,
            transfers: Transfers::default(),
            ready: VecDeque::new(),
            queued: VecDeque::new(),
            held_back: false,
            throttled: false,
            counters: Counters::default(),
            log: Log::default(),
            config: Arc::clone(config),
        };
        if !config.syn {
            linux.open();
        }
        linux
    }

    fn set_time(&mut self, now: Time) {
        self.time = now;
        self.conn.set_time(now);
    }

    /// Opens the connection: the window is the initial one, and the control starts.
    fn open(&mut self) {
        let conn = &mut self.conn;
        conn.opening = false;
        conn.window.size = if conn.syn_lost {
            1
        } else {
            conn.initial_window
        };
        conn.window.checked = conn.tick;
        conn.last_sent = conn.tick;
        conn.ecn.on = self.config.linux.ecn;
        conn.ecn.exact = self.config.linux.echo != config::EcnEcho::UntilCwr;
        conn.ecn.counted = (self.config.linux.echo == config::EcnEcho::Counted).then_some(0);
        conn.ecn.low = self.config.linux.ecn_low;
        // Data that the application gives now find an empty connection.
        conn.rates.app_limited = conn.rates.delivered.max(1);
        self.control.on_open(conn);
        self.report(WindowReason::Opened);
    }

    /// Hands over more data of the application.
    pub fn on_data(&mut self, now: Time, amount: Amount) -> Result<(), DataError> {
        let first = self.first_free();
        let payload = self.config.payload.get() as u32;
        let limit = self.transfers.add(now, first, amount, payload, true)?;
        self.extend(now, limit);
        Ok(())
    }

    /// The application has nothing more to send: an empty packet follows.
    pub fn on_close(&mut self, now: Time) -> Result<u32, DataError> {
        if self.config.header == Bytes::ZERO {
            return Err(DataError::Empty);
        }
        let first = self.first_free();
        let limit = self.transfers.add_end(now, first)?;
        self.extend(now, limit);
        Ok(first)
    }

    /// The number of the first packet beyond the application's data.
    pub fn first_free(&self) -> u32 {
        match self.conn.limit {
            0 => u32::from(self.config.syn),
            limit => limit,
        }
    }

    fn extend(&mut self, now: Time, limit: u32) {
        self.set_time(now);
        self.conn.note_app_limit();
        self.conn.limit = limit;
        if self.conn.opening {
            self.start_opening();
            return;
        }
        self.conn.wake_from_idling();
        self.send_new(false);
    }

    /// Sends the SYN if none is outstanding.
    pub fn connect(&mut self, now: Time) {
        self.set_time(now);
        if self.conn.opening {
            self.start_opening();
        }
    }

    fn start_opening(&mut self) {
        if self.conn.next > 0 {
            return;
        }
        let limit = std::mem::replace(&mut self.conn.limit, 1);
        let window = std::mem::replace(&mut self.conn.window.size, 1);
        self.send_new(false);
        self.conn.limit = limit.max(1);
        self.conn.window.size = window;
        let rto = self.conn.timer.rto;
        self.conn
            .arm_exactly(timer::TimerPurpose::Retransmission, rto);
        self.conn.window.limits = false;
        self.conn.window.most_out = 0;
    }

    /// Handles an acknowledgement; `marked` is true if it echoes a congestion mark.
    pub fn on_ack(&mut self, now: Time, ack: &Ack) {
        if ack.next > self.conn.next {
            return;
        }
        self.set_time(now);
        self.conn.echo = ack.stamp;
        let before = (self.conn.window.size, self.conn.window.ssthresh);
        if self.conn.is_plain(ack) {
            self.take_plain(ack.next);
        } else {
            self.take_unusual(ack);
        }
        if self.conn.has_new() && !self.conn.opening {
            self.send_new_unless_held();
        }
        self.conn.settle_probe();
        if before != (self.conn.window.size, self.conn.window.ssthresh) {
            self.report(WindowReason::Growth);
        }
        self.finish_transfers(now);
    }

    /// Takes the window of an ACK up to `next`.
    pub fn on_window(&mut self, next: u32, packets: u32) {
        let (una, before) = (self.conn.una, self.conn.peer_window);
        self.set_peer_window(match next.cmp(&una) {
            Ordering::Less => before,
            Ordering::Equal if packets > 0 => packets.max(before),
            Ordering::Equal | Ordering::Greater => packets,
        });
    }

    /// Sets the receiver's window, as advertised by the next ACK.
    pub fn set_peer_window(&mut self, packets: u32) {
        let conn = &mut self.conn;
        if conn.peer_window != packets {
            conn.peer_news = packets > conn.peer_window || packets == 0;
            conn.peer_window = packets;
            conn.peer_window_max = conn.peer_window_max.max(packets);
            conn.peer_changed = true;
        } else {
            conn.peer_news = packets == 0;
        }
    }

    #[inline]
    fn take_plain(&mut self, next: u32) {
        let payload = self.conn.payload;
        let small = self.transfers.payload(self.conn.una, payload) < payload;
        let rtt = self.control.take_plain(&mut self.conn, next, small);
        self.note_rtt(rtt);
    }

    #[inline(never)]
    fn take_unusual(&mut self, ack: &Ack) {
        if ack.next < self.conn.una {
            self.take_old(ack);
        } else {
            self.take(ack);
        }
    }

    fn take(&mut self, ack: &Ack) {
        let conn = &mut self.conn;
        let prior_una = conn.una;
        let prior_out = conn.packets_out;
        let (delivered, lost, reneged) = (conn.rates.delivered, conn.rates.lost, conn.reneged);
        let mut seen = Seen {
            advanced: ack.next > prior_una,
            ..Seen::default()
        };
        if seen.advanced {
            conn.timeouts_in_a_row = 0;
        }
        let highest = conn.sack.then(|| conn.highest_sacked());
        let prior_fack = highest.unwrap_or(prior_una);
        let mut sample = RateSample {
            prior_in_flight: conn.in_flight(),
            ..RateSample::default()
        };
        if self.control.follows_losses() {
            conn.note_app_limit();
        }
        seen.window_changed = conn.take_window() || seen.advanced;
        conn.una = ack.next;
        (seen.marked, sample.marked) = conn.take_marks(ack);
        let blocks = (!ack.sacks.is_empty() && conn.sack)
            .then(|| conn.take_blocks(ack, prior_una, &mut seen, &mut sample));
        if let Some(blocks) = &blocks {
            conn.count_delivered(blocks.delivered, seen.marked);
        }
        if prior_out == 0 {
            self.take_with_nothing_out(ack, prior_una, &mut seen);
            return;
        }
        self.take_acknowledged(
            prior_fack,
            prior_una,
            blocks.as_ref(),
            &mut seen,
            &mut sample,
        );
        self.conn.adapt_reordering_window(&sample);
        self.control.on_ack(&self.conn);
        if self.conn.probe_end.is_some() {
            sample.answers_probe = self.take_probe_answer(ack.next, &seen);
        }
        let resend = self.judge_if_unusual(prior_una, &mut seen);
        if seen.sets_timer {
            self.conn
                .set_timer(resend == Resend::Nothing && !seen.opened);
        }
        let conn = &mut self.conn;
        let (delivered, lost) = (conn.rates.delivered - delivered, conn.rates.lost - lost);
        sample.is_marked = seen.marked;
        conn.finish_sample(delivered, lost, reneged, &mut sample);
        self.size_window(&seen, &sample);
        if seen.opened {
            self.open();
        }
        self.send_for_recovery(resend);
    }

    fn judge_if_unusual(&mut self, prior_una: u32, seen: &mut Seen) -> Resend {
        let alert = seen.sacked || seen.marked || seen.duplicate;
        if !seen.is_duplicate() && !alert && self.conn.state == State::Open {
            return Resend::Nothing;
        }
        let duplicate = !seen.advanced && seen.is_duplicate() && !seen.duplicate;
        self.judge(prior_una, u32::from(duplicate), seen)
    }

    /// Sizes the window by the state, or grows it.
    fn size_window(&mut self, seen: &Seen, sample: &RateSample) {
        let Linux { conn, control, .. } = self;
        if control.rules_alone() {
            if !seen.opened {
                control.rule(conn, sample);
            }
            return;
        }
        if conn.is_reducing() {
            conn.reduce(sample.acked_sacked, sample.losses, seen.advanced);
        } else if conn.grows && conn.may_grow(seen) {
            control.grow(conn, sample.acked_sacked);
            conn.window.checked = conn.tick;
        }
        conn.update_pacing_rate();
    }

    /// Processes an ACK below the acknowledged packet: its blocks may still be new.
    fn take_old(&mut self, ack: &Ack) {
        let conn = &mut self.conn;
        if ack.sacks.is_empty() || !conn.sack {
            return;
        }
        let prior_una = conn.una;
        let mut seen = Seen::default();
        let mut sample = RateSample::default();
        conn.take_blocks(ack, prior_una, &mut seen, &mut sample);
        let resend = self.judge(prior_una, 0, &mut seen);
        self.send_for_recovery(resend);
    }

    /// Processes an ACK while nothing is outstanding: only a report of duplicates, or the
    /// receiver's window, can be new.
    fn take_with_nothing_out(&mut self, ack: &Ack, prior_una: u32, seen: &mut Seen) {
        self.control.on_ack(&self.conn);
        if seen.duplicate {
            self.judge(prior_una, 0, seen);
        }
        self.conn.note_window_answer();
        if self.conn.probe_end.is_some() {
            self.take_probe_answer(ack.next, seen);
        }
    }

    /// Decides whether the probe repaired a loss (RFC 8985 §7.4); true while that is unknown.
    fn take_probe_answer(&mut self, next: u32, seen: &Seen) -> bool {
        let Some(end) = self.conn.probe_end.filter(|end| next >= *end) else {
            return false;
        };
        let conn = &mut self.conn;
        if !conn.probe_resent || seen.duplicate_of_probe {
            conn.probe_end = None;
        } else if next > end {
            self.control.on_probe_repair(conn);
            self.start_reduction();
            self.set_state(State::Cwr);
            self.end_reduction();
            self.keep_open();
        } else if !seen.advanced && seen.is_duplicate() && !seen.sacked {
            conn.probe_end = None;
        } else {
            return true;
        }
        false
    }

    /// The wake-up of [`next_timeout`](Self::next_timeout). A wake-up for data does not end a timer
    /// before its time, though the timer's own tick has come.
    #[inline]
    pub fn on_wake(&mut self, now: Time) {
        if self.next_timeout().is_none_or(|at| now < at) {
            return;
        }
        self.on_pace(now);
        if self.conn.timer.fires <= now {
            self.on_timer_end();
        }
    }

    /// Handles the timers; without effect if nothing is due.
    pub fn on_timer(&mut self, now: Time) {
        self.on_pace(now);
        if self.timer_is_due() {
            self.on_timer_end();
        }
    }

    /// Sends what pacing and the host's queue release now.
    fn on_pace(&mut self, now: Time) {
        self.set_time(now);
        if self.paced_at() <= now {
            self.held_back = false;
            if !self.conn.validates_full_window() {
                self.resume();
            }
        }
        self.release(now);
    }

    /// True from the timer's tick on, as the wheel can only be later.
    fn timer_is_due(&self) -> bool {
        let timer = &self.conn.timer;
        timer.end <= self.conn.tick && timer.fires != Time::NEVER
    }

    /// Releases due packets from the host's queue, and admits others.
    fn release(&mut self, now: Time) {
        while self.queued.front().is_some_and(|head| head.at <= now) {
            let Some(head) = self.queued.pop_front() else {
                break;
            };
            self.ready.push_back(head.segment);
            if std::mem::take(&mut self.throttled) {
                self.resume();
            }
        }
    }

    fn resume(&mut self) {
        let conn = &self.conn;
        if conn.lost_out > conn.resent_out && conn.window.size > conn.in_flight() {
            self.resend_lost();
        }
        if self.conn.has_new() && !self.conn.opening {
            self.send_new_if_room();
        }
    }

    /// Time at which the next packet departs under pacing, if pacing delays one.
    fn paced_at(&self) -> Time {
        if self.held_back {
            self.conn.pace.wake()
        } else {
            Time::NEVER
        }
    }

    /// The next packet to put on the wire now.
    pub fn poll_transmit(&mut self, _now: Time) -> Option<Segment> {
        self.ready.pop_front()
    }

    /// Time at which [`on_timer`](Self::on_timer) is due.
    pub fn next_timeout(&self) -> Option<Time> {
        let held = self.queued.front().map_or(Time::NEVER, |head| head.at);
        let at = self.conn.timer.fires.min(self.paced_at()).min(held);
        (at != Time::NEVER).then_some(at)
    }

    /// Time at which the timer would expire if timers were not rounded up.
    pub fn unrounded_timeout(&self) -> Option<Time> {
        self.conn.timer.earliest(&self.conn.ticks)
    }

    /// Time at which the timer was armed.
    pub fn timeout_armed(&self) -> Time {
        Time::ZERO + Span::from_us(self.conn.timer.armed)
    }

    /// Bytes of user data in a packet, and its bytes on the wire.
    pub fn size_of(&self, seq: u32) -> (u32, Bytes) {
        let config = &self.config;
        if seq == 0 && config.syn {
            return (0, config.syn_size);
        }
        let payload = self.transfers.payload(seq, config.payload.get() as u32);
        (payload, Bytes(u64::from(payload) + config.header.get()))
    }
}

impl Connection {
    /// Follows the receiver's window; true if the ACK changes it and so is not a duplicate.
    fn take_window(&mut self) -> bool {
        if std::mem::take(&mut self.peer_changed) && self.has_new() && !self.opening {
            self.wake_from_idling();
        }
        std::mem::take(&mut self.peer_news)
    }

    /// True for deliveries in order, or out of order where reordering is usual.
    fn may_grow(&self, seen: &Seen) -> bool {
        if self.reordering > connection::REORDERING {
            seen.makes_progress()
        } else {
            seen.data_acked
        }
    }
}
