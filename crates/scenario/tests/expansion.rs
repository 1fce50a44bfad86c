//! From a checked scenario to the model: the pairs, and their properties.

use pacesim_model::{Counts, Loss, Model, ScriptedDrop, Traffic};
use pacesim_scenario::{
    Checked, Files, LinkSpec, Mesh, Raw, Scenario, Topology, Us24List, load, templates,
};
use pacesim_units::{Bytes, Capacity, FlowId, Rate, Span, Time};

fn model(text: &str) -> Model {
    load("test.toml", text, &[], &())
        .unwrap_or_else(|p| panic!("{p}"))
        .expand(1, 0)
}

fn template(name: &str) -> &'static str {
    templates()
        .iter()
        .find(|t| t.name == name)
        .expect("a template")
        .text
}

/// "name: from > to" of every link.
fn wiring(model: &Model) -> Vec<String> {
    let node = |id: pacesim_units::NodeId| model.nodes[id.index()].name.to_string();
    model
        .links
        .iter()
        .map(|l| format!("{}: {} > {}", l.name, node(l.from), node(l.to)))
        .collect()
}

/// "from > to" of every flow.
fn ends(model: &Model) -> Vec<String> {
    let node = |id: pacesim_units::NodeId| model.nodes[id.index()].name.to_string();
    model
        .flows
        .iter()
        .map(|f| format!("{} > {}", node(f.from), node(f.to)))
        .collect()
}

fn shaped(topology: &str, from: &str, to: &str) -> Model {
    model(&format!(
        r#"run = {{ duration = "1s" }}
        topology = {{ {topology} }}
        flow = [{{ name = "f", from = "{from}", to = "{to}", traffic = {{ kind = "cbr", rate = "1Mbps", size = "1KB" }} }}]"#
    ))
}

const LINK: &str = r#"{ rate = "10Mbps" }"#;

#[test]
fn a_dumbbell_is_wired() {
    let net = shaped(
        &format!("shape = \"dumbbell\", pairs = 2, access = {LINK}, bottleneck = {LINK}"),
        "left",
        "right",
    );
    assert_eq!(
        wiring(&net),
        [
            "access[0]: left[0] > L",
            "access[1]: left[1] > L",
            "access.back[0]: L > left[0]",
            "access.back[1]: L > left[1]",
            "core: L > R",
            "core.back: R > L",
            "exit[0]: R > right[0]",
            "exit[1]: R > right[1]",
            "exit.back[0]: right[0] > R",
            "exit.back[1]: right[1] > R",
        ]
    );
    assert_eq!(ends(&net), ["left[0] > right[0]", "left[1] > right[1]"]);
}

#[test]
fn a_tandem_and_a_parking_lot_are_wired() {
    let net = shaped(
        &format!("shape = \"tandem\", hops = 2, link = {LINK}"),
        "node[0]",
        "node[2]",
    );
    assert_eq!(
        wiring(&net)[..2],
        ["hop[0]: node[0] > node[1]", "hop[1]: node[1] > node[2]"]
    );
    let net = shaped(
        &format!("shape = \"parking_lot\", hops = 2, link = {LINK}, access = {LINK}"),
        "enter",
        "leave",
    );
    let there: Vec<_> = wiring(&net)
        .into_iter()
        .filter(|l| !l.contains("back"))
        .collect();
    assert_eq!(
        there,
        [
            "head: head > router[0]",
            "access[0]: enter[0] > router[0]",
            "access[1]: enter[1] > router[1]",
            "hop[0]: router[0] > router[1]",
            "hop[1]: router[1] > router[2]",
            "exit[0]: router[1] > leave[0]",
            "exit[1]: router[2] > leave[1]",
            "tail: router[2] > tail",
        ]
    );
}

#[test]
fn an_access_tree_spreads_its_hosts_over_the_egress_edges() {
    let net = model(template("access_tree"));
    let find = |name: &str| {
        let all = wiring(&net);
        all.into_iter()
            .find(|l| l.starts_with(&format!("{name}: ")))
            .expect("a link")
    };
    assert_eq!(find("access[987]"), "access[987]: left[987] > ingress[7]");
    assert_eq!(find("exit[987]"), "exit[987]: egress[8] > right[987]");
    assert_eq!(find("edge_out[3]"), "edge_out[3]: R > egress[3]");
    // 2000 access and exit, 20 edge, 1 core, there and back.
    assert_eq!(
        (net.nodes.len(), net.links.len(), net.flows.len()),
        (2022, 4042, 1000)
    );
}

/// With as many edges as hosts, or more, all exits used to lead to the first host.
#[test]
fn an_access_tree_may_have_as_many_edges_as_hosts_or_more() {
    for (hosts, edges) in [(10, 10), (5, 10), (1, 3), (10, 1), (11, 10)] {
        let text = format!(
            r#"run = {{ duration = "1s" }}
            [topology]
            shape = "access_tree"
            hosts = {hosts}
            edges = {edges}
            access = {{ rate = "10Mbps" }}
            edge = {{ rate = "10Mbps" }}
            core = {{ rate = "10Mbps" }}
            [[flow]]
            name = "f"
            from = "left"
            to = "right"
            traffic = {{ kind = "cbr", rate = "1Mbps", size = "1KB" }}"#
        );
        let net = model(&text);
        let all = wiring(&net);
        for i in 0..hosts {
            let (ingress, egress) = (i % edges, i / edges % edges);
            let access = format!("access[{i}]: left[{i}] > ingress[{ingress}]");
            let exit = format!("exit[{i}]: egress[{egress}] > right[{i}]");
            assert!(all.contains(&access), "{access}");
            assert!(all.contains(&exit), "{exit}");
        }
        // Access, exit, edge, edge_out and core, there and back.
        assert_eq!(net.links.len() as u32, 4 * hosts + 4 * edges + 2);
    }
}

#[test]
fn a_mesh_has_the_delays_of_its_lengths_and_hosts_in_blocks() {
    let net = model(template("nsfnet"));
    let trunk = &net.links[0];
    assert_eq!(
        (trunk.name.to_string().as_str(), trunk.length_m),
        ("trunk[0]", Some(1_100_000))
    );
    assert_eq!(trunk.delay, Span::from_us(5500));
    assert!(wiring(&net).contains(&"access[55]: host[55] > router[13]".to_owned()));
    assert_eq!(net.nodes.len(), 14 + 56);
    assert!(net.flows.iter().all(|flow| flow.from != flow.to));
}

#[test]
fn pairings_join_whom_they_say() {
    let joined = |pair: &str, from: u32, to: u32, count: &str| {
        let text = format!(
            r#"run = {{ duration = "1s" }}
            node = [{{ name = "a", count = {from} }}, {{ name = "b", count = {to} }}, {{ name = "x" }}]
            link = [{{ name = "l", from = "a", to = "x", rate = "1Mbps" }}, {{ name = "m", from = "x", to = "b", rate = "1Mbps" }}]
            flow = [{{ name = "f", from = "a", to = "b", pair = {pair}{count}, traffic = {{ kind = "cbr", rate = "1Mbps", size = "1KB" }} }}]"#
        );
        let net = model(&text);
        ends(&net)
            .join(" ")
            .replace(['[', ']'], "")
            .replace(" > ", "-")
    };
    assert_eq!(joined("\"cyclic\"", 4, 2, ""), "a0-b0 a1-b1 a2-b0 a3-b1");
    assert_eq!(joined("\"block\"", 4, 2, ""), "a0-b0 a1-b0 a2-b1 a3-b1");
    assert_eq!(
        joined("{ stride = 2 }", 6, 2, ""),
        "a0-b0 a1-b0 a2-b1 a3-b1 a4-b0 a5-b0"
    );
    assert_eq!(
        joined("{ stride = 2 }", 2, 5, ""),
        "a0-b0 a0-b1 a1-b2 a1-b3 a0-b4"
    );
    assert_eq!(joined("\"all\"", 2, 2, ""), "a0-b0 a0-b1 a1-b0 a1-b1");
    assert_eq!(
        joined("\"block\"", 2, 2, ", count = 5"),
        "a0-b0 a0-b0 a0-b0 a1-b1 a1-b1"
    );
    assert_eq!(
        joined("\"cyclic\"", 2, 2, ", count = 3"),
        "a0-b0 a1-b1 a0-b0"
    );
}

#[test]
fn random_partners_are_spread_and_never_oneself() {
    let text = template("nsfnet").replace("count = 280", "count = 56000");
    let net = model(&text);
    let hosts = net
        .nodes
        .iter()
        .position(|n| n.name == "host[0]")
        .expect("hosts");
    let mut hits = vec![0u32; 56];
    for flow in &net.flows {
        assert_ne!(flow.from, flow.to);
        hits[flow.to.index() - hosts] += 1;
    }
    // Binomial with mean 1000 and deviation 31: five deviations on either side.
    assert!(hits.iter().all(|n| (845..=1155).contains(n)), "{hits:?}");
}

#[test]
fn the_custom_template_says_what_it_means() {
    let net = model(template("custom"));
    let link = |name: &str| net.links.iter().find(|l| l.name == name).expect("a link");
    let radio = link("radio");
    assert_eq!(radio.buffer.capacity, Capacity::Packets(40));
    assert_eq!(radio.extras.drops, [ScriptedDrop::Packet { k: 5 }]);
    let chain = Loss::GilbertElliott {
        to_bad: 0.001,
        to_good: 0.1,
        loss_good: 0.0,
        loss_bad: 0.5,
    };
    assert_eq!(radio.extras.loss.as_ref(), Some(&chain));
    let back = link("radio.back");
    assert_eq!(
        (back.rate, back.delay),
        (Rate::from_mbps(5), Span::from_ms(10))
    );
    assert_eq!((back.extras.loss, back.extras.drops.len()), (None, 0));
    assert_eq!(link("access[2]").delay, link("access.back[2]").delay);
    assert_eq!(
        net.flows[2].stop,
        Some(Time::from_ps(50 * 1_000_000_000_000))
    );
    assert!(matches!(
        net.flows[0].traffic,
        Traffic::Cbr {
            size: Bytes(1000),
            ..
        }
    ));
}

#[test]
fn buffers_follow_their_convention() {
    let net = |lines: &str| {
        let text =
            template("mm1k").replace("buffer = \"10pkts\"\nbuffer_counts = \"system\"", lines);
        model(&text).links[0].buffer
    };
    let as_written = model(template("mm1k")).links[0].buffer;
    assert_eq!(
        (as_written.capacity, as_written.counts),
        (Capacity::Packets(10), Counts::System)
    );
    let ns2 = net("buffer = \"10pkts\"\nbuffer_counts = \"ns2_limit\"");
    assert_eq!(
        (ns2.capacity, ns2.counts),
        (Capacity::Packets(9), Counts::Waiting)
    );
    assert_eq!(net("").capacity, Capacity::Unlimited);
}

#[test]
fn drops_name_flows_of_the_model() {
    let text = template("custom").replace(
        "[{ packet = 5 }]",
        "[{ flow = \"f[1]\", seq = 7 }, { flow = \"f[0..2]\", ack = 3, k = 2 }]",
    );
    let net = model(&text);
    let radio = net
        .links
        .iter()
        .find(|l| l.name == "radio")
        .expect("a link");
    assert_eq!(
        radio.extras.drops,
        [
            ScriptedDrop::Sequence {
                flow: FlowId(1),
                seq: 7,
                k: 1
            },
            ScriptedDrop::Ack {
                flow: FlowId(0),
                ack: 3,
                k: 2
            },
            ScriptedDrop::Ack {
                flow: FlowId(1),
                ack: 3,
                k: 2
            },
        ]
    );
}

#[test]
fn draws_depend_on_seed_and_replication_and_on_nothing_else() {
    let text = template("access_tree");
    let checked = load("test.toml", text, &[], &()).expect("sound");
    let rates = |m: &Model| m.links.iter().map(|l| l.rate).collect::<Vec<_>>();
    let base = rates(&checked.expand(1, 0));
    assert_eq!(base, rates(&checked.expand(1, 0)));
    assert_ne!(base, rates(&checked.expand(1, 1)));
    assert_ne!(base, rates(&checked.expand(2, 0)));
    assert!(
        base.iter()
            .all(|r| (8_000_000..=100_000_000).contains(&r.as_bps()))
    );
    // Fewer hosts draw the same first numbers; another flow shifts none.
    let fewer = model(&text.replace("hosts = 1000", "hosts = 100"));
    assert_eq!(rates(&fewer)[..100], base[..100]);
    let more = text.to_owned()
        + "[[flow]]\nname = \"g\"\nfrom = \"left\"\nto = \"right\"\nstart = { exponential = \"1s\" }\ntraffic = { kind = \"cbr\", rate = \"1kbps\", size = \"1KB\" }\n";
    assert_eq!(rates(&model(&more)), base);
}

#[test]
fn drawn_values_have_the_mean_of_their_distribution() {
    for (what, mean) in [
        ("{ exponential = \"20ms\" }", 20e9),
        ("{ uniform = [\"10ms\", \"30ms\"] }", 20e9),
        ("{ normal = { mean = \"20ms\", std_dev = \"2ms\" } }", 20e9),
        ("{ lognormal = { mean = \"20ms\", sigma = 0.5 } }", 20e9),
        ("{ geometric = \"20ms\" }", 20e9),
        ("{ pareto = { mean = \"20ms\", shape = 4.0 } }", 20e9),
    ] {
        let text = template("access_tree")
            .replace("hosts = 1000", "hosts = 20000")
            .replace(
                "delay = { uniform = [\"1ms\", \"5ms\"] }",
                &format!("delay = {what}"),
            );
        let net = model(&text);
        let delays = net
            .links
            .iter()
            .filter(|l| l.name.to_string().starts_with("access["));
        let sum: f64 = delays.map(|l| l.delay.as_ps() as f64).sum();
        // The widest distribution has a deviation equal to its mean: 4 times that over sqrt(20000).
        let off = (sum / 20_000.0 - mean).abs() / mean;
        assert!(off < 4.0 / 20_000f64.sqrt(), "{what}: {off}");
    }
}

/// A folder in memory.
struct Folder(&'static [(&'static str, &'static str)]);

impl Files for Folder {
    fn text(&self, name: &str) -> Result<String, String> {
        let file = self.0.iter().find(|(n, _)| *n == name);
        file.map(|(_, text)| (*text).to_owned())
            .ok_or_else(|| "there is no such file".to_owned())
    }
}

const WITH_FILES: &str = r#"
run = { duration = "1s" }
[topology]
shape = "edge_list"
file = "net.csv"
link = { rate = "1Gbps" }
[[flow]]
name = "f"
from = "router[0]"
to = "router[2]"
traffic = { kind = "recorded", file = "arrivals.csv" }
"#;

#[test]
fn files_are_named_first_and_handed_in_later() {
    let raw = Raw::parse("x.toml", WITH_FILES);
    let needed: Vec<_> = raw
        .needed_files()
        .into_iter()
        .map(|f| (f.name, f.path, f.line))
        .collect();
    let expected = [
        ("net.csv", "topology.file", 5),
        ("arrivals.csv", "flow[0].traffic.file", 11),
    ];
    assert_eq!(
        needed,
        expected.map(|(n, p, l)| (n.to_owned(), p.to_owned(), l))
    );
    let folder = Folder(&[
        ("net.csv", "a,b,km\n1,2,100\n2,3,50\n"),
        ("arrivals.csv", "t_ms,size_bytes\n0,100\n1.5,200\n"),
    ]);
    let net = raw.check(&folder).expect("sound").expand(1, 0);
    assert_eq!(net.links[1].delay, Span::from_us(250));
    let Traffic::Recorded(arrivals) = &net.flows[0].traffic else {
        panic!("recorded")
    };
    let second = arrivals.get(1).expect("two");
    assert_eq!((second.at, second.size), (Span::from_us(1500), Bytes(200)));
}

#[test]
fn missing_and_malformed_files_are_problems_at_their_keys() {
    let folder = Folder(&[("net.csv", "a,b,km\n1,2,100\n2,3,far\n")]);
    let all = load("x.toml", WITH_FILES, &[], &folder)
        .expect_err("bad files")
        .0;
    let seen: Vec<_> = all
        .iter()
        .map(|p| (p.line, p.column, p.path.as_str()))
        .collect();
    assert_eq!(
        seen,
        [(5, 8, "topology.file"), (11, 39, "flow[0].traffic.file")],
        "{all:#?}"
    );
    assert!(all[0].message.contains("line 3: \"far\""), "{}", all[0]);
    assert!(all[1].message.contains("no such file"), "{}", all[1]);
}

#[test]
fn a_scenario_built_in_code_is_checked_alike() {
    let mut scenario = Scenario::new(Span::ZERO);
    let link = LinkSpec::new(Rate::from_mbps(1)).buffer(Capacity::Packets(0));
    let mesh = Mesh {
        link,
        edges: 0,
        edge: None,
        hosts: 1,
        access: None,
    };
    let list = Us24List::Short;
    scenario.topology = Some(Topology::Us24 { list, mesh });
    let all = Checked::of(scenario).expect_err("three mistakes").0;
    let paths: Vec<_> = all.iter().map(|p| p.path.as_str()).collect();
    assert_eq!(
        paths,
        [
            "run.duration",
            "topology.link.buffer",
            "topology.access",
            "flow"
        ],
        "{all:#?}"
    );
}
