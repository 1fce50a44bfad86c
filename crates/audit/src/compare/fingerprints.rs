//! Files of fingerprints: names of scenarios, and columns of strings.

use std::collections::BTreeMap;

use serde::Serialize;

/// A cell that differs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OtherText {
    /// The scenario.
    pub scenario: String,
    /// The column.
    pub column: String,
    /// Value in the first.
    pub a: String,
    /// Value in the second.
    pub b: String,
}

/// A file of fingerprints.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FingerprintTable {
    columns: Vec<String>,
    rows: BTreeMap<String, Vec<String>>,
}

/// The comparison of two files.
#[derive(Debug, Default)]
pub(super) struct Compared {
    pub(super) compared: u64,
    pub(super) other: Vec<OtherText>,
    pub(super) only_in_a: Vec<String>,
    pub(super) only_in_b: Vec<String>,
}

impl FingerprintTable {
    /// Reads a file with a first line "scenario,..."; `None` for any other.
    pub(super) fn read(text: &str) -> Option<FingerprintTable> {
        let mut lines = text.lines();
        let mut columns = lines.next()?.split(',').map(str::to_owned);
        if columns.next()? != "scenario" {
            return None;
        }
        let columns: Vec<String> = columns.collect();
        let row = |line: &str| {
            let mut cells = line.split(',').map(str::to_owned);
            let row = (cells.next()?, cells.collect::<Vec<_>>());
            (row.1.len() == columns.len()).then_some(row)
        };
        let rows: Option<BTreeMap<_, _>> = lines.map(row).collect();
        Some(FingerprintTable {
            rows: rows?,
            columns,
        })
    }

    /// Compares cells in the common columns.
    pub(super) fn compare(&self, other: &FingerprintTable) -> Compared {
        let mut found = Compared::default();
        let shared = self
            .columns
            .iter()
            .enumerate()
            .filter_map(|(place, column)| {
                let theirs = other.columns.iter().position(|known| known == column)?;
                Some((column, place, theirs))
            });
        let shared: Vec<_> = shared.collect();
        for (scenario, ours) in &self.rows {
            let Some(theirs) = other.rows.get(scenario) else {
                found.only_in_a.push(scenario.clone());
                continue;
            };
            for (column, our_place, their_place) in &shared {
                let (a, b) = (&ours[*our_place], &theirs[*their_place]);
                found.compared += 1;
                if a != b {
                    found.other.push(OtherText {
                        scenario: scenario.clone(),
                        column: (*column).clone(),
                        a: a.clone(),
                        b: b.clone(),
                    });
                }
            }
        }
        let missing = other.rows.keys();
        let missing = missing.filter(|scenario| !self.rows.contains_key(*scenario));
        found.only_in_b.extend(missing.cloned());
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "scenario,short_duration,short,full";

    fn table(rows: &str) -> FingerprintTable {
        FingerprintTable::read(&format!("{HEAD}\n{rows}")).expect("a table")
    }

    #[test]
    fn cells_that_differ_are_named_and_rows_of_one_file() {
        let ours = table("a.toml,1s,00,11\nb.toml,1s,22,33\n");
        let theirs = table("a.toml,1s,00,12\nc.toml,1s,22,33\n");
        let found = ours.compare(&theirs);
        assert_eq!(found.compared, 3);
        let expected = OtherText {
            scenario: "a.toml".into(),
            column: "full".into(),
            a: "11".into(),
            b: "12".into(),
        };
        assert_eq!(found.other, [expected]);
        assert_eq!(
            (found.only_in_a, found.only_in_b),
            (vec!["b.toml".to_owned()], vec!["c.toml".to_owned()])
        );
    }

    #[test]
    fn what_is_no_table_of_scenarios_is_none() {
        assert_eq!(FingerprintTable::read("t_ms,size_bytes\n0,1\n"), None);
        assert_eq!(
            FingerprintTable::read(&format!("{HEAD}\na.toml,1s\n")),
            None,
            "a short row"
        );
        assert_eq!(FingerprintTable::read(""), None);
    }
}
