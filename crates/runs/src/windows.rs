//! A run whose measured time is divided into equal windows with separate statistics.

use pacesim::World;
use pacesim::delays::Delays;
use pacesim::model::Model;
use pacesim::units::Time;

use crate::borders::border;
use crate::drive::{Drive, Watchers};
use crate::error::RunError;
use crate::lived::Lived;
use crate::run_monitor::RunMonitor;
use crate::steadiness::Steadiness;

/// The world of a run in windows: that of a plain run, so that it is compiled once.
type Plain = World<(Delays, ())>;

/// Runs a model, and lets `take` read the world at the end of each window. The boundary between two
/// windows belongs to the later one. Windows do not affect packets. Returns the world at its end, and
/// the tallies of its halves.
pub fn in_windows(
    model: Model,
    windows: u64,
    run_monitor: &mut dyn RunMonitor,
    take: &mut dyn FnMut(&Plain),
) -> Result<(Plain, Steadiness), RunError> {
    in_windows_of((model, None), windows, run_monitor, take)
}

/// The same for a model, or for a live run of it.
pub fn in_windows_of(
    (model, lived): (Model, Option<&Lived>),
    windows: u64,
    run_monitor: &mut dyn RunMonitor,
    take: &mut dyn FnMut(&Plain),
) -> Result<(Plain, Steadiness), RunError> {
    let ends: Vec<Time> = (1..windows).map(|n| border(&model, n, windows)).collect();
    let delays = Delays::new(model.flows.len(), border(&model, 0, windows));
    let mut watchers = Watchers {
        steadiness: Some(Steadiness::of(&model)),
        lived,
        ..Watchers::default()
    };
    let mut world = World::watched(model, (delays, ()))?;
    let mut drive = Drive::new(world.end());
    for end in ends {
        drive.before(end, &mut world, &mut watchers, run_monitor)?;
        take(&world);
        world.restart_statistics();
        world.probe_mut().0.restart(end);
    }
    drive.to(world.end(), &mut world, &mut watchers, run_monitor)?;
    take(&world);
    let steadiness = watchers.steadiness.take();
    Ok((world, steadiness.expect("it watches every run in windows")))
}
