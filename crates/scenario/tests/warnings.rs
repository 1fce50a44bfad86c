//! Warnings are about legal settings that are probably mistakes; they prevent nothing.

use pacesim_scenario::{Problem, Raw, templates};

const TWO_HOPS: &str = r#"
[run]
duration = "10s"

[topology]
shape = "tandem"
hops = 2
link = { rate = "10Mbps" }

[[flow]]
name = "f"
from = "node[0]"
to = "node[2]"
traffic = { kind = "cbr", rate = "12Mbps", size = "1KB" }
"#;

fn warnings(text: &str) -> Vec<Problem> {
    let raw = Raw::parse("x.toml", text);
    let checked = raw.check(&()).expect("nothing is wrong");
    raw.warnings(&checked)
}

fn changed(line: &str, by: &str) -> String {
    assert!(TWO_HOPS.contains(line), "{line}");
    TWO_HOPS.replacen(line, by, 1)
}

/// The second hop receives what the first can send, which equals its own rate.
#[test]
fn only_the_queue_that_grows_is_reported() {
    let reported = warnings(TWO_HOPS);
    assert_eq!(reported.len(), 1, "{reported:#?}");
    assert_eq!(reported[0].path, "topology.link.buffer");
    let message = "the queue of hop[0] grows without end: sources that never slow down \
                   send 12Mbps over its 10Mbps";
    assert_eq!(reported[0].message, message);
    assert_eq!((reported[0].line, reported[0].column), (8, 8));
}

#[test]
fn a_queue_that_ends_somewhere_is_not_reported() {
    for (line, by) in [
        (
            "rate = \"10Mbps\"",
            "rate = \"10Mbps\", buffer = \"20pkts\"",
        ),
        ("rate = \"12Mbps\"", "rate = \"10Mbps\""),
        (
            "[[flow]]\nname = \"f\"",
            "[[flow]]\nname = \"f\"\nstop = \"9s\"",
        ),
        (
            "kind = \"cbr\", rate = \"12Mbps\"",
            "kind = \"on_off\", peak = \"12Mbps\", mean_on = \"1s\", mean_off = \"1s\"",
        ),
    ] {
        assert_eq!(warnings(&changed(line, by)), [], "{by}");
    }
}

/// 6 Mbps from each of two; where they meet, 12 Mbps share 10.
#[test]
fn rates_add_up_where_flows_meet() {
    let text = r#"
run = { duration = "1s" }
topology = { shape = "star", leaves = 3, link = { rate = "10Mbps" } }
[[flow]]
name = "f"
from = "leaf[0..2]"
to = "leaf[2]"
traffic = { kind = "poisson", rate = "6Mbps", size = "1KB" }
"#;
    let reported = warnings(text);
    assert_eq!(reported.len(), 1, "{reported:#?}");
    assert!(
        reported[0].message.contains("the queue of spoke.back[2]"),
        "{reported:#?}"
    );
    assert!(
        reported[0].message.contains("12Mbps over its 10Mbps"),
        "{}",
        reported[0].message
    );
    // Behind a first hop that loses packets, the load is unknown.
    let lossy = text.replace(
        "rate = \"10Mbps\"",
        "rate = \"10Mbps\", loss = { bernoulli = 0.5 }",
    );
    assert_eq!(warnings(&lossy), []);
}

#[test]
fn a_flow_that_starts_when_the_run_ends_is_reported() {
    let late = changed("[[flow]]\nname", "[[flow]]\nstart = \"10s\"\nname");
    let reported = warnings(&late);
    assert_eq!(reported.len(), 1, "{reported:#?}");
    assert_eq!(
        (reported[0].path.as_str(), reported[0].line),
        ("flow[0].start", 11)
    );
    assert!(
        reported[0]
            .message
            .contains("starts at 10s, the run ends at 10s"),
        "{}",
        reported[0].message
    );
    assert_eq!(
        warnings(&late.replace("rate = \"12Mbps\"", "rate = \"1Mbps\"")).len(),
        1
    );
}

#[test]
fn a_buffer_that_nothing_uses_is_reported() {
    let spare = "\n[[node]]\nname = \"x\"\n[[link]]\nname = \"spare\"\nfrom = \"node[2]\"\nto = \"x\"\nrate = \"1Mbps\"\n";
    let calm = changed("rate = \"12Mbps\"", "rate = \"1Mbps\"") + spare;
    assert_eq!(warnings(&calm), []);
    let reported = warnings(&(calm + "buffer = \"5pkts\"\n"));
    assert_eq!(reported.len(), 1, "{reported:#?}");
    assert_eq!(reported[0].path, "link[0].buffer");
    assert!(
        reported[0].message.contains("no flow crosses spare"),
        "{}",
        reported[0].message
    );
}

/// Templates cause no warnings, with the seed of a second run too.
#[test]
fn no_template_is_warned_of() {
    for template in templates() {
        for seed in 1..20 {
            let mut raw = Raw::parse(template.name, template.text);
            raw.apply_sets(&[&format!("run.seed={seed}")]);
            let checked = raw.check(&()).expect("templates are sound");
            assert_eq!(raw.warnings(&checked), [], "{}, seed {seed}", template.name);
        }
    }
}

/// An editor would search for a schema that does not exist.
#[test]
fn no_template_points_to_a_file_that_is_not_there() {
    for template in templates() {
        assert!(!template.text.contains("#:schema"), "{}", template.name);
    }
}

/// A sender of Linux, and a queue with these keys on its path.
fn marking(keys: &str, ecn: bool) -> Vec<Problem> {
    let tcp = format!("{{ kind = \"tcp\", profile = \"linux\", ecn = {ecn} }}");
    let text = TWO_HOPS.replace("rate = \"10Mbps\"", &format!("rate = \"10Mbps\"\n{keys}"));
    let text = text
        .replace("link = {", "[topology.link]\n")
        .replace(" }\n\n[[flow]]", "\n[[flow]]");
    let traffic = "{ kind = \"cbr\", rate = \"12Mbps\", size = \"1KB\" }";
    assert!(text.contains(traffic), "{text}");
    let text = text.replace("duration = \"10s\"", "duration = \"10s\"\nwarmup = \"1s\"");
    warnings(&text.replace(traffic, &tcp))
}

#[test]
fn marks_that_no_flow_understands_are_reported_where_they_are_made() {
    let each = [
        ("mark = \"5pkts\"", "mark"),
        (
            "discipline = { kind = \"codel\", ecn = true }",
            "discipline",
        ),
        (
            "discipline = { kind = \"codel\", ce_threshold = \"1ms\" }",
            "discipline",
        ),
        (
            "discipline = { kind = \"fq_codel\", ecn = true }",
            "discipline",
        ),
        ("discipline = { kind = \"pie\", ecn = true }", "discipline"),
        (
            "discipline = { kind = \"red\", min_th = \"5pkts\", max_th = \"15pkts\", ecn = true }",
            "discipline",
        ),
        ("discipline = { kind = \"dualpi2\" }", "discipline"),
    ];
    for (keys, key) in each {
        let reported = marking(keys, false);
        assert_eq!(reported.len(), 1, "{keys}: {reported:#?}");
        let problem = &reported[0];
        assert_eq!(problem.path, format!("topology.link.{key}"));
        assert_eq!(problem.line, 11, "{keys}");
        assert_eq!(problem.message, "no flow over hop understands marks");
        let help = problem.help.as_deref().unwrap_or_default();
        assert!(help.contains("ecn = true"), "{help}");
        assert!(marking(keys, true).is_empty(), "{keys} with ecn");
    }
}

#[test]
fn a_source_whose_packets_may_be_marked_understands_marks() {
    let traffic = "traffic = { kind = \"cbr\", rate = \"9Mbps\", size = \"1KB\" }";
    let text = TWO_HOPS
        .replace(
            "rate = \"10Mbps\"",
            "rate = \"10Mbps\", discipline = { kind = \"dualpi2\" }",
        )
        .replace("12Mbps", "9Mbps");
    assert!(text.contains(traffic), "{text}");
    assert_eq!(warnings(&text).len(), 1, "nobody understands marks");
    let reported = warnings(&text.replace(traffic, &format!("ecn = \"ect1\"\n{traffic}")));
    assert!(reported.is_empty(), "{reported:#?}");
}

#[test]
fn a_queue_that_drops_needs_nobody_who_understands_marks() {
    for keys in [
        "buffer = \"10pkts\"",
        "discipline = { kind = \"codel\" }",
        "discipline = { kind = \"strict_priority\" }",
    ] {
        let reported = marking(keys, false);
        assert!(reported.is_empty(), "{keys}: {reported:#?}");
    }
}

#[test]
fn a_jitter_drawn_for_each_packet_is_no_size() {
    let rate = "rate = \"10Mbps\"";
    let jitter = format!("{rate}, buffer = \"10pkts\", jitter = {{ exponential = \"2ms\" }}");
    assert_eq!(warnings(&changed(rate, &jitter)), []);
    let large = r#"kind = "poisson", rate = "1Mbps", size = { exponential = "64KB" }"#;
    let cbr = r#"kind = "cbr", rate = "12Mbps", size = "1KB""#;
    let reported = warnings(&changed(cbr, large));
    assert_eq!(reported[0].path, "flow[0].traffic.size");
    assert!(
        reported[0]
            .message
            .contains("of the packets are larger than 64 KB")
    );
}

#[test]
fn a_mark_that_the_buffer_never_reaches_is_none() {
    let text = |queue: &str| {
        format!(
            r#"
run = {{ duration = "9s", warmup = "1s" }}
node = [{{ name = "a" }}, {{ name = "b" }}]
link = [{{ name = "core", from = "a", to = "b", rate = "10Mbps", delay = "5ms", {queue} }}]
flow = [{{ name = "f", from = "a", to = "b", traffic = {{ kind = "tcp", profile = "linux", control = "dctcp" }} }}]
"#
        )
    };
    let said = |queue: &str| {
        let found = warnings(&text(queue)).into_iter();
        let mut found = found.filter(|warning| warning.kind == "no_marks");
        found.next().map(|warning| warning.message)
    };
    for reached in [
        r#"buffer = "50pkts", mark = "49pkts""#,
        r#"buffer = "50KB", mark = "20pkts""#,
        r#"buffer = "50pkts", discipline = { kind = "red", min_th = "5pkts", max_th = "15pkts", ecn = true }"#,
    ] {
        assert_eq!(said(reached), None, "{reached}");
    }
    for unreached in [
        r#"buffer = "50pkts", mark = "50pkts""#,
        r#"buffer = "50KB", mark = "80KB""#,
        r#"buffer = "50pkts", discipline = { kind = "red", min_th = "60pkts", max_th = "90pkts", ecn = true }"#,
    ] {
        let said = said(unreached).expect(unreached);
        assert!(said.contains("the buffer of core is full before"), "{said}");
    }
}

/// A load of all hosts' links, over a core with a hundredth of their rate.
#[test]
fn transfers_that_a_link_on_their_way_cannot_carry_are_reported() {
    let text = |arrivals: &str| {
        format!(
            r#"
run = {{ duration = "10s" }}
[topology]
shape = "dumbbell"
pairs = 4
bottleneck = {{ rate = "10Mbps", delay = "1ms", buffer = "50pkts" }}
access = {{ rate = "250Mbps" }}
[[flow]]
name = "web"
from = "left"
to = "right"
traffic = {{ kind = "tcp", profile = "linux", transfers = {{ size = "100KB", connection = "new", arrivals = {arrivals} }} }}
"#
        )
    };
    let found = |arrivals: &str| -> Vec<(String, String)> {
        let all = warnings(&text(arrivals)).into_iter();
        let ours = all.filter(|problem| problem.message.contains("are offered to"));
        ours.map(|problem| (problem.path, problem.message))
            .collect()
    };
    let load = found(r#"{ kind = "poisson", load = 0.8, of = "access" }"#);
    assert_eq!(load.len(), 1, "{load:?}");
    assert_eq!(load[0].0, "flow[0].traffic.transfers.arrivals.of");
    let expected = "800Mbps are offered to core, which these flows cross, and it has 10Mbps";
    assert_eq!(load[0].1, expected);
    let every = found(r#"{ kind = "periodic", every = "10ms" }"#);
    assert_eq!(every[0].0, "flow[0].traffic.transfers.arrivals.every");
    for fine in [
        r#"{ kind = "poisson", load = 0.8, of = "core" }"#,
        r#"{ kind = "poisson", load = 1.2, of = "core" }"#,
        r#"{ kind = "users", every = "10ms" }"#,
        r#"{ kind = "periodic", every = "100ms" }"#,
    ] {
        assert_eq!(found(fine), [], "{fine}");
    }
}

#[test]
fn transfers_that_arrive_on_one_connection_are_reported_and_users_are_not() {
    let of = |traffic: &str| {
        let cbr = "{ kind = \"cbr\", rate = \"12Mbps\", size = \"1KB\" }";
        let traffic = format!("{{ kind = \"tcp\", transfers = {{ size = \"20KB\", {traffic} }} }}");
        let all = warnings(&changed(cbr, &traffic)).into_iter();
        let all = all.filter(|problem| problem.path.starts_with("flow[0].traffic"));
        all.map(|problem| (problem.path, problem.message))
            .collect::<Vec<_>>()
    };
    for kind in ["poisson", "periodic"] {
        let all = of(&format!(
            "arrivals = {{ kind = \"{kind}\", every = \"50ms\" }}"
        ));
        let [(path, message)] = &all[..] else {
            panic!("{all:#?}");
        };
        assert_eq!(path, "flow[0].traffic.transfers.connection");
        assert!(message.contains("waits behind it"), "{message}");
    }
    let poisson = "arrivals = { kind = \"poisson\", every = \"50ms\" }, connection = \"new\"";
    let users = "arrivals = { kind = \"users\", every = \"50ms\" }";
    assert_eq!(of(poisson), []);
    assert_eq!(of(users), []);
    assert_eq!(of("pause = \"50ms\""), []);
}
