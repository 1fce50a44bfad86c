//! The language as a whole: templates, defaults, options, schema and reference.

use pacesim_scenario::{Checked, Problem, Raw, Scenario, load, reference, schema, templates};
use serde_json::Value as Json;

fn sound(text: &str) -> Checked {
    load("test.toml", text, &[], &()).unwrap_or_else(|problems| panic!("{problems}\n{text}"))
}

fn set(text: &str, sets: &[&str]) -> Scenario {
    let checked = load("test.toml", text, sets, &()).unwrap_or_else(|p| panic!("{p}"));
    checked.scenario().clone()
}

fn refused(text: &str, set: &str) -> Problem {
    let problems = load("test.toml", text, &[set], &()).expect_err(set).0;
    assert_eq!(problems.len(), 1, "{problems:#?}");
    problems.into_iter().next().expect("one")
}

fn template(name: &str) -> &'static str {
    templates()
        .iter()
        .find(|t| t.name == name)
        .expect("a template")
        .text
}

#[test]
fn every_template_is_sound_and_explains_itself() {
    for template in templates() {
        let model = sound(template.text).expand(1, 0);
        assert!(!model.flows.is_empty(), "{}", template.name);
        let comments = template
            .text
            .lines()
            .filter(|line| line.contains("# "))
            .count();
        assert!(comments >= 3, "{} lacks comments", template.name);
    }
}

/// Uses every key of the language that the templates do not.
const EVERYTHING: &str = r#"
title = "quotes \" and \\ and µ"
[run]
duration = "1h"
warmup = "0.5us"
seed = 9223372036854775807
routing = "delay"
[topology]
shape = "parking_lot"
hops = 2
link = { rate = { normal = { mean = "10Mbps", std_dev = "1Mbps" } }, delay = { pareto = { mean = "2ms", shape = 1.5 } } }
access = { rate = "1Gbps", delay = { lognormal = { mean = "1ms", sigma = 0.5 } } }
[[node]]
name = "n"
count = 6
[[link]]
name = "l"
from = "n[0..2]"
to = "n[2..6]"
pair = { stride = 2 }
rate = { uniform = ["1Mbps", "2Mbps"] }
delay = "0s"
length = "1.5km"
buffer = "11pkts"
buffer_counts = "ns2_limit"
loss = { bernoulli = 1e-7 }
drops = [{ packet = 5 }, { flow = "f[0]", seq = 7 }, { flow = "f", ack = 3, k = 2 }]
back = { rate = "1Mbps", delay = { exponential = "1ms" }, buffer = "10KB", buffer_counts = "system", loss = { gilbert_elliott = { to_bad = 0.1, to_good = 0.2 } }, drops = [{ packet = 1 }] }
[[link]]
name = "oneway"
from = "n[0]"
to = "head"
duplex = false
rate = "1Mbps"
bulks = "whole"
[[flow]]
name = "f"
from = "enter"
to = "leave"
pair = "all"
start = { geometric = "1ms" }
stop = "59min"
traffic = { kind = "on_off", peak = "1Mbps", size = "1KiB", mean_on = { exponential = "1s" }, mean_off = "1s", phase = "on" }
[[flow]]
name = "g"
count = 9
from = "head"
to = "tail"
pair = "block"
traffic = { kind = "poisson", rate = { uniform = ["1kbps", "2kbps"] }, size = { uniform = ["0B", "1500B"] } }
[[flow]]
name = "t"
from = "head"
to = "tail"
traffic = { kind = "tcp", profile = "rfc", variant = "fack", delayed_ack = false, initial_ssthresh = "9pkts", clock_phase = "1ms", pacing = { rate = "1Mbps" }, transfers = { size = { exponential = "9KB" }, pause = { uniform = ["0s", "1s"] }, count = 2 }, others = { share = 0.25, delayed_ack = true, pacing = "window_all", transfer = "9pkts" } }
[[flow]]
name = "n"
from = "head"
to = "tail"
traffic = { kind = "fractional_noise", rate = "1Mbps", size = "1KiB", hurst = 0.85, burstiness = 0.3, over = "10ms", slot = "1s" }
[[flow]]
name = "u"
from = "head"
to = "tail"
traffic = { kind = "bulks", rate = "1Mbps", size = { exponential = "1KB" }, count = 5 }
[[flow]]
name = "s"
from = "head"
to = "tail"
traffic = { kind = "sessions", rate = "1Mbps", size = "1KiB", hurst = 0.85, burstiness = 0.3, over = "10ms", mean_session = "1s" }
[[flow]]
name = "p"
from = "head"
to = "tail"
traffic = { kind = "pareto_on_off", sources = 9, peak = "1Mbps", size = "1KiB", mean_on = "1s", mean_off = "1s", hurst = 0.7 }
[[event]]
at = "1s"
links = ["hop", "l.back[0..2]"]
rate = "3Mbps"
delay = "1ms"
loss = { bernoulli = 0.5 }
up = false
packets = "kept"
reroute = true
[[event]]
at = "2s"
start = ["u"]
stop = ["f", "s"]
[output]
packets = { links = ["l.back[0..2]", "hop"], flows = ["f", "g[3]"], from = "1s" }
series = { interval = "1s", of = ["links", "flows", "groups"], links = ["hop"], flows = ["f", "g[3]"] }
tcp = { flows = ["t", "t[0]"] }
"#;

#[test]
fn a_resolved_scenario_reads_as_the_same_scenario() {
    let texts = templates().iter().map(|template| template.text);
    for text in texts.chain([EVERYTHING]) {
        let first = sound(text);
        let resolved = first.scenario().to_toml();
        assert_eq!(first, sound(&resolved), "{resolved}");
        assert_eq!(resolved, sound(&resolved).scenario().to_toml());
    }
}

#[test]
fn options_change_a_scenario_before_the_check() {
    let custom = template("custom");
    let plain = set(custom, &[]);
    let with = |option| set(custom, &[option]);
    assert_eq!(with("run.duration=55s").run.duration.to_string(), "55s");
    assert_eq!(with("run.seed = 7").run.seed, 7);
    assert_eq!(with("title=\"quoted\"").title, "quoted");
    assert_eq!(with("flow.f.count=5").flows[0].count, Some(5));
    assert_eq!(with("flow[0].count=5"), with("flow.f.count=5"));
    assert_eq!(
        with("link.radio.buffer=7pkts").links[1]
            .spec
            .queue
            .buffer
            .to_string(),
        "7pkts"
    );
    assert_ne!(with("link.radio.delay={ exponential = \"1ms\" }"), plain);
    assert_ne!(with("link.access.delay.exponential=9ms"), plain);
    assert_eq!(
        with("output.series.interval=1s")
            .output
            .series
            .expect("made")
            .links,
        []
    );
    let tree = set(
        template("access_tree"),
        &["topology.core.buffer=20KB", "topology.hosts=20"],
    );
    assert!(
        tree.to_toml().contains("buffer = \"20KB\""),
        "{}",
        tree.to_toml()
    );
}

#[test]
fn a_new_distribution_replaces_the_old() {
    let scenario = set(
        template("custom"),
        &["link.access.delay.uniform=[\"1ms\", \"2ms\"]"],
    );
    assert!(
        scenario
            .to_toml()
            .contains("delay = { uniform = [\"1ms\", \"2ms\"] }"),
        "{}",
        scenario.to_toml()
    );
}

#[test]
fn options_that_lead_nowhere_name_the_nearest_key() {
    let custom = template("custom");
    for (option, message, help) in [
        (
            "run.duraton=60s",
            "unknown key \"duraton\"",
            "did you mean \"duration\"?",
        ),
        (
            "runn.duration=60s",
            "unknown key \"runn\"",
            "did you mean \"run\"?",
        ),
        (
            "flow.g.count=3",
            "there is no flow \"g\"",
            "a place from 0 to 0",
        ),
        (
            "link.radoi.rate=1Mbps",
            "there is no link \"radoi\"",
            "did you mean \"radio\"?",
        ),
        ("flow[1].count=3", "there is no flow \"1\"", "from 0 to 0"),
        ("run.seed.x=3", "\"seed\" has no key \"x\"", "whole number"),
        ("run.duration", "no \"=\"", "run.duration=60s"),
    ] {
        let problem = refused(custom, option);
        assert!(problem.message.contains(message), "{problem}");
        assert!(
            problem.help.as_ref().is_some_and(|h| h.contains(help)),
            "{problem}"
        );
        assert_eq!(problem.file, format!("--set {option}"));
    }
}

#[test]
fn a_bad_value_of_an_option_is_told_at_the_option() {
    let problem = refused(template("custom"), "link.radio.rate=20");
    assert_eq!((problem.line, problem.column), (1, 17));
    assert_eq!(problem.path, "link[1].rate");
    let mut raw = Raw::parse("x.toml", template("custom"));
    raw.apply_sets(&["run.warmup=2h"]);
    let problem = raw.check(&()).expect_err("too long").0.remove(0);
    let text = raw.text_of(&problem.file).expect("the option's text");
    assert_eq!(&text[problem.span], "2h");
}

#[test]
fn the_schema_accepts_what_the_reader_accepts() {
    let schema = schema();
    let texts = templates().iter().map(|template| template.text);
    for text in texts.chain([EVERYTHING]) {
        accepts(&schema, &as_json(text)).unwrap_or_else(|why| panic!("{why}\n{text}"));
        accepts(&schema, &as_json(&sound(text).scenario().to_toml())).expect("the resolved text");
    }
}

#[test]
fn the_schema_refuses_what_the_reader_refuses() {
    let custom = template("custom");
    for (line, by) in [
        ("duration = \"60s\"", "duraton = \"60s\""),
        ("duration = \"60s\"", "duration = 60"),
        ("count = 3", "count = 0"),
        ("count = 3", "count = 3.5"),
        ("kind = \"cbr\"", "kind = \"crb\""),
        ("to_bad = 0.001", "to_bad = 1.001"),
        ("to_bad = 0.001, ", ""),
        (
            "{ exponential = \"2ms\" }",
            "{ exponential = \"2ms\", geometric = \"2ms\" }",
        ),
        ("{ exponential = \"2ms\" }", "{}"),
        ("uniform = [\"0s\", \"100ms\"]", "uniform = [\"0s\"]"),
        ("to = \"router\"", ""),
    ] {
        let text = custom.replacen(line, by, 1);
        assert_ne!(text, custom, "{line}");
        load("test.toml", &text, &[], &()).expect_err(by);
        accepts(&schema(), &as_json(&text)).expect_err(by);
    }
}

fn as_json(text: &str) -> Json {
    let table: toml::Table = text.parse().expect("TOML");
    serde_json::to_value(table).expect("a table is JSON")
}

/// Draft 07 as far as the schema uses it, except for patterns.
#[expect(clippy::too_many_lines, reason = "a table of cases")]
fn accepts(schema: &Json, value: &Json) -> Result<(), String> {
    let fail = |why: &str| Err(format!("{why}: {value}"));
    for (keyword, want) in schema.as_object().expect("a schema is an object") {
        let good = match keyword.as_str() {
            "type" => match want.as_str().expect("one type") {
                "object" => value.is_object(),
                "array" => value.is_array(),
                "string" => value.is_string(),
                "integer" => value.is_i64() || value.is_u64(),
                "number" => value.is_number(),
                "boolean" => value.is_boolean(),
                other => panic!("unknown type {other}"),
            },
            "const" => value == want,
            "enum" => want.as_array().expect("a list").contains(value),
            "minimum" => value.as_f64() >= want.as_f64(),
            "maximum" => value.as_f64() <= want.as_f64(),
            "minItems" => value.as_array().map(Vec::len) >= want.as_u64().map(|n| n as usize),
            "maxItems" => value.as_array().map(Vec::len) <= want.as_u64().map(|n| n as usize),
            "minProperties" => {
                value.as_object().map(|o| o.len()) >= want.as_u64().map(|n| n as usize)
            }
            "maxProperties" => {
                value.as_object().map(|o| o.len()) <= want.as_u64().map(|n| n as usize)
            }
            "required" => want
                .as_array()
                .expect("a list")
                .iter()
                .all(|key| value.get(key.as_str().expect("a key")).is_some()),
            "additionalProperties" => {
                let known = &schema["properties"];
                value
                    .as_object()
                    .is_some_and(|o| o.keys().all(|key| known.get(key).is_some()))
            }
            "properties" => {
                for (key, inner) in want.as_object().expect("properties") {
                    if let Some(value) = value.get(key) {
                        accepts(inner, value)?;
                    }
                }
                true
            }
            "items" => {
                value.as_array().map_or(Ok(()), |items| {
                    items.iter().try_for_each(|i| accepts(want, i))
                })?;
                true
            }
            "anyOf" => want
                .as_array()
                .expect("a list")
                .iter()
                .any(|s| accepts(s, value).is_ok()),
            "oneOf" => {
                want.as_array()
                    .expect("a list")
                    .iter()
                    .filter(|s| accepts(s, value).is_ok())
                    .count()
                    == 1
            }
            "description" | "default" | "title" | "$schema" | "examples" | "pattern"
            | "maxLength" => true,
            other => panic!("unknown keyword {other}"),
        };
        if !good {
            return fail(keyword);
        }
    }
    Ok(())
}

#[test]
fn the_reference_explains_what_may_stand_in_place_of_a_word() {
    for part in [
        "- `{ stride = 10 }`: As cyclic, but",
        "- `{ rate = \"1Mbps\" }`: At this rate",
        "- `{ bernoulli = 0.01 }`: Each packet",
    ] {
        assert!(reference().contains(part), "{part}");
    }
}
