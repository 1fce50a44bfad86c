//! Runs with their results, compared with each other and with the counters.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use pacesim_runs::error::RunError;
use pacesim_runs::input::Input;
use pacesim_runs::plan::Plan;
use pacesim_runs::replicate::replicate;
use pacesim_runs::run::run;
use pacesim_runs::run_monitor::{Progress, RunMonitor};
use pacesim_runs::summary::{Bottleneck, Summary};
use pacesim_runs::workers::BatchMonitor;
use pacesim_tables::{Numbers, TableReader};

use crate::common::{from_file, from_text};

/// A link that drops packets and a wire that loses them, without warm-up.
const SCENARIO: &str = r#"
title = "Lossy"
run = { duration = "2s", seed = 3 }
node = [{ name = "a" }, { name = "b" }, { name = "c" }]
[[link]]
name = "first"
from = "a"
to = "b"
rate = "10Mbps"
delay = "20ms"
buffer = "3pkts"
drops = [{ packet = 5 }]
loss = { bernoulli = 0.05 }
[[link]]
name = "second"
from = "b"
to = "c"
rate = "100Mbps"
[[flow]]
name = "poisson"
from = "a"
to = "c"
count = 3
traffic = { kind = "poisson", rate = "3Mbps", size = "1KB" }
[output]
packets = {}
series = { interval = "100ms", links = ["first"] }
"#;

/// Reports one second for everything, and stops after `stop_after` reports.
pub(crate) struct Watch {
    stop_after: usize,
}

impl RunMonitor for Watch {
    fn progress(&mut self, _progress: &Progress) -> ControlFlow<()> {
        if self.stop_after == 0 {
            return ControlFlow::Break(());
        }
        self.stop_after -= 1;
        ControlFlow::Continue(())
    }

    fn elapsed(&self) -> Duration {
        Duration::from_secs(1)
    }
}

/// The monitor of many runs: stops after a number of queries.
struct EndAfter(AtomicUsize);

impl BatchMonitor for EndAfter {
    fn wants_end(&self) -> bool {
        let less = |left: usize| left.checked_sub(1);
        let order = Ordering::Relaxed;
        self.0.fetch_update(order, order, less).is_err()
    }

    fn elapsed(&self) -> Duration {
        Duration::from_secs(1)
    }
}

const TWO: NonZeroUsize = NonZeroUsize::new(2).unwrap();

pub(crate) const PATIENT: Watch = Watch {
    stop_after: usize::MAX,
};

fn scenario(sets: &[&str]) -> Input {
    from_text(SCENARIO, sets)
}

pub(crate) fn kept(out: &Path, sets: &[&str]) -> Summary {
    let plan = Plan {
        out: Some(out),
        ..Plan::default()
    };
    run(&scenario(sets), 0, &plan, &mut { PATIENT }).expect("it runs")
}

pub(crate) fn column(table: &Path, name: &str) -> Vec<f64> {
    let table = TableReader::open(table).expect("a table");
    let place = table
        .column_names()
        .iter()
        .position(|n| n == name)
        .expect("a column");
    match table.numbers(place).expect("readable").expect("numbers") {
        Numbers::Integers(values) => values.into_iter().map(|n| n as f64).collect(),
        Numbers::Reals(values) => values,
    }
}

fn count(values: &[f64], wanted: f64) -> f64 {
    values.iter().filter(|value| **value == wanted).count() as f64
}

#[test]
fn the_packet_log_agrees_with_the_counters() {
    let around = tempfile::tempdir().expect("a folder");
    let out = around.path().join("kept");
    kept(&out, &[]);
    let log = |name| column(&out.join("packets.parquet"), name);
    let links = |name| column(&out.join("links.parquet"), name);
    let outcome = log("outcome");
    let all = links("arrived_pkts").iter().sum::<f64>();
    assert_eq!(outcome.len() as f64, all);
    assert_eq!(count(&outcome, 2.0), 1.0, "one scripted drop");
    let dropped = links("dropped_pkts").iter().sum::<f64>();
    assert_eq!(count(&outcome, 1.0), dropped - 1.0);
    let lost = links("lost_pkts").iter().sum::<f64>();
    assert!(
        lost > 20.0 && dropped > 20.0,
        "{lost} lost, {dropped} dropped"
    );
    assert_eq!(count(&outcome, 3.0), lost);
    let bytes = log("size_bytes").iter().sum::<f64>();
    assert_eq!(bytes, links("arrived_bytes").iter().sum::<f64>());
}

#[test]
fn the_packet_log_keeps_to_its_filter() {
    let around = tempfile::tempdir().expect("a folder");
    let out = around.path().join("kept");
    let filter = "output.packets={ links = [\"second\"], flows = [\"poisson[1]\"], from = \"1s\", to = \"1.5s\" }";
    kept(&out, &[filter]);
    let log = |name| column(&out.join("packets.parquet"), name);
    let (times, flows) = (log("t_ps"), log("flow_id"));
    assert!(times.len() > 50, "{}", times.len());
    assert!(times.iter().all(|t| (1e12..1.5e12).contains(t)));
    assert!(flows.iter().all(|flow| *flow == 1.0));
    assert!(
        times.is_sorted(),
        "on a link without random loss rows are in order"
    );
}

#[test]
fn the_packet_log_says_when_a_pacer_lets_go() {
    let around = tempfile::tempdir().expect("a folder");
    let paced = "link.second.pacer={ kind = \"hull\", delay = \"2ms\" }";
    let of_second = "output.packets={ links = [\"second\"] }";
    let out = around.path().join("paced");
    let pacer = |summary: Summary| {
        let second = summary.links.into_iter().find(|link| link.link == "second");
        second.and_then(|link| link.pacer).expect("a pacer")
    };
    let mean_s = pacer(kept(&out, &[paced, of_second])).pacing_delay_mean_s;
    let log = |name| column(&out.join("packets.parquet"), name);
    let (came, released, left) = (log("t_ps"), log("release_ps"), log("departure_ps"));
    assert!(came.len() > 1000 && came.len() == released.len());
    let held: Vec<f64> = released.iter().zip(&came).map(|(r, c)| r - c).collect();
    assert!(held.iter().all(|ps| (0.0..=2e9).contains(ps)));
    assert!(released.iter().zip(&left).all(|(r, d)| r < d));
    let ours_s = held.iter().sum::<f64>() / held.len() as f64 / 1e12;
    assert!(
        (ours_s / mean_s.expect("packets") - 1.0).abs() < 1e-6,
        "{:?} and {:?}",
        ours_s,
        mean_s.expect("packets")
    );

    let full = "link.second.pacer={ kind = \"hull\", delay = \"2ms\", buffer = \"2pkts\" }";
    let out = around.path().join("full");
    let refused = pacer(kept(&out, &[full, of_second])).refused_pkts as f64;
    let outcome = column(&out.join("packets.parquet"), "outcome");
    assert!(refused > 100.0, "{refused}");
    assert_eq!(count(&outcome, 4.0), refused);
}

#[test]
fn the_packet_log_says_when_a_packet_came_that_the_queue_drops_after_the_pacer() {
    let around = tempfile::tempdir().expect("a folder");
    let out = around.path().join("kept");
    // The pacer releases packets faster than the line sends them, into a small queue.
    let hasty = "link.second.pacer={ kind = \"leaky_bucket\", rate = \"5Mbps\" }";
    let sets = [
        hasty,
        "link.second.rate=4Mbps",
        "link.second.buffer=2pkts",
        "output.packets={ links = [\"second\"], from = \"500ms\" }",
    ];
    kept(&out, &sets);
    let log = |name| column(&out.join("packets.parquet"), name);
    let (came, released, outcome) = (log("t_ps"), log("release_ps"), log("outcome"));
    let dropped = (0..came.len()).filter(|i| outcome[*i] == 1.0);
    let held: Vec<f64> = dropped.map(|i| released[i] - came[i]).collect();
    assert!(held.len() > 50, "{} dropped", held.len());
    assert!(held.iter().all(|ps| *ps >= 0.0));
    assert!(
        held.iter().any(|ps| *ps > 1e9),
        "the pacer holds packets for long"
    );
    assert!(
        came.iter().all(|ps| *ps >= 0.5e12),
        "the filter goes by arrivals"
    );
}

#[test]
fn a_series_adds_up_to_the_counters() {
    let around = tempfile::tempdir().expect("a folder");
    let out = around.path().join("kept");
    let summary = kept(&out, &["output.series.unchanged=true"]);
    let values = column(&out.join("series.parquet"), "value");
    assert_eq!(
        values.len(),
        20 * 6,
        "six metrics of one link in twenty intervals"
    );
    let sum = |metric: usize| values.iter().skip(metric).step_by(6).sum::<f64>();
    let of = |name| column(&out.join("links.parquet"), name)[0];
    assert_eq!(sum(1), of("dropped_pkts"));
    assert_eq!(sum(2), of("lost_pkts"));
    let bytes = sum(0) * 0.1 / 8.0;
    assert!((bytes - of("left_bytes")).abs() < 1e-3, "{bytes}");
    let timeline = summary.timeline.expect("the first link");
    let load = timeline.utilisation.iter().sum::<f64>() / 60.0;
    assert!((load - of("utilisation")).abs() < 0.01, "{load}");
}

#[test]
fn looking_changes_nothing() {
    let around = tempfile::tempdir().expect("a folder");
    let logged = kept(&around.path().join("kept"), &[]);
    let plain = run(&scenario(&[]), 0, &Plan::default(), &mut { PATIENT }).expect("it runs");
    assert_eq!(plain.fingerprint, logged.fingerprint);
    assert_eq!((plain.flows, plain.links), (logged.flows, logged.links));
}

#[test]
fn quantiles_and_mean_of_the_delay_are_of_the_same_packets() {
    let sets = [
        "link.first.loss={ bernoulli = 0 }",
        "link.first.buffer=unlimited",
        "run.warmup=1s",
    ];
    let summary = run(&scenario(&sets), 0, &Plan::default(), &mut { PATIENT }).expect("it runs");
    let group = &summary.flows[0];
    let (mean, p50) = (
        group.delay_mean_s.expect("mean"),
        group.delay_p50_s.expect("median"),
    );
    let (p99, max) = (
        group.delay_p99_s.expect("p99"),
        group.delay_max_s.expect("max"),
    );
    // At least 0.8 ms + 0.08 ms of transmission and 20 ms of propagation.
    assert!(
        20.88e-3 <= p50 && p50 <= p99 && p99 <= max,
        "{p50} {p99} {max}"
    );
    assert!(20.88e-3 < mean && mean < p99, "{mean}");
}

#[test]
fn a_stopped_run_leaves_nothing() {
    let around = tempfile::tempdir().expect("a folder");
    let out = around.path().join("kept");
    let plan = Plan {
        out: Some(&out),
        ..Plan::default()
    };
    for stop_after in [0, 2] {
        let error = run(&scenario(&[]), 0, &plan, &mut Watch { stop_after }).expect_err("stopped");
        assert!(matches!(error, RunError::Interrupted), "{error}");
        let asked = AtomicUsize::new(stop_after);
        let error =
            replicate(&scenario(&[]), 2, TWO, &plan, &EndAfter(asked)).expect_err("stopped");
        assert!(matches!(error, RunError::Interrupted), "{error}");
        assert_eq!(std::fs::read_dir(around.path()).expect("listed").count(), 0);
    }
}

/// A stopped run leaves nothing behind; earlier ones are a complete result.
#[test]
fn replications_that_are_finished_outlast_a_stop() {
    let around = tempfile::tempdir().expect("a folder");
    let run = |name: &str, count: u64, jobs: usize, monitor: EndAfter| {
        let out = around.path().join(name);
        let plan = Plan {
            out: Some(&out),
            ..Plan::default()
        };
        let jobs = NonZeroUsize::new(jobs).expect("a job");
        replicate(&scenario(&[]), count, jobs, &plan, &monitor)
    };
    let patient = || EndAfter(AtomicUsize::new(usize::MAX));
    // The number of queries in one run.
    let counting = patient();
    replicate(
        &scenario(&[]),
        1,
        NonZeroUsize::MIN,
        &Plan::default(),
        &counting,
    )
    .expect("it runs");
    let asks = usize::MAX - counting.0.into_inner();
    for jobs in [1, 2] {
        let monitor = EndAfter(AtomicUsize::new(5 * asks));
        let stopped = run(&format!("stopped-{jobs}"), 9, jobs, monitor).expect("some are finished");
        assert_eq!(stopped.asked, 9);
        assert!(
            (1..9).contains(&stopped.replications),
            "{}",
            stopped.replications
        );
        let name = format!("whole-{jobs}");
        let whole = run(&name, stopped.replications, 2, patient()).expect("they run");
        assert_eq!(stopped.fingerprint, whole.fingerprint);
        assert_eq!(stopped.means, whole.means);
        let names = |name: &str| {
            let entries = std::fs::read_dir(around.path().join(name)).expect("listed");
            let names = entries.map(|entry| entry.expect("an entry").file_name());
            names.collect::<std::collections::BTreeSet<_>>()
        };
        assert_eq!(names(&format!("stopped-{jobs}")), names(&name));
    }
}

#[test]
fn recorded_arrivals_are_found_beside_the_scenario() {
    let around = tempfile::tempdir().expect("a folder");
    let text = r#"
run = { duration = "2s" }
topology = { shape = "tandem", hops = 1, link = { rate = "10Mbps" } }
[[flow]]
name = "trace"
from = "node[0]"
to = "node[1]"
traffic = { kind = "recorded", file = "trace.csv" }
"#;
    let path = around.path().join("replay.toml");
    std::fs::write(&path, text).expect("written");
    let missing = from_file(&path).expect_err("no trace yet");
    assert!(
        missing.problems[0].message.contains("trace.csv"),
        "{:?}",
        missing.problems
    );
    std::fs::write(
        around.path().join("trace.csv"),
        "t_ms,size_bytes\n0,1000\n1e1,500\n",
    )
    .expect("written");
    let replay = from_file(&path).expect("now it is there");
    let summary = run(&replay, 0, &Plan::default(), &mut { PATIENT }).expect("it runs");
    assert_eq!(
        (summary.scenario.as_str(), summary.flows[0].delivered_pkts),
        ("replay", 2)
    );
    std::fs::write(
        around.path().join("trace.csv"),
        "t_ms,size_bytes\n5,1000\n1,500\n",
    )
    .expect("written");
    let wrong = from_file(&path).expect_err("times decrease");
    assert!(
        wrong.problems[0]
            .message
            .contains("\"trace.csv\": line 3: time 1ms is before 5ms"),
        "{:?}",
        wrong.problems
    );
}

/// Three TCP flows and a competing CBR flow through a small buffer.
const TCP: &str = r#"
run = { duration = "20s" }
topology = { shape = "tandem", hops = 1, link = { rate = "2Mbps", delay = "20ms", buffer = "8pkts" } }
[[flow]]
name = "bulk"
count = 3
from = "node[0]"
to = "node[1]"
traffic = { kind = "tcp", variant = "newreno" }
[[flow]]
name = "plain"
from = "node[0]"
to = "node[1]"
traffic = { kind = "cbr", rate = "100kbps", size = "500B" }
"#;

fn tcp_kept(out: &Path, sets: &[&str]) -> (Input, Summary) {
    let input = from_text(TCP, sets);
    let plan = Plan {
        out: Some(out),
        ..Plan::default()
    };
    let summary = run(&input, 0, &plan, &mut { PATIENT }).expect("it runs");
    (input, summary)
}

#[test]
fn tcp_senders_are_kept_on_request_only() {
    let around = tempfile::tempdir().expect("a folder");
    let place = |name: &str| around.path().join(name);
    let (_, plain) = tcp_kept(&place("plain"), &[]);
    assert!(!place("plain").join("tcp.parquet").exists());
    let (input, all) = tcp_kept(&place("all"), &["output.tcp={}"]);
    let (_, one) = tcp_kept(&place("one"), &["output.tcp={ flows = [\"bulk[1]\"] }"]);
    assert_eq!(plain.fingerprint, all.fingerprint);
    assert_eq!(plain.fingerprint, one.fingerprint);

    let seed = input.scenario.scenario().run.seed;
    let mut world = pacesim::World::new(input.scenario.expand(seed, 0)).expect("a model");
    world.run();
    let kept = |folder, name| column(&place(folder).join("tcp.parquet"), name);
    let (flows, times, windows) = (
        kept("all", "flow_id"),
        kept("all", "t_ps"),
        kept("all", "cwnd_pkts"),
    );
    for flow in 0..3 {
        let rows: Vec<usize> = (0..flows.len())
            .filter(|i| flows[*i] == f64::from(flow))
            .collect();
        assert!(rows.len() > 500, "{} rows", rows.len());
        assert!(rows.is_sorted_by_key(|i| times[*i]));
        let sender = world.tcp_sender(pacesim::units::FlowId(flow)).expect("TCP");
        let last = *rows.last().expect("rows");
        assert_eq!(windows[last], sender.cwnd());
        if flow == 1 {
            let alone: Vec<f64> = rows.iter().map(|i| windows[*i]).collect();
            assert_eq!(alone, kept("one", "cwnd_pkts"));
        }
    }
    assert!(flows.iter().all(|flow| *flow < 3.0), "the fourth is no TCP");
}

/// One hop, with these lines for the link and the flow.
fn tandem(link: &str, flow: &str) -> Input {
    let text = format!(
        r#"
run = {{ duration = "20s" }}
topology = {{ shape = "tandem", hops = 1, link = {{ {link} }} }}
[[flow]]
name = "f"
from = "node[0]"
to = "node[1]"
traffic = {{ kind = "tcp", {flow} }}
"#
    );
    from_text(&text, &[])
}

#[test]
fn a_summary_names_what_limits_a_group() {
    let limit = |link: &str, flow: &str| {
        let input = tandem(link, flow);
        let summary = run(&input, 0, &Plan::default(), &mut { PATIENT }).expect("it runs");
        let tcp = summary.flows[0].tcp.clone().expect("TCP");
        let limit = tcp.limited_by.expect("it was there");
        assert!(limit.share > 0.5 && limit.share <= 1.0, "{limit:?}");
        (limit.what, limit.which)
    };
    let long = r#"rate = "10Mbps", delay = "16ms""#;
    let which = |text: &str| Some(text.to_owned());
    assert_eq!(limit(long, ""), (Bottleneck::Window, which("20")));
    // A larger window fills the line; an even larger one would only lengthen the queue.
    let large = r#"window = "200pkts""#;
    assert_eq!(limit(long, large), (Bottleneck::Line, which("hop[0]")));
    let lossy = r#"rate = "10Mbps", delay = "16ms", loss = { bernoulli = 0.03 }"#;
    assert_eq!(limit(lossy, ""), (Bottleneck::Loss, None));
    let slow = r#"initial_ssthresh = "2pkts", window = "1000pkts""#;
    let far = r#"rate = "10Mbps", delay = "500ms""#;
    assert_eq!(limit(far, slow), (Bottleneck::Growth, None));
    let pauses = r#"transfers = { size = "10KB", pause = "2s" }"#;
    assert_eq!(limit(long, pauses), (Bottleneck::Data, None));
    let paced = r#"pacing = { rate = "500kbps" }"#;
    assert_eq!(limit(long, paced), (Bottleneck::Pacing, None));
}

#[test]
fn every_transfer_has_a_row_and_one_that_did_not_finish_no_end() {
    let around = tempfile::tempdir().expect("a folder");
    let out = around.path().join("kept");
    let long = r#"rate = "10Mbps", delay = "16ms""#;
    let input = tandem(long, r#"transfers = { size = "1MB", pause = "100ms" }"#);
    let plan = Plan {
        out: Some(&out),
        ..Plan::default()
    };
    run(&input, 0, &plan, &mut { PATIENT }).expect("it runs");
    let path = out.join("transfers.parquet");
    let numbers = column(&path, "transfer");
    let places: Vec<f64> = (0..numbers.len()).map(|i| i as f64).collect();
    assert!(numbers.len() > 5 && numbers == places, "{numbers:?}");
    let table = TableReader::open(&path).expect("a table");
    let names = table.column_names();
    let end = names
        .iter()
        .position(|name| name == "end_ps")
        .expect("a column");
    assert_eq!(
        table.numbers(end).expect("readable"),
        None,
        "the last is null"
    );
    for name in ["group", "began_in_warmup"] {
        assert!(names.iter().any(|known| known == name), "{name}");
    }
}

#[test]
fn replications_have_intervals_of_what_tcp_did() {
    let input = tandem(
        r#"rate = "2Mbps", delay = "16ms", loss = { bernoulli = 0.03 }"#,
        "",
    );
    let monitor = EndAfter(AtomicUsize::new(usize::MAX));
    let all = replicate(&input, 3, TWO, &Plan::default(), &monitor).expect("they run");
    for metric in [
        "timeouts",
        "retransmitted_pkts",
        "rtt_mean_s",
        "window_limited",
    ] {
        let of =
            |mean: &&pacesim_runs::replicate::Mean| (mean.of, &*mean.metric) == ("flows", metric);
        let mean = all.means.iter().find(of).expect("it is there");
        assert_eq!(mean.n, 3, "{metric}");
        assert!(mean.half_width.is_some_and(|half| half > 0.0), "{metric}");
    }
}

/// A regression: a packet that would leave after 106 days made the whole folder fail at the end.
#[test]
fn a_queue_of_years_can_be_written() {
    let text = SCENARIO_OF_YEARS;
    let around = tempfile::tempdir().expect("a folder");
    let out = around.path().join("kept");
    let plan = Plan {
        out: Some(&out),
        ..Plan::default()
    };
    let input = from_text(text, &[]);
    run(&input, 0, &plan, &mut { PATIENT }).expect("it runs, and is written");
    assert!(out.join("packets.parquet").exists());
}

/// Ten thousand packets of a thousand seconds each.
const SCENARIO_OF_YEARS: &str = r#"
run = { duration = "1s" }
node = [{ name = "a" }, { name = "b" }]
output = { packets = {} }
[[link]]
name = "core"
from = "a"
to = "b"
rate = "8bps"
[[flow]]
name = "f"
from = "a"
to = "b"
traffic = { kind = "cbr", rate = "80Mbps", size = "1KB" }
"#;
