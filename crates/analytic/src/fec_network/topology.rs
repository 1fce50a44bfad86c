//! Core networks: nodes, links, and one stated rule for routes.

use crate::SolveError;
use crate::error::require;

/// Nodes and undirected links. Link `l` carries two independent directions:
/// core link `2l` from its first node to its second, `2l + 1` back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Topology {
    nodes: usize,
    links: Vec<(usize, usize)>,
    /// For each node its neighbours in ascending order, with the core link there.
    next: Vec<Vec<(usize, usize)>>,
}

/// The 14-node NSFNET with 21 links, nodes from 0: the graph whose counts of
/// one-, two- and three-hop pairs (21, 36, 34) fit zerobuf's flows best.
const NSFNET: [(usize, usize); 21] = [
    (0, 1),
    (0, 2),
    (0, 7),
    (1, 2),
    (1, 3),
    (2, 5),
    (3, 4),
    (3, 10),
    (4, 5),
    (4, 6),
    (5, 9),
    (5, 12),
    (6, 7),
    (7, 8),
    (8, 9),
    (8, 11),
    (8, 13),
    (10, 11),
    (10, 13),
    (11, 12),
    (12, 13),
];

impl Topology {
    /// A network of `nodes` nodes, numbered from 0.
    pub fn new(nodes: usize, links: &[(usize, usize)]) -> Result<Topology, SolveError> {
        let mut next = vec![Vec::new(); nodes];
        for (l, &(a, b)) in links.iter().enumerate() {
            require(
                a < nodes && b < nodes && a != b,
                "a link joins two different nodes",
                || format!("link {a}-{b}"),
                || format!("node numbers below {nodes}"),
            )?;
            next[a].push((b, 2 * l));
            next[b].push((a, 2 * l + 1));
        }
        next.iter_mut().for_each(|n| n.sort_unstable());
        Ok(Topology {
            nodes,
            links: links.to_vec(),
            next,
        })
    }

    /// The 14-node NSFNET of zerobuf Fig. 26.
    pub fn nsfnet() -> Topology {
        Topology::new(14, &NSFNET).expect("the table above is a graph")
    }

    /// The number of nodes.
    pub fn nodes(&self) -> usize {
        self.nodes
    }

    /// The undirected links.
    pub fn links(&self) -> &[(usize, usize)] {
        &self.links
    }

    /// The number of directed core links.
    pub fn core_links(&self) -> usize {
        2 * self.links.len()
    }

    /// The core links of a route with the fewest hops. Among equals, the first found by a
    /// breadth-first search from `from`, lower node numbers first.
    pub fn route(&self, from: usize, to: usize) -> Result<Vec<usize>, SolveError> {
        self.routes_from(from).to(to)
    }

    /// All routes from one node, by the same rule.
    pub(crate) fn routes_from(&self, from: usize) -> Routes {
        Routes {
            from,
            came_by: self.breadth_first(from),
        }
    }

    /// For each node the node before it and the core link between.
    fn breadth_first(&self, from: usize) -> Vec<Option<(usize, usize)>> {
        let mut came_by = vec![None; self.nodes];
        let mut order = vec![from];
        let mut seen = 0;
        while seen < order.len() {
            let node = order[seen];
            for &(neighbour, link) in &self.next[node] {
                if neighbour != from && came_by[neighbour].is_none() {
                    came_by[neighbour] = Some((node, link));
                    order.push(neighbour);
                }
            }
            seen += 1;
        }
        came_by
    }
}

/// The routes from one node.
pub(crate) struct Routes {
    from: usize,
    came_by: Vec<Option<(usize, usize)>>,
}

impl Routes {
    pub(crate) fn to(&self, to: usize) -> Result<Vec<usize>, SolveError> {
        let mut route = Vec::new();
        let mut at = to;
        while at != self.from {
            let (previous, link) = self.came_by[at].ok_or_else(|| SolveError::Broken {
                condition: "every pair of nodes is connected",
                found: format!("no route from {} to {to}", self.from),
                admissible: "a connected network".to_owned(),
            })?;
            route.push(link);
            at = previous;
        }
        route.reverse();
        Ok(route)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nsfnet_has_the_papers_hop_lengths() {
        let net = Topology::nsfnet();
        let mut pairs = [0; 4];
        for from in 0..14 {
            for to in 0..from {
                pairs[net.route(from, to).unwrap().len()] += 1;
            }
        }
        assert_eq!(pairs, [0, 21, 36, 34]);
    }

    #[test]
    fn a_route_is_connected_and_ties_go_to_lower_numbers() {
        let square = Topology::new(4, &[(0, 2), (2, 3), (3, 1), (1, 0)]).unwrap();
        // 0 to 3 by 1 or by 2: by 1. Link 3 is 1-0, walked backwards; link 2 is 3-1.
        assert_eq!(square.route(0, 3).unwrap(), [7, 5]);
        assert!(Topology::new(3, &[(0, 1)]).unwrap().route(0, 2).is_err());
        assert!(Topology::new(2, &[(0, 2)]).is_err());
    }
}
