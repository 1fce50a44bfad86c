//! Connected components of nodes, whatever the direction of the links.

use pacesim_units::NodeId;

/// Sets of nodes that links join; initially each node is alone.
#[derive(Clone, Debug)]
pub struct Joined {
    /// The next node towards the representative of the set.
    parents: Vec<u32>,
}

impl Joined {
    /// A forest of `nodes` nodes, each alone in its set.
    pub fn alone(nodes: usize) -> Joined {
        let nodes = u32::try_from(nodes).expect("node ids have 32 bits");
        Joined {
            parents: (0..nodes).collect(),
        }
    }

    /// Joins the sets of two nodes.
    pub fn join(&mut self, a: NodeId, b: NodeId) {
        let (a, b) = (self.representative(a), self.representative(b));
        self.parents[a.index()] = b.0;
    }

    /// The representative of the set of a node.
    pub fn representative(&mut self, node: NodeId) -> NodeId {
        let mut node = node.index();
        while self.parents[node] as usize != node {
            self.parents[node] = self.parents[self.parents[node] as usize];
            node = self.parents[node] as usize;
        }
        NodeId::from_index(node)
    }
}
