//! All mistakes of a scenario are reported at once, each at its place.

use pacesim_scenario::{Problem, load};

pub(crate) fn problems(text: &str) -> Vec<Problem> {
    load("test.toml", text, &[], &())
        .expect_err("a scenario with mistakes")
        .0
}

/// The only problem of a text.
pub(crate) fn only(text: &str) -> Problem {
    let all = problems(text);
    assert_eq!(all.len(), 1, "{all:#?}");
    all.into_iter().next().expect("one")
}

/// A valid scenario of one link, with one line replaced.
pub(crate) fn changed(line: &str, by: &str) -> String {
    let sound = SOUND.to_owned();
    assert!(sound.contains(line), "{line}");
    sound.replacen(line, by, 1)
}

pub(crate) const SOUND: &str = r#"
[run]
duration = "10s"
warmup = "1s"

[[node]]
name = "a"
count = 4

[[node]]
name = "b"

[[link]]
name = "core"
from = "a"
to = "b"
rate = "10Mbps"
buffer = "10KB"

[[flow]]
name = "f"
from = "a"
to = "b"
stop = "9s"
traffic = { kind = "cbr", rate = "1Mbps", size = "1KB" }

[output]
packets = { links = ["core"], from = "1s", to = "2s" }
"#;

#[test]
fn a_sound_scenario_has_no_problem() {
    load("test.toml", SOUND, &[], &()).expect("nothing is wrong");
}

pub(crate) const MISTAKES: &str = r#"title = "Twelve"
[run]
duraton = "60s"
warmup = "10"
seed = -3
routing = "hop"

[[node]]
name = "left"
count = 0

[[node]]
name = "router"

[[node]]
name = "sink"

[[node]]
name = "router"

[[link]]
name = "core"
from = "router"
to = "snik"
rate = "10mbps"
buffer = "0pkts"
loss = { bernoulli = 1.5 }

[[flow]]
name = "f"
from = "router"
to = "router"
traffic = { kind = "posson", rate = 8, size = "1KB" }
"#;

/// Line, column and key, with a part of the message and of the help.
pub(crate) const TOLD: &[(usize, usize, &str, &str, &str)] = &[
    (
        3,
        1,
        "run.duraton",
        "unknown key",
        "did you mean \"duration\"?",
    ),
    (4, 10, "run.warmup", "no unit", "like \"20ms\""),
    (5, 8, "run.seed", "-3 is out of range", "from 0 to"),
    (6, 11, "run.routing", "\"hop\"", "did you mean \"hops\"?"),
    (10, 9, "node[0].count", "0 is out of range", "from 1 to"),
    (
        19,
        8,
        "node[3].name",
        "already a node \"router\"",
        "another name",
    ),
    (
        24,
        6,
        "link[0].to",
        "unknown node \"snik\"",
        "did you mean \"sink\"?",
    ),
    (25, 8, "link[0].rate", "did you mean \"Mbps\"?", "10Mbps"),
    (26, 10, "link[0].buffer", "drops every packet", "\"1pkt\""),
    (
        27,
        22,
        "link[0].loss.bernoulli",
        "1.5 is out of range",
        "from 0 to 1",
    ),
    (
        32,
        6,
        "flow[0].to",
        "from router to router",
        "give other nodes",
    ),
    (
        33,
        20,
        "flow[0].traffic.kind",
        "\"posson\"",
        "did you mean \"poisson\"?",
    ),
    (
        33,
        37,
        "flow[0].traffic.rate",
        "8 has no unit",
        "like \"10Mbps\"",
    ),
];

#[test]
fn twelve_mistakes_are_all_told_with_place_and_remedy() {
    let text = MISTAKES;
    let found = problems(text);
    let seen: Vec<_> = found
        .iter()
        .map(|p| (p.line, p.column, p.path.as_str()))
        .collect();
    let places: Vec<_> = TOLD.iter().map(|e| (e.0, e.1, e.2)).collect();
    assert_eq!(seen, places);
    for (problem, (.., message, help)) in found.iter().zip(TOLD) {
        assert!(problem.message.contains(message), "{problem}");
        assert!(
            problem.help.as_ref().is_some_and(|h| h.contains(help)),
            "{problem}"
        );
        assert_eq!(problem.file, "test.toml");
        let line = text.lines().nth(problem.line - 1).expect("a line");
        assert!(line.contains(&text[problem.span.clone()]), "{problem:?}");
    }
}

/// A line of the valid scenario, its replacement, and the problem's key and a part of its message.
pub(crate) const SLIPS: &[(&str, &str, &str, &str)] = &[
    ("duration = \"10s\"", "", "run.duration", "missing"),
    (
        "duration = \"10s\"",
        "duration = \"5000h\"",
        "run.duration",
        "too long for the tables of results",
    ),
    (
        "duration = \"10s\"",
        "duration = 10",
        "run.duration",
        "no unit",
    ),
    (
        "warmup = \"1s\"",
        "warmup = \"10s\"",
        "run.warmup",
        "leaves nothing",
    ),
    (
        "warmup = \"1s\"",
        "seed = 9223372036854775808",
        "run.seed",
        "out of range",
    ),
    (
        "count = 4",
        "count = 20_000_000",
        "node[0].count",
        "more than a run can hold",
    ),
    (
        "from = \"a\"\nto = \"b\"\nrate",
        "from = \"a[4]\"\nto = \"b\"\nrate",
        "link[0].from",
        "no \"a[4]\"",
    ),
    (
        "from = \"a\"\nto = \"b\"\nrate",
        "from = \"a\"\nto = \"b[0]\"\nrate",
        "link[0].to",
        "no \"b[0]\"",
    ),
    (
        "rate = \"10Mbps\"",
        "rate = \"10MB\"",
        "link[0].rate",
        "not a unit of rate",
    ),
    (
        "rate = \"10Mbps\"",
        "rate = { uniform = [\"9Mbps\", \"8Mbps\"] }",
        "link[0].rate",
        "above the high end",
    ),
    (
        "rate = \"10Mbps\"",
        "rate = { pareto = { mean = \"9Mbps\", shape = 1 } }",
        "link[0].rate",
        "shape",
    ),
    (
        "rate = \"10Mbps\"",
        "rate = { uniform = [\"9Mbps\"] }",
        "link[0].rate.uniform",
        "not accepted",
    ),
    (
        "buffer = \"10KB\"",
        "buffer = \"999B\"",
        "flow[0].traffic.size",
        "never fits",
    ),
    (
        "buffer = \"10KB\"",
        "buffer = \"1pkt\"\nbuffer_counts = \"ns2_limit\"",
        "link[0].buffer",
        "one less",
    ),
    (
        "buffer = \"10KB\"",
        "drops = [{ packet = 0 }]",
        "link[0].drops[0].packet",
        "out of range",
    ),
    (
        "buffer = \"10KB\"",
        "drops = [{ seq = 5 }]",
        "link[0].drops[0]",
        "not clear",
    ),
    (
        "buffer = \"10KB\"",
        "drops = [{ flow = \"g\", seq = 5 }]",
        "link[0].drops[0].flow",
        "unknown flow",
    ),
    (
        "from = \"a\"\nto = \"b\"\nstop",
        "from = \"a\"\nto = \"a\"\nstop",
        "flow[0].to",
        "a flow from a[0] to a[0]",
    ),
    (
        "stop = \"9s\"",
        "start = \"9s\"\nstop = \"9s\"",
        "flow[0].stop",
        "before it starts",
    ),
    (
        "size = \"1KB\"",
        "size = \"0B\"",
        "flow[0].traffic.size",
        "not the size",
    ),
    (
        "size = \"1KB\"",
        "size = \"5GB\"",
        "flow[0].traffic.size",
        "not the size",
    ),
    (
        "rate = \"1Mbps\"",
        "rate = \"9000000Tbps\"",
        "flow[0].traffic.rate",
        "more than one in a picosecond",
    ),
    (
        "links = [\"core\"]",
        "links = [\"cora\"]",
        "output.packets.links[0]",
        "unknown link",
    ),
    (
        "links = [\"core\"]",
        "flows = [\"f[9]\"]",
        "output.packets.flows[0]",
        "no \"f[9]\"",
    ),
    (
        "buffer = \"10KB\"",
        "pacer = { kind = \"qlbp\", mu_min = \"6Mbps\", mu_max = \"5Mbps\", q_max = \"9pkts\", q_lim = \"99pkts\" }",
        "link[0].pacer.mu_min",
        "eq. (1) rises",
    ),
    (
        "buffer = \"10KB\"",
        "pacer = { kind = \"qlbp\", mu_min = \"1Mbps\", mu_max = \"11Mbps\", q_max = \"9pkts\", q_lim = \"99pkts\" }",
        "link[0].pacer.mu_max",
        "mu_max <= C",
    ),
    (
        "buffer = \"10KB\"",
        "pacer = { kind = \"qlbp\", mu_min = \"1Mbps\", mu_max = \"5Mbps\", q_max = \"9pkts\", q_lim = \"8pkts\" }",
        "link[0].pacer.q_max",
        "Q_max <= Q_lim",
    ),
    (
        "buffer = \"10KB\"",
        "pacer = { kind = \"qlbp\", mu_min = \"1Mbps\", mu_max = \"5Mbps\", q_max = \"0pkts\", q_lim = \"8pkts\" }",
        "link[0].pacer.q_max",
        "divides by Q_max",
    ),
    (
        "buffer = \"10KB\"",
        "pacer = { kind = \"qlbp\", mu_min = \"1Mbps\", mu_max = \"5Mbps\", q_max = \"9KB\", q_lim = \"80pkts\" }",
        "link[0].pacer.q_lim",
        "one unit",
    ),
    (
        "buffer = \"10KB\"",
        "pacer = { kind = \"qlbp09\", d_max = \"0s\", q_max = \"9pkts\" }",
        "link[0].pacer.d_max",
        "eq. (2)",
    ),
    (
        "buffer = \"10KB\"",
        "pacer = { kind = \"qlbp09\", d_max = \"10ms\", q_max = \"9pkts\", plug_in = { alpha = 0.9 } }",
        "link[0].pacer.plug_in.alpha",
        "alpha >= 1",
    ),
    (
        "buffer = \"10KB\"",
        "pacer = { kind = \"qlbp09\", d_max = \"10ms\", q_max = \"9pkts\", plug_in = { whole_ticks = true } }",
        "link[0].pacer.plug_in.tick",
        "without a tick",
    ),
    (
        "buffer = \"10KB\"",
        "pacer = { kind = \"qlbp_blocking\", mu_min = \"6Mbps\", mu_max = \"5Mbps\", q_max = \"9pkts\" }",
        "link[0].pacer.mu_min",
        "eq. (1) rises",
    ),
    (
        "buffer = \"10KB\"",
        "pacer = { kind = \"qlbp09\", d_max = \"1ms\", q_max = \"9pkts\" }",
        "link[0].pacer.d_max",
        "eq. (1) rises",
    ),
    (
        "buffer = \"10KB\"",
        "pacer = { kind = \"hull\", delay = \"-1ms\" }",
        "link[0].pacer.delay",
        "not a time",
    ),
    (
        "buffer = \"10KB\"",
        "pacer = { kind = \"hull\", delay = \"2h\" }",
        "link[0].pacer.delay",
        "beyond an hour",
    ),
    (
        "buffer = \"10KB\"",
        "pacer = { kind = \"hull\", delay = \"1ms\", buffer = \"0B\" }",
        "link[0].pacer.buffer",
        "takes no packet",
    ),
    (
        "buffer = \"10KB\"",
        "pacer = { kind = \"hull_multi\", delays = [] }",
        "link[0].pacer.delays",
        "no class",
    ),
    (
        "buffer = \"10KB\"",
        "pacer = { kind = \"token_bucket\", rate = \"1Mbps\", burst = \"0B\" }",
        "link[0].pacer.burst",
        "never releases",
    ),
    (
        "buffer = \"10KB\"",
        "pacer = { kind = \"deadline_fraction\", delay = \"1ms\", percent = 101 }",
        "link[0].pacer.percent",
        "out of range",
    ),
    (
        "buffer = \"10KB\"",
        "pacer = { kind = \"rule_of_thumb\", utilisation = 0.5, d_max = \"2h\" }",
        "link[0].pacer.d_max",
        "beyond an hour",
    ),
    (
        "buffer = \"10KB\"",
        "pacer = { kind = \"hull\", delay = \"1ms\", share = 1.5 }",
        "link[0].pacer.share",
        "out of range",
    ),
    (
        "buffer = \"10KB\"",
        "pacer = { kind = \"hul\", delay = \"1ms\" }",
        "link[0].pacer.kind",
        "unknown value",
    ),
    (
        "buffer = \"10KB\"",
        "pacer = { kind = \"token_bucket\", rate = \"1Mbps\", burst = \"999B\" }",
        "flow[0].traffic.size",
        "never fits the 999B that the pacer of link core takes",
    ),
    (
        "buffer = \"10KB\"",
        "pacer = { kind = \"hull\", delay = \"1ms\", buffer = \"1B\" }",
        "flow[0].traffic.size",
        "never fits the 1B",
    ),
    (
        "stop = \"9s\"",
        "class = 70000",
        "flow[0].class",
        "out of range",
    ),
    ("to = \"2s\"", "to = \"1s\"", "output.packets.to", "empty"),
    ("[output]", "[outputs]", "outputs", "unknown key"),
    ("kind = \"cbr\", ", "", "flow[0].traffic.kind", "missing"),
    (
        "name = \"core\"",
        "name = \"co re\"",
        "link[0].name",
        "not a name",
    ),
];

#[test]
fn each_mistake_alone_is_one_problem() {
    for (line, by, path, part) in SLIPS {
        let text = changed(line, by);
        let all = problems(&text);
        assert!(all[0].message.contains(part), "{by}: {all:#?}");
        let paths: Vec<_> = all.iter().map(|p| p.path.as_str()).collect();
        assert_eq!(paths, [*path], "{by}: {all:#?}");
    }
}
