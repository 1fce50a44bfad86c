//! A run whose measured time is divided into equal windows with separate statistics.

use pacesim::World;
use pacesim::delays::Delays;
use pacesim::model::Model;
use pacesim::net::Probe;
use pacesim::units::Time;

use crate::borders::border;
use crate::drive::{Drive, Watchers};
use crate::error::RunError;
use crate::run_monitor::RunMonitor;
use crate::steadiness::Steadiness;

/// A probe whose statistics can restart.
pub trait Restart {
    /// Restarts the statistics, as at the end of the warm-up, but keeps the state it needs from the
    /// past.
    fn restart(&mut self, now: Time);
}

impl Restart for () {
    fn restart(&mut self, _now: Time) {}
}

/// Runs a model with this probe, and lets `take` read the world at the end of each window. The
/// boundary between two windows belongs to the later one. Windows do not affect packets.
/// Returns the world at its end, and the tallies of its halves.
pub fn in_windows<L: Probe + Restart>(
    model: Model,
    windows: u64,
    probe: L,
    run_monitor: &mut dyn RunMonitor,
    mut take: impl FnMut(&World<(Delays, L)>),
) -> Result<(World<(Delays, L)>, Steadiness), RunError> {
    let ends: Vec<Time> = (1..windows).map(|n| border(&model, n, windows)).collect();
    let delays = Delays::new(model.flows.len(), border(&model, 0, windows));
    let mut watchers = Watchers {
        steadiness: Some(Steadiness::of(&model)),
        ..Watchers::default()
    };
    let mut world = World::watched(model, (delays, probe))?;
    let mut drive = Drive::new(world.end());
    for end in ends {
        drive.before(end, &mut world, &mut watchers, run_monitor)?;
        take(&world);
        world.restart_statistics();
        let (delays, probe) = world.probe_mut();
        delays.restart(end);
        probe.restart(end);
    }
    drive.to(world.end(), &mut world, &mut watchers, run_monitor)?;
    take(&world);
    let steadiness = watchers.steadiness.take();
    Ok((world, steadiness.expect("it watches every run in windows")))
}
