//! The work that a run is expected to cause at nodes and links, before it starts.

use pacesim_units::{LinkId, Span};

use crate::model::{Flow, Model, Traffic};

/// Expected packets a second.
pub(super) struct Loads {
    /// Packet-hops and handlings at ends, by node.
    pub(super) of_nodes: Vec<f64>,
    /// Packets over each link.
    pub(super) of_links: Vec<f64>,
}

/// The work of the sender of a flow for a packet, in packet-hops: with TCP also that for its ACK.
const SENDER: f64 = 3.5;
/// The work of the receiver of a flow for a packet, in packet-hops.
const RECEIVER: f64 = 1.0;
/// The work on both sides of a packet that crosses into another part, in packet-hops.
pub(crate) const CROSSING: f64 = 1.0;
/// The time of a wait for all other parts, in packet-hops.
pub(crate) const WAIT: f64 = 40.0;

impl Loads {
    pub(super) fn of(model: &Model) -> Loads {
        let mut paths = model.paths();
        let both = |flow: &Flow| {
            let there = paths.there(flow).unwrap_or_default();
            let back = match &flow.traffic {
                Traffic::Tcp(_) => paths.of_acks(flow).unwrap_or_default(),
                _ => Vec::new(),
            };
            [there, back]
        };
        let courses: Vec<[Vec<LinkId>; 2]> = model.flows.iter().map(both).collect();
        let mut users = vec![0.0_f64; model.links.len()];
        for link in courses.iter().flat_map(|[there, _]| there) {
            users[link.index()] += 1.0;
        }
        let mut loads = Loads {
            of_nodes: vec![0.0; model.nodes.len()],
            of_links: vec![0.0; model.links.len()],
        };
        for (flow, [there, back]) in model.flows.iter().zip(&courses) {
            let share = |link: &LinkId| {
                model.links[link.index()].rate.as_bps() as f64 / users[link.index()]
            };
            let fair = there.iter().map(share).fold(f64::INFINITY, f64::min);
            let (bps, bytes) = offered(flow);
            let packets = bps.min(fair) / (8.0 * bytes);
            for link in there.iter().chain(back) {
                loads.of_links[link.index()] += packets;
                loads.of_nodes[model.links[link.index()].from.index()] += packets;
            }
            for (end, work) in [(flow.from, SENDER), (flow.to, RECEIVER)] {
                loads.of_nodes[end.index()] += work * packets;
            }
        }
        loads
    }

    /// The work within this time.
    pub(super) fn in_window(&self, window: Span) -> f64 {
        self.of_nodes.iter().sum::<f64>() * window.as_secs_f64()
    }

    /// The speed of a division against one thread, and the share of the busiest part.
    pub(super) fn speed_up(
        &self,
        of_nodes: &[u32],
        parts: u32,
        links: &[LinkId],
        look_ahead: Span,
    ) -> (f64, f64) {
        let mut work = vec![0.0; parts as usize];
        for (load, part) in self.of_nodes.iter().zip(of_nodes) {
            work[*part as usize] += load;
        }
        let all: f64 = self.of_nodes.iter().sum();
        let most = work.into_iter().fold(0.0, f64::max);
        let crossing: f64 = links.iter().map(|link| self.of_links[link.index()]).sum();
        let waits = WAIT / look_ahead.as_secs_f64();
        let time = most + CROSSING * crossing / f64::from(parts) + waits;
        (all / time, most / all)
    }
}

/// The rate in bits a second that a flow offers, and the size of its packets.
fn offered(flow: &Flow) -> (f64, f64) {
    match &flow.traffic {
        Traffic::Tcp(tcp) => {
            let size = (tcp.config.payload + tcp.config.header).0;
            (f64::INFINITY, size.max(1) as f64)
        }
        other => (other.mean_bps().unwrap_or(f64::INFINITY), 1000.0),
    }
}
