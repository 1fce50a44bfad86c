//! Recorded entries through a world without a clock.

use pacesim::{BuildError, Exits, World};

use crate::drive::Entry;
use crate::plan::Plan;

/// Feeds the entries of a live run to a world of the same plan, and returns it at its end: its
/// fingerprint and rows are those of the live run.
pub fn replay(plan: &Plan, entries: &[Entry]) -> Result<World<Exits>, BuildError> {
    let mut world = World::watched(plan.model.clone(), Exits::of(&plan.model))?;
    for (number, entry) in entries.iter().enumerate() {
        world.run_until(entry.at);
        let handle = number as u32 & (u32::MAX >> 1);
        world.enter(entry.flow, entry.size, entry.ecn, handle);
    }
    world.run();
    Ok(world)
}
