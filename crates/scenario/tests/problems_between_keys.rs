//! Mistakes between keys and entries: paths, lines, pacers, files that a scenario names.

use pacesim_scenario::{Raw, load};

use crate::problems::{SOUND, changed, only, problems};

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
