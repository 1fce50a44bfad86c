//! A kind of measure: the names of its numbers, the columns of its table, and what it has found in a run.

use pacesim::model::Model;

/// The entity of the numbers of measures.
pub const OF: &str = "measure";

/// A kind of measure, as a study asks for it.
pub trait MeasureSchema {
    /// The names of its numbers.
    fn names(&self) -> Vec<String>;

    /// The columns of its table.
    fn columns(&self) -> &'static [Column];
}

/// A kind that a probe watches a run for; the others follow from the results of flows and links.
pub(crate) trait Watched {
    /// The probe.
    type Probe;

    /// The probe in this model; `None` if the model has no such link, or cannot have such
    /// intervals.
    fn probe(&self, model: &Model) -> Option<Self::Probe>;
}

/// A column of a measure's table: of real numbers, some of which may be missing.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    /// Its name, with the unit in it.
    pub name: &'static str,
    /// Its meaning.
    pub doc: &'static str,
    /// The value in rows that a table has not because nothing was seen there.
    pub beyond: Cell,
}

pub(crate) const fn column(name: &'static str, doc: &'static str) -> Column {
    Column {
        name,
        doc,
        beyond: None,
    }
}

/// A column of shares, which are zero where nothing was seen.
pub(crate) const fn shares(name: &'static str, doc: &'static str) -> Column {
    Column {
        beyond: Some(0.0),
        ..column(name, doc)
    }
}

/// A number or a cell of a table, which may be missing.
pub(crate) type Cell = Option<f64>;

/// The findings of a measure in a run: its numbers in the order of their names, and the rows of its
/// table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Measurement {
    /// The numbers.
    pub numbers: Vec<Cell>,
    /// The rows.
    pub rows: Vec<Vec<Cell>>,
}

pub(crate) fn named<const N: usize>(names: [&str; N]) -> Vec<String> {
    names.map(str::to_owned).to_vec()
}

/// Picoseconds as seconds.
pub(crate) fn seconds(ps: u64) -> f64 {
    ps as f64 / 1e12
}
