//! The distribution of delays, flow by flow.

use pacesim::measure::Quantiles;
use pacesim::measure::record::FlowRow;
use pacesim::net::{Kind, Packet, Probe};
use pacesim::units::Time;

/// A probe that keeps the distribution of each flow's delays in nanoseconds, from the
/// warm-up's end on.
pub struct Delays {
    from: Time,
    flows: Vec<Quantiles>,
}

impl Delays {
    /// No delays yet.
    pub fn new(flows: usize, from: Time) -> Delays {
        Delays {
            from,
            flows: vec![Quantiles::new(); flows],
        }
    }

    /// The delays of one flow.
    pub fn of(&self, flow: u32) -> &Quantiles {
        &self.flows[flow as usize]
    }

    /// The delays of several flows together.
    pub fn of_all<'a>(&self, flows: impl IntoIterator<Item = &'a FlowRow>) -> Quantiles {
        let mut all = Quantiles::new();
        flows
            .into_iter()
            .for_each(|row| all.merge(self.of(row.flow_id)));
        all
    }

    /// Adds the quantiles to a flow's row.
    pub fn complete(&self, row: &mut FlowRow) {
        let quantile = |q| self.of(row.flow_id).quantile(q).map(|ns| ns as f64 / 1e9);
        let (p50, p95, p99) = (quantile(0.5), quantile(0.95), quantile(0.99));
        (row.delay_p50_s, row.delay_p95_s, row.delay_p99_s) = (p50, p95, p99);
    }
}

impl Probe for Delays {
    #[inline(always)]
    fn delivered(&mut self, now: Time, packet: &Packet) {
        if packet.kind == Kind::Data && now > self.from {
            let delay = now.saturating_since(packet.stamp);
            // Divided by a constant, which is a multiplication.
            self.flows[packet.flow.index()].add((delay.as_ps() + 500) / 1000);
        }
    }
}
