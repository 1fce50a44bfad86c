//! The log of senders that are not TCP.

use std::collections::BTreeMap;
use std::path::Path;

use pacesim_runs::plan::Plan;
use pacesim_runs::run::run;
use pacesim_runs::summary::Summary;
use pacesim_tables::{Cell, TableReader};

use crate::common::from_text;
use crate::runs::PATIENT;

const INCAST: &str = r#"
host = "none"
run = { duration = "1ms" }
[topology]
shape = "star"
leaves = 3
link = { rate = "25Gbps", delay = "1us" }
[[switch]]
nodes = ["hub"]
memory = "1MB"
pfc = {}
mark = { min = "20KB" }
[[flow]]
name = "f"
from = "leaf[1..3]"
to = "leaf[0]"
traffic = { kind = "rdma", control = { kind = "dcqcn", variant = "hpcc" } }
[output]
series = { interval = "10us", of = ["flows"], flows = ["f"] }
"#;

fn kept(out: &Path, sets: &[&str]) -> Summary {
    let plan = Plan {
        out: Some(out),
        ..Plan::default()
    };
    run(&from_text(INCAST, sets), 0, &plan, &mut { PATIENT }).expect("it runs")
}

/// The changes of each flow's numbers, by flow and name: their times and values.
type Changes = BTreeMap<(i64, String), Vec<(i64, Option<f64>)>>;

fn changes(out: &Path) -> Changes {
    let table = TableReader::open(&out.join("ends.parquet")).expect("a table");
    let mut rows: BTreeMap<_, Vec<_>> = BTreeMap::new();
    let read = table.for_each_row(|cells| {
        let values: Vec<&Cell> = cells.iter().map(|(_, value)| value).collect();
        let [
            Cell::Integer(t),
            Cell::Integer(flow),
            Cell::Text(name),
            value,
        ] = values[..]
        else {
            panic!("{cells:?}");
        };
        let value = match value {
            Cell::Real(value) => Some(*value),
            _ => None,
        };
        let key = (*flow, name.clone());
        rows.entry(key).or_default().push((*t, value));
    });
    read.expect("readable");
    rows
}

#[test]
fn numbers_of_senders_are_kept_on_request_and_each_change_once() {
    let around = tempfile::tempdir().expect("a folder");
    let place = |name: &str| around.path().join(name);
    let plain = kept(&place("plain"), &[]);
    assert!(!place("plain").join("ends.parquet").exists());
    let all = kept(&place("all"), &["output.ends={}"]);
    let one = kept(&place("one"), &["output.ends={ flows = [\"f[1]\"] }"]);
    assert_eq!(plain.fingerprint, all.fingerprint);
    assert_eq!(plain.fingerprint, one.fingerprint);
    let (all, one) = (changes(&place("all")), changes(&place("one")));
    assert!(one.keys().all(|(flow, _)| *flow == 1));
    for (key, rows) in &one {
        assert_eq!(&all[key], rows, "the same as beside others");
    }
    let rates = &all[&(0, "rate_bps".to_owned())];
    assert!(rates.len() > 10, "{}", rates.len());
    for pair in rates.windows(2) {
        assert!(pair[0].0 <= pair[1].0 && pair[0].1 != pair[1].1, "{pair:?}");
    }
    assert_eq!(rates[0].1, Some(25e9), "at the rate of the line at first");
    let least = rates.iter().filter_map(|(_, rate)| *rate);
    assert!(least.fold(f64::INFINITY, f64::min) < 20e9, "marks cut it");
    let alphas = &all[&(0, "alpha".to_owned())];
    assert!(alphas.iter().all(|(_, alpha)| alpha.is_some()));
    let windows = &all[&(0, "window_bytes".to_owned())];
    assert_eq!(windows.len(), 1, "DCQCN has none, once");
}
