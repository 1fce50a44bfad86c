//! The links that lie on any of several paths.

use pacesim_units::{LinkId, NodeId};

use super::routes::Routes;

/// The links of all paths of least cost between pairs of nodes. Each link is visited about once per pair,
/// however many paths lead over it.
#[derive(Clone, Debug, Default)]
pub struct Crossed {
    links: Vec<bool>,
    /// For each core node, one more than the destination to which its paths were followed last.
    followed: Vec<u32>,
    open: Vec<NodeId>,
}

impl Crossed {
    /// Adds these links.
    pub fn extend(&mut self, links: impl IntoIterator<Item = LinkId>) {
        for link in links {
            self.add(link);
        }
    }

    /// Adds the links of all paths from one node to another.
    pub fn add_all_between(&mut self, routes: &mut Routes, from: NodeId, to: NodeId) {
        let Some(span) = routes.span(from, to).filter(|_| from != to) else {
            return;
        };
        let (tree, counts, graph) = routes.searched(&span);
        if counts.from(span.start) == 0 {
            return;
        }
        self.extend(span.up.into_iter().chain(span.down));
        let destination = span.end.0 + 1;
        self.open.push(span.start);
        while let Some(node) = self.open.pop() {
            let place = node.index();
            if self.followed.len() <= place {
                self.followed.resize(place + 1, 0);
            }
            if std::mem::replace(&mut self.followed[place], destination) == destination {
                continue;
            }
            for arc in tree.arcs_of(node) {
                let arc = graph.leaving.at(arc);
                self.add(arc.link);
                self.open.push(arc.other_end);
            }
        }
    }

    fn add(&mut self, link: LinkId) {
        if self.links.len() <= link.index() {
            self.links.resize(link.index() + 1, false);
        }
        self.links[link.index()] = true;
    }

    /// All these links, in the order of their ids.
    pub fn into_links(self) -> Vec<LinkId> {
        let links = self.links.into_iter().enumerate();
        let crossed = links.filter(|(_, is_crossed)| *is_crossed);
        crossed.map(|(link, _)| LinkId::from_index(link)).collect()
    }
}
