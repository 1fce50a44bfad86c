//! Presence of flows within the measured time.

use pacesim_core::net::Probe;
use pacesim_units::{FlowId, LinkId, Span, Time};

use super::{Agent, World};

/// The part of the measured time in which a flow is present.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Presence {
    pub(super) from: Time,
    pub(super) until: Time,
}

impl Presence {
    pub(super) fn span(self) -> Span {
        self.until.saturating_since(self.from)
    }
}

impl<P: Probe> World<P> {
    /// The time from a flow's start to the stop of its source, or to the end of its last TCP
    /// transfer, within the measured time.
    pub(super) fn presence(&self, flow: FlowId) -> Presence {
        let of = &self.model.flows[flow.index()];
        let over = match &self.agents[flow.index()] {
            Agent::Open(_) => of.stop,
            Agent::Tcp(_) | Agent::Heard(_) | Agent::Exchange(_) | Agent::Calls(_) => {
                let session = self.session_of(flow);
                session.and_then(|place| self.sessions[place].ended)
            }
        };
        let measured = |time: Time| time.max(self.window.start).min(self.now);
        let from = measured(of.start);
        let until = over.map_or(self.now, measured).max(from);
        Presence { from, until }
    }

    /// The links that the acknowledgements of a TCP flow pass, in order.
    pub fn path_back(&self, flow: FlowId) -> impl Iterator<Item = LinkId> + '_ {
        let session = self.session_of(flow).into_iter();
        session.flat_map(|place| self.network.path(self.sessions[place].routes[1]))
    }

    /// The links that a flow's data pass, in order.
    pub fn path(&self, flow: FlowId) -> impl Iterator<Item = LinkId> + '_ {
        let route = match &self.agents[flow.index()] {
            Agent::Open(emitter) => self.emitters[*emitter as usize].route,
            Agent::Tcp(id) | Agent::Heard(id) => self.connections[*id as usize].data_route,
            Agent::Calls(place) | Agent::Exchange(place) => {
                self.sessions[*place as usize].routes[0]
            }
        };
        self.network.path(route)
    }
}
