//! Per-flow distributions of packet delay.

use pacesim_core::net::{Kind, Packet, Probe};
use pacesim_measure::Quantiles;
use pacesim_measure::record::FlowRow;
use pacesim_model::Model;
use pacesim_units::Time;

use crate::Divisible;

/// A probe that records the distribution of each flow's delays, in nanoseconds, from the end of the
/// warm-up. It fills the delay percentiles of flow rows.
///
/// ```
/// use pacesim::World;
/// use pacesim::delays::Delays;
/// # use pacesim::model::{Model, Traffic};
/// # use pacesim::units::{Bytes, Rate, Span};
/// # let mut model = Model::new("line", Span::from_secs(1));
/// # let (a, b) = (model.add_node("a"), model.add_node("b"));
/// # model.add_link(a, b, Rate::from_mbps(8), Span::from_ms(2));
/// # model.add_flow(a, b, Traffic::Cbr { rate: Rate::from_mbps(4), size: Bytes(1000) });
/// let delays = Delays::of_model(&model);
/// let mut world = World::watched(model, delays)?;
/// world.run();
/// let rows = world.probe().complete_rows(world.flow_rows());
/// assert_eq!(rows[0].delay_p99_s, Some(0.003));
/// # Ok::<(), pacesim::BuildError>(())
/// ```
pub struct Delays {
    from: Time,
    flows: Vec<Quantiles>,
}

impl Delays {
    /// An empty probe that counts arrivals from `from` on.
    pub fn new(flows: usize, from: Time) -> Delays {
        Delays {
            from,
            flows: vec![Quantiles::new(); flows],
        }
    }

    /// An empty probe for all flows of a model, counting from the end of its warm-up.
    pub fn of_model(model: &Model) -> Delays {
        Delays::new(model.flows.len(), Time::ZERO + model.warmup)
    }

    /// Discards all recorded delays; packets that arrive at or after `from` count.
    pub fn restart(&mut self, from: Time) {
        self.from = from;
        self.flows.iter_mut().for_each(Quantiles::reset);
    }

    /// The distribution of the delays of one flow.
    pub fn of(&self, flow: u32) -> &Quantiles {
        &self.flows[flow as usize]
    }

    /// The distribution of the delays of several flows together.
    pub fn of_all<'a>(&self, flows: impl IntoIterator<Item = &'a FlowRow>) -> Quantiles {
        let mut all = Quantiles::new();
        flows
            .into_iter()
            .for_each(|row| all.merge(self.of(row.flow_id)));
        all
    }

    /// Adds the percentiles to rows of flows.
    pub fn complete_rows(&self, mut rows: Vec<FlowRow>) -> Vec<FlowRow> {
        rows.iter_mut().for_each(|row| self.complete(row));
        rows
    }

    /// Adds the percentiles to a flow's row.
    pub fn complete(&self, row: &mut FlowRow) {
        let quantile = |q| self.of(row.flow_id).quantile(q).map(|ns| ns as f64 / 1e9);
        let (p50, p95, p99) = (quantile(0.5), quantile(0.95), quantile(0.99));
        (row.delay_p50_s, row.delay_p95_s, row.delay_p99_s) = (p50, p95, p99);
    }
}

impl Probe for Delays {
    /// Delays of different flows are independent, so events need no global order.
    fn in_order(&self) -> bool {
        false
    }

    #[inline(always)]
    fn delivered(&mut self, now: Time, packet: &Packet) {
        if packet.kind() == Kind::Data && now >= self.from {
            let delay = now.saturating_since(packet.stamp);
            // Dividing by a constant compiles to a multiplication.
            self.flows[packet.flow.index()].add((delay.as_ps() + 500) / 1000);
        }
    }
}

impl Divisible for Delays {
    fn for_part(&self) -> Delays {
        Delays::new(self.flows.len(), self.from)
    }

    fn absorb(&mut self, part: &mut Delays) {
        for (sum, more) in self.flows.iter_mut().zip(&part.flows) {
            sum.merge(more);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::World;
    use pacesim_model::Traffic;
    use pacesim_units::{Bytes, Rate, Span};

    /// A model that sends a packet of 1 ms at every whole millisecond.
    fn model() -> Model {
        let mut model = Model::new("line", Span::from_ms(10));
        let (a, b) = (model.add_node("a"), model.add_node("b"));
        model.add_link(a, b, Rate::from_mbps(8), Span::ZERO);
        let (rate, size) = (Rate::from_mbps(8), Bytes(1000));
        model.add_flow(a, b, Traffic::Cbr { rate, size });
        model
    }

    #[test]
    fn a_delay_counts_from_the_instant_from_which_packets_count() {
        let warmup = Span::from_ms(4);
        let model = Model { warmup, ..model() };
        let delays = Delays::new(1, Time::ZERO + warmup);
        let mut world = World::watched(model, delays).expect("a good model");
        world.run();
        let delivered = world.flow_rows()[0].delivered_pkts;
        assert_eq!((delivered, world.probe().of(0).count()), (7, 7));
        world.probe_mut().restart(Time::ZERO);
        assert_eq!(world.probe().of(0).count(), 0);
    }
}
