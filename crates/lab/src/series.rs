//! Links over time, into a tidy table.

use std::sync::Arc;

use pacesim::World;
use pacesim::measure::record::SeriesRow;
use pacesim::model::{Model, SeriesFilter};
use pacesim::net::{Probe, Volume};
use pacesim::units::LinkId;

use crate::sampler::{Sample, Sampler};
use crate::tables::{TableError, TableWriter};

/// Writes for each interval and link: `throughput_bps`, `dropped_pkts` and `lost_pkts`
/// (`t_ps` is the interval's start), `queue_pkts` and `queue_bytes`, and of a pacer
/// `held_pkts` and `held_bytes` (`t_ps` is the instant: the interval's end). A value that is
/// still the same makes no row, unless the scenario asks for all.
pub(crate) struct Series {
    sampler: Sampler,
    /// The links' names, in the order of the sampler.
    names: Vec<Arc<str>>,
    columns: [Column; METRICS.len()],
    with_unchanged: bool,
    table: TableWriter<SeriesRow>,
}

/// The values of one metric in the order of the links; no number where there is none.
#[derive(Default)]
struct Column {
    before: Vec<f64>,
    now: Vec<f64>,
}

const METRICS: [&str; 7] = [
    "throughput_bps",
    "dropped_pkts",
    "lost_pkts",
    "queue_pkts",
    "queue_bytes",
    "held_pkts",
    "held_bytes",
];

/// The first metrics are of an interval, the others of its end.
const OF_INTERVALS: usize = 3;

impl Series {
    pub(crate) fn new(
        model: &Model,
        filter: &SeriesFilter,
        table: TableWriter<SeriesRow>,
    ) -> Series {
        let all = (0..model.links.len()).map(LinkId::from_index);
        let sampled: Vec<LinkId> = match filter.links.is_empty() {
            true => all.collect(),
            false => filter.links.clone(),
        };
        let name = |link: &LinkId| model.links[link.index()].name.to_string().into();
        let column = || Column {
            before: vec![f64::NAN; sampled.len()],
            now: Vec::with_capacity(sampled.len()),
        };
        Series {
            names: sampled.iter().map(name).collect(),
            columns: std::array::from_fn(|_| column()),
            sampler: Sampler::new(sampled, filter.interval),
            with_unchanged: filter.with_unchanged,
            table,
        }
    }

    pub(crate) fn sampler(&self) -> &Sampler {
        &self.sampler
    }

    /// The rows of the interval that ends now.
    pub(crate) fn sample<P: Probe>(&mut self, world: &World<P>) -> Result<(), TableError> {
        let end = self.sampler.due();
        let interval = self.sampler.interval();
        let interval_s = interval.as_secs_f64();
        for sample in self.sampler.take(world) {
            let values = values(&sample, interval_s);
            let columns = self.columns.iter_mut().zip(values);
            columns.for_each(|(column, value)| column.now.push(value));
        }
        for place in 0..METRICS.len() {
            let t_ps = match place < OF_INTERVALS {
                true => (end - interval).as_ps(),
                false => end.as_ps(),
            };
            self.write(place, t_ps)?;
        }
        Ok(())
    }

    /// The rows of one metric.
    fn write(&mut self, place: usize, t_ps: u64) -> Result<(), TableError> {
        let Column { before, now } = &mut self.columns[place];
        for ((name, value), before) in self.names.iter().zip(&*now).zip(&*before) {
            let is_news = self.with_unchanged || value != before;
            if is_news && !value.is_nan() {
                self.table.push(SeriesRow {
                    t_ps,
                    entity: name.clone(),
                    metric: METRICS[place],
                    value: *value,
                })?;
            }
        }
        std::mem::swap(before, now);
        now.clear();
        Ok(())
    }

    pub(crate) fn finish(self) -> Result<u64, TableError> {
        self.table.finish()
    }
}

/// A sample's values, by the places of [`METRICS`].
fn values(sample: &Sample, interval_s: f64) -> [f64; METRICS.len()] {
    let held = |volume: fn(Volume) -> u64| sample.held.map_or(f64::NAN, |held| volume(held) as f64);
    [
        sample.left_bytes as f64 * 8.0 / interval_s,
        sample.dropped_pkts as f64,
        sample.lost_pkts as f64,
        sample.waiting_pkts as f64,
        sample.waiting_bytes as f64,
        held(|held| held.packets),
        held(|held| held.bytes),
    ]
}
