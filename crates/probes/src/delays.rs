//! Measure of the distribution of a group's delays.

use pacesim::measure::{Histogram, Moments, Quantiles};
use pacesim::model::Model;
use pacesim::net::{Kind, Packet, Probe};
use pacesim::units::Time;
use pacesim_runs::marks::quantile_in;
use pacesim_study::measure as study;

use crate::schema::{
    Column, MeasureSchema, Measurement, Measuring, Watching, columns, named, seconds,
};
use crate::tap::{measured_time, members};

impl MeasureSchema for study::Delays {
    fn names(&self) -> Vec<String> {
        named([
            "mean_s", "std_s", "min_s", "p50_s", "p90_s", "p99_s", "p999_s", "max_s", "pkts",
        ])
    }

    fn columns(&self) -> &'static [Column] {
        columns! {
            "delay_s": "A delay.";
            shares "ccdf": "The share of packets whose delay is that or more.";
        }
    }

    fn among(&self, number: &str) -> Option<String> {
        quantile_in(number).map(|_| "pkts".to_owned())
    }
}

impl Measuring for study::Delays {
    fn probe(&self, model: &Model) -> Option<Box<dyn Watching>> {
        let (least, most) = (self.least.as_ps(), self.most.as_ps());
        let delays = Distribution {
            flows: members(model, &self.flows),
            from: measured_time(model).0,
            moments: Moments::new(),
            quantiles: Quantiles::new(),
            bins: Histogram::logarithmic(least, most, self.per_decade)?,
        };
        Some(Box::new(delays))
    }
}

/// Delays of data from sending to the end of the route, as in the table of flows.
pub(crate) struct Distribution {
    flows: Vec<bool>,
    from: Time,
    moments: Moments,
    quantiles: Quantiles,
    bins: Histogram,
}

impl Watching for Distribution {
    fn found(self: Box<Self>, _: Time) -> Measurement {
        let quantile = |q| self.quantiles.quantile(q).map(seconds);
        let tail = self.bins.tail();
        // Up to the first delay that no packet reaches.
        let mut some = true;
        let tail = tail
            .iter()
            .take_while(|point| std::mem::replace(&mut some, point.share > 0.0));
        let row =
            |point: &pacesim::measure::Tail| vec![Some(seconds(point.from)), Some(point.share)];
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

impl Probe for Distribution {
    #[inline]
    fn delivered(&mut self, now: Time, packet: &Packet) {
        let is_ours = packet.kind() == Kind::Data && self.flows[packet.flow.index()];
        if is_ours && now >= self.from {
            let delay = now.saturating_since(packet.stamp).as_ps();
            self.moments.add(delay);
            self.quantiles.add(delay);
            self.bins.add(delay);
        }
    }
}
