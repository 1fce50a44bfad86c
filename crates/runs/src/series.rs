//! Time series of links, flows and groups of flows, as a tidy table.

mod flows;
mod links;
mod sheet;

use pacesim::World;
use pacesim::measure::record::SeriesRow;
use pacesim::model::{Model, SeriesFilter};
use pacesim::net::Probe;
use pacesim_tables::{TableError, TableWriter};

use crate::sampler::Sampler;
use flows::FlowSeries;
use links::LinkSeries;
use sheet::Moment;

/// Writes the values of each interval: `t_ps` is its start for totals of the interval, and its end
/// for instantaneous values. An unchanged value makes no row, unless the scenario requests all.
pub struct Series {
    links: LinkSeries,
    /// Flows are read only if a series of them is requested.
    flows: Option<FlowSeries>,
    with_unchanged: bool,
    table: TableWriter<SeriesRow>,
}

impl Series {
    pub fn new(model: &Model, filter: &SeriesFilter, table: TableWriter<SeriesRow>) -> Series {
        Series {
            links: LinkSeries::new(model, filter),
            flows: FlowSeries::new(model, filter),
            with_unchanged: filter.with_unchanged,
            table,
        }
    }

    pub(crate) fn sampler(&self) -> &Sampler {
        self.links.sampler()
    }

    /// The rows of the interval that ends now.
    pub(crate) fn sample<P: Probe>(&mut self, world: &World<P>) -> Result<(), TableError> {
        let (end, interval) = (self.sampler().due(), self.sampler().interval());
        let moment = Moment {
            start_ps: (end - interval).as_ps(),
            end_ps: end.as_ps(),
            with_unchanged: self.with_unchanged,
        };
        self.links.sample(world, moment, &mut self.table)?;
        match &mut self.flows {
            Some(flows) => flows.sample(world, moment, &mut self.table),
            None => Ok(()),
        }
    }

    pub(crate) fn finish(self) -> Result<u64, TableError> {
        self.table.finish()
    }
}
