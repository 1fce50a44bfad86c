//! Applications of the program's own as flows: two for each pair of nodes, one per direction.

use std::sync::Arc;

use pacesim_keys::{FlowGroup, OwnDialogue, OwnTraffic, Traffic as TrafficKeys};
use pacesim_model::application::Side;
use pacesim_model::{Load, Tcp, Traffic};
use pacesim_units::{FlowId, Time};

/// The application of a group, if it has one.
pub(crate) fn of_group(group: &FlowGroup) -> Option<&OwnDialogue> {
    match &group.traffic {
        TrafficKeys::Own(OwnTraffic::Dialogue(dialogue)) => Some(dialogue),
        _ => None,
    }
}

/// The members of a group, pair by pair, the client's flow first: their traffic and their starts.
pub(crate) fn members(
    dialogue: &OwnDialogue,
    first: FlowId,
    starts: impl Iterator<Item = Time>,
) -> Vec<(Traffic, Time)> {
    let tcp = &dialogue.over.connections().tcp;
    let transport = dialogue.over.transport();
    let mut answering = (*tcp.config).clone();
    if transport.is_none() {
        // The client's SYN opens both directions.
        (answering.opened_by_other, answering.syn) = (true, false);
    }
    let configs = [tcp.config.clone(), Arc::new(answering)];
    let side = |this: u32, pair: u32| {
        Traffic::Tcp(Tcp {
            config: configs[this as usize].clone(),
            load: Load::Messages(Side {
                application: dialogue.own.make.clone(),
                other: FlowId(first.0 + 2 * pair + 1 - this),
                is_client: this == 0,
            }),
            clock_phase: tcp.clock_phase,
            transport: transport.cloned(),
        })
    };
    let pairs = (0..).zip(starts);
    let both = pairs.flat_map(|(pair, start)| [0, 1].map(|this| (side(this, pair), start)));
    both.collect()
}
