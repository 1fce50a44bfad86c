//! The columns of a study's tables, derived from its axes.

use pacesim::measure::record::{ColumnType, Row, Value};
use pacesim_probes::kinds::asked;
use pacesim_probes::schema::Column;
use pacesim_runs::marks::Marks;
use pacesim_runs::replicate::RunRow;
use pacesim_store::plan::FoundWarmup;
use pacesim_study::{Axis, AxisValue, NumberName, Point, Study, Tune};
use pacesim_tables::TableColumn;

use crate::error::SweepError;

/// Name of the column with the warm-up found for a point.
const WARMUP: &str = "warmup_s";

/// The columns of a point in every table: its number and, for each axis, its value as text and, if
/// the axis is numeric, as a number.
pub(crate) fn of_points(study: &Study) -> Vec<TableColumn> {
    let number = column(
        "point",
        ColumnType::U64,
        "The point's number in the full grid.",
    );
    let mut columns = vec![number];
    for axis in &study.axes {
        let doc = format!("The value of the axis {}, as written.", axis.name);
        columns.push(column(&axis.name, ColumnType::Text, doc));
        if has_formulas(axis) {
            let doc = "The same with the quantity of a formula in its place.";
            let name = format!("{}_resolved", axis.name);
            columns.push(column(name, ColumnType::Text, doc));
        }
        if is_numeric(axis) {
            let unit = axis.unit.unwrap_or("value");
            let doc = format!("The same as a number, where it is one ({unit}).");
            let name = format!("{}_{unit}", axis.name);
            columns.push(nullable(column(name, ColumnType::F64, doc)));
        }
    }
    if !study.find_warmup.is_empty() {
        let doc = "Where the warm-up ends that was found.";
        columns.push(TableColumn {
            unit: "s",
            ..column(WARMUP, ColumnType::F64, doc)
        });
    }
    columns
}

/// True if any value of an axis is a number.
pub(crate) fn is_numeric(axis: &Axis) -> bool {
    axis.values.iter().any(|value| value.number.is_some())
}

/// True if any value of an axis is a formula.
pub(crate) fn has_formulas(axis: &Axis) -> bool {
    axis.values.iter().any(AxisValue::is_formula)
}

/// The values of a point in these columns.
pub(crate) fn values_of<'a>(
    study: &Study,
    point: &'a Point<'_>,
    warmup: Option<FoundWarmup>,
) -> Vec<Value<'a>> {
    let mut row = vec![Value::U64(point.number)];
    for (axis, value) in study.axes.iter().zip(&point.values) {
        row.push(Value::Text(&value.text));
        if has_formulas(axis) {
            let resolved = value.resolved.as_ref();
            row.push(Value::Text(resolved.unwrap_or(&value.text)));
        }
        if is_numeric(axis) {
            row.push(real(value.number));
        }
    }
    row.extend(warmup.map(|found| Value::F64(found.warmup.as_secs_f64())));
    row
}

/// A cell with a number that may be missing.
pub(crate) fn real(number: Option<f64>) -> Value<'static> {
    number.map_or(Value::Null, Value::F64)
}

/// A column shared with the `runs.parquet` of replications.
fn shared(name: &str) -> TableColumn {
    let mut columns = RunRow::SCHEMA.columns.iter();
    let column = columns.find(|column| column.name == name);
    column.expect("one of the columns of replications").into()
}

fn entity() -> [TableColumn; 3] {
    ["of", "entity", "metric"].map(shared)
}

/// Columns of `runs.parquet`, after those of the point.
pub(crate) fn of_runs(study: &Study) -> Vec<TableColumn> {
    let window = "Which of the equal windows of the run's measured time, from 0.";
    let window = column("window", ColumnType::U64, window);
    let window = study.batches.map(|_| window);
    let fingerprint = "A hash of every packet's history.";
    let fingerprint = column("fingerprint", ColumnType::Text, fingerprint);
    let run = [Some(shared("replication")), window, Some(shared("seed"))];
    let run = run.into_iter().flatten().chain([fingerprint]);
    let all = run.chain(entity());
    all.chain([shared("value")]).collect()
}

/// Columns of a table of `measures/`, after those of the point.
pub(crate) fn of_measured(columns: &[Column]) -> Vec<TableColumn> {
    let own = columns.iter();
    let own = own.map(|own| nullable(column(own.name, ColumnType::F64, own.doc)));
    let run = [shared("replication"), shared("seed")];
    run.into_iter().chain(own).collect()
}

/// Columns of `summary.parquet`, after those of the point.
pub(crate) fn of_summary() -> Vec<TableColumn> {
    let n = "The number of replications, or of windows of one run, in which there is a value.";
    let n = column("n", ColumnType::U64, n);
    let made = "The number of replications or windows made, with a value or without.";
    let made = column("replications", ColumnType::U64, made);
    let marks = "Reasons to read the number with care, separated by blanks: few_values (a quantile beyond which fewer than five values lie in some replication), two_clusters (the mean is between two clusters of replications), identical (nothing is drawn, so there is no interval).";
    let marks = column("marks", ColumnType::Text, marks);
    let reals = [
        ("mean", "Their mean."),
        (
            "std_dev",
            "Their standard deviation; null with fewer than two.",
        ),
        (
            "low",
            "The lower end of the 95 % interval: Student's of the mean (on a logarithmic scale where that would reach below 0 though the number cannot), or of the counts behind a share of few events; null with fewer than two, and if all replications are identical.",
        ),
        ("high", "The upper end of this interval."),
    ];
    let reals = reals.map(|(name, doc)| nullable(column(name, ColumnType::F64, doc)));
    let all = entity().into_iter().chain([n]).chain(reals);
    all.chain([made, marks]).collect()
}

/// Lists marks as words.
pub(crate) fn marks_of(marks: &Marks) -> Value<'static> {
    Value::Text(match (marks.few_values, marks.clusters, marks.identical) {
        (false, None, false) => "",
        (true, None, false) => "few_values",
        (false, Some(_), _) => "two_clusters",
        (true, Some(_), _) => "few_values two_clusters",
        (false, None, true) => "identical",
        (true, None, true) => "few_values identical",
    })
}

/// Columns of `wide.parquet`, after those of the point: two for each of these names.
pub(crate) fn of_wide(names: &[NumberName]) -> Vec<TableColumn> {
    let two = |name: &NumberName| {
        let NumberName { of, entity, metric } = name;
        let mean = format!("{of}.{entity}.{metric}");
        let half = format!("{mean}.half_width");
        let mean_doc = format!(
            "The mean of {metric} of {of} {entity} over replications, or over windows of one run."
        );
        let half_doc =
            "The way from it to the farther end of its 95 % interval; null with fewer than two.";
        [
            nullable(column(mean, ColumnType::F64, mean_doc)),
            nullable(column(half, ColumnType::F64, half_doc)),
        ]
    };
    names.iter().flat_map(two).collect()
}

/// Columns of `tuned.parquet`: each axis as in the tables of points, then the outcome of the
/// search.
pub(crate) fn of_searches(study: &Study, tune: &Tune) -> Vec<TableColumn> {
    let axes = of_points(study).into_iter().skip(1);
    // A search without a result has no values on its axes.
    let axes = axes.map(nullable);
    axes.chain(of_search_ends(tune)).collect()
}

fn of_search_ends(tune: &Tune) -> Vec<TableColumn> {
    let ended = "How the search ended: found, nowhere (the bounds hold at no point that was tried) or out_of_tries.";
    let tried = "How many points the search tried.";
    let point = "The number of the point that was found, in the full grid.";
    let mut columns = vec![
        column("ended", ColumnType::Text, ended),
        column("tried", ColumnType::U64, tried),
        nullable(column("point", ColumnType::U64, point)),
    ];
    let violating = "The last value before the one found that was shown to violate the bounds, in a search for the first that holds: the answer lies between them.";
    let number = "The same as a number, in the unit of its axis.";
    let monotone = "no if the values tried do not violate the bounds up to one value and hold from it on; yes if they do; null without a result.";
    columns.extend([
        nullable(column("last_violating", ColumnType::Text, violating)),
        nullable(column("last_violating_number", ColumnType::F64, number)),
        nullable(column("monotone", ColumnType::Text, monotone)),
    ]);
    let bounds = tune.bounds.iter().map(|bound| bound.name.clone());
    for name in std::iter::once("goal".to_owned()).chain(bounds) {
        let half = format!("{name}.half_width");
        let doc = match name.as_str() {
            "goal" => "The mean of the objective; null if it is an axis.".to_owned(),
            name => format!("The mean of {name} at the point that was found."),
        };
        columns.push(nullable(column(name, ColumnType::F64, doc)));
        let doc = "Half the width of its 95 % interval.";
        columns.push(nullable(column(half, ColumnType::F64, doc)));
    }
    columns
}

/// Refuses axes whose columns would clash with another column, such as the number "buffer_pkts".
pub(crate) fn refuse_equal_names(study: &Study) -> Result<(), SweepError> {
    let searches = study.tune.iter().flat_map(of_search_ends);
    let others = of_runs(study)
        .into_iter()
        .chain(of_summary())
        .chain(searches);
    let mut taken: Vec<String> = others.map(|column| column.name).collect();
    let measures = study.all_measures();
    let measured = measures.flat_map(|measure| asked(&measure.kind).columns());
    taken.extend(measured.map(|column| column.name.to_owned()));
    let mut columns = of_points(study).into_iter();
    taken.extend(columns.next().map(|point| point.name));
    taken.extend((!study.find_warmup.is_empty()).then(|| WARMUP.to_owned()));
    for (place, axis) in study.axes.iter().enumerate() {
        let own = 1 + usize::from(is_numeric(axis)) + usize::from(has_formulas(axis));
        for column in columns.by_ref().take(own) {
            if taken.contains(&column.name) {
                let message = format!("the tables would have two columns \"{}\"", column.name);
                let path = format!("sweep.axis[{place}].name");
                let help = "choose another name".to_owned();
                let problem = study.problem(&path, message, help);
                return Err(SweepError::Problems(vec![problem]));
            }
            taken.push(column.name);
        }
    }
    Ok(())
}

fn column(name: impl Into<String>, kind: ColumnType, doc: impl Into<String>) -> TableColumn {
    TableColumn {
        name: name.into(),
        kind,
        nullable: false,
        unit: "",
        doc: doc.into(),
    }
}

fn nullable(column: TableColumn) -> TableColumn {
    TableColumn {
        nullable: true,
        ..column
    }
}

/// The notes in every table's footer, independent of the time and place of writing.
pub(crate) fn notes(study: &Study) -> [(&'static str, String); 2] {
    [
        ("study", study.name.clone()),
        ("version", pacesim_runs::VERSION.to_owned()),
    ]
}
