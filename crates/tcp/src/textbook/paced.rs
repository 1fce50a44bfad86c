//! Transmission of a paced sender.

use pacesim_units::{Span, Time};

use super::common::Common;
use super::repair::{Choice, Repair};
use super::{Permit, Textbook};
use crate::config::Pacing;
use crate::control::CongestionControl;
use crate::pacing::{HostPacer, PaceView};
use crate::packet::Segment;

impl Textbook {
    /// [`poll_transmit`](Textbook::poll_transmit) with a pacer.
    #[cold]
    pub(super) fn poll_paced(&mut self, now: Time) -> Option<Segment> {
        match self.common.config.pacing {
            Pacing::Window => self.poll_timed(now),
            _ => self.poll_spaced(now),
        }
    }

    /// Every packet waits until the gap after the one before is over.
    fn poll_spaced(&mut self, now: Time) -> Option<Segment> {
        let Some(choice) = self.choose() else {
            self.common.permit = Permit::Nothing;
            self.common.with_pacer(HostPacer::rest);
            return None;
        };
        let segment = self.segment(now, choice);
        if !self.common.pacer_admits(now, choice, &segment) {
            return None;
        }
        self.send(now, choice, &segment);
        Some(segment)
    }

    /// Wei's patch: each input releases at most one packet, and none while the timer runs. Fast
    /// retransmissions and limited transmit leave the timer alone.
    fn poll_timed(&mut self, now: Time) -> Option<Segment> {
        if self.common.repair_first || self.common.permit == Permit::One {
            return self.send_unpaced(now);
        }
        let Some(gap) = self.patch_gap() else {
            return self.send_unpaced(now);
        };
        if self.common.timer_holds(now, gap) {
            self.wait_for_timer(now, gap);
            return None;
        }
        self.common.with_pacer(HostPacer::rest);
        let segment = self.send_unpaced(now);
        if self.recovery.has_room(&self.common) {
            self.common.with_pacer(|pacer| pacer.run(now, gap));
        }
        self.common.permit = Permit::Nothing;
        segment
    }

    fn send_unpaced(&mut self, now: Time) -> Option<Segment> {
        let Some(choice) = self.choose() else {
            self.common.permit = Permit::Nothing;
            return None;
        };
        let segment = self.segment(now, choice);
        self.send(now, choice, &segment);
        self.common.with_pacer(|pacer| pacer.note_departure(now));
        Some(segment)
    }

    /// Moves the timer forward if the gap has shrunk.
    fn wait_for_timer(&mut self, now: Time, gap: Span) {
        if self.recovery.has_room(&self.common) {
            self.common.with_pacer(|pacer| pacer.hasten(now, gap));
        }
        self.common.permit = Permit::Nothing;
    }

    /// The patch's gap: until all packets sent before a loss are acknowledged, by the least round
    /// trip. The receiver's window has no part in it.
    fn patch_gap(&self) -> Option<Span> {
        let common = &self.common;
        let repairing = common.seq.una <= self.recovery.episode_end();
        let window = common.window.size().max(1.0);
        common.pacer.as_ref()?.window_gap(window, repairing)
    }
}

impl Common {
    fn with_pacer(&mut self, act: impl FnOnce(&mut HostPacer)) {
        if let Some(pacer) = &mut self.pacer {
            act(pacer);
        }
    }

    /// True while new data wait for the pacer's timer.
    #[inline]
    pub(super) fn waits_for_timer(&self) -> bool {
        let pacer = self.pacer.as_ref();
        pacer.is_some_and(|pacer| pacer.deadline() != Time::NEVER) && self.seq.has_new()
    }

    fn timer_holds(&self, now: Time, gap: Span) -> bool {
        let pacer = self.pacer.as_ref();
        pacer.is_some_and(|pacer| pacer.holds(now, gap))
    }

    fn pacer_admits(&mut self, now: Time, choice: Choice, segment: &Segment) -> bool {
        let view = self.pace_view(segment);
        let Some(pacer) = &mut self.pacer else {
            return true;
        };
        let at_once = choice == Choice::First && !pacer.paces_retransmissions();
        let admitted = at_once || pacer.admits(now, &view);
        if admitted {
            pacer.on_sent(now, &view);
        }
        admitted
    }

    fn pace_view(&self, segment: &Segment) -> PaceView {
        let control = &self.window.control;
        PaceView {
            window: control.window().min(self.window.cap),
            ssthresh: control.ssthresh(),
            in_flight: self.seq.in_flight(),
            recovering: self.recovering,
            rate: control.pacing_rate(),
            size: segment.size,
        }
    }
}
