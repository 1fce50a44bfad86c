//! Completion times of transfers, by group and size.

use pacesim_core::net::Probe;
use pacesim_measure::BySize;
use pacesim_measure::record::TransferRow;
use pacesim_units::{Bytes, FlowId, LinkId};

use super::World;
use crate::model::{Carrier, Link};

impl<P: Probe> World<P> {
    /// Completion times of the transfers of each group that began after the warm-up and ended since
    /// statistics started, and the number of unfinished ones; by groups of TCP flows in the model's
    /// order.
    pub fn completions(&self) -> Vec<(String, BySize)> {
        self.must_have_flows();
        let mut groups = self.completions.clone();
        let open = self.connections.iter().filter(|open| !open.is_over);
        for connection in open {
            let group = self.sessions[connection.session as usize].group;
            for row in connection.unfinished() {
                if self.counts(&row) {
                    groups[group as usize].class(row.size_bytes).unfinished += 1;
                }
            }
        }
        let mut names: Vec<String> = Vec::new();
        for session in &self.sessions {
            if session.group as usize == names.len() {
                names.push(self.model.flows[session.flow.index()].group.to_string());
            }
        }
        names.into_iter().zip(groups).collect()
    }

    fn counts(&self, row: &TransferRow) -> bool {
        row.start_ps >= self.model.warmup.as_ps()
    }

    /// Counts the transfers finished since the last call.
    #[cold]
    #[inline(never)]
    pub(super) fn note_finished(&mut self) {
        for i in self.noted..self.finished.len() {
            let row = &self.finished[i];
            let (flow, bytes) = (FlowId(row.flow_id), Bytes(row.size_bytes));
            let ideal_ps = self.ideal_ps(flow, bytes);
            if let (Some(end), true) = (row.end_ps, self.counts(row)) {
                let place = self.session_of(flow).expect("a transfer is of TCP");
                let group = self.sessions[place].group;
                let class = self.completions[group as usize].class(row.size_bytes);
                class.add(end - row.start_ps, ideal_ps);
            }
            self.finished[i].ideal_s = ideal_ps as f64 / 1e12;
        }
        self.noted = self.finished.len();
    }

    /// The time from the first bit to the last acknowledgement if all data were sent at once on
    /// idle links, after the SYN's round trip if the transfer has its own connection.
    pub(super) fn ideal_ps(&self, flow: FlowId, bytes: Bytes) -> u64 {
        let Some(place) = self.session_of(flow) else {
            return 1;
        };
        let session = &self.sessions[place];
        let config = &session.config;
        let (payload, header) = (config.payload.0.max(1), config.header.0);
        let packets = bytes.0.div_ceil(payload);
        let first = bytes.0.min(payload) + header;
        let rest = bytes.0 + packets * header - first;
        let links = |ids: &mut dyn Iterator<Item = LinkId>, size: u64| {
            let of = |id: LinkId| &self.model.links[id.index()];
            ids.map(|id| crossing_ps(of(id), size)).sum::<f64>()
        };
        let slowest = self.path(flow).map(|id| self.model.links[id.index()].rate);
        let slowest = slowest
            .min()
            .map_or(f64::INFINITY, |rate| rate.as_bps() as f64);
        let ack = links(&mut self.path_back(flow), config.ack_size.0);
        let mut ps = links(&mut self.path(flow), first) + rest as f64 * 8e12 / slowest + ack;
        if session.carrier == Carrier::New && config.syn {
            ps += links(&mut self.path(flow), config.syn_size.0) + ack;
        }
        (ps + 0.5).max(1.0) as u64
    }

    pub(super) fn restart_completions(&mut self) {
        self.completions.fill(BySize::default());
    }
}

/// The time that one packet takes to cross an idle link, in picoseconds.
fn crossing_ps(link: &Link, bytes: u64) -> f64 {
    link.delay.as_ps() as f64 + bytes as f64 * 8e12 / link.rate.as_bps() as f64
}

/// The index of a flow's group among those of TCP, given that of the previous TCP flow.
pub(super) fn group_after(last: Option<(u32, &str)>, group: &str) -> u32 {
    match last {
        None => 0,
        Some((place, name)) if name == group => place,
        Some((place, _)) => place + 1,
    }
}
