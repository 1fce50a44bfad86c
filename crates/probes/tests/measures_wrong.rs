//! Measures of studies: mistakes, figures and claims.

use std::sync::Arc;

use pacesim_study::StudyText;
use pacesim_sweep::input::mistakes;
use proptest::prelude::*;

use crate::measures::{ALL, Measured, POISSON, run, study, world};

/// The mistakes in a study, on its own or in its scenario: path, message, help.
fn wrong(measure: &str) -> Vec<(String, String, String)> {
    let text = world(11, "", POISSON) + "[[measure]]\nname = \"m\"\n" + measure;
    let text = StudyText::parse("m.toml", "m", text.as_bytes(), Arc::new(()));
    let problems = match text.check() {
        Ok(study) => mistakes(&study),
        Err(problems) => problems.0,
    };
    assert!(
        problems.iter().all(|problem| problem.line > 0),
        "{problems:?}"
    );
    let parts = problems.into_iter();
    parts
        .map(|problem| {
            (
                problem.path,
                problem.message,
                problem.help.unwrap_or_default(),
            )
        })
        .collect()
}

/// Measures with one mistake each: the key named, and words of the message or the help.
const WRONG: &[(&str, &str, &str)] = &[
    ("kind = \"burstyness\"", "kind", "burstiness"),
    ("kind = \"gaps\"\nlink = \"cor\"", "link", "core"),
    ("kind = \"queue\"\nlink = \"core.bak\"", "link", "core.back"),
    ("kind = \"gaps\"", "kind", "neither a link nor flows"),
    (
        "kind = \"gaps\"\nlink = \"core\"\nintervall = \"1s\"",
        "intervall",
        "unknown key",
    ),
    (
        "kind = \"gaps\"\nlink = \"core\"\nleast = \"1s\"\nmost = \"1ms\"",
        "most",
        "begin",
    ),
    ("kind = \"delays\"\nflows = \"g\"", "flows", "f"),
    ("kind = \"delays\"\nflows = \"f[1]\"", "flows", "has 1"),
    (
        "kind = \"delays\"\nflows = \"f\"\nuntil = \"delivered\"",
        "until",
        "no TCP",
    ),
    (
        "kind = \"spectrum\"\nlink = \"core\"\ninterval = \"3s\"",
        "interval",
        "longer than what is measured",
    ),
    (
        "kind = \"spectrum\"\nlink = \"core\"\ninterval = \"1ms\"\nslope_from = \"1s\"\nslope_to = \"1ms\"",
        "slope_to",
        "slope_from",
    ),
    ("kind = \"fairness\"\ngroups = []", "groups", "no group"),
    ("kind = \"losses\"\nflows = \"g\"", "flows", "f"),
    (
        "kind = \"losses\"\nflows = \"f\"\nbin = 0.0",
        "bin",
        "too narrow",
    ),
    (
        "kind = \"losses\"\nflows = \"f\"\nleast = 0.2\nmost = 0.1",
        "most",
        "no loss",
    ),
    ("kind = \"loads\"\nlinks = \"cor\"", "links", "core"),
    (
        "kind = \"fairness\"\ngroups = [\"f\", \"ff\"]",
        "groups",
        "ff",
    ),
    (
        "kind = \"completions\"\nflows = \"f\"\nclasses = [\"0B\"]",
        "classes",
        "ascend",
    ),
    (
        "kind = \"hurst\"\nlink = \"core\"\ninterval = \"0s\"",
        "interval",
        "without length",
    ),
    (
        "kind = \"throughput\"\nlink = \"core\"\ninterval = \"11s\"",
        "interval",
        "longer than what is measured",
    ),
    (
        "kind = \"burstiness\"\nlink = \"core\"\nfinest = \"1ms\"\nscales = 0",
        "scales",
        "from 1",
    ),
    (
        "kind = \"burstiness\"\nlink = \"core\"\nfinest = \"1ms\"\nscales = 20",
        "scales",
        "longer",
    ),
    (
        "kind = \"burstiness\"\nlink = \"core\"\nfinest = \"1s\"\nscales = 40",
        "scales",
        "too long",
    ),
    (
        "kind = \"burstiness\"\nlink = \"core\"\nfinest = \"1ms\"\nscales = 4\nslope_from = \"8ms\"",
        "slope_from",
        "two lengths",
    ),
    (
        "kind = \"autocovariance\"\nlink = \"core\"\ninterval = \"1s\"\nlags = [1, 10]",
        "lags",
        "longer",
    ),
    (
        "kind = \"autocovariance\"\nlink = \"core\"\ninterval = \"1ms\"\nlags = [2, 1]",
        "lags",
        "ascend",
    ),
];

#[test]
fn each_mistake_is_refused_where_it_stands() {
    for (measure, key, words) in WRONG {
        let found = wrong(measure);
        let path = format!("measure[0].{key}");
        let says = |(at, message, help): &(String, String, String)| {
            at.starts_with(&path) && (message.contains(words) || help.contains(words))
        };
        assert!(found.iter().any(says), "{measure}: {found:?}");
    }
}

#[test]
fn batches_and_measures_exclude_each_other() {
    let text = world(11, "", POISSON) + "[sweep]\nbatches = 20\n" + ALL;
    let text = StudyText::parse("m.toml", "m", text.as_bytes(), Arc::new(()));
    let problems = text.check().expect_err("refused");
    assert_eq!(problems.0.len(), 1, "{problems}");
    assert_eq!(problems.0[0].path, "sweep.batches");
}

const CURVE: &str = "[[plot]]\nname = \"beta\"\nx = \"measure.burst.interval_s\"\n\
                     y = \"measure.burst.beta\"\nlog = [\"x\", \"y\"]\n";

#[test]
fn a_table_of_a_measure_is_drawn_as_a_curve() {
    let sweep = "[sweep]\nreplications = 2\n[[sweep.axis]]\nname = \"load\"\n\
                 key = \"flow.f.traffic.rate\"\nvalues = [\"4Mbps\", \"8Mbps\"]\n";
    let text = world(6, "", POISSON) + sweep + ALL + CURVE + "lines = \"load\"\n";
    let study = study(&text);
    assert_eq!(mistakes(&study), []);
    let folder = tempfile::tempdir().expect("a folder");
    run(&study, &folder.path().join("m"), 1);
    let svg = std::fs::read_to_string(folder.path().join("m/figures/beta.svg")).expect("a figure");
    for words in ["load 4Mbps", "load 8Mbps", "beta of burst", "interval (ms)"] {
        assert!(svg.contains(words), "{words}");
    }
}

#[test]
fn columns_that_are_not_there_are_refused() {
    let wrong = |x: &str, y: &str, more: &str| {
        let plot = format!("[[plot]]\nname = \"p\"\nx = \"{x}\"\ny = \"{y}\"\n{more}\n");
        let text = world(6, "", POISSON) + ALL + &plot;
        let text = StudyText::parse("m.toml", "m", text.as_bytes(), Arc::new(()));
        let problems = match text.check() {
            Ok(study) => mistakes(&study),
            Err(problems) => problems.0,
        };
        let problem = problems.into_iter().next().expect("a problem");
        assert!(problem.line > 0, "{problem:?}");
        (problem.path, problem.help.unwrap_or_default())
    };
    let (x, y) = ("measure.burst.interval_s", "measure.burst.beta");
    assert_eq!(wrong("measure.burst.interval", y, "").0, "plot[0].x");
    assert!(
        wrong(x, "measure.burst.bet", "").1.contains("beta"),
        "{}",
        wrong(x, "measure.burst.bet", "").1
    );
    assert_eq!(
        wrong("measure.bursts.interval_s", "measure.bursts.beta", "").0,
        "plot[0].x"
    );
    assert_eq!(wrong(x, "measure.queue.ccdf", "").0, "plot[0].y");
    let theory = "theory = [{ model = \"mm1k\", y = \"loss\" }]";
    assert_eq!(wrong(x, y, theory).0, "plot[0].theory");
}

#[test]
fn claims_speak_of_what_is_measured() {
    let claim = |bound: &str| {
        format!("[[expect]]\nclaim = \"{bound}\"\ny = \"measure.burst.slope\"\n{bound}\n")
    };
    let claims = claim("about = -0.5") + &claim("at_least = 0.0");
    let text = world(51, "", POISSON) + "[sweep]\nreplications = 3\n" + ALL + &claims;
    let folder = tempfile::tempdir().expect("a folder");
    let outline = run(&study(&text), &folder.path().join("m"), 1);
    let verdicts: Vec<String> = outline
        .claims
        .iter()
        .map(|claim| format!("{:?}", claim.verdict))
        .collect();
    assert_eq!(verdicts, ["Pass", "Differs"], "{:?}", outline.claims);
}

/// A run of a thousand packets with events at the ends of the measured time.
fn on_edges(warmup_ms: u64, traffic: &str, buffer: &str) -> String {
    format!(
        r#"
        run = {{ duration = "1200ms", warmup = "{warmup_ms}ms" }}
        node = [{{ name = "a" }}, {{ name = "b" }}]
        link = [{{ name = "core", from = "a", to = "b", rate = "8Mbps", delay = "1ms", {buffer} }}]
        flow = [{{ name = "f", from = "a", to = "b", traffic = {traffic} }}]
        "#
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// The common rule for windows: they include events from the end of the warm-up to the end of
    /// the run.
    #[test]
    fn measures_agree_with_the_tables_of_flows_and_links(
        warmup_ms in 0_u64..40,
        (rate, kind) in (prop::sample::select(vec![4, 8, 16]), prop::sample::select(vec!["cbr", "poisson"])),
        places in 1_u64..6,
    ) {
        let traffic = format!(r#"{{ kind = "{kind}", rate = "{rate}Mbps", size = "1KB" }}"#);
        let buffer = format!(r#"buffer = "{places}pkts""#);
        let found = Measured::of(&(on_edges(warmup_ms, &traffic, &buffer) + ALL));
        let seconds = (1200 - warmup_ms) as f64 / 1e3;
        let delivered = found.get("flows.f.throughput_bps") * seconds / 8000.0;
        let pairs = [
            ("delays.pkts", delivered),
            ("delays.mean_s", found.get("flows.f.delay_mean_s")),
            ("queue.idle_ratio", found.get("link.core.idle_ratio")),
            ("queue.mean_pkts", found.get("link.core.queue_mean_pkts")),
            ("loads.utilisation_max", found.get("link.core.utilisation")),
            ("losses.loss_mean_ratio", found.get("flows.f.loss_ratio")),
            ("fair.all", found.get("flows.f.jain_index")),
        ];
        for (name, table) in pairs {
            let ours = found.get(name);
            prop_assert!(
                (ours - table).abs() <= 1e-9 * table.abs().max(1.0),
                "{name} is {ours}, and the tables have {table}"
            );
        }
        let utilisation = found.get("link.core.utilisation");
        prop_assert!(utilisation <= 1.0 + 1e-12, "busy for {utilisation} of the time");
    }
}
