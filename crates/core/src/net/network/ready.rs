//! Ports that tell their user when a packet would leave at once, so that it keeps its packets until
//! then, as a network card takes them from its connections.

use pacesim_units::LinkId;

use super::Network;
use crate::engine::EventQueue;
use crate::net::{Line, Parts};

impl<Q: EventQueue, P: Parts> Network<Q, P> {
    /// Has the port of a link tell when it becomes ready. Its queue is a stage.
    pub fn tell_ready(&mut self, link: LinkId) {
        let queue = self.queue_at(link);
        self.queues[queue].tells_ready = true;
    }

    /// True if the port of a link that tells would transmit a packet of this class at once.
    pub fn is_ready(&self, link: LinkId, class: u16) -> bool {
        let stage = &self.queues[self.queue_at(link)];
        let holds = stage.pauses.hold_all() || stage.pauses.holds(class);
        stage.is_idle() && stage.outage.is_none() && !holds
    }

    /// True if the line of a port that tells is free, and nothing waits there.
    pub fn is_idle(&self, link: LinkId) -> bool {
        self.queues[self.queue_at(link)].is_idle()
    }

    /// The next port that told, if any.
    pub fn take_ready(&mut self) -> Option<LinkId> {
        self.ready.pop_front()
    }

    /// Tells the user of a port that has become ready, if it is to.
    pub(super) fn note_ready(&mut self, queue: usize) {
        let stage = &self.queues[queue];
        if stage.tells_ready && stage.is_idle() {
            self.ready.push_back(stage.link);
        }
    }
}

impl<S: crate::net::Stage> super::QueueStage<S> {
    /// True if its line is free and nothing waits.
    fn is_idle(&self) -> bool {
        self.line() == Line::Free && self.hold.held().packets == 0
    }
}
