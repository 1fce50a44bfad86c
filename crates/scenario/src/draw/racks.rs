//! Random pairs of hosts by weights between racks.

use pacesim_core::random::{Rng, unit_below_one};

use super::below;
use crate::resolve::{Pairs, Racks};

/// Draws for each pair the two racks, then a host of each.
pub(super) fn ends<R: Rng>(pairs: &Pairs, racks: &Racks, stream: &mut R) -> Vec<(u32, u32)> {
    let draw = |_| {
        let cell = racks.at(unit_below_one(stream));
        let mut one = |hosts: &[u32]| hosts[below(stream, hosts.len() as u64) as usize];
        loop {
            let pair = (one(&cell.from), one(&cell.to));
            // The check has found two different hosts.
            if pair.0 != pair.1 {
                return pair;
            }
        }
    };
    (0..pairs.len()).map(draw).collect()
}
