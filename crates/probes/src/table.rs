//! The table of a measure in a run as stored: CSV with a header line, and empty cells for missing
//! numbers.

use std::fmt::Write;

/// A table of a measure: columns of numbers, by name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MeasureTable {
    names: Vec<String>,
    /// Rows in the order of the table.
    rows: Vec<Vec<Option<f64>>>,
}

impl MeasureTable {
    /// A table of these rows under these names.
    pub(crate) fn new<'a>(
        names: impl Iterator<Item = &'a str>,
        rows: Vec<Vec<Option<f64>>>,
    ) -> MeasureTable {
        MeasureTable {
            names: names.map(str::to_owned).collect(),
            rows,
        }
    }

    /// The rows, each with the cells of these columns; a missing column gives empty cells.
    pub fn rows_of(&self, names: &[&str]) -> impl Iterator<Item = Vec<Option<f64>>> {
        let place = |name: &&str| self.names.iter().position(|known| known == name);
        let places: Vec<Option<usize>> = names.iter().map(place).collect();
        let cells = move |row: &Vec<Option<f64>>| {
            let cell = |place: &Option<usize>| row.get((*place)?).copied().flatten();
            places.iter().map(cell).collect()
        };
        self.rows.iter().map(cells)
    }

    /// Parses the output of [`MeasureTable::to_csv`].
    pub fn from_csv(text: &str) -> MeasureTable {
        let mut lines = text.lines();
        let names = lines.next().into_iter().flat_map(|line| line.split(','));
        let cells = |line: &str| line.split(',').map(|cell| cell.parse().ok()).collect();
        MeasureTable {
            names: names.map(str::to_owned).collect(),
            rows: lines.map(cells).collect(),
        }
    }

    /// The table as CSV.
    pub fn to_csv(&self) -> String {
        let mut text = self.names.join(",");
        text.push('\n');
        for row in &self.rows {
            for (i, cell) in row.iter().enumerate() {
                let comma = if i > 0 { "," } else { "" };
                // The shortest string that parses to the same number.
                let number = cell.filter(|number| number.is_finite());
                let number = number.map_or(String::new(), |number| format!("{number:?}"));
                write!(text, "{comma}{number}").expect("a text takes all");
            }
            text.push('\n');
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back_as_they_were() {
        let hard = [0.1 + 0.2, 1.0 / 3.0, 5e-324, f64::MAX, -0.0, 1e22];
        let rows: Vec<Vec<Option<f64>>> = hard.iter().map(|x| vec![Some(*x), None]).collect();
        let table = MeasureTable::new(["x_s", "y"].into_iter(), rows.clone());
        let back = MeasureTable::from_csv(&table.to_csv());
        assert_eq!(back, table);
        assert_eq!(back.rows_of(&["x_s", "y"]).collect::<Vec<_>>(), rows);
        let other = back.rows_of(&["z", "x_s"]).next();
        assert_eq!(other, Some(vec![None, Some(hard[0])]));
    }

    #[test]
    fn a_table_may_have_no_rows() {
        let table = MeasureTable::new(["x"].into_iter(), Vec::new());
        assert_eq!(MeasureTable::from_csv(&table.to_csv()), table);
    }
}
