//! A solution as tidy rows, one number each.

use pacesim_analytic::catalogue::Solution;

pacesim::measure::row! {
    /// One number of a solution.
    SolutionRow<'a> in "solution" {
        table: &'a str, "", "The table by name; \"scalars\" for the headline numbers.";
        row: u64, "", "The row of the table, from zero.";
        column: &'a str, "", "The column by name, with its unit.";
        value: Option<f64>, "", "The number, in the column's unit.";
    }
}

/// The name of the one-row table with the headline numbers.
const SCALARS: &str = "scalars";

/// All numbers of a solution, headlines first.
pub(super) fn rows(solution: &Solution) -> impl Iterator<Item = SolutionRow<'_>> {
    let scalars = solution.scalars.iter().map(|scalar| SolutionRow {
        table: SCALARS,
        row: 0,
        column: &scalar.name,
        value: Some(scalar.value),
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
            value: Some(*value),
        };
        column.values.iter().enumerate().map(cell)
    });
    scalars.chain(cells)
}
