//! Names and units of results: the same in JSON and Parquet, as documented in docs/results.md.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::Path;

use pacesim_runs::input::Input;
use pacesim_runs::plan::Plan;
use pacesim_runs::replicate::replicate;
use pacesim_runs::run::run;
use pacesim_runs::run_monitor::Unwatched;
use pacesim_tables::{Numbers, TableReader};
use serde_json::Value;

use crate::common::from_text;

/// TCP flows through a pacer and an overloaded link, which yield a number of every kind.
const SCENARIO: &str = r#"
run = { duration = "5s", warmup = "1s", seed = 3 }
node = [{ name = "a" }, { name = "b" }, { name = "c" }]
[[link]]
name = "access"
from = "a"
to = "b"
rate = "20Mbps"
delay = "2ms"
duplex = true
pacer = { kind = "leaky_bucket", rate = "12Mbps" }
[[link]]
name = "core"
from = "b"
to = "c"
rate = "10Mbps"
delay = "8ms"
buffer = "5pkts"
discipline = { kind = "drr" }
duplex = true
[[flow]]
name = "bulk"
from = "a"
to = "c"
traffic = { kind = "tcp" }
[[flow]]
name = "files"
from = "a"
to = "c"
traffic = { kind = "tcp", transfers = { size = "9KB", pause = "300ms" } }
"#;

fn scenario() -> Input {
    from_text(SCENARIO, &[])
}

/// The values under each name in a document, at any depth.
fn named<'a>(document: &'a Value, found: &mut BTreeMap<&'a str, Vec<&'a Value>>) {
    match document {
        Value::Object(fields) => {
            for (name, value) in fields {
                found.entry(name).or_default().push(value);
                named(value, found);
            }
        }
        Value::Array(values) => values.iter().for_each(|value| named(value, found)),
        _ => {}
    }
}

fn summary_of(out: &Path) -> Value {
    let plan = Plan {
        out: Some(out),
        ..Plan::default()
    };
    run(&scenario(), 0, &plan, &mut Unwatched).expect("it runs");
    let text = std::fs::read_to_string(out.join("summary.json")).expect("it is kept");
    serde_json::from_str(&text).expect("JSON")
}

/// The columns of numbers without nulls, by name.
fn columns(table: &Path) -> BTreeMap<String, Vec<f64>> {
    let table = TableReader::open(table).expect("a table");
    let names = table.column_names().into_iter().enumerate();
    let values = names.filter_map(|(place, name)| {
        Some(match table.numbers(place).expect("readable")? {
            Numbers::Integers(values) => (name, values.into_iter().map(|n| n as f64).collect()),
            Numbers::Reals(values) => (name, values),
        })
    });
    values.collect()
}

/// Checks that the numbers shared by a document and this row are equal, and counts them.
fn compared(document: &Value, columns: &BTreeMap<String, Vec<f64>>, row: usize) -> usize {
    let mut found = BTreeMap::new();
    named(document, &mut found);
    let mut count = 0;
    for (name, values) in found {
        let (Some(theirs), Some(ours)) = (columns.get(name), values[0].as_f64()) else {
            continue;
        };
        let theirs = theirs[row];
        let close = (ours - theirs).abs() <= 1e-9 * theirs.abs();
        assert!(close, "{name}: {ours} in JSON, {theirs} in Parquet");
        count += 1;
    }
    count
}

#[test]
fn a_number_of_json_is_in_parquet_under_the_same_name_and_in_the_same_unit() {
    let around = tempfile::tempdir().expect("a folder");
    let out = around.path().join("kept");
    let summary = summary_of(&out);
    let flows = columns(&out.join("flows.parquet"));
    let shared = compared(&summary["flows"][0], &flows, 0);
    assert!(shared >= 16, "{shared} numbers of flows");
    let links = columns(&out.join("links.parquet"));
    let mut shared = 0;
    for link in summary["links"].as_array().expect("links") {
        // The forward links are the first and the third: each is followed by its reverse link.
        let row = match link["link"].as_str().expect("a name") {
            "access" => 0,
            "core" => 2,
            _ => continue,
        };
        shared += compared(link, &links, row);
    }
    assert!(shared >= 14, "{shared} numbers of links");
}

#[test]
fn a_metric_of_replications_has_the_name_that_it_has_in_a_run() {
    /// Metrics that exist only as means.
    const OF_MEANS: [&str; 3] = ["flow_goodput_bps", "idle_ratio", "dropped_per_delivered"];
    let two = NonZeroUsize::new(2).expect("not zero");
    let all = replicate(&scenario(), 2, two, &Plan::default(), &Unwatched).expect("they run");
    let run: Value = serde_json::from_str(&all.runs[0].to_json()).expect("JSON");
    let mut known = BTreeMap::new();
    named(&run, &mut known);
    // Warnings are listed, with their kinds as values.
    let of_groups = all.means.iter().filter(|mean| mean.of != "run");
    for mean in of_groups {
        // Classes are a list in summary.json: class0_marked_pkts is marked_pkts of the first.
        let name = match mean.metric.strip_prefix("class") {
            Some(of_class) => &of_class[2..],
            None => &*mean.metric,
        };
        let is_known = known.contains_key(name) || OF_MEANS.contains(&name);
        assert!(is_known, "{} is not in summary.json", mean.metric);
    }
}

/// Units that results do not use.
const OTHER_UNITS: [&str; 9] = [
    "_ms", "_us", "_ns", "_kbps", "_Mbps", "_mbps", "_kb", "_percent", "_share",
];

#[test]
fn keys_of_json_are_in_si_units_and_links_are_names() {
    let around = tempfile::tempdir().expect("a folder");
    let summary = summary_of(&around.path().join("kept"));
    let mut found = BTreeMap::new();
    named(&summary, &mut found);
    for (name, values) in found {
        let is_other = OTHER_UNITS.iter().any(|unit| name.ends_with(unit));
        assert!(!is_other && !name.ends_with("_ps"), "{name}");
        if ["link", "group"].contains(&name) {
            assert!(values.iter().all(|value| value.is_string()), "{name}");
        }
    }
}
