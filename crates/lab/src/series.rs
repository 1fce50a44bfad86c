//! Links over time, into a tidy table.

use pacesim::World;
use pacesim::measure::record::SeriesRow;
use pacesim::model::{Model, SeriesFilter};
use pacesim::net::Probe;
use pacesim::units::LinkId;

use crate::sampler::{Sample, Sampler};
use crate::tables::{TableError, TableWriter};

/// Writes for each link and interval: `throughput_bps`, `dropped_pkts` and `lost_pkts`
/// (`t_ps` is the interval's start), `queue_pkts` and `queue_bytes`, and of a pacer
/// `held_pkts` and `held_bytes` (`t_ps` is the instant: the interval's end).
pub(crate) struct Series {
    sampler: Sampler,
    table: TableWriter<SeriesRow>,
    /// One row, used again for each, so that rows cost no memory.
    row: SeriesRow,
}

impl Series {
    pub(crate) fn new(
        model: &Model,
        filter: &SeriesFilter,
        table: TableWriter<SeriesRow>,
    ) -> Series {
        let all = (0..model.links.len()).map(LinkId::from_index);
        let sampler = match filter.links.is_empty() {
            true => Sampler::new(all, filter.interval),
            false => Sampler::new(filter.links.iter().copied(), filter.interval),
        };
        Series {
            sampler,
            table,
            row: SeriesRow::default(),
        }
    }

    pub(crate) fn sampler(&self) -> &Sampler {
        &self.sampler
    }

    /// The rows of the interval that ends now.
    pub(crate) fn sample<P: Probe>(&mut self, world: &World<P>) -> Result<(), TableError> {
        let end = self.sampler.due();
        let interval = self.sampler.interval();
        let (start_ps, end_ps) = ((end - interval).as_ps(), end.as_ps());
        for sample in self.sampler.take(world) {
            let Sample { link, .. } = sample;
            replace(
                &mut self.row.entity,
                &world.model().links[link.index()].name,
            );
            let rate_bps = sample.left_bytes as f64 * 8.0 / interval.as_secs_f64();
            let values = [
                (start_ps, "throughput_bps", rate_bps),
                (start_ps, "dropped_pkts", sample.dropped_pkts as f64),
                (start_ps, "lost_pkts", sample.lost_pkts as f64),
                (end_ps, "queue_pkts", sample.waiting_pkts as f64),
                (end_ps, "queue_bytes", sample.waiting_bytes as f64),
            ];
            let held = sample.held.map(|held| {
                [
                    (end_ps, "held_pkts", held.packets as f64),
                    (end_ps, "held_bytes", held.bytes as f64),
                ]
            });
            for (t_ps, metric, value) in values.into_iter().chain(held.into_iter().flatten()) {
                (self.row.t_ps, self.row.value) = (t_ps, value);
                replace(&mut self.row.metric, metric);
                self.table.push(&self.row)?;
            }
        }
        Ok(())
    }

    pub(crate) fn finish(self) -> Result<u64, TableError> {
        self.table.finish()
    }
}

fn replace(text: &mut String, by: &str) {
    text.clear();
    text.push_str(by);
}
