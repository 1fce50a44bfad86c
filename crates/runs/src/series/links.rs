//! Time series of links.

use pacesim::World;
use pacesim::model::{Model, SeriesFilter};
use pacesim::net::{Probe, Volume};
use pacesim_tables::TableError;

use crate::sampler::{Sample, Sampler};
use crate::series::rows::Rows;
use crate::series::sheet::{Moment, Sheet, SheetKind};

pub(super) const METRICS: [&str; 14] = [
    "throughput_bps",
    "dropped_pkts",
    "lost_pkts",
    "marked_pkts",
    "queue_pkts",
    "queue_bytes",
    "held_pkts",
    "held_bytes",
    "discipline_state",
    "class0_queue_pkts",
    "class1_queue_pkts",
    "class2_queue_pkts",
    "class3_queue_pkts",
    "shared_bytes",
];

const LINK: SheetKind<14> = SheetKind {
    of: "link",
    metrics: METRICS,
    of_intervals: 4,
};

pub(super) struct LinkSeries {
    sampler: Sampler,
    sheet: Sheet<14>,
}

impl LinkSeries {
    pub(super) fn new(model: &Model, filter: &SeriesFilter) -> LinkSeries {
        let links = filter.links.iter();
        let names = links.map(|link| model.links[link.index()].name.to_string().into());
        LinkSeries {
            sheet: Sheet::new(&LINK, names.collect()),
            sampler: Sampler::new(filter.links.iter().copied(), filter.interval),
        }
    }

    pub(super) fn sampler(&self) -> &Sampler {
        &self.sampler
    }

    pub(super) fn sample<P: Probe>(
        &mut self,
        world: &World<P>,
        moment: Moment,
        rows: &mut Rows,
    ) -> Result<(), TableError> {
        for sample in self.sampler.take(world) {
            self.sheet.push(values(&sample, moment.interval_s()));
        }
        self.sheet.write(moment, rows)
    }
}

/// Only links with a pacer hold packets, only those with a discipline have its state, and only those
/// of a switch share a memory.
fn values(sample: &Sample, interval_s: f64) -> [f64; 14] {
    let held = |volume: fn(Volume) -> u64| sample.held.map_or(f64::NAN, |held| volume(held) as f64);
    let class = |i: usize| sample.classes.map_or(f64::NAN, |all| all[i] as f64);
    [
        sample.left_bytes as f64 * 8.0 / interval_s,
        sample.dropped_pkts as f64,
        sample.lost_pkts as f64,
        sample.marked_pkts as f64,
        sample.waiting_pkts as f64,
        sample.waiting_bytes as f64,
        held(|held| held.packets),
        held(|held| held.bytes),
        sample.state.unwrap_or(f64::NAN),
        class(0),
        class(1),
        class(2),
        class(3),
        sample.shared_bytes.map_or(f64::NAN, |bytes| bytes as f64),
    ]
}
