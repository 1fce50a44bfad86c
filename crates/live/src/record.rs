//! The packets of a live run as rows of a table.

use pacesim::Fate;
use pacesim::measure::record::{LiveRow, TransferRow};
use pacesim::net::DropCause;
use pacesim::units::FlowId;

use crate::plan::Plan;
use crate::run::Outcome;

/// Picoseconds of a nanosecond.
const PS: u64 = 1000;

impl Outcome {
    /// The packets that entered, each with its end.
    pub fn packets(&self) -> Vec<LiveRow> {
        let mut rows: Vec<LiveRow> = self.entries.iter().map(row).collect();
        // A packet that was lost and repaired has two ends, of which the later counts.
        for end in &self.departures {
            let row = &mut rows[end.entry as usize];
            row.due_ps = Some(end.due.as_ps());
            let (outcome, link) = match end.fate {
                Fate::Delivered => (0, None),
                Fate::Dropped(link, DropCause::Wire) => (2, Some(link.0)),
                Fate::Dropped(link, _) => (1, Some(link.0)),
                Fate::Absorbed(_) => (3, None),
            };
            (row.outcome, row.link_id) = (Some(outcome), link);
            if end.fate == Fate::Delivered {
                let after = |ns: i64| Some(end.due.as_ps() + ns.max(0) as u64 * PS);
                row.write_ps = after(end.late_before_ns);
                row.written_ps = after(end.late_after_ns);
            }
        }
        rows
    }

    /// Goodput of each real flow after the warm-up in bytes, as a simulation counts it.
    pub fn goodput(&self, plan: &Plan) -> Vec<(FlowId, u64)> {
        let flows = plan.real.iter().zip(&self.received);
        let bytes = flows.map(|(real, received)| {
            // A simulated source counts whole packets.
            let headers = received.measured_datagrams * crate::plan::UDP_HEADERS;
            (real.flow, received.measured_bytes + headers)
        });
        bytes.collect()
    }

    /// The transfers of real flows, ended or not. Their ends are those of the receivers.
    pub fn transfers(&self, plan: &Plan) -> Vec<TransferRow> {
        let ps = |ns: i64| ns.max(0) as u64 * PS;
        let flows = plan.real.iter().zip(&self.received);
        let rows = flows.flat_map(|(real, received)| {
            let group = &plan.model.flows[real.flow.index()].group;
            (0..)
                .zip(&received.transfers)
                .map(move |(number, transfer)| TransferRow {
                    flow_id: real.flow.0,
                    group: group.to_string(),
                    transfer: number,
                    start_ps: ps(transfer.start_ns),
                    end_ps: transfer.end_ns.map(ps),
                    size_bytes: transfer.bytes,
                    began_in_warmup: ps(transfer.start_ns) < plan.model.warmup.as_ps(),
                    ..TransferRow::default()
                })
        });
        rows.collect()
    }
}

fn row(entry: &crate::drive::Entry) -> LiveRow {
    LiveRow {
        t_ps: entry.at.as_ps(),
        read_ps: entry.read.as_ps(),
        flow_id: entry.flow.0,
        size_bytes: entry.size,
        ecn: entry.ecn as u8,
        ..LiveRow::default()
    }
}
