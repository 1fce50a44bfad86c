//! A number of a link or a group of flows over time.

use pacesim::model::{Model, SeriesFilter};
use pacesim::units::{FlowId, Span};
use pacesim_runs::series::Series;
use pacesim_study::measure as study;

use crate::schema::{Column, MeasureSchema, Measurement, Measuring, columns};
use crate::tap::link;

/// Default number of samples in a run.
const SAMPLES: u64 = 500;

impl MeasureSchema for study::Series {
    fn names(&self) -> Vec<String> {
        Vec::new()
    }

    fn columns(&self) -> &'static [Column] {
        let end = self.metric.rsplit_once('_').map_or("", |(_, end)| end);
        match end {
            "bps" => columns! {
                "time_s": "The end of an interval, or its start for what is counted in it.";
                "value_bps": "The value.";
            },
            "pkts" => columns! {
                "time_s": "The end of an interval, or its start for what is counted in it.";
                "value_pkts": "The value.";
            },
            "bytes" => columns! {
                "time_s": "The end of an interval, or its start for what is counted in it.";
                "value_bytes": "The value.";
            },
            "s" => columns! {
                "time_s": "The end of an interval, or its start for what is counted in it.";
                "value_s": "The value.";
            },
            _ => columns! {
                "time_s": "The end of an interval, or its start for what is counted in it.";
                "value": "The value.";
            },
        }
    }
}

impl Measuring for study::Series {
    fn series(&self, model: &Model) -> Option<Series> {
        let link = self.link.as_ref().and_then(|name| link(model, name));
        let group = self.flows.as_ref().and_then(|name| first(model, name));
        if link.is_none() && group.is_none() {
            return None;
        }
        let by_default = Span::from_ps((model.duration.as_ps() / SAMPLES).max(1));
        let filter = SeriesFilter {
            links: link.into_iter().collect(),
            flows: Vec::new(),
            groups: group.into_iter().collect(),
            interval: self.every.unwrap_or(by_default),
            with_unchanged: true,
        };
        Some(Series::kept(model, &filter, &self.metric))
    }

    fn found_over_time(&self, series: &Series) -> Measurement {
        let row = |(t_ps, value): &(u64, f64)| vec![Some(*t_ps as f64 / 1e12), Some(*value)];
        Measurement {
            numbers: Vec::new(),
            rows: series.values().iter().map(row).collect(),
        }
    }
}

/// The first flow of a group.
fn first(model: &Model, group: &str) -> Option<FlowId> {
    let place = model.flows.iter().position(|flow| *flow.group == *group);
    place.map(FlowId::from_index)
}
