//! Loss reports from decoders to adaptive encoders, in separate packets.

use pacesim_core::net::{Kind, Packet};
use pacesim_fec::LossReport;
use pacesim_units::{FlowId, Span, Time};

/// The size of a report: that of an acknowledgement.
const REPORT_BYTES: u32 = 40;

/// Sends a report when there is news and the minimum interval has passed.
#[derive(Debug)]
pub(in crate::world) struct Reporter {
    /// The flow that reports are counted for, and their route.
    flow: FlowId,
    route: u32,
    every: Span,
    /// The earliest time of the next report.
    earliest: Time,
    /// The time of the next report, if one is pending.
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

    /// Notes that a report is needed.
    pub(super) fn has_news(&mut self, now: Time) {
        self.due.get_or_insert(self.earliest.max(now));
    }

    pub(super) fn next_wake(&self) -> Option<Time> {
        self.due
    }

    pub(super) fn is_due(&self, now: Time) -> bool {
        self.due.is_some_and(|due| due <= now)
    }

    /// A report on this many packets of known fate, and the number of them that were lost.
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
