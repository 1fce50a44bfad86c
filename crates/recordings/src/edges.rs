//! Lists of the links between the routers of a network, in CSV.

use std::sync::Arc;

use pacesim_language::length::{Length, scaled};
use pacesim_language::problem::shortened;
use pacesim_units::Span;

use crate::csv::CsvLines;

/// A link between two routers of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListedEdge {
    /// Number of one router, from 0.
    pub a: u32,
    /// Number of the other router, from 0.
    pub b: u32,
    /// Length of the link.
    pub length: Length,
    /// Propagation delay of the link.
    pub delay: Span,
}

/// An edge list: a line of column names, and rows.
struct Csv<'t> {
    columns: Vec<&'t str>,
    /// Rows of the file with their line numbers.
    rows: Vec<(usize, Vec<&'t str>)>,
}

impl<'t> Csv<'t> {
    fn parse(text: &'t str) -> Result<Csv<'t>, String> {
        let mut lines = CsvLines::of(text);
        let (_, columns) = lines.next().ok_or("the file has no line of column names")?;
        let mut rows = Vec::new();
        for (number, row) in lines {
            if row.len() != columns.len() {
                let (got, want) = (row.len(), columns.len());
                return Err(format!(
                    "line {number}: the header has {want} fields, this row {got}"
                ));
            }
            rows.push((number, row));
        }
        Ok(Csv { columns, rows })
    }

    fn column(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| *column == name)
    }

    fn needed(&self, name: &str) -> Result<usize, String> {
        // The names in the file are not quoted: it may be any file that the user can read.
        self.column(name)
            .ok_or_else(|| format!("there is no column \"{name}\""))
    }
}

fn unreadable(line: usize, text: &str, what: &str) -> String {
    format!("line {line}: \"{}\" is not {what}", shortened(text))
}

/// The links of an edge list with columns a, b, km and perhaps delay_ms; nodes are numbered from 0
/// in ascending order of their names.
///
/// # Errors
///
/// Fails with the faulty line and the reason.
pub fn edge_list(text: &str) -> Result<Arc<[ListedEdge]>, String> {
    let csv = Csv::parse(text)?;
    let (a, b, km) = (csv.needed("a")?, csv.needed("b")?, csv.needed("km")?);
    let delay = csv.column("delay_ms");
    if csv.rows.is_empty() {
        return Err("there are no links in it".to_owned());
    }
    let routers = routers(&csv, a, b)?;
    csv.rows
        .iter()
        .zip(routers)
        .map(|((line, row), [end_a, end_b])| {
            let metres = scaled(row[km], 3)
                .ok_or_else(|| unreadable(*line, row[km], "a length in km, in whole metres"))?;
            let delay = match delay {
                Some(column) => scaled(row[column], 9)
                    .ok_or_else(|| unreadable(*line, row[column], "a delay in ms")),
                None => fibre_delay(metres).ok_or_else(|| unreadable(*line, row[km], "possible")),
            }?;
            if row[a] == row[b] {
                return Err(format!("line {line} links {} to itself", row[a]));
            }
            Ok(ListedEdge {
                a: end_a,
                b: end_b,
                length: Length { metres },
                delay: Span::from_ps(delay),
            })
        })
        .collect()
}

/// Light in fibre takes 5 us per km.
fn fibre_delay(metres: u64) -> Option<u64> {
    metres.checked_mul(5_000)
}

/// The routers that each row joins, numbered in numerical order if all names are numbers, otherwise
/// in order of their names. Sorted rather than hashed: with a million routers each hash look-up
/// would be a cache miss.
fn routers(csv: &Csv<'_>, a: usize, b: usize) -> Result<Vec<[u32; 2]>, String> {
    let names = || csv.rows.iter().flat_map(|(_, row)| [row[a], row[b]]);
    if names().any(str::is_empty) {
        return Err("a link lacks a node: columns a and b must not be empty".to_owned());
    }
    let numbers: Option<Vec<u64>> = names().map(|name| name.parse().ok()).collect();
    let number = |place: usize| numbers.as_ref().map_or(0, |numbers| numbers[place]);
    let named = names().enumerate();
    // Two spellings of one number are two routers.
    let mut ends: Vec<(u64, &str, usize)> = named
        .map(|(place, name)| (number(place), name, place))
        .collect();
    ends.sort_unstable();
    let mut routers = vec![[0; 2]; csv.rows.len()];
    let same = |x: &(u64, &str, usize), y: &(u64, &str, usize)| x.1 == y.1;
    for (router, ends) in (0..).zip(ends.chunk_by(same)) {
        for (_, _, place) in ends {
            routers[place / 2][place % 2] = router;
        }
    }
    Ok(routers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_rows_name_their_line() {
        for (text, part) in [
            ("a,b,km\n1,2,3\n1,2,far\n", "line 3"),
            (
                "# none\na,b,km\n1,2\n",
                "line 3: the header has 3 fields, this row 2",
            ),
            ("a,b,km\n1,1,3\n", "line 2 links 1 to itself"),
            ("a,b\n1,2\n", "no column \"km\""),
            ("", "no line of column names"),
        ] {
            let error = edge_list(text).expect_err(text);
            assert!(error.contains(part), "{error}");
        }
    }

    #[test]
    fn nodes_of_a_list_are_in_ascending_order() {
        let edges = edge_list("a,b,km\n10,9,1\n9,2,0.5\n").expect("a good list");
        assert_eq!((edges[0].a, edges[0].b, edges[1].b), (2, 1, 0));
        assert_eq!(edges[1].delay, Span::from_ns(2_500));
        let named = edge_list("a,b,km\nParis,Lyon,1\n").expect("a good list");
        assert_eq!((named[0].a, named[0].b), (1, 0));
        let twice = edge_list("a,b,km\n1,01,1\n1,2,1\n").expect("a good list");
        assert_eq!((twice[0].a, twice[0].b, twice[1].b), (1, 0, 2));
    }
}
