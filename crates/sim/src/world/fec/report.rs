//! What decoders tell encoders whose blocks follow the loss, in packets of their own.

use pacesim_core::net::{Kind, Packet};
use pacesim_fec::LossReport;
use pacesim_units::{FlowId, Span, Time};

/// The size of a report: that of an acknowledgement.
const REPORT_BYTES: u32 = 40;

/// Sends reports, when there is something new and the last is long enough ago.
#[derive(Debug)]
pub(in crate::world) struct Reporter {
    /// The flow that reports are counted for, and where their route begins.
    flow: FlowId,
    route: u32,
    every: Span,
    /// When the next may be sent.
    earliest: Time,
    /// When the next will be.
    due: Option<Time>,
}

impl Reporter {
    pub(in crate::world) fn new(flow: FlowId, route: u32, every: Span) -> Reporter {
        Reporter {
            flow,
            route,
            every,
            earliest: Time::ZERO,
            due: None,
        }
    }

    /// There is something to report.
    pub(super) fn has_news(&mut self, now: Time) {
        self.due.get_or_insert(self.earliest.max(now));
    }

    pub(super) fn next_wake(&self) -> Option<Time> {
        self.due
    }

    pub(super) fn is_due(&self, now: Time) -> bool {
        self.due.is_some_and(|due| due <= now)
    }

    /// A report of so many packets whose fate is known, and of those that were lost.
    pub(super) fn send(&mut self, now: Time, settled: u64, lost: u64) -> (Packet, LossReport) {
        self.due = None;
        self.earliest = now.saturating_add(self.every);
        let packet = Packet {
            stamp: now,
            flow: self.flow,
            seq: settled as u32,
            size: REPORT_BYTES,
            hop: self.route,
            flags: Kind::Auxiliary.into(),
            ..Packet::default()
        };
        let report = LossReport {
            settled: settled as u32,
            lost: lost as u32,
        };
        (packet, report)
    }
}
