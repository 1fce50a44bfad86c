//! Switches that pause their inputs, and RDMA senders: mistakes, and warnings.

use pacesim_scenario::{Raw, load};

use crate::problems;

const BURST: &str = r#"
run = { duration = "1ms" }
[topology]
shape = "star"
leaves = 4
link = { rate = "25Gbps", delay = "1us" }
[[switch]]
nodes = ["hub"]
memory = "1MB"
pfc = {}
mark = { min = "100KB" }
[[flow]]
name = "f"
from = "leaf[1..4]"
to = "leaf[0]"
traffic = { kind = "rdma", control = { kind = "dcqcn" }, transfer = "100KB" }
"#;

/// The file with one text in place of another.
fn changed(from: &str, to: &str) -> String {
    assert!(BURST.contains(from), "{from}");
    BURST.replace(from, to)
}

/// The message of the only problem.
fn only(text: &str) -> String {
    problems::only(text).message
}

/// The kind and the message of each warning.
fn warned(text: &str) -> Vec<String> {
    let raw = Raw::parse("burst.toml", text);
    let checked = raw.check(&()).expect("nothing is wrong");
    let warnings = raw.warnings(&checked).into_iter();
    warnings
        .map(|warning| format!("{}: {}", warning.kind, warning.message))
        .collect()
}

#[test]
fn the_file_itself_is_sound() {
    load("burst.toml", BURST, &[], &()).expect("it is sound");
    assert_eq!(warned(BURST), Vec::<String>::new());
}

#[test]
fn keys_of_memories_without_pauses_are_refused_beside_pauses() {
    for key in [
        "threshold = \"10KB\"",
        "class_alpha = [1.0]",
        "cell = \"254B\"",
        "rule = \"before\"",
        "frees = \"end\"",
    ] {
        let problem = only(&changed("pfc = {}", &format!("pfc = {{}}\n{key}")));
        assert!(problem.contains("without pauses"), "{problem}");
    }
}

#[test]
fn a_memory_full_of_headroom_is_refused_with_the_sum() {
    // 6250 B for the wire both ways, three packets of 1048 B, and 64 B of the frame, four times.
    let problem = only(&changed("memory = \"1MB\"", "memory = \"30KB\""));
    assert!(problem.contains("4 inputs of hub take"), "{problem}");
    assert!(problem.contains("leave nothing of 30KB"), "{problem}");
}

#[test]
fn pauses_need_a_way_back_and_headroom_that_is_known() {
    let drawn = changed(
        "delay = \"1us\"",
        "delay = { uniform = [\"1us\", \"9us\"] }",
    );
    assert!(only(&drawn).contains("is drawn"), "{}", only(&drawn));
    let given = drawn.replace("pfc = {}", "pfc = { headroom = \"60KB\" }");
    load("burst.toml", &given, &[], &()).expect("it is sound");
    let one_way = r#"
run = { duration = "1ms" }
[[node]]
name = "n"
count = 3
[[link]]
name = "in"
from = "n[0]"
to = "n[1]"
rate = "1Gbps"
duplex = false
[[link]]
name = "out"
from = "n[1]"
to = "n[2]"
rate = "1Gbps"
[[switch]]
nodes = ["n[1]"]
memory = "1MB"
pfc = {}
[[flow]]
name = "f"
from = "n[0]"
to = "n[2]"
traffic = { kind = "cbr", rate = "1Mbps", size = "1KB" }
"#;
    assert!(
        only(one_way).contains("no link leads back"),
        "{}",
        only(one_way)
    );
}

#[test]
fn classes_beyond_those_that_are_paused_are_refused() {
    let classes = changed("pfc = {}", "pfc = { classes = 2 }");
    let beyond = classes.replace("to = \"leaf[0]\"", "to = \"leaf[0]\"\nclass = 2");
    let problem = only(&beyond);
    assert!(problem.contains("not among the 2"), "{problem}");
}

#[test]
fn keys_that_a_variant_does_not_have_are_refused() {
    let dcqcn = "{ kind = \"dcqcn\" }";
    for (control, word) in [
        ("{ kind = \"hpcc\", least_rate = \"1Gbps\" }", "least_rate"),
        ("{ kind = \"hpcc\", rounded = true }", "rounded"),
        (
            "{ kind = \"timely\", variant = \"patched\", hyper = \"1Mbps\" }",
            "hyper",
        ),
        (
            "{ kind = \"dcqcn\", check_period = \"4us\" }",
            "check_period",
        ),
    ] {
        let problem = only(&changed(dcqcn, control));
        assert!(problem.contains(&format!("has no {word}")), "{problem}");
    }
    let sizes = changed(
        "transfer = \"100KB\"",
        "packet_size = \"48B\", ack_size = \"40B\"",
    );
    assert!(only(&sizes).contains("carries nothing"), "{}", only(&sizes));
    let answers = changed("transfer = \"100KB\"", "ack_size = \"2KB\"");
    assert!(
        only(&answers).contains("not the size of an answer"),
        "{}",
        only(&answers)
    );
}

#[test]
fn a_small_headroom_is_warned_of_with_the_number() {
    // 2 · 25 Gbps · 1 us = 6250 B, three packets of 1048 B, and a frame of 64 B.
    let small = changed("pfc = {}", "pfc = { headroom = \"9457B\" }");
    let [warning] = &warned(&small)[..] else {
        panic!("{:?}", warned(&small));
    };
    assert!(
        warning.contains("small_headroom") && warning.contains("9.458KB"),
        "{warning}"
    );
    let enough = changed("pfc = {}", "pfc = { headroom = \"9458B\" }");
    assert_eq!(warned(&enough), Vec::<String>::new());
}

#[test]
fn a_buffer_that_drops_at_a_lossless_switch_is_warned_of() {
    let limited = changed("delay = \"1us\"", "delay = \"1us\", buffer = \"100KB\"");
    let warnings = warned(&limited);
    assert!(
        warnings
            .iter()
            .any(|warning| warning.contains("lossy_port")),
        "{warnings:?}"
    );
}

#[test]
fn telemetry_that_no_port_adds_is_warned_of() {
    let hpcc =
        changed("kind = \"dcqcn\"", "kind = \"hpcc\"").replace("mark = { min = \"100KB\" }\n", "");
    assert_eq!(warned(&hpcc), Vec::<String>::new());
    let without = hpcc.replace(
        "[[switch]]\nnodes = [\"hub\"]\nmemory = \"1MB\"\npfc = {}\n",
        "",
    );
    let warnings = warned(&without);
    assert!(
        warnings
            .iter()
            .any(|warning| warning.contains("no_telemetry")),
        "{warnings:?}"
    );
}

#[test]
fn headroom_holds_the_rates_and_delays_that_events_set() {
    // At 100 Gbps and 3 us there and 1 us back, a packet of 1048 B and a frame of 64 B at 25 Gbps.
    let event =
        "[[event]]\nat = \"10us\"\nlinks = [\"spoke\"]\nrate = \"100Gbps\"\ndelay = \"3us\"\n";
    let needed = 2 * 1048 + 4 * (1048 + 64) + 50_000;
    let given = |bytes: u32| changed("pfc = {}", &format!("pfc = {{ headroom = \"{bytes}B\" }}"));
    let warnings = warned(&(given(needed - 1) + event));
    assert!(warnings[0].contains("small_headroom"), "{warnings:?}");
    assert_eq!(warned(&(given(needed) + event)), Vec::<String>::new());
    let full = changed("memory = \"1MB\"", "memory = \"200KB\"") + event;
    assert!(only(&full).contains("take 226.176KB"), "{}", only(&full));
}

#[test]
fn quanta_are_those_that_a_frame_can_state() {
    for quanta in ["0", "65536", "-1", "\"512\""] {
        let problem = only(&changed(
            "pfc = {}",
            &format!("pfc = {{ quanta = {quanta} }}"),
        ));
        assert!(!problem.is_empty());
    }
}

#[test]
fn pauses_that_end_before_their_renewal_are_warned_of() {
    // Two times 1048 and 64 B are 34.75 quanta.
    let quanta = |quanta: u32| changed("pfc = {}", &format!("pfc = {{ quanta = {quanta} }}"));
    let [warning] = &warned(&quanta(34))[..] else {
        panic!("{:?}", warned(&quanta(34)));
    };
    assert!(
        warning.contains("short_pauses") && warning.contains("34 quanta"),
        "{warning}"
    );
    assert_eq!(warned(&quanta(35)), Vec::<String>::new());
}

#[test]
fn frames_that_may_be_lost_are_warned_of_where_pauses_do_not_end() {
    let lossy = changed(
        "delay = \"1us\"",
        "delay = \"1us\", back = { loss = { bernoulli = 0.01 } }",
    );
    let warnings = warned(&lossy);
    assert!(
        warnings
            .iter()
            .any(|warning| warning.contains("endless_pauses")),
        "{warnings:?}"
    );
    let ends = lossy.replace("pfc = {}", "pfc = { quanta = 65535 }");
    assert_eq!(warned(&ends), Vec::<String>::new());
}
