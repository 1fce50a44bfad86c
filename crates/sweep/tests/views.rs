//! Formulas of numbers, figures over time and of distributions, quantiles over replications.

use std::sync::Arc;

use pacesim_claims::claims;
use pacesim_plot::{Figure, Mark, Series};
use pacesim_runs::run_monitor::Unwatched;
use pacesim_store::sweep::Sweep;
use pacesim_study::{Study, StudyText};
use pacesim_sweep::draw::draw;
use pacesim_sweep::forecast::forecast;
use pacesim_sweep::input::mistakes;
use pacesim_sweep::make::sweep;

use crate::common::order;

/// Two flows through a buffer of five packets, which one window of ten packets fills.
const SCENARIO: &str = r#"
run = { duration = "4s", warmup = "1s" }
node = [{ name = "a" }, { name = "b" }]
link = [{ name = "core", from = "a", to = "b", rate = "1Mbps", buffer = "5pkts" }]
flow = [
  { name = "one", from = "a", to = "b", traffic = { kind = "poisson", rate = "500kbps", size = "1KB" } },
  { name = "two", from = "a", to = "b", traffic = { kind = "poisson", rate = "300kbps", size = "1KB" } },
]
[sweep]
replications = 6
[[sweep.axis]]
name = "buffer"
key = "link.core.buffer"
values = ["2pkts", "5pkts"]
"#;

fn parsed(tables: &str) -> Result<Study, String> {
    let text = match tables.split_once("---") {
        Some((before, tables)) => format!("{before}{SCENARIO}{tables}"),
        None => format!("{SCENARIO}{tables}"),
    };
    let text = StudyText::parse("views.toml", "views", text.as_bytes(), Arc::new(()));
    text.check().map_err(|problems| problems.to_string())
}

/// The first figure, as drawn from the store.
fn drawn(tables: &str) -> Figure {
    let study = parsed(tables).unwrap_or_else(|problems| panic!("{problems}"));
    assert_eq!(mistakes(&study), []);
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("views");
    let plan: Sweep<'_> = order(&study, &out, 2);
    sweep(&plan, &Unwatched).unwrap_or_else(|error| panic!("{error}"));
    let again = sweep(&plan, &Unwatched).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(again.made, 0, "all runs are in the store");
    let mut figures = draw(&plan, &Unwatched).unwrap_or_else(|error| panic!("{error}"));
    figures.remove(0).1
}

fn ys(series: &Series) -> Vec<f64> {
    series.points.iter().map(|point| point.y).collect()
}

#[test]
fn a_sum_is_drawn_as_the_sum_of_its_parts() {
    let sum = r#"
        [[plot]]
        name = "sum"
        x = "buffer"
        y = "flows.one.goodput_bps"
        also = ["flows.two.goodput_bps", "flows.one.goodput_bps + flows.two.goodput_bps"]
        labels = ["one", "two", "both"]
    "#;
    let figure = drawn(sum);
    let series = &figure.panels[0].series;
    let labels: Vec<&str> = series.iter().map(|series| series.label.as_str()).collect();
    assert_eq!(labels, ["one", "two", "both"]);
    for place in 0..2 {
        let parts = ys(&series[0])[place] + ys(&series[1])[place];
        let both = ys(&series[2])[place];
        assert!(
            (both / parts - 1.0).abs() < 1e-9,
            "{both}, and parts of {parts}"
        );
    }
    let apart = drawn(&format!("{sum}        panels = \"y\"\n"));
    assert_eq!(apart.panels.len(), 3);
}

/// Two axes beside the buffer, drawn as colours and dashes.
const TWO_AXES: &str = r#"
        [[sweep.axis]]
        name = "rate"
        key = "flow.one.traffic.rate"
        values = ["400kbps", "600kbps"]
        [[sweep.axis]]
        name = "size"
        key = "flow.one.traffic.size"
        values = ["500B", "1KB"]
        labels = { 500B = "small packets", 1KB = "large ones" }
        [[plot]]
        name = "two"
        x = "buffer"
        y = "flows.one.loss_ratio"
        lines = "rate"
"#;

#[test]
fn two_axes_are_drawn_as_colour_and_dash() {
    let figure = drawn(&format!("{TWO_AXES}        dash = \"size\"\n"));
    let series = &figure.panels[0].series;
    let looks: Vec<_> = series.iter().map(|one| (one.colour, one.dash)).collect();
    assert_eq!(
        looks,
        [(0, Some(0)), (0, Some(1)), (1, Some(0)), (1, Some(1))]
    );
    assert_eq!(series[1].label, "rate 400kbps, large ones");
    assert!(series.iter().all(|one| one.points.len() == 2));
    let losses = |place: usize| ys(&series[place])[0];
    assert!(losses(3) > losses(1), "a higher rate loses more");
}

#[test]
fn dashes_that_would_tell_nothing_are_refused() {
    let refused = |more: &str| match parsed(&format!("{TWO_AXES}{more}")) {
        Ok(_) => panic!("{more}"),
        Err(text) => text,
    };
    assert!(refused("").contains("or give it lines, dash or panels"));
    let several = "dash = \"size\"\nalso = [\"flows.two.loss_ratio\"]\n";
    assert!(refused(several).contains("each of several numbers has its own dash"));
    let boxed = "dash = \"size\"\nboxes = \"replications\"\n";
    assert!(refused(boxed).contains("nothing joins the values"));
    let elsewhere = "dash = \"size\"\nprinted = [{ label = \"p\", points = [[\"2pkts\", 0.1]] }]\n";
    assert!(refused(elsewhere).contains("values from elsewhere"));
    assert!(refused("dash = \"sise\"\n").contains("size"));
    let alone = TWO_AXES.replace("lines = \"rate\"", "only = { rate = \"400kbps\" }");
    let alone = parsed(&format!("{alone}dash = \"size\"\n")).expect_err("no lines");
    assert!(
        alone.contains("tell apart the lines of one colour"),
        "{alone}"
    );
}

#[test]
fn names_of_different_metrics_label_their_axes_and_others_their_panels() {
    let plot = |also: &str| {
        format!(
            "[[plot]]\nname = \"two\"\nx = \"buffer\"\ny = \"flows.one.goodput_bps\"\n\
             also = [\"{also}\"]\nlabels = [\"Goodput of one\", \"Other\"]\npanels = \"y\"\n"
        )
    };
    let seen = |also: &str| {
        let panels = drawn(&plot(also)).panels.into_iter();
        panels
            .map(|panel| (panel.title, panel.y.label))
            .collect::<Vec<_>>()
    };
    let of_metrics = seen("link.core.queue_mean_pkts");
    assert_eq!(of_metrics[0], (None, "Goodput of one (kbps)".to_owned()));
    assert_eq!(of_metrics[1], (None, "Other (packets)".to_owned()));
    let of_flows = seen("flows.two.goodput_bps");
    assert_eq!(of_flows[1].0.as_deref(), Some("Other"));
    assert!(of_flows[1].1.starts_with("goodput"), "{}", of_flows[1].1);
}

#[test]
fn a_queue_is_drawn_over_time_for_one_replication() {
    let figure = drawn(
        r#"
        [[plot]]
        name = "queue"
        over = "time"
        every = "100ms"
        y = "link.core.queue_pkts"
        lines = "buffer"
    "#,
    );
    let series = &figure.panels[0].series;
    assert_eq!(series.len(), 2);
    assert_eq!(series[0].mark, Mark::Line);
    for (series, most) in series.iter().zip([2.0, 5.0]) {
        assert_eq!(series.points.len(), 40, "4 s in steps of 100 ms");
        let longest = ys(series).into_iter().fold(0.0, f64::max);
        assert!(longest > 0.0 && longest <= most, "{longest} of {most}");
    }
}

#[test]
fn a_distribution_of_delays_rises_to_one_with_a_band() {
    let figure = drawn(
        r#"
        [[plot]]
        name = "delays"
        distribution = "ecdf"
        y = "flows.one.delay_s"
        lines = "buffer"
    "#,
    );
    for series in &figure.panels[0].series {
        let shares = ys(series);
        assert!(shares.windows(2).all(|pair| pair[0] <= pair[1] + 1e-12));
        let last = shares.last().expect("a share");
        assert!((last - 1.0).abs() < 1e-9, "{last}");
        let has_band = series.points.iter().filter_map(|point| point.interval);
        assert!(
            has_band
                .map(|(low, high)| high - low)
                .any(|width| width > 0.0)
        );
    }
    let flows = drawn(
        "[[plot]]\nname = \"g\"\ndistribution = \"ccdf\"\ny = \"flows.two.goodput_bps\"\nonly = { buffer = \"5pkts\" }\n",
    );
    let shares = ys(&flows.panels[0].series[0]);
    assert_eq!(shares.last().copied(), Some(0.0));
}

#[test]
fn a_claim_about_a_far_quantile_says_how_many_replications_it_takes() {
    let claims = r#"
        [[expect]]
        claim = "half of the runs carry much"
        y = "link.core.utilisation"
        at = { buffer = "5pkts" }
        quantile = 0.5
        at_least = 0.1
        [[expect]]
        claim = "one run in a thousand"
        y = "link.core.utilisation"
        at = { buffer = "5pkts" }
        quantile = 0.999
        at_least = 0.1
    "#;
    let study = parsed(claims).unwrap_or_else(|problems| panic!("{problems}"));
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("views");
    let outline = sweep(&order(&study, &out, 2), &Unwatched).expect("a sweep");
    let [half, far] = outline.claims.as_slice() else {
        panic!("{:?}", outline.claims);
    };
    assert_eq!(half.verdict, claims::Verdict::Pass);
    assert_eq!(far.verdict, claims::Verdict::Undecided);
    let note = far.note.as_deref();
    assert_eq!(note, Some("no interval: give 3688 replications or more"));
}

#[test]
fn the_printed_numbers_are_those_shown_and_those_of_formulas() {
    let study = parsed(
        "show = [\"link.core.utilisation\", \"flows.one.goodput_bps / flows.two.goodput_bps\"]\n---",
    );
    let study = study.unwrap_or_else(|problems| panic!("{problems}"));
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("views");
    let outline = sweep(&order(&study, &out, 2), &Unwatched).expect("a sweep");
    let means = &outline.points[0].means;
    let names: Vec<String> = means.iter().map(|mean| mean.number.to_string()).collect();
    assert_eq!(
        names,
        [
            "link.core.utilisation",
            "flows.one.goodput_bps / flows.two.goodput_bps"
        ]
    );
    assert!(means.iter().all(|mean| mean.spread.n == 6));
    let ratio = means[1].spread.mean.expect("a ratio");
    assert!((1.2..2.4).contains(&ratio), "{ratio}, near 5 to 3");
}

/// A figure of one point with these keys.
fn plot(keys: &str) -> String {
    format!("[[plot]]\nname = \"p\"\nonly = {{ buffer = \"5pkts\" }}\n{keys}")
}

#[test]
fn a_distribution_of_one_value_is_refused_with_its_line_and_a_remedy() {
    let keys = "distribution = \"ecdf\"\ny = \"link.core.loss_ratio\"";
    let problems = parsed(&plot(keys)).expect_err("one value a run");
    let line = SCENARIO.lines().count() + plot(keys).lines().count();
    let told = format!(
        "views.toml:{line}:5: plot[0].y: \"link.core.loss_ratio\" has one value a run, and no distribution there (draw flows.NAME.delay_s, flows.NAME.completion_s"
    );
    assert!(problems.starts_with(&told), "{problems}");
}

#[test]
fn mistakes_have_their_key_and_a_remedy() {
    let of_check = [
        (
            "distribution = \"ecdf\"\ny = \"link.core.loss_ratio\"",
            "plot[0].y",
            "has one value a run",
        ),
        (
            "over = \"time\"\ny = \"run.run.growing_ports\"",
            "plot[0].y",
            "has no series",
        ),
        (
            "x = \"buffer\"\ny = \"flows.one.goodput_bps + link.core.loss_ratio\"",
            "plot[0].y",
            "+ joins a rate in bit/s",
        ),
        (
            "x = \"buffer\"\ny = \"flows.one.goodput_bps\"\nalso = [\"link.core.loss_ratio\"]",
            "plot[0].also[0]",
            "one panel with a rate",
        ),
        (
            "over = \"time\"\nx = \"buffer\"\ny = \"link.core.queue_pkts\"",
            "plot[0].over",
            "something else goes across",
        ),
        (
            "x = \"buffer\"\ny = \"link.core.loss_ratio\"\nquantile = 1.0",
            "plot[0].quantile",
            "is not a quantile",
        ),
    ];
    for (keys, path, message) in of_check {
        let problems = parsed(&plot(keys)).expect_err(keys);
        assert!(
            problems.contains(path) && problems.contains(message),
            "{problems}"
        );
    }
}

#[test]
fn names_that_are_unknown_have_their_key_and_a_remedy() {
    let of_names = [
        (
            "over = \"time\"\ny = \"link.core.loss_ratio\"",
            "plot[0].y",
            "no metric of a link over time",
        ),
        (
            "over = \"time\"\ny = \"flows.on.cwnd_pkts\"",
            "plot[0].y",
            "no group of flows \"on\"",
        ),
        (
            "distribution = \"ecdf\"\ny = \"flows.on.delay_s\"",
            "plot[0].y",
            "no group of flows \"on\"",
        ),
        (
            "x = \"buffer\"\ny = \"flows.one.goodput_bps + flows.tow.goodput_bps\"",
            "plot[0].y",
            "no group of flows \"tow\"",
        ),
    ];
    for (keys, path, message) in of_names {
        let study = parsed(&plot(keys)).unwrap_or_else(|problems| panic!("{keys}: {problems}"));
        let found = mistakes(&study);
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(found[0].path, path);
        assert!(found[0].message.contains(message), "{found:?}");
    }
}

/// The number of runs in a store.
fn stored(out: &std::path::Path) -> u64 {
    let store = rusqlite::Connection::open(out.join("store.sqlite")).expect("a store");
    let count = store.query_row("SELECT count(*) FROM runs", [], |row| row.get(0));
    count.expect("a count")
}

#[test]
fn a_new_figure_over_time_runs_the_drawn_replications_alone() {
    let queue = |more: &str| {
        format!(
            "[[plot]]\nname = \"q\"\nover = \"time\"\nevery = \"100ms\"\ny = \"link.core.queue_pkts\"\n{more}\n"
        )
    };
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("views");
    let swept = |tables: &str| {
        let study = parsed(tables).unwrap_or_else(|problems| panic!("{problems}"));
        let plan = order(&study, &out, 2);
        let ahead = forecast(&plan, &Unwatched).unwrap_or_else(|error| panic!("{error}"));
        let outline = sweep(&plan, &Unwatched).unwrap_or_else(|error| panic!("{error}"));
        let figures = draw(&plan, &Unwatched).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(outline.made, ahead.missing + ahead.series, "as forecast");
        (outline.made, outline.fingerprint, figures)
    };
    let goodput = "[[plot]]\nname = \"g\"\nx = \"buffer\"\ny = \"flows.one.goodput_bps\"\n";
    let (made, before, _) = swept(goodput);
    assert_eq!((made, stored(&out)), (12, 12));
    let one = queue("only = { buffer = \"5pkts\" }\nreplication = 3");
    let (made, after, figures) = swept(&format!("{goodput}{one}"));
    assert_eq!((made, stored(&out)), (1, 13), "one course more");
    assert_eq!(before, after, "the numbers are those of before");
    let course = &figures[1].1.panels[0].series[0];
    assert_eq!(course.points.len(), 40);
    let (made, _, again) = swept(&format!("{goodput}{one}"));
    assert_eq!((made, stored(&out)), (0, 13), "it is kept");
    assert_eq!(again[1].1, figures[1].1);
    let both = format!("{goodput}{}", queue("lines = \"buffer\""));
    let (made, _, other) = swept(&both);
    assert_eq!(
        (made, stored(&out)),
        (2, 15),
        "replication 0 of both points"
    );
    assert_ne!(other[1].1.panels[0].series[1].points, course.points);
    // The run with its series equals the run without.
    let store = rusqlite::Connection::open(out.join("store.sqlite")).expect("a store");
    let alike = "SELECT count(DISTINCT fingerprint) FROM runs";
    let alike: u64 = store
        .query_row(alike, [], |row| row.get(0))
        .expect("a count");
    assert_eq!(alike, 12);
}

#[test]
fn a_star_sums_over_all_groups_of_flows() {
    let figure = drawn(
        r#"
        show = ["sum(flows.*.goodput_bps)"]
        ---
        [[plot]]
        name = "sum"
        x = "buffer"
        y = "flows.one.goodput_bps + flows.two.goodput_bps"
        also = ["sum(flows.*.goodput_bps)", "2 * mean(flows.*.goodput_bps)", "sum(flows.*.throughput_bps)"]
    "#,
    );
    let series = &figure.panels[0].series;
    assert_eq!(ys(&series[0]), ys(&series[1]));
    assert_eq!(ys(&series[0]), ys(&series[2]));
    assert!(ys(&series[3]).iter().all(|rate| *rate > 0.0));
    let mistake = |y: &str| {
        let study = parsed(&format!(
            "[[plot]]\nname = \"p\"\nx = \"buffer\"\ny = \"{y}\"\n"
        ));
        match study {
            Err(problems) => problems,
            Ok(study) => mistakes(&study)[0].to_string(),
        }
    };
    let told = mistake("flows.*.goodput_bps");
    assert!(
        told.contains("stands for several numbers") && told.contains("write sum("),
        "{told}"
    );
    let told = mistake("sum(link.hop[*].loss_ratio)");
    assert!(told.contains("there is no link \"hop[*]\""), "{told}");
    let told = mistake("sum(flows.*.goodput_bp)");
    assert!(told.contains("has no number \"goodput_bp\""), "{told}");
}

#[test]
fn boxes_have_the_quartiles_of_the_replications_or_of_the_values_within_runs() {
    let figure = drawn(
        r#"
        [[plot]]
        name = "means"
        boxes = "replications"
        x = "buffer"
        y = "flows.one.delay_mean_s"
        also = ["flows.two.delay_mean_s"]
    "#,
    );
    let panel = &figure.panels[0];
    assert_eq!(panel.x.names, ["2pkts", "5pkts"]);
    assert_eq!(panel.series.len(), 2);
    for series in &panel.series {
        assert_eq!(series.mark, Mark::Boxes);
        assert_eq!(series.whiskers, "whiskers: least and greatest of n = 6");
        for (point, (lower, upper)) in series.points.iter().zip(&series.quartiles) {
            let (low, high) = point.interval.expect("whiskers");
            let rises = [low, *lower, point.y, *upper, high];
            assert!(rises.windows(2).all(|pair| pair[0] < pair[1]), "{rises:?}");
        }
        assert!(
            series.points[0].y < series.points[1].y,
            "more room, more delay"
        );
    }
    let within = drawn(
        r#"
        [[plot]]
        name = "packets"
        boxes = "values"
        x = "buffer"
        y = "flows.one.delay_s"
    "#,
    );
    let series = &within.panels[0].series[0];
    assert_eq!(within.panels[0].y.label, "delay of one (ms)");
    // No packet takes less than its own 8 ms, nor more than those of a full buffer before it.
    for ((point, (lower, upper)), most) in series
        .points
        .iter()
        .zip(&series.quartiles)
        .zip([24.0, 48.0])
    {
        let (low, high) = point.interval.expect("whiskers");
        assert!(low > 7.4 && high < 1.06 * most, "{low} to {high}");
        assert!(low <= *lower && lower < &point.y && point.y < *upper && *upper <= high);
    }
}

#[test]
fn boxes_of_too_little_and_with_other_views_are_refused() {
    let box_of = "[[plot]]\nname = \"p\"\nboxes = \"replications\"\n";
    let refused = |tables: &str, told: &str| {
        let problems = parsed(tables).expect_err(tables);
        assert!(problems.contains(told), "{tables}: {problems}");
    };
    let number = "y = \"flows.one.goodput_bps\"\n";
    let few = format!("{box_of}x = \"buffer\"\n{number}").replace("---", "");
    let study = SCENARIO.replace("replications = 6", "replications = 4") + &few;
    let text = StudyText::parse("few.toml", "few", study.as_bytes(), Arc::new(()));
    let problems = text.check().expect_err("too few").to_string();
    assert!(
        problems.contains("4 values are too few for quartiles"),
        "{problems}"
    );
    assert!(problems.contains("replications = 5 or more"), "{problems}");
    refused(
        &format!("{box_of}distribution = \"ecdf\"\ny = \"flows.one.delay_s\"\n"),
        "a box is a view of its own",
    );
    refused(
        &format!("{box_of}x = \"buffer\"\n{number}log = [\"x\"]\n"),
        "has categories, and so no scale",
    );
    let within = box_of.replace("replications", "values");
    refused(
        &format!("{within}x = \"buffer\"\ny = \"flows.one.loss_ratio\"\n"),
        "has one value a run",
    );
    refused(
        &format!(
            "{within}x = \"buffer\"\ny = \"flows.one.delay_s\"\nper = \"flows.two.delay_mean_s\"\n"
        ),
        "each box has those of one point",
    );
}
