//! The steps at an acknowledgement that all methods of repair share.

use pacesim_units::{Span, Time};

use super::common::Common;
use super::repair::Repair;
use super::{Permit, Textbook, UNLIMITED};
use crate::config::Clock;
use crate::control::CongestionControl;
use crate::event::{EventMask, SenderEvent, WindowReason};
use crate::packet::Ack;

impl Textbook {
    /// An acknowledgement arrived.
    // Always inlined, as `poll_transmit`.
    #[inline(always)]
    pub(crate) fn on_ack(&mut self, now: Time, ack: &Ack) {
        let Textbook {
            common, recovery, ..
        } = self;
        if ack.next < common.seq.una || ack.next > common.seq.high {
            return;
        }
        // Calls that are not inlined get copies, so that a plain ACK need not be in memory.
        if common.recovering {
            let unusual = *ack;
            recovery.on_recovery_ack(common, now, &unusual);
        } else if ack.next == common.seq.una || recovery.takes_as_duplicate(ack) {
            let unusual = *ack;
            recovery.on_duplicate(common, now, &unusual);
        } else {
            recovery.on_new_ack(common, ack);
            common.on_new_ack(now, ack);
        }
        self.finish_transfers(now);
    }

    #[inline]
    fn finish_transfers(&mut self, now: Time) {
        let Common { seq, log, .. } = &mut self.common;
        while let Some((index, transfer)) = self.transfers.finish(seq.una) {
            if transfer.is_end() {
                continue;
            }
            log.note(EventMask::TRANSFER, || SenderEvent::TransferComplete {
                at: now,
                index,
                bytes: transfer.bytes,
                started: transfer.started,
            });
        }
    }
}

impl Common {
    /// Handles an ACK of new data outside recovery.
    #[inline(always)]
    pub(super) fn on_new_ack(&mut self, now: Time, ack: &Ack) {
        let opens = self.seq.una == 0 && self.opens_at_syn();
        let acked = self.seq.advance(ack.next);
        let rtt = self.measure(now, ack);
        self.restart_timer(now);
        if opens {
            self.open(now);
        } else {
            self.grow(now, acked, rtt);
        }
        self.permit = Permit::Window(UNLIMITED);
    }

    /// Takes the round trip that an advancing ACK ends, if any.
    #[inline]
    pub(super) fn measure(&mut self, now: Time, ack: &Ack) -> Option<Span> {
        match self.config.clock {
            Clock::Ticks(_) => {
                let sent = self.end_timing(ack)?;
                Some(self.sample_rtt(now, sent))
            }
            Clock::Stamps { .. } => {
                self.timing.rtt.reset_backoff(&self.config);
                Some(self.sample_rtt(now, ack.stamp))
            }
        }
    }

    /// [`measure`](Self::measure) for a partial ACK, from which ns-2 takes no sample though it ends
    /// the back-off.
    pub(super) fn measure_partial(&mut self, now: Time, ack: &Ack) {
        if self.config.clock_is_coarse() {
            self.end_timing(ack);
        } else {
            self.measure(now, ack);
        }
    }

    /// Departure of the timed packet, if it is acknowledged.
    #[inline]
    pub(super) fn end_timing(&mut self, ack: &Ack) -> Option<Time> {
        self.timing.end(ack.next, &self.config)
    }

    /// Takes the sample of a packet that left at `sent` and is acknowledged now.
    pub(super) fn sample_rtt(&mut self, now: Time, sent: Time) -> Span {
        let sample = now.saturating_since(sent);
        self.timing.sample(now, sent, &self.config);
        if let Some(pacer) = &mut self.pacer {
            pacer.on_rtt(sample, self.window.size());
        }
        let (rtt, clock) = (&self.timing.rtt, self.config.clock);
        self.log.note(EventMask::RTT, || SenderEvent::Rtt {
            at: now,
            sample,
            srtt: rtt.srtt(clock),
            rto: rtt.rto(),
        });
        sample
    }

    /// True if the SYN's ACK sets the window. In ns-2's Fack it is an ordinary ACK, so that the
    /// window is then 2, regardless of the configuration.
    #[cold]
    fn opens_at_syn(&self) -> bool {
        self.config.syn && !self.config.is_ns2_fack()
    }

    /// Opens the connection: the SYN is acknowledged, and the first data may be sent.
    #[cold]
    fn open(&mut self, now: Time) {
        let window = if self.syn_lost {
            1.0
        } else {
            self.config.initial_window
        };
        self.window.control.restart(window);
        self.report_window(now, WindowReason::Opened);
    }
}
