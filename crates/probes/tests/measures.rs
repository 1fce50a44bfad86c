//! Measures of studies, against closed forms and small worlds with known results.

use std::collections::BTreeMap;
use std::path::Path;

use pacesim_analytic::catalogue;
use pacesim_runs::run_monitor::Unwatched;
use pacesim_study::Study;
use pacesim_sweep::input::mistakes;
use pacesim_sweep::make::sweep;
use pacesim_sweep::outline::Outline;

use crate::common::{checked, order};

/// A link of 10 Mbit/s and 1 ms behind a buffer, with this duration, traffic and further link keys.
pub(crate) fn world(seconds: u64, link: &str, traffic: &str) -> String {
    format!(
        r#"
        run = {{ duration = "{seconds}s", warmup = "1s" }}
        node = [{{ name = "a" }}, {{ name = "b" }}]
        link = [{{ name = "core", from = "a", to = "b", rate = "10Mbps", delay = "1ms", {link} }}]
        flow = [{{ name = "f", from = "a", to = "b", traffic = {traffic} }}]
        "#
    )
}

pub(crate) const POISSON: &str = r#"{ kind = "poisson", rate = "8Mbps", size = "1KB" }"#;
pub(crate) const CBR: &str = r#"{ kind = "cbr", rate = "8Mbps", size = "1KB" }"#;
/// One measure of each kind.
pub(crate) const ALL: &str = r#"
[[measure]]
name = "burst"
kind = "burstiness"
link = "core"
at = "offered"
finest = "1024us"
scales = 8
[[measure]]
name = "correlation"
kind = "autocovariance"
link = "core"
interval = "10ms"
lags = [0, 1, 10]
[[measure]]
name = "memory"
kind = "hurst"
link = "core"
at = "offered"
interval = "10ms"
[[measure]]
name = "spectrum"
kind = "spectrum"
link = "core"
interval = "10ms"
[[measure]]
name = "gaps"
kind = "gaps"
link = "core"
[[measure]]
name = "queue"
kind = "queue"
link = "core"
[[measure]]
name = "delays"
kind = "delays"
flows = "f"
[[measure]]
name = "rate"
kind = "throughput"
flows = "f"
packets = "data"
interval = "100ms"
[[measure]]
name = "done"
kind = "completions"
flows = "f"
classes = ["10KB", "1MB"]
[[measure]]
name = "fair"
kind = "fairness"
groups = ["f"]
[[measure]]
name = "losses"
kind = "losses"
flows = "f"
[[measure]]
name = "loads"
kind = "loads"
links = "core"
[[measure]]
name = "hops"
kind = "hops"
flows = "f"
"#;

pub(crate) fn study(text: &str) -> Study {
    checked("m", text)
}

pub(crate) fn run(study: &Study, out: &Path, jobs: usize) -> Outline {
    let plan = order(study, out, jobs);
    sweep(&plan, &Unwatched).unwrap_or_else(|error| panic!("{error}"))
}

/// The numbers of a study's measures in one run, as "NAME.METRIC", and their tables.
pub(crate) struct Measured {
    numbers: BTreeMap<String, Option<f64>>,
    pub(crate) tables: BTreeMap<String, String>,
}

impl Measured {
    pub(crate) fn of(text: &str) -> Measured {
        let folder = tempfile::tempdir().expect("a folder");
        let out = folder.path().join("m");
        let study = study(text);
        assert_eq!(mistakes(&study), []);
        run(&study, &out, 1);
        let store = rusqlite::Connection::open(out.join("store.sqlite")).expect("a store");
        let all = "SELECT CASE of WHEN 'measure' THEN '' ELSE of || '.' END || entity || '.' || metric, value
                   FROM results";
        let tables = "SELECT measure, csv FROM measured";
        let mut all = store.prepare(all).expect("a view");
        let mut tables = store.prepare(tables).expect("a table");
        Measured {
            numbers: all
                .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))
                .and_then(Iterator::collect)
                .expect("numbers"),
            tables: tables
                .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))
                .and_then(Iterator::collect)
                .expect("tables"),
        }
    }

    pub(crate) fn get(&self, name: &str) -> f64 {
        let number = self.numbers.get(name);
        let number = number.unwrap_or_else(|| panic!("{name} of {:?}", self.numbers.keys()));
        number.unwrap_or_else(|| panic!("{name} is missing"))
    }

    pub(crate) fn assert_near(&self, name: &str, expected: f64, off: f64) {
        let ours = self.get(name);
        assert!(
            (ours - expected).abs() <= off * expected.abs().max(1e-12),
            "{name}: {ours} instead of {expected}"
        );
    }
}

#[test]
fn poisson_packets_have_the_burstiness_the_gaps_and_the_memory_of_theory() {
    let measures = ALL.replace(
        "[[measure]]\nname = \"gaps\"\nkind = \"gaps\"\nlink = \"core\"",
        "[[measure]]\nname = \"gaps\"\nkind = \"gaps\"\nlink = \"core\"\nat = \"offered\"",
    );
    let found = Measured::of(&(world(401, "", POISSON) + &measures));
    // 1000 packets per second, in 400 s: 1/sqrt(lambda s).
    for (length, s) in [
        ("1024us", 0.001_024),
        ("8192us", 0.008_192),
        ("131072us", 0.131_072),
    ] {
        let n: f64 = 400.0 / s;
        let off = 4.0 * (0.5 / n).sqrt() + 0.005;
        found.assert_near(
            &format!("burst.beta_{length}"),
            (1000.0 * s).sqrt().recip(),
            off,
        );
    }
    found.assert_near("burst.slope", -0.5, 0.04);
    assert_eq!(found.get("burst.hurst"), 1.0 + found.get("burst.slope"));
    // The deviation of a mean of n exponential gaps is 1/sqrt(n), and that of their CV the same.
    found.assert_near("gaps.mean_s", 0.001, 4.0 / 400_000_f64.sqrt());
    found.assert_near("gaps.cv", 1.0, 4.0 / 400_000_f64.sqrt());
    let (low, high) = (found.get("memory.low"), found.get("memory.high"));
    let hurst = found.get("memory.hurst");
    assert!(
        low < hurst && hurst < high && high - low < 0.1,
        "{low} {hurst} {high}"
    );
    // One and a half times as wide as 95 %: 99.7 %.
    let half = 1.5 * (high - low) / 2.0;
    assert!((hurst - 0.5).abs() < half, "{hurst} +- {half}");
}

#[test]
fn an_idle_link_delays_by_what_its_rate_and_its_length_say_and_no_more() {
    // 1 KB at 10 Mbit/s takes 0.8 ms, and 1 ms on the wire.
    let found = Measured::of(&(world(11, "", CBR) + ALL));
    for name in [
        "mean_s", "min_s", "p50_s", "p90_s", "p99_s", "p999_s", "max_s",
    ] {
        assert_eq!(found.get(&format!("delays.{name}")), 0.0018, "{name}");
    }
    assert_eq!(found.get("delays.std_s"), 0.0);
    assert_eq!(
        (found.get("gaps.mean_s"), found.get("gaps.cv")),
        (0.001, 0.0)
    );
    // Each interval of 100 ms has the same number of packets, one per millisecond.
    assert_eq!(
        (found.get("rate.mean_bps"), found.get("rate.cv")),
        (8e6, 0.0)
    );
    assert_eq!(found.get("rate.intervals"), 100.0);
    assert_eq!(found.get("correlation.autocovariance_0_bytes2"), 0.0);
    assert_eq!(
        found.numbers["correlation.autocorrelation_1"], None,
        "no variance"
    );
    // It transmits for 0.8 of each millisecond, and no packet waits.
    found.assert_near("queue.idle_ratio", 0.2, 1e-9);
    assert_eq!(found.get("queue.seen_idle_ratio"), 1.0);
    assert_eq!(
        (found.get("queue.full_ratio"), found.get("queue.mean_pkts")),
        (0.0, 0.0)
    );
    assert_eq!(found.get("fair.all"), 1.0);
    let rows: Vec<&str> = found.tables["delays"].lines().skip(1).collect();
    let last: Vec<&str> = rows[rows.len() - 2..].to_vec();
    assert!(
        last[0].ends_with(",1.0") && last[1].ends_with(",0.0"),
        "{last:?}"
    );
}

#[test]
fn a_queue_of_few_places_is_idle_and_full_as_often_as_theory_says() {
    let link = r#"buffer = "4pkts", buffer_counts = "system""#;
    let traffic = r#"{ kind = "poisson", rate = "8Mbps", size = { exponential = "1KB" } }"#;
    let found = Measured::of(&(world(401, link, traffic) + ALL));
    let theory = catalogue::solve("mm1k", &[("load", "0.8"), ("places", "4")]).expect("solved");
    let loss = theory.value("loss").expect("its loss");
    // The probability of n packets is (1 - rho) rho^n / (1 - rho^5).
    let share = |n: usize| 0.2 * [1.0, 0.8, 0.64, 0.512, 0.4096][n] / (1.0 - 0.327_68);
    let idle = share(0);
    assert!((loss - share(4)).abs() < 1e-12, "{:?}", loss - share(4));
    for (name, expected) in [("idle_ratio", idle), ("full_ratio", loss)] {
        found.assert_near(&format!("queue.{name}"), expected, 0.03);
        // Poisson arrivals see time averages.
        found.assert_near(&format!("queue.seen_{name}"), expected, 0.03);
    }
    let mean: f64 = (0..=4).map(|n| n as f64 * share(n)).sum();
    found.assert_near("queue.mean_pkts", mean, 0.03);
    assert_eq!(
        (found.get("queue.p50_pkts"), found.get("queue.max_pkts")),
        (1.0, 4.0)
    );
    let rows: Vec<Vec<f64>> = found.tables["queue"]
        .lines()
        .skip(1)
        .map(|line| {
            line.split(',')
                .map(|cell| cell.parse().expect("a number"))
                .collect()
        })
        .collect();
    assert_eq!(rows.len(), 5, "a row for each length");
    for (n, row) in (0..).zip(&rows) {
        let share = share(n);
        assert!(
            (row[2] - share).abs() < 0.03 * share,
            "{n}: {row:?} instead of {share}"
        );
    }
}

#[test]
fn what_a_pacer_lets_go_is_smoother_than_what_comes() {
    let link = r#"pacer = { kind = "leaky_bucket", rate = "9Mbps" }"#;
    let gaps = |at: &str| {
        format!("[[measure]]\nname = \"{at}\"\nkind = \"gaps\"\nlink = \"core\"\nat = \"{at}\"\n")
    };
    let measures = gaps("offered") + &gaps("released") + &gaps("sent");
    let found = Measured::of(&(world(101, link, POISSON) + &measures));
    found.assert_near("offered.cv", 1.0, 0.03);
    // No gap is shorter than a packet at 9 Mbit/s.
    assert!(
        found.get("offered.min_s") < 1e-5,
        "{:?} and {:?}",
        found.get("offered.min_s"),
        1e-5
    );
    found.assert_near("released.min_s", 8000.0 / 9e6, 1e-6);
    assert!(
        found.get("released.cv") < 0.8 * found.get("offered.cv"),
        "{:?} and {:?}",
        found.get("released.cv"),
        0.8 * found.get("offered.cv")
    );
    // The line behind it is faster, so packets do not wait again.
    assert_eq!(found.get("sent.cv"), found.get("released.cv"));
    found.assert_near("sent.gaps", found.get("offered.gaps"), 0.01);
}

#[test]
fn a_single_transfer_takes_the_time_of_its_packets_and_its_acknowledgement() {
    // The SYN of 40 B and its ACK, a packet of 1 KB and its ACK of 40 B, each with 1 ms on the
    // wire, at 10 Mbit/s.
    let traffic = r#"{ kind = "tcp", transfers = { size = "1000B", count = 1 } }"#;
    let text = world(11, "", traffic).replace("traffic =", "start = \"2s\", traffic =");
    let found = Measured::of(&(text + ALL));
    let expected = 4.0 * 0.001 + (40.0 + 40.0 + 1040.0 + 40.0) * 8.0 / 10e6;
    for name in ["mean_s", "p50_s", "p99_s", "mean_below_10KB_s"] {
        found.assert_near(&format!("done.{name}"), expected, 1e-9);
    }
    assert_eq!(
        (found.get("done.finished"), found.get("done.unfinished")),
        (1.0, 0.0)
    );
    assert_eq!(found.get("done.finished_10KB_to_1MB"), 0.0);
    assert_eq!(found.numbers["done.mean_from_1MB_s"], None);
}

#[test]
fn transfers_that_do_not_end_are_counted_apart() {
    let traffic = r#"{ kind = "tcp", transfers = { size = "100MB", count = 1 } }"#;
    let text = world(3, "", traffic).replace("traffic =", "start = \"2s\", traffic =");
    let found = Measured::of(&(text + ALL));
    assert_eq!(
        (
            found.get("done.finished"),
            found.get("done.unfinished_from_1MB")
        ),
        (0.0, 1.0)
    );
}

#[test]
fn fairness_is_within_groups_and_between_their_means() {
    let text = r#"
        run = { duration = "9s", warmup = "1s" }
        node = [{ name = "a" }, { name = "b" }]
        link = [{ name = "core", from = "a", to = "b", rate = "10Mbps" }]
        flow = [
          { name = "slow", count = 2, from = "a", to = "b", traffic = { kind = "cbr", rate = "1Mbps", size = "1KB" } },
          { name = "fast", count = 3, from = "a", to = "b", traffic = { kind = "cbr", rate = "2Mbps", size = "1KB" } },
        ]
        [[measure]]
        name = "fair"
        kind = "fairness"
        groups = ["slow", "fast", "fast[0..2]"]
    "#;
    let found = Measured::of(text);
    assert_eq!(found.get("fair.within_slow"), 1.0);
    assert_eq!(found.get("fair.within_fast_0_to_2"), 1.0);
    // (1 + 2 + 2)^2 / (3 (1 + 4 + 4)).
    found.assert_near("fair.between", 25.0 / 27.0, 1e-9);
    assert_eq!(found.tables["fair"].lines().count(), 1 + 2 + 3 + 2);
}

/// Four flows without losses, two behind a wire that loses a tenth, one that loses all packets.
#[test]
fn losses_are_of_single_flows_and_loads_of_all_links_of_a_group() {
    let flow = |name: &str, count: u32, to: &str| {
        let traffic = r#"{ kind = "cbr", rate = "1Mbps", size = "1000B" }"#;
        format!(
            "{{ name = \"{name}\", count = {count}, from = \"a\", to = \"{to}\", traffic = {traffic} }}"
        )
    };
    let link = |name: &str, to: &str, loss: &str| {
        format!(
            "{{ name = \"{name}\", from = \"a\", to = \"{to}\", rate = \"10Mbps\", loss = {{ bernoulli = {loss} }} }}"
        )
    };
    let text = format!(
        r#"
        run = {{ duration = "41s", warmup = "1s" }}
        node = [{{ name = "a" }}, {{ name = "b", count = 2 }}, {{ name = "c" }}, {{ name = "d" }}]
        link = [{{ name = "clean", from = "a", to = "b", rate = "10Mbps" }}, {}, {}]
        flow = [{}, {}, {}]
        [[measure]]
        name = "one"
        kind = "losses"
        flows = "sound"
        [[measure]]
        name = "two"
        kind = "losses"
        flows = "lossy"
        bin = 0.04
        least = 0.08
        most = 0.12
        [[measure]]
        name = "none"
        kind = "losses"
        flows = "lost"
        [[measure]]
        name = "loads"
        kind = "loads"
        links = "clean"
        "#,
        link("wire", "c", "0.1"),
        link("cut", "d", "1.0"),
        flow("sound", 4, "b[0]"),
        flow("lossy", 2, "c"),
        flow("lost", 1, "d"),
    );
    let found = Measured::of(&text);
    for (measure, loss, within) in [("one", 0.0, 1.0), ("none", 1.0, 1.0)] {
        assert_eq!(found.get(&format!("{measure}.loss_mean_ratio")), loss);
        assert_eq!(found.get(&format!("{measure}.loss_p05_ratio")), loss);
        assert_eq!(found.get(&format!("{measure}.loss_p95_ratio")), loss);
        assert_eq!(found.get(&format!("{measure}.within_ratio")), within);
    }
    assert_eq!(found.get("one.flows"), 4.0);
    found.assert_near("two.loss_mean_ratio", 0.1, 0.1);
    assert_eq!(found.get("two.within_ratio"), 1.0);
    let bins: Vec<&str> = found.tables["two"].lines().collect();
    assert_eq!(bins.len(), 1 + 3, "{bins:?}");
    // Four flows of 1 Mbps to one node, none to the other, and none back.
    found.assert_near("loads.utilisation_max", 0.4, 1e-3);
    found.assert_near("loads.utilisation_mean", 0.1, 1e-3);
    assert_eq!(found.get("loads.utilisation_min"), 0.0);
    found.assert_near("loads.imbalance", 4.0, 1e-9);
    assert_eq!(found.tables["loads"].lines().count(), 1 + 4);
}

/// Seven senders fill a port, so that the trunk to its switch is paused, and with it a flow whose own
/// port is free.
#[test]
fn pauses_of_a_trunk_hold_the_victims_of_others() {
    let found = Measured::of(
        r#"
        host = "none"
        run = { duration = "3ms", warmup = "1ms", ties = "drawn" }
        node = [{ name = "a", count = 4 }, { name = "b", count = 4 }, { name = "hub", count = 2 }, { name = "d", count = 2 }]
        link = [
            { name = "left", from = "a", to = "hub[0]", rate = "25Gbps", delay = "1us" },
            { name = "right", from = "b", to = "hub[1]", rate = "25Gbps", delay = "1us" },
            { name = "trunk", from = "hub[0]", to = "hub[1]", rate = "100Gbps", delay = "1us" },
            { name = "out", from = "hub[1]", to = "d", rate = "25Gbps", delay = "1us" },
        ]
        switch = [{ nodes = ["hub"], memory = "2MB", pfc = {} }]
        flow = [
            { name = "far", from = "a[0..3]", to = "d[0]", traffic = { kind = "rdma", control = { kind = "line" } } },
            { name = "near", from = "b", to = "d[0]", traffic = { kind = "rdma", control = { kind = "line" } } },
            { name = "victim", from = "a[3]", to = "d[1]", traffic = { kind = "rdma", control = { kind = "line" } } },
        ]
        measure = [
            { name = "guilty", kind = "victims", flows = "far" },
            { name = "near", kind = "victims", flows = "near" },
            { name = "victims", kind = "victims", flows = "victim" },
        ]
        "#,
    );
    assert!(found.get("victims.held_pkts") > 100.0);
    // Its own packets may still wait at its port when the trunk is paused again after a moment.
    assert!(found.get("victims.victim_ratio") > 0.95);
    assert!(found.get("victims.victim_held_s") > 0.95 * found.get("victims.held_s"));
    assert!(found.get("guilty.held_pkts") > 100.0);
    assert_eq!(found.get("guilty.victim_pkts"), 0.0);
    // The card of a host asks its connections when its port is free: no packet waits there.
    assert_eq!(found.get("near.held_pkts"), 0.0);
    assert_eq!(found.tables["guilty"].lines().count(), 1 + 3);
}

/// One flow within a rack and one to another, over one of four spines or all of them in turn.
#[test]
fn tiers_of_a_fabric_have_loads_and_flows_have_hops() {
    let found = |paths: &str| {
        Measured::of(&format!(
            r#"
            run = {{ duration = "101ms", warmup = "1ms", {paths} }}
            topology = {{ shape = "leaf_spine", leaves = 2, spines = 4, hosts = 2, access = {{ rate = "1Gbps" }}, uplink = {{ rate = "1Gbps" }} }}
            [[flow]]
            name = "f"
            from = "host[0]"
            to = "host[1..3]"
            count = 2
            pair = "cyclic"
            traffic = {{ kind = "cbr", rate = "400Mbps", size = "1000B" }}
            [[measure]]
            name = "up"
            kind = "loads"
            links = "uplink"
            [[measure]]
            name = "hops"
            kind = "hops"
            flows = "f"
            "#
        ))
    };
    let one = found("multipath = \"flow\"");
    // The flow crosses 2 of 16 uplinks, there and back counted.
    one.assert_near("up.imbalance", 8.0, 1e-3);
    one.assert_near("hops.mean", 3.0, 1e-2);
    one.assert_near("hops.min", 2.0, 1e-2);
    one.assert_near("hops.max", 4.0, 1e-2);
    assert_eq!(one.tables["hops"].lines().count(), 1 + 2);
    assert_eq!(one.get("up.loss_ratio"), 0.0);
    let all = found("multipath = \"packet\", spray = \"round\"");
    // It crosses 8 of 16.
    all.assert_near("up.imbalance", 2.0, 1e-2);
}

#[test]
fn tables_are_the_same_with_any_number_of_jobs_and_runs_are_kept() {
    let sweep = "[sweep]\nreplications = 3\n[[sweep.axis]]\nname = \"load\"\n\
                 key = \"flow.f.traffic.rate\"\nvalues = [\"4Mbps\", \"8Mbps\"]\n";
    let text = world(6, "", POISSON) + sweep + ALL;
    let folder = tempfile::tempdir().expect("a folder");
    let (one, two) = (folder.path().join("one"), folder.path().join("two"));
    let study = study(&text);
    assert_eq!(run(&study, &one, 1).made, 6);
    run(&study, &two, 2);
    let mut files: Vec<String> = ["runs", "summary", "wide"].map(str::to_owned).to_vec();
    files.extend(
        study
            .measures
            .iter()
            .map(|m| format!("measures/{}", m.name)),
    );
    for file in files.iter().map(|file| format!("{file}.parquet")) {
        let read = |out: &Path| std::fs::read(out.join(&file)).expect("a table");
        assert!(read(&one) == read(&two), "{file}");
    }
    assert_eq!(run(&study, &one, 2).made, 0, "all are there");
    let other = self::study(&text.replace("interval = \"100ms\"", "interval = \"200ms\""));
    assert_eq!(
        run(&other, &one, 2).made,
        6,
        "another interval is another measure"
    );
    assert_eq!(
        run(&study, &one, 2).made,
        0,
        "and the others are still there"
    );
}

#[test]
fn a_run_is_the_same_whether_it_is_measured_or_not() {
    let fingerprints = |text: &str| {
        let folder = tempfile::tempdir().expect("a folder");
        let out = folder.path().join("m");
        run(&study(text), &out, 1);
        let store = rusqlite::Connection::open(out.join("store.sqlite")).expect("a store");
        let all = "SELECT group_concat(fingerprint) FROM runs";
        store
            .query_one(all, [], |row| row.get::<_, String>(0))
            .expect("a run")
    };
    let plain = world(3, "buffer = \"5pkts\"", POISSON);
    assert_eq!(fingerprints(&plain), fingerprints(&(plain.clone() + ALL)));
}
