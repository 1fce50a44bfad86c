//! The values of one sample and those of the previous one.

use std::sync::Arc;

use pacesim::measure::record::SeriesRow;
use pacesim::units::Span;
use pacesim_tables::TableError;

use crate::series::rows::Rows;

/// The metrics of one kind of entity.
pub(super) struct SheetKind<const N: usize> {
    /// Name of the kind: link, flow or group.
    pub(super) of: &'static str,
    /// Metrics of the interval are first, those of its end follow.
    pub(super) metrics: [&'static str; N],
    pub(super) of_intervals: usize,
}

/// The interval of a sample.
#[derive(Clone, Copy)]
pub(super) struct Moment {
    pub(super) start_ps: u64,
    pub(super) end_ps: u64,
    pub(super) with_unchanged: bool,
}

impl Moment {
    pub(super) fn interval_s(self) -> f64 {
        Span::from_ps(self.end_ps - self.start_ps).as_secs_f64()
    }
}

/// All values of entities of one kind, metric by metric.
pub(super) struct Sheet<const N: usize> {
    kind: &'static SheetKind<N>,
    names: Vec<Arc<str>>,
    columns: [Column; N],
}

/// The values of one metric in the order of the entities; NaN if missing.
struct Column {
    before: Vec<f64>,
    now: Vec<f64>,
}

impl<const N: usize> Sheet<N> {
    pub(super) fn new(kind: &'static SheetKind<N>, names: Vec<Arc<str>>) -> Sheet<N> {
        let column = || Column {
            before: vec![f64::NAN; names.len()],
            now: Vec::with_capacity(names.len()),
        };
        Sheet {
            kind,
            columns: std::array::from_fn(|_| column()),
            names,
        }
    }

    /// Appends the values of the next entity, by the places of its metrics.
    pub(super) fn push(&mut self, values: [f64; N]) {
        let columns = self.columns.iter_mut().zip(values);
        columns.for_each(|(column, value)| column.now.push(value));
    }

    /// Writes the changes, once all entities have been appended.
    pub(super) fn write(&mut self, moment: Moment, rows: &mut Rows) -> Result<(), TableError> {
        for (place, column) in self.columns.iter_mut().enumerate() {
            let t_ps = if place < self.kind.of_intervals {
                moment.start_ps
            } else {
                moment.end_ps
            };
            let values = column.now.iter().zip(&column.before);
            for (name, (value, before)) in self.names.iter().zip(values) {
                let is_news = moment.with_unchanged || value != before;
                if is_news && !value.is_nan() {
                    rows.push(SeriesRow {
                        t_ps,
                        of: self.kind.of,
                        entity: name.clone(),
                        metric: self.kind.metrics[place],
                        value: *value,
                    })?;
                }
            }
            std::mem::swap(&mut column.before, &mut column.now);
            column.now.clear();
        }
        Ok(())
    }
}
