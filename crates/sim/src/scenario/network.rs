//! From groups to numbered nodes and links: names, references and pairs.

use std::collections::BTreeMap;
use std::ops::Range;

use super::keys::{Kind, Of};
use super::language::MOST;
use super::problem::{Faults, nearest, suggest};
use super::shapes;
use super::types::{LinkSpec, ListedEdge, Scenario};
use super::values::{Members, Pairing, Reference, is_name};

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
}

/// What a group of links joins.
pub(crate) enum Ends<'s> {
    Pairs {
        from: Reference,
        to: Reference,
        pair: Pairing,
    },
    Listed(&'s [ListedEdge]),
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
            Ends::Pairs { .. } => None,
        };
        let LinkDraft {
            name,
            path,
            duplex,
            spec,
            ..
        } = draft;
        self.wires.push(Wires {
            name,
            path,
            spec,
            duplex,
            indexed,
            ends,
            listed,
        });
    }

    /// Who is joined by a group of links.
    fn sides(&mut self, draft: &LinkDraft<'s>, faults: &mut Faults) -> Option<Sides> {
        let (from, to, pair) = match &draft.ends {
            Ends::Pairs { from, to, pair } => (from, to, *pair),
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
                pairs.len(),
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

pub(crate) fn too_many(path: &str, count: u64, of: Of, faults: &mut Faults) {
    let message = format!(
        "this makes {count} {}s, more than a run can hold",
        of.name()
    );
    faults
        .add(path, message)
        .help(format!("all groups together may have {MOST} of them"));
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
            spec: &group.spec,
        })
}

/// Names of groups, and which numbers their members have.
pub(crate) struct Directory {
    of: Of,
    /// `None` for a group that could not be understood.
    groups: BTreeMap<String, Option<Group>>,
    /// The known groups by their first member.
    by_first: Vec<(u32, String)>,
    total: u64,
    /// Names that are none: what is unknown may be meant by them.
    unusable: Vec<String>,
}

#[derive(Clone, Copy)]
struct Group {
    first: u32,
    count: u32,
    indexed: bool,
}

impl Directory {
    pub(crate) fn new(of: Of) -> Directory {
        Directory {
            of,
            groups: BTreeMap::new(),
            by_first: Vec::new(),
            total: 0,
            unusable: Vec::new(),
        }
    }

    /// How many members all known groups have.
    pub(crate) fn len(&self) -> usize {
        self.total as usize
    }

    /// Adds a group of so many, if that is known, whose name and count are at
    /// `paths`; whether it could be added.
    pub(crate) fn insert(
        &mut self,
        name: &str,
        count: Option<u64>,
        indexed: bool,
        (name_path, count_path): (&str, &str),
        faults: &mut Faults,
    ) -> bool {
        if self.groups.contains_key(name) {
            let message = format!("there is already a {} \"{name}\"", self.of.name());
            faults.add(name_path, message).help("give another name");
            return false;
        }
        if !is_name(name.strip_suffix(".back").unwrap_or(name)) {
            faults
                .add(name_path, format!("\"{name}\" is not a name"))
                .help(Kind::Name.accepts());
            self.unusable.push(name.to_owned());
            return false;
        }
        let group = count.and_then(|count| {
            if count.saturating_add(self.total) > MOST {
                too_many(count_path, count, self.of, faults);
                return None;
            }
            let first = self.total as u32;
            self.total += count;
            Some(Group {
                first,
                count: count as u32,
                indexed,
            })
        });
        if let Some(group) = group {
            self.by_first.push((group.first, name.to_owned()));
        }
        self.groups.insert(name.to_owned(), group);
        group.is_some()
    }

    /// The numbers that a reference means.
    pub(crate) fn resolve(
        &self,
        reference: &Reference,
        path: &str,
        faults: &mut Faults,
    ) -> Option<Range<u32>> {
        let Some(group) = self.groups.get(&reference.group) else {
            if faults.is_full() {
                return None;
            }
            let message = format!("unknown {} \"{}\"", self.of.name(), reference.group);
            let help = suggest(&reference.group, self.groups.keys().map(String::as_str));
            let meant = |name: &String| {
                name.is_empty() || nearest(&reference.group, [name.as_str()]).is_some()
            };
            faults.add(path, message).help(help).absence().silent = self.unusable.iter().any(meant);
            return None;
        };
        let group = (*group)?;
        let range = match &reference.members {
            Members::All => 0..group.count,
            Members::One(i) => *i..i.saturating_add(1),
            Members::Range(range) => range.clone(),
        };
        let plain = !group.indexed && reference.members != Members::All;
        if range.end > group.count || plain {
            let (name, last) = (&reference.group, group.count - 1);
            let help = match (group.indexed, last) {
                (false, _) => format!(
                    "\"{name}\" is a single {0}: write \"{name}\"",
                    self.of.name()
                ),
                (true, 0) => format!("\"{name}\" has only \"{name}[0]\""),
                (true, _) => format!("\"{name}\" has \"{name}[0]\" to \"{name}[{last}]\""),
            };
            faults
                .add(path, format!("there is no \"{reference}\""))
                .help(help);
            return None;
        }
        Some(group.first + range.start..group.first + range.end)
    }

    /// Whether a reference means some of a group, be it one.
    fn is_plural(&self, reference: &Reference) -> bool {
        let indexed = self
            .groups
            .get(&reference.group)
            .copied()
            .flatten()
            .is_some_and(|g| g.indexed);
        indexed && !matches!(reference.members, Members::One(_))
    }

    /// What a member is called.
    pub(crate) fn name(&self, member: u32) -> String {
        let at = self.by_first.partition_point(|(first, _)| *first <= member) - 1;
        let (first, name) = &self.by_first[at];
        let indexed = self.groups[name].is_some_and(|group| group.indexed);
        member_name(name, (member - first) as usize, indexed)
    }
}

/// "left\[3\]", or "left" where there is only one.
pub(crate) fn member_name(group: &str, i: usize, indexed: bool) -> String {
    if indexed {
        format!("{group}[{i}]")
    } else {
        group.to_owned()
    }
}

/// Who goes with whom.
pub(crate) struct Pairs {
    pub(crate) from: Range<u32>,
    pub(crate) to: Range<u32>,
    pub(crate) pair: Pairing,
    pub(crate) count: Option<u32>,
}

impl Pairs {
    fn sizes(&self) -> (u64, u64) {
        (
            u64::from(self.from.end - self.from.start),
            u64::from(self.to.end - self.to.start),
        )
    }

    /// How many there are, before any from a node to itself are left out.
    pub(crate) fn len(&self) -> u64 {
        let (n, m) = self.sizes();
        match (self.pair, self.count) {
            (Pairing::All, _) => n * m,
            (_, Some(count)) => u64::from(count),
            // Each node of from has one random partner.
            (Pairing::Random, None) => n,
            (_, None) => n.max(m),
        }
    }

    /// How many there are.
    pub(crate) fn iter_len(&self) -> u64 {
        match self.pair {
            Pairing::All => self.len() - u64::from(overlap(&self.from, &self.to)),
            _ => self.len(),
        }
    }

    /// Each pair. Random ones are drawn elsewhere; here `to` is its first node.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        let (n, m) = self.sizes();
        let k = self.len();
        let all = self.pair == Pairing::All;
        (0..k)
            .map(move |i| match self.pair {
                Pairing::Cyclic => (i % n, i % m),
                Pairing::Block => (i * n / k, i * m / k),
                Pairing::All => (i / m, i % m),
                Pairing::Stride(stride) if n < m => (i / u64::from(stride) % n, i % m),
                Pairing::Stride(stride) => (i % n, i / u64::from(stride) % m),
                Pairing::Random => (i % n, 0),
            })
            .map(|(i, j)| (self.from.start + i as u32, self.to.start + j as u32))
            .filter(move |(a, b)| !all || a != b)
    }
}

/// How many nodes are on both sides.
fn overlap(a: &Range<u32>, b: &Range<u32>) -> u32 {
    a.end.min(b.end).saturating_sub(a.start.max(b.start))
}
