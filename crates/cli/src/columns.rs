//! Text tables in columns that fit the terminal.

use std::ops::Range;

use comfy_table::presets::NOTHING;
use comfy_table::{Cell, CellAlignment, Table};

use crate::output::result_columns;

/// A text table: the first column left-aligned, the others, which are numbers, right-aligned.
pub(crate) fn of_texts(header: Vec<String>, rows: impl Iterator<Item = Vec<String>>) -> String {
    let rows: Vec<_> = std::iter::once(header).chain(rows).collect();
    within(result_columns().unwrap_or(usize::MAX), &rows)
}

/// A column of a table: its header, and its text for a row.
pub(crate) type Column<T> = (&'static str, fn(&T) -> String);

/// A table with these columns.
pub(crate) fn of_columns<T>(columns: &[Column<T>], rows: impl Iterator<Item = T>) -> String {
    let header = columns.iter().map(|(header, _)| (*header).to_owned());
    let row = |row: T| columns.iter().map(|(_, text)| text(&row)).collect();
    of_texts(header.collect(), rows.map(row))
}

/// A table of at most this width, with the header in the first row. Columns that do not fit follow
/// below, with the first one repeated on their left.
fn within(width: usize, rows: &[Vec<String>]) -> String {
    let blocks = blocks(&widths(rows), width);
    let set = blocks.into_iter().map(|columns| block(rows, columns));
    set.collect::<Vec<_>>().join("\n\n")
}

/// The width of each column.
fn widths(rows: &[Vec<String>]) -> Vec<usize> {
    let lines = |text: &String| text.lines().map(|line| line.chars().count()).max();
    let widest = |place: usize| rows.iter().filter_map(|row| lines(&row[place])).max();
    let places = 0..rows[0].len();
    places.map(|place| widest(place).unwrap_or(0)).collect()
}

/// The columns that fit side by side, without the first.
fn blocks(widths: &[usize], width: usize) -> Vec<Range<usize>> {
    // A cell has a blank on both sides; the last one of a line is not printed.
    let room = width.saturating_add(1);
    let mut blocks = Vec::new();
    let (mut start, mut used) = (1, widths[0] + 2);
    for (place, wide) in widths.iter().enumerate().skip(1) {
        if place > start && used + wide + 2 > room {
            blocks.push(start..place);
            (start, used) = (place, widths[0] + 2);
        }
        used += wide + 2;
    }
    blocks.push(start..widths.len());
    blocks
}

fn block(rows: &[Vec<String>], columns: Range<usize>) -> String {
    let aligned = |row: &Vec<String>| {
        let first = std::iter::once(Cell::new(&row[0]));
        let right = |text| Cell::new(text).set_alignment(CellAlignment::Right);
        let others = row[columns.clone()].iter().map(right);
        first.chain(others).collect::<Vec<_>>()
    };
    let mut table = Table::new();
    table.load_style(NOTHING).set_header(aligned(&rows[0]));
    for row in &rows[1..] {
        table.add_row(aligned(row));
    }
    table.trim_fmt()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows() -> Vec<Vec<String>> {
        let texts = [
            ["link", "rate", "load", "loss"],
            ["core", "10.0 Mbps", "85.7 %", "4.70 %"],
        ];
        texts.map(|row| row.map(str::to_owned).to_vec()).to_vec()
    }

    #[test]
    fn a_table_is_whole_where_it_fits() {
        let whole = " link       rate    load    loss\n core  10.0 Mbps  85.7 %  4.70 %";
        assert_eq!(within(usize::MAX, &rows()), whole);
        assert_eq!(within(32, &rows()), whole);
    }

    #[test]
    fn columns_that_find_no_room_are_set_below() {
        let broken =
            " link       rate    load\n core  10.0 Mbps  85.7 %\n\n link    loss\n core  4.70 %";
        for width in [24, 31] {
            assert_eq!(within(width, &rows()), broken, "{width}");
        }
        // At least one column fits next to the first.
        assert_eq!(within(5, &rows()).matches(" link").count(), 3);
    }
}
