//! The core of a network with trunks: the router of each node, and the distances of routers.

use std::collections::VecDeque;
use std::ops::Range;

/// The router of each node, and the number of trunks between routers.
#[derive(Clone, Debug)]
pub(crate) struct CoreMap {
    /// For each node its router, and the next node on the path there.
    behind: Vec<Option<(u32, u32)>>,
    /// The trunks between each two routers, numbered from the first router.
    trunks: Vec<Vec<Option<u32>>>,
    first: u32,
}

impl CoreMap {
    /// The map for these routers, joined by trunks and by other wires.
    pub(super) fn of(
        nodes: usize,
        routers: Range<u32>,
        trunks: impl Iterator<Item = (u32, u32)>,
        others: impl Iterator<Item = (u32, u32)>,
    ) -> CoreMap {
        let away = neighbours(nodes, others);
        let across = neighbours(nodes, trunks);
        let mut behind = vec![None; nodes];
        let mut queue: VecDeque<u32> = routers.clone().collect();
        routers
            .clone()
            .for_each(|r| behind[r as usize] = Some((r, r)));
        while let Some(node) = queue.pop_front() {
            let (router, _) = behind[node as usize].expect("it was reached");
            for next in &away[node as usize] {
                if behind[*next as usize].is_none() {
                    behind[*next as usize] = Some((router, node));
                    queue.push_back(*next);
                }
            }
        }
        let trunks = routers.clone().map(|from| {
            let distances = distances(from, &across);
            routers.clone().map(|to| distances[to as usize]).collect()
        });
        CoreMap {
            behind,
            trunks: trunks.collect(),
            first: routers.start,
        }
    }

    /// The trunks between the routers of two nodes, on the shortest path.
    pub(crate) fn hops(&self, a: u32, b: u32) -> Option<u32> {
        let place = |node: u32| Some((self.behind[node as usize]?.0 - self.first) as usize);
        self.trunks[place(a)?][place(b)?]
    }

    /// The router of a node.
    pub(crate) fn router(&self, node: u32) -> Option<u32> {
        self.behind[node as usize].map(|(router, _)| router)
    }

    /// The node to which a node is attached: the next on the path to its router.
    pub(crate) fn edge(&self, node: u32) -> u32 {
        self.behind[node as usize].map_or(node, |(_, edge)| edge)
    }
}

fn neighbours(nodes: usize, ends: impl Iterator<Item = (u32, u32)>) -> Vec<Vec<u32>> {
    let mut of = vec![Vec::new(); nodes];
    for (a, b) in ends {
        of[a as usize].push(b);
        of[b as usize].push(a);
    }
    of
}

/// Distance in links from a node to every other.
fn distances(from: u32, neighbours: &[Vec<u32>]) -> Vec<Option<u32>> {
    let mut distances = vec![None; neighbours.len()];
    distances[from as usize] = Some(0);
    let mut queue = VecDeque::from([(from, 0)]);
    while let Some((node, far)) = queue.pop_front() {
        for next in &neighbours[node as usize] {
            if distances[*next as usize].is_none() {
                distances[*next as usize] = Some(far + 1);
                queue.push_back((*next, far + 1));
            }
        }
    }
    distances
}
