//! Kinds of measures: the names of their numbers, the columns of their tables, and their results in
//! a run.

use pacesim::measure::record::{FlowRow, LinkRow};
use pacesim::model::Model;
use pacesim::net::Probe;
use pacesim::units::Time;
use pacesim_runs::series::Series;

pub(crate) use crate::measurement::Cell;
pub use crate::measurement::Measurement;
use crate::times::CompletionTimes;

/// The entity of the numbers of measures.
pub const OF: &str = "measure";

/// A kind of measure, as a study declares it.
pub trait MeasureSchema {
    /// Names of the numbers of the measure.
    fn names(&self) -> Vec<String>;

    /// Columns of the table of the measure.
    fn columns(&self) -> &'static [Column];

    /// The number that counts the values of which this one is a quantile; `None` for other numbers,
    /// for quantiles over time, and for those that are missing if the values are few.
    fn among(&self, _number: &str) -> Option<String> {
        None
    }
}

/// A kind of measure in a run: its probe, or its derivation from results.
pub(crate) trait Measuring: MeasureSchema {
    /// The probe in this model; `None` for a kind without one, and if the model has no such link,
    /// or cannot have such intervals.
    fn probe(&self, _model: &Model) -> Option<Box<dyn Watching>> {
        None
    }

    /// The times of transfers, if the kind is about them.
    fn times(&self, _model: &Model) -> Option<CompletionTimes> {
        None
    }

    /// The series of the run that the kind needs.
    fn series(&self, _model: &Model) -> Option<Series> {
        None
    }

    /// The results of a kind with a series.
    fn found_over_time(&self, _series: &Series) -> Measurement {
        Measurement::default()
    }

    /// The results of a kind without a probe.
    fn found(&self, _results: &Results<'_>) -> Measurement {
        Measurement::default()
    }
}

/// A probe that watches a run for a measure.
pub(crate) trait Watching: Probe {
    /// The bytes of the samples that it will have kept at the end of the run, if they are many.
    fn kept_bytes(&self) -> u64 {
        0
    }

    /// Computes the results at the end of the run.
    fn found(self: Box<Self>, end: Time) -> Measurement;
}

/// The results of a run from which measures without a probe are derived.
pub(crate) struct Results<'r> {
    pub(crate) model: &'r Model,
    pub(crate) flows: &'r [FlowRow],
    pub(crate) links: &'r [LinkRow],
    pub(crate) times: Option<&'r CompletionTimes>,
}

/// A column of a measure's table: floats, some of which may be missing.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    /// Name of the column, including the unit.
    pub name: &'static str,
    /// Meaning of the column.
    pub doc: &'static str,
    /// The value in rows that a table lacks because nothing was observed there.
    pub beyond: Cell,
}

/// The columns of a table, one per line: name and meaning. Those that begin with `shares` are zero
/// where nothing was observed.
macro_rules! columns {
    (@beyond) => { None };
    (@beyond shares) => { Some(0.0) };
    ($( $($shares:ident)? $name:literal: $doc:literal; )*) => {
        const { &[ $( $crate::schema::Column {
            name: $name,
            doc: $doc,
            beyond: $crate::schema::columns!(@beyond $($shares)?),
        } ),* ] }
    };
}
pub(crate) use columns;

pub(crate) fn named<const N: usize>(names: [&str; N]) -> Vec<String> {
    names.map(str::to_owned).to_vec()
}

/// Converts picoseconds to seconds.
pub(crate) fn seconds(ps: u64) -> f64 {
    ps as f64 / 1e12
}
