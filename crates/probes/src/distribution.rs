//! The distribution of a quantity with many values in a run.

use pacesim::model::Model;
use pacesim::net::{Kind, Packet, Probe};
use pacesim::units::{Bytes, Time};
use pacesim_study::measure as study;
use pacesim_study::measure::{At, MeasuredPlace, PacketSelection};

use crate::schema::{
    Column, MeasureSchema, Measurement, Measuring, Results, Watching, columns, named,
};
use crate::tap::{Meter, Tap, measured_time, members};
use crate::times::CompletionTimes;
use crate::values::ValueStatistics;

/// Number of picoseconds in a second.
const PS: f64 = 1e12;

impl MeasureSchema for study::Distribution {
    fn names(&self) -> Vec<String> {
        match self.of {
            study::Values::Goodputs => named([
                "values", "mean_bps", "p50_bps", "p90_bps", "p99_bps", "p999_bps",
            ]),
            _ => named(["values", "mean_s", "p50_s", "p90_s", "p99_s", "p999_s"]),
        }
    }

    fn columns(&self) -> &'static [Column] {
        match self.of {
            study::Values::Goodputs => columns! {
                "to_bps": "The upper end of a bin, the first of which begins at 0.";
                shares "values_ratio": "The share of values in it.";
            },
            _ => columns! {
                "to_s": "The upper end of a bin, the first of which begins at 0.";
                shares "values_ratio": "The share of values in it.";
            },
        }
    }
}

impl Measuring for study::Distribution {
    fn probe(&self, model: &Model) -> Option<Box<dyn Watching>> {
        match self.of {
            study::Values::Delays => Some(Box::new(Delays {
                flows: members(model, self.flows.as_ref()?),
                from: measured_time(model).0,
                values: ValueStatistics::new(PS),
            })),
            study::Values::Gaps => {
                let place = MeasuredPlace {
                    link: self.link.clone(),
                    at: At::Sent,
                    flows: self.flows.clone(),
                    packets: PacketSelection::All,
                };
                let gaps = Gaps {
                    last: None,
                    values: ValueStatistics::new(PS),
                };
                Some(Box::new(Tap::new(model, &place, gaps)?))
            }
            study::Values::Completions | study::Values::Goodputs => None,
        }
    }

    fn times(&self, model: &Model) -> Option<CompletionTimes> {
        let is_of_transfers = self.of == study::Values::Completions;
        let flows = self.flows.as_ref().filter(|_| is_of_transfers)?;
        Some(CompletionTimes {
            values: Some(ValueStatistics::new(PS)),
            ..CompletionTimes::new(members(model, flows), Vec::new())
        })
    }

    fn found(&self, results: &Results<'_>) -> Measurement {
        if let Some(times) = results.times {
            return times
                .values
                .as_ref()
                .map(ValueStatistics::found)
                .unwrap_or_default();
        }
        let Some(flows) = self.flows.as_ref() else {
            return Measurement::default();
        };
        // The bins begin at a thousandth of a bit/s.
        let mut values = ValueStatistics::new(1e3);
        let members = members(results.model, flows);
        let ours = results.flows.iter();
        let ours = ours.filter(|row| members[row.flow_id as usize] && row.until_ps > row.from_ps);
        ours.for_each(|row| values.add((row.goodput_bps * 1e3).round() as u64));
        values.found()
    }
}

/// The delays of data from sending to the end of the route.
struct Delays {
    flows: Vec<bool>,
    from: Time,
    values: ValueStatistics,
}

impl Watching for Delays {
    fn found(self: Box<Self>, _: Time) -> Measurement {
        self.values.found()
    }
}

impl Probe for Delays {
    #[inline]
    fn delivered(&mut self, now: Time, packet: &Packet) {
        let is_ours = packet.kind() == Kind::Data && self.flows[packet.flow.index()];
        if is_ours && now >= self.from {
            self.values.add(now.saturating_since(packet.stamp).as_ps());
        }
    }
}

/// The gaps between packets.
struct Gaps {
    last: Option<Time>,
    values: ValueStatistics,
}

impl Meter for Gaps {
    #[inline]
    fn add(&mut self, at: Time, _: Bytes) {
        if let Some(last) = self.last.replace(at) {
            self.values.add(at.saturating_since(last).as_ps());
        }
    }

    fn found(self, _: Time) -> Measurement {
        self.values.found()
    }
}
