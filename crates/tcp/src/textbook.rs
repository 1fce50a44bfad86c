//! A sender by the RFCs, or as in ns-2: a window, a method of repair, a timer.

mod ack;
mod board;
mod classic;
mod common;
mod duplicates;
mod fack;
mod paced;
mod pipe;
mod recovery;
mod repair;
mod rfc6675;
mod send_window;
mod sequence;
mod timeout;
mod timer;
mod timing;
mod transmit;
mod waiting;

use std::sync::Arc;

use pacesim_units::{Bytes, Span, Time};

use crate::config::{Config, Profile};
use crate::control::CongestionControl;
use crate::event::{EventMask, SenderEvent};
use crate::totals::Counters;
use crate::totals::RttState;
use crate::transfer::{Amount, DataError, Transfers};
use common::Common;
use recovery::Recovery;

/// Packets that the last input allows, until [`Sender::poll_transmit`] has found no more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Permit {
    Nothing,
    /// One new packet beyond the window may leave: limited transmit.
    One,
    /// At most this number of new packets within the window may leave.
    Window(u32),
    /// At most this number of packets, chosen by the method of repair.
    Repair(u32),
}

/// Marks the absence of a limit on packets per ACK.
const UNLIMITED: u32 = u32::MAX;

/// The sending side of one flow by the textbook's rules.
#[derive(Debug)]
pub(crate) struct Textbook {
    common: Common,
    recovery: Recovery,
    transfers: Transfers,
}

impl Textbook {
    /// A sender with nothing to send. The coarse clock of ns-2's profile ticks
    /// when time plus `clock_phase` is a multiple of the tick.
    ///
    /// The configuration should be one that [`Config::validate`] accepts.
    pub(crate) fn new(config: &Arc<Config>, clock_phase: Span) -> Textbook {
        Textbook {
            common: Common::new(config, clock_phase),
            recovery: Recovery::new(config),
            transfers: Transfers::default(),
        }
    }

    /// Requests events of these kinds only; drops events not yet polled.
    pub(crate) fn want_events(&mut self, mask: EventMask) {
        self.common.log.want(mask);
    }

    /// True if `poll_event` has one.
    #[inline]
    pub(crate) fn has_events(&self) -> bool {
        self.common.log.has_some()
    }

    /// The next event, oldest first.
    #[inline]
    pub(crate) fn poll_event(&mut self) -> Option<SenderEvent> {
        self.common.log.poll()
    }

    /// Hands over more data of the application.
    pub(crate) fn on_data(&mut self, now: Time, amount: Amount) -> Result<(), DataError> {
        let first = self.first_free();
        let Common { seq, config, .. } = &mut self.common;
        let short_last = config.profile != Profile::Ns2;
        let payload = config.payload.get() as u32;
        seq.limit = self
            .transfers
            .add(now, first, amount, payload, short_last)?;
        self.common.wake_from_idling(now);
        self.permit_standing();
        Ok(())
    }

    /// The application has nothing more to send: its data are followed by an empty packet (a FIN).
    /// It is not a transfer, so it has no events. It consists of headers and so requires them.
    /// Returns its number.
    pub(crate) fn on_close(&mut self, now: Time) -> Result<u32, DataError> {
        if self.common.config.header == Bytes::ZERO {
            return Err(DataError::Empty);
        }
        let first = self.first_free();
        self.common.seq.limit = self.transfers.add_end(now, first)?;
        self.common.wake_from_idling(now);
        self.permit_standing();
        Ok(first)
    }

    /// The number of the first packet beyond the application's data.
    fn first_free(&self) -> u32 {
        match self.common.seq.limit {
            0 => u32::from(self.common.config.syn),
            limit => limit,
        }
    }

    /// Stops the growth of the window by acknowledgements, as in ns-2's FullTcp once the other end
    /// has closed.
    pub(crate) fn stop_growing(&mut self) {
        self.common.window.control.stop_growing();
    }

    /// Time at which [`on_timer`](Self::on_timer) is due; `None` if no timer runs.
    #[inline]
    pub(crate) fn next_timeout(&self) -> Option<Time> {
        let at = match &self.common.pacer {
            None => self.common.timer.at,
            Some(pacer) => self.common.timer.at.min(pacer.deadline()),
        };
        (at != Time::NEVER).then_some(at)
    }

    /// Time at which the timer of [`next_timeout`](Self::next_timeout) was armed, which may order
    /// simultaneous events.
    pub(crate) fn timeout_armed(&self) -> Time {
        match &self.common.pacer {
            Some(pacer) if pacer.deadline() < self.common.timer.at => pacer.armed(),
            _ => self.common.timer.armed,
        }
    }

    /// The congestion window in packets.
    pub(crate) fn cwnd(&self) -> f64 {
        self.common.window.size()
    }

    /// The window at which slow start ends, in packets.
    pub(crate) fn ssthresh(&self) -> f64 {
        self.common.window.control.ssthresh()
    }

    /// Packets sent and not cumulatively acknowledged.
    pub(crate) fn outstanding(&self) -> u32 {
        self.common.seq.outstanding()
    }

    /// The first packet not acknowledged.
    pub(crate) fn acknowledged(&self) -> u32 {
        self.common.seq.una
    }

    /// True if all data handed over have been acknowledged.
    pub(crate) fn is_done(&self) -> bool {
        self.common.seq.una == self.common.seq.limit
    }

    /// True while holes are repaired.
    pub(crate) fn is_recovering(&self) -> bool {
        self.common.recovering
    }

    /// The smoothed round trip; zero before the first sample.
    pub(crate) fn srtt(&self) -> Span {
        self.common.timing.srtt(&self.common.config)
    }

    /// The time-out in force, back-off included.
    pub(crate) fn rto(&self) -> Span {
        self.common.timing.rtt.rto()
    }

    /// The round-trip estimator's state in its own units.
    pub(crate) fn rtt_state(&self) -> RttState {
        self.common.timing.rtt.state()
    }

    pub(crate) fn transfers(&self) -> &Transfers {
        &self.transfers
    }

    /// Totals of the sender so far.
    pub(crate) fn counters(&self) -> &Counters {
        &self.common.counters
    }

    /// The sender's configuration.
    pub(crate) fn config(&self) -> &Arc<Config> {
        &self.common.config
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sender_is_small() {
        let size = std::mem::size_of::<Textbook>();
        assert!(size <= 280, "{size} bytes");
    }
}
