//! `[[fec]]` in scenarios: the pairs that follow from it, and the mistakes in it.

use pacesim::fec::{Order, RepairSize, SizeTable};
use pacesim::model::{Model, Protection};
use pacesim::scenario::{Problem, Raw, load};
use pacesim::units::Span;

/// Two sources behind two edges, a core of two routers, two edges and two sinks; data flow right,
/// and one more flow goes left.
const SOUND: &str = r#"
run = { duration = "1s" }
node = [{ name = "left", count = 2 }, { name = "in", count = 2 }, { name = "A" }, { name = "B" }, { name = "out", count = 2 }, { name = "right", count = 2 }]
link = [
  { name = "access", from = "left", to = "in", rate = "10Mbps" },
  { name = "edge", from = "in", to = "A", rate = "100Mbps" },
  { name = "core", from = "A", to = "B", rate = "100Mbps", buffer = "1500B" },
  { name = "edge_out", from = "B", to = "out", rate = "100Mbps" },
  { name = "exit", from = "out", to = "right", rate = "10Mbps" },
]
flow = [
  { name = "f", from = "left", to = "right", pair = "all", traffic = { kind = "tcp", packet_size = "1000B" } },
  { name = "back", from = "right[0]", to = "left[0]", traffic = { kind = "tcp", packet_size = "1000B" } },
]
[[fec]]
ingress = "in"
egress = "out"
block = 3
"#;

fn with(from: &str, to: &str) -> String {
    assert!(SOUND.contains(from), "{from}");
    SOUND.replacen(from, to, 1)
}

fn model(text: &str) -> Model {
    load("fec.toml", text, &[], &())
        .expect("nothing is wrong")
        .expand(1, 0)
}

/// Name, data flows and acknowledgement flows of each pair.
fn pairs(model: &Model) -> Vec<(&str, Vec<u32>, Vec<u32>)> {
    let ids = |flows: &[pacesim::units::FlowId]| flows.iter().map(|flow| flow.0).collect();
    let pair = |pair: &'_ Protection| (ids(&pair.data), ids(&pair.acks));
    let all = model.protections.iter();
    all.map(|p| (p.name.as_str(), pair(p).0, pair(p).1))
        .collect()
}

#[test]
fn each_ingress_and_egress_that_flows_join_is_a_pair() {
    let plain = model(SOUND);
    assert_eq!(
        pairs(&plain),
        [
            ("in[0]>out[0]", vec![0], vec![]),
            ("in[0]>out[1]", vec![1], vec![]),
            ("in[1]>out[0]", vec![2], vec![]),
            ("in[1]>out[1]", vec![3], vec![]),
        ]
    );
    let first = &plain.protections[0];
    assert_eq!(
        (first.hops(), first.config.block, first.order),
        (3, 3, Order::Late)
    );
    let by_core = model(&with(
        "ingress = \"in\"\negress = \"out\"",
        "ingress = \"A\"\negress = \"B\"",
    ));
    assert_eq!(pairs(&by_core), [("A>B", vec![0, 1, 2, 3], vec![])]);
    let by_hops = model(&with("block = 3", "by_hops = [9, 7, 5]"));
    assert_eq!(by_hops.protections[0].config.block, 5);
}

#[test]
fn acknowledgements_are_with_the_data_that_goes_their_way_or_apart() {
    let both_ways = "ingress = \"in\"\negress = \"out\"\nblock = 3\nacks = \"ACKS\"\n[[fec]]\nname = \"left\"\ningress = \"out\"\negress = \"in\"\nblock = 3\n";
    let of = |acks: &str| {
        let text = with(
            "ingress = \"in\"\negress = \"out\"\nblock = 3\n",
            &both_ways.replace("ACKS", acks),
        );
        model(&text)
    };
    let together = of("together");
    assert_eq!(pairs(&together).len(), 9);
    assert_eq!(pairs(&together)[4], ("out[0]>in[0]", vec![], vec![0]));
    assert_eq!(pairs(&together)[8], ("out[0]>in[0]", vec![4], vec![]));
    assert_eq!(
        pairs(&of("apart"))[4],
        ("out[0]>in[0] acks", vec![], vec![0])
    );
    assert_eq!(pairs(&of("none")).len(), 5);
    // One entry for both directions: data and acknowledgements share a pair.
    let nodes = "{ name = \"in\", count = 2 }, { name = \"A\" }, { name = \"B\" }, { name = \"out\", count = 2 }";
    let text = with(
        nodes,
        "{ name = \"in\", count = 4 }, { name = \"A\" }, { name = \"B\" }",
    );
    let text = text
        .replace("from = \"in\"", "from = \"in[0..2]\"")
        .replace("to = \"in\"", "to = \"in[0..2]\"");
    let text = text
        .replace("\"out\"", "\"in[2..4]\"")
        .replace("ingress = \"in\"", "ingress = \"in\"\nacks = \"together\"");
    let text = text.replace("egress = \"in[2..4]\"", "egress = \"in\"");
    let shared = model(&text);
    assert_eq!(pairs(&shared)[0], ("in[0]>in[2]", vec![0], vec![4]));
    assert_eq!(pairs(&shared)[4], ("in[2]>in[0]", vec![4], vec![0]));
}

#[test]
fn every_key_reaches_the_pair() {
    let keys = "block = 3\nname = \"x\"\norder = { hold = \"5ms\" }\ntimeout = \"20ms\"\nsize = { bytes = \"1200B\" }\nplace = \"behind_line\"\n";
    let model = model(&with("block = 3", keys));
    let pair = &model.protections[0];
    assert_eq!(pair.group, "x");
    assert_eq!(pair.order, Order::Hold(Span::from_ms(5)));
    assert_eq!(pair.config.timeout, Some(Span::from_ms(20)));
    assert_eq!(pair.config.size, RepairSize::Fixed(1200));
    let name = |node: pacesim::units::NodeId| model.nodes[node.index()].name.to_string();
    assert_eq!([pair.encoder, pair.decoder].map(name), ["A", "out[0]"]);
    let deep = load(
        "fec.toml",
        &with("block = 3", "block = 3\ndepth = 4\nsize = \"block\""),
        &[],
        &(),
    );
    let deep = deep.expect("nothing is wrong");
    let config = deep.expand(1, 0).protections[0].config;
    assert_eq!((config.depth, config.size), (4, RepairSize::BlockLargest));
    // Writing and reading it again changes nothing.
    let again = load("again.toml", &deep.scenario().to_toml(), &[], &()).expect("as it was");
    assert_eq!(again, deep);
}

/// The only problem in a scenario.
fn only(text: &str) -> Problem {
    let all = load("fec.toml", text, &[], &()).expect_err("a mistake").0;
    assert_eq!(all.len(), 1, "{text}\n{all:#?}");
    all.into_iter().next().expect("one")
}

/// Replaced text, its replacement, and the expected complaint with its place.
fn refused(table: &[(&str, &str, &str, &str)]) {
    for (from, to, path, part) in table {
        let problem = only(&with(from, to));
        assert_eq!(problem.path, *path, "{to}: {problem}");
        assert!(problem.message.contains(part), "{to}: {problem}");
        assert!(problem.help.is_some(), "{to}: {problem}");
    }
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table of cases")]
fn keys_that_make_no_sense_are_refused_where_they_stand() {
    refused(&[
        ("block = 3", "", "fec[0].block", "is missing"),
        (
            "block = 3",
            "block = 0",
            "fec[0].block",
            "0 is out of range",
        ),
        (
            "block = 3",
            "block = 3\nby_hops = [3, 3, 3]",
            "fec[0].by_hops",
            "twice",
        ),
        ("block = 3", "by_hops = []", "fec[0].by_hops", "no size"),
        (
            "block = 3",
            "by_hops = [3]",
            "fec[0].by_hops",
            "pairs are up to 3",
        ),
        (
            "block = 3",
            "by_hops = [3, 3, 3, 3]",
            "fec[0].by_hops",
            "pairs are up to 3",
        ),
        (
            "block = 3",
            "block = 3\ntimeout = \"0s\"",
            "fec[0].timeout",
            "no time",
        ),
        (
            "block = 3",
            "block = 3\ndepth = 2\norder = { hold = \"1ms\" }",
            "fec[0].order",
            "one after another",
        ),
        (
            "block = 3",
            "block = 3\nsize = { bytes = \"999B\" }",
            "fec[0].size",
            "no room for packets of 1KB",
        ),
        (
            "block = 3",
            "block = 3\nsize = { bytes = \"1501B\" }",
            "fec[0].size",
            "never fits the buffer of link core",
        ),
        (
            "ingress = \"in\"",
            "ingress = \"im\"",
            "fec[0].ingress",
            "unknown node \"im\"",
        ),
        (
            "ingress = \"in\"\negress = \"out\"",
            "ingress = \"right\"\negress = \"in[1]\"",
            "fec[0].egress",
            "no flow enters",
        ),
    ]);
}

#[test]
fn sizes_of_blocks_that_follow_nothing_are_refused_where_they_stand() {
    refused(&[
        (
            "block = 3",
            "block = 3\nfrom = \"fec_network\"\nload = 0.1",
            "fec[0].from",
            "twice",
        ),
        (
            "block = 3",
            "from = \"fec_network\"",
            "fec[0].load",
            "not known before TCP has run",
        ),
        (
            "block = 3",
            "from = \"fec_netwrk\"\nload = 0.11",
            "fec[0].from",
            "unknown value",
        ),
        (
            "block = 3",
            "block = 3\nload = 0.1",
            "fec[0].load",
            "no size of blocks follows",
        ),
        (
            "block = 3",
            "from = \"fec_network\"\nload = 0.0",
            "fec[0].load",
            "nothing to protect",
        ),
        (
            "block = 3",
            "block = 3\nadaptive = { least = 5, most = 4 }",
            "fec[0].adaptive.most",
            "smaller than least = 5",
        ),
        (
            "block = 3",
            "block = 3\nadaptive = { least = 5 }",
            "fec[0].adaptive",
            "a block of 3 is not between 5 and 100",
        ),
        (
            "block = 3",
            "block = 3\nadaptive = { report = \"0s\" }",
            "fec[0].adaptive.report",
            "without end",
        ),
    ]);
}

#[test]
fn pairs_that_make_no_sense_are_refused_where_they_stand() {
    let second =
        "block = 3\n[[fec]]\nname = \"more\"\ningress = \"in[1]\"\negress = \"out\"\nblock = 2\n";
    let namesake = second
        .replace("\"more\"", "\"fec\"")
        .replace("\"in[1]\"", "\"B\"");
    let namesake = namesake.replace("\"out\"", "\"left\"");
    refused(&[
        (
            "block = 3",
            second,
            "fec[1].ingress",
            "protected by fec[0] already",
        ),
        ("block = 3", &namesake, "fec[1].name", "already a fec"),
        (
            "ingress = \"in\"\negress = \"out\"",
            "ingress = \"A\"\negress = \"A\"",
            "fec[0].egress",
            "A is both",
        ),
    ]);
}

#[test]
fn flows_that_are_not_protected_are_warned_of() {
    let raw = Raw::parse("fec.toml", SOUND);
    let checked = raw.check(&()).expect("nothing is wrong");
    let mut warnings = raw.warnings(&checked);
    warnings.retain(|warning| !["no_warmup", "exact_phases"].contains(&warning.kind));
    assert_eq!(warnings.len(), 1, "{warnings:#?}");
    assert_eq!(warnings[0].path, "fec[0].ingress");
    let message = &warnings[0].message;
    assert!(message.starts_with("back[0] is not protected"), "{message}");
}

#[test]
fn blocks_that_follow_the_loss_need_a_way_back() {
    let cbr = "traffic = { kind = \"cbr\", rate = \"1Mbps\", size = \"1000B\" }";
    let tcp = "traffic = { kind = \"tcp\", packet_size = \"1000B\" }";
    let back = "  { name = \"back\", from = \"right[0]\", to = \"left[0]\", ";
    let text = SOUND
        .replace(tcp, cbr)
        .replace(&format!("{back}{cbr} }},\n"), "");
    let text = text.replace("buffer = \"1500B\"", "buffer = \"1500B\", duplex = false");
    assert!(load("fec.toml", &text, &[], &()).is_ok());
    let text = text.replace("block = 3", "block = 3\nadaptive = {}");
    let problem = only(&text);
    assert_eq!(problem.path, "fec[0].adaptive");
    let wanted = "no path back from out[0] to in[0]";
    assert!(problem.message.contains(wanted), "{problem}");
    let help = problem.help.expect("a remedy");
    assert!(help.contains("duplex = true"), "{help}");
}

#[test]
fn how_blocks_follow_the_loss_reaches_every_pair() {
    let keys = "block = 4\nadaptive = { aim = { residual_loss = 0.001 }, report = \"20ms\", smoothing = 500, most = 50 }";
    let text = with("block = 3", keys);
    let model = model(&text);
    let adaptation = model.protections[0].adaptation.as_ref().expect("a key");
    assert_eq!(adaptation.report_every, Span::from_ms(20));
    assert_eq!(adaptation.smoothing, 500);
    assert_eq!(*adaptation.sizes, SizeTable::for_residual(0.001, 2, 50));
    let deep = load("fec.toml", &text, &[], &()).expect("nothing is wrong");
    let again = load("again.toml", &deep.scenario().to_toml(), &[], &()).expect("as it was");
    assert_eq!(again, deep);
}

#[test]
fn a_protection_is_addressed_by_its_default_name() {
    let set = load("fec.toml", SOUND, &["fec.fec.block=5"], &()).expect("nothing is wrong");
    assert_eq!(
        set.scenario().to_toml().matches("block = 5").count(),
        1,
        "{}",
        set.scenario().to_toml()
    );
    let misspelt = load("fec.toml", SOUND, &["fec.fce.block=5"], &()).expect_err("no such entry");
    assert!(misspelt.0[0].to_string().contains("fec"), "{misspelt}");
}
