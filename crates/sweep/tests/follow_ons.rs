//! Mistakes planted in studies one at a time: whatever depends on a refused entry is silent.

use pacesim_sweep::input;
use std::path::Path;

const NETWORK: &str = r#"
run = { duration = "50ms" }
node = [{ name = "a" }, { name = "b" }]
link = [{ name = "core", from = "a", to = "b", rate = "10Mbps", buffer = "5pkts" }]
flow = [{ name = "f", from = "a", to = "b", traffic = { kind = "cbr", rate = "1Mbps", size = "1KB" } }]
"#;

const SWEEP: &str = r#"
[sweep]
replications = 3
[[sweep.axis]]
name = "buf"
key = "link.core.buffer"
values = ["1pkt", "2pkts"]
[[sweep.axis]]
name = "load"
key = "flow.f.traffic.rate"
linear = { from = "1Mbps", to = "3Mbps", count = 3 }
[[measure]]
name = "m"
kind = "series"
link = "core"
metric = "queue_pkts"
every = "1ms"
[[measure]]
name = "b"
kind = "burstiness"
link = "core"
finest = "1ms"
scales = 4
[[plot]]
name = "p"
x = "buf"
y = "link.core.loss_ratio"
lines = "load"
[[expect]]
claim = "few are lost"
y = "link.core.loss_ratio"
at = { buf = "1pkt", load = "1Mbps" }
over = { buf = "2pkts", load = "1Mbps" }
at_most = 1.0
"#;

const TUNE: &str = r#"
[sweep]
replications = 2
[[sweep.axis]]
name = "buf"
key = "link.core.buffer"
linear = { from = "1pkt", to = "9pkts", count = 9 }
[tune]
search = ["buf"]
least = "buf"
[[tune.bound]]
y = "link.core.loss_ratio"
at_most = 0.1
[[expect]]
claim = "a small one is enough"
y = "tune.buf.found_pkts"
at_most = "20pkts"
"#;

/// Each problem of a study, as text.
fn problems(text: &str) -> Vec<String> {
    match input::study_from_text("study.toml", text, Path::new(""), &[]) {
        Err(rejected) => rejected.problems.iter().map(ToString::to_string).collect(),
        Ok(read) => {
            let mistakes = input::check(&read.study, std::num::NonZeroUsize::MIN).err();
            mistakes
                .unwrap_or_default()
                .iter()
                .map(ToString::to_string)
                .collect()
        }
    }
}

#[test]
fn a_mistake_in_a_study_is_one_problem() {
    for study in [SWEEP, TUNE] {
        let sound = format!("{NETWORK}{study}");
        let found = problems(&sound);
        // The name of a search's result is part of what is tried.
        assert!(found.len() < 2, "{found:#?}");
    }
    let slips = [
        (SWEEP, "name = \"buf\"", "name = \"b 0\""),
        (SWEEP, "name = \"load\"", "name = \"7\""),
        (SWEEP, "key = \"link.core.buffer\"", "key = 7"),
        (SWEEP, "values = [\"1pkt\", \"2pkts\"]", "values = []"),
        (SWEEP, "values = [\"1pkt\", \"2pkts\"]", "values = \"1pkt\""),
        (
            SWEEP,
            "to = \"3Mbps\", count = 3",
            "to = \"3ms\", count = 3",
        ),
        (
            SWEEP,
            "to = \"3Mbps\", count = 3",
            "to = \"3Mbps\", count = true",
        ),
        // Values that only the scenario can refuse; claims and figures name the old ones.
        (SWEEP, "values = [\"1pkt\",", "values = [\"1pk\","),
        (SWEEP, "values = [\"1pkt\",", "values = [\"= 1ms / 0\","),
        (SWEEP, "\"2pkts\"]", "\"2Mps\"]"),
        (SWEEP, "from = \"1Mbps\"", "from = \"= 1ms / 0\""),
        (SWEEP, "to = \"3Mbps\"", "to = \"= (1Mbps + 1ms) * 2\""),
        (SWEEP, "every = \"1ms\"", "every = \"1\""),
        (SWEEP, "every = \"1ms\"", "every = \"1ps\""),
        (SWEEP, "scales = 4", "scales = 41"),
        (
            SWEEP,
            "finest = \"1ms\"\nscales = 4",
            "finest = \"100h\"\nscales = 40",
        ),
        (SWEEP, "metric = \"queue_pkts\"", "metric = 7"),
        (SWEEP, "replications = 3", "replications = \"3\""),
        (TUNE, "to = \"9pkts\"", "to = \"9ms\""),
        (TUNE, "from = \"1pkt\"", "from = true"),
        (TUNE, "search = [\"buf\"]", "search = [\"bu\"]"),
        (TUNE, "search = [\"buf\"]", "search = 7"),
        (TUNE, "least = \"buf\"", "least = 7"),
        (TUNE, "at_most = 0.1", "at_most = [7]"),
    ];
    let mut several = Vec::new();
    for (study, line, by) in slips {
        assert!(study.contains(line), "{line}");
        let found = problems(&format!("{NETWORK}{}", study.replacen(line, by, 1)));
        if found.len() != 1 {
            several.push(format!("{line} -> {by}: {found:#?}\n"));
        }
    }
    assert!(several.is_empty(), "{}", several.concat());
}

#[test]
fn without_any_flow_there_is_one_problem() {
    let text = format!("{NETWORK}{SWEEP}");
    let start = text.find("flow = [").expect("flows");
    let end = start + text[start..].find('\n').expect("an end");
    let found = problems(&format!("{}flow = []{}", &text[..start], &text[end..]));
    assert_eq!(found.len(), 1, "{found:#?}");
}

#[test]
fn a_link_of_a_shape_is_named_by_its_key() {
    let text = r#"
run = { duration = "50ms" }
[topology]
shape = "dumbbell"
pairs = 2
access = { rate = "100Mbps" }
bottleneck = { rate = "10Mbps", buffer = "5pkts" }
[[flow]]
name = "f"
from = "left"
to = "right"
traffic = { kind = "cbr", rate = "1Mbps", size = "1KB" }
[[sweep.axis]]
name = "buf"
key = "link.core.buffer"
values = ["1pkt", "2pkts"]
"#;
    let found = problems(text);
    assert!(
        found
            .iter()
            .any(|problem| problem.contains("topology.bottleneck.buffer")),
        "{found:#?}"
    );
}

/// Extreme values of every key of measures with a quantity or a count.
#[test]
fn no_value_of_a_measure_makes_the_check_panic() {
    let spans = [
        "0s",
        "1ps",
        "1ns",
        "1ms",
        "50ms",
        "1s",
        "213days",
        "5124095h",
        "18446744073709551615ps",
    ];
    let counts = ["0", "1", "2", "40", "1000", "4294967295"];
    for (kind, keys) in [
        (
            "burstiness",
            &["finest", "slope_from", "slope_to", "#scales"][..],
        ),
        ("autocovariance", &["interval", "#lags"]),
        ("queue_autocovariance", &["interval", "#lags"]),
        ("hurst", &["interval"]),
        (
            "spectrum",
            &["interval", "slope_from", "slope_to", "#per_decade"],
        ),
        ("throughput", &["interval"]),
        ("gaps", &["least", "most", "#per_decade"]),
        ("delays", &["least", "most", "#per_decade"]),
        ("queue", &["#bin"]),
        ("series", &["every"]),
    ] {
        for key in keys {
            let values: Vec<String> = match key.strip_prefix('#') {
                Some("lags") => counts.iter().map(|n| format!("[{n}]")).collect(),
                Some(_) => counts.iter().map(|n| (*n).to_owned()).collect(),
                None => spans.iter().map(|span| format!("\"{span}\"")).collect(),
            };
            let key = key.trim_start_matches('#');
            for value in values {
                for other in ["\"1ps\"", "\"1ms\"", "\"5000000h\""] {
                    problems(&measure(kind, key, &value, other));
                }
            }
        }
    }
}

/// A study with one measure whose first key has this value; others of its spans are `other`.
fn measure(kind: &str, key: &str, value: &str, other: &str) -> String {
    let needed = match kind {
        "burstiness" => vec![("finest", other), ("scales", "40"), ("link", "\"core\"")],
        "autocovariance" => vec![
            ("interval", other),
            ("lags", "[1, 2]"),
            ("link", "\"core\""),
        ],
        "queue_autocovariance" => vec![
            ("interval", other),
            ("lags", "[1, 2]"),
            ("link", "\"core\""),
        ],
        "hurst" | "spectrum" | "throughput" => vec![("interval", other), ("link", "\"core\"")],
        "gaps" => vec![("least", other), ("link", "\"core\"")],
        "delays" => vec![("least", other), ("flows", "\"f\"")],
        "queue" => vec![("link", "\"core\"")],
        _ => vec![("link", "\"core\""), ("metric", "\"queue_pkts\"")],
    };
    let needed = needed.into_iter().filter(|(name, _)| *name != key);
    let lines: String = needed
        .map(|(name, value)| format!("{name} = {value}\n"))
        .collect();
    format!("{NETWORK}[[measure]]\nname = \"m\"\nkind = \"{kind}\"\n{key} = {value}\n{lines}")
}
