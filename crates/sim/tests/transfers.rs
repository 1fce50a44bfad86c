//! Transfers as a workload: open and closed loops, on separate connections or on a persistent one,
//! and the memory of connections.

use pacesim::World;
use pacesim::measure::record::TransferRow;
use pacesim::model::{Model, Workload};
use pacesim::scenario::load;
use pacesim::units::{FlowId, Span, Time};
use pacesim_core::random::samplers::Empirical;

const PS: u64 = 1_000_000_000_000;

/// Pairs behind a link of 10 Mbps with a round trip of 100 ms.
fn model(pairs: u32, duration: &str, transfers: &str) -> Model {
    let checked = load(
        "transfers.toml",
        &text(pairs, duration, transfers),
        &[],
        &(),
    );
    let checked = checked.unwrap_or_else(|problems| panic!("{problems}"));
    checked.expand(3, 0)
}

fn text(pairs: u32, duration: &str, transfers: &str) -> String {
    format!(
        r#"
[run]
duration = "{duration}"
warmup = "0s"
seed = 3

[topology]
shape = "dumbbell"
pairs = {pairs}
access = {{ rate = "100Mbps", delay = "1ms" }}
bottleneck = {{ rate = "10Mbps", delay = "48ms", buffer = "unlimited" }}

[[flow]]
name = "f"
from = "left"
to = "right"
traffic = {{ kind = "tcp", window = "64pkts", packet_size = "1000B", header = "0B", transfers = {{ {transfers} }} }}
"#
    )
}

fn run(model: Model) -> (World, Vec<TransferRow>) {
    let mut world = World::new(model).expect("a sound model");
    world.run();
    let rows = world.take_transfers();
    (world, rows)
}

fn seconds(row: &TransferRow) -> f64 {
    (row.end_ps.expect("it has ended") - row.start_ps) as f64 / PS as f64
}

#[test]
fn pauses_from_the_start_wait_for_nothing() {
    let keys = r#"packets = "200pkts", pause = "300ms", pause_from = "start", count = 5"#;
    let (_, rows) = run(model(1, "20s", keys));
    let starts: Vec<u64> = rows.iter().map(|row| row.start_ps).collect();
    let expected: Vec<u64> = (0..5).map(|i| i * 3 * PS / 10).collect();
    assert_eq!(starts, expected);
    // Each takes longer than a pause, so the next is appended and ends after it.
    assert!(rows.windows(2).all(|pair| pair[0].end_ps < pair[1].end_ps));
    assert!(rows.iter().all(|row| seconds(row) > 0.3), "{rows:?}");
}

#[test]
fn a_connection_of_its_own_takes_what_the_first_on_a_connection_takes() {
    let keys = r#"packets = "50pkts", pause = "400ms", count = 4"#;
    let (same, persistent) = run(model(1, "20s", keys));
    let (new, own) = run(model(1, "20s", &format!(r#"{keys}, connection = "new""#)));
    let times: Vec<f64> = own.iter().map(seconds).collect();
    assert!(
        times.iter().all(|time| *time == seconds(&persistent[0])),
        "{times:?}"
    );
    assert_ne!(seconds(&persistent[1]), seconds(&persistent[0]));
    let numbers: Vec<u32> = own.iter().map(|row| row.transfer).collect();
    assert_eq!(numbers, [0, 1, 2, 3]);
    // Each has a SYN; all user data arrive once in both cases.
    let [same, new] = [same, new].map(|world| world.flow_rows()[0].clone());
    assert_eq!((same.sent_pkts, new.sent_pkts), (201, 204));
    assert_eq!((same.goodput_bytes, new.goodput_bytes), (200_000, 200_000));
}

#[test]
fn connections_that_overlap_are_beside_each_other() {
    let keys = r#"packets = "20pkts", pause = "50ms", pause_from = "start", count = 8, connection = "new""#;
    let mut world = World::new(model(1, "20s", keys)).expect("a sound model");
    world.run_until(Time::ZERO + Span::from_ms(375));
    assert_eq!(
        world.open_connections(),
        8,
        "none can be done within four round trips"
    );
    assert_eq!(world.unfinished_transfers().len(), 8);
    world.run();
    assert_eq!(world.open_connections(), 0);
    let rows = world.take_transfers();
    assert_eq!(rows.len(), 8);
    assert!(rows.iter().all(|row| seconds(row) < 0.52), "{rows:?}");
    let row = &world.flow_rows()[0];
    assert_eq!(
        row.until_ps,
        rows.iter()
            .filter_map(|row| row.end_ps)
            .max()
            .expect("an end")
    );
}

#[test]
fn a_group_s_arrivals_are_poisson_or_periodic_whatever_the_number_of_its_flows() {
    for (kind, spread) in [("poisson", 1.0), ("periodic", 0.0)] {
        for pairs in [1, 7] {
            let keys = format!(
                r#"packets = "2pkts", connection = "new", arrivals = {{ kind = "{kind}", every = "10ms" }}"#
            );
            let (world, mut rows) = run(model(pairs, "60s", &keys));
            rows.extend(world.unfinished_transfers());
            rows.sort_by_key(|row| row.start_ps);
            let gaps: Vec<f64> = rows
                .windows(2)
                .map(|pair| (pair[1].start_ps - pair[0].start_ps) as f64 / PS as f64)
                .collect();
            let mean = gaps.iter().sum::<f64>() / gaps.len() as f64;
            let square = gaps
                .iter()
                .map(|gap| (gap - mean) * (gap - mean))
                .sum::<f64>();
            let deviation = (square / gaps.len() as f64).sqrt() / mean;
            // Four standard errors of 6000 exponential gaps.
            assert!(
                (mean / 0.01 - 1.0).abs() < 0.052 * spread + 1e-9,
                "{kind} {pairs}: {mean}"
            );
            assert!(
                (deviation - spread).abs() < 0.1 * spread + 1e-9,
                "{kind} {pairs}: {deviation}"
            );
        }
    }
}

#[test]
fn the_load_asked_for_is_the_load_offered() {
    for (profile, size) in [
        (
            "ns2",
            r#"size = { pareto = { mean = "20KB", shape = 1.3, max = "1MB" } }"#,
        ),
        (
            "rfc",
            r#"size = { lognormal = { mean = "5KB", sigma = 1 } }"#,
        ),
        ("ns2", r#"packets = { geometric = "20pkts" }"#),
        ("rfc", r#"packets = { uniform = ["1pkts", "9pkts"] }"#),
    ] {
        let keys = format!(
            r#"{size}, connection = "new", arrivals = {{ kind = "poisson", load = 0.5, of = "core" }} }}, profile = "{profile}", syn = true, others = {{ share = 0"#
        );
        let (world, rows) = run(model(20, "400s", &keys));
        let core = world.link_rows();
        let core = core
            .iter()
            .find(|link| link.link == "core")
            .expect("a core");
        // The buffer is unlimited: no retransmissions for loss, few spurious ones.
        let again: u64 = world
            .flow_rows()
            .iter()
            .map(|flow| flow.retransmitted_pkts)
            .sum();
        assert!(
            again * 100 < core.left_pkts,
            "{again} of {}",
            core.left_pkts
        );
        let bytes: f64 = rows.iter().map(|row| row.size_bytes as f64).sum();
        let square = |row: &TransferRow| row.size_bytes as f64 * row.size_bytes as f64;
        let squares: f64 = rows.iter().map(square).sum();
        // For a compound Poisson process: the root of the sum of squares divided by the sum.
        let error = squares.sqrt() / bytes;
        let apart = core.utilisation / 0.5 - 1.0;
        assert!(
            apart.abs() < 4.0 * error + 0.01,
            "{profile} {size}: {apart} of {error}"
        );
    }
}

#[test]
fn memory_goes_by_the_connections_that_are_open_at_once() {
    let keys =
        r#"packets = "1pkts", connection = "new", arrivals = { kind = "poisson", every = "1ms" }"#;
    let mut world = World::new(model(5, "40s", keys)).expect("a sound model");
    let mut most = 0;
    for ms in 1..=40_000 {
        world.run_until(Time::ZERO + Span::from_ms(ms));
        most = most.max(world.open_connections());
    }
    let done = world.take_transfers().len();
    assert!(done > 35_000, "{done}");
    // 1000 per second, each open for 0.2 s: some 200 at once.
    assert!(most < 300, "{most}");
    assert!(
        world.connection_places() < 350,
        "{}",
        world.connection_places()
    );
}

#[test]
fn what_is_sent_twice_does_not_reach_the_next_connection() {
    // A time-out below the round trip: every transfer is followed by its own copies.
    let text = r#"packets = "9pkts", connection = "new", count = 30 }, initial_rto = "40ms", min_rto = "40ms", others = { share = 0"#;
    let (world, rows) = run(model(1, "60s", text));
    assert_eq!(rows.len(), 30);
    let row = &world.flow_rows()[0];
    assert!(row.retransmitted_pkts > 30, "{row:?}");
    assert_eq!(row.goodput_bytes, 30 * 9_000);
    assert!(world.round_trips(FlowId(0)).is_some());
}

/// The keys that a scenario with these transfers is rejected for.
fn complaints(transfers: &str) -> Vec<String> {
    match load("transfers.toml", &text(3, "9s", transfers), &[], &()) {
        Ok(checked) => {
            let warnings = checked.warnings().into_iter();
            let warnings = warnings.filter(|warning| warning.kind != "no_warmup");
            warnings
                .map(|warning| format!("warning: {}", warning.message))
                .collect()
        }
        Err(problems) => {
            let paths = problems.0.iter().map(|problem| problem.path.clone());
            paths
                .map(|path| path.replace("flow[0].traffic.transfers", ""))
                .collect()
        }
    }
}

#[test]
fn transfers_that_say_too_little_or_too_much_are_told_where() {
    let poisson = |keys: &str| {
        format!(r#"size = "1KB", connection = "new", arrivals = {{ kind = "poisson"{keys} }}"#)
    };
    for (transfers, expected) in [
        (r#"pause = "1s""#.to_owned(), vec![""]),
        (
            r#"size = "1KB", packets = "1pkts""#.to_owned(),
            vec![".packets"],
        ),
        (
            r#"size = "1KB", pause_from = "start""#.to_owned(),
            vec![".pause"],
        ),
        (
            format!(r#"{}, pause = "1s""#, poisson(r#", every = "1s""#)),
            vec![".arrivals"],
        ),
        (poisson(""), vec![".arrivals"]),
        (poisson(r#", every = "0s""#), vec![".arrivals.every"]),
        (poisson(", load = 0.5"), vec![".arrivals.of"]),
        (
            poisson(r#", load = -1, of = "core""#),
            vec![".arrivals.load"],
        ),
        (
            poisson(r#", load = 0.5, of = "cores""#),
            vec![".arrivals.of"],
        ),
        (poisson(r#", load = 0.03, of = "access""#), vec![]),
        (
            poisson(r#", load = 0.5, of = "access""#),
            vec![
                "warning: 150Mbps are offered to core, which these flows cross, and it has 10Mbps",
            ],
        ),
        (
            poisson(r#", every = "1s", load = 0.5, of = "core""#),
            vec![".arrivals.load"],
        ),
        (
            poisson(r#", every = "1s", of = "core""#),
            vec![".arrivals.of"],
        ),
        (poisson(r#", load = 0.5, of = "core""#), vec![]),
        (
            poisson(r#", load = 1.5, of = "core""#),
            vec!["warning: a load of 1.5 is more than core can carry"],
        ),
        (
            poisson(r#", load = 0.05, of = "access[1]""#),
            vec!["warning: not all flows of f cross access[1]"],
        ),
    ] {
        assert_eq!(complaints(&transfers), expected, "{transfers}");
    }
}

#[test]
fn a_load_is_said_in_words() {
    let keys = r#"packets = "20pkts", connection = "new", arrivals = { kind = "poisson", load = 0.8, of = "core" }"#;
    let checked = load("transfers.toml", &text(4, "9s", keys), &[], &()).expect("a right scenario");
    let [(path, sentence)] = &checked.arrivals()[..] else {
        panic!("{:?}", checked.arrivals());
    };
    assert_eq!(path, "flow[0].traffic.transfers.arrivals");
    // 20 packets of 1000 B and a SYN at 8 Mbps.
    let expected = "a transfer every 20.04ms over the group, 20040.0 B on the wire each: 8.000 Mbps are offered";
    assert_eq!(sentence, expected);
}

#[test]
fn recorded_transfers_are_dealt_to_the_flows_in_turn() {
    let keys = r#"connection = "new", arrivals = { kind = "recorded", file = "a.csv" }"#;
    let csv = |_: &str| Ok("t_ms,size_bytes\n0,1000\n100,2500\n150,4000\n150,1000\n".to_owned());
    let checked = load("transfers.toml", &text(3, "9s", keys), &[], &csv);
    let checked = checked.unwrap_or_else(|problems| panic!("{problems}"));
    let (_, rows) = run(checked.expand(3, 0));
    let found: Vec<_> = rows
        .iter()
        .map(|row| (row.flow_id, row.start_ps / (PS / 1000), row.size_bytes))
        .collect();
    // ns-2's whole packets.
    let expected = [(0, 0, 1000), (0, 150, 1000), (1, 100, 3000), (2, 150, 4000)];
    assert_eq!(found, expected);
}

#[test]
fn sizes_come_from_a_curve_in_a_file() {
    let keys = r#"size = { empirical = "curve.csv" }, connection = "new", arrivals = { kind = "poisson", load = 0.3, of = "core" }"#;
    let text = text(5, "100s", keys);
    let curve = |text: &'static str| move |_: &str| Ok(text.to_owned());
    let checked = load(
        "transfers.toml",
        &text,
        &[],
        &curve("value,cdf\n1KB,0.5\n9KB,1\n"),
    );
    let (_, rows) = run(checked
        .unwrap_or_else(|problems| panic!("{problems}"))
        .expand(3, 0));
    let small = rows.iter().filter(|row| row.size_bytes == 1000).count() as f64;
    let n = rows.len() as f64;
    assert!((small / n - 0.5).abs() < 2.0 / n.sqrt(), "{small} of {n}");
    assert!(
        rows.iter().all(|row| row.size_bytes <= 9000),
        "whole packets of up to 9 KB"
    );
    let problems = load(
        "transfers.toml",
        &text,
        &[],
        &curve("value,cdf\n1KB,0.5\n9KB,0.9\n"),
    );
    let problem = problems.expect_err("it does not rise to 1").0.remove(0);
    assert_eq!(problem.path, "flow[0].traffic.transfers.size");
    let expected = "cannot use the file \"curve.csv\": line 3: the probabilities rise to 0.9 only; the last must be 1";
    assert_eq!(problem.message, expected);
}

#[test]
fn the_curve_that_ships_is_one() {
    let keys = r#"size = { empirical = "web-sizes.csv" }"#;
    let csv = |_: &str| Ok(include_str!("../../../scenarios/web-sizes.csv").to_owned());
    let checked = load("transfers.toml", &text(2, "9s", keys), &[], &csv);
    let (_, rows) = run(checked
        .unwrap_or_else(|problems| panic!("{problems}"))
        .expand(3, 0));
    assert!(rows.iter().any(|row| row.size_bytes > 10_000), "{rows:?}");
}

/// Means of the published curves, by trapezoids over their points.
#[test]
fn the_curves_of_data_centres_ship_with_their_means() {
    let search = include_str!("../../../scenarios/web-search.csv");
    let mining = include_str!("../../../scenarios/data-mining.csv");
    let curves = [
        (search, 1.711e6, Workload::WebSearch),
        (mining, 12.66e6, Workload::DataMining),
    ];
    for (text_of_curve, mean_bytes, named) in curves {
        let points = text_of_curve
            .lines()
            .filter(|line| line.contains("B,") && !line.starts_with('#'));
        let points = points.map(|line| {
            let (value, share) = line.split_once(',').expect("two columns");
            let value: pacesim::units::Bytes = value.parse().expect("a size");
            (value.get() as f64, share.parse::<f64>().expect("a share"))
        });
        let points: Vec<(f64, f64)> = points.collect();
        let parts = points.windows(2).map(|pair| {
            let ((a, before), (b, after)) = (pair[0], pair[1]);
            (a + b) / 2.0 * (after - before)
        });
        let mean = parts.sum::<f64>();
        assert!((mean / mean_bytes - 1.0).abs() < 1e-3, "{mean} bytes");
        assert_eq!(points, *named.points(), "by its name");
        let csv = |_: &str| Ok(text_of_curve.to_owned());
        let keys = r#"size = { empirical = "sizes.csv" }, arrivals = { kind = "poisson", load = 0.3, of = "core" }, connection = "new""#;
        let checked = load("transfers.toml", &text(2, "9s", keys), &[], &csv);
        assert!(checked.is_ok(), "{:?}", checked.err());
    }
}

/// Deciles and means of the distributions with all their values, as published: a mean of few points is
/// 5 % away at most.
#[test]
fn published_sizes_have_their_deciles_and_means() {
    let known: [(Workload, f64, &[f64]); 7] = [
        (
            Workload::W1,
            187.5,
            &[2.0, 3.0, 5.0, 11.0, 27.0, 79.0, 151.0, 264.0, 503.0],
        ),
        (
            Workload::W2,
            440.8,
            &[3.0, 34.0, 58.0, 171.0, 269.0, 320.0, 366.0, 427.0, 512.0],
        ),
        (
            Workload::W3,
            2927.4,
            &[36.0, 77.0, 110.0, 158.0, 268.0, 313.0, 402.0, 573.0, 1755.0],
        ),
        (
            Workload::W4,
            127.8e3,
            &[
                315.0, 376.0, 502.0, 561.0, 662.0, 960.0, 6387.0, 49408.0, 120373.0,
            ],
        ),
        (
            Workload::W5,
            2.516e6,
            &[
                5768.0, 18746.0, 27398.0, 47586.0, 70658.0, 191786.0, 961814.0, 1922186.0,
                4806186.0,
            ],
        ),
        (Workload::WebServer, 62.9e3, &[]),
        (Workload::CacheFollower, 693e3, &[]),
    ];
    for (workload, mean, deciles) in known {
        let curve = Empirical::new(workload.points()).expect("a curve");
        assert!(
            (curve.mean() / mean - 1.0).abs() < 0.05,
            "{workload:?}: {}",
            curve.mean()
        );
        for (place, size) in deciles.iter().enumerate() {
            let share = 0.1 * (place + 1) as f64;
            let below = curve.at_most((size * 0.85).floor());
            let above = curve.at_most((size * 1.15).ceil());
            let found = below - 0.005..=above + 0.005;
            assert!(
                found.contains(&share),
                "{workload:?}: {size} B at {share}, {found:?}"
            );
        }
    }
}

#[test]
fn published_sizes_are_drawn_by_name() {
    for name in [
        "web_search",
        "data_mining",
        "w1",
        "w2",
        "w3",
        "w4",
        "w5",
        "hadoop",
        "web_server",
        "cache_follower",
    ] {
        let keys = format!(
            r#"size = {{ workload = "{name}" }}, arrivals = {{ kind = "poisson", load = 0.3, of = "core" }}, connection = "new""#
        );
        let checked = load("transfers.toml", &text(2, "9s", &keys), &[], &());
        let checked = checked.unwrap_or_else(|problems| panic!("{problems}"));
        let again = checked.scenario().to_toml();
        let again =
            load("again.toml", &again, &[], &()).unwrap_or_else(|problems| panic!("{problems}"));
        assert_eq!(checked.scenario(), again.scenario(), "{name}");
    }
}

#[test]
fn files_are_named_wherever_they_stand() {
    let keys = r#"size = { empirical = "curve.csv" }, arrivals = { kind = "poisson", load = 0.3, of = "core" }, connection = "new""#;
    let csv = |_: &str| Ok("value,cdf\n1KB,0.5\n9KB,1\n".to_owned());
    let checked = load("transfers.toml", &text(2, "9s", keys), &[], &csv);
    let checked = checked.unwrap_or_else(|problems| panic!("{problems}"));
    assert_eq!(checked.scenario().file_names(), ["curve.csv"]);
    let text = checked
        .scenario()
        .to_toml_with_files(|name| format!("files/{name}"));
    assert!(text.contains("\"files/curve.csv\""), "{text}");
}
