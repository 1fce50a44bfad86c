//! Events reported by TCP senders, with the sender's state at the time.

use std::collections::VecDeque;

use pacesim_measure::record::TcpRow;
use pacesim_tcp::{Limit, LinuxState, Model, Sender, SenderEvent, WindowReason};
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
    limit: Limit,
    linux: Option<LinuxState>,
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
            limit: sender.limited_by(),
            linux: sender.linux_state(),
        }
    }

    /// The row; `None` for transfers, which have their own table.
    pub(super) fn row(&self, flow: FlowId) -> Option<TcpRow> {
        let (at, event, reason) = what(&self.event)?;
        let row = TcpRow {
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
            limited_by: limit(self.limit),
            ..TcpRow::default()
        };
        Some(match &self.linux {
            Some(state) => with_linux(row, state),
            None => row,
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

fn limit(limit: Limit) -> &'static str {
    match limit {
        Limit::Data => "data",
        Limit::Window => "window",
        Limit::Congestion => "congestion",
        Limit::Pacing => "pacing",
    }
}

/// States of congestion by Linux's numbers.
const CA_STATES: [&str; 5] = ["open", "disorder", "cwr", "recovery", "loss"];

/// CUBIC's time runs in 1/1024 s.
const CUBIC_TICKS: f64 = 1024.0;
const ALPHA_ONE: f64 = 1024.0;

fn with_linux(row: TcpRow, state: &LinuxState) -> TcpRow {
    let curve = state.curve;
    let row = TcpRow {
        ca_state: CA_STATES.get(usize::from(state.state)).copied(),
        sacked_pkts: Some(state.sacked),
        lost_pkts: Some(state.lost),
        resent_pkts: Some(state.retrans),
        prr_delivered_pkts: state.reduction.map(|so_far| so_far.delivered),
        prr_out_pkts: state.reduction.map(|so_far| so_far.out),
        w_max_pkts: curve.map(|curve| curve.w_max),
        k_s: curve.and_then(|curve| Some(curve.k? as f64 / CUBIC_TICKS)),
        alpha: state.alpha.map(|alpha| f64::from(alpha) / ALPHA_ONE),
        min_rtt_s: seconds(state.min_rtt_us),
        ..row
    };
    match &state.model {
        Some(model) => with_bbr(row, model),
        None => row,
    }
}

/// BBR's gains are in 1/256.
const GAIN_ONE: f64 = 256.0;

fn with_bbr(row: TcpRow, model: &Model) -> TcpRow {
    TcpRow {
        min_rtt_s: seconds(model.min_rtt_us),
        bbr_phase: Some(model.phase_name),
        bbr_bandwidth_bps: Some(model.bandwidth as f64 * 8.0),
        bbr_pacing_gain: Some(f64::from(model.pacing_gain) / GAIN_ONE),
        bbr_cwnd_gain: Some(f64::from(model.cwnd_gain) / GAIN_ONE),
        bbr_inflight_hi_pkts: model.inflight_hi,
        bbr_inflight_lo_pkts: model.inflight_lo,
        ..row
    }
}

/// A round trip; `None` before the first one, which the kernel reports as the greatest number.
fn seconds(us: u64) -> Option<f64> {
    (us < u64::from(u32::MAX)).then_some(us as f64 / 1e6)
}
