//! The two ends of a connection: TCP's, at the cost of no indirection, or a user's own.

use pacesim_measure::record::TransferRow;
use pacesim_tcp::{Amount, Counters, DataError, Receiver, Sender};
use pacesim_transport::{Answers, Command, Transfer};
use pacesim_units::{Bytes, Time};

use super::own_end::OwnEnd;
use super::reading::SendersReading;

/// The end that sends data.
#[allow(
    clippy::large_enum_variant,
    reason = "nearly all are TCP's: no indirection for them"
)]
pub(super) enum SourceEnd {
    Tcp(Sender),
    Own(Box<OwnEnd>),
}

/// The end that receives data.
#[allow(
    clippy::large_enum_variant,
    reason = "nearly all are TCP's: no indirection for them"
)]
pub(super) enum SinkEnd {
    Tcp(Receiver),
    Own(Box<OwnEnd>),
}

impl SourceEnd {
    /// TCP's sender, if it is one.
    pub(super) fn tcp(&self) -> Option<&Sender> {
        match self {
            SourceEnd::Tcp(sender) => Some(sender),
            SourceEnd::Own(_) => None,
        }
    }

    /// The application has more to send.
    pub(super) fn on_data(&mut self, now: Time, amount: Amount) -> Result<(), DataError> {
        match self {
            SourceEnd::Tcp(sender) => sender.on_data(now, amount),
            SourceEnd::Own(end) => end.command(now, Command::Send(amount)),
        }
    }

    /// The application has nothing more to send, and says so.
    pub(super) fn close(&mut self, now: Time) {
        // As with data, nothing is sent beyond the sequence space.
        let _ = match self {
            SourceEnd::Tcp(sender) => sender.on_close(now).map(|_| ()),
            SourceEnd::Own(end) => end.command(now, Command::Close),
        };
    }

    /// Endless data end here.
    pub(super) fn end_data(&mut self, now: Time) {
        match self {
            SourceEnd::Tcp(sender) => sender.end_data(),
            // An end without endless data has nothing to stop.
            SourceEnd::Own(end) => _ = end.command(now, Command::Stop),
        }
    }

    /// The window grows no more.
    pub(super) fn stop_growing(&mut self, now: Time) {
        match self {
            SourceEnd::Tcp(sender) => sender.stop_growing(),
            SourceEnd::Own(end) => _ = end.command(now, Command::Stand),
        }
    }

    /// Time has passed.
    pub(super) fn on_timer(&mut self, now: Time) {
        match self {
            SourceEnd::Tcp(sender) => sender.on_wake(now),
            SourceEnd::Own(end) => end.wake(now),
        }
    }

    /// The time of the next timeout.
    #[inline(always)]
    pub(super) fn next_timeout(&mut self) -> Option<Time> {
        match self {
            SourceEnd::Tcp(sender) => sender.next_timeout(),
            SourceEnd::Own(end) => end.next_wake(),
        }
    }

    /// The time at which that timeout was decided, if it is known.
    #[inline(always)]
    pub(super) fn timeout_decided(&self) -> Option<Time> {
        match self {
            SourceEnd::Tcp(sender) => Some(sender.timeout_armed()),
            SourceEnd::Own(end) => end.wake_decided(),
        }
    }

    /// Totals so far.
    #[inline]
    pub(super) fn counters(&self) -> Counters {
        match self {
            SourceEnd::Tcp(sender) => *sender.counters(),
            SourceEnd::Own(end) => end.counters(),
        }
    }

    /// Totals of messages of marks and of missing packets so far.
    pub(super) fn answers(&self) -> Answers {
        match self {
            SourceEnd::Tcp(_) => Answers::default(),
            SourceEnd::Own(end) => end.answers(),
        }
    }

    /// The transfers not fully acknowledged, oldest first.
    pub(super) fn pending(&self) -> Vec<Transfer> {
        let of_tcp = |(index, bytes, started): (u32, Bytes, Time)| Transfer {
            index,
            bytes,
            started,
        };
        match self {
            SourceEnd::Tcp(sender) => sender.pending_transfers().map(of_tcp).collect(),
            SourceEnd::Own(end) => end.pending(),
        }
    }

    /// True if transfers are not fully acknowledged.
    pub(super) fn has_pending(&self) -> bool {
        match self {
            SourceEnd::Tcp(sender) => sender.pending_transfers().next().is_some(),
            SourceEnd::Own(end) => !end.pending().is_empty(),
        }
    }

    /// True if all data handed over have been acknowledged.
    pub(super) fn is_done(&self) -> bool {
        match self {
            SourceEnd::Tcp(sender) => sender.is_done(),
            SourceEnd::Own(end) => !end.standing().is_busy(),
        }
    }

    /// Current numbers of the sender, for samplers.
    pub(super) fn reading(&self) -> SendersReading {
        let counters = self.counters();
        let (cwnd, in_flight, srtt) = match self {
            SourceEnd::Tcp(sender) => (
                sender.cwnd(),
                u64::from(sender.outstanding()),
                sender.srtt(),
            ),
            SourceEnd::Own(end) => {
                let gauges = end.gauges();
                let cwnd = gauges.window_pkts.unwrap_or_default();
                (cwnd, gauges.in_flight_pkts, gauges.srtt.unwrap_or_default())
            }
        };
        SendersReading::of(&counters, cwnd, in_flight, !self.is_done(), srtt)
    }
}

impl SinkEnd {
    /// TCP's receiver, if it is one.
    pub(super) fn tcp(&self) -> Option<&Receiver> {
        match self {
            SinkEnd::Tcp(receiver) => Some(receiver),
            SinkEnd::Own(_) => None,
        }
    }

    /// The time of its next timeout.
    #[inline(always)]
    pub(super) fn next_timeout(&mut self) -> Option<Time> {
        match self {
            SinkEnd::Tcp(receiver) => receiver.next_timeout(),
            SinkEnd::Own(end) => end.next_wake(),
        }
    }

    /// The time at which that timeout was decided, if it is known.
    pub(super) fn timeout_decided(&self) -> Option<Time> {
        match self {
            SinkEnd::Tcp(receiver) => Some(receiver.timeout_armed()),
            SinkEnd::Own(end) => end.wake_decided(),
        }
    }

    /// Packets that arrived in order so far, and true if they are all.
    pub(super) fn delivered(&self) -> (u32, bool) {
        match self {
            SinkEnd::Tcp(receiver) => (receiver.delivered(), receiver.has_all()),
            SinkEnd::Own(end) => {
                let delivered = end.delivered();
                (delivered.packets, delivered.is_all)
            }
        }
    }

    /// Bytes that have arrived in order, as far as a user's own end tells.
    pub(super) fn delivered_bytes(&self) -> u64 {
        match self {
            SinkEnd::Tcp(_) => 0,
            SinkEnd::Own(end) => end.delivered().bytes,
        }
    }
}

/// The row of a transfer that is not finished, without the fields that only the world knows.
pub(super) fn row(flow: u32, call: u32, transfer: Transfer) -> TransferRow {
    TransferRow {
        flow_id: flow,
        transfer: call + transfer.index,
        start_ps: transfer.started.as_ps(),
        size_bytes: transfer.bytes.get(),
        ..TransferRow::default()
    }
}
