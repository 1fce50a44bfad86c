//! TEMPORARY
#![allow(missing_docs)]
use pacesim_units::{LinkId, NodeId};
pub struct Edge {
    pub from: NodeId,
    pub to: NodeId,
    pub cost: u64,
}
pub struct Routes {
    out: Vec<Vec<(u32, u32)>>,
}
impl Routes {
    pub fn new(n: usize, edges: &[Edge]) -> Result<Routes, ()> {
        let mut out = vec![Vec::new(); n];
        for (i, e) in edges.iter().enumerate() {
            out[e.from.index()].push((e.to.0, i as u32));
        }
        Ok(Routes { out })
    }
    pub fn path(&mut self, a: NodeId, b: NodeId) -> Option<Vec<LinkId>> {
        let mut via = vec![None; self.out.len()];
        let mut q = std::collections::VecDeque::from([a.0]);
        while let Some(n) = q.pop_front() {
            for &(m, l) in &self.out[n as usize] {
                if m != a.0 && via[m as usize].is_none() {
                    via[m as usize] = Some((n, l));
                    q.push_back(m);
                }
            }
        }
        let mut path = Vec::new();
        let mut at = b.0;
        while at != a.0 {
            let (n, l) = via[at as usize]?;
            path.push(LinkId(l));
            at = n;
        }
        path.reverse();
        Some(path)
    }
}
