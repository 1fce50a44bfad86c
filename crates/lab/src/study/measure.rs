//! What `[[measure]]` asks for: probes in a run, and the numbers and the table of each.
//!
//! A kind has a file here: the names of its numbers and the columns of its table, its probe, and
//! what this has found at the end of the run.

mod autocovariance;
mod burstiness;
mod completions;
mod delays;
mod fairness;
mod gaps;
mod lags;
mod loads;
mod losses;
mod measured;
mod mistakes;
mod probes;
mod queue;
mod queue_autocovariance;
mod queue_length;
mod tap;
mod volumes;
mod words;

use std::iter::repeat;

use pacesim::model::Model;
use pacesim_study::measure::{Measure, MeasureKind};

use super::store::MeasureTable;
use crate::replicate::Metric;
pub(super) use measured::measured;
pub(super) use mistakes::mistakes;
use probes::Watching;

/// What the numbers of measures are of.
pub(super) const OF: &str = "measure";

/// A kind of measure, as a study asks for it.
pub(super) trait Asked {
    /// The names of its numbers.
    fn names(&self) -> Vec<String>;

    /// The columns of its table.
    fn columns(&self) -> &'static [Column];

    /// What watches a run for it; `None` if the model has no such link, or cannot have such
    /// intervals.
    fn watch(&self, model: &Model) -> Option<Watching>;
}

/// A column of a measure's table: of real numbers, some of which may be missing.
#[derive(Clone, Copy, Debug)]
pub(super) struct Column {
    /// Its name, with the unit in it.
    pub(super) name: &'static str,
    pub(super) doc: &'static str,
    /// What it is of rows that a table has not because nothing was seen there.
    pub(super) beyond: Cell,
}

const fn column(name: &'static str, doc: &'static str) -> Column {
    Column {
        name,
        doc,
        beyond: None,
    }
}

/// A column of shares, which are zero where nothing was seen.
const fn shares(name: &'static str, doc: &'static str) -> Column {
    Column {
        beyond: Some(0.0),
        ..column(name, doc)
    }
}

/// A number or a cell of a table, which may be missing.
type Cell = Option<f64>;

/// What a measure has found in a run: its numbers in the order of their names, and the rows of its
/// table.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Found {
    pub(super) numbers: Vec<Cell>,
    pub(super) rows: Vec<Vec<Cell>>,
}

impl Found {
    /// Its numbers with their names.
    pub(super) fn metrics(&self, measure: &Measure) -> impl Iterator<Item = Metric> {
        let names = asked(&measure.kind).names().into_iter();
        // What could not watch has found nothing.
        let numbers = self.numbers.iter().copied().chain(repeat(None));
        names.zip(numbers).map(|(metric, value)| Metric {
            of: OF,
            entity: measure.name.clone(),
            metric: metric.into(),
            value,
        })
    }

    /// Its table.
    pub(super) fn table(self, measure: &Measure) -> MeasureTable {
        let columns = asked(&measure.kind).columns().iter();
        MeasureTable::new(columns.map(|column| column.name), self.rows)
    }
}

/// What a kind of measure is.
pub(super) fn asked(kind: &MeasureKind) -> &dyn Asked {
    match kind {
        MeasureKind::Burstiness(asked) => asked,
        MeasureKind::Autocovariance(asked) => asked,
        MeasureKind::Hurst(asked) => asked,
        MeasureKind::Gaps(asked) => asked,
        MeasureKind::Queue(asked) => asked,
        MeasureKind::QueueAutocovariance(asked) => asked,
        MeasureKind::Delays(asked) => asked,
        MeasureKind::Throughput(asked) => asked,
        MeasureKind::Completions(asked) => asked,
        MeasureKind::Fairness(asked) => asked,
        MeasureKind::Losses(asked) => asked,
        MeasureKind::Loads(asked) => asked,
    }
}

/// All that follows from measures: runs with others are others.
pub(super) fn written(measures: &[Measure]) -> String {
    measures.iter().map(Measure::to_toml).collect()
}

fn named<const N: usize>(names: [&str; N]) -> Vec<String> {
    names.map(str::to_owned).to_vec()
}

/// Picoseconds as seconds.
fn seconds(ps: u64) -> f64 {
    ps as f64 / 1e12
}
