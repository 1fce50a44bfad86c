//! Open-loop flows, each with a source, its timer and its packets.

use pacesim_core::net::{Flags, Packet, Probe, RouteId};
use pacesim_units::{FlowId, Time};

use super::{Agent, World};
use crate::source::{AnySource, Source};

/// The sending side of an open-loop flow.
pub(super) struct Emitter {
    pub(super) flow: FlowId,
    pub(super) route: RouteId,
    pub(super) source: AnySource,
    /// The size of the packet that its timer will send.
    pub(super) next_size: u32,
    pub(super) next_seq: u32,
    /// The number of packets of the same bulk that follow it.
    pub(super) next_following: u32,
    /// Flags of the flow's packets: their ECN field.
    pub(super) flags: Flags,
    pub(super) stop: Time,
}

impl<P: Probe> World<P> {
    /// Replaces a flow's source by a user's. Call it before time starts, for a flow that has a
    /// source.
    pub fn set_source(&mut self, flow: FlowId, source: Box<dyn Source>) {
        self.must_be_whole("takes no sources");
        assert_eq!(self.now, Time::ZERO, "a source is replaced before the run");
        let start = self.model.flows[flow.index()].start;
        let Agent::Open(emitter) = self.agents[flow.index()] else {
            panic!("flow {} is TCP and has no source", flow.0);
        };
        self.emitters[emitter as usize].source = AnySource::Custom(source);
        self.network.clear_timer(flow.0);
        self.arm_source(emitter, start, Time::ZERO);
    }

    /// Sends the packet that is due, and waits for the next.
    #[inline(always)]
    pub(super) fn emit(&mut self, place: u32, now: Time, began: Time) {
        let emitter = &mut self.emitters[place as usize];
        let flow = emitter.flow;
        let packet = Packet {
            stamp: now,
            flow,
            seq: emitter.next_seq,
            size: emitter.next_size,
            tag: emitter.next_following,
            flags: emitter.flags,
            ..Packet::default()
        };
        emitter.next_seq = emitter.next_seq.wrapping_add(1);
        let route = emitter.route;
        let route = self.route_of(now, route, &packet);
        self.tallies.sent(flow, packet.size);
        let watchers = &mut (&mut self.tallies, &mut self.probe);
        self.network.send(now, began, route, packet, None, watchers);
        self.arm_source(place, now, now);
    }

    /// Asks a flow's source for the packet after `previous`, and arms its timer.
    #[inline(always)]
    pub(super) fn arm_source(&mut self, place: u32, previous: Time, now: Time) {
        let emitter = &mut self.emitters[place as usize];
        let Some(emission) = emitter.source.next() else {
            return;
        };
        let at = previous.saturating_add(emission.gap);
        if at < emitter.stop {
            emitter.next_size = emission.size;
            emitter.next_following = emitter.source.following();
            self.network.set_timer(emitter.flow.0, at, now);
        }
    }
}
