//! Forks of routes: a packet takes the branch whose link has the fewest bytes waiting when it gets
//! there, of some drawn at random and of the best of the packet before (DRILL: Ghorbani et al.,
//! SIGCOMM 2017, section 3).

use pacesim_units::{LinkId, NodeId, Time};

use super::routes::{END, ForkId, LOOK, fork_at};
use super::turns::{Turns, Ways};
use super::{Network, RouteId};
use crate::engine::EventQueue;
use crate::net::{Parts, Probe};
use crate::random::{Rng, Stream};

/// Number of a chooser among those of its network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ChooserId(u32);

/// The choice among some links of one node, which all forks over these links share.
#[derive(Debug)]
struct Chooser {
    links: Vec<LinkId>,
    /// The number of links drawn for each packet.
    draws: u32,
    /// The place of the link of the packet before.
    best: Option<usize>,
    stream: Stream,
}

impl Chooser {
    /// The place of the link that the next packet takes: of two with the same bytes waiting, that
    /// drawn first.
    fn pick(&mut self, waiting: impl Fn(LinkId) -> u64) -> usize {
        let count = self.links.len() as u128;
        let stream = &mut self.stream;
        let mut drawn = || ((u128::from(stream.next_u64()) * count) >> 64) as usize;
        let first = drawn();
        let rest = (1..self.draws).map(|_| drawn());
        let candidates = std::iter::once(first).chain(rest).chain(self.best);
        let least = candidates.min_by_key(|place| waiting(self.links[*place]));
        let place = least.unwrap_or(first);
        self.best = Some(place);
        place
    }
}

/// A place where a route goes on over one of several branches.
#[derive(Debug)]
pub(super) enum Fork {
    /// Over the branch whose link the chooser picks.
    ByLoad {
        chooser: ChooserId,
        /// The hop at which each branch begins.
        starts: Vec<u32>,
    },
    /// Over the way to the packet's destination.
    Junction(Ways),
}

/// All forks of a network, and the data by which packets take their branches.
#[derive(Debug, Default)]
pub(super) struct Forks {
    all: Vec<Fork>,
    choosers: Vec<Chooser>,
    /// The nodes to which data and acknowledgements of each flow go.
    pub(super) destinations: Vec<[NodeId; 2]>,
    pub(super) turns: Turns,
}

impl Forks {
    pub(super) fn add(&mut self, fork: Fork) -> ForkId {
        let id = ForkId(self.all.len() as u32);
        self.all.push(fork);
        id
    }

    pub(super) fn get(&self, id: ForkId) -> &Fork {
        &self.all[id.0 as usize]
    }

    pub(super) fn get_mut(&mut self, id: ForkId) -> &mut Fork {
        &mut self.all[id.0 as usize]
    }

    pub(super) fn junctions(&self) -> impl Iterator<Item = &Ways> {
        self.all.iter().filter_map(|fork| match fork {
            Fork::Junction(ways) => Some(ways),
            Fork::ByLoad { .. } => None,
        })
    }
}

impl<Q: EventQueue, P: Parts> Network<Q, P> {
    /// Adds a choice among these links of one node, with a random stream of its own.
    pub fn add_chooser(&mut self, links: Vec<LinkId>, draws: u32, stream: Stream) -> ChooserId {
        assert!(draws > 0 && links.len() > 1, "a choice has alternatives");
        let id = ChooserId(self.forks.choosers.len() as u32);
        self.forks.choosers.push(Chooser {
            links,
            draws,
            best: None,
            stream,
        });
        id
    }

    /// Adds a fork, with a branch for each link of the chooser, in their order. A branch is a route
    /// that may begin with the link `before` the fork, which packets have crossed.
    pub fn add_fork(
        &mut self,
        chooser: ChooserId,
        before: Option<LinkId>,
        branches: &[RouteId],
    ) -> ForkId {
        let links = &self.forks.choosers[chooser.0 as usize].links;
        assert_eq!(links.len(), branches.len(), "a branch for each link");
        let skipped = u32::from(before.is_some());
        let starts = branches.iter().map(|route| route.0 + skipped).collect();
        self.forks.add(Fork::ByLoad { chooser, starts })
    }

    /// Moves a packet that has come to the fork of this number over to one of its branches.
    #[cold]
    #[inline(never)]
    pub(super) fn take_branch(
        &mut self,
        now: Time,
        began: Time,
        number: u32,
        place: u32,
        probe: &mut impl Probe,
    ) {
        // Set aside, so that the choice may look at the ports.
        let mut forks = std::mem::take(&mut self.forks);
        let Fork::ByLoad { chooser, starts } = &forks.all[fork_at(number).0 as usize] else {
            unreachable!("packets pass junctions before");
        };
        let chooser = &mut forks.choosers[chooser.0 as usize];
        let start = starts[chooser.pick(|link| self.waiting(link, now).1)];
        self.forks = forks;
        self.transits.places_mut()[place as usize].packet.hop = start;
        let next = self.hops[start as usize];
        if next < END {
            return self.forward(now, began, now, LinkId(next), place, probe);
        }
        self.enter(now, began, next & !LOOK, place, probe);
    }
}
