//! Flows whose ends are in different parts.

use pacesim_core::net::Probe;
use pacesim_units::FlowId;

use crate::world::reading::FlowReading;
use crate::world::{Agent, World};

impl<P: Probe> World<P> {
    /// True if the receiver of a flow is in the part of this number.
    pub(in crate::world) fn receives_in(&self, part: u32, flow: FlowId) -> bool {
        let spread = self.team.as_ref().filter(|team| !team.is_gathered);
        spread.map_or(part == 0, |team| {
            team.cut.part_of(self.model.flows[flow.index()].to) == part
        })
    }

    /// Adds the state of the senders, and the data that receivers have, from the part of each.
    pub(in crate::world) fn add_ends(&self, all: &mut [FlowReading]) {
        let Some(team) = self.team.as_ref().filter(|team| !team.is_gathered) else {
            return self.add_ends_if(all, |_| [true; 2]);
        };
        for (number, part) in (0..).zip(self.parts()) {
            let is_here = |flow: FlowId| {
                let flow = &self.model.flows[flow.index()];
                [flow.from, flow.to].map(|node| team.cut.part_of(node) == number)
            };
            part.add_ends_if(all, is_here);
        }
    }

    /// Lets the face have all flows: the run is over.
    pub(super) fn gather(&mut self) {
        let Some(mut team) = self.team.take().filter(|team| !team.is_gathered) else {
            return;
        };
        for (part, other) in (1..).zip(&mut team.others) {
            let is_there = |node| team.cut.part_of(node) == part;
            for flow in (0..self.model.flows.len()).map(FlowId::from_index) {
                let of = &self.model.flows[flow.index()];
                let [sends, receives] = [of.from, of.to].map(is_there);
                self.take_ends(other, flow, sends, receives);
            }
            self.finished.append(&mut other.finished);
            // All senders of a group with transfers are in one part, so that this adds to nothing.
            for (sum, more) in self.completions.iter_mut().zip(&other.completions) {
                for (sum, more) in sum.classes.iter_mut().zip(&more.classes) {
                    sum.merge(more);
                }
            }
            self.contents = self.contents.wrapping_add(other.contents);
            self.window.add_tallies(&other.window);
            (team.absorb)(&mut self.probe, &mut other.probe);
        }
        self.noted = self.finished.len();
        team.is_gathered = true;
        self.team = Some(team);
    }

    /// Takes the ends of a persistent connection that are in another part.
    fn take_ends(&mut self, other: &mut World<P>, flow: FlowId, sends: bool, receives: bool) {
        let (Agent::Tcp(id), true) = (self.agents[flow.index()], sends || receives) else {
            return;
        };
        let [ours, theirs] = [&mut self.connections, &mut other.connections];
        let [ours, theirs] = [ours, theirs].map(|all| &mut all[id as usize]);
        let place = ours.session as usize;
        if sends {
            ours.swap_sender(theirs);
            std::mem::swap(&mut self.sessions[place], &mut other.sessions[place]);
        }
        if receives {
            ours.swap_receiver(theirs);
        }
        self.window
            .take_totals(&other.window, place, [sends, receives]);
    }
}
