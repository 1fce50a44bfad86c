//! Recorded cases: the input of a discipline, and its output.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::table::{Row, Table};

/// A case, and the place of its recordings.
pub(crate) struct Case {
    pub(crate) name: String,
    folder: PathBuf,
    /// The scenario, as written.
    scenario: Value,
    /// The words of the discipline's configuration.
    words: Vec<String>,
    /// The rows of the case in the table of all cases, one per run.
    pub(crate) runs: Vec<BTreeMap<String, String>>,
}

/// An arriving packet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arrival {
    pub(crate) ns: i64,
    pub(crate) flow: u32,
    pub(crate) size: u32,
    pub(crate) ecn: u8,
    pub(crate) prio: u8,
    /// Its requested departure time.
    pub(crate) departure: Option<i64>,
}

/// The fate of a packet, and its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fate {
    /// `D`elivered, `M`arked, dropped on arrival (`E`), `P`ushed out, dropped on departure (`X`),
    /// still in the `Q`ueue.
    pub(crate) what: char,
    pub(crate) ns: i64,
}

impl Case {
    /// The cases of a folder, in the order of their table.
    pub(crate) fn all(folder: &Path) -> Vec<Case> {
        let table = Table::read(&folder.join("cases.csv")).expect("cases.csv");
        let mut cases: Vec<Case> = Vec::new();
        for row in table.rows() {
            let name = row.text("case");
            if cases.last().is_none_or(|case| case.name != name) {
                cases.push(Case::named(folder, name));
            }
            cases.last_mut().unwrap().runs.push(owned(&table, row));
        }
        cases
    }

    fn named(folder: &Path, name: &str) -> Case {
        let path = folder.join(format!("scenarios/{name}.json"));
        let text = std::fs::read(&path).unwrap_or_else(|_| panic!("{} is missing", path.display()));
        let scenario: Value = serde_json::from_slice(&text).expect("a scenario in JSON");
        let words = scenario["qdisc"].as_str().expect("the discipline");
        Case {
            name: name.to_owned(),
            folder: folder.to_owned(),
            words: words.split_whitespace().map(str::to_owned).collect(),
            scenario,
            runs: Vec::new(),
        }
    }

    /// The kind of the discipline.
    pub(crate) fn kind(&self) -> &str {
        &self.words[0]
    }

    /// The words after the kind.
    pub(crate) fn words(&self) -> impl Iterator<Item = &str> {
        self.words.iter().skip(1).map(String::as_str)
    }

    /// True if this word is among those of the configuration.
    pub(crate) fn has(&self, word: &str) -> bool {
        self.words.iter().skip(1).any(|other| other == word)
    }

    /// The word after this one.
    pub(crate) fn word(&self, word: &str) -> Option<&str> {
        let mut pairs = self.words.windows(2).skip(1);
        pairs.find(|pair| pair[0] == word).map(|pair| &*pair[1])
    }

    /// An integer after a word.
    pub(crate) fn integer(&self, word: &str) -> Option<u64> {
        self.word(word)
            .map(|text| text.parse().expect("an integer"))
    }

    /// A time after a word, in nanoseconds: a bare number is in microseconds.
    pub(crate) fn span(&self, word: &str) -> Option<u64> {
        let units = [
            ("msecs", 1e6),
            ("msec", 1e6),
            ("ms", 1e6),
            ("usecs", 1e3),
            ("usec", 1e3),
            ("us", 1e3),
            ("nsecs", 1.0),
            ("nsec", 1.0),
            ("ns", 1.0),
            ("secs", 1e9),
            ("sec", 1e9),
            ("s", 1e9),
            ("", 1e3),
        ];
        self.word(word).map(|text| scaled(text, &units))
    }

    /// A rate after a word, in bit/s.
    pub(crate) fn rate(&self, word: &str) -> Option<u64> {
        let units = [
            ("kbit", 1e3),
            ("mbit", 1e6),
            ("gbit", 1e9),
            ("bit", 1.0),
            ("kbps", 8e3),
            ("mbps", 8e6),
            ("gbps", 8e9),
            ("bps", 8.0),
            ("", 1.0),
        ];
        self.word(word).map(|text| scaled(text, &units))
    }

    /// A size after a word, in bytes.
    pub(crate) fn size(&self, word: &str) -> Option<u64> {
        let units = [
            ("kbit", 128.0),
            ("mbit", 131_072.0),
            ("kb", 1024.0),
            ("mb", 1_048_576.0),
            ("gb", 1_073_741_824.0),
            ("k", 1024.0),
            ("m", 1_048_576.0),
            ("g", 1_073_741_824.0),
            ("b", 1.0),
            ("", 1.0),
        ];
        self.word(word).map(|text| scaled(text, &units))
    }

    /// A value of the scenario.
    pub(crate) fn value(&self, key: &str) -> &Value {
        &self.scenario[key]
    }

    /// The number of a flow in a map of the scenario.
    pub(crate) fn of_flow(&self, map: &str, flow: u32) -> Option<u64> {
        let value = &self.scenario[map][flow.to_string()];
        value.as_f64().map(|value| value as u64)
    }

    /// The line's rate, in bit/s.
    pub(crate) fn line_rate(&self) -> u64 {
        (self.scenario["rate_mbps"].as_f64().expect("a rate") * 1e6).round() as u64
    }

    /// The time that it ran after the last arrival, in nanoseconds.
    pub(crate) fn drain(&self) -> i64 {
        (self.scenario["drain_s"].as_f64().unwrap_or(1.0) * 1e9) as i64
    }

    /// A number of the first run.
    pub(crate) fn of_run(&self, run: usize, column: &str) -> &str {
        self.runs[run].get(column).map_or("", String::as_str)
    }

    /// The packets, and their fates in the first run.
    pub(crate) fn packets(&self) -> (Vec<Arrival>, Vec<Fate>) {
        let table = self.table("packets").expect("a trace of packets");
        table.rows().map(|row| (arrival(row), fate(row))).unzip()
    }

    /// A table of the case.
    pub(crate) fn table(&self, what: &str) -> Option<Table> {
        let name = format!("traces/{}.{what}.csv.xz", self.name);
        Table::read(&self.folder.join(name))
    }
}

fn owned(table: &Table, row: Row<'_>) -> BTreeMap<String, String> {
    table
        .names()
        .map(|name| (name.to_owned(), row.text(name).to_owned()))
        .collect()
}

fn arrival(row: Row<'_>) -> Arrival {
    Arrival {
        ns: row.ns("t_us").expect("a time of arrival"),
        flow: row.count("flow") as u32,
        size: row.count("size") as u32,
        ecn: row.count("ecn") as u8,
        prio: row.count("prio") as u8,
        departure: row.ns("txt_us"),
    }
}

fn fate(row: Row<'_>) -> Fate {
    let what = row.text("fate").chars().next().expect("a fate");
    let ns = row.ns("out_us").unwrap_or(0);
    Fate { what, ns }
}

/// A number with one of these units, the longest first.
fn scaled(text: &str, units: &[(&str, f64)]) -> u64 {
    let lower = text.to_ascii_lowercase();
    let found = units.iter().find_map(|(unit, factor)| {
        let number: f64 = lower.strip_suffix(unit)?.parse().ok()?;
        Some((number * factor).round() as u64)
    });
    found.unwrap_or_else(|| panic!("{text} is no quantity"))
}
