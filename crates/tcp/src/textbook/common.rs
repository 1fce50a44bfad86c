//! State of a sender shared by all methods of repair: its place in the data, its window, round
//! trips and timer.

use std::sync::Arc;

use pacesim_units::{Span, Time};

use super::Permit;
use super::send_window::SendWindow;
use super::sequence::Sequence;
use super::timer::Timer;
use super::timing::Timing;
use crate::config::{AfterIdle, Config};
use crate::control::{AckSample, CongestionControl, LossKind, LossSample};
use crate::event::{EventMask, Log, SenderEvent, WindowReason};
use crate::pacing::HostPacer;
use crate::totals::Counters;

/// The state and steps that all methods of repair share.
#[derive(Debug)]
pub(super) struct Common {
    pub(super) seq: Sequence,
    pub(super) window: SendWindow,
    pub(super) timing: Timing,
    pub(super) timer: Timer,
    pub(super) permit: Permit,
    /// True while holes are being repaired.
    pub(super) recovering: bool,
    /// Set if `una` must be retransmitted regardless of the window.
    pub(super) repair_first: bool,
    pub(super) syn_lost: bool,
    pub(super) last_sent: Time,
    pub(super) pacer: Option<Box<HostPacer>>,
    pub(super) log: Log,
    pub(super) counters: Counters,
    pub(super) config: Arc<Config>,
}

impl Common {
    pub(super) fn new(config: &Arc<Config>, clock_phase: Span) -> Common {
        Common {
            seq: Sequence::default(),
            window: SendWindow::new(config),
            timing: Timing::new(config, clock_phase),
            timer: Timer::stopped(),
            permit: Permit::Nothing,
            recovering: false,
            repair_first: false,
            syn_lost: false,
            last_sent: Time::ZERO,
            pacer: HostPacer::new(config.pacing),
            log: Log::default(),
            counters: Counters::default(),
            config: Arc::clone(config),
        }
    }

    /// Restarts the window after more than a time-out without sending, when it is outdated (RFC
    /// 5681 §4.1). In ns-2 the idle timer does so.
    pub(super) fn wake_from_idling(&mut self, now: Time) {
        let idle = self.seq.is_idle() && self.seq.high > 0;
        let rested = now.saturating_since(self.last_sent) > self.timing.rtt.rto();
        if idle && rested && self.config.after_idle == AfterIdle::First {
            let window = self.window.size().min(self.config.initial_window);
            self.window.control.restart(window);
            self.report_window(now, WindowReason::Idle);
        }
    }

    /// Opens the window for newly acknowledged data.
    #[inline]
    pub(super) fn grow(&mut self, now: Time, acked: u32, rtt: Option<Span>) {
        let in_flight = self.seq.in_flight();
        let mut sample = AckSample::new(now, acked);
        sample.in_flight = in_flight;
        sample.rtt = rtt;
        sample.srtt = self.timing.srtt(&self.config);
        sample.window_unused = self.window_unused(in_flight + acked);
        sample.in_recovery = self.recovering;
        sample.max_cwnd = self.config.max_cwnd.unwrap_or(f64::INFINITY);
        self.window.control.on_ack(&sample);
        self.report_window(now, WindowReason::Growth);
    }

    /// True if something other than the congestion window limits the sender.
    fn window_unused(&self, in_flight: u32) -> bool {
        let window = self.window.size();
        window >= self.window.cap || (!self.seq.has_new() && f64::from(in_flight + 1) < window)
    }

    /// The packets in flight for a cut. Wei's patch counts them from the packet before `first` on,
    /// the last that arrived.
    pub(super) fn flight_from(&self, first: u32) -> u32 {
        if self.config.is_paced_ns2() {
            self.seq.next + 1 - first
        } else {
            self.seq.in_flight()
        }
    }

    /// Takes the first steps of every fast retransmit, with `in_flight` packets.
    pub(super) fn begin_repair(&mut self, now: Time, kind: LossKind, in_flight: u32) {
        self.counters.fast_retransmits += 1;
        let seq = self.seq.una;
        self.log
            .note(EventMask::RECOVERY, || SenderEvent::FastRetransmit {
                at: now,
                seq,
            });
        self.cut_window(now, kind, in_flight, WindowReason::FastRetransmit);
        self.arm_timer(now);
    }

    /// Reduces the window after a loss, and stops timing.
    pub(super) fn cut_window(
        &mut self,
        now: Time,
        kind: LossKind,
        in_flight: u32,
        reason: WindowReason,
    ) {
        self.timing.cancel();
        let mut loss = LossSample::new(now, kind, in_flight);
        loss.window_cap = self.window.cap;
        self.window.control.on_loss(&loss);
        self.report_window(now, reason);
    }

    /// Ends recovery after an ACK.
    pub(super) fn end_recovery(&mut self, now: Time) {
        self.recovering = false;
        self.window.control.on_recovery_end(now);
        self.log
            .note(EventMask::RECOVERY, || SenderEvent::Recovered { at: now });
    }

    #[inline]
    pub(super) fn report_window(&mut self, at: Time, reason: WindowReason) {
        let control = &self.window.control;
        self.log.note(EventMask::WINDOW, || SenderEvent::Window {
            at,
            cwnd: control.window(),
            ssthresh: control.ssthresh(),
            reason,
        });
    }

    /// RFC 3042: each of the first duplicates lets one packet out beyond the window.
    pub(super) fn limited_transmit(&mut self, duplicates: u32) {
        let window = (self.window.size() + f64::from(duplicates)).min(self.window.cap);
        let fits = f64::from(self.seq.in_flight() + 1) <= window;
        if self.config.limited_transmit && fits {
            self.permit = Permit::One;
        }
    }
}
