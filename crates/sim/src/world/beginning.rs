//! The start of a world, or of its share in one that is divided.

use pacesim_core::net::Probe;
use pacesim_units::{FlowId, Time};

use super::{Agent, World};
use crate::cut::Cut;

/// The nodes that a world runs, if not all.
#[derive(Clone, Copy)]
pub(super) struct Share<'c> {
    pub(super) cut: &'c Cut,
    pub(super) part: u32,
}

/// Brings a world to its start.
pub(super) fn begin<P: Probe>(world: &mut World<P>, share: Option<Share<'_>>) {
    world.set_barriers();
    arm(world, share);
    world.make_changes(Time::ZERO);
    if world.model.warmup.is_zero() {
        world.reach_window();
    }
}

/// Arms the first timer of every flow that begins in this part.
fn arm<P: Probe>(world: &mut World<P>, share: Option<Share<'_>>) {
    for flow in (0..world.model.flows.len()).map(FlowId::from_index) {
        let from = world.model.flows[flow.index()].from;
        if share.is_some_and(|of| of.cut.part_of(from) != of.part) {
            continue;
        }
        let start = world.model.flows[flow.index()].start;
        match world.agents[flow.index()] {
            Agent::Open(emitter) => world.arm_source(emitter, start, Time::ZERO),
            Agent::Tcp(_) | Agent::Heard(_) | Agent::Calls(_) => {
                let place = world.session_of(flow).expect("a TCP flow has a session");
                let first = world.sessions[place].first;
                world.network.set_timer(flow.0, first, Time::ZERO);
            }
            Agent::Exchange(place) => world.arm_exchange(place, start),
        }
    }
}
