//! Encoding of routes: one number per hop, in one table.

use pacesim_units::LinkId;

use super::{Extra, Network};
use crate::engine::EventQueue;
use crate::net::Parts;

/// Start of a route in the network's table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RouteId(pub(super) u32);

/// Number of a middlebox in [`Fittings::middleboxes`](super::Fittings::middleboxes).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MiddleboxId(pub u32);

/// Number of a fork among those of its network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ForkId(pub u32);

/// A part of a route.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hop {
    /// A hop over this link.
    Link(LinkId),
    /// A hop through this middlebox.
    Middlebox(MiddleboxId),
    /// The end of what is common to several paths or destinations: the packet goes on over a branch of
    /// this fork.
    Fork(ForkId),
}

/// Flag of a hop with more to do than to forward: its port has a script, a gate or a queue, it is a
/// middlebox, or packets arrive over a wire that may have lost them. Plain hops have none of these.
pub(super) const LOOK: u32 = 1 << 31;
/// Flag of a middlebox or a fork; without it the number is that of a link.
pub(super) const MIDDLEBOX: u32 = 1 << 30;
/// Flag of a port or middlebox whose only feeder is the link before it on the route, or of an end
/// of a route that can be foreseen: packets may arrive here ahead of time. Ports and ends never
/// combine it with [`LOOK`].
pub(super) const AHEAD: u32 = 1 << 29;
/// Marks the end of a route.
pub(super) const END: u32 = AHEAD - 1;

/// The fork of this number in the table, where forks are counted down and middleboxes up from 0.
pub(super) fn fork_at(number: u32) -> ForkId {
    ForkId(END - 1 - number)
}

/// In place of a hop: the packet is held by a part, or is gone.
pub(super) const GONE: u32 = u32::MAX;

impl<Q: EventQueue, P: Parts> Network<Q, P> {
    /// Adds a route over links.
    pub fn add_route(&mut self, path: &[LinkId]) -> RouteId {
        self.write_route(path.iter().copied().map(Hop::Link))
    }

    /// Adds a route over links and through middleboxes, with at least one link.
    pub fn add_route_through(&mut self, path: &[Hop]) -> RouteId {
        self.write_route(path.iter().copied())
    }

    /// The links of a route, in their order, up to its first fork.
    pub fn path(&self, route: RouteId) -> impl Iterator<Item = LinkId> + '_ {
        let hops = self.hops[route.0 as usize..]
            .iter()
            .map(|hop| hop & !(LOOK | AHEAD));
        let links = hops.take_while(|hop| *hop != END);
        links.filter(|hop| hop & MIDDLEBOX == 0).map(LinkId)
    }

    /// The first fork of a route.
    pub fn fork_of(&self, route: RouteId) -> Option<ForkId> {
        let hops = self.hops[route.0 as usize..]
            .iter()
            .map(|hop| hop & !(LOOK | AHEAD));
        let mut hops = hops.take_while(|hop| *hop != END);
        // Links have no flag, and middleboxes are few.
        let fork = hops.find(|hop| *hop >= MIDDLEBOX + self.middleboxes.len() as u32)?;
        Some(fork_at(fork - MIDDLEBOX))
    }

    /// The link of a route at this place among its links, from 0.
    pub fn link_at(&self, route: RouteId, depth: usize) -> Option<LinkId> {
        if self.middleboxes.len() > 0 {
            return self.path(route).nth(depth);
        }
        let hop = self.hops[route.0 as usize + depth] & !(LOOK | AHEAD);
        (hop < END).then_some(LinkId(hop))
    }

    /// The place where a route reaches a middlebox: the [`Packet::hop`](crate::net::Packet::hop) of
    /// its packets there.
    pub fn hop_of(&self, route: RouteId, middlebox: MiddleboxId) -> Option<u32> {
        let hops = self.hops[route.0 as usize..].iter();
        let mut hops = hops.take_while(|hop| **hop & !(LOOK | AHEAD) != END);
        let steps = hops.position(|hop| *hop & !AHEAD == LOOK | MIDDLEBOX | middlebox.0)?;
        Some(route.0 + steps as u32)
    }

    fn write_route(&mut self, path: impl Iterator<Item = Hop>) -> RouteId {
        let start = u32::try_from(self.hops.len()).expect("routes of less than 4e9 hops in all");
        let look_if = |look: bool| if look { LOOK } else { 0 };
        let mut behind_loss = false;
        for hop in path {
            let (number, here) = match hop {
                Hop::Link(link) => {
                    let extra = self.extra(link);
                    let look = behind_loss || extra.is_some_and(Extra::is_at_port);
                    behind_loss = extra.is_some_and(|extra| extra.loss.is_some());
                    (link.0, look_if(look))
                }
                Hop::Middlebox(middlebox) => {
                    behind_loss = false;
                    (middlebox.0, LOOK | MIDDLEBOX)
                }
                Hop::Fork(fork) => {
                    behind_loss = false;
                    (END - 1 - fork.0, LOOK | MIDDLEBOX)
                }
            };
            assert!(number < END, "less than 5e8 links and middleboxes");
            self.hops.push(number | here);
        }
        self.hops.push(END | look_if(behind_loss));
        RouteId(start)
    }
}
