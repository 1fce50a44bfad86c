//! Fabrics of switches: their names, their paths, the memories of switches, and mistakes in these.

use std::collections::BTreeSet;

use pacesim_model::{Distribution, Hashed, Load, Model, PathRule, Pause, Salts, Spray, Traffic};
use pacesim_scenario::{Raw, load};
use pacesim_units::{Bytes, Span};

use crate::problems::only;

const TREE: &str = r#"
run = { duration = "1ms", multipath = "flow" }
[topology]
shape = "fat_tree"
k = 4
access = { rate = "10Gbps", delay = "1us" }
[[flow]]
name = "f"
from = "host"
to = "host"
pair = "permutation"
traffic = { kind = "cbr", rate = "1Gbps", size = "1000B" }
"#;

const STAR: &str = r#"
run = { duration = "1ms" }
[topology]
shape = "star"
leaves = 4
link = { rate = "10Gbps", delay = "1us" }
[[switch]]
nodes = ["hub"]
memory = "100KB"
alpha = 1.0
[[flow]]
name = "f"
from = "leaf[1..4]"
to = "leaf[0]"
traffic = { kind = "cbr", rate = "1Gbps", size = "1000B" }
"#;

fn model(text: &str) -> Model {
    let checked = load("fabric.toml", text, &[], &()).expect("it is sound");
    checked.expand(1, 0)
}

/// The nodes of a flow's path, by their names.
fn nodes(model: &Model, flow: usize) -> Vec<String> {
    let links = model.paths().there(&model.flows[flow]).expect("a path");
    let name = |node: pacesim_units::NodeId| model.nodes[node.index()].name.to_string();
    let mut nodes = vec![name(model.flows[flow].from)];
    nodes.extend(links.iter().map(|link| name(model.links[link.index()].to)));
    nodes
}

#[test]
fn switches_of_a_fat_tree_are_named_by_where_they_are() {
    let model = model(&TREE.replace("flow\"", "none\""));
    let names: Vec<String> = model.nodes.iter().map(|n| n.name.to_string()).collect();
    assert_eq!(names.len(), 16 + 8 + 8 + 4);
    let at = |name: &str| names.iter().position(|other| other == name);
    assert_eq!(at("pod[2].edge[1]"), Some(16 + 5));
    assert_eq!(at("pod[3].aggregation[0]"), Some(24 + 6));
    // Each switch has k ports, and each host one.
    let ports = |node: usize| {
        model
            .links
            .iter()
            .filter(|link| link.from.index() == node)
            .count()
    };
    assert!((0..16).all(|host| ports(host) == 1));
    assert!((16..36).all(|switch| ports(switch) == 4));
}

#[test]
fn a_part_of_a_group_is_referred_to_by_its_name() {
    let with = |nodes: &str| format!("{TREE}[[switch]]\nnodes = [{nodes}]\nmemory = \"1MB\"\n");
    let placed = |nodes: &str| {
        let model = model(&with(nodes));
        let names = model.switches.iter();
        let names = names.map(|switch| model.nodes[switch.node.index()].name.to_string());
        names.collect::<Vec<_>>()
    };
    assert_eq!(placed("\"pod[2].edge[1]\""), ["pod[2].edge[1]"]);
    assert_eq!(placed("\"edge[5]\""), ["pod[2].edge[1]"], "the same");
    assert_eq!(placed("\"pod[1].aggregation\"").len(), 2);
    let problem = only(&with("\"pod[4].edge\""));
    assert!(
        problem.help.expect("help").contains("pod[0].edge"),
        "{}",
        problem.message
    );
}

#[test]
fn hashes_use_all_paths_between_pods_and_the_core_fixes_the_way_down() {
    let from_to = "from = \"host[0]\"\nto = \"host[15]\"\ncount = 200";
    let text = TREE.replace(
        "from = \"host\"\nto = \"host\"\npair = \"permutation\"",
        from_to,
    );
    let paths: BTreeSet<Vec<String>> = {
        let model = model(&text);
        (0..200).map(|flow| nodes(&model, flow)).collect()
    };
    assert_eq!(paths.len(), 4, "(k/2)^2");
    assert!(paths.iter().all(|path| path.len() == 7), "6 links");
    for path in &paths {
        // core[a + j*k/2] is above aggregation[a] of each pod.
        let core: u32 = path[3][5..6].parse().expect("a number");
        assert_eq!(path[2], format!("pod[0].aggregation[{}]", core % 2));
        assert_eq!(path[4], format!("pod[3].aggregation[{}]", core % 2));
    }
    // With the same salt everywhere the second switch chooses as the first did.
    let same = model(&text.replace("\"flow\"", "\"flow\", salts = \"same\""));
    assert_eq!(same.salts, Salts::Same);
    let polarised: BTreeSet<_> = (0..200).map(|flow| nodes(&same, flow)).collect();
    assert_eq!(polarised.len(), 2);
    let none = model(&text.replace("multipath = \"flow\"", "multipath = \"none\""));
    let one: BTreeSet<_> = (0..200).map(|flow| nodes(&none, flow)).collect();
    assert_eq!(one.len(), 1);
}

#[test]
fn a_permutation_gives_each_host_one_to_send_to_and_one_to_hear() {
    let mut first = BTreeSet::new();
    for seed in 0..50 {
        let checked = load("fabric.toml", TREE, &[], &()).expect("it is sound");
        let model = checked.expand(seed, 0);
        let to: BTreeSet<_> = model.flows.iter().map(|flow| flow.to).collect();
        assert_eq!((model.flows.len(), to.len()), (16, 16));
        assert!(model.flows.iter().all(|flow| flow.from != flow.to));
        first.insert(model.flows[0].to);
    }
    assert!(first.len() > 10, "another for each seed: {}", first.len());
}

#[test]
fn two_tiers_and_leaves_have_a_path_over_each_spine() {
    let two = TREE.replace("k = 4", "k = 4\ntiers = 2\noversubscription = 3");
    let two = model(&two);
    assert_eq!(two.nodes.len(), 4 * 6 + 4 + 2);
    let lines = "shape = \"leaf_spine\"\nleaves = 3\nspines = 2\nhosts = 2\nparallel = 2\n\
        uplink = { rate = \"40Gbps\" }";
    let leaves = model(&TREE.replace("shape = \"fat_tree\"\nk = 4", lines));
    assert_eq!(leaves.links.len(), 2 * (6 + 12));
    let link = leaves.links.iter().find(|link| link.name == "uplink[7]");
    let ends =
        link.map(|link| [link.from, link.to].map(|n| leaves.nodes[n.index()].name.to_string()));
    assert_eq!(ends, Some(["leaf[1]".to_owned(), "spine[1]".to_owned()]));
}

#[test]
fn fabrics_and_paths_that_cannot_be_are_reported() {
    let odd = only(&TREE.replace("k = 4", "k = 5"));
    assert_eq!(odd.path, "topology.k");
    assert!(odd.help.expect("help").contains("4 or 6"));
    let uneven = only(&TREE.replace("to = \"host\"", "to = \"host[0..4]\""));
    assert_eq!(uneven.path, "flow[0].pair");
    let alone = only(&TREE.replace("\"host\"", "\"host[3]\""));
    assert_eq!(alone.path, "flow[0].pair");
    let salts = only(&TREE.replace("multipath = \"flow\"", "salts = \"same\""));
    assert_eq!(salts.path, "run.salts");
    let coded = format!("{TREE}[[fec]]\ningress = \"edge\"\negress = \"edge\"\nblock = 3\n");
    let raw = Raw::parse("fabric.toml", &coded);
    let problems = raw.check(&()).expect_err("coders on one path");
    let paths: Vec<_> = problems.0.iter().map(|p| p.path.as_str()).collect();
    assert!(paths.contains(&"run.multipath"), "{paths:?}");
}

#[test]
fn mistakes_in_shared_memories_are_reported() {
    assert_eq!(model(STAR).switches.len(), 1);
    let with = |line: &str| only(&STAR.replace("alpha = 1.0", line));
    for (line, path) in [
        ("alpha = 0.0", "switch[0].alpha"),
        ("alpha = -1.0", "switch[0].alpha"),
        ("class_alpha = [1.0, 0.0]", "switch[0].class_alpha[1]"),
        ("alpha = 1.0\nthreshold = \"10KB\"", "switch[0].threshold"),
        ("threshold = \"0B\"", "switch[0].threshold"),
        ("alpha = 1.0\nreserve = \"25KB\"", "switch[0].reserve"),
        (
            "class_alpha = [1.0, 1.0]\nreserve = \"13KB\"",
            "switch[0].reserve",
        ),
        ("alpha = 1.0\ncell = \"0B\"", "switch[0].cell"),
        (
            "alpha = 1.0\nreserve = \"18446744073709551000B\"\ncell = \"9KB\"",
            "switch[0].reserve",
        ),
        (
            "mark = { min = \"9KB\", max = \"8KB\" }",
            "switch[0].mark.max",
        ),
        ("class_memory = [\"20KB\"]", "switch[0].class_memory"),
        (
            "class_alpha = [1.0, 1.0]\nclass_memory = [\"90KB\", \"11KB\"]",
            "switch[0].class_memory",
        ),
        (
            "class_alpha = [1.0, 1.0]\nclass_memory = [\"90KB\", \"8KB\"]\nreserve = \"2KB\"",
            "switch[0].class_memory",
        ),
    ] {
        let problem = with(line);
        assert_eq!(problem.path, path, "{line}: {}", problem.message);
        assert!(problem.help.is_some(), "{line}");
    }
    let reserve = with("alpha = 1.0\nreserve = \"25KB\"");
    assert!(
        reserve.help.clone().expect("help").contains("\"24.999KB\""),
        "{reserve:?}"
    );
    let twice = only(&format!(
        "{STAR}[[switch]]\nnodes = [\"hub\"]\nmemory = \"1MB\"\n"
    ));
    assert!(twice.message.contains("already"), "{}", twice.message);
    let no_port = STAR.replace("nodes = [\"hub\"]", "nodes = [\"alone\"]");
    let no_port = only(&(no_port + "[[node]]\nname = \"alone\"\n"));
    assert!(no_port.message.contains("no queue"), "{}", no_port.message);
}

#[test]
fn a_chip_gives_what_is_left_out() {
    let chip = |lines: &str| {
        let text = STAR.replace("memory = \"100KB\"", "chip = \"trident2\"");
        load("fabric.toml", &text.replace("alpha = 1.0", lines), &[], &())
    };
    let memory = |lines: &str| {
        let checked = chip(lines).expect("it is sound");
        checked.scenario().switches[0].lossy().expect("sound")
    };
    let plain = memory("");
    assert_eq!(
        (plain.memory, plain.cell),
        (Bytes(60_494 * 208), Bytes(208))
    );
    assert_eq!(plain, memory("alpha = 1.0"));
    assert_eq!(memory("cell = \"1B\"").cell, Bytes(1));
    assert_eq!(memory("memory = \"1MB\"").memory, Bytes(1_000_000));
    let neither = only(&STAR.replace("memory = \"100KB\"\n", ""));
    assert_eq!(neither.path, "switch[0].memory");
    let unknown = only(&STAR.replace("memory = \"100KB\"", "chip = \"tridnet2\""));
    assert!(unknown.help.expect("help").contains("trident2"));
}

#[test]
fn pairs_between_racks_come_in_proportion_to_their_weights() {
    let weighted = |racks: &str| {
        let pair = format!("count = 4000\nracks = {racks}");
        TREE.replace("pair = \"permutation\"", &pair)
    };
    let racks = |rows: [[u32; 8]; 8]| format!("{rows:?}");
    let mut weights = [[0; 8]; 8];
    (weights[0][0], weights[0][7], weights[5][2]) = (1, 2, 5);
    let model = model(&weighted(&racks(weights)));
    let rack = |node: pacesim_units::NodeId| node.index() / 2;
    let hosts = |flow: &pacesim_model::Flow| (rack(flow.from), rack(flow.to));
    let count = |pair| {
        model
            .flows
            .iter()
            .filter(|flow| hosts(flow) == pair)
            .count() as f64
    };
    for (pair, share) in [((0, 0), 0.125), ((0, 7), 0.25), ((5, 2), 0.625)] {
        // Five standard deviations of a binomial count.
        let within = 5.0 * f64::sqrt(4000.0 * share * (1.0 - share));
        assert!(
            (count(pair) - 4000.0 * share).abs() < within,
            "{pair:?}: {}",
            count(pair)
        );
    }
    assert!(model.flows.iter().all(|flow| flow.from != flow.to));
    let sums = [(0, 0), (0, 7), (5, 2)].map(count).iter().sum::<f64>();
    assert_eq!(sums, 4000.0);
    let senders: BTreeSet<_> = model.flows.iter().map(|flow| flow.from).collect();
    assert_eq!(senders.len(), 4, "all hosts of two racks");

    for (racks, path) in [
        ("[[1]]".to_owned(), "flow[0].racks"),
        (racks([[0; 8]; 8]), "flow[0].racks"),
        (
            racks([[1; 8]; 8]).replacen(", 1]", "]", 1),
            "flow[0].racks[0]",
        ),
        (
            racks([[1; 8]; 8]).replacen("[[1", "[[-1", 1),
            "flow[0].racks[0][0]",
        ),
    ] {
        let problem = only(&weighted(&racks));
        assert_eq!(problem.path, path, "{racks}: {}", problem.message);
        assert!(problem.help.is_some(), "{racks}");
    }
    let both = weighted(&racks(weights)).replace("count", "pair = \"random\"\ncount");
    assert_eq!(only(&both).path, "flow[0].pair");
    let one_side = weighted("[[0, 1], [0, 0]]").replace("to = \"host\"", "to = \"host[0..2]\"");
    let one_side = one_side.replace("from = \"host\"", "from = \"host[2..4]\"");
    assert!(
        only(&one_side).message.contains("edge[0]"),
        "{}",
        only(&one_side).message
    );
    let switches = weighted("[[1]]").replace("from = \"host\"", "from = \"edge[0]\"");
    assert!(only(&switches).message.contains("its only neighbour"));
}

#[test]
fn classes_by_size_rise_and_stand_alone() {
    let with = |access: &str| TREE.replace("rate = \"10Gbps\"", access);
    let by = |sizes: &str| {
        with(&format!(
            "rate = \"10Gbps\", discipline = {{ kind = \"strict_priority\", sizes = {sizes} }}"
        ))
    };
    model(&by("[\"10KB\", \"1MB\"]"));
    for (sizes, path) in [
        (
            "[\"10KB\", \"10KB\"]",
            "topology.access.discipline.sizes[1]",
        ),
        ("[\"0B\"]", "topology.access.discipline.sizes[0]"),
        ("[\"10KB\", \"5GB\"]", "topology.access.discipline.sizes"),
    ] {
        assert_eq!(only(&by(sizes)).path, path, "{sizes}");
    }
    let both = by("[\"10KB\"] }, back = { discipline = { kind = \"pfabric\" }");
    let both = only(&both);
    assert_eq!(both.path, "topology.access.discipline.sizes");
    assert!(
        both.message.contains("topology.access.back.discipline"),
        "{}",
        both.message
    );
}

#[test]
fn rules_for_several_paths_come_from_the_run_or_from_the_flow() {
    let rule = |keys: &str| {
        let text = TREE.replace("multipath = \"flow\"", keys);
        model(&text).flows[0].path
    };
    let sprayed = |spray| PathRule::Sprayed(spray);
    for (keys, expected) in [
        ("multipath = \"none\"", PathRule::First),
        (
            "multipath = \"flow\"",
            PathRule::Hashed(Hashed::Connection(0)),
        ),
        ("multipath = \"hosts\"", PathRule::Hashed(Hashed::Hosts)),
        (
            "multipath = \"hosts\", salts = \"same\"",
            PathRule::Hashed(Hashed::Hosts),
        ),
        ("multipath = \"packet\"", sprayed(Spray::Permuted)),
        (
            "multipath = \"packet\", spray = \"random\"",
            sprayed(Spray::Random),
        ),
        (
            "multipath = \"packet\", spray = \"round\"",
            sprayed(Spray::Round),
        ),
        (
            "multipath = \"flowlet\"",
            PathRule::Flowlets(Span::from_us(100)),
        ),
        (
            "multipath = \"flowlet\", flowlet_gap = \"7us\"",
            PathRule::Flowlets(Span::from_us(7)),
        ),
    ] {
        assert_eq!(rule(keys), expected, "{keys}");
    }
    let chosen = TREE.replace("pair = \"permutation\"", "path = 0\npair = \"permutation\"");
    assert_eq!(model(&chosen).flows[3].path, PathRule::Nth(0));
}

#[test]
fn keys_of_rules_that_are_not_in_force_are_reported() {
    for (keys, path) in [
        ("spray = \"random\"", "run.spray"),
        ("multipath = \"flow\", spray = \"round\"", "run.spray"),
        (
            "multipath = \"packet\", flowlet_gap = \"1us\"",
            "run.flowlet_gap",
        ),
        (
            "multipath = \"flowlet\", flowlet_gap = \"0us\"",
            "run.flowlet_gap",
        ),
        ("multipath = \"packet\", salts = \"same\"", "run.salts"),
    ] {
        let problem = only(&TREE.replace("multipath = \"flow\"", keys));
        assert_eq!(problem.path, path, "{keys}: {}", problem.message);
        assert!(problem.help.is_some(), "{keys}");
    }
    let to_one = TREE.replace(
        "from = \"host\"\nto = \"host\"\npair = \"permutation\"",
        "from = \"host[0..2]\"\nto = \"host[15]\"\npath = 3",
    );
    model(&to_one);
    let beyond = only(&to_one.replace("path = 3", "path = 4"));
    assert_eq!(beyond.path, "flow[0].path");
    assert!(beyond.message.contains("4 paths"), "{}", beyond.message);
    let near = only(&to_one.replace("host[15]", "host[3]"));
    assert!(near.message.contains("2 paths"), "{}", near.message);
    // 2^14 ways over pairs of links side by side.
    let chain = |links: u32| {
        let mut text = "run = { duration = \"1s\", multipath = \"packet\" }\n".to_owned();
        text += &format!("node = [{{ name = \"n\", count = {} }}]\n", links + 1);
        for i in 0..links {
            let name = format!(
                "[[link]]\nname = \"l{i}\"\nfrom = \"n[{i}]\"\nto = \"n[{}]\"\n",
                i + 1
            );
            text += &name;
            text += "rate = \"1Gbps\"\n";
            text += &name.replace("\"l", "\"m");
            text += "rate = \"1Gbps\"\n";
        }
        text + &format!(
            "[[flow]]\nname = \"f\"\nfrom = \"n[0]\"\nto = \"n[{links}]\"\n\
             traffic = {{ kind = \"cbr\", rate = \"1Mbps\", size = \"1KB\" }}\n"
        )
    };
    model(&chain(12));
    let many = only(&chain(14));
    assert_eq!(many.path, "run.multipath", "{}", many.message);
}

#[test]
fn tcp_over_paths_on_which_packets_overtake_is_warned_of() {
    let tcp = TREE.replace(
        "{ kind = \"cbr\", rate = \"1Gbps\", size = \"1000B\" }",
        "{ kind = \"tcp\", profile = \"linux\" }",
    );
    let warned = |text: &str| {
        let checked = load("fabric.toml", text, &[], &()).expect("it is sound");
        let warnings = checked.warnings();
        warnings.iter().any(|w| w.message.contains("several paths"))
    };
    for rule in ["packet", "flowlet"] {
        let text = tcp.replace("\"flow\"", &format!("\"{rule}\""));
        assert!(warned(&text), "{rule}");
        assert!(!warned(&TREE.replace("\"flow\"", &format!("\"{rule}\""))));
        // Under one edge there is one path.
        let near = text.replace(
            "from = \"host\"\nto = \"host\"\npair = \"permutation\"",
            "from = \"host[0]\"\nto = \"host[1]\"",
        );
        assert!(!warned(&near), "{rule}");
    }
    for rule in ["flow", "hosts"] {
        assert!(!warned(&tcp.replace("\"flow\"", &format!("\"{rule}\""))));
    }
}

#[test]
fn a_load_on_one_of_several_paths_is_not_that_of_all_packets() {
    let of = |link: &str| {
        TREE.replace("multipath = \"flow\"", "multipath = \"packet\"")
            .replace(
                "from = \"host\"\nto = \"host\"\npair = \"permutation\"",
                "from = \"host[0]\"\nto = \"host[15]\"",
            )
            .replace("rate = \"1Gbps\"", &format!("load = 0.5, of = \"{link}\""))
    };
    model(&of("access[0]"));
    let problem = only(&of("edge_up[0]"));
    assert_eq!(problem.path, "flow[0].traffic.of", "{}", problem.message);
}

#[test]
fn a_load_of_all_hosts_is_the_share_of_their_links_together() {
    let text = |of: &str, load: f64| {
        let traffic = format!(
            "{{ kind = \"tcp\", profile = \"rfc\", transfers = {{ size = \"10kB\", connection = \"new\", \
             arrivals = {{ kind = \"poisson\", load = {load}, of = \"{of}\" }} }} }}"
        );
        let cbr = "{ kind = \"cbr\", rate = \"1Gbps\", size = \"1000B\" }";
        TREE.replace(cbr, &traffic)
    };
    let mean = |text: &str| match &model(text).flows[0].traffic {
        Traffic::Tcp(tcp) => match &tcp.load {
            Load::Transfers(transfers) => match transfers.pause {
                Pause::Drawn(Distribution::Exponential { mean }) => mean,
                _ => panic!("not exponential"),
            },
            _ => panic!("no transfers"),
        },
        _ => panic!("not TCP"),
    };
    // One link of 10 Gbps at full load, or the 16 of the hosts at a sixteenth of theirs.
    let all = mean(&text("access", 0.05));
    let one = mean(&text("access[0]", 0.8));
    assert!((all / one - 1.0).abs() < 1e-12, "{all} {one}");
    let warned = |of: &str| {
        let checked = load("fabric.toml", &text(of, 0.05), &[], &()).expect("it is sound");
        let warnings = checked.warnings();
        warnings.iter().any(|w| w.message.contains("not all flows"))
    };
    assert!(!warned("access"));
    assert!(warned("access[0..4]") && warned("edge_up"));
}

#[test]
fn keys_of_a_rule_whose_word_is_refused_are_no_mistakes() {
    for keys in [
        "spray = \"random\"",
        "flowlet_gap = \"1us\"",
        "salts = \"same\"",
    ] {
        let text = TREE.replace(
            "multipath = \"flow\"",
            &format!("multipath = \"pakcet\", {keys}"),
        );
        assert_eq!(only(&text).path, "run.multipath", "{keys}");
    }
}
