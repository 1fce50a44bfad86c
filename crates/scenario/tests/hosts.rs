//! Hosts: their mistakes, the links that get their properties, ties, and the warning of phases.

use pacesim_model::{Distribution, Model, Ties};
use pacesim_scenario::{Problem, Raw, load};
use pacesim_units::Capacity;

use crate::problems::only;

/// A star of four leaves around a hub, with one flow of this traffic and these keys.
fn star(keys: &str, traffic: &str) -> String {
    format!(
        r#"{keys}
run = {{ duration = "1s" }}
topology = {{ shape = "star", leaves = 4, link = {{ rate = "10Gbps", delay = "1us", buffer = "200KB" }} }}
[[flow]]
name = "f"
count = 3
from = "leaf[1..4]"
to = "leaf[0]"
traffic = {{ {traffic} }}
"#
    )
}

const LINUX: &str = r#"kind = "tcp", profile = "linux""#;
const NS2: &str = r#"kind = "tcp", window = "200pkts""#;
const CBR: &str = r#"kind = "cbr", rate = "8Gbps", size = "1500B""#;

fn model(text: &str) -> Model {
    load("star.toml", text, &[], &())
        .expect("a sound scenario")
        .expand(1, 0)
}

/// The greatest time to send of each link.
fn noise_ps(model: &Model) -> Vec<Option<f64>> {
    let of_link = |sends: &pacesim_model::host::HostSends| match sends.data {
        Distribution::Uniform { high, .. } => high,
        _ => panic!("the noise is uniform"),
    };
    let sends = model
        .links
        .iter()
        .map(|link| link.extras.host_sends.as_ref());
    sends.map(|sends| sends.map(of_link)).collect()
}

#[test]
fn hosts_have_a_noise_by_their_tcp_or_by_key_and_ties_are_drawn_beside_no_exact_flow() {
    let linux = model(&star("host = \"linux\"", LINUX));
    // Links to the hub, of which the first is the receiver's; then those back, which are the hub's.
    let noise = noise_ps(&linux);
    assert!(
        noise[..4]
            .iter()
            .all(|noise| noise.is_some_and(|ps| ps > 0.0)),
        "{noise:?}"
    );
    assert!(noise[4..].iter().all(Option::is_none), "{noise:?}");
    assert_eq!(linux.ties, Ties::Drawn);
    for (keys, traffic, ties) in [
        ("", NS2, Ties::ByNumber),
        ("", "kind = \"tcp\", profile = \"rfc\"", Ties::ByNumber),
        ("", CBR, Ties::Drawn),
        ("host = \"none\"", LINUX, Ties::Drawn),
    ] {
        let ideal = model(&star(keys, traffic));
        assert!(noise_ps(&ideal).iter().all(Option::is_none), "{traffic}");
        assert_eq!(ideal.ties, ties, "{traffic}");
    }
    let by_key = model(&star("", NS2).replace("\"1s\"", "\"1s\", ties = \"drawn\""));
    assert_eq!(by_key.ties, Ties::Drawn);
    let noisy = model(&star("host = \"linux\"", NS2));
    assert_eq!(noise_ps(&noisy), noise);
    let by_default = model(&star("", LINUX));
    assert_eq!(noise_ps(&by_default), noise);
}

/// A host with both sends as exactly as ns-2 does.
#[test]
fn beside_exact_tcp_a_host_is_ideal_by_default() {
    let other = "[[flow]]\nname = \"g\"\nfrom = \"leaf[1]\"\nto = \"leaf[0]\"\ntraffic = { kind = \"tcp\" }\n";
    let noise = noise_ps(&model(&(star("", LINUX) + other)));
    let is_noisy: Vec<bool> = noise[..4].iter().map(Option::is_some).collect();
    assert_eq!(is_noisy, [false, false, true, true]);
}

/// On slow lines the noise is a few microseconds, on fast ones a part of a packet's time.
#[test]
fn the_noise_follows_the_rate_of_fast_lines_only() {
    let at = |rate: &str| {
        let text = star("host = \"linux\"", LINUX).replace("10Gbps", rate);
        noise_ps(&model(&text))[1].expect("a noise")
    };
    assert_eq!(at("10Mbps"), at("100Mbps"));
    assert!((at("10Gbps") / at("100Gbps") - 10.0).abs() < 1e-6);
    assert_eq!(at("10Mbps"), 12e6, "a few microseconds");
    assert_eq!(at("10Gbps"), 1.2e6, "the time of a packet of 1500 bytes");
}

#[test]
fn one_group_of_nodes_may_have_hosts_of_its_own() {
    let text = r#"
run = { duration = "1s" }
node = [
    { name = "a", host = { send = "1us", answer = "0s", qdisc = "fifo" } },
    { name = "r" },
    { name = "b", host = { lumps = { every = "50us" }, stalls = { every = "1s", length = "5ms" } } },
]
link = [
    { name = "x", from = "a", to = "r", rate = "10Mbps", delay = "1ms", buffer = "5pkts" },
    { name = "y", from = "r", to = "b", rate = "10Mbps", delay = "1ms", buffer = "5pkts" },
]
flow = [{ name = "f", from = "a", to = "b", traffic = { kind = "tcp" } }]
"#;
    let model = model(text);
    let [x, y, y_back] = ["x", "y", "y.back"].map(|name| {
        let mut links = model.links.iter();
        links.find(|link| link.name == name).expect("a link")
    });
    assert_eq!(
        x.buffer.capacity,
        Capacity::Unlimited,
        "its host has a queue of its own"
    );
    assert_eq!(y.buffer.capacity, Capacity::Packets(5));
    assert!(x.extras.host_sends.is_some() && y_back.extras.host_sends.is_some());
    let arrivals = y.extras.host_arrivals.as_ref().expect("lumps");
    assert!(arrivals.lumps.is_some() && arrivals.stalls.is_some());
    assert!(x.extras.host_arrivals.is_none() && y.extras.host_sends.is_none());
    let written = load("x.toml", text, &[], &())
        .expect("sound")
        .scenario()
        .to_toml();
    let again = load("x.toml", &written, &[], &()).expect("what is written is read");
    assert_eq!(again.scenario().to_toml(), written);
}

#[test]
fn mistakes_have_their_place_and_a_remedy() {
    let of_nodes = |host: &str| {
        format!(
            "run = {{ duration = \"1s\" }}\nnode = [{{ name = \"a\" }}, {{ name = \"r\", host = {host} }}, {{ name = \"b\" }}]\nlink = [{{ name = \"x\", from = \"a\", to = \"r\", rate = \"10Mbps\" }}, {{ name = \"y\", from = \"r\", to = \"b\", rate = \"10Mbps\" }}]\nflow = [{{ name = \"f\", from = \"a\", to = \"b\", traffic = {{ kind = \"tcp\" }} }}]\n"
        )
    };
    let cases = [
        (
            of_nodes("\"linux\""),
            "node[1].host",
            "r has 2 links: it is a router",
        ),
        (
            star("host = { send = \"1ms\" }", LINUX),
            "host.send",
            "takes more than the round trip of f",
        ),
        (
            star("host = { answer = { exponential = \"50us\" } }", LINUX),
            "host.answer",
            "takes more than the round trip of f",
        ),
        (
            star(
                "host = { stalls = { every = \"1s\", length = \"2s\" } }",
                LINUX,
            ),
            "host.stalls.length",
            "longer than the run of 1s",
        ),
        (
            star(
                "host = { stalls = { every = \"0s\", length = \"2ms\" } }",
                LINUX,
            ),
            "host.stalls.every",
            "always stalls",
        ),
        (
            star("host = { lumps = { every = \"0s\" } }", LINUX),
            "host.lumps.every",
            "for no time",
        ),
        (star("host = \"linus\"", LINUX), "host", "linus"),
        (
            star("host = { send = { uniform = [\"2us\", \"1us\"] } }", LINUX),
            "host.send",
            "above the high end",
        ),
    ];
    for (text, path, message) in cases {
        let problem = only(&text);
        assert_eq!(problem.path, path, "{problem}");
        assert!(problem.message.contains(message), "{problem}");
        assert!(problem.help.is_some() && problem.line > 0, "{problem}");
    }
}

#[test]
fn stalls_too_many_to_draw_are_refused() {
    let text = |every: &str| {
        let host = format!("host = {{ stalls = {{ every = \"{every}\", length = \"2ps\" }} }}");
        star(&host, LINUX)
    };
    let problem = only(&text("99ns"));
    assert_eq!(problem.path, "host.stalls.every", "{problem}");
    let message = "more than 10000000 in the run of 1s";
    assert!(problem.message.contains(message), "{problem}");
    let help = problem.help.as_deref().expect("a remedy");
    assert!(help.starts_with("give 100ns or more"), "{problem}");
    model(&text("100ns"));
}

#[test]
fn lumps_need_a_receiver() {
    let text = r#"
run = { duration = "1s" }
node = [{ name = "a", host = { lumps = { every = "50us" } } }, { name = "b" }]
link = [{ name = "x", from = "a", to = "b", rate = "10Mbps" }]
flow = [{ name = "f", from = "a", to = "b", traffic = { kind = "cbr", rate = "1Mbps", size = "1KB" } }]
"#;
    let problem = only(text);
    assert_eq!(problem.path, "node[0].host.lumps", "{problem}");
    let tcp = text.replace(
        "kind = \"cbr\", rate = \"1Mbps\", size = \"1KB\"",
        "kind = \"tcp\"",
    );
    model(&tcp);
}

fn warnings(text: &str) -> Vec<Problem> {
    let raw = Raw::parse("x.toml", text);
    let checked = raw.check(&()).expect("nothing is wrong");
    let all = raw.warnings(&checked).into_iter();
    all.filter(|warning| warning.kind == "exact_phases")
        .collect()
}

#[test]
fn inputs_that_keep_step_with_their_port_are_told() {
    for (keys, traffic) in [("", CBR), ("", NS2), ("host = \"none\"", LINUX)] {
        let found = warnings(&star(keys, traffic));
        let [warning] = &found[..] else {
            panic!("{traffic}: {found:?}");
        };
        assert_eq!(warning.path, "topology.link.buffer", "{warning}");
        let message = "all inputs of spoke.back[0] have its rate, 10Gbps, and nothing is random";
        assert!(warning.message.starts_with(message), "{warning}");
        assert!(warning.help.is_some());
    }
}

/// Eight flows behind such ports had a Jain's index of .13 without a word.
#[test]
fn phases_that_are_drawn_once_are_told_where_they_last() {
    let is_told = |keys: &str, traffic: &str, rules: &[(&str, &str)]| {
        let text = rules.iter().fold(star(keys, traffic), |text, (from, to)| {
            assert!(text.contains(from), "{from}");
            text.replace(from, to)
        });
        let found = warnings(&text);
        found.first().is_some_and(|warning| {
            assert!(
                warning.message.contains("what is drawn is drawn once"),
                "{warning}"
            );
            true
        })
    };
    let delay = |range: &'static str| [("delay = \"1us\"", range)];
    let short = delay("delay = { uniform = [\"1us\", \"3us\"] }");
    let start = [(
        "count = 3",
        "count = 3\nstart = { uniform = [\"0s\", \"10ms\"] }",
    )];
    for (keys, traffic) in [("", NS2), ("host = \"none\"", LINUX), ("", CBR)] {
        assert!(is_told(keys, traffic, &short), "{keys} {traffic}");
        assert!(is_told(keys, traffic, &start), "{keys} {traffic}");
    }
    assert!(!is_told("", LINUX, &short), "noise ends them");
    // The buffer drains in 160 us, and a round trip is four delays.
    let long = |ms: &str| format!("delay = {{ uniform = [\"{ms}ms\", \"0.9ms\"] }}");
    let within = long("0.7");
    assert!(is_told("", NS2, &[("delay = \"1us\"", &within)]));
    let beyond = long("0.85");
    assert!(!is_told("", NS2, &[("delay = \"1us\"", &beyond)]));
    let rate = [(
        "rate = \"10Gbps\"",
        "rate = { uniform = [\"10Gbps\", \"10.001Gbps\"] }",
    )];
    assert!(!is_told("", NS2, &rate), "drawn rates drift apart");
}

/// Delays of a path that add up to more than any time: a debug build panicked. They are no short round
/// trip, at which phases that are drawn once would last.
#[test]
fn round_trips_beyond_all_times_are_long() {
    let is_told =
        |delay: &str| !warnings(&star("", NS2).replace("delay = \"1us\"", delay)).is_empty();
    assert!(is_told("delay = \"9223372s\""));
    assert!(!is_told(
        "delay = { uniform = [\"9223371s\", \"9223372s\"] }"
    ));
}

#[test]
fn windows_that_fit_in_the_buffer_lose_nothing() {
    let small = "kind = \"tcp\", window = \"60pkts\"";
    let large = "kind = \"tcp\", window = \"80pkts\"";
    assert!(warnings(&star("", small)).is_empty());
    assert!(!warnings(&star("", large)).is_empty());
}

#[test]
fn ports_of_a_shared_memory_have_phases_too() {
    let text = star("", NS2).replace("buffer = \"200KB\"", "buffer = \"unlimited\"");
    assert!(warnings(&text).is_empty());
    let memory = "[[switch]]\nnodes = [\"hub\"]\nmemory = \"200KB\"\nalpha = 1.0\n";
    assert!(!warnings(&(text + memory)).is_empty());
}

#[test]
fn noise_or_a_faster_input_or_room_for_all_is_no_phase() {
    let poisson = "kind = \"poisson\", rate = \"8Gbps\", size = \"1500B\"";
    let few = "kind = \"cbr\", rate = \"3Gbps\", size = \"1500B\"";
    let jitter = "delay = \"1us\", jitter = { exponential = \"1ps\" }";
    for text in [
        star("", LINUX),
        star("host = \"linux\"", LINUX),
        star("host = \"linux\"", NS2),
        star("", poisson),
        star("", few),
        star("", CBR).replace("delay = \"1us\"", jitter),
        star("", CBR).replace("buffer = \"200KB\"", "buffer = \"unlimited\""),
        star("", CBR).replace(
            "buffer = \"200KB\"",
            "buffer = \"200KB\", discipline = { kind = \"codel\" }",
        ),
    ] {
        assert!(warnings(&text).is_empty(), "{text}: {:?}", warnings(&text));
    }
}

/// Round trips of 20 and 80 ms are 0.8 ms modulo the 1.2 ms of a packet at 10 Mbps.
#[test]
fn round_trips_that_coincide_modulo_a_packet_are_told() {
    let text = |far: &str| {
        format!(
            r#"
host = "none"
run = {{ duration = "10s" }}
node = [{{ name = "s", count = 2 }}, {{ name = "L" }}, {{ name = "R" }}, {{ name = "d", count = 2 }}]
link = [
    {{ name = "near", from = "s[0]", to = "L", rate = "1Gbps", delay = "9ms" }},
    {{ name = "far", from = "s[1]", to = "L", rate = "1Gbps", delay = "{far}" }},
    {{ name = "core", from = "L", to = "R", rate = "10Mbps", delay = "1ms", buffer = "50pkts" }},
    {{ name = "exit", from = "R", to = "d", rate = "1Gbps", delay = "0s" }},
]
flow = [{{ name = "f", count = 2, from = "s", to = "d", traffic = {{ kind = "tcp", profile = "linux", payload = "1448B", header = "52B" }} }}]
"#
        )
    };
    let found = warnings(&text("39ms"));
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].path, "link[2].buffer");
    assert!(
        found[0].message.contains("differ by whole packets' times"),
        "{}",
        found[0]
    );
    assert!(warnings(&text("39.15ms")).is_empty());
}
