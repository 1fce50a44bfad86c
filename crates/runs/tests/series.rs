//! Time series of links, flows and groups of flows.

use std::collections::BTreeMap;
use std::path::Path;

use pacesim_runs::plan::Plan;
use pacesim_runs::run::run;
use pacesim_runs::summary::Summary;
use pacesim_tables::{Cell, TableReader};

use crate::common::from_text;
use crate::runs::{PATIENT, column, kept};

/// Time, entity (with its kind) and metric of a row of a series, and its value.
type Sampled = (u64, String, String, f64);

fn series(out: &Path) -> Vec<Sampled> {
    let table = TableReader::open(&out.join("series.parquet")).expect("a table");
    let mut rows = Vec::new();
    let read = table.for_each_row(|cells| {
        let values: Vec<&Cell> = cells.iter().map(|(_, value)| value).collect();
        let [
            Cell::Integer(t),
            Cell::Text(of),
            Cell::Text(entity),
            Cell::Text(metric),
            Cell::Real(value),
        ] = values[..]
        else {
            panic!("{cells:?}");
        };
        rows.push((
            t.cast_unsigned(),
            format!("{of} {entity}"),
            metric.clone(),
            *value,
        ));
    });
    read.expect("read");
    rows
}

/// As documented in `docs/results.md`: a missing row means an unchanged value.
#[test]
fn a_series_filled_up_is_the_one_with_all_rows() {
    let around = tempfile::tempdir().expect("a folder");
    let (all, changes) = (around.path().join("all"), around.path().join("changes"));
    let sets = [
        r#"link.second.pacer={ kind = "leaky_bucket", rate = "9Mbps" }"#,
        "output.series.links=[]",
        r#"output.series.of=["links", "flows", "groups"]"#,
    ];
    kept(&changes, &sets);
    let unchanged = [&sets[..], &["output.series.unchanged=true"]].concat();
    kept(&all, &unchanged);
    let (all, changes) = (series(&all), series(&changes));
    assert!(
        4 * changes.len() < 3 * all.len(),
        "{} of {}",
        changes.len(),
        all.len()
    );
    let mut changes = changes.into_iter().peekable();
    let mut last = BTreeMap::new();
    for (time, entity, metric, value) in &all {
        let is_it = |row: &Sampled| (&row.0, &row.1, &row.2) == (time, entity, metric);
        if let Some(row) = changes.next_if(is_it) {
            last.insert((entity, metric), row.3);
        }
        assert_eq!(
            last[&(entity, metric)],
            *value,
            "{metric} of {entity} at {time}"
        );
    }
    assert_eq!(changes.next(), None);
}

/// Two TCP flows behind a buffer of five packets, one that opens a connection for each transfer,
/// and one that is not TCP, with losses on a wire.
const FLOWS: &str = r#"
run = { duration = "5s", seed = 4 }
node = [{ name = "a" }, { name = "b" }]
[[link]]
name = "f"
from = "a"
to = "b"
rate = "4Mbps"
delay = "20ms"
buffer = "5pkts"
loss = { bernoulli = 0.005 }
[[flow]]
name = "f"
from = "a"
to = "b"
count = 2
traffic = { kind = "tcp", variant = "newreno" }
[[flow]]
name = "web"
from = "a"
to = "b"
traffic = { kind = "tcp", transfers = { size = "10KB", connection = "new", arrivals = { kind = "poisson", every = "200ms" } } }
[[flow]]
name = "noise"
from = "a"
to = "b"
traffic = { kind = "poisson", rate = "500kbps", size = "500B" }
[output]
series = { interval = "100ms", of = ["flows", "groups"], unchanged = true }
tcp = {}
"#;

fn kept_flows(out: &Path, sets: &[&str]) -> Summary {
    let input = from_text(FLOWS, sets);
    let plan = Plan {
        out: Some(out),
        ..Plan::default()
    };
    run(&input, 0, &plan, &mut { PATIENT }).expect("it runs")
}

/// The sum of a metric of an entity.
fn sum(rows: &[Sampled], entity: &str, metric: &str) -> f64 {
    let own = rows.iter().filter(|row| row.1 == entity && row.2 == metric);
    own.map(|row| row.3).sum()
}

#[test]
fn a_series_of_flows_adds_up_to_their_counters() {
    let around = tempfile::tempdir().expect("a folder");
    let out = around.path().join("kept");
    kept_flows(&out, &[]);
    let rows = series(&out);
    let names = ["f[0]", "f[1]", "web[0]", "noise[0]"].map(|name| format!("flow {name}"));
    let of = |name| column(&out.join("flows.parquet"), name);
    for (metric, counter) in [
        ("dropped_pkts", "dropped_pkts"),
        ("lost_pkts", "lost_pkts"),
        ("retransmitted_pkts", "retransmitted_pkts"),
        ("timeouts", "timeouts"),
    ] {
        let sums: Vec<f64> = names.iter().map(|name| sum(&rows, name, metric)).collect();
        assert_eq!(sums, of(counter), "{metric}");
    }
    for (metric, counter) in [
        ("throughput_bps", "delivered_bytes"),
        ("goodput_bps", "goodput_bytes"),
    ] {
        for (name, bytes) in names.iter().zip(of(counter)) {
            let ours = sum(&rows, name, metric) * 0.1 / 8.0;
            assert!(
                (ours - bytes).abs() < 1e-3,
                "{metric} of {name}: {ours}, {bytes}"
            );
        }
    }
    assert!(
        of("dropped_pkts").iter().sum::<f64>() > 20.0,
        "{:?}",
        of("dropped_pkts").iter().sum::<f64>()
    );
    assert!(
        of("lost_pkts").iter().sum::<f64>() > 5.0,
        "{:?}",
        of("lost_pkts").iter().sum::<f64>()
    );
}

#[test]
fn a_group_is_the_sum_of_its_flows() {
    let around = tempfile::tempdir().expect("a folder");
    let out = around.path().join("kept");
    kept_flows(&out, &[]);
    let rows = series(&out);
    let values = |entity: &str, metric: &str| -> Vec<(u64, f64)> {
        let own = rows.iter().filter(|row| row.1 == entity && row.2 == metric);
        own.map(|row| (row.0, row.3)).collect()
    };
    for metric in [
        "dropped_pkts",
        "cwnd_pkts",
        "in_flight_pkts",
        "busy_connections",
    ] {
        let [one, two, both] = ["flow f[0]", "flow f[1]", "group f"].map(|of| values(of, metric));
        assert_eq!(both.len(), 50, "{metric}");
        for ((one, two), both) in one.iter().zip(&two).zip(&both) {
            assert_eq!((one.0, two.0), (both.0, both.0));
            assert!(
                (one.1 + two.1 - both.1).abs() < 1e-9,
                "{metric} at {}",
                both.0
            );
        }
    }
    let of_noise = rows.iter().filter(|row| row.1 == "group noise");
    let metrics: std::collections::BTreeSet<_> = of_noise.map(|row| row.2.as_str()).collect();
    let expected = ["dropped_pkts", "goodput_bps", "lost_pkts", "throughput_bps"];
    assert!(metrics.into_iter().eq(expected), "it is not TCP");
}

/// The window at a sample is that of the last preceding row in `tcp.parquet`.
#[test]
fn a_series_has_the_windows_that_the_senders_had() {
    let around = tempfile::tempdir().expect("a folder");
    let out = around.path().join("kept");
    kept_flows(&out, &[]);
    let log = |name| column(&out.join("tcp.parquet"), name);
    let (times, flows, windows) = (log("t_ps"), log("flow_id"), log("cwnd_pkts"));
    let mut compared = 0;
    for (t_ps, entity, metric, value) in series(&out) {
        if entity == "flow f[1]" && metric == "cwnd_pkts" {
            let mut before =
                (0..times.len()).filter(|i| flows[*i] == 1.0 && times[*i] <= t_ps as f64);
            if let Some(last) = before.next_back() {
                assert_eq!(value, windows[last], "at {t_ps}");
                compared += 1;
            }
        }
    }
    assert!(compared > 40, "{compared}");
}

#[test]
fn a_series_is_of_what_is_asked_for() {
    let around = tempfile::tempdir().expect("a folder");
    let entities = |name: &str, sets: &[&str]| {
        let out = around.path().join(name);
        kept_flows(&out, sets);
        let rows = series(&out).into_iter().map(|row| row.1);
        rows.collect::<std::collections::BTreeSet<_>>()
    };
    let links = entities("links", &[r#"output.series.of=["links"]"#]);
    assert!(links.iter().eq(["link f", "link f.back"]), "{links:?}");
    let some = entities(
        "some",
        &[
            r#"output.series.of=["flows", "groups"]"#,
            r#"output.series.flows=["f[1]", "noise"]"#,
        ],
    );
    let expected = ["flow f[1]", "flow noise[0]", "group f", "group noise"];
    assert!(some.iter().eq(expected), "{some:?}");
}

#[test]
fn looking_at_flows_changes_nothing() {
    let around = tempfile::tempdir().expect("a folder");
    let looked = kept_flows(&around.path().join("looked"), &[]);
    let plain = kept_flows(&around.path().join("plain"), &["output.series.interval=5s"]);
    assert_eq!(plain.fingerprint, looked.fingerprint);
    assert_eq!((plain.flows, plain.links), (looked.flows, looked.links));
}

/// The states of a discipline every 100 ms, with 12 Mbps offered to a line of 10 Mbps.
fn states(discipline: &str) -> Vec<f64> {
    let text = format!(
        r#"
run = {{ duration = "8s" }}
output = {{ series = {{ interval = "100ms", unchanged = true }} }}
topology = {{ shape = "tandem", hops = 1, link = {{ rate = "10Mbps", delay = "1ms", buffer = "500pkts", discipline = {{ {discipline} }} }} }}
flow = [{{ name = "f", from = "node[0]", to = "node[1]", traffic = {{ kind = "cbr", rate = "12Mbps", size = "1500B" }} }}]
"#
    );
    let around = tempfile::tempdir().expect("a folder");
    let out = around.path().join("kept");
    let scenario = from_text(&text, &[]);
    let plan = Plan {
        out: Some(&out),
        ..Plan::default()
    };
    run(&scenario, 0, &plan, &mut { PATIENT }).expect("it runs");
    let is_state = |row: &Sampled| row.1 == "link hop[0]" && row.2 == "discipline_state";
    let rows = series(&out);
    let states: Vec<f64> = rows.into_iter().filter(is_state).map(|row| row.3).collect();
    assert!(states.len() >= 79, "{discipline}: {states:?}");
    states
}

#[test]
fn a_series_has_codel_s_count_and_pie_s_probability() {
    // CoDel's count grows until it drops the whole excess: after (interval * excess)^2 = 279 drops,
    // and 3.3 s.
    let count = &states(r#"kind = "codel""#)[..30];
    assert_eq!(count[0], 0.0, "nothing is dropped within an interval");
    assert!(count.is_sorted(), "the load never falls: {count:?}");
    assert!(count[29] > 100.0, "{count:?}");

    // The overload is a sixth of the packets, 6 from drop to drop: the packets until the
    // probabilities sum up to 0.85, and then 1 divided by it by chance.
    let (probability, expected) = (states(r#"kind = "pie""#), 1.85 / 6.5);
    assert_eq!(probability[0], 0.0, "a burst passes");
    let steady = &probability[60..];
    let mean = steady.iter().sum::<f64>() / steady.len() as f64;
    let off = (mean - expected).abs();
    assert!(off < 0.15 * expected, "{mean} for {expected}");
}

/// The mean of a discipline's state from 6 s on, where it has settled.
fn settled(discipline: &str) -> f64 {
    let states = states(discipline);
    let steady = &states[60..];
    let mean = steady.iter().sum::<f64>() / steady.len() as f64;
    assert!(
        states[0] < 0.5 * mean,
        "{discipline} begins at {}",
        states[0]
    );
    mean
}

#[test]
fn a_series_has_red_s_mean_queue_and_dualpi2_s_base_probability() {
    // An excess of a sixth: RED drops two thirds of its probability, which is 0.25 at a sixth of
    // the way from max_th to twice max_th.
    let red = r#"kind = "red", min_th = "5pkts", max_th = "15pkts", mean_packet = "1500B""#;
    let mean = settled(red);
    assert!((mean - 17.5).abs() < 0.35, "a mean of {mean} packets");

    // The classic queue drops with the square of the base probability.
    for profile in ["rfc", "linux"] {
        let probability = settled(&format!(r#"kind = "dualpi2", profile = "{profile}""#));
        let expected = f64::sqrt(1.0 / 6.0);
        let off = (probability - expected).abs();
        assert!(
            off < 0.03 * expected,
            "{profile}: {probability} for {expected}"
        );
    }
}
