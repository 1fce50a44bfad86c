//! The results of a measure in a run.

/// A number or a cell of a table, which may be missing.
pub(crate) type Cell = Option<f64>;

/// The results of a measure in a run: its numbers in the order of their names, and the rows of its
/// table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Measurement {
    /// Numbers of the measure.
    pub numbers: Vec<Cell>,
    /// Rows of the measure's table.
    pub rows: Vec<Vec<Cell>>,
}
