//! Networks shared by the benchmarks.

pub mod event_queues;

use pacesim::model::{
    Buffer, Counts, Extras, Flow, Link, Metric, Model, Node, PathRule, RunOutput, Salts, Sizes,
    Traffic,
};
use pacesim_units::{Bytes, Capacity, NodeId, Rate, Span, Time};

/// The tree of the edge-pacing paper's Fig. 3 with a Poisson flow from each of `hosts` left hosts
/// to a right host: access, edge, core, edge, access. Delays and rates are the paper's means. The
/// core buffer has 10 KB.
pub fn poisson_tree(hosts: u32, load: f64, duration: Span) -> Model {
    const EDGES: u32 = 10;
    let mut tree = Tree::default();
    let core_left = tree.node("core_left");
    let core_right = tree.node("core_right");
    tree.link(
        core_left,
        core_right,
        100,
        Span::from_ms(100),
        Capacity::Bytes(Bytes(10_000)),
    );
    let edges: Vec<_> = (0..EDGES)
        .map(|_| tree.edge(core_left, core_right))
        .collect();
    let rate = Rate::from_bps((load * 1e8 / f64::from(hosts)) as u64).expect("some load");
    for host in 0..hosts {
        let (left, right) = (tree.node("left"), tree.node("right"));
        let (ingress, _) = edges[(host % EDGES) as usize];
        let (_, egress) = edges[(host / EDGES % EDGES) as usize];
        tree.link(left, ingress, 10, Span::from_ms(3), Capacity::Unlimited);
        tree.link(egress, right, 10, Span::from_ms(3), Capacity::Unlimited);
        tree.flow(host, left, right, rate);
    }
    Model {
        title: "Poisson tree".into(),
        seed: 1,
        replication: 0,
        duration,
        warmup: Span::ZERO,
        metric: Metric::Hops,
        salts: Salts::Own,
        path_choice: None,
        nodes: tree.nodes,
        links: tree.links,
        flows: tree.flows,
        middleboxes: Vec::new(),
        switches: Vec::new(),
        changes: Vec::new(),
        reroutes: Vec::new(),
        barriers: Vec::new(),
        budget: Default::default(),
        protections: Vec::new(),
        output: RunOutput::default(),
        ties: Default::default(),
        division: Default::default(),
    }
}

#[derive(Default)]
struct Tree {
    nodes: Vec<Node>,
    links: Vec<Link>,
    flows: Vec<Flow>,
}

impl Tree {
    fn node(&mut self, name: &str) -> NodeId {
        self.nodes.push(Node { name: name.into() });
        NodeId::from_index(self.nodes.len() - 1)
    }

    fn link(&mut self, from: NodeId, to: NodeId, mbps: u64, delay: Span, capacity: Capacity) {
        self.links.push(Link {
            name: format!("link[{}]", self.links.len()).into(),
            from,
            to,
            rate: Rate::from_mbps(mbps),
            delay,
            buffer: Buffer {
                capacity,
                counts: Counts::Waiting,
            },
            length_m: None,
            extras: Extras::default(),
        });
    }

    fn edge(&mut self, core_left: NodeId, core_right: NodeId) -> (NodeId, NodeId) {
        let (ingress, egress) = (self.node("ingress"), self.node("egress"));
        self.link(
            ingress,
            core_left,
            100,
            Span::from_ms(10),
            Capacity::Unlimited,
        );
        self.link(
            core_right,
            egress,
            100,
            Span::from_ms(10),
            Capacity::Unlimited,
        );
        (ingress, egress)
    }

    fn flow(&mut self, index: u32, from: NodeId, to: NodeId, rate: Rate) {
        let size = Sizes::Constant(Bytes(1000));
        self.flows.push(Flow {
            group: "poisson".into(),
            index,
            from,
            to,
            start: Time::ZERO,
            stop: None,
            class: 0,
            ecn: None,
            path: PathRule::First,
            traffic: Traffic::Poisson { rate, size },
        });
    }
}
