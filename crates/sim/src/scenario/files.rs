//! Other files that a scenario names: handed in by the caller, read here.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use pacesim_units::Span;

use super::csv::CsvLines;
use super::types::ListedEdge;
use super::values::{Length, scaled};
use crate::recording::Recording;

/// Hands in the files that a scenario names. Parsing never opens a file itself.
///
/// Implemented for any function from a name to a text, and for `()`, which has no
/// files.
pub trait Files {
    /// The text of a file, or why there is none.
    fn text(&self, name: &str) -> Result<String, String>;

    /// A recording in a format that is not text, such as Parquet; `None` to read the
    /// file's text as CSV.
    fn recording(&self, _name: &str) -> Option<Result<Recording, String>> {
        None
    }
}

impl<F: Fn(&str) -> Result<String, String>> Files for F {
    fn text(&self, name: &str) -> Result<String, String> {
        self(name)
    }
}

impl Files for () {
    fn text(&self, _name: &str) -> Result<String, String> {
        Err("no files are at hand here".to_owned())
    }
}

/// The recording in a file, or what is wrong with it.
pub(crate) fn recording(files: &dyn Files, name: &str) -> Result<Recording, String> {
    let from_text = || Recording::from_csv(&files.text(name)?).map_err(|error| error.to_string());
    files.recording(name).unwrap_or_else(from_text)
}

/// An edge list: a line of column names, rows.
struct Csv<'t> {
    columns: Vec<&'t str>,
    /// With their line numbers.
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
        // Without the names that are there: the file may be any that the user can read.
        self.column(name)
            .ok_or_else(|| format!("there is no column \"{name}\""))
    }
}

fn unreadable(line: usize, text: &str, what: &str) -> String {
    format!(
        "line {line}: \"{}\" is not {what}",
        super::tree::shortened(text)
    )
}

/// The links of an edge list with columns a, b, km and perhaps delay_ms; nodes are
/// numbered from 0 in ascending order of what they are called.
pub(crate) fn edge_list(text: &str) -> Result<Arc<[ListedEdge]>, String> {
    let csv = Csv::parse(text)?;
    let (a, b, km) = (csv.needed("a")?, csv.needed("b")?, csv.needed("km")?);
    let delay = csv.column("delay_ms");
    if csv.rows.is_empty() {
        return Err("there are no links in it".to_owned());
    }
    let index = node_index(&csv, a, b)?;
    csv.rows
        .iter()
        .map(|(line, row)| {
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
                a: index[row[a]],
                b: index[row[b]],
                length: Length { metres },
                delay: Span::from_ps(delay),
            })
        })
        .collect()
}

/// Light in fibre takes 5 us for a km.
fn fibre_delay(metres: u64) -> Option<u64> {
    metres.checked_mul(5_000)
}

/// Which router each name is: by number if all are numbers, else by text.
fn node_index<'t>(csv: &Csv<'t>, a: usize, b: usize) -> Result<BTreeMap<&'t str, u32>, String> {
    let names: BTreeSet<&str> = csv
        .rows
        .iter()
        .flat_map(|(_, row)| [row[a], row[b]])
        .collect();
    if names.contains("") {
        return Err("a link lacks a node: columns a and b must not be empty".to_owned());
    }
    let mut ordered: Vec<&str> = names.into_iter().collect();
    if ordered.iter().all(|name| name.parse::<u64>().is_ok()) {
        ordered.sort_by_key(|name| name.parse::<u64>().expect("all are numbers"));
    }
    Ok(ordered.into_iter().zip(0..).collect())
}

/// The text of a list that ships with pacesim.
pub(crate) fn shipped(shape: &str, list: &str) -> Option<&'static str> {
    Some(match (shape, list) {
        ("nsfnet", "21_links") => include_str!("../../data/nsfnet14_21links_km.csv"),
        ("nsfnet", "22_links") => include_str!("../../data/nsfnet14_22links_deeprmsa_km.csv"),
        ("nsfnet", "22_links_classic") => {
            include_str!("../../data/nsfnet14_22links_classic_km.csv")
        }
        ("us24", "long") => include_str!("../../data/us24_43links_km.csv"),
        ("us24", "alternative") => include_str!("../../data/us24_43links_alt_km.csv"),
        ("us24", "short") => include_str!("../../data/us24_43links_scaled_km.csv"),
        _ => return None,
    })
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

    /// Every pair's least cost by Floyd and Warshall.
    fn least_costs(edges: &[ListedEdge], cost: impl Fn(&ListedEdge) -> u64) -> Vec<u64> {
        let n = edges.iter().map(|e| e.a.max(e.b)).max().expect("edges") as usize + 1;
        let mut least = vec![vec![u64::MAX / 2; n]; n];
        for edge in edges {
            let (a, b) = (edge.a as usize, edge.b as usize);
            (least[a][b], least[b][a]) = (cost(edge), cost(edge));
        }
        for via in 0..n {
            for a in 0..n {
                for b in 0..n {
                    least[a][b] = least[a][b].min(least[a][via] + least[via][b]);
                }
            }
        }
        (0..n).flat_map(|a| least[a][..a].to_vec()).collect()
    }

    /// Figures that were counted from the public originals by other means.
    #[test]
    fn shipped_lists_have_their_links_hops_and_lengths() {
        let us_hops = [43, 67, 69, 53, 34, 10];
        for (shape, list, hops, longest) in [
            ("nsfnet", "21_links", &[21, 36, 34][..], 4500),
            ("nsfnet", "22_links", &[22, 36, 33], 3900),
            ("nsfnet", "22_links_classic", &[22, 36, 33], 7800),
            ("us24", "long", &us_hops, 6700),
            ("us24", "alternative", &us_hops, 6650),
            ("us24", "short", &us_hops, 2036),
        ] {
            let edges = edge_list(shipped(shape, list).expect(list)).expect(list);
            let by_hops = least_costs(&edges, |_| 1);
            for (i, pairs) in hops.iter().enumerate() {
                let counted = by_hops.iter().filter(|n| **n == i as u64 + 1).count();
                assert_eq!(counted, *pairs, "{list}: pairs {} hops apart", i + 1);
            }
            assert_eq!(by_hops.len(), hops.iter().sum::<usize>(), "{list}");
            let by_km = least_costs(&edges, |edge| edge.length.metres / 1000);
            assert_eq!(by_km.into_iter().max(), Some(longest), "{list}");
            for edge in edges.iter() {
                assert_eq!(Some(edge.delay.as_ps()), fibre_delay(edge.length.metres));
            }
        }
    }

    #[test]
    fn nodes_of_a_list_are_in_ascending_order() {
        let edges = edge_list("a,b,km\n10,9,1\n9,2,0.5\n").expect("a good list");
        assert_eq!((edges[0].a, edges[0].b, edges[1].b), (2, 1, 0));
        assert_eq!(edges[1].delay, Span::from_ns(2_500));
        let named = edge_list("a,b,km\nParis,Lyon,1\n").expect("a good list");
        assert_eq!((named[0].a, named[0].b), (1, 0));
    }
}
