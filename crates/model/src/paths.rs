//! The path of each flow there and back: one owner for what a link costs, and for the choice among
//! paths of equal cost.

use pacesim_core::routing::{Crossed, Edge, Routes, Stems};
use pacesim_units::{LinkId, NodeId, Span};

use crate::change::LinkStates;
use crate::multipath::{MOST_PATHS, PathRule, SaltOfLinks, path_hash};
use crate::{Flow, Metric, Model};

impl Metric {
    /// The cost of a link with this propagation delay and length.
    pub fn cost(self, delay: Span, length_m: Option<u64>) -> u64 {
        match self {
            Metric::Hops => 1,
            Metric::Delay => delay.as_ps(),
            Metric::Length => length_m.unwrap_or(0),
        }
    }
}

/// One of the two directions of a flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Leg {
    /// The direction from source to sink.
    There,
    /// The direction from sink to source: acknowledgements and reports.
    Back,
}

impl Leg {
    /// Both directions, first that to the sink.
    pub const BOTH: [Leg; 2] = [Leg::There, Leg::Back];

    /// The nodes at which a flow's packets of this direction begin and end.
    pub fn ends(self, flow: &Flow) -> (NodeId, NodeId) {
        match self {
            Leg::There => (flow.from, flow.to),
            Leg::Back => (flow.to, flow.from),
        }
    }
}

/// The key of a path: legs with the same key have the same path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PathKey {
    from: NodeId,
    to: NodeId,
    choice: Choice,
}

/// The path that is meant, of several of equal cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Choice {
    /// The one at this place, in the order of their links.
    Nth(u32),
    /// The one that switches take by a hash of these words.
    Hashed([u32; 3]),
}

impl PathKey {
    /// The key of one direction of a flow. The first path stands for those of a flow that takes
    /// several.
    pub fn of(flow: &Flow, leg: Leg) -> PathKey {
        PathKey::of_call(flow, leg, 0)
    }

    /// The key of one of the connections that a flow opens for its transfers, by its number.
    pub fn of_call(flow: &Flow, leg: Leg, call: u32) -> PathKey {
        let (from, to) = leg.ends(flow);
        let choice = match flow.path {
            PathRule::Nth(place) => Choice::Nth(place),
            PathRule::Apart([there, back]) => Choice::Nth(match leg {
                Leg::There => there,
                Leg::Back => back,
            }),
            PathRule::Hashed(hashed) => {
                let [source, sink, ports] = hashed.words([from, to], call);
                let turned = match leg {
                    Leg::There => 0,
                    Leg::Back => 16,
                };
                Choice::Hashed([source, sink, ports.rotate_left(turned)])
            }
            _ => Choice::Nth(0),
        };
        PathKey { from, to, choice }
    }

    /// The place of the path that switches take for a key among [all](Paths::all) this many from one
    /// node to the other, by the link of each path at each depth; the first for a key without a hash.
    pub fn place_among(
        self,
        count: usize,
        link: impl Fn(usize, usize) -> LinkId,
        salts: &SaltOfLinks,
    ) -> usize {
        let Choice::Hashed(words) = self.choice else {
            return 0;
        };
        let (mut left, mut depth) = (0..count, 0);
        while left.len() > 1 {
            let at = |i: usize| link(i, depth);
            let mut firsts = left
                .clone()
                .filter(|i| *i == left.start || at(*i) != at(*i - 1));
            let ways = firsts.clone().count();
            let first = match ways {
                1 => left.start,
                _ => {
                    let chosen = hashed(words, at(left.start), ways, salts);
                    firsts.nth(chosen).expect("one of the ways")
                }
            };
            let alike = (first..left.end).take_while(|i| at(*i) == at(first));
            left = first..first + alike.count();
            depth += 1;
        }
        left.start
    }
}

/// The way that the node before this link takes.
fn hashed(words: [u32; 3], link: LinkId, ways: usize, salts: &SaltOfLinks) -> usize {
    path_hash(words, salts.at(link)) as usize % ways
}

/// The shortest paths of a model's flows.
#[derive(Clone, Debug)]
pub struct Paths {
    routes: Routes,
    salts: SaltOfLinks,
}

impl Paths {
    /// The paths of a model's flows by these routes.
    pub fn of(model: &Model, routes: Routes) -> Paths {
        let salts = SaltOfLinks::of(model);
        Paths { routes, salts }
    }

    /// The links of a path in their order; none from a node to itself, `None` if no path leads
    /// there.
    pub fn by(&mut self, key: PathKey) -> Option<Vec<LinkId>> {
        match key.choice {
            Choice::Nth(place) => self.nth(key, place),
            Choice::Hashed(words) => {
                let salts = &self.salts;
                let choose = |next: &[LinkId]| match next.len() {
                    1 => 0,
                    ways => hashed(words, next[0], ways, salts),
                };
                self.routes.path_by(key.from, key.to, choose)
            }
        }
    }

    fn nth(&mut self, key: PathKey, place: u32) -> Option<Vec<LinkId>> {
        match place {
            0 => self.routes.path(key.from, key.to),
            place => {
                let mut all = self.routes.paths(key.from, key.to);
                all.nth(place as usize)
            }
        }
    }

    /// All paths of equal cost in one direction of a flow, in the order of their links, but no more
    /// than [`MOST_PATHS`].
    pub fn all(&mut self, flow: &Flow, leg: Leg) -> Vec<Vec<LinkId>> {
        let (from, to) = leg.ends(flow);
        self.routes.paths(from, to).take(MOST_PATHS).collect()
    }

    /// The links of [all](Paths::all) these paths up to the last choice on each.
    pub fn stems(&mut self, flow: &Flow, leg: Leg) -> Stems {
        let (from, to) = leg.ends(flow);
        self.routes.stems(from, to, MOST_PATHS)
    }

    /// Adds the links of [all](Paths::all) paths of these flows in both directions.
    pub fn cross_all<'f>(&mut self, flows: impl Iterator<Item = &'f Flow>, crossed: &mut Crossed) {
        let ends = flows.flat_map(|flow| Leg::BOTH.map(|leg| leg.ends(flow)));
        let mut ends: Vec<_> = ends.map(|(from, to)| (to, from)).collect();
        // Paths to the same destination are followed once.
        ends.sort_unstable();
        ends.dedup();
        for (to, from) in ends {
            crossed.add_all_between(&mut self.routes, from, to);
        }
    }

    /// The number of paths of equal cost in one direction of a flow.
    pub fn count(&mut self, flow: &Flow, leg: Leg) -> u32 {
        let (from, to) = leg.ends(flow);
        self.routes.count_paths(from, to) as u32
    }

    /// The place of a path among these; none if it is not among them.
    pub fn place_of(&mut self, flow: &Flow, leg: Leg, path: &[LinkId]) -> Option<u32> {
        let (from, to) = leg.ends(flow);
        let place = self.routes.place_of(from, to, path);
        place.map(|place| place as u32)
    }

    /// The links from a flow's source to its sink.
    pub fn there(&mut self, flow: &Flow) -> Option<Vec<LinkId>> {
        self.by(PathKey::of(flow, Leg::There))
    }

    /// The links from a flow's sink to its source.
    pub fn back(&mut self, flow: &Flow) -> Option<Vec<LinkId>> {
        self.by(PathKey::of(flow, Leg::Back))
    }

    /// The links of a flow's acknowledgements: none for a flow without.
    pub fn of_acks(&mut self, flow: &Flow) -> Option<Vec<LinkId>> {
        match flow.traffic.is_closed_loop() {
            true => self.back(flow),
            false => Some(Vec::new()),
        }
    }

    /// The links between two nodes for packets that belong to no flow, such as reports.
    pub fn between(&mut self, from: NodeId, to: NodeId) -> Option<Vec<LinkId>> {
        self.by(PathKey {
            from,
            to,
            choice: Choice::Nth(0),
        })
    }
}

impl Model {
    /// The shortest paths by the model's metric. Panics if a link names a node that does not exist.
    pub fn paths(&self) -> Paths {
        self.paths_over(&LinkStates::default())
    }

    /// The shortest paths over the links that are up.
    pub fn paths_over(&self, standing: &LinkStates) -> Paths {
        let edges: Vec<Edge> = self.edges();
        let routes = standing.routes(self.nodes.len(), self.metric, &edges);
        Paths::of(self, routes)
    }
}

#[cfg(test)]
mod tests {
    use pacesim_units::{Bytes, Rate};

    use super::*;
    use crate::{Sizes, Traffic};

    #[test]
    fn the_path_of_a_flow_is_the_shortest_by_the_metric_there_and_back() {
        let mut model = Model::new("two ways", Span::from_secs(1));
        let [a, b, c] = ["a", "b", "c"].map(|name| model.add_node(name));
        let rate = Rate::from_mbps(10);
        let mut link = |from, to, ms| model.add_link(from, to, rate, Span::from_ms(ms));
        let (direct, over) = (link(a, c, 9), [link(a, b, 1), link(b, c, 2)]);
        let home = link(c, a, 1);
        let size = Sizes::Constant(Bytes(1000));
        model.add_flow(a, c, Traffic::Poisson { rate, size });
        let of = |model: &Model| {
            let mut paths = model.paths();
            let flow = &model.flows[0];
            assert_eq!(paths.back(flow), Some(vec![home]));
            assert_eq!(paths.of_acks(flow), Some(Vec::new()), "it has none");
            paths.there(flow).expect("a path")
        };
        assert_eq!(of(&model), [direct], "fewest links");
        model.metric = Metric::Delay;
        assert_eq!(of(&model), over, "least delay");
    }
}
