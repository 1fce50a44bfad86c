//! Groups of nodes and links before they are numbered.

use std::sync::Arc;

use pacesim_keys::{LinkSpec, Pairing, Scenario};
use pacesim_language::names::Reference;

use pacesim_recordings::edges::ListedEdge;

/// A group of nodes before it is numbered.
pub(crate) struct NodeDraft {
    pub(crate) name: String,
    pub(crate) count: Option<u64>,
    /// The names of consecutive parts of the group, and the number of members of each.
    pub(crate) parts: Option<NodeParts>,
    /// Paths of the keys of the name and the count.
    pub(crate) name_path: String,
    pub(crate) count_path: String,
}

/// Parts of a group of nodes with names of their own: part p is prefix\[p\].name.
pub(crate) struct NodeParts {
    pub(crate) prefix: &'static str,
    pub(crate) size: u32,
}

/// A group of links before its ends are known.
pub(crate) struct LinkDraft<'s> {
    pub(crate) name: String,
    /// Path of the key of the group.
    pub(crate) path: String,
    pub(crate) ends: Ends,
    pub(crate) duplex: bool,
    pub(crate) spec: &'s LinkSpec,
    /// True if they have the pacers of their specification.
    pub(crate) paced: bool,
}

/// The two ends of a group of links.
pub(crate) enum Ends {
    Pairs {
        from: Reference,
        to: Reference,
        pair: Pairing,
    },
    Hosts(HostEnds),
    Ruled(RuledEnds),
    Listed(Arc<[ListedEdge]>),
}

/// Links between two groups, whose ends follow from their index.
pub(crate) struct RuledEnds {
    pub(crate) from: Reference,
    pub(crate) to: Reference,
    pub(crate) count: u64,
    /// The members of the groups that the i-th link joins.
    pub(crate) rule: Box<dyn Fn(u32) -> (u32, u32)>,
}

/// One link for each host, to or from an edge router.
pub(crate) struct HostEnds {
    pub(crate) hosts: Reference,
    pub(crate) edges: Reference,
    /// The edge router of the i-th host, of n edge routers.
    pub(crate) edge_of: fn(u32, u32) -> u32,
    /// True if the links lead from the hosts.
    pub(crate) from_hosts: bool,
}

/// The groups of `[[node]]`.
pub(crate) fn node_drafts(scenario: &Scenario) -> impl Iterator<Item = NodeDraft> + '_ {
    scenario
        .nodes
        .iter()
        .enumerate()
        .map(|(i, group)| NodeDraft {
            name: group.name.clone(),
            count: group.count.map(u64::from),
            parts: None,
            name_path: format!("node[{i}].name"),
            count_path: format!("node[{i}].count"),
        })
}

/// The groups of `[[link]]`.
pub(crate) fn link_drafts(scenario: &Scenario) -> impl Iterator<Item = LinkDraft<'_>> {
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
