//! Fabrics of switches: their names, their paths, the memories of switches, and mistakes in these.

use std::collections::BTreeSet;

use pacesim_model::{Model, Salts};
use pacesim_scenario::{Raw, load};

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
