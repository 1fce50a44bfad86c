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
    /// Does the work of [`poll_transmit`](Textbook::poll_transmit) with a pacer.
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::config::{Config, Variant};
    use crate::packet::Ack;
    use crate::transfer::Amount;

    fn ms(n: f64) -> Time {
        Time::ZERO + Span::from_ps_f64(n * 1e9).expect("a time")
    }

    /// A flow after the answer to its SYN at 100 ms: two packets each 50 ms.
    fn opened() -> Textbook {
        let mut config = Config::ns2(Variant::Reno);
        config.pacing = Pacing::Window;
        let mut flow = Textbook::new(&Arc::new(config), Span::ZERO);
        flow.on_data(Time::ZERO, Amount::Endless).expect("data");
        assert_eq!(sent(&mut flow, 0.0), [0]);
        assert_eq!(acked(&mut flow, 100.0, 1), [1]);
        flow
    }

    fn sent(flow: &mut Textbook, at: f64) -> Vec<u32> {
        std::iter::from_fn(|| flow.poll_transmit(ms(at)))
            .map(|segment| segment.seq)
            .collect()
    }

    fn acked(flow: &mut Textbook, at: f64, next: u32) -> Vec<u32> {
        flow.on_ack(ms(at), &Ack::plain(next, ms(at - 100.0)));
        sent(flow, at)
    }

    fn woken(flow: &mut Textbook, at: f64) -> Vec<u32> {
        flow.on_timer(ms(at));
        sent(flow, at)
    }

    /// The same up to the arrival of the second packet's ACK: packet 5 has left at 250 ms, and its
    /// timer runs until 275 ms.
    fn under_way() -> Textbook {
        let mut flow = opened();
        assert_eq!(flow.next_timeout(), Some(ms(150.0)));
        assert_eq!(woken(&mut flow, 150.0), [2]);
        assert_eq!(acked(&mut flow, 200.0, 2), [3]);
        assert_eq!(woken(&mut flow, 200.0 + 100.0 / 3.0), [4]);
        assert_eq!(acked(&mut flow, 250.0, 3), [5]);
        flow
    }

    #[test]
    fn an_ack_without_a_running_timer_releases_a_packet_before_the_gap_is_over() {
        let flow = under_way();
        assert_eq!(flow.cwnd(), 4.0);
        assert_eq!(flow.next_timeout(), Some(ms(275.0)));
    }

    #[test]
    fn an_ack_before_the_end_of_the_gap_moves_the_timer_forward() {
        let mut flow = under_way();
        assert_eq!(acked(&mut flow, 251.0, 4), []);
        assert_eq!(flow.cwnd(), 5.0);
        let due = flow.next_timeout().expect("a timer");
        assert!(due < ms(275.0) && due > ms(265.0), "{due}");
    }

    #[test]
    fn the_first_duplicates_leave_the_timer_alone_and_limited_transmit_is_not_paced() {
        let mut flow = under_way();
        assert_eq!(acked(&mut flow, 251.0, 3), [6]);
        assert_eq!(flow.next_timeout(), Some(ms(275.0)));
        assert_eq!(acked(&mut flow, 252.0, 3), [7]);
        assert_eq!(flow.next_timeout(), Some(ms(275.0)));
    }

    #[test]
    fn a_loss_halves_the_packets_from_the_highest_ack_to_the_next() {
        let mut flow = under_way();
        for at in [251.0, 252.0] {
            acked(&mut flow, at, 3);
        }
        assert_eq!(acked(&mut flow, 253.0, 3), [3]);
        // Next is 8, the highest ACK of ns-2 is 2; half of the window of 4 would be 2.
        assert_eq!(flow.cwnd(), 3.0);
    }

    #[test]
    fn the_gap_after_a_timeout_is_by_the_least_round_trip() {
        let mut flow = under_way();
        flow.on_ack(ms(330.0), &Ack::plain(4, ms(200.0)));
        sent(&mut flow, 330.0);
        let average = flow.patch_gap().expect("a gap") * 5;
        assert!(average > Span::from_ms(100), "{average}");
        let expiry = flow.common.timer.at;
        flow.on_timer(expiry);
        let gap = flow.patch_gap().expect("a gap");
        assert_eq!((flow.cwnd(), gap), (1.0, Span::from_ms(100)));
    }
}
