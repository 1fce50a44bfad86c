//! Measure of the links that the packets of a group cross.

use pacesim::model::Model;
use pacesim::net::{Kind, Packet, Passage, Probe};
use pacesim::units::{LinkId, Time};
use pacesim_study::measure as study;

use crate::schema::{
    Cell, Column, MeasureSchema, Measurement, Measuring, Watching, columns, named,
};
use crate::tap::{measured_time, members};

impl MeasureSchema for study::Hops {
    fn names(&self) -> Vec<String> {
        named(["mean", "min", "max"])
    }

    fn columns(&self) -> &'static [Column] {
        columns! {
            "flow_id": "The flow's number, as in flows.parquet.";
            "delivered_pkts": "Data packets that reached its receiver.";
            "hops": "Links that its data packets crossed, for each that reached the receiver.";
        }
    }
}

impl Measuring for study::Hops {
    fn probe(&self, model: &Model) -> Option<Box<dyn Watching>> {
        let is_meant = members(model, &self.flows);
        let flow = |is_meant: bool| is_meant.then(Crossed::default);
        Some(Box::new(Hops {
            flows: is_meant.into_iter().map(flow).collect(),
            measured: measured_time(model),
        }))
    }
}

/// Links crossed by the data packets of a flow, and packets that arrived.
#[derive(Clone, Copy, Debug, Default)]
struct Crossed {
    links: u64,
    delivered: u64,
}

impl Crossed {
    fn hops(self) -> Option<f64> {
        (self.delivered > 0).then(|| self.links as f64 / self.delivered as f64)
    }
}

/// The measured flows among all.
struct Hops {
    flows: Vec<Option<Crossed>>,
    measured: (Time, Time),
}

impl Hops {
    #[inline]
    fn flow(&mut self, now: Time, packet: &Packet) -> Option<&mut Crossed> {
        let (from, to) = self.measured;
        let counts = from <= now && now <= to && packet.kind() == Kind::Data;
        counts.then(|| self.flows[packet.flow.index()].as_mut())?
    }
}

impl Probe for Hops {
    /// A packet crosses a link at its departure: a port may know that long before.
    #[inline]
    fn accepted(&mut self, _: Time, _: LinkId, packet: &Packet, passage: Passage) {
        if let Some(flow) = self.flow(passage.departure, packet) {
            flow.links += 1;
        }
    }

    #[inline]
    fn delivered(&mut self, now: Time, packet: &Packet) {
        if let Some(flow) = self.flow(now, packet) {
            flow.delivered += 1;
        }
    }
}

impl Watching for Hops {
    fn found(self: Box<Self>, _: Time) -> Measurement {
        let numbered = self.flows.iter().enumerate();
        let flows: Vec<(usize, Crossed)> = numbered
            .filter_map(|(flow, crossed)| Some((flow, (*crossed)?)))
            .collect();
        let total = flows
            .iter()
            .fold(Crossed::default(), |all, (_, flow)| Crossed {
                links: all.links + flow.links,
                delivered: all.delivered + flow.delivered,
            });
        let each = || flows.iter().filter_map(|(_, flow)| flow.hops());
        let row = |(flow, crossed): &(usize, Crossed)| -> Vec<Cell> {
            let counts = [*flow as f64, crossed.delivered as f64];
            [Some(counts[0]), Some(counts[1]), crossed.hops()].to_vec()
        };
        Measurement {
            numbers: vec![
                total.hops(),
                each().reduce(f64::min),
                each().reduce(f64::max),
            ],
            rows: flows.iter().map(row).collect(),
        }
    }
}
