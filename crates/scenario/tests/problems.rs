//! All mistakes of a scenario are reported at once, each at its place.

use pacesim_scenario::{Problem, Raw, load};

fn problems(text: &str) -> Vec<Problem> {
    load("test.toml", text, &[], &())
        .expect_err("a scenario with mistakes")
        .0
}

/// The only problem of a text.
fn only(text: &str) -> Problem {
    let all = problems(text);
    assert_eq!(all.len(), 1, "{all:#?}");
    all.into_iter().next().expect("one")
}

/// A valid scenario of one link, with one line replaced.
fn changed(line: &str, by: &str) -> String {
    let sound = SOUND.to_owned();
    assert!(sound.contains(line), "{line}");
    sound.replacen(line, by, 1)
}

const SOUND: &str = r#"
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

const MISTAKES: &str = r#"title = "Twelve"
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
const TOLD: &[(usize, usize, &str, &str, &str)] = &[
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
const SLIPS: &[(&str, &str, &str, &str)] = &[
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

#[test]
fn a_flow_without_a_path_is_reported() {
    let text = changed("to = \"b\"\nrate", "to = \"c\"\nrate") + "[[node]]\nname = \"c\"\n";
    let problem = only(&text);
    assert_eq!(problem.path, "flow[0].to");
    assert!(
        problem.message.contains("no path from a[0] to b"),
        "{problem}"
    );
    // One-way links lead in their own direction only.
    let back = changed("buffer = \"10KB\"", "duplex = false").replace(
        "from = \"a\"\nto = \"b\"\nstop",
        "from = \"b\"\nto = \"a\"\nstop",
    );
    assert!(
        only(&back).message.contains("no path from b to a[0]"),
        "{}",
        only(&back).message
    );
}

#[test]
fn a_slip_in_a_topology_hides_nothing_else() {
    let text = r#"
run = { duration = "1s" }
[topology]
shape = "dumbbell"
pairs = 2
access = { rate = "10" }
bottleneck = { rate = "1Mbps", buffer = "999B" }
[[node]]
name = "lonely"
[[flow]]
name = "f"
from = "left"
to = "right"
traffic = { kind = "cbr", rate = "1Mbps", size = "1KB" }
[[flow]]
name = "g"
from = "left[0]"
to = "lonely"
traffic = { kind = "cbr", rate = "1Mbps", size = "1B" }
[[flow]]
name = "h"
from = "left[2]"
to = "right[0]"
traffic = { kind = "cbr", rate = "1Mbps", size = "1B" }
"#;
    let all = problems(text);
    let paths: Vec<_> = all.iter().map(|p| p.path.as_str()).collect();
    let expected = [
        "topology.access.rate",
        "flow[0].traffic.size",
        "flow[1].to",
        "flow[2].from",
    ];
    assert_eq!(paths, expected, "{all:#?}");
}

#[test]
fn what_refers_to_a_misunderstood_entry_is_not_told_again() {
    for (line, by) in [
        ("name = \"a\"", "nmae = \"a\""),
        ("count = 4", "count = \"four\""),
        ("name = \"core\"", "name = \"co re\""),
        (
            "from = \"a\"\nto = \"b\"\nrate",
            "form = \"a\"\nto = \"b\"\nrate",
        ),
        ("[[flow]]\nname = \"f\"", "[[flow]]\nname = 5"),
    ] {
        only(&changed(line, by));
    }
}

#[test]
fn a_class_without_a_delay_is_reported() {
    let text = changed("stop = \"9s\"", "class = 2").replace(
        "buffer = \"10KB\"",
        "pacer = { kind = \"hull_multi\", delays = [\"1ms\", \"2ms\"] }",
    );
    let problem = only(&text);
    assert_eq!(problem.path, "link[0].pacer.delays");
    assert!(
        problem.message.contains("class 2 has no delay"),
        "{problem}"
    );
}

#[test]
fn a_pacer_must_fit_the_slowest_line() {
    let paced = |rate: &str| {
        changed(
            "rate = \"10Mbps\"\nbuffer = \"10KB\"",
            &format!(
                "rate = {rate}\npacer = {{ kind = \"qlbp\", mu_max = \"8Mbps\", q_max = \"9pkts\" }}"
            ),
        )
    };
    load(
        "test.toml",
        &paced("{ uniform = [\"8Mbps\", \"9Mbps\"] }"),
        &[],
        &(),
    )
    .expect("it fits");
    assert!(
        only(&paced("{ uniform = [\"7Mbps\", \"9Mbps\"] }"))
            .message
            .contains("8Mbps > 7Mbps"),
        "{}",
        only(&paced("{ uniform = [\"7Mbps\", \"9Mbps\"] }")).message
    );
    assert!(
        only(&paced("{ exponential = \"9Mbps\" }"))
            .message
            .contains("without a least"),
        "{}",
        only(&paced("{ exponential = \"9Mbps\" }")).message
    );
}

/// These were accepted, and ended the run when it was built.
#[test]
fn a_pacer_that_is_impossible_before_any_line_is_refused_whatever_the_lines() {
    for (pacer, key) in [
        (
            "d_max = \"1ms\", mu_max = \"1kbps\", q_max = \"9pkts\"",
            "d_max",
        ),
        (
            "d_max = \"1s\", mu_max = \"1Mbps\", q_max = \"9KB\", q_lim = \"5KB\"",
            "q_max",
        ),
    ] {
        let problem = only(&changed(
            "rate = \"10Mbps\"\nbuffer = \"10KB\"",
            &format!(
                "rate = {{ exponential = \"9Mbps\" }}\npacer = {{ kind = \"qlbp09\", {pacer} }}"
            ),
        ));
        assert!(
            problem.path.ends_with(&format!("pacer.{key}")),
            "{problem:?}"
        );
    }
}

/// The rule's Q_max grows with the line, so the fastest must fit its q_lim.
#[test]
fn a_rules_queue_must_fit_the_fastest_line() {
    let paced = |q_lim: &str| {
        changed(
            "rate = \"10Mbps\"\nbuffer = \"10KB\"",
            &format!(
                "rate = {{ uniform = [\"10Mbps\", \"100Mbps\"] }}\npacer = {{ kind = \"rule_of_thumb\", utilisation = 0.5, d_max = \"4ms\", q_lim = \"{q_lim}\" }}"
            ),
        )
    };
    load("test.toml", &paced("38KB"), &[], &())
        .expect("it fits")
        .expand(1, 0);
    let problem = only(&paced("10KB"));
    assert!(problem.message.contains("37.5KB > 10KB"), "{problem}");
}

/// The third entry names a flow that does not exist; the first two have other mistakes, and must
/// neither be reported twice nor move the third.
#[test]
fn a_wrong_drop_is_told_once_and_moves_no_other() {
    for (first, path, part) in [
        ("{ paket = 5 }", ".paket", "unknown key"),
        ("{ packet = 0 }", ".packet", "out of range"),
        ("{ seq = 7 }", "", "not clear"),
        ("{ packet = 5, flow = \"f\" }", "", "not clear"),
        ("{}", "", "not clear"),
        ("5", "", "not accepted"),
    ] {
        let drops = format!("rate = \"10Mbps\"\ndrops = [{first}, {{ flow = \"g\", seq = 7 }}]");
        let all = problems(&changed("rate = \"10Mbps\"", &drops));
        let paths: Vec<_> = all.iter().map(|p| p.path.clone()).collect();
        let expected = [
            format!("link[0].drops[0]{path}"),
            "link[0].drops[1].flow".to_owned(),
        ];
        assert_eq!(paths, expected, "{first}: {all:#?}");
        assert!(all[0].message.contains(part), "{all:#?}");
    }
}

/// The message used to be "this makes 1 nodes, more than a run can hold".
#[test]
fn too_many_of_all_groups_together_are_counted_together() {
    let text = changed("name = \"b\"", "name = \"b\"\ncount = 9_999_997");
    let problem = only(&text);
    assert_eq!(problem.path, "node[1].count");
    let message = "with this group there are 10000001 nodes, more than a run can hold";
    assert_eq!(problem.message, message);
}

/// The message used to list keys that "cbr" lacks, though none was requested.
#[test]
fn an_unknown_kind_is_told_with_the_kinds_there_are_and_nothing_else() {
    let bbr = "traffic = { kind = \"bbr\", variant = \"sack\", window = \"9pkts\" }";
    let cbr = "traffic = { kind = \"cbr\", rate = \"1Mbps\", size = \"1KB\" }";
    let problem = only(&changed(cbr, bbr));
    assert_eq!(problem.path, "flow[0].traffic.kind");
    let help = problem.help.expect("a list");
    let list = "valid here: cbr, poisson, bulks, on_off, fractional_noise, sessions, pareto_on_off, recorded, video, tcp";
    assert!(help.to_lowercase().contains(list), "{help}");
}

/// The TOML reader takes "1_000ms" for a number.
#[test]
fn a_number_with_a_unit_that_begins_with_thousands_is_a_text() {
    let options = ["run.duration=1_000ms", "run.warmup=0.000_5s"];
    let checked = load("test.toml", SOUND, &options, &()).expect("nothing is wrong");
    let run = checked.scenario().run;
    assert_eq!(
        (run.duration.to_string(), run.warmup.to_string()),
        ("1s".into(), "500us".into())
    );
    let all = problems(&changed("duration = \"10s\"", "duration = 1_000ms"));
    assert_eq!((all.len(), all[0].line), (1, 3), "{all:#?}");
    assert!(all[0].message.starts_with("not TOML"), "{all:#?}");
}

/// The text of a file given by mistake, or on purpose, is never shown.
#[test]
fn a_file_that_is_no_scenario_is_not_repeated() {
    for text in [
        "TOKEN=hunter2\n",
        "hunter2:x:0:0\n",
        "[package]\nhunter2 = \"hunter2\"\n",
        "hunter2",
    ] {
        let raw = Raw::parse("test.toml", text);
        let all = raw.check(&()).expect_err("no scenario").0;
        assert_eq!(all.len(), 1, "{all:#?}");
        assert!(
            all[0].message.starts_with("this is not a scenario"),
            "{all:#?}"
        );
        assert!(!all[0].to_string().contains("hunter2"), "{all:#?}");
        assert_eq!(raw.text_of("test.toml"), None);
    }
    let raw = Raw::parse_bytes("test.toml", b"hunter2\n\xff");
    assert_eq!(raw.text_of("test.toml"), None);
    // A misspelling is not another file.
    let slip = Raw::parse("test.toml", "[runn]\nduration = \"1s\"\n");
    assert!(slip.text_of("test.toml").is_some());
}

#[test]
fn the_header_of_another_file_is_not_repeated() {
    for (traffic, file) in [
        ("{ kind = \"recorded\", file = \"x\" }", "hunter2:x:0:0\n"),
        ("{ kind = \"recorded\", file = \"x\" }", "hunter2,t_s\n"),
    ] {
        let cbr = "{ kind = \"cbr\", rate = \"1Mbps\", size = \"1KB\" }";
        let files = |_: &str| Ok(file.to_owned());
        let text = changed(cbr, traffic);
        let all = load("test.toml", &text, &[], &files)
            .expect_err("no recording")
            .0;
        assert!(all[0].message.contains("no column of"), "{all:#?}");
        assert!(!all[0].to_string().contains("hunter2"), "{all:#?}");
    }
    let list = r#"
run = { duration = "1s" }
topology = { shape = "edge_list", file = "x", link = { rate = "1Mbps" } }
"#;
    let files = |_: &str| Ok("hunter2:x:0:0\n".to_owned());
    let all = load("test.toml", list, &[], &files).expect_err("no list").0;
    assert!(
        !all.iter().any(|p| p.to_string().contains("hunter2")),
        "{all:#?}"
    );
}

#[test]
fn a_delay_of_an_edge_list_that_cannot_be_is_named_with_file_and_link() {
    let list = r#"
run = { duration = "1s" }
topology = { shape = "edge_list", file = "ring.csv", link = { rate = "1Mbps" } }
"#;
    let files = |_: &str| Ok("a,b,km,delay_ms\n7,8,1,1\n8,9,1,9999999999\n".to_owned());
    let all = load("test.toml", list, &[], &files)
        .expect_err("no delay")
        .0;
    let mut of_file = all.iter().filter(|problem| problem.path == "topology.file");
    let problem = of_file.next().expect("one of the file");
    let said = "router[1] to router[2] in \"ring.csv\" has a delay of 9999999.999s";
    assert!(problem.message.contains(said), "{problem}");
}

/// Node b[1] is unconnected; the destination of a random flow depends on the seed.
#[test]
fn every_end_that_random_pairs_may_draw_needs_a_path() {
    let text = |link: &str, traffic: &str| {
        format!(
            r#"
run = {{ duration = "1s", seed = 3 }}
node = [{{ name = "a" }}, {{ name = "b", count = 2 }}]
link = [{{ name = "l", rate = "1Mbps", {link} }}]
[[flow]]
name = "f"
count = 1
from = "a"
to = "b"
pair = "random"
traffic = {{ {traffic} }}
"#
        )
    };
    let cbr = r#"kind = "cbr", rate = "1kbps", size = "1KB""#;
    let problem = only(&text(r#"from = "a", to = "b[0]""#, cbr));
    assert_eq!(problem.path, "flow[0].to");
    assert!(
        problem.message.contains("no path from a to b[1]"),
        "{problem}"
    );
    let all = r#"from = "a", to = "b", duplex = false"#;
    load("test.toml", &text(all, cbr), &[], &()).expect("both have a path");
    let problem = only(&text(all, r#"kind = "tcp""#));
    assert_eq!(problem.path, "flow[0].from");
    assert!(
        problem.message.contains("no path back from b[0] to a"),
        "{problem}"
    );
}

/// Packets must fit the buffers on every path that random pairs may draw.
#[test]
fn every_way_that_random_pairs_may_draw_must_take_the_packets() {
    for seed in 1..6 {
        let text = format!(
            r#"
run = {{ duration = "1s", seed = {seed} }}
node = [{{ name = "a" }}, {{ name = "b", count = 9 }}]
[[link]]
name = "l"
from = "a"
to = "b[0..8]"
rate = "1Mbps"
[[link]]
name = "m"
from = "a"
to = "b[8]"
rate = "1Mbps"
buffer = "999B"
[[flow]]
name = "f"
count = 1
from = "a"
to = "b"
pair = "random"
traffic = {{ kind = "cbr", rate = "1kbps", size = "1KB" }}
"#
        );
        let problem = only(&text);
        assert_eq!(problem.path, "flow[0].traffic.size");
        assert!(problem.message.contains("never fits"), "{problem}");
    }
}

#[test]
fn characters_that_nobody_sees_are_refused_in_titles() {
    for (text, code) in [
        ("a\\u202Eb", "U+202E"),
        ("a\\u0007b", "U+0007"),
        ("a\\u2066b", "U+2066"),
    ] {
        let problem = only(&format!("title = \"{text}\"\n{SOUND}"));
        assert_eq!(
            (problem.path.as_str(), problem.line),
            ("title", 1),
            "{text}"
        );
        assert!(problem.message.contains(code), "{}", problem.message);
    }
    let german = format!("title = \"Puffer für Größen, µs\"\n{SOUND}");
    assert!(
        load("test.toml", &german, &[], &()).is_ok(),
        "letters of any language are fine"
    );
}

#[test]
fn mistakes_in_a_discipline_are_reported_at_their_keys() {
    let of = |keys: &str| {
        let text = changed("buffer = \"10KB\"", &format!("buffer = \"10KB\"\n{keys}"));
        let problem = only(&text);
        assert!(
            !problem.help.unwrap_or_default().is_empty(),
            "a remedy for {keys}"
        );
        (problem.path, problem.line)
    };
    let mistakes = [
        (
            "discipline = { kind = \"fq_codel\", quantum = \"0B\" }",
            "quantum",
        ),
        (
            "discipline = { kind = \"drr\", quantum = \"0B\" }",
            "quantum",
        ),
        (
            "discipline = { kind = \"codel\", target = \"0s\" }",
            "target",
        ),
        (
            "discipline = { kind = \"codel\", interval = \"0s\" }",
            "interval",
        ),
        (
            "discipline = { kind = \"red\", min_th = \"15pkts\", max_th = \"5pkts\" }",
            "min_th",
        ),
        (
            "discipline = { kind = \"red\", min_th = \"5pkts\", max_th = \"15KB\" }",
            "max_th",
        ),
        (
            "discipline = { kind = \"tbf\", rate = \"1Mbps\", burst = \"0B\" }",
            "burst",
        ),
        ("discipline = { kind = \"cobel\" }", "kind"),
    ];
    for (keys, key) in mistakes {
        assert_eq!(
            of(keys),
            (format!("link[0].discipline.{key}"), 19),
            "{keys}"
        );
    }
    let step = "mark = \"5pkts\"\ndiscipline = { kind = \"codel\" }";
    assert_eq!(of(step), ("link[0].mark".to_owned(), 19));
}

/// The place, the message and the remedy of the only problem.
fn told(problem: &Problem) -> (usize, &str, &str, &str) {
    let help = problem.help.as_deref().unwrap_or_default();
    (problem.line, &problem.path, &problem.message, help)
}

#[test]
fn mistakes_in_disciplines_name_their_line_their_key_and_a_remedy() {
    let a_turn = "give the bytes that a flow may send at its turn, as \"1514B\"";
    let none = "with a quantum of 0 no flow ever has a turn";
    let quantum = "link[0].discipline.quantum";
    let cases = [
        (
            "{ kind = \"drr\", quantum = \"0B\" }",
            quantum,
            none,
            a_turn,
        ),
        (
            "{ kind = \"fq_codel\", quantum = \"0B\" }",
            quantum,
            none,
            a_turn,
        ),
        ("{ kind = \"fq\", quantum = \"0B\" }", quantum, none, a_turn),
        (
            "{ kind = \"red\", min_th = \"15pkts\", max_th = \"5pkts\" }",
            "link[0].discipline.min_th",
            "min_th = 15pkts is not below max_th = 5pkts",
            "give a max_th above min_th: three times it is common",
        ),
        (
            "{ kind = \"red\", min_th = \"5pkts\", max_th = \"15KB\" }",
            "link[0].discipline.max_th",
            "15KB and min_th = 5pkts have no common unit",
            "give both in packets or both in bytes",
        ),
        (
            "{ kind = \"codel\", target = \"0s\" }",
            "link[0].discipline.target",
            "target is 0",
            "give a time above 0, or leave the key out for the reference's own",
        ),
        (
            "{ kind = \"tbf\", rate = \"1Mbps\", burst = \"0B\" }",
            "link[0].discipline.burst",
            "a bucket of 0 bytes never lets a packet go",
            "give at least the largest packet's size",
        ),
        (
            "{ kind = \"dualpi2\", step = \"2ms\", step_pkts = 5 }",
            "link[0].discipline.step_pkts",
            "step_pkts = 5 stands in place of step = \"2ms\"",
            "keep one of the two: step marks by time, step_pkts by packets left behind",
        ),
    ];
    for (discipline, key, message, help) in cases {
        let buffer = "buffer = \"10KB\"";
        let problem = only(&changed(
            buffer,
            &format!("{buffer}\ndiscipline = {discipline}"),
        ));
        assert_eq!(told(&problem), (19, key, message, help));
    }
}

#[test]
fn a_buffer_below_one_packet_is_a_problem_before_a_discipline_too() {
    let small = "buffer = \"500B\"\ndiscipline = { kind = \"codel\" }";
    let problem = only(&changed("buffer = \"10KB\"", small));
    let message = "a packet of 1KB never fits the 500B of link core: all would be dropped";
    let help = "give smaller packets or a larger buffer";
    assert_eq!(told(&problem), (26, "flow[0].traffic.size", message, help));
}

#[test]
fn a_discipline_that_never_lets_a_packet_go_is_a_problem() {
    let cases = [
        (
            "{ kind = \"tbf\", rate = \"1Mbps\", burst = \"999B\" }",
            "999B",
        ),
        ("{ kind = \"departure_limit\", limit = \"500B\" }", "500B"),
    ];
    for (discipline, most) in cases {
        let keys = format!("buffer = \"10KB\"\ndiscipline = {discipline}");
        let problem = only(&changed("buffer = \"10KB\"", &keys));
        let message = format!(
            "a packet of 1KB never fits the {most} that the discipline of link core lets go: all would be dropped"
        );
        let help = "give smaller packets, or the discipline a larger burst or limit";
        assert_eq!(
            told(&problem),
            (26, "flow[0].traffic.size", &*message, help)
        );
    }
    let burst =
        "buffer = \"10KB\"\ndiscipline = { kind = \"tbf\", rate = \"1Mbps\", burst = \"1KB\" }";
    let text = changed("buffer = \"10KB\"", burst);
    assert!(load("test.toml", &text, &[], &()).is_ok(), "it just fits");
}

#[test]
fn a_field_of_tcp_that_has_not_agreed_on_marks_is_a_problem() {
    let traffic = "traffic = { kind = \"cbr\", rate = \"1Mbps\", size = \"1KB\" }";
    let of = |tcp: &str| changed(traffic, &format!("ecn = \"ect1\"\ntraffic = {tcp}"));
    let problem = only(&of("{ kind = \"tcp\", profile = \"linux\" }"));
    let message = "the ends of its TCP connections have not agreed on ECN";
    let help = "give its traffic ecn = true (profile \"linux\"), or leave the field out";
    assert_eq!(told(&problem), (25, "flow[0].ecn", message, help));
    for agreed in [
        "{ kind = \"tcp\", profile = \"linux\", ecn = true }",
        "{ kind = \"tcp\", profile = \"linux\", control = \"dctcp\" }",
        "{ kind = \"tcp\", profile = \"linux\", others = { share = 0.5, ecn = true } }",
        "{ kind = \"cbr\", rate = \"1Mbps\", size = \"1KB\" }",
    ] {
        assert!(load("test.toml", &of(agreed), &[], &()).is_ok(), "{agreed}");
    }
    let problem = only(&changed(traffic, &format!("ecn = \"ce\"\n{traffic}")));
    assert_eq!(problem.path, "flow[0].ecn");
    let help = problem.help.unwrap_or_default();
    assert!(help.contains("ect0") && help.contains("ect1"), "{help}");
}

#[test]
fn an_echo_of_marks_without_ecn_is_a_problem() {
    let traffic = "traffic = { kind = \"cbr\", rate = \"1Mbps\", size = \"1KB\" }";
    let of = |keys: &str| {
        let tcp = format!("traffic = {{ kind = \"tcp\", {keys}, ecn_echo = \"accecn\" }}");
        changed(traffic, &tcp)
    };
    let problem = only(&of("profile = \"linux\""));
    let message = "there are no marks to echo without ECN";
    let help = "give ecn = true, or leave ecn_echo out";
    let path = "flow[0].traffic.ecn_echo";
    assert_eq!(told(&problem), (25, path, message, help));
    let problem = only(&of("profile = \"rfc\""));
    let message = "ecn_echo means something in profile linux only";
    let help = "leave it out, or give profile = \"linux\"";
    assert_eq!(told(&problem), (25, path, message, help));
    for agreed in ["ecn = true", "control = \"prague\""] {
        let text = of(&format!("profile = \"linux\", {agreed}"));
        assert!(load("test.toml", &text, &[], &()).is_ok(), "{agreed}");
    }
}

#[test]
fn a_line_with_a_discipline_cannot_change_to_a_rate_of_0() {
    let discipline = "buffer = \"10KB\"\ndiscipline = { kind = \"codel\" }";
    for (rate, message) in [
        ("\"0bps\"", "a rate of zero makes no sense here"),
        ("\"0.0Mbps\"", "a rate of zero makes no sense here"),
        ("0", "the bare number 0 has no unit"),
    ] {
        let event = format!("\n[[event]]\nat = \"5s\"\nlinks = [\"core\"]\nrate = {rate}\n");
        let problem = only(&(changed("buffer = \"10KB\"", discipline) + &event));
        let help = "write up = false in place of the rate, which takes the link down, and up = true where it comes back";
        assert_eq!(told(&problem), (34, "event[0].rate", message, help));
    }
}

#[test]
fn a_line_at_a_rate_of_0_is_down_by_an_event() {
    let line = "rate = \"10Mbps\"\n";
    let back = "rate = \"10Mbps\"\nback = { rate = \"0kbps\" }\n";
    for (keys, path) in [
        ("rate = \"0bps\"\n", "link[0].rate"),
        (back, "link[0].back.rate"),
    ] {
        let problem = only(&changed(line, keys));
        let help = problem.help.unwrap_or_default();
        assert_eq!(problem.path, path);
        assert!(help.contains("up = false"), "{help}");
    }
    let down = "\n[[event]]\nat = \"0s\"\nlinks = [\"core\"]\nup = false\n";
    let text = changed(line, line) + down;
    assert!(load("test.toml", &text, &[], &()).is_ok(), "the remedy");
    let of_a_flow = only(&changed("rate = \"1Mbps\"", "rate = \"0Mbps\""));
    let help = of_a_flow.help.unwrap_or_default();
    assert!(!help.contains("up = false"), "a flow is no line: {help}");
}
