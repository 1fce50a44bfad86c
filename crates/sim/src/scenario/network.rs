//! From groups to numbered nodes and links.

use std::ops::Range;

use super::directory::{Directory, too_many};
use super::keys::Of;
use super::language::MOST;
use super::pairs::Pairs;
use super::problem::Faults;
use super::shapes;
use super::types::{LinkSpec, ListedEdge, Scenario};
use super::values::{Pairing, Reference};

/// All nodes and links of a scenario. Groups that cannot be understood are left
/// out, and what refers to them is not told again.
pub(crate) struct Network<'s> {
    pub(crate) nodes: Directory,
    pub(crate) links: Directory,
    pub(crate) wires: Vec<Wires<'s>>,
    /// The known ends of links that were left out.
    pub(crate) loose: Vec<Option<Range<u32>>>,
    /// How many pairs all groups join.
    wired: usize,
}

/// The links of one group, with their ways back.
pub(crate) struct Wires<'s> {
    pub(crate) name: String,
    /// The key of what they are like.
    pub(crate) path: String,
    pub(crate) spec: &'s LinkSpec,
    pub(crate) duplex: bool,
    /// Whether they have the pacers of what they are like.
    pub(crate) paced: bool,
    pub(crate) indexed: bool,
    /// Each from one node to another.
    pub(crate) ends: Vec<(u32, u32)>,
    /// Lengths and delays of each.
    pub(crate) listed: Option<&'s [ListedEdge]>,
}

/// A group of nodes before it is numbered.
pub(crate) struct NodeDraft {
    pub(crate) name: String,
    pub(crate) count: Option<u64>,
    /// The keys that say so.
    pub(crate) name_path: String,
    pub(crate) count_path: String,
}

/// A group of links before its ends are known.
pub(crate) struct LinkDraft<'s> {
    pub(crate) name: String,
    /// The key of the group.
    pub(crate) path: String,
    pub(crate) ends: Ends<'s>,
    pub(crate) duplex: bool,
    pub(crate) spec: &'s LinkSpec,
    /// Whether they have the pacers of what they are like.
    pub(crate) paced: bool,
}

/// What a group of links joins.
pub(crate) enum Ends<'s> {
    Pairs {
        from: Reference,
        to: Reference,
        pair: Pairing,
    },
    Hosts(HostEnds),
    Listed(&'s [ListedEdge]),
}

/// One link for each host, to or from an edge router.
pub(crate) struct HostEnds {
    pub(crate) hosts: Reference,
    pub(crate) edges: Reference,
    /// Which edge router the i-th host is at, of so many.
    pub(crate) edge_of: fn(u32, u32) -> u32,
    /// Whether the links lead from the hosts.
    pub(crate) from_hosts: bool,
}

impl<'s> Network<'s> {
    /// Numbers the nodes and links of a scenario; what is wrong goes to `faults`.
    pub(crate) fn of(scenario: &'s Scenario, known: &Faults, faults: &mut Faults) -> Network<'s> {
        let mut network = Network {
            nodes: Directory::new(Of::Nodes),
            links: Directory::new(Of::Links),
            wires: Vec::new(),
            loose: Vec::new(),
            wired: 0,
        };
        let (mut nodes, mut links) = scenario
            .topology
            .as_ref()
            .map(shapes::parts)
            .unwrap_or_default();
        nodes.extend(node_drafts(scenario));
        links.extend(link_drafts(scenario));
        for node in &nodes {
            network.add_nodes(node, known, faults);
        }
        for link in links {
            network.add_links(link, faults);
        }
        network
    }

    fn add_nodes(&mut self, draft: &NodeDraft, known: &Faults, faults: &mut Faults) {
        let count = draft.count.unwrap_or(1);
        let unsure = known.touch(&draft.count_path);
        if count == 0 && !unsure {
            faults
                .add(&draft.count_path, "a group of 0 nodes")
                .help("give at least 1");
        }
        let count = (count > 0 && !unsure).then_some(count);
        let paths = (draft.name_path.as_str(), draft.count_path.as_str());
        self.nodes
            .insert(&draft.name, count, draft.count.is_some(), paths, faults);
    }

    fn add_links(&mut self, draft: LinkDraft<'s>, faults: &mut Faults) {
        let sides = self.sides(&draft, faults);
        let (ends, indexed) = match sides {
            Some(Sides { ends, indexed }) => (Some(ends), indexed),
            None => (None, false),
        };
        let count = ends.as_ref().map(|ends| ends.len() as u64);
        let name_path = format!("{}.name", draft.path);
        let paths = (name_path.as_str(), name_path.as_str());
        let fresh = self
            .links
            .insert(&draft.name, count, indexed, paths, faults);
        if draft.duplex && fresh {
            let back = format!("{}.back", draft.name);
            self.links.insert(&back, count, indexed, paths, faults);
        }
        let Some(ends) = ends else {
            return;
        };
        self.wired += ends.len();
        if self.wired > MOST as usize {
            self.loose.push(None);
            return;
        }
        let listed = match draft.ends {
            Ends::Listed(edges) => Some(edges),
            Ends::Pairs { .. } | Ends::Hosts(_) => None,
        };
        let LinkDraft {
            name,
            path,
            duplex,
            spec,
            paced,
            ..
        } = draft;
        self.wires.push(Wires {
            name,
            path,
            spec,
            duplex,
            paced,
            indexed,
            ends,
            listed,
        });
    }

    /// Who is joined by a group of links.
    fn sides(&mut self, draft: &LinkDraft<'s>, faults: &mut Faults) -> Option<Sides> {
        let (from, to, pair) = match &draft.ends {
            Ends::Pairs { from, to, pair } => (from, to, *pair),
            Ends::Hosts(ends) => return self.hosts(ends, &draft.path, faults),
            Ends::Listed(edges) => return self.listed(edges, &draft.path, faults),
        };
        let (from_path, to_path) = (format!("{}.from", draft.path), format!("{}.to", draft.path));
        let a = self.nodes.resolve(from, &from_path, faults);
        let b = self.nodes.resolve(to, &to_path, faults);
        let (Some(a), Some(b)) = (a.clone(), b.clone()) else {
            self.loose.push(a.or(b));
            return None;
        };
        let pairs = Pairs {
            from: a,
            to: b,
            pair,
            count: None,
        };
        let ways = if draft.duplex { 2 } else { 1 };
        if pairs.len().saturating_mul(ways) > MOST {
            too_many(
                &format!("{}.pair", draft.path),
                pairs.len().saturating_mul(ways) + self.links.len() as u64,
                Of::Links,
                faults,
            );
            self.loose.push(None);
            return None;
        }
        let ends: Vec<(u32, u32)> = pairs.iter().collect();
        if let Some((node, _)) = ends.iter().find(|(a, b)| a == b) {
            let name = self.nodes.name(*node);
            let message = format!("this links {name} to itself");
            faults.add(to_path, message).help("give another node");
        } else if ends.is_empty() {
            faults
                .add(to_path, "this links no node to another")
                .help("give another node");
        }
        let indexed = self.nodes.is_plural(from) || self.nodes.is_plural(to);
        Some(Sides { ends, indexed })
    }
}

impl Network<'_> {
    fn hosts(&mut self, ends: &HostEnds, path: &str, faults: &mut Faults) -> Option<Sides> {
        let hosts = self.nodes.resolve(&ends.hosts, path, faults);
        let edges = self.nodes.resolve(&ends.edges, path, faults);
        let (Some(hosts), Some(edges)) = (hosts.clone(), edges.clone()) else {
            self.loose.push(hosts.or(edges));
            return None;
        };
        let joined = hosts.clone().map(|host| {
            let edge = (ends.edge_of)(host - hosts.start, edges.end - edges.start);
            match ends.from_hosts {
                true => (host, edges.start + edge),
                false => (edges.start + edge, host),
            }
        });
        Some(Sides {
            ends: joined.collect(),
            indexed: true,
        })
    }

    /// The ends of the links of a list, between the members of the group "router".
    fn listed(&mut self, edges: &[ListedEdge], path: &str, faults: &mut Faults) -> Option<Sides> {
        let routers = self.nodes.resolve(&Reference::from("router"), path, faults);
        let Some(routers) = routers else {
            self.loose.push(None);
            return None;
        };
        if let Some(edge) = edges.iter().find(|edge| edge.a == edge.b) {
            let message = format!("the list links router {} to itself", edge.a);
            faults
                .add("topology.list", message)
                .help("leave that link out");
        }
        let ends = edges
            .iter()
            .map(|edge| (routers.start + edge.a, routers.start + edge.b));
        Some(Sides {
            ends: ends.collect(),
            indexed: true,
        })
    }
}

struct Sides {
    ends: Vec<(u32, u32)>,
    indexed: bool,
}

fn node_drafts(scenario: &Scenario) -> impl Iterator<Item = NodeDraft> + '_ {
    scenario
        .nodes
        .iter()
        .enumerate()
        .map(|(i, group)| NodeDraft {
            name: group.name.clone(),
            count: group.count.map(u64::from),
            name_path: format!("node[{i}].name"),
            count_path: format!("node[{i}].count"),
        })
}

fn link_drafts(scenario: &Scenario) -> impl Iterator<Item = LinkDraft<'_>> {
    scenario
        .links
        .iter()
        .enumerate()
        .map(|(i, group)| LinkDraft {
            name: group.name.clone(),
            path: format!("link[{i}]"),
            ends: Ends::Pairs {
                from: group.from.clone(),
                to: group.to.clone(),
                pair: group.pair,
            },
            duplex: group.duplex,
            paced: true,
            spec: &group.spec,
        })
}
