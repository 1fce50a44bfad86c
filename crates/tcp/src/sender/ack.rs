//! What an acknowledgement does: the steps that all variants share.

use pacesim_units::{Span, Time};

use super::{Method, Permit, Sender, UNLIMITED, UNTIMED};
use crate::config::Clock;
use crate::control::CongestionControl;
use crate::event::{EventMask, SenderEvent, WindowReason};
use crate::packet::Ack;
use crate::scoreboard::Scoreboard;

impl Sender {
    /// An acknowledgement arrived.
    // Always, as `poll_transmit`.
    #[inline(always)]
    pub fn on_ack(&mut self, now: Time, ack: &Ack) {
        if ack.next < self.una || ack.next > self.high {
            return;
        }
        match (self.recovering, ack.next > self.una) {
            (false, true) => self.on_new_ack(now, ack),
            (false, false) => self.on_duplicate(now, ack),
            (true, _) => self.on_recovery_ack(now, ack),
        }
        self.finish_transfers(now);
    }

    /// New data are acknowledged, and no hole is being repaired.
    #[inline(always)]
    pub(super) fn on_new_ack(&mut self, now: Time, ack: &Ack) {
        if self.method == Method::Fack && !ack.sacks.is_empty() {
            self.fack_notice(now, ack);
            return;
        }
        let opens = self.una == 0 && self.opens_at_syn();
        let acked = self.advance(ack.next);
        let rtt = self.measure(now, ack);
        self.restart_timer(now);
        self.dupacks = 0;
        self.after_timeout = false;
        self.note_blocks_of_new_ack(ack);
        if opens {
            self.open(now);
        } else {
            self.grow(now, acked, rtt);
        }
        self.permit = Permit::Window(UNLIMITED);
    }

    #[cold]
    fn on_duplicate(&mut self, now: Time, ack: &Ack) {
        match self.method {
            Method::Classic => self.classic_duplicate(now),
            Method::Pipe => self.pipe_duplicate(now, ack),
            Method::Fack => self.fack_notice(now, ack),
            Method::Rfc6675 => self.rfc6675_duplicate(now, ack),
        }
    }

    #[cold]
    fn on_recovery_ack(&mut self, now: Time, ack: &Ack) {
        match self.method {
            Method::Classic => self.classic_recovery_ack(now, ack),
            Method::Pipe => self.pipe_recovery_ack(now, ack),
            Method::Fack => self.fack_recovery_ack(now, ack),
            Method::Rfc6675 => self.rfc6675_recovery_ack(now, ack),
        }
    }

    /// All below `una` are acknowledged; how many are so newly.
    #[inline]
    pub(super) fn advance(&mut self, una: u32) -> u32 {
        let acked = una - self.una;
        self.una = una;
        self.next = self.next.max(una);
        if let Some(board) = &mut self.board {
            board.advance(una);
        }
        acked
    }

    /// Takes the round trip that an advancing ACK ends, if any.
    #[inline]
    pub(super) fn measure(&mut self, now: Time, ack: &Ack) -> Option<Span> {
        match self.config.clock {
            Clock::Ticks(_) => {
                if ack.next <= self.timed {
                    return None;
                }
                self.timed = UNTIMED;
                self.rtt.reset_backoff(&self.config);
                Some(self.sample_rtt(now, self.timed_at))
            }
            Clock::Stamps { .. } => {
                self.rtt.reset_backoff(&self.config);
                Some(self.sample_rtt(now, ack.stamp))
            }
        }
    }

    /// As [`measure`](Self::measure) for a partial ACK, from which ns-2 takes
    /// no sample though it ends the back-off.
    pub(super) fn measure_partial(&mut self, now: Time, ack: &Ack) {
        if self.config.clock_is_coarse() {
            self.end_timing(ack);
        } else {
            self.measure(now, ack);
        }
    }

    /// The timed packet may be acknowledged: then timing and back-off end.
    pub(super) fn end_timing(&mut self, ack: &Ack) {
        if ack.next > self.timed {
            self.timed = UNTIMED;
            self.rtt.reset_backoff(&self.config);
        }
    }

    /// A packet that left at `sent` is acknowledged now.
    pub(super) fn sample_rtt(&mut self, now: Time, sent: Time) -> Span {
        let sample = now.saturating_since(sent);
        self.rtt.sample(now, sent, self.clock_phase, &self.config);
        if let Some(pacer) = &mut self.pacer {
            pacer.on_rtt(sample, self.control.window());
        }
        let (rtt, clock) = (&self.rtt, self.config.clock);
        self.log.note(EventMask::RTT, || SenderEvent::Rtt {
            at: now,
            sample,
            srtt: rtt.srtt(clock),
            rto: rtt.rto(),
        });
        sample
    }

    /// Outside recovery: Sack1 starts afresh, the others keep what they know.
    #[inline]
    fn note_blocks_of_new_ack(&mut self, ack: &Ack) {
        match self.method {
            Method::Classic => {}
            Method::Pipe | Method::Fack => self.forget_blocks(),
            Method::Rfc6675 => {
                self.note_blocks(ack);
            }
        }
    }

    pub(super) fn forget_blocks(&mut self) {
        if let Some(board) = &mut self.board {
            board.clear(self.una);
        }
    }

    /// Notes the ACK's blocks; whether they say anything new.
    #[inline]
    pub(super) fn note_blocks(&mut self, ack: &Ack) -> bool {
        if ack.sacks.is_empty() {
            return false;
        }
        let high = self.high;
        self.the_board().note(&ack.sacks, high) > 0
    }

    /// The scoreboard, made at first need.
    pub(super) fn the_board(&mut self) -> &mut Scoreboard {
        let una = self.una;
        self.board
            .get_or_insert_with(|| Box::new(Scoreboard::new(una)))
    }

    /// Whether the SYN's ACK sets the window: for ns-2's Fack it is one like
    /// any other, so that the window is then 2, whatever the configuration says.
    #[cold]
    fn opens_at_syn(&self) -> bool {
        self.config.syn && self.method != Method::Fack
    }

    /// The SYN is acknowledged: the first data may go.
    #[cold]
    fn open(&mut self, now: Time) {
        let window = if self.syn_lost {
            1.0
        } else {
            self.config.initial_window
        };
        self.control.restart(window);
        self.report_window(now, WindowReason::Opened);
    }

    /// RFC 3042: each of the first duplicates lets one packet out beyond the window.
    pub(super) fn limited_transmit(&mut self) {
        let window = (self.control.window() + f64::from(self.dupacks)).min(self.window_cap);
        let fits = f64::from(self.next + 1 - self.una) <= window;
        if self.config.limited_transmit && fits {
            self.permit = Permit::One;
        }
    }

    #[inline]
    fn finish_transfers(&mut self, now: Time) {
        while let Some((index, transfer)) = self.transfers.finish(self.una) {
            self.log
                .note(EventMask::TRANSFER, || SenderEvent::TransferComplete {
                    at: now,
                    index,
                    bytes: transfer.bytes,
                    started: transfer.started,
                });
        }
    }
}
