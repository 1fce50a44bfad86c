//! Flows across a core by the number of trunks between their routers.

use std::collections::BTreeSet;

use pacesim::model::{Flow, Model};
use pacesim::scenario::{Problem, load};

/// NSFNET with three edges per router and two hosts per edge, and one group of flows.
fn text(keys: &str) -> String {
    format!(
        "run = {{ duration = \"1s\" }}\n[topology]\nshape = \"nsfnet\"\nedges = 3\nhosts = 2\n\
         link = {{ rate = \"1Gbps\" }}\nedge = {{ rate = \"100Mbps\" }}\naccess = {{ rate = \"10Mbps\" }}\n\
         [[flow]]\nname = \"f\"\nfrom = \"host\"\nto = \"host\"\n{keys}\n\
         traffic = {{ kind = \"cbr\", rate = \"1Mbps\", size = \"1KB\" }}\n"
    )
}

fn model(keys: &str, seed: u64) -> Model {
    let scenario = load("across.toml", &text(keys), &[], &());
    let scenario = scenario.unwrap_or_else(|problems| panic!("{problems:?}"));
    scenario.expand(seed, 0)
}

/// The nodes on the path of each flow, by name.
fn ways(model: &Model) -> Vec<Vec<String>> {
    let mut paths = model.paths();
    let way = |flow: &Flow| {
        let path = paths.there(flow).expect("a connected network");
        let ends = path.iter().map(|link| model.links[link.index()].to);
        let nodes = std::iter::once(flow.from).chain(ends);
        nodes
            .map(|node| model.nodes[node.index()].name.to_string())
            .collect()
    };
    model.flows.iter().map(way).collect()
}

fn trunks(way: &[String]) -> usize {
    way.iter().filter(|node| node.starts_with("router")).count() - 1
}

#[test]
fn flows_are_as_many_trunks_apart_as_asked_whatever_the_seed() {
    for hops in 1..=3 {
        let keys = format!("count = 200\npair = {{ hops = {hops} }}");
        let one = ways(&model(&keys, 1));
        assert_eq!(one.len(), 200);
        for way in &one {
            assert_eq!(trunks(way), hops, "{way:?}");
            assert!(
                way[0].starts_with("host") && way[1].starts_with("edge"),
                "{way:?}"
            );
        }
        let other = ways(&model(&keys, 2));
        assert!(other.iter().all(|way| trunks(way) == hops));
        assert_ne!(one, other);
        // Adding flows keeps those that exist.
        let more = ways(&model(&keys.replace("200", "250"), 1));
        assert_eq!(more[..200], one);
    }
}

#[test]
fn all_lengths_come_where_none_is_asked() {
    let lengths = ways(&model("count = 500\npair = \"across\"", 1));
    let lengths: Vec<usize> = lengths.iter().map(|way| trunks(way)).collect();
    for hops in 1..=3 {
        // 21, 36 and 34 of the 91 pairs of routers.
        let share = lengths.iter().filter(|n| **n == hops).count();
        assert!((80..250).contains(&share), "{hops}: {share}");
    }
    assert!(!lengths.contains(&0), "{lengths:?}");
}

#[test]
fn a_bundle_joins_two_edges_with_all_their_hosts() {
    let ways = ways(&model("count = 80\nbundle = 8\npair = { hops = 2 }", 1));
    for bundle in ways.chunks(8) {
        let edges: BTreeSet<_> = bundle
            .iter()
            .map(|way| (&way[1], &way[way.len() - 2]))
            .collect();
        assert_eq!(edges.len(), 1, "{edges:?}");
        let hosts: BTreeSet<_> = bundle.iter().map(|way| &way[0]).collect();
        assert_eq!(hosts.len(), 2, "an edge has two hosts");
    }
    let firsts: BTreeSet<_> = ways.iter().map(|way| &way[1]).collect();
    assert!(firsts.len() > 5, "bundles are spread");
}

#[test]
fn distinct_flows_join_different_nodes_to_the_last_pair() {
    let pairs = |model: &Model| -> BTreeSet<(u32, u32)> {
        model
            .flows
            .iter()
            .map(|flow| (flow.from.0, flow.to.0))
            .collect()
    };
    // 21 pairs of routers, both directions, six hosts each.
    let all = 2 * 21 * 6 * 6;
    let keys = format!("count = {all}\ndistinct = true\npair = {{ hops = 1 }}");
    assert_eq!(pairs(&model(&keys, 1)).len(), all);
    let some = pairs(&model("count = 600\npair = { hops = 1 }", 1));
    assert!(some.len() < 600, "else distinct would mean nothing");
    let bundles = model(
        "count = 400\nbundle = 8\ndistinct = true\npair = { hops = 3 }",
        1,
    );
    let edges: BTreeSet<_> = ways(&bundles)
        .iter()
        .map(|way| (way[1].clone(), way[way.len() - 2].clone()))
        .collect();
    assert_eq!(edges.len(), 50);
}

/// The only problem in a scenario.
fn only(text: &str) -> Problem {
    let all = load("across.toml", text, &[], &())
        .expect_err("a mistake")
        .0;
    assert_eq!(all.len(), 1, "{all:#?}");
    all.into_iter().next().expect("one")
}

#[test]
fn what_the_network_has_not_is_refused() {
    for (keys, path, part) in [
        (
            "count = 9\npair = { hops = 4 }",
            "flow[0].pair.hops",
            "are 4 trunks apart",
        ),
        (
            "count = 1513\ndistinct = true\npair = { hops = 1 }",
            "flow[0].count",
            "there are pairs for 1512",
        ),
        (
            "count = 9\nbundle = 3",
            "flow[0].bundle",
            "is for pairs across a core",
        ),
        (
            "count = 9\ndistinct = true",
            "flow[0].distinct",
            "is for pairs across a core",
        ),
    ] {
        let asked = text(keys).replace("from = \"host\"", "from = \"host[0..6]\"");
        let asked = if keys.contains("pair") {
            text(keys)
        } else {
            asked.replace("to = \"host\"", "to = \"host[6..12]\"")
        };
        let problem = only(&asked);
        assert_eq!(problem.path, path, "{keys}: {problem}");
        assert!(problem.message.contains(part), "{keys}: {problem}");
        assert!(problem.help.is_some(), "{keys}: {problem}");
    }
    let too_far = only(&text("count = 9\npair = { hops = 4 }"));
    assert_eq!(too_far.help.as_deref(), Some("they are 1, 2, 3 apart"));
    // An unreadable pair is reported, and nothing else about it.
    for pair in ["{ hops = 0 }", "\"acros\""] {
        let problem = only(&text(&format!("count = 9\npair = {pair}")));
        assert!(problem.path.starts_with("flow[0].pair"), "{problem}");
    }
    let problem = only(
        &text("pair = \"across\"")
            .replace("edge = {", "edges_are = {")
            .replace("edges_are = { rate = \"100Mbps\" }", ""),
    );
    assert_eq!(problem.path, "topology.edge", "{problem}");
    let dumbbell = "run = { duration = \"1s\" }\ntopology = { shape = \"star\", leaves = 3, link = { rate = \"1Mbps\" } }\n\
         [[flow]]\nname = \"f\"\nfrom = \"leaf\"\nto = \"leaf\"\npair = \"across\"\ntraffic = { kind = \"cbr\", rate = \"1kbps\", size = \"1KB\" }\n";
    let problem = only(dumbbell);
    assert_eq!(problem.path, "flow[0].pair", "{problem}");
    assert!(problem.message.contains("no core"), "{problem}");
}
