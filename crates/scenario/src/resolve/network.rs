//! Translation of groups to numbered nodes and links.

use std::ops::Range;
use std::sync::Arc;

use pacesim_keys::{LinkSpec, MOST, Scenario};
use pacesim_language::names::Named;
use pacesim_language::names::Reference;
use pacesim_language::problem::Faults;

use super::core_map::CoreMap;
use super::directory::{Directory, too_many};
use super::drafts::{Ends, HostEnds, LinkDraft, NodeDraft, RuledEnds, link_drafts, node_drafts};
use super::pairs::Pairs;
use super::shapes;
use pacesim_recordings::edges::ListedEdge;

/// All nodes and links of a scenario. Groups that could not be understood are omitted, and
/// references to them are not reported again.
#[derive(Clone, Debug)]
pub(crate) struct Network {
    pub(crate) nodes: Directory,
    pub(crate) links: Directory,
    pub(crate) wires: Vec<Wires>,
    /// The known ends of omitted links.
    pub(crate) loose: Vec<Option<Range<u32>>>,
    /// Total number of pairs in all groups.
    wired: usize,
}

/// The links of one group, with their opposite links.
#[derive(Clone, Debug)]
pub(crate) struct Wires {
    pub(crate) name: String,
    /// Key of the links' specification.
    pub(crate) path: String,
    pub(crate) spec: LinkSpec,
    pub(crate) duplex: bool,
    /// True if they have the pacers of their specification.
    pub(crate) paced: bool,
    pub(crate) indexed: bool,
    /// Nodes at both ends of each link.
    pub(crate) ends: Vec<(u32, u32)>,
    /// Length and delay of each link, if listed.
    pub(crate) listed: Option<Arc<[ListedEdge]>>,
}

impl Wires {
    /// The length of a link in metres, its own or that of its list.
    pub(crate) fn length(&self, i: usize) -> Option<u64> {
        let listed = self.listed.as_ref().map(|edges| edges[i].length);
        self.spec.length.or(listed).map(|length| length.metres)
    }
}

impl Network {
    /// Numbers the nodes and links of a scenario; mistakes go to `faults`.
    pub(crate) fn of(scenario: &Scenario, known: &Faults, faults: &mut Faults) -> Network {
        let mut network = Network {
            nodes: Directory::new(Named::Nodes),
            links: Directory::new(Named::Links),
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

    /// The core, if it has trunks.
    pub(crate) fn core(&self) -> Option<CoreMap> {
        self.wires.iter().find(|wires| wires.listed.is_some())?;
        let routers = Reference::from("router");
        let routers = self.nodes.resolve(&routers, "", &mut Faults::default())?;
        let ends = |are_trunks: bool| {
            let wires = self.wires.iter();
            let alike = wires.filter(move |wires| wires.listed.is_some() == are_trunks);
            alike.flat_map(|wires| wires.ends.iter().copied())
        };
        Some(CoreMap::of(
            self.nodes.len(),
            routers,
            ends(true),
            ends(false),
        ))
    }

    /// The links trunk[i] of a topology that has them, in both directions.
    pub(crate) fn trunks(&self) -> Option<Range<u32>> {
        let mut first = 0;
        for wires in &self.wires {
            let ways = if wires.duplex { 2 } else { 1 };
            let count = ways * wires.ends.len() as u32;
            if wires.listed.is_some() {
                return Some(first..first + count);
            }
            first += count;
        }
        None
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
        let is_known = self
            .nodes
            .insert(&draft.name, count, draft.count.is_some(), paths, faults);
        if let (true, Some(parts)) = (is_known, &draft.parts) {
            self.nodes.name_parts(&draft.name, parts.prefix, parts.size);
        }
    }

    fn add_links(&mut self, draft: LinkDraft<'_>, faults: &mut Faults) {
        let sides = self.sides(&draft, faults);
        let (ends, indexed) = match sides {
            Some(Sides { ends, indexed }) if !ends.is_empty() => (Some(ends), indexed),
            Some(_) => {
                self.loose.push(None);
                (None, false)
            }
            None => (None, false),
        };
        let count = ends.as_ref().map(|ends| ends.len() as u64);
        let name_path = format!("{}.name", draft.path);
        let paths = (name_path.as_str(), name_path.as_str());
        let is_new = !self.links.has(&draft.name);
        let is_known = self
            .links
            .insert(&draft.name, count, indexed, paths, faults);
        // A link between unknown nodes has a way back, too.
        if draft.duplex && is_new && self.links.has(&draft.name) {
            let (back, count) = (format!("{}.back", draft.name), count.filter(|_| is_known));
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
            Ends::Pairs { .. } | Ends::Hosts(_) | Ends::Ruled(_) => None,
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
            spec: spec.clone(),
            duplex,
            paced,
            indexed,
            ends,
            listed,
        });
    }

    /// The ends of a group of links.
    fn sides(&mut self, draft: &LinkDraft<'_>, faults: &mut Faults) -> Option<Sides> {
        let (from, to, pair) = match &draft.ends {
            Ends::Pairs { from, to, pair } => (from, to, *pair),
            Ends::Hosts(ends) => return self.hosts(ends, &draft.path, faults),
            Ends::Ruled(ends) => return self.ruled(ends, &draft.path, faults),
            Ends::Listed(edges) => return self.listed(edges, &draft.path, faults),
        };
        let (from_path, to_path) = (format!("{}.from", draft.path), format!("{}.to", draft.path));
        let a = self.nodes.resolve(from, &from_path, faults);
        let b = self.nodes.resolve(to, &to_path, faults);
        let (Some(a), Some(b)) = (a.clone(), b.clone()) else {
            self.loose.push(a.or(b));
            return None;
        };
        let pairs = Pairs::by_rule(a, b, pair);
        let ways = if draft.duplex { 2 } else { 1 };
        if pairs.len().saturating_mul(ways) > MOST {
            too_many(
                &format!("{}.pair", draft.path),
                pairs.len().saturating_mul(ways) + self.links.len() as u64,
                Named::Links,
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

impl Network {
    fn hosts(&mut self, ends: &HostEnds, path: &str, faults: &mut Faults) -> Option<Sides> {
        let hosts = self.nodes.resolve(&ends.hosts, path, faults);
        let edges = self.nodes.resolve(&ends.edges, path, faults);
        let (Some(hosts), Some(edges)) = (hosts.clone(), edges.clone()) else {
            self.loose.push(hosts.or(edges));
            return None;
        };
        let joined = hosts.clone().map(|host| {
            let edge = (ends.edge_of)(host - hosts.start, edges.end - edges.start);
            if ends.from_hosts {
                (host, edges.start + edge)
            } else {
                (edges.start + edge, host)
            }
        });
        Some(Sides {
            ends: joined.collect(),
            indexed: true,
        })
    }

    fn ruled(&mut self, ends: &RuledEnds, path: &str, faults: &mut Faults) -> Option<Sides> {
        let from = self.nodes.resolve(&ends.from, path, faults);
        let to = self.nodes.resolve(&ends.to, path, faults);
        let (Some(from), Some(to)) = (from.clone(), to.clone()) else {
            self.loose.push(from.or(to));
            return None;
        };
        let all = ends.count.saturating_mul(2);
        if all > MOST {
            let all = all + self.links.len() as u64;
            too_many(path, all, Named::Links, faults);
            self.loose.push(None);
            return None;
        }
        let joined = (0..ends.count as u32).map(|i| {
            let (a, b) = (ends.rule)(i);
            (from.start + a, to.start + b)
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
