//! Measure of the distribution of a group's delays.

use std::collections::BTreeMap;

use pacesim::measure::{Histogram, Moments, Quantiles, Tail};
use pacesim::model::Model;
use pacesim::net::{DropCause, Kind, Packet, Probe};
use pacesim::units::{LinkId, Time};
use pacesim_runs::marks::quantile_in;
use pacesim_study::measure as study;
use pacesim_study::measure::{DelayEnd, DelayValues};

use crate::schema::{
    Column, MeasureSchema, Measurement, Measuring, Watching, columns, named, seconds,
};
use crate::tap::{measured_time, members};

/// The name of the number that counts the values.
fn count_of(values: DelayValues) -> &'static str {
    match values {
        DelayValues::Packets => "pkts",
        DelayValues::FlowMeans => "flows",
    }
}

impl MeasureSchema for study::Delays {
    fn names(&self) -> Vec<String> {
        let values = [
            "mean_s", "std_s", "min_s", "p50_s", "p90_s", "p99_s", "p999_s", "max_s",
        ];
        let mut names = named(values);
        names.push(count_of(self.of).to_owned());
        names
    }

    fn columns(&self) -> &'static [Column] {
        columns! {
            "delay_s": "A delay.";
            shares "ccdf": "The share of packets, or of flows, whose delay is that or more.";
        }
    }

    fn among(&self, number: &str) -> Option<String> {
        quantile_in(number).map(|_| count_of(self.of).to_owned())
    }
}

impl Measuring for study::Delays {
    fn probe(&self, model: &Model) -> Option<Box<dyn Watching>> {
        let (least, most) = (self.least.as_ps(), self.most.as_ps());
        let values = Distribution {
            moments: Moments::new(),
            quantiles: Quantiles::new(),
            bins: Histogram::logarithmic(least, most, self.per_decade)?,
        };
        let flows = members(model, &self.flows);
        let is_until_delivered = self.until == DelayEnd::Delivered;
        let resends =
            model.flows.iter().zip(&flows).map(|(flow, is_ours)| {
                is_until_delivered && *is_ours && flow.traffic.is_closed_loop()
            });
        Some(Box::new(Delays {
            from: measured_time(model).0,
            resends: resends.collect(),
            unresolved: BTreeMap::new(),
            flow_means: (self.of == DelayValues::FlowMeans)
                .then(|| vec![Moments::new(); flows.len()]),
            flows,
            values,
        }))
    }
}

/// Delays of data from sending to the end of the route, as in the table of flows, or from the first
/// sending.
struct Delays {
    flows: Vec<bool>,
    from: Time,
    /// True for flows of which the delays are from the first transmission of data.
    resends: Vec<bool>,
    /// First transmission of data that were dropped and have not been delivered since.
    unresolved: BTreeMap<Piece, Time>,
    /// Delays of each flow, if the values are their means.
    flow_means: Option<Vec<Moments>>,
    values: Distribution,
}

/// A piece of a flow's data: flow, connection and sequence number.
type Piece = (u32, u32, u32);

fn piece(packet: &Packet) -> Piece {
    (packet.flow.0, packet.tag, packet.seq)
}

impl Delays {
    /// The time at which the delay of a delivered packet began; `None` for a further copy of data
    /// that were delivered before.
    #[inline]
    fn began(&mut self, packet: &Packet) -> Option<Time> {
        if !self.resends[packet.flow.index()] {
            return Some(packet.stamp);
        }
        let first = self.unresolved.remove(&piece(packet));
        first.or_else(|| (!packet.is_again()).then_some(packet.stamp))
    }
}

impl Probe for Delays {
    #[inline]
    fn delivered(&mut self, now: Time, packet: &Packet) {
        if packet.kind() != Kind::Data || !self.flows[packet.flow.index()] {
            return;
        }
        let began = self.began(packet).filter(|_| now >= self.from);
        let Some(began) = began else { return };
        let delay = now.saturating_since(began).as_ps();
        match &mut self.flow_means {
            None => self.values.add(delay),
            Some(means) => means[packet.flow.index()].add(delay),
        }
    }

    fn dropped(&mut self, _: Time, _: LinkId, packet: &Packet, _: DropCause) {
        let is_first = packet.kind() == Kind::Data && !packet.is_again();
        if is_first && self.resends[packet.flow.index()] {
            self.unresolved.insert(piece(packet), packet.stamp);
        }
    }
}

impl Watching for Delays {
    fn found(mut self: Box<Self>, _: Time) -> Measurement {
        let means = self.flow_means.take().into_iter().flatten();
        for mean in means.filter_map(|delays| delays.mean()) {
            self.values.add(libm::round(mean) as u64);
        }
        self.values.found()
    }
}

/// The distribution of delays in picoseconds.
struct Distribution {
    moments: Moments,
    quantiles: Quantiles,
    bins: Histogram,
}

impl Distribution {
    #[inline]
    fn add(&mut self, delay: u64) {
        self.moments.add(delay);
        self.quantiles.add(delay);
        self.bins.add(delay);
    }

    fn found(&self) -> Measurement {
        let quantile = |q| self.quantiles.quantile(q).map(seconds);
        let tail = self.bins.tail();
        // Up to the first delay that no packet reaches.
        let mut some = true;
        let tail = tail
            .iter()
            .take_while(|point| std::mem::replace(&mut some, point.share > 0.0));
        let row = |point: &Tail| vec![Some(seconds(point.from)), Some(point.share)];
        Measurement {
            numbers: vec![
                self.moments.mean().map(|ps| ps / 1e12),
                self.moments.std_dev().map(|ps| ps / 1e12),
                self.moments.min().map(seconds),
                quantile(0.5),
                quantile(0.9),
                quantile(0.99),
                quantile(0.999),
                self.moments.max().map(seconds),
                Some(self.moments.count() as f64),
            ],
            rows: tail.map(row).collect(),
        }
    }
}
