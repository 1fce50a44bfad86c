//! Mistakes in disciplines and marks.

use pacesim_scenario::{Problem, load};

use crate::problems::{changed, only};

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
fn a_size_of_bursts_without_offload_is_a_problem() {
    let traffic = "traffic = { kind = \"cbr\", rate = \"1Mbps\", size = \"1KB\" }";
    let of = |keys: &str| {
        let tcp = format!(
            "traffic = {{ kind = \"tcp\", profile = \"linux\"{keys}, gso_by_rtt = false }}"
        );
        changed(traffic, &tcp)
    };
    let problem = only(&of(""));
    let message = "there are no bursts without segmentation offload";
    let help = "give gso = true, or leave gso_by_rtt out";
    assert_eq!(
        told(&problem),
        (25, "flow[0].traffic.gso_by_rtt", message, help)
    );
    assert!(load("test.toml", &of(", gso = true"), &[], &()).is_ok());
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
