//! Circles of paused ports, each of which waits for the next: a deadlock.

use std::collections::{BTreeMap, BTreeSet};

use pacesim_core::net::Probe;
use pacesim_units::LinkId;

use super::World;

impl<P: Probe> World<P> {
    /// A circle of ports that are paused and hold packets: those that came over the link of each fill
    /// the memory of a switch, and wait there at the next. If nothing else empties these memories, no
    /// packet of the circle ever leaves.
    pub fn paused_circle(&self) -> Option<Vec<LinkId>> {
        let mut waits: BTreeMap<LinkId, Vec<LinkId>> = BTreeMap::new();
        let all = self.parts().flat_map(|part| part.network.waits_of_pauses());
        for (port, other) in all {
            waits.entry(port).or_default().push(other);
        }
        let mut seen = BTreeSet::new();
        waits
            .keys()
            .find_map(|start| circle_from(*start, &waits, &mut seen))
    }
}

/// The first circle that is met on the way from this port, unless all on the way are seen already.
fn circle_from(
    start: LinkId,
    waits: &BTreeMap<LinkId, Vec<LinkId>>,
    seen: &mut BTreeSet<LinkId>,
) -> Option<Vec<LinkId>> {
    // Each port on the way, with the ports that are still to be tried behind it.
    let mut way: Vec<(LinkId, &[LinkId])> = Vec::new();
    let behind = |port: &LinkId| waits.get(port).map_or(&[][..], |ports| &ports[..]);
    if seen.insert(start) {
        way.push((start, behind(&start)));
    }
    while let Some((_, left)) = way.last_mut() {
        let Some((next, rest)) = left.split_first() else {
            way.pop();
            continue;
        };
        *left = rest;
        if let Some(place) = way.iter().position(|(port, _)| port == next) {
            return Some(way[place..].iter().map(|(port, _)| *port).collect());
        }
        if seen.insert(*next) {
            way.push((*next, behind(next)));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_circle_is_found_behind_others_that_end() {
        let link = LinkId;
        let waits = [
            (0, vec![1, 2]),
            (1, vec![3]),
            (2, vec![4]),
            (4, vec![5]),
            (5, vec![2]),
        ];
        let waits: BTreeMap<LinkId, Vec<LinkId>> = waits
            .into_iter()
            .map(|(port, others)| (link(port), others.into_iter().map(link).collect()))
            .collect();
        let found = circle_from(link(0), &waits, &mut BTreeSet::new());
        assert_eq!(found, Some(vec![link(2), link(4), link(5)]));
        assert_eq!(circle_from(link(1), &waits, &mut BTreeSet::new()), None);
    }
}
