//! The sending side of one flow.

mod ack;
mod classic;
mod fack;
mod pipe;
mod rfc6675;
mod timer;
mod transmit;
mod waiting;

pub use waiting::Limit;

use std::sync::Arc;

use pacesim_units::{Span, Time};

use crate::config::{Config, Profile, Variant};
use crate::control::{AckSample, CongestionControl, Controller, LossKind, LossSample, Reno};
use crate::event::{EventMask, Log, SenderEvent, WindowReason};
use crate::pacing::Pacer;
use crate::rtt::{RoundTrip, RttState};
use crate::scoreboard::Scoreboard;
use crate::transfer::{Amount, DataError, Transfers};

/// How holes are found and filled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Method {
    /// By counting duplicates: Tahoe, Reno, NewReno.
    Classic,
    /// ns-2's Sack1.
    Pipe,
    /// ns-2's Fack.
    Fack,
    /// RFC 6675; Sack and Fack of the RFC profile.
    Rfc6675,
}

/// What the last input allows to be sent, until [`Sender::poll_transmit`] has
/// found nothing more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Permit {
    Nothing,
    /// One new packet, window or not: limited transmit.
    One,
    /// So many packets as far as the window lets them.
    Window(u32),
    /// What the method of repair lets out.
    Repair,
}

/// No limit on packets per ACK.
const UNLIMITED: u32 = u32::MAX;

/// No packet is being timed.
const UNTIMED: u32 = u32::MAX;

/// Totals of one flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Counters {
    /// Packets sent, retransmissions included.
    pub sent: u64,
    /// Packets sent again.
    pub retransmitted: u64,
    /// Expiries of the retransmission timer with data outstanding.
    pub timeouts: u32,
    /// Fast retransmits.
    pub fast_retransmits: u32,
}

/// The sending side of one flow: a state machine that is told the time.
///
/// After each input ([`on_data`](Self::on_data), [`on_ack`](Self::on_ack),
/// [`on_timer`](Self::on_timer)) call [`poll_transmit`](Self::poll_transmit) until it
/// says `None`, take the events if any are wanted, and read
/// [`next_timeout`](Self::next_timeout) again. One wake-up is enough: `on_timer` before
/// its time does nothing.
///
/// Sequence numbers count packets. `una` is the first packet not acknowledged,
/// `next` the next to send, `high` the first never sent; ns-2's `highest_ack_`,
/// `t_seqno_` and `maxseq_` are `una - 1`, `next` and `high - 1`.
#[derive(Debug)]
pub struct Sender {
    una: u32,
    next: u32,
    high: u32,
    /// The first packet that the application has not given.
    limit: u32,
    /// `high` when the last episode of loss began: duplicates tell of a new one
    /// only if `una` is beyond. For Fack `next` then, beyond which its recovery ends.
    recover: u32,
    dupacks: u32,
    /// Packets by which Reno's and NewReno's recovery widens the window.
    inflation: u32,
    /// Sack1's estimate of what is in the network; ns-2 lets it go below zero.
    pipe: i32,
    /// Twice what Fack's window keeps of its former size for a while.
    ramp: u32,
    permit: Permit,
    method: Method,
    recovering: bool,
    /// Send `una` again, whatever the window says.
    repair_first: bool,
    /// NewReno: a partial ACK of this episode has restarted the timer.
    impatient: bool,
    syn_lost: bool,
    /// A timeout was the last event that moved `next`: Sack1 ignores duplicates.
    after_timeout: bool,
    window_cap: f64,
    control: Controller,
    /// The packet whose round trip is being timed.
    timed: u32,
    timed_at: Time,
    rtt: RoundTrip,
    rto_at: Time,
    rto_armed: Time,
    last_sent: Time,
    transfers: Transfers,
    /// The scoreboard, once there has been a hole.
    board: Option<Box<Scoreboard>>,
    pacer: Option<Box<Pacer>>,
    log: Log,
    counters: Counters,
    clock_phase: Span,
    config: Arc<Config>,
}

impl Sender {
    /// A sender with nothing to send. The coarse clock of ns-2's profile ticks
    /// when time plus `clock_phase` is a multiple of the tick.
    ///
    /// The configuration should be one that [`Config::validate`] has no complaint about.
    pub fn new(config: &Arc<Config>, clock_phase: Span) -> Sender {
        let window = first_window(config);
        let ssthresh = config.first_ssthresh();
        let control = match config.profile {
            Profile::Ns2 => Reno::ns2(window, ssthresh, config.details.halving),
            Profile::Rfc => Reno::rfc(window, ssthresh, config.details.halving),
        };
        Sender::assemble(config, clock_phase, Controller::Reno(control))
    }

    /// As [`new`](Self::new), with another congestion control.
    pub fn with_control(
        config: &Arc<Config>,
        clock_phase: Span,
        mut control: Box<dyn CongestionControl>,
    ) -> Sender {
        control.restart(first_window(config));
        Sender::assemble(config, clock_phase, Controller::Plugged(control))
    }

    fn assemble(config: &Arc<Config>, clock_phase: Span, control: Controller) -> Sender {
        Sender {
            una: 0,
            next: 0,
            high: 0,
            limit: 0,
            recover: 0,
            dupacks: 0,
            inflation: 0,
            pipe: 0,
            ramp: 0,
            permit: Permit::Nothing,
            method: method_of(config),
            recovering: false,
            repair_first: false,
            impatient: false,
            syn_lost: false,
            after_timeout: false,
            window_cap: config.window_cap,
            control,
            timed: UNTIMED,
            timed_at: Time::ZERO,
            rtt: RoundTrip::new(config),
            rto_at: Time::NEVER,
            rto_armed: Time::ZERO,
            last_sent: Time::ZERO,
            transfers: Transfers::default(),
            board: None,
            pacer: Pacer::new(config.pacing),
            log: Log::default(),
            counters: Counters::default(),
            clock_phase,
            config: Arc::clone(config),
        }
    }

    /// Asks for events of these kinds, and no others; drops what was not polled.
    pub fn want_events(&mut self, mask: EventMask) {
        self.log.want(mask);
    }

    /// The next event, oldest first.
    #[inline]
    pub fn poll_event(&mut self) -> Option<SenderEvent> {
        self.log.poll()
    }

    /// The application has more to send.
    pub fn on_data(&mut self, now: Time, amount: Amount) -> Result<(), DataError> {
        let first = if self.limit == 0 {
            u32::from(self.config.syn)
        } else {
            self.limit
        };
        let short_last = self.config.profile == Profile::Rfc;
        let payload = self.config.payload.get() as u32;
        self.limit = self
            .transfers
            .add(now, first, amount, payload, short_last)?;
        self.wake_from_idling(now);
        if self.permit == Permit::Nothing {
            self.permit = self.standing_permit();
        }
        Ok(())
    }

    /// After more than a time-out without sending, the window is no longer to
    /// be trusted (RFC 5681 §4.1). In ns-2 the idle timer sees to it.
    fn wake_from_idling(&mut self, now: Time) {
        let idle = self.una == self.high && self.high > 0;
        let rested = now.saturating_since(self.last_sent) > self.rtt.rto();
        if idle && rested && !self.config.details.idle_timer {
            let window = self.control.window().min(self.config.initial_window);
            self.control.restart(window);
            self.report_window(now, WindowReason::Idle);
        }
    }

    /// What may be sent when no ACK came: time has passed, or there is more
    /// data. Fack in ns-2 then looks for holes outside recovery, too.
    fn standing_permit(&self) -> Permit {
        match self.method {
            Method::Classic => Permit::Window(self.burst()),
            Method::Fack if self.board.is_some() => Permit::Repair,
            _ if self.recovering => Permit::Repair,
            _ => Permit::Window(UNLIMITED),
        }
    }

    /// When [`on_timer`](Self::on_timer) is due; `None` if nothing is waited for.
    #[inline]
    pub fn next_timeout(&self) -> Option<Time> {
        let at = match &self.pacer {
            None => self.rto_at,
            Some(pacer) => self.rto_at.min(pacer.deadline()),
        };
        (at != Time::NEVER).then_some(at)
    }

    /// When the timer was armed that [`next_timeout`](Self::next_timeout) tells of: what
    /// else happens at that instant may be ordered by it.
    pub fn timeout_armed(&self) -> Time {
        match &self.pacer {
            Some(pacer) if pacer.deadline() < self.rto_at => pacer.armed(),
            _ => self.rto_armed,
        }
    }

    /// The congestion window in packets.
    pub fn cwnd(&self) -> f64 {
        self.control.window()
    }

    /// Where slow start ends, in packets.
    pub fn ssthresh(&self) -> f64 {
        self.control.ssthresh()
    }

    /// Packets sent and not cumulatively acknowledged.
    pub fn outstanding(&self) -> u32 {
        self.high - self.una
    }

    /// The first packet not acknowledged.
    pub fn acknowledged(&self) -> u32 {
        self.una
    }

    /// Whether all data handed over have been acknowledged.
    pub fn is_done(&self) -> bool {
        self.una == self.limit
    }

    /// Whether holes are being repaired.
    pub fn is_recovering(&self) -> bool {
        self.recovering
    }

    /// The smoothed round trip; zero before the first sample.
    pub fn srtt(&self) -> Span {
        self.rtt.srtt(self.config.clock)
    }

    /// The time-out in force, back-off included.
    pub fn rto(&self) -> Span {
        self.rtt.rto()
    }

    /// The round-trip estimator's state in its own units.
    pub fn rtt_state(&self) -> RttState {
        self.rtt.state()
    }

    /// Totals so far.
    pub fn counters(&self) -> &Counters {
        &self.counters
    }

    /// What the sender was told.
    pub fn config(&self) -> &Arc<Config> {
        &self.config
    }

    /// The window in whole packets: what may be out beyond `una`.
    #[inline]
    fn usable_window(&self) -> u32 {
        let window = self.control.window() + f64::from(self.inflation);
        // Not `min`, which provides for what is no number.
        let usable = if window < self.window_cap {
            window
        } else {
            self.window_cap
        };
        usable as u32
    }

    /// Whether duplicates may begin a new episode: `una` is beyond the last one
    /// (RFC 6582 §3.2 step 1).
    fn gate_is_open(&self) -> bool {
        self.una > self.recover || (self.una == 1 && self.config.details.first_ack_opens_gate)
    }

    /// Opens the window for newly acknowledged data.
    #[inline]
    fn grow(&mut self, now: Time, acked: u32, rtt: Option<Span>) {
        let in_flight = self.next - self.una;
        let sample = AckSample {
            now,
            acked,
            in_flight,
            rtt,
            srtt: self.srtt(),
            window_unused: self.window_unused(in_flight + acked),
            in_recovery: self.recovering,
        };
        self.control.on_ack(&sample);
        self.report_window(now, WindowReason::Growth);
    }

    /// Whether something other than the congestion window limits the sender.
    fn window_unused(&self, in_flight: u32) -> bool {
        let window = self.control.window();
        window >= self.window_cap || (self.next >= self.limit && f64::from(in_flight + 1) < window)
    }

    /// A loss makes the window smaller; what was being timed is so no longer.
    fn cut_window(&mut self, now: Time, kind: LossKind, reason: WindowReason) {
        self.timed = UNTIMED;
        let loss = LossSample {
            now,
            kind,
            in_flight: self.next - self.una,
            window_cap: self.window_cap,
        };
        self.control.on_loss(&loss);
        self.report_window(now, reason);
    }

    #[inline]
    fn report_window(&mut self, at: Time, reason: WindowReason) {
        let control = &self.control;
        self.log.note(EventMask::WINDOW, || SenderEvent::Window {
            at,
            cwnd: control.window(),
            ssthresh: control.ssthresh(),
            reason,
        });
    }
}

/// The window before anything is acknowledged.
fn first_window(config: &Config) -> f64 {
    if config.syn {
        1.0
    } else {
        config.initial_window
    }
}

fn method_of(config: &Config) -> Method {
    match (config.profile, config.variant) {
        (_, Variant::Tahoe | Variant::Reno | Variant::NewReno) => Method::Classic,
        (Profile::Ns2, Variant::Sack) => Method::Pipe,
        (Profile::Ns2, Variant::Fack) => Method::Fack,
        (Profile::Rfc, _) => Method::Rfc6675,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sender_is_small() {
        let size = std::mem::size_of::<Sender>();
        assert!(size <= 272, "{size} bytes");
    }
}
