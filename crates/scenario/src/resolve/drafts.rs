//! Groups of nodes and links before they are numbered.

use std::sync::Arc;

use pacesim_keys::{LinkSpec, Pairing, Scenario};
use pacesim_language::names::Reference;

use pacesim_recordings::edges::ListedEdge;

/// A group of nodes before it is numbered.
pub(crate) struct NodeDraft {
    pub(crate) name: String,
    pub(crate) count: Option<u64>,
    /// Paths of the keys of the name and the count.
    pub(crate) name_path: String,
    pub(crate) count_path: String,
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
    Listed(Arc<[ListedEdge]>),
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
