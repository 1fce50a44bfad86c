//! The nodes and links of networks of known shapes.

mod fabrics;

use std::sync::Arc;

use pacesim_keys::{LinkSpec, Mesh, Pairing, Topology};
use pacesim_language::names::{Members, Reference};

use super::drafts::{Ends, HostEnds, LinkDraft, NodeDraft};
use pacesim_recordings::edges::ListedEdge;

/// The groups of nodes and links of a shape.
type Parts<'s> = (Vec<NodeDraft>, Vec<LinkDraft<'s>>);

pub(crate) fn parts(topology: &Topology) -> Parts<'_> {
    match topology {
        Topology::Dumbbell {
            pairs,
            access,
            bottleneck,
            exit,
        } => dumbbell(*pairs, access, bottleneck, exit.as_ref()),
        Topology::Tandem { hops, link } => tandem(*hops, link),
        Topology::ParkingLot { hops, link, access } => parking_lot(*hops, link, access),
        Topology::Star { leaves, link } => star(*leaves, link),
        Topology::AccessTree {
            hosts,
            edges,
            access,
            edge,
            core,
        } => access_tree((*hosts, *edges), access, edge, core),
        Topology::LeafSpine { .. } | Topology::FatTree { .. } => fabrics::parts(topology),
        Topology::Nsfnet { .. } | Topology::Us24 { .. } | Topology::EdgeList { .. } => {
            let (list, around) = topology.mesh().expect("these shapes have a list");
            mesh(list, around)
        }
    }
}

fn dumbbell<'s>(
    pairs: u32,
    access: &'s LinkSpec,
    core: &'s LinkSpec,
    exit: Option<&'s LinkSpec>,
) -> Parts<'s> {
    let nodes = vec![
        many("left", pairs, "pairs"),
        one("L"),
        one("R"),
        many("right", pairs, "pairs"),
    ];
    let exit = match exit {
        Some(exit) => link("exit", "exit", "R", "right", exit),
        None => link("exit", "access", "R", "right", access).unpaced(),
    };
    let links = vec![
        link("access", "access", "left", "L", access),
        link("core", "bottleneck", "L", "R", core),
        exit,
    ];
    (nodes, links)
}

fn tandem(hops: u32, spec: &LinkSpec) -> Parts<'_> {
    let nodes = vec![many("node", u64::from(hops) + 1, "hops")];
    (nodes, vec![chain("hop", "node", hops, spec)])
}

fn parking_lot<'s>(hops: u32, spec: &'s LinkSpec, access: &'s LinkSpec) -> Parts<'s> {
    let nodes = vec![
        one("head"),
        many("enter", hops, "hops"),
        many("router", u64::from(hops) + 1, "hops"),
        many("leave", hops, "hops"),
        one("tail"),
    ];
    let ends = |first, count| some("router", first, count);
    let links = vec![
        link("head", "access", "head", member("router", 0), access),
        link("access", "access", "enter", ends(0, hops), access),
        chain("hop", "router", hops, spec),
        link("exit", "access", ends(1, hops), "leave", access).unpaced(),
        link("tail", "access", member("router", hops), "tail", access).unpaced(),
    ];
    (nodes, links)
}

fn star(leaves: u32, spec: &LinkSpec) -> Parts<'_> {
    let nodes = vec![many("leaf", leaves, "leaves"), one("hub")];
    (nodes, vec![link("spoke", "link", "leaf", "hub", spec)])
}

fn access_tree<'s>(
    (hosts, edges): (u32, u32),
    access: &'s LinkSpec,
    edge: &'s LinkSpec,
    core: &'s LinkSpec,
) -> Parts<'s> {
    let nodes = vec![
        many("left", hosts, "hosts"),
        many("ingress", edges, "edges"),
        one("L"),
        one("R"),
        many("egress", edges, "edges"),
        many("right", hosts, "hosts"),
    ];
    let left = Ends::Hosts(HostEnds {
        hosts: "left".into(),
        edges: "ingress".into(),
        edge_of: |i, edges| i % edges,
        from_hosts: true,
    });
    let right = Ends::Hosts(HostEnds {
        hosts: "right".into(),
        edges: "egress".into(),
        // The hosts of one ingress edge are spread over all egress edges.
        edge_of: |i, edges| i / edges % edges,
        from_hosts: false,
    });
    let links = vec![
        draft("access", "access", left, access),
        link("edge", "edge", "ingress", "L", edge),
        link("core", "core", "L", "R", core),
        link("edge_out", "edge", "R", "egress", edge).unpaced(),
        draft("exit", "access", right, access).unpaced(),
    ];
    (nodes, links)
}

fn mesh(list: Arc<[ListedEdge]>, mesh: &Mesh) -> Parts<'_> {
    let highest = list.iter().map(|edge| edge.a.max(edge.b)).max();
    let routers = highest.map_or(0, |highest| u64::from(highest) + 1);
    let mut nodes = vec![many("router", routers, "list")];
    let mut links = vec![draft("trunk", "link", Ends::Listed(list), &mesh.link)];
    let mut at = ("router", routers);
    if let (Some(edge), 1..) = (&mesh.edge, mesh.edges) {
        at = ("edge", u64::from(mesh.edges).saturating_mul(routers));
        nodes.push(many("edge", at.1, "edges"));
        let ends = pairs("edge", "router", Pairing::Block);
        links.push(draft("edge", "edge", ends, edge));
    }
    if let (Some(access), 1..) = (&mesh.access, mesh.hosts) {
        let hosts = u64::from(mesh.hosts).saturating_mul(at.1);
        nodes.push(many("host", hosts, "hosts"));
        let ends = pairs("host", at.0, Pairing::Block);
        links.push(draft("access", "access", ends, access));
    }
    (nodes, links)
}

fn one(name: &str) -> NodeDraft {
    NodeDraft {
        name: name.to_owned(),
        count: None,
        parts: None,
        name_path: "topology.shape".to_owned(),
        count_path: "topology.shape".to_owned(),
    }
}

fn many(name: &str, count: impl Into<u64>, key: &str) -> NodeDraft {
    NodeDraft {
        name: name.to_owned(),
        count: Some(count.into()),
        parts: None,
        name_path: "topology.shape".to_owned(),
        count_path: format!("topology.{key}"),
    }
}

fn member(group: &str, i: u32) -> Reference {
    Reference {
        group: group.to_owned(),
        members: Members::One(i),
    }
}

fn some(group: &str, first: u32, count: u32) -> Reference {
    let members = Members::Range(first..first.saturating_add(count));
    Reference {
        group: group.to_owned(),
        members,
    }
}

fn pairs(from: impl Into<Reference>, to: impl Into<Reference>, pair: Pairing) -> Ends {
    Ends::Pairs {
        from: from.into(),
        to: to.into(),
        pair,
    }
}

/// Links with the properties of the table at `topology.key`.
fn draft<'s>(name: &str, key: &str, ends: Ends, spec: &'s LinkSpec) -> LinkDraft<'s> {
    LinkDraft {
        name: name.to_owned(),
        path: format!("topology.{key}"),
        ends,
        duplex: true,
        spec,
        paced: true,
    }
}

impl LinkDraft<'_> {
    /// Links beyond the middle of a topology: like those before it, but without a pacer.
    fn unpaced(self) -> Self {
        LinkDraft {
            paced: false,
            ..self
        }
    }
}

fn link<'s>(
    name: &str,
    key: &str,
    from: impl Into<Reference>,
    to: impl Into<Reference>,
    spec: &'s LinkSpec,
) -> LinkDraft<'s> {
    draft(name, key, pairs(from, to, Pairing::Cyclic), spec)
}

/// Links from each node of a group to the next.
fn chain<'s>(name: &str, nodes: &str, hops: u32, spec: &'s LinkSpec) -> LinkDraft<'s> {
    draft(
        name,
        "link",
        pairs(some(nodes, 0, hops), some(nodes, 1, hops), Pairing::Cyclic),
        spec,
    )
}
