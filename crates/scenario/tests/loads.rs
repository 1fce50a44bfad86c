//! Loads of sources: `load` and `of` in place of a rate.

use pacesim_model::{Distribution, Load, Model, Pause, Traffic};
use pacesim_scenario::{Checked, Problem, load};

/// Four flows from a[i] to b[i] over access links and a core of 10 Mbps, with this traffic.
pub(super) fn text(traffic: &str) -> String {
    format!(
        r#"
run = {{ duration = "10s" }}
node = [{{ name = "a", count = 4 }}, {{ name = "r" }}, {{ name = "s" }}, {{ name = "b", count = 4 }}]
link = [
  {{ name = "core", from = "r", to = "s", rate = "10Mbps", delay = "10ms", buffer = "10pkts" }},
  {{ name = "left", from = "a", to = "r", rate = "100Mbps" }},
  {{ name = "right", from = "s", to = "b", rate = "100Mbps" }},
]
[[flow]]
name = "f"
from = "a"
to = "b"
traffic = {{ {traffic} }}
"#
    )
}

fn checked(traffic: &str) -> Checked {
    let checked = load("test.toml", &text(traffic), &[], &());
    checked.unwrap_or_else(|problems| panic!("{traffic}: {problems}"))
}

fn problems(traffic: &str) -> Vec<Problem> {
    let checked = load("test.toml", &text(traffic), &[], &());
    checked.expect_err(traffic).0
}

/// The sources that have a rate, each without it, with the rate by which four of them make a load
/// of 0.6 on the core.
const SOURCES: [(&str, &str); 7] = [
    (r#"kind = "cbr", size = "1KB""#, r#"rate = "1500kbps""#),
    (
        r#"kind = "poisson", size = { uniform = ["100B", "1500B"] }"#,
        r#"rate = "1500kbps""#,
    ),
    (
        r#"kind = "bulks", size = "1KB", count = 5"#,
        r#"rate = "1500kbps""#,
    ),
    (
        r#"kind = "on_off", size = "1KB", mean_on = "100ms", mean_off = "300ms""#,
        r#"peak = "6Mbps""#,
    ),
    (
        r#"kind = "fractional_noise", size = "500B", hurst = 0.8, burstiness = 0.2, over = "10ms", slot = "1ms""#,
        r#"rate = "1500kbps""#,
    ),
    (
        r#"kind = "sessions", size = "500B", hurst = 0.8, burstiness = 0.2, over = "10ms", mean_session = "1s""#,
        r#"rate = "1500kbps""#,
    ),
    (
        r#"kind = "pareto_on_off", sources = 10, size = "500B", mean_on = "100ms", mean_off = "300ms", hurst = 0.8"#,
        r#"peak = "600kbps""#,
    ),
];

#[test]
fn a_load_becomes_the_rate_that_it_means() {
    for (keys, rate) in SOURCES {
        let by_load = checked(&format!("{keys}, load = 0.6, of = \"core\""));
        let by_rate = checked(&format!("{keys}, {rate}"));
        assert_eq!(by_load, by_rate, "{keys}");
        let written = by_load.scenario().to_toml();
        let again = load("test.toml", &written, &[], &()).expect("what was written");
        assert_eq!(again.scenario().to_toml(), written);
        assert!(!written.contains("load"), "{written}");
    }
}

#[test]
fn the_rate_and_its_assumptions_are_said() {
    let all = checked(r#"kind = "poisson", load = 0.6, of = "core", size = "1KB""#).arrivals();
    let sentence = "a rate of 1.5Mbps for each flow, if all send over core from start to end and lose nothing before it";
    let path = "flow[0].traffic.load".to_owned();
    assert_eq!(all, [(path, sentence.to_owned())]);
}

#[test]
fn a_load_of_equal_links_is_that_of_each() {
    let all = checked(r#"kind = "cbr", load = 0.25, of = "left", size = "1KB""#)
        .scenario()
        .to_toml();
    assert!(all.contains("rate = \"25Mbps\""), "{all}");
}

/// Keys of Poisson traffic, the one at fault, part of the message and part of the remedy.
const REFUSED: [(&str, &str, &str, &str); 12] = [
    (
        "load = 0, of = \"core\"",
        "load",
        "a load of 0 is nothing",
        "give more than 0",
    ),
    (
        "load = -0.5, of = \"core\"",
        "load",
        "a load of -0.5 is nothing",
        "give more than 0",
    ),
    (
        "load = nan, of = \"core\"",
        "load",
        "NaN is out of range",
        "give a number",
    ),
    (
        "load = 1001, of = \"core\"",
        "load",
        "more than a run can hold",
        "give at most 1000",
    ),
    (
        "load = \"half\", of = \"core\"",
        "load",
        "\"half\"",
        "number",
    ),
    (
        "load = 0.5",
        "of",
        "this key is missing, for there is a load",
        "write of = \"core\"",
    ),
    (
        "of = \"core\", rate = \"1Mbps\"",
        "of",
        "there is no load that would be of it",
        "leave it out",
    ),
    (
        "load = 0.5, of = \"cor\"",
        "of",
        "there is no link of the name \"cor\"",
        "did you mean \"core\"?",
    ),
    (
        "load = 0.5, of = \"core.back\"",
        "of",
        "f[0] does not cross that link",
        "name a link that all flows of the group cross",
    ),
    (
        "load = 0.5, of = \"left[0]\"",
        "of",
        "f[1] does not cross that link",
        "name a link that all flows of the group cross",
    ),
    (
        "load = 0.5, of = \"core\", rate = \"1Mbps\"",
        "load",
        "rate and load exclude each other",
        "keep rate or load",
    ),
    (
        "",
        "rate",
        "this key is missing",
        "write rate = \"1Mbps\", or load = 0.6 with of = \"core\"",
    ),
];

#[test]
fn a_load_that_cannot_be_has_its_key_its_line_and_a_remedy() {
    for (keys, key, message, help) in REFUSED {
        let all = problems(&format!("kind = \"poisson\", size = \"1KB\", {keys}"));
        let [problem] = &all[..] else {
            panic!("{keys}: {all:#?}");
        };
        assert_eq!(problem.path, format!("flow[0].traffic.{key}"), "{keys}");
        assert_eq!(problem.line, 13, "{keys}");
        assert!(problem.message.contains(message), "{keys}: {problem}");
        let told = problem.help.as_deref().unwrap_or_default();
        assert!(told.contains(help), "{keys}: {problem}");
    }
    let peak = problems(
        r#"kind = "on_off", size = "1KB", mean_on = "1s", mean_off = "1s", peak = "2Mbps", load = 0.1, of = "core""#,
    );
    assert_eq!(peak[0].message, "peak and load exclude each other");
}

#[test]
fn a_load_is_met_where_the_shortest_phases_depend_on_its_rate() {
    // At the rates tried first, a packet takes longer than most of these phases may last.
    for mean_on in ["4.6us", "20us", "300us"] {
        let traffic = format!(
            r#"kind = "on_off", size = "3100B", mean_on = {{ geometric = "{mean_on}" }}, mean_off = "2.3ms", load = 0.6, of = "core""#
        );
        let checked = checked(&traffic);
        let model = checked.expand(checked.scenario().run.seed, 0);
        let all = model.flows.iter().map(|flow| &flow.traffic);
        let rates = all.map(|traffic| {
            let Traffic::OnOff { peak, .. } = traffic else {
                panic!("not on and off");
            };
            peak.as_bps() as f64 * traffic.active_share().expect("it has one")
        });
        let load = rates.sum::<f64>() / 10e6;
        assert!((load - 0.6).abs() < 0.006, "{mean_on}: {load}");
    }
}

#[test]
fn the_others_of_a_group_share_its_arrivals() {
    let transfers = |model: &Model| -> f64 {
        let all = model.flows.iter().map(|flow| match &flow.traffic {
            Traffic::Tcp(tcp) => match &tcp.load {
                Load::Transfers(transfers) => match &transfers.pause {
                    Pause::Drawn(Distribution::Exponential { mean }) => 1e12 / mean,
                    Pause::Constant(span) => 1.0 / span.as_secs_f64(),
                    other => panic!("{other:?}"),
                },
                other => panic!("{other:?}"),
            },
            other => panic!("{other:?}"),
        });
        all.sum()
    };
    for arrivals in [
        r#"kind = "poisson", load = 0.45, of = "core""#,
        r#"kind = "periodic", every = "100ms""#,
        r#"kind = "users", every = "50ms""#,
    ] {
        let of = |others: &str| {
            let traffic = format!(
                r#"kind = "tcp", transfers = {{ size = "20KB", arrivals = {{ {arrivals} }} }}{others}"#
            );
            transfers(&checked(&traffic).expand(1, 0))
        };
        let alone = of("");
        for share in ["0.25", "0.5", "1.0"] {
            let both = of(&format!(
                r#", others = {{ share = {share}, pacing = "window" }}"#
            ));
            assert!(
                (both / alone - 1.0).abs() < 1e-9,
                "{arrivals}, {share}: {both}, {alone}"
            );
        }
    }
}
