//! Time series of links, flows and groups of flows, as a tidy table.

mod ends;
mod flows;
mod links;
mod rows;
mod sheet;

use pacesim::World;
use pacesim::measure::record::SeriesRow;
use pacesim::model::{Model, SeriesFilter};
use pacesim::net::Probe;
use pacesim_parts::own_metrics;
use pacesim_tables::{TableError, TableWriter};

use crate::sampler::Sampler;
use flows::FlowSeries;
use links::LinkSeries;
use rows::Rows;
use sheet::Moment;

/// Writes the values of each interval: `t_ps` is its start for totals of the interval, and its end
/// for instantaneous values. An unchanged value has no row, unless the scenario requests all.
pub struct Series {
    links: LinkSeries,
    /// Flows are read only if a series of them is requested.
    flows: Option<FlowSeries>,
    with_unchanged: bool,
    rows: Rows,
}

/// The metrics of a kind of entity over time, "link" or "group".
pub fn metrics_over_time(of: &str) -> Vec<&'static str> {
    match of {
        "link" => links::METRICS.to_vec(),
        _ => [&flows::METRICS[..], own_metrics()].concat(),
    }
}

impl Series {
    /// A series whose rows go to a table.
    pub fn new(model: &Model, filter: &SeriesFilter, table: TableWriter<SeriesRow>) -> Series {
        Series::into_rows(model, filter, Rows::Table(table))
    }

    /// A series of one metric, whose times in picoseconds and values stay in memory.
    pub fn kept(model: &Model, filter: &SeriesFilter, metric: &str) -> Series {
        let kept = Rows::Kept(metric.to_owned(), Vec::new());
        Series::into_rows(model, filter, kept)
    }

    /// Times and values in memory so far.
    pub fn values(&self) -> &[(u64, f64)] {
        match &self.rows {
            Rows::Table(_) => &[],
            Rows::Kept(_, values) => values,
        }
    }

    pub(crate) fn kept_bytes(&self) -> u64 {
        std::mem::size_of_val(self.values()) as u64
    }

    fn into_rows(model: &Model, filter: &SeriesFilter, rows: Rows) -> Series {
        Series {
            links: LinkSeries::new(model, filter),
            flows: FlowSeries::new(model, filter),
            with_unchanged: filter.with_unchanged,
            rows,
        }
    }

    pub(crate) fn sampler(&self) -> &Sampler {
        self.links.sampler()
    }

    /// Makes the rows of the interval that ends now.
    pub(crate) fn sample<P: Probe>(&mut self, world: &World<P>) -> Result<(), TableError> {
        let (end, interval) = (self.sampler().due(), self.sampler().interval());
        let moment = Moment {
            start_ps: (end - interval).as_ps(),
            end_ps: end.as_ps(),
            with_unchanged: self.with_unchanged,
        };
        self.links.sample(world, moment, &mut self.rows)?;
        match &mut self.flows {
            Some(flows) => flows.sample(world, moment, &mut self.rows),
            None => Ok(()),
        }
    }

    pub(crate) fn finish(self) -> Result<u64, TableError> {
        match self.rows {
            Rows::Table(table) => table.finish(),
            Rows::Kept(_, values) => Ok(values.len() as u64),
        }
    }
}
