//! Columns of measures' tables by point, the data of figures that draw tables.

use std::collections::BTreeMap;

use pacesim_claims::shapes::Curve;
use pacesim_probes::kinds::asked;
use pacesim_probes::schema::Column;
use pacesim_probes::table::MeasureTable;
use pacesim_store::database::Reader;
use pacesim_store::key::with_courses;
use pacesim_store::plan::Planned;
use pacesim_store::repetition::Repetition;
use pacesim_study::{NumberName, Plot, Study};

use crate::error::SweepError;

/// A picture resolves about this many columns of dots.
const MOST_ROWS: usize = 1000;

/// Curves by their columns, the replication of those over time, and point.
#[derive(Debug, Default)]
pub(crate) struct Curves {
    wanted: BTreeMap<(NumberName, NumberName, Option<u64>), Vec<Gathering>>,
}

/// A curve whose rows are being gathered, by x.
#[derive(Debug)]
struct Gathering {
    point: u64,
    repetitions: usize,
    /// The value of y in runs without a row.
    beyond: Option<f64>,
    rows: BTreeMap<Ordered, Vec<Option<f64>>>,
}

/// The bits of a non-negative number, which order as the number does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Ordered(u64);

impl Curves {
    /// Reads the curves that the figures of a study need, skipping runs that are not in the store.
    pub(crate) fn read(
        study: &Study,
        points: &[Planned],
        reader: &mut Reader<'_>,
    ) -> Result<Curves, SweepError> {
        let mut curves = Curves::default();
        let plots: Vec<Plot> = study.plots.iter().flat_map(Plot::each_number).collect();
        for plot in &plots {
            let Some(((x, y), course)) = plot.columns().zip(Some(course(plot))) else {
                continue;
            };
            let Some(beyond) = value_in_missing_rows(study, &y) else {
                continue;
            };
            let mut all = Vec::new();
            for planned in points {
                let mut gathering = Gathering::at(planned.number, beyond);
                let scenario = match course {
                    Some(_) => with_courses(planned.scenario, &study.courses),
                    None => planned.scenario,
                };
                let is_wanted = |of: &Repetition| course.is_none_or(|one| one == of.replication);
                for repetition in planned.repetitions().filter(is_wanted) {
                    let run = reader.run(scenario, repetition)?;
                    if let Some(run) = run.filter(|run| run.gave_up.is_none()) {
                        gathering.add(&reader.table(&run, &y.entity)?, (&x.metric, &y.metric));
                    }
                }
                gathering.complete();
                all.push(gathering);
            }
            curves.wanted.insert((x, y, course), all);
        }
        Ok(curves)
    }

    /// One column against another at a point; a long curve is thinned to as many rows as can be
    /// distinguished.
    pub(crate) fn of(&self, plot: &Plot, point: u64) -> Curve {
        let all = self.all_of(plot, point);
        let step = all.len().div_ceil(MOST_ROWS).max(1);
        all.into_iter().step_by(step).collect()
    }

    /// One column against another at a point, with all of its rows.
    pub(crate) fn all_of(&self, plot: &Plot, point: u64) -> Curve {
        let key = plot.columns().map(|(x, y)| (x, y, course(plot)));
        let all = key.and_then(|key| self.wanted.get(&key));
        let gathered = all.and_then(|all| all.iter().find(|known| known.point == point));
        let rows = gathered.into_iter().flat_map(|gathered| &gathered.rows);
        rows.map(|(x, ys)| (f64::from_bits(x.0), ys.clone()))
            .collect()
    }

    /// For each curve, true if there are no rows at all.
    pub(crate) fn missing(&self) -> impl Iterator<Item = bool> {
        let all = self.wanted.values();
        all.map(|all| all.iter().all(|gathered| gathered.rows.is_empty()))
    }
}

/// The replication whose course a figure over time draws.
fn course(plot: &Plot) -> Option<u64> {
    plot.keys.over.map(|_| plot.keys.replication.into())
}

/// The value of a column in missing rows; `None` if there is no such column.
fn value_in_missing_rows(study: &Study, y: &NumberName) -> Option<Option<f64>> {
    let measure = study.all_measures().find(|known| known.name == y.entity)?;
    let columns = asked(&measure.kind).columns();
    let column = columns.iter().find(|known| known.name == y.metric);
    column.map(|column: &Column| column.beyond)
}

impl Gathering {
    fn at(point: u64, beyond: Option<f64>) -> Gathering {
        Gathering {
            point,
            beyond,
            repetitions: 0,
            rows: BTreeMap::new(),
        }
    }

    /// Adds the rows of a run.
    fn add(&mut self, table: &MeasureTable, (x, y): (&str, &str)) {
        for row in table.rows_of(&[x, y]) {
            if let Some(x) = row[0].filter(|x| *x >= 0.0) {
                // Drops the sign of zero.
                let ys = self.rows.entry(Ordered((x + 0.0).to_bits())).or_default();
                ys.resize(self.repetitions, self.beyond);
                ys.push(row[1]);
            }
        }
        self.repetitions += 1;
    }

    /// Gives every x a number for each repetition.
    fn complete(&mut self) {
        for ys in self.rows.values_mut() {
            ys.resize(self.repetitions, self.beyond);
        }
    }
}
