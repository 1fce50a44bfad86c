//! [topology]: networks of known shapes.

use std::sync::Arc;

use pacesim_language::field::{Count, Field, FileName, Reader, Whole, Written};
use pacesim_language::form::Form;
use pacesim_language::tree::Item;
use pacesim_language::{cases, table, words};

use crate::link::LinkSpec;
use pacesim_recordings::edges::{ListedEdge, edge_list};

cases! {
    /// A network of a known shape.
    pub enum Topology by "shape" {
        /// Nodes left[i], L, R, right[i]; links access[i] (left[i] to L), core (L to R),
        /// exit[i] (R to right[i]).
        Dumbbell "dumbbell" {
            pairs: u32 as Count, (else 1), "The number of nodes on each side.", "10";
            access: LinkSpec, "The links from left[i] to L.", "{ rate = \"10Mbps\", delay = \"1ms\" }";
            bottleneck: LinkSpec, "The link from L to R, named core.", "{ rate = \"10Mbps\", delay = \"20ms\", buffer = \"50KB\" }";
            exit: Option<LinkSpec>, "The links from R to right[i]; by default like access, with separate draws. A round trip is twice the delays of access, bottleneck and exit: for uniform ones give exit no delay.", "{ rate = \"100Mbps\" }";
        }
        /// A chain of nodes node[0] to node[hops]; links hop[i] (node[i] to node[i+1]).
        Tandem "tandem" {
            hops: u32 as Count, (else 1), "The number of links in a row.", "3";
            link: LinkSpec, "The links hop[i].", "{ rate = \"10Mbps\", delay = \"2ms\" }";
        }
        /// A chain router[0] to router[hops] by links hop[i]; the long path is from node head
        /// (link head, to router[0]) to node tail (link tail, from router[hops]); the cross path
        /// of each hop is from enter[i] (link access[i], to router[i]) to leave[i] (link exit[i],
        /// from router[i+1]).
        ParkingLot "parking_lot" {
            hops: u32 as Count, (else 1), "The number of links in a row.", "3";
            link: LinkSpec, "The links hop[i].", "{ rate = \"10Mbps\", delay = \"5ms\", buffer = \"20pkts\" }";
            access: LinkSpec, "All other links.", "{ rate = \"100Mbps\", delay = \"1ms\" }";
        }
        /// Nodes leaf[i] around a node hub; links spoke[i] (leaf[i] to hub).
        Star "star" {
            leaves: u32 as Count, (else 1), "The number of leaves.", "8";
            link: LinkSpec, "The links spoke[i].", "{ rate = \"1Gbps\", delay = \"10us\" }";
        }
        /// Hosts behind edge routers behind one core link. Nodes left[i], ingress[j], L, R,
        /// egress[j], right[i]; links access[i] (left[i] to ingress[i mod edges]), edge[j]
        /// (ingress[j] to L), core (L to R), edge_out[j] (R to egress[j]), exit[i] (egress[(i div
        /// edges) mod edges] to right[i]).
        AccessTree "access_tree" {
            hosts: u32 as Count, (else 1), "The number of hosts on each side.", "1000";
            edges: u32 as Count, (else 1), "The number of edge routers on each side.", "10";
            access: LinkSpec, "The links access[i] and exit[i].", "{ rate = { uniform = [\"8Mbps\", \"12Mbps\"] }, delay = { uniform = [\"1ms\", \"5ms\"] } }";
            edge: LinkSpec, "The links edge[j] and edge_out[j].", "{ rate = \"100Mbps\", delay = { uniform = [\"5ms\", \"15ms\"] } }";
            core: LinkSpec, "The link core.", "{ rate = \"100Mbps\", delay = \"100ms\", buffer = \"10KB\" }";
        }
        /// Racks of a leaf switch each, and every leaf linked to every spine. Nodes host[i], leaf[j],
        /// spine[s]; links access[i] (host[i] to leaf[i div hosts]), uplink[i] (leaf[j] to spine[s],
        /// with i = (j*spines + s)*parallel for the first of a pair).
        LeafSpine "leaf_spine" {
            leaves: u32 as Count, (else 1), "The number of leaves.", "8";
            spines: u32 as Count, (else 1), "The number of spines.", "4";
            hosts: u32 as Count, (else 1), "The number of hosts of each leaf. Oversubscription is their rate over that of the leaf's uplinks.", "16";
            parallel: u32 as Count, (= "1"), "The number of links between a leaf and a spine.", "2";
            access: LinkSpec, "The links access[i].", "{ rate = \"10Gbps\", delay = \"1us\" }";
            uplink: LinkSpec, "The links uplink[i].", "{ rate = \"40Gbps\", delay = \"1us\" }";
        }
        /// A fat tree of switches with k ports: k pods of k/2 edge and k/2 aggregation switches, and
        /// (k/2)^2 cores. Nodes host[i], pod[p].edge[e] or edge[p*k/2 + e], pod[p].aggregation[a] or
        /// aggregation[p*k/2 + a], core[c]; links access[i] (host[i] to an edge switch),
        /// edge_up[(p*k/2 + e)*k/2 + a], core_up[(p*k/2 + a)*k/2 + j] (to core[a + j*k/2]). With two
        /// tiers k edge switches, edge[e], and k/2 cores: edge_up[e*k/2 + c] leads to core[c].
        FatTree "fat_tree" {
            k: u32 as Whole<u32, 2, 128>, (else 2), "The number of ports of a switch, even.", "4";
            tiers: u32 as Whole<u32, 2, 3>, (= "3"), "The number of tiers of switches.", "2";
            oversubscription: u32 as Count, (= "1"), "The number of hosts at an edge switch over k/2.", "4";
            access: LinkSpec, "The links access[i].", "{ rate = \"10Gbps\", delay = \"1us\" }";
            link: Option<LinkSpec>, "The links edge_up[i]; by default like access.", "{ rate = \"10Gbps\", delay = \"1us\", buffer = \"100pkts\" }";
            core: Option<LinkSpec>, "The links core_up[i]; by default like link.", "{ rate = \"40Gbps\", delay = \"1us\" }";
        }
        /// The 14 nodes of NSFNET, router[0] to router[13], with links trunk[i] and their
        /// lengths; hosts host[i] with links access[i].
        Nsfnet "nsfnet" {
            list: NsfnetList, (= "21_links"), "The list of links; several exist.", "21_links";
            mesh: Mesh, "Its links, and hosts at its routers.";
        }
        /// A US core of 24 nodes, router[0] to router[23], with 43 links trunk[i] and their
        /// lengths; hosts host[i] with links access[i].
        Us24 "us24" {
            list: Us24List, (= "long"), "The list of links; several exist.", "long";
            mesh: Mesh, "Its links, and hosts at its routers.";
        }
        /// The links of a CSV file with the columns a, b, km and optionally delay_ms; its nodes in
        /// ascending order are router[0], router[1]...; hosts host[i] with links access[i].
        EdgeList "edge_list" {
            file: EdgeFile, "The CSV file, relative to the scenario.", "network.csv";
            mesh: Mesh, "Its links, and hosts at its routers.";
        }
    }
}

table! {
    /// The links between routers of a list, and hosts at these.
    pub struct Mesh "mesh" {
        hosts: u32 as Whole<u32, 0, { u32::MAX as u64 }>, (= "0"), "The number of hosts at each router: host[i] is at router[i div hosts] by access[i]; with edges, at each of these: host[i] is at edge[i div hosts].", "4";
        edges: u32 as Whole<u32, 0, { u32::MAX as u64 }>, (= "0"), "The number of edge routers at each router: edge[i] is at router[i div edges] by the link edge[i].", "10";
        link: LinkSpec, "The links trunk[i], in the order of the list. Without a delay, that of each follows from its length, 5 us per km.", "{ rate = \"1Gbps\", buffer = \"50KB\" }";
        access: Option<LinkSpec>, "The links access[i] (host[i] to its router or edge); needed with hosts.", "{ rate = \"100Mbps\", delay = \"1ms\" }";
        edge: Option<LinkSpec>, "The links edge[i] (edge[i] to its router); needed with edges.", "{ rate = \"100Mbps\", delay = \"5ms\" }";
    }
}

words! {
    /// The lists of NSFNET's links.
    pub enum NsfnetList {
        Links21 "21_links", "the 21-link list, paths of at most 4500 km";
        Links22 "22_links", "the 22-link list with the lengths common in optical studies, at most 3900 km";
        Links22Classic "22_links_classic", "the same 22 links with twice those lengths";
    }
}

words! {
    /// The lists of the US core's links.
    pub enum Us24List {
        Long "long", "links of 250 to 2800 km";
        Alternative "alternative", "the same but for six lengths";
        Short "short", "the same graph with links of 164 to 648 km";
    }
}

/// A list of links, and its origin.
#[derive(Clone, Debug, PartialEq)]
pub struct EdgeFile {
    /// Name of the file, as written in the scenario.
    pub name: String,
    /// Links that the file lists.
    pub edges: Arc<[ListedEdge]>,
}

impl Field for EdgeFile {
    type Value = EdgeFile;
    const FORM: &'static Form = FileName::FORM;

    fn read(item: &Item, reader: &mut Reader<'_>) -> Option<EdgeFile> {
        let name = FileName::read(item, reader)?;
        let edges = reader.files.text(&name).and_then(|text| edge_list(&text));
        let edges = reader.content(&name, edges, "a CSV file with the columns a, b, km")?;
        Some(EdgeFile { name, edges })
    }

    fn write(file: &EdgeFile) -> Option<Written> {
        Some(Written::File(file.name.clone()))
    }
}

impl NsfnetList {
    /// The list of links of this topology.
    pub fn edges(self) -> Arc<[ListedEdge]> {
        shipped(match self {
            NsfnetList::Links21 => include_str!("../data/nsfnet14_21links_km.csv"),
            NsfnetList::Links22 => include_str!("../data/nsfnet14_22links_deeprmsa_km.csv"),
            NsfnetList::Links22Classic => {
                include_str!("../data/nsfnet14_22links_classic_km.csv")
            }
        })
    }
}

impl Us24List {
    /// The list of links of this topology.
    pub fn edges(self) -> Arc<[ListedEdge]> {
        shipped(match self {
            Us24List::Long => include_str!("../data/us24_43links_km.csv"),
            Us24List::Alternative => include_str!("../data/us24_43links_alt_km.csv"),
            Us24List::Short => include_str!("../data/us24_43links_scaled_km.csv"),
        })
    }
}

fn shipped(text: &str) -> Arc<[ListedEdge]> {
    edge_list(text).expect("shipped lists are valid")
}

impl Topology {
    /// The list of its routers, if any, and the nodes around these.
    pub fn mesh(&self) -> Option<(Arc<[ListedEdge]>, &Mesh)> {
        match self {
            Topology::Nsfnet { list, mesh } => Some((list.edges(), mesh)),
            Topology::Us24 { list, mesh } => Some((list.edges(), mesh)),
            Topology::EdgeList { file, mesh } => Some((file.edges.clone(), mesh)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The least cost of every pair, by Floyd and Warshall.
    fn least_costs(edges: &[ListedEdge], cost: impl Fn(&ListedEdge) -> u64) -> Vec<u64> {
        let n = edges.iter().map(|e| e.a.max(e.b)).max().expect("edges") as usize + 1;
        let mut least = vec![vec![u64::MAX / 2; n]; n];
        for edge in edges {
            let (a, b) = (edge.a as usize, edge.b as usize);
            (least[a][b], least[b][a]) = (cost(edge), cost(edge));
        }
        for via in 0..n {
            for a in 0..n {
                for b in 0..n {
                    least[a][b] = least[a][b].min(least[a][via] + least[via][b]);
                }
            }
        }
        (0..n).flat_map(|a| least[a][..a].to_vec()).collect()
    }

    /// Figures counted from the public originals by other means.
    #[test]
    fn shipped_lists_have_their_links_hops_and_lengths() {
        let us_hops = [43, 67, 69, 53, 34, 10];
        for (edges, hops, longest) in [
            (NsfnetList::Links21.edges(), &[21, 36, 34][..], 4500),
            (NsfnetList::Links22.edges(), &[22, 36, 33], 3900),
            (NsfnetList::Links22Classic.edges(), &[22, 36, 33], 7800),
            (Us24List::Long.edges(), &us_hops, 6700),
            (Us24List::Alternative.edges(), &us_hops, 6650),
            (Us24List::Short.edges(), &us_hops, 2036),
        ] {
            let by_hops = least_costs(&edges, |_| 1);
            for (i, pairs) in hops.iter().enumerate() {
                let counted = by_hops.iter().filter(|n| **n == i as u64 + 1).count();
                assert_eq!(counted, *pairs, "{longest}: pairs {} hops apart", i + 1);
            }
            assert_eq!(by_hops.len(), hops.iter().sum::<usize>(), "{longest}");
            let by_km = least_costs(&edges, |edge| edge.length.metres / 1000);
            assert_eq!(by_km.into_iter().max(), Some(longest));
            for edge in edges.iter() {
                assert_eq!(edge.delay.as_ps(), edge.length.metres * 5_000);
            }
        }
    }
}
