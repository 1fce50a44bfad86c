//! Messages of users' own applications on their way: from the receiving end to the other side, and its
//! answer into the network.

use pacesim_core::net::Probe;
use pacesim_transport::application::{Message, News};
use pacesim_units::{FlowId, Time};

use super::application::Application;
use super::dialogue::Dialogue;
use super::giving_up::{Excess, GaveUp};
use super::{Agent, World};

impl<P: Probe> World<P> {
    /// Brings the other side of a connection the messages that have arrived.
    pub(super) fn note_messages(&mut self, id: u32, now: Time, began: Time) {
        let receiver = &self.connections[id as usize].receiver;
        let (packets, bytes) = (receiver.delivered().0, receiver.delivered_bytes());
        while let Some(dialogue) = self.dialogue(id)
            && let Some(message) = dialogue.arrived(packets, bytes)
        {
            let other = dialogue.other;
            self.bring(other, message, now, began);
        }
    }

    /// The timer of the sending end of a connection for whose data others wait has expired.
    #[inline(never)]
    pub(super) fn wake_heard(&mut self, id: u32, now: Time, began: Time) {
        self.wake_sender(id, now, began);
        self.note_failed_side(id, now);
    }

    /// The side that sends this flow hears of a message of the other.
    fn bring(&mut self, flow: FlowId, message: Message, now: Time, began: Time) {
        let Agent::Heard(id) = self.agents[flow.index()] else {
            return;
        };
        let Some(dialogue) = self.dialogue(id) else {
            return;
        };
        dialogue.tell(now, News::Arrived(message));
        let due = dialogue.next_due().unwrap_or(Time::NEVER);
        self.connections[id as usize].next_data = due;
        self.pump(id, now, began);
        self.note_failed_side(id, now);
    }

    fn dialogue(&mut self, id: u32) -> Option<&mut Dialogue> {
        let place = self.connections[id as usize].session as usize;
        match &mut self.sessions[place].application {
            Application::Dialogue(dialogue) => Some(dialogue),
            _ => None,
        }
    }

    /// The run gives up if a side has failed.
    pub(super) fn note_failed_side(&mut self, id: u32, now: Time) {
        if let Some(why) = self.dialogue(id).and_then(Dialogue::take_failure) {
            let flow = self.model.flow_name(self.connections[id as usize].flow);
            let excess = Excess::Application { flow, why };
            self.gave_up.get_or_insert(GaveUp { excess, at: now });
        }
    }

    /// The numbers that the application of a flow declares, with their names; empty for other flows.
    pub fn application_numbers(&self, flow: FlowId) -> Vec<(&'static str, Option<f64>)> {
        let place = self.session_of(flow);
        match place.map(|place| &self.sessions[place].application) {
            Some(Application::Dialogue(dialogue)) => dialogue.numbers().collect(),
            _ => Vec::new(),
        }
    }
}
