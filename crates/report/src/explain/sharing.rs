//! The flows that have a port: their shares of the data that left it.

use std::collections::BTreeMap;

use pacesim_measure::record::{PacketKind, PacketOutcome, PacketRow};

use crate::trace::Recording;

/// Flows listed besides the one asked about.
const SHOWN: usize = 3;

/// Bytes of data that left each recorded port, by flow.
#[derive(Default)]
pub(super) struct Sharing {
    bytes: BTreeMap<u32, BTreeMap<u32, u64>>,
}

impl Sharing {
    pub(super) fn take(&mut self, row: &PacketRow) {
        let is_data = row.kind == PacketKind::Data.code();
        if is_data && row.outcome == PacketOutcome::Sent.code() {
            let flows = self.bytes.entry(row.link_id).or_default();
            *flows.entry(row.flow_id).or_default() += u64::from(row.size_bytes);
        }
    }

    /// The shares at a port beside a fair one; nothing if the flow has it alone.
    pub(super) fn at(&self, recording: &Recording, link: u32, flow: u32) -> String {
        let Some(flows) = self.bytes.get(&link).filter(|flows| flows.len() > 1) else {
            return String::new();
        };
        let all: u64 = flows.values().sum();
        let share = |bytes: u64| format!("{:.1} %", bytes as f64 * 100.0 / all.max(1) as f64);
        let own = flows.get(&flow).copied().unwrap_or(0);
        let mut others: Vec<(u64, u32)> =
            flows.iter().map(|(flow, bytes)| (*bytes, *flow)).collect();
        others.retain(|(_, other)| *other != flow);
        // The largest first, and in the order of flows among equals.
        others.sort_by_key(|(bytes, other)| (std::cmp::Reverse(*bytes), *other));
        let listed = others.iter().take(SHOWN);
        let listed = listed
            .map(|(bytes, other)| format!("{} {}", recording.flow_name(*other), share(*bytes)));
        let mut listed: Vec<String> = listed.collect();
        if let more @ 1.. = others.len().saturating_sub(SHOWN) {
            listed.push(format!("{more} more"));
        }
        format!(
            "\nThe data that left {}: {} of its bytes are this flow's, {}; a fair share of {} flows is {:.1} %.\n",
            recording.link_name(link),
            share(own),
            listed.join(", "),
            flows.len(),
            100.0 / flows.len() as f64
        )
    }
}
