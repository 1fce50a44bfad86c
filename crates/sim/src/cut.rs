//! The division of a model into parts that run on threads of their own, with the same results.
//!
//! Each part has the nodes given to it, with the ports of links that leave them and the ends of flows
//! there. Packets cross on wires between parts, which take time: the shortest delay of such a wire is
//! the time for which each part can run alone. Everything that acts on several nodes at once
//! keeps them in one part; [`Cut::of`] says what does.

mod bonds;
mod growth;
pub(crate) mod loads;
mod sets;

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use pacesim_units::{LinkId, NodeId, Span};

use crate::lanes::on_lanes;
use crate::model::Model;
use bonds::Bonds;
use growth::Pieces;
use loads::Loads;
use sets::Sets;

/// A division of a model's nodes into parts.
#[derive(Clone, Debug)]
pub struct Cut {
    of_nodes: Arc<[u32]>,
    parts: u32,
    /// Links from one part into another.
    links: Arc<[LinkId]>,
    look_ahead: Span,
    /// The expected speed, against that of one thread.
    speed_up: f64,
    /// The expected share of all work that the busiest part has.
    busiest: f64,
    /// The seed of drawn waits of threads.
    hesitation: Option<u64>,
    /// True if the work of each round is counted.
    is_counting: bool,
}

/// The reason why a model runs on one thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Uncut(String);

impl Uncut {
    /// A reason that only the caller knows.
    pub fn because(reason: impl Into<String>) -> Uncut {
        Uncut(reason.into())
    }
}

impl fmt::Display for Uncut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Uncut {}

/// The least gain for which a run is divided.
const LEAST_GAIN: f64 = 1.1;
/// The most delays at which a cut is tried.
const MOST_DELAYS: usize = 12;

impl Cut {
    /// The best division into at most this many parts, if it is expected to be faster than one thread,
    /// or if the model gives two sets of nodes and more.
    pub fn of(model: &Model, most: u32) -> Result<Cut, Uncut> {
        let bonds = Bonds::of(model)?;
        let sets = Sets::of(model, &bonds, most)?;
        let loads = Loads::of(model);
        // The best if links of shorter delays are not cut.
        let attempt = |shortest: Span| {
            let pieces = bonds.joined_below(model, shortest);
            let placed = sets.of_pieces(&pieces)?;
            let pieces = Pieces::of(model, &pieces, &loads);
            let cuts = (sets.least()..=most)
                .filter_map(|parts| Cut::new(model, pieces.divide(&placed, parts), &loads).ok());
            cuts.reduce(Cut::faster)
        };
        let tried = on_lanes(most as usize, &delays(model, &bonds), attempt);
        let best = tried.into_iter().flatten().reduce(Cut::faster);
        match best {
            None => Err(bonds.reason()),
            Some(cut) if cut.speed_up < LEAST_GAIN && !sets.are_several() => {
                Err(Uncut::because(cut.no_gain(&loads)))
            }
            Some(cut) => Ok(cut),
        }
    }

    /// The one that is expected to be faster, or the first.
    fn faster(self, other: Cut) -> Cut {
        match other.speed_up > self.speed_up {
            true => other,
            false => self,
        }
    }

    /// A division chosen by the caller: the part of each node. Parts that are not used are left out,
    /// and nodes that belong together must be in one part.
    pub fn by_hand(model: &Model, of_nodes: &[u32]) -> Result<Cut, Uncut> {
        let mut bonds = Bonds::of(model)?;
        assert_eq!(of_nodes.len(), model.nodes.len(), "each node has a part");
        bonds.must_hold(model, of_nodes)?;
        Cut::new(model, of_nodes.to_vec(), &Loads::of(model))
    }

    /// The pieces of a model that cannot be cut any further: the number of that of each node. All that
    /// must be in the first part is in piece 0.
    pub fn pieces(model: &Model) -> Result<Vec<u32>, Uncut> {
        Ok(Bonds::of(model)?.joined_below(model, Span::ZERO))
    }

    fn new(model: &Model, mut of_nodes: Vec<u32>, loads: &Loads) -> Result<Cut, Uncut> {
        let parts = renumber(&mut of_nodes);
        let part = |node: NodeId| of_nodes[node.index()];
        let crosses = |id: &LinkId| {
            let link = &model.links[id.index()];
            part(link.from) != part(link.to)
        };
        let all = (0..model.links.len()).map(LinkId::from_index);
        let links: Arc<[LinkId]> = all.filter(crosses).collect();
        let delay = |id: &LinkId| model.links[id.index()].delay;
        let look_ahead = links.iter().map(delay).min().unwrap_or(Span::MAX);
        if parts < 2 {
            return Err(Uncut::because("all its nodes are in one part"));
        }
        let (speed_up, busiest) = loads.speed_up(&of_nodes, parts, &links, look_ahead);
        Ok(Cut {
            of_nodes: of_nodes.into(),
            parts,
            links,
            look_ahead,
            speed_up,
            busiest,
            hesitation: None,
            is_counting: false,
        })
    }

    /// The same division for tests: before each exchange every thread waits for a drawn time.
    pub fn hesitating(self, seed: u64) -> Cut {
        Cut {
            hesitation: Some(seed),
            ..self
        }
    }

    /// The same division, whose work in each round is [counted](crate::Schedule): somewhat slower.
    pub fn counting(self) -> Cut {
        Cut {
            is_counting: true,
            ..self
        }
    }

    pub(crate) fn is_counting(&self) -> bool {
        self.is_counting
    }

    pub(crate) fn hesitation(&self) -> Option<u64> {
        self.hesitation
    }

    fn no_gain(&self, loads: &Loads) -> String {
        format!(
            "the best cut leaves {:.0} % of the work in one part, and some {:.0} packet-hops between two \
             waits for each other (the shortest delay across is {}): {:.2} times the speed of one \
             thread is expected",
            100.0 * self.busiest,
            loads.in_window(self.look_ahead),
            self.look_ahead,
            self.speed_up,
        )
    }

    /// The number of parts, and so of threads.
    pub fn parts(&self) -> u32 {
        self.parts
    }

    /// The part of a node.
    pub fn part_of(&self, node: NodeId) -> u32 {
        self.of_nodes[node.index()]
    }

    /// The links from one part into another.
    pub fn links(&self) -> &[LinkId] {
        &self.links
    }

    /// The links from this part into others.
    pub(crate) fn links_out_of<'a>(
        &'a self,
        part: u32,
        model: &'a Model,
    ) -> impl Iterator<Item = LinkId> + 'a {
        let from = |id: &LinkId| model.links[id.index()].from;
        let links = self.links.iter().copied();
        links.filter(move |id| self.part_of(from(id)) == part)
    }

    /// The time for which each part can run alone: the shortest delay of a link between parts.
    pub fn look_ahead(&self) -> Span {
        self.look_ahead
    }

    /// The speed expected of as many cores, against that of one.
    pub fn expected_speed_up(&self) -> f64 {
        self.speed_up
    }
}

impl fmt::Display for Cut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut nodes = vec![0_u32; self.parts as usize];
        self.of_nodes
            .iter()
            .for_each(|part| nodes[*part as usize] += 1);
        let nodes: Vec<String> = nodes.iter().map(u32::to_string).collect();
        write!(
            f,
            "{} parts of {} nodes, {} links between them, each runs {} alone; {:.1} times the speed of \
             one thread is expected",
            self.parts,
            nodes.join(" + "),
            self.links.len(),
            self.look_ahead,
            self.speed_up,
        )
    }
}

/// The delays at which a cut may be tried, longest first.
fn delays(model: &Model, bonds: &Bonds) -> Vec<Span> {
    let mut bonds = bonds.clone();
    let apart = model
        .links
        .iter()
        .filter(|link| !bonds.are_joined(link.from, link.to));
    let mut delays: Vec<Span> = apart.map(|link| link.delay).collect();
    delays.sort_unstable();
    delays.dedup();
    let step = delays.len().div_ceil(MOST_DELAYS).max(1);
    let mut tried: Vec<Span> = delays.iter().copied().rev().step_by(step).collect();
    tried.extend(delays.first().filter(|_| step > 1));
    tried
}

/// Numbers the parts that are used from zero, in their order. Returns how many there are.
fn renumber(of_nodes: &mut [u32]) -> u32 {
    let mut used = BTreeSet::new();
    used.extend(of_nodes.iter().copied());
    let used: Vec<u32> = used.into_iter().collect();
    for part in of_nodes {
        *part = used.binary_search(part).expect("it is used") as u32;
    }
    used.len() as u32
}
