//! A solution as tidy rows: one number each.

use pacesim::measure::record::{Column, ColumnType, Row, Schema, Value};
use pacesim_analytic::catalogue::Solution;

/// One number of a solution.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SolutionRow<'a> {
    table: &'a str,
    row: u64,
    column: &'a str,
    value: f64,
}

/// The headline numbers are a table of one row, by this name.
const SCALARS: &str = "scalars";

/// Every number, the headlines first.
pub(super) fn rows(solution: &Solution) -> impl Iterator<Item = SolutionRow<'_>> {
    let scalars = solution.scalars.iter().map(|scalar| SolutionRow {
        table: SCALARS,
        row: 0,
        column: &scalar.name,
        value: scalar.value,
    });
    let columns = solution
        .tables
        .iter()
        .flat_map(|table| table.columns.iter().map(move |column| (table.name, column)));
    let cells = columns.flat_map(|(table, column)| {
        let cell = move |(row, value): (usize, &f64)| SolutionRow {
            table,
            row: row as u64,
            column: &column.name,
            value: *value,
        };
        column.values.iter().enumerate().map(cell)
    });
    scalars.chain(cells)
}

const fn column(name: &'static str, kind: ColumnType, doc: &'static str) -> Column {
    Column {
        name,
        kind,
        nullable: matches!(kind, ColumnType::F64),
        unit: "",
        doc,
    }
}

impl Row for SolutionRow<'_> {
    const SCHEMA: Schema = Schema {
        table: "solution",
        columns: &[
            column(
                "table",
                ColumnType::Text,
                "The table by name; \"scalars\" for the headline numbers.",
            ),
            column("row", ColumnType::U64, "The row of the table, from zero."),
            column(
                "column",
                ColumnType::Text,
                "The column by name, with its unit.",
            ),
            column(
                "value",
                ColumnType::F64,
                "The number, in the column's unit.",
            ),
        ],
    };

    fn for_each_value<'a>(&'a self, mut visit: impl FnMut(Value<'a>)) {
        visit(Value::Text(self.table));
        visit(Value::U64(self.row));
        visit(Value::Text(self.column));
        visit(Value::F64(self.value));
    }
}
