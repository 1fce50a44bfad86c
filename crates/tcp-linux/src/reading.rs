//! Readings of a sender's state, and its events.

use std::sync::Arc;

use pacesim_units::{Span, Time};

use crate::config::Config;
use crate::connection::{self, Connection, State};
use crate::control::LinuxControl;
use crate::event::{EventMask, SenderEvent, WindowReason};
use crate::pace;
use crate::totals::{Counters, Limit, RttState, Standing};
use crate::transfer::Transfers;
use crate::{Linux, LinuxState, clock};

impl Linux {
    /// Requests events of these kinds only.
    pub fn want_events(&mut self, mask: EventMask) {
        self.log.want(mask);
    }

    /// True if `poll_event` has one.
    pub fn has_events(&self) -> bool {
        self.log.has_some()
    }

    /// The next event, oldest first.
    pub fn poll_event(&mut self) -> Option<SenderEvent> {
        self.log.poll()
    }

    /// Freezes the receiver's window at its current value.
    pub fn stop_growing(&mut self) {
        self.conn.grows = false;
    }

    /// The data that the application has handed over.
    pub fn transfers(&self) -> &Transfers {
        &self.transfers
    }

    /// Ends endless data with the last packet sent.
    pub fn end_data(&mut self) {
        self.conn.limit = self.conn.limit.min(self.conn.next);
    }

    /// The current limit on sending.
    pub fn limited_by(&self) -> Limit {
        let conn = &self.conn;
        if !self.queued.is_empty() || conn.pace.holds(conn.now) {
            Limit::Pacing
        } else if self.is_recovering() {
            Limit::Congestion
        } else if !conn.has_new() {
            Limit::Data
        } else if conn.next >= conn.peer_end() {
            Limit::Window
        } else {
            Limit::Congestion
        }
    }

    /// The limit on sending, and all else that statistics of time distinguish.
    pub fn standing(&self) -> Standing {
        let in_slow_start = self.conn.in_slow_start();
        Standing::new(self.limited_by(), !self.is_done(), in_slow_start)
    }

    /// The congestion window in packets.
    pub fn cwnd(&self) -> f64 {
        f64::from(self.conn.window.size)
    }

    /// The window at which slow start ends, in packets.
    pub fn ssthresh(&self) -> f64 {
        ssthresh(self.conn.window.ssthresh)
    }

    /// Packets sent and not cumulatively acknowledged.
    pub fn outstanding(&self) -> u32 {
        self.conn.packets_out
    }

    /// The first packet not acknowledged.
    pub fn acknowledged(&self) -> u32 {
        self.conn.una
    }

    /// True if all data handed over have been acknowledged.
    pub fn is_done(&self) -> bool {
        self.conn.una == self.conn.limit
    }

    /// True while losses are repaired.
    pub fn is_recovering(&self) -> bool {
        self.conn.state >= State::Recovery
    }

    /// The smoothed round trip; zero before the first sample.
    pub fn srtt(&self) -> Span {
        self.conn.srtt()
    }

    /// The round-trip estimator's state, in microseconds.
    pub fn rtt_state(&self) -> RttState {
        RttState {
            last: self.conn.rack.rtt,
            srtt8: self.conn.rtt.srtt8(),
            rttvar4: self.conn.rtt.variance4(),
            backoff: 1 << self.conn.timer.backoff.min(31),
        }
    }

    /// Totals of the sender so far.
    pub fn counters(&self) -> &Counters {
        &self.counters
    }

    /// The configuration of the sender.
    pub fn config(&self) -> &Arc<Config> {
        &self.config
    }

    /// The state of the connection as the kernel reports it.
    pub fn state(&self) -> LinuxState {
        let conn = &self.conn;
        LinuxState {
            state: conn.state as u8,
            cwnd: conn.window.size,
            ssthresh: (conn.window.ssthresh < connection::INFINITE).then_some(conn.window.ssthresh),
            unacked: conn.packets_out,
            sacked: conn.sacked_out,
            lost: conn.lost_out,
            retrans: conn.resent_out,
            total_retrans: conn.total_resent,
            srtt_us: conn.rtt.srtt8() >> 3,
            rttvar_us: conn.rtt.deviation4() >> 2,
            min_rtt_us: conn.rtt.least(),
            rto_us: conn.ticks.micros(conn.timer.rto),
            reordering: conn.reordering,
            delivered: conn.rates.delivered,
            delivered_ce: conn.rates.delivered_ce,
            pacing_rate: conn.pace.rate(),
            model: self.control.model(conn),
            alpha: self.control.alpha(),
            reduction: conn.reduction().filter(|_| !self.control.rules_alone()),
            curve: self.control.curve(),
        }
    }

    /// Time at which the next packet departs, if TCP paces itself.
    pub fn next_departure(&self) -> Option<Time> {
        let pace = &self.conn.pace;
        let at = Time::ZERO + Span::from_us(pace.next().div_ceil(1000));
        (pace.holder == pace::Holder::Sender && at > Time::ZERO).then_some(at)
    }

    /// Sets the seed of the control's random choices.
    pub fn seed(&mut self, seed: u64) {
        if let Some(draws) = self.control.draws() {
            draws.seed(seed);
        }
    }

    /// Sets random choices that come first.
    pub fn plan_choices(&mut self, choices: &[u32], of: u32) {
        if let Some(draws) = self.control.draws() {
            draws.plan(choices, of);
        }
    }

    /// Number of random choices that the control has made.
    pub fn choices_made(&self) -> u32 {
        self.control.choices_made()
    }

    /// The time-out in force, back-off included.
    pub fn rto(&self) -> Span {
        self.conn.rto()
    }

    #[inline]
    pub(super) fn finish_transfers(&mut self, now: Time) {
        while let Some((index, transfer)) = self.transfers.finish(self.conn.una) {
            if transfer.is_end() {
                continue;
            }
            self.log
                .note(EventMask::TRANSFER, || SenderEvent::TransferComplete {
                    at: now,
                    index,
                    bytes: transfer.bytes,
                    started: transfer.started,
                });
        }
    }

    #[inline]
    pub(super) fn report(&mut self, reason: WindowReason) {
        let Linux {
            log, conn, time, ..
        } = self;
        log.note(EventMask::WINDOW, || SenderEvent::Window {
            at: *time,
            cwnd: f64::from(conn.window.size),
            ssthresh: ssthresh(conn.window.ssthresh),
            reason,
        });
    }

    pub(super) fn note_recovery(&mut self) {
        self.counters.fast_retransmits += 1;
        let (at, seq) = (self.time, self.conn.una);
        self.log
            .note(EventMask::RECOVERY, || SenderEvent::FastRetransmit {
                at,
                seq,
            });
        self.report(WindowReason::FastRetransmit);
    }

    #[inline]
    pub(super) fn note_rtt(&mut self, rtt: clock::Micros) {
        let Linux {
            log, conn, time, ..
        } = self;
        log.note(EventMask::RTT, || SenderEvent::Rtt {
            at: *time,
            sample: Span::from_us(rtt),
            srtt: conn.srtt(),
            rto: conn.rto(),
        });
    }

    pub(super) fn note_time_out(&mut self) {
        let (at, seq, rto) = (self.time, self.conn.una, self.rto());
        self.log
            .note(EventMask::TIMEOUT, || SenderEvent::Timeout { at, seq, rto });
        self.report(WindowReason::Timeout);
    }
}

impl Connection {
    fn srtt(&self) -> Span {
        Span::from_us(self.rtt.srtt8() >> 3)
    }

    fn rto(&self) -> Span {
        Span::from_us(self.ticks.micros(self.timer.rto))
    }
}

fn ssthresh(packets: u32) -> f64 {
    match packets {
        connection::INFINITE => f64::INFINITY,
        packets => f64::from(packets),
    }
}
