//! The tables of a study, written point by point from its store: memory does not grow with the
//! number of runs.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use pacesim::measure::record::Value;
use pacesim_claims::spread::{Spread, Students};
use pacesim_runs::manifest::Digest;
use pacesim_runs::workers::{BatchMonitor, StepProgress};
use pacesim_store::database::{Reader, Store, StoredRun};
use pacesim_store::plan::SweepPlan;
use pacesim_store::sweep::Sweep;
use pacesim_study::{NumberName, Study, value_in};
use pacesim_tables::partial::{PARTIAL, left_beside};
use pacesim_tables::{RowWriter, TableError};

use crate::columns;
use crate::columns::notes;
use crate::courses;
use crate::error::SweepError;
use crate::execute::Work;
use crate::gathered::Gathered;
use crate::measured_table::{MeasuredTable, measure_file};
use crate::outline::{EndedEarly, Outline};

/// Names of the files of the tables.
const RUNS: &str = "runs.parquet";
const SUMMARY: &str = "summary.parquet";
const WIDE: &str = "wide.parquet";

/// Writes all tables, and returns the outline of their content. The store has all runs of the plan.
pub(crate) fn tabulate(
    sweep: &Sweep<'_>,
    plan: &SweepPlan,
    store: &Store,
    work: &Work,
    monitor: &dyn BatchMonitor,
) -> Result<Outline, SweepError> {
    remove_leftovers(sweep.out, sweep.study)?;
    let mut reader = store.reader()?;
    let abandoned = store.abandoned()?;
    let names = names(plan, &mut reader)?;
    let mut tables = Tables::create(sweep, &names)?;
    let mut measured = MeasuredTable::all(sweep, &sweep.study.measures)?;
    let mut courses = MeasuredTable::all(sweep, &sweep.study.courses)?;
    let mut outline = Outline::new(sweep, &names, work);
    let mut students = Students::default();
    let formulas = outline.main.iter().filter(|name| name.is_formula());
    let formulas: Vec<NumberName> = formulas.map(|name| (**name).clone()).collect();
    let mut gathered = Gathered::of(sweep.study, &outline.main);
    let mut computed = Gathered::of(sweep.study, &outline.main);
    let (mut numbers, mut fingerprints) = (Vec::new(), Digest::default());
    for (done, planned) in plan.points.iter().enumerate() {
        report_step(monitor, done, plan);
        if monitor.wants_end() {
            return Err(SweepError::interrupted(sweep, work.all, work.all));
        }
        let point = planned.at(sweep.study);
        let row = columns::values_of(sweep.study, &point, planned.warmup);
        gathered.clear();
        computed.clear();
        for repetition in planned.repetitions() {
            let run = reader.run(planned.scenario, repetition)?;
            let Some(run) = run else {
                outline.note_abandoned(planned, repetition, &abandoned);
                continue;
            };
            let gave_up = run.gave_up.clone();
            let gave_up = gave_up.map(|why| EndedEarly::of(planned, repetition, why));
            outline.gave_up.extend(gave_up);
            reader.numbers(&run, &mut numbers)?;
            fingerprints.add(run.fingerprint.as_bytes());
            let names = reader.names(&run);
            tables.push_run(&row, &run, names, &numbers)?;
            gathered.add(&run, names, &numbers);
            let value = |name: &NumberName| value_in(name, names, &numbers).flatten();
            let values: Vec<Option<f64>> = formulas.iter().map(value).collect();
            computed.add(&run, &formulas, &values);
            for table in measured.iter_mut().filter(|_| run.gave_up.is_none()) {
                table.push_run(&row, &run, &mut reader)?;
            }
        }
        for run in courses::stored(sweep.study, planned, &mut reader)? {
            let mut tables = courses.iter_mut();
            tables.try_for_each(|table| table.push_run(&row, &run, &mut reader))?;
        }
        let mut spreads = gathered.spreads(planned.number, &mut students);
        tables.push_point(&row, &spreads)?;
        let computed = computed.spreads(planned.number, &mut students);
        add_formulas(&mut spreads, computed);
        outline.push(planned, &point, &spreads, gathered.fingerprints());
    }
    tables.finish()?;
    let mut tables = measured.into_iter().chain(courses);
    tables.try_for_each(MeasuredTable::finish)?;
    outline.fingerprint = fingerprints.to_string();
    outline.wall_s = time(plan, &mut reader)?;
    Ok(outline)
}

/// Adds the spreads of formulas to those of the numbers in them.
fn add_formulas<'n>(
    spreads: &mut Vec<(&'n NumberName, Spread)>,
    formulas: Vec<(&'n NumberName, Spread)>,
) {
    let marked = formulas.into_iter().map(|of| marked_as_parts(of, spreads));
    let marked: Vec<_> = marked.collect();
    spreads.extend(marked);
}

/// The spread of a formula, with the marks of the numbers in it.
fn marked_as_parts<'n>(
    (name, mut spread): (&'n NumberName, Spread),
    numbers: &[(&NumberName, Spread)],
) -> (&'n NumberName, Spread) {
    let parts = name.parts();
    let is_part = |known: &NumberName| parts.iter().any(|part| part.stands_for(known));
    let of_parts = numbers.iter().filter(|(known, _)| is_part(known));
    spread.marks.few_values = of_parts.into_iter().any(|(_, part)| part.marks.few_values);
    (name, spread)
}

fn report_step(monitor: &dyn BatchMonitor, done: usize, plan: &SweepPlan) {
    monitor.step(&StepProgress {
        what: "points",
        verb: "written",
        done: done as u64,
        all: plan.points.len() as u64,
    });
}

/// The total time of the runs, of which points of one scenario share theirs.
fn time(plan: &SweepPlan, reader: &mut Reader<'_>) -> Result<f64, SweepError> {
    let mut counted: BTreeMap<Digest, usize> = BTreeMap::new();
    let mut seconds = 0.0;
    for planned in &plan.points {
        let counted = counted.entry(planned.scenario).or_default();
        for repetition in planned.repetitions().skip(*counted) {
            seconds += reader
                .run(planned.scenario, repetition)?
                .map_or(0.0, |run| run.wall_s);
        }
        *counted = planned.repetitions().count().max(*counted);
    }
    Ok(seconds)
}

/// All names in order of first appearance.
fn names(plan: &SweepPlan, reader: &mut Reader<'_>) -> Result<Vec<NumberName>, SweepError> {
    let (mut names, mut known, mut lists) = (Vec::new(), BTreeSet::new(), BTreeSet::new());
    for planned in &plan.points {
        for repetition in planned.repetitions() {
            let run = reader.run(planned.scenario, repetition)?;
            let Some(run) = run.filter(|run| lists.insert(run.list)) else {
                continue;
            };
            let new = reader.names(&run).iter();
            names.extend(new.filter(|name| known.insert((*name).clone())).cloned());
        }
    }
    Ok(names)
}

/// Removes leftovers of sweeps killed while writing tables. The store is locked, so none of them is
/// in use.
fn remove_leftovers(folder: &Path, study: &Study) -> Result<(), SweepError> {
    for table in files(study) {
        for left in left_beside(&folder.join(table), PARTIAL) {
            std::fs::remove_file(&left)
                .map_err(|source| SweepError::File { path: left, source })?;
        }
    }
    Ok(())
}

/// The tables that are being written.
struct Tables {
    runs: RowWriter,
    summary: RowWriter,
    wide: RowWriter,
    /// True if runs are divided into windows, which then have a column.
    has_windows: bool,
    /// Positions of names in the wide table.
    places: BTreeMap<NumberName, usize>,
}

impl Tables {
    fn create(sweep: &Sweep<'_>, names: &[NumberName]) -> Result<Tables, SweepError> {
        let notes = notes(sweep.study);
        let create = |file: &str, columns: Vec<_>| -> Result<RowWriter, TableError> {
            let path: PathBuf = sweep.out.join(file);
            let mut all = columns::of_points(sweep.study);
            all.extend(columns);
            RowWriter::create(&path, all, &notes)
        };
        Ok(Tables {
            runs: create(RUNS, columns::of_runs(sweep.study))?,
            summary: create(SUMMARY, columns::of_summary())?,
            wide: create(WIDE, columns::of_wide(names))?,
            has_windows: sweep.study.batches.is_some(),
            places: names.iter().cloned().zip(0..).collect(),
        })
    }

    fn push_run(
        &mut self,
        point: &[Value<'_>],
        run: &StoredRun,
        names: &[NumberName],
        numbers: &[Option<f64>],
    ) -> Result<(), TableError> {
        let mut row = point.to_vec();
        row.push(Value::U64(run.replication));
        if self.has_windows {
            row.push(Value::U64(run.window));
        }
        row.push(Value::U64(run.seed));
        row.push(Value::Text(&run.fingerprint));
        let start = row.len();
        for (name, number) in names.iter().zip(numbers) {
            row.truncate(start);
            row.extend(texts(name));
            row.push(columns::real(*number));
            self.runs.push(&row)?;
        }
        Ok(())
    }

    fn push_point(
        &mut self,
        point: &[Value<'_>],
        spreads: &[(&NumberName, Spread)],
    ) -> Result<(), TableError> {
        let mut row = point.to_vec();
        let start = row.len();
        for (name, spread) in spreads {
            row.truncate(start);
            row.extend(texts(name));
            row.push(Value::U64(spread.n));
            let Spread {
                mean,
                std_dev,
                low,
                high,
                ..
            } = *spread;
            row.extend([mean, std_dev, low, high].map(columns::real));
            row.push(Value::U64(spread.replications));
            row.push(columns::marks_of(&spread.marks));
            self.summary.push(&row)?;
        }
        row.truncate(start);
        row.resize(start + 2 * self.places.len(), Value::Null);
        for (name, spread) in spreads {
            let place = start + 2 * self.places[*name];
            row[place] = columns::real(spread.mean);
            row[place + 1] = columns::real(spread.half_width());
        }
        self.wide.push(&row)
    }

    fn finish(self) -> Result<(), TableError> {
        self.runs.finish()?;
        self.summary.finish()?;
        self.wide.finish()?;
        Ok(())
    }
}

/// The names of all tables in the folder of a study.
pub(crate) fn files(study: &Study) -> Vec<PathBuf> {
    let measures = study.all_measures().map(measure_file);
    let tables = [RUNS, SUMMARY, WIDE].map(PathBuf::from);
    tables.into_iter().chain(measures).collect()
}

fn texts(name: &NumberName) -> [Value<'_>; 3] {
    [&name.of, &name.entity, &name.metric].map(|text| Value::Text(text))
}
