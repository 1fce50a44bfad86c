//! Pairs of edges and the flows that they protect, derived from the paths of flows.

use std::collections::BTreeMap;
use std::ops::Range;

use pacesim_fec::{Adaptation, Config};
use pacesim_keys::{Acks, BlockSizing, CoderPlace, FecGroup};
use pacesim_model::{Leg, Model, PathKey, Protection};
use pacesim_units::{FlowId, LinkId, NodeId};

use crate::resolve::{Edges, Network};

/// A pair of edges with the flows that pass it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pair {
    /// The ingress node, the egress node, and the links between.
    pub(crate) from: u32,
    pub(crate) to: u32,
    pub(crate) way: Vec<LinkId>,
    pub(crate) data: Vec<u32>,
    pub(crate) acks: Vec<u32>,
    /// A flow along a different path than the first.
    pub(crate) astray: Option<u32>,
}

impl Pair {
    /// The node of the pair's encoder.
    pub(crate) fn encoder(&self, place: CoderPlace, end: impl Fn(LinkId) -> u32) -> u32 {
        match place {
            CoderPlace::BehindLine if self.way.len() > 1 => end(self.way[0]),
            _ => self.from,
        }
    }
}

/// Entry, ingress and egress, and true if it protects only acknowledgements.
pub(crate) type PairKey = (usize, u32, u32, bool);

/// The block of a pair whose size a model is still to give: no world is built before it has.
const UNSOLVED_BLOCK: u16 = 1;

/// A flow on its path.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FlowEnds {
    pub(crate) flow: u32,
    pub(crate) from: u32,
    pub(crate) to: u32,
    pub(crate) is_tcp: bool,
}

/// The pairs of all entries, and unusual flows.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pairs {
    pub(crate) pairs: BTreeMap<PairKey, Pair>,
    /// Numbers of the flows that no entry protects.
    pub(crate) bare: Vec<u32>,
    /// The first flow that two entries would protect, with both.
    pub(crate) twice: Option<(usize, usize, u32)>,
}

/// Finds the pairs that flows pass. `way` gives the links of one direction of a flow, `end` the node
/// at the end of a link.
pub(crate) fn pairs(
    entries: &[Edges],
    flows: impl Iterator<Item = FlowEnds>,
    mut way: impl FnMut(&FlowEnds, Leg) -> Option<Vec<LinkId>>,
    end: impl Fn(LinkId) -> u32,
) -> Pairs {
    let mut found = Pairs::default();
    for flow in flows {
        let Some(links) = way(&flow, Leg::There) else {
            continue;
        };
        let there = Way::new(flow.from, links, &end);
        let of_entry = |(i, edges): (usize, &Edges)| Some((i, there.between(edges)?));
        let mut through = entries.iter().enumerate().filter_map(of_entry);
        let Some((entry, stretch)) = through.next() else {
            found.bare.push(flow.flow);
            continue;
        };
        if let Some((other, _)) = through.next() {
            found.twice = found.twice.or(Some((entry, other, flow.flow)));
        }
        let (ingress, egress) = (there.nodes[stretch.start], there.nodes[stretch.end]);
        let pair = found.pair((entry, ingress, egress, false), &there, stretch, flow.flow);
        pair.data.push(flow.flow);
        let edges = &entries[entry];
        if flow.is_tcp && edges.acks != Acks::None {
            let back = way(&flow, Leg::Back).map(|links| Way::new(flow.to, links, &end));
            let stretch = back.as_ref().and_then(|back| back.stretch(egress, ingress));
            if let (Some(back), Some(stretch)) = (back, stretch) {
                let key = (entry, egress, ingress, edges.acks == Acks::Apart);
                let pair = found.pair(key, &back, stretch, flow.flow);
                pair.acks.push(flow.flow);
            }
        }
    }
    found
}

impl Pairs {
    fn pair(&mut self, key: PairKey, way: &Way, stretch: Range<usize>, flow: u32) -> &mut Pair {
        let links = &way.links[stretch];
        let pair = self.pairs.entry(key).or_insert_with(|| Pair {
            from: key.1,
            to: key.2,
            way: links.to_vec(),
            ..Pair::default()
        });
        if pair.way != links {
            pair.astray.get_or_insert(flow);
        }
        pair
    }
}

/// The nodes on a path, and the links: the i-th leads from the i-th node to the next.
struct Way {
    nodes: Vec<u32>,
    links: Vec<LinkId>,
}

impl Way {
    fn new(from: u32, links: Vec<LinkId>, end: impl Fn(LinkId) -> u32) -> Way {
        let ends = links.iter().map(|link| end(*link));
        let nodes = std::iter::once(from).chain(ends).collect();
        Way { nodes, links }
    }

    /// The section from the first ingress to the last egress, by positions.
    fn between(&self, edges: &Edges) -> Option<Range<usize>> {
        let start = self.nodes.iter().position(|n| edges.ingress.contains(n))?;
        let end = self.nodes.iter().rposition(|n| edges.egress.contains(n))?;
        (start < end).then_some(start..end)
    }

    fn stretch(&self, from: u32, to: u32) -> Option<Range<usize>> {
        let start = self.nodes.iter().position(|n| *n == from)?;
        let end = self.nodes.iter().rposition(|n| *n == to)?;
        (start < end).then_some(start..end)
    }
}

/// The links of a path that belong to the core: trunks if the network has any, otherwise all.
pub(crate) fn core(network: &Network, way: &[LinkId]) -> Vec<LinkId> {
    let trunks = network.trunks();
    let is_core = |link: &&LinkId| trunks.as_ref().is_none_or(|all| all.contains(&link.0));
    way.iter().filter(is_core).copied().collect()
}

/// The protections of a model whose flows and links are known.
pub(crate) fn protections(
    groups: &[FecGroup],
    entries: &[Edges],
    network: &Network,
    model: &Model,
) -> Vec<Protection> {
    if entries.is_empty() {
        return Vec::new();
    }
    let mut paths = model.paths();
    let flows = model.flows.iter().zip(0..).map(|(flow, id)| FlowEnds {
        flow: id,
        from: flow.from.0,
        to: flow.to.0,
        is_tcp: flow.traffic.is_closed_loop(),
    });
    let way = |ends: &FlowEnds, leg| paths.by(PathKey::of(&model.flows[ends.flow as usize], leg));
    let end = |link: LinkId| model.links[link.index()].to.0;
    let found = pairs(entries, flows, way, end);
    let mut adaptations: BTreeMap<(usize, u32), Adaptation> = BTreeMap::new();
    let name = |node: u32| &model.nodes[node as usize].name;
    let protection = |((entry, from, to, apart), pair): (PairKey, Pair)| {
        let (group, edges) = (&groups[entry], &entries[entry]);
        let core = core(network, &pair.way);
        let hops = core.len() as u32;
        let encoder = pair.encoder(edges.place, end);
        let apart = if apart { " acks" } else { "" };
        let (block, unsolved) = match group.block_of(hops)? {
            BlockSizing::Stated(block) => (block, None),
            BlockSizing::Modelled(sizes) => (UNSOLVED_BLOCK, Some(sizes)),
        };
        let ids = |flows: Vec<u32>| flows.into_iter().map(FlowId).collect();
        Some(Protection {
            name: format!("{}>{}{apart}", name(from), name(to)),
            group: group.name.clone(),
            encoder: NodeId(encoder),
            decoder: NodeId(to),
            core,
            data: ids(pair.data),
            acks: ids(pair.acks),
            config: Config {
                block,
                depth: group.depth,
                timeout: group.timeout,
                size: group.size,
            },
            order: group.order,
            adaptation: group.adaptive.map(|adaptive| {
                let known = adaptations.entry((entry, hops));
                known.or_insert_with(|| adaptive.at(hops)).clone()
            }),
            unsolved,
        })
    };
    found.pairs.into_iter().filter_map(protection).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flow_that_goes_another_way_than_its_pair_is_found() {
        // From 0 to 9 via node 3, for every other flow via node 4; links are named by their ends.
        let group = FecGroup::new("in", "out", 3);
        let entries = [Edges::new(&group, 0..1, 9..10)];
        let link = |from: u32, to: u32| LinkId(10 * from + to);
        let flow = |flow, to| FlowEnds {
            flow,
            from: 0,
            to,
            is_tcp: false,
        };
        let way = |ends: &FlowEnds, _| {
            let over = if ends.to.is_multiple_of(2) { 3 } else { 4 };
            Some(vec![link(0, over), link(over, 9), link(9, 5)])
        };
        let end = |link: LinkId| link.0 % 10;
        let even = pairs(&entries, [flow(0, 12), flow(1, 14)].into_iter(), way, end);
        assert_eq!(even.pairs[&(0, 0, 9, false)].astray, None);
        let both = pairs(&entries, [flow(0, 12), flow(1, 13)].into_iter(), way, end);
        assert_eq!(both.pairs[&(0, 0, 9, false)].astray, Some(1));
        assert_eq!(both.pairs[&(0, 0, 9, false)].data, [0, 1]);
    }
}
