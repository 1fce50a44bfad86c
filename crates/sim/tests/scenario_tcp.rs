//! TCP in the scenario language: keys, defaults, shares, mistakes, and a run.

use std::sync::Arc;

use pacesim::World;
use pacesim::model::{Load, Model, Tcp, Traffic};
use pacesim::scenario::{Problem, load};
use pacesim::tcp::{Amount, Config, Pacing, Profile, Variant};
use pacesim::units::{Bytes, Span};
use proptest::prelude::*;

/// Twenty flows over a tandem of two links, with these TCP keys.
fn text(keys: &str) -> String {
    format!(
        r#"
run = {{ duration = "20s" }}
topology = {{ shape = "tandem", hops = 2, link = {{ rate = "10Mbps", delay = "5ms", buffer = "20pkts" }} }}
[[flow]]
name = "f"
count = 20
from = "node[0]"
to = "node[2]"
traffic = {{ kind = "tcp"{keys} }}
"#
    )
}

fn model(keys: &str) -> Model {
    let checked = load("test.toml", &text(keys), &[], &());
    checked
        .unwrap_or_else(|problems| panic!("{problems:?}"))
        .expand(1, 0)
}

fn problems(text: &str) -> Vec<Problem> {
    load("test.toml", text, &[], &()).expect_err("broken").0
}

fn connections(model: &Model) -> Vec<&Tcp> {
    let tcp = |flow: &'_ pacesim::model::Flow| matches!(flow.traffic, Traffic::Tcp(_));
    assert!(model.flows.iter().all(tcp));
    let flows = model.flows.iter();
    flows
        .filter_map(|flow| match &flow.traffic {
            Traffic::Tcp(tcp) => Some(tcp),
            _ => None,
        })
        .collect()
}

fn config(keys: &str) -> Config {
    Config::clone(&connections(&model(keys))[0].config)
}

#[test]
fn without_keys_it_is_the_profile() {
    assert_eq!(config(""), Config::ns2(Variant::Reno));
    for (word, variant) in [
        ("tahoe", Variant::Tahoe),
        ("reno", Variant::Reno),
        ("newreno", Variant::NewReno),
        ("sack", Variant::Sack),
        ("fack", Variant::Fack),
    ] {
        let keys = format!(", variant = \"{word}\"");
        assert_eq!(config(&keys), Config::ns2(variant));
        let keys = format!("{keys}, profile = \"rfc\"");
        assert_eq!(config(&keys), Config::rfc(variant));
    }
}

#[test]
fn every_key_reaches_its_field() {
    let keys = r#", variant = "sack", window = "64pkts", payload = "900B", header = "20B",
        ack_size = "60B", sack_block_size = "10B", sack_blocks = 2, syn = false, syn_size = "44B",
        initial_window = "3pkts", initial_ssthresh = "9pkts", dupack_threshold = 4,
        limited_transmit = false, delayed_ack = "50ms", tick = "20ms", min_rto = "300ms",
        max_rto = "30s", initial_rto = "2s", pacing = { rate = "1Mbps" }"#
        .replace('\n', " ");
    let mut expected = Config::ns2(Variant::Sack);
    expected.window_cap = 64.0;
    (expected.payload, expected.header) = (Bytes(900), Bytes(20));
    (expected.ack_size, expected.sack_block_size) = (Bytes(60), Bytes(10));
    (expected.max_sack_blocks, expected.dupack_threshold) = (2, 4);
    (expected.syn, expected.syn_size) = (false, Bytes(44));
    (expected.initial_window, expected.initial_ssthresh) = (3.0, Some(9.0));
    expected.limited_transmit = false;
    expected.delayed_ack = Some(Span::from_ms(50));
    expected.clock = pacesim::tcp::Clock::Ticks(Span::from_ms(20));
    expected.min_rto = Span::from_ms(300);
    (expected.max_rto, expected.initial_rto) = (Span::from_secs(30), Span::from_secs(2));
    expected.pacing = Pacing::Fixed("1Mbps".parse().expect("a rate"));
    assert_eq!(config(&keys), expected);
}

#[test]
fn a_packet_on_the_wire_is_header_and_payload() {
    let sizes = |keys| {
        let config = config(keys);
        (config.payload, config.header)
    };
    let size = r#", packet_size = "1000B""#;
    assert_eq!(sizes(size), (Bytes(960), Bytes(40)));
    let rfc = r#", packet_size = "1500B", profile = "rfc""#;
    assert_eq!(sizes(rfc), (Bytes(1448), Bytes(52)));
    let bare = r#", packet_size = "1000B", header = "0B""#;
    assert_eq!(sizes(bare), (Bytes(1000), Bytes(0)));
    assert_eq!(sizes(r#", payload = "500B""#), (Bytes(500), Bytes(40)));
}

#[test]
fn delayed_acks_are_a_flag_or_a_time() {
    let delay = |keys| config(keys).delayed_ack;
    assert_eq!(delay(", delayed_ack = false"), None);
    assert_eq!(delay(", delayed_ack = true"), Some(Span::from_ms(100)));
    let rfc = r#", delayed_ack = true, profile = "rfc""#;
    assert_eq!(delay(rfc), Some(Span::from_ms(40)));
    let off = r#", delayed_ack = false, profile = "rfc""#;
    assert_eq!(delay(off), None);
}

#[test]
fn loads_are_endless_once_or_many() {
    let load = |keys| connections(&model(keys))[0].load.clone();
    assert_eq!(load(""), Load::Endless);
    assert_eq!(load(r#", transfer = "unlimited""#), Load::Endless);
    let bytes = Load::Once(Amount::Bytes(Bytes(100_000)));
    assert_eq!(load(r#", transfer = "100KB""#), bytes);
    let packets = Load::Once(Amount::Packets(50));
    assert_eq!(load(r#", transfer = "50pkts""#), packets);
    let many = load(r#", transfers = { size = { exponential = "1KB" }, count = 3 }"#);
    let Load::Transfers(transfers) = many else {
        panic!("these are transfers: {many:?}");
    };
    assert_eq!(transfers.count, Some(3));
}

#[test]
fn others_differ_in_what_they_say_and_share_the_rest() {
    let model = model(
        r#", window = "64pkts", transfer = "100KB", others = { share = 0.3, variant = "sack", pacing = "window" }"#,
    );
    let all = connections(&model);
    let (others, rest): (Vec<_>, Vec<_>) = all
        .into_iter()
        .partition(|tcp| tcp.config.variant == Variant::Sack);
    assert_eq!((others.len(), rest.len()), (6, 14));
    let mut expected = rest[0].config.as_ref().clone();
    expected.variant = Variant::Sack;
    expected.pacing = Pacing::Window;
    assert_eq!(*others[0].config, expected);
    assert_eq!(others[0].load, rest[0].load);
    // Equal flows share one configuration.
    for alike in [others, rest] {
        let first = &alike[0].config;
        assert!(alike.iter().all(|tcp| Arc::ptr_eq(first, &tcp.config)));
    }
}

#[test]
fn others_may_follow_another_profile() {
    let keys = r#", window = "64pkts", others = { share = 1, profile = "rfc", transfer = "1pkt" }"#;
    let mut expected = Config::new(Profile::Rfc, Variant::Reno);
    expected.window_cap = 64.0;
    assert_eq!(config(keys), expected);
}

proptest! {
    /// The group as a whole, and every class of every small period, has its share.
    #[test]
    fn a_share_is_exact_and_even(share in 0.0..=1.0f64, count in 1usize..400, step in 1usize..12) {
        let tcp = connections(&model(""))[0].clone();
        let others = pacesim::scenario::OtherFlows { share, tcp, arrivals: None };
        let chosen = others.chosen(count);
        let total = chosen.iter().filter(|chosen| **chosen).count();
        prop_assert_eq!(total, (share * count as f64 + 0.5) as usize);
        let exact = total as f64 / count as f64;
        for class in 0..step {
            let members: Vec<bool> = chosen.iter().skip(class).step_by(step).copied().collect();
            let there = members.iter().filter(|chosen| **chosen).count() as f64;
            prop_assert!((there - exact * members.len() as f64).abs() <= 12.0, "{there}");
        }
    }
}

#[test]
fn all_mistakes_are_told_at_once_and_in_place() {
    let text = text(
        r#", variant = "rneo", profile = "rfc", window = "0pkts", payload = "1448B", ack_size = "2KB", min_rto = "5us", max_rto = "1us", transfer = "0B", others = { share = 2, window = "10KB", packet_size = "20B", delayed_ack = 3, pacing = "fast" }"#,
    );
    let all = problems(&text);
    let paths: Vec<&str> = all
        .iter()
        .map(|problem| {
            assert!(problem.help.is_some(), "{problem}");
            problem.path.strip_prefix("flow[0].traffic.").expect("TCP")
        })
        .collect();
    let expected = [
        "initial_rto",
        "variant",
        "window",
        "ack_size",
        "min_rto",
        "transfer",
        "others.share",
        "others.window",
        "others.packet_size",
        "others.delayed_ack",
        "others.pacing",
    ];
    assert_eq!(paths, expected, "{all:#?}");
    for (problem, key) in all.iter().zip(expected).skip(1) {
        let line = text.lines().nth(problem.line - 1).expect("a line");
        let before: String = line.chars().take(problem.column - 1).collect();
        let key = key.trim_start_matches("others.");
        assert!(before.ends_with(&format!("{key} = ")), "{key}: {before}");
    }
}

#[test]
fn keys_that_exclude_each_other_are_told_once() {
    for keys in [
        r#", packet_size = "1000B", payload = "1000B", others = { share = 0.5 }"#,
        r#", transfer = "1KB", transfers = { size = "1KB" }, others = { share = 0.5 }"#,
    ] {
        let all = problems(&text(keys));
        assert_eq!(all.len(), 1, "{all:#?}");
        assert!(all[0].message.contains("exclude each other"), "{all:#?}");
    }
}

#[test]
fn what_others_have_from_the_group_is_told_once() {
    let all = problems(&text(
        r#", window = "0pkts", others = { share = 0.5, transfer = "0pkts" }"#,
    ));
    let paths: Vec<_> = all.iter().map(|problem| problem.path.as_str()).collect();
    let expected = ["flow[0].traffic.window", "flow[0].traffic.others.transfer"];
    assert_eq!(paths, expected, "{all:#?}");
}

#[test]
fn acks_need_a_way_back() {
    let text = r#"
run = { duration = "1s" }
node = [{ name = "a" }, { name = "b" }]
link = [{ name = "l", from = "a", to = "b", rate = "1Mbps", duplex = false }]
[[flow]]
name = "f"
from = "a"
to = "b"
traffic = { kind = "tcp" }
"#;
    let all = problems(text);
    assert_eq!(all.len(), 1, "{all:#?}");
    assert_eq!(all[0].path, "flow[0].from");
    assert!(
        all[0].message.contains("no path back from b to a"),
        "{}",
        all[0].message
    );
    let open = text.replace("\"tcp\"", "\"cbr\", rate = \"1kbps\", size = \"1KB\"");
    load("test.toml", &open, &[], &()).expect("a source needs none");
}

#[test]
fn packets_and_acks_must_fit_the_buffers_on_their_ways() {
    let with = |buffer: &str, keys| text(keys).replace("buffer = \"20pkts\"", buffer);
    let data = problems(&with("buffer = \"1000B\", back = { buffer = \"40B\" }", ""));
    let paths: Vec<_> = data.iter().map(|problem| &problem.path[16..]).collect();
    assert_eq!(paths, ["packet_size"], "{data:#?}");
    let acks = problems(&with(
        "buffer = \"2KB\", back = { buffer = \"40B\" }",
        r#", ack_size = "41B", others = { share = 0.5, ack_size = "50B" }"#,
    ));
    let paths: Vec<_> = acks.iter().map(|problem| &problem.path[16..]).collect();
    assert_eq!(paths, ["ack_size", "others.ack_size"], "{acks:#?}");
}

#[test]
fn transfers_are_finished_one_after_another() {
    let model = model(
        r#", transfers = { size = "10KB", pause = "100ms", count = 5 }, others = { share = 0.5, transfer = "20pkts" }"#,
    );
    let mut world = World::new(model).expect("a sound model");
    world.run();
    assert_eq!(world.take_transfers().len(), 10 * 5 + 10);
}
