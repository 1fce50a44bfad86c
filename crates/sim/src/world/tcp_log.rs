//! Events reported by TCP senders, with the sender's state at the time.

use std::collections::VecDeque;

use pacesim_measure::record::TcpRow;
use pacesim_tcp::{Sender, SenderEvent, WindowReason};
use pacesim_units::{FlowId, Span, Time};

/// Events that have not been taken yet, oldest first.
pub(super) type TcpLog = VecDeque<Noted>;

/// An event, and the sender's state after it. Rows are built only when they are taken.
pub(super) struct Noted {
    pub(super) event: SenderEvent,
    cwnd: f64,
    ssthresh: f64,
    srtt: Span,
    rto: Span,
    in_flight: u32,
    recovering: bool,
}

impl Noted {
    pub(super) fn new(event: SenderEvent, sender: &Sender) -> Noted {
        // One acknowledgement may both open the window and cut it.
        let (cwnd, ssthresh) = match event {
            SenderEvent::Window { cwnd, ssthresh, .. } => (cwnd, ssthresh),
            _ => (sender.cwnd(), sender.ssthresh()),
        };
        Noted {
            event,
            cwnd,
            ssthresh,
            srtt: sender.srtt(),
            rto: sender.rto(),
            in_flight: sender.outstanding(),
            recovering: sender.is_recovering(),
        }
    }

    /// The row; `None` for transfers, which have a table of their own.
    pub(super) fn row(&self, flow: FlowId) -> Option<TcpRow> {
        let (at, event, reason) = what(&self.event)?;
        Some(TcpRow {
            t_ps: at.as_ps(),
            flow_id: flow.0,
            event,
            reason,
            cwnd_pkts: self.cwnd,
            ssthresh_pkts: Some(self.ssthresh).filter(|packets| packets.is_finite()),
            srtt_s: (!self.srtt.is_zero()).then(|| self.srtt.as_secs_f64()),
            rto_s: self.rto.as_secs_f64(),
            in_flight_pkts: self.in_flight,
            state: if self.recovering { "recovery" } else { "open" },
        })
    }
}

/// The time, kind and cause of an event.
fn what(event: &SenderEvent) -> Option<(Time, &'static str, &'static str)> {
    Some(match event {
        SenderEvent::Window { at, reason, .. } => (*at, "window", why(*reason)),
        SenderEvent::Timeout { at, .. } => (*at, "timeout", ""),
        SenderEvent::FastRetransmit { at, .. } => (*at, "fast_retransmit", ""),
        SenderEvent::Recovered { at } => (*at, "recovered", ""),
        SenderEvent::Rtt { at, .. } => (*at, "rtt", ""),
        _ => return None,
    })
}

fn why(reason: WindowReason) -> &'static str {
    match reason {
        WindowReason::Opened => "opened",
        WindowReason::Growth => "growth",
        WindowReason::FastRetransmit => "fast_retransmit",
        WindowReason::PartialAck => "partial_ack",
        WindowReason::Recovered => "recovered",
        WindowReason::Timeout => "timeout",
        WindowReason::Idle => "idle",
        _ => "",
    }
}
