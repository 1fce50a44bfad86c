//! Links that change during a run. Each has a queue that is a stage, so that no departure is known
//! before its transmission starts: a transmission in progress ends as it began, and later ones have
//! the new rate and delay.

use pacesim_units::{LinkId, Rate, Span, Time};

use super::Network;
use crate::engine::EventQueue;
use crate::net::{DropCause, LossProcess, Parts, Probe, Reason, Stage, Turn};

/// Fate of the packets of a link that goes down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outage {
    /// All packets that wait, are in transmission, are on the wire, or reach the queue are lost.
    Loses,
    /// The queue holds its packets and takes new ones; the wire delivers those on it.
    Holds,
}

impl<Q: EventQueue, P: Parts> Network<Q, P> {
    /// Sets the rate of transmissions that start from now on.
    pub fn set_rate(&mut self, link: LinkId, rate: Rate) {
        self.changing_queue(link);
        self.links.set_rate(link, rate);
    }

    /// Sets the delay of transmissions that start from now on; they overtake none.
    pub fn set_delay(&mut self, link: LinkId, delay: Span) {
        self.changing_queue(link);
        self.links.set_delay(link, delay);
    }

    /// Replaces the loss process for packets that reach the far end from now on.
    pub fn change_loss(&mut self, link: LinkId, loss: LossProcess) {
        let extra = self.extra_mut(link);
        let process = extra.and_then(|extra| extra.loss.as_mut());
        *process.expect("a link whose loss changes has one from the start") = loss;
    }

    /// Takes a link down.
    pub fn take_down(&mut self, link: LinkId, now: Time, outage: Outage, probe: &mut impl Probe) {
        let queue = self.changing_queue(link);
        self.queues[queue].outage = Some(outage);
        if outage == Outage::Holds {
            return;
        }
        loop {
            match self.queues[queue]
                .hold
                .stage
                .turn(now, crate::net::Line::Free)
            {
                Turn::Hold => break,
                Turn::Go { key: place, .. } | Turn::Drop(place, _) => {
                    self.drop_held(queue, now, place, probe);
                }
                Turn::Trim { key: place, size } => self.trim(queue, now, place, size, probe),
            }
        }
        self.lose_frames(link, now);
        let carried = self.links.carries(link);
        let extra = self
            .extra_mut(link)
            .expect("a link that changes has a queue of its own");
        assert!(extra.loss.is_some(), "routes look for losses of the wire");
        extra.doomed = carried;
    }

    /// Brings a link up again.
    pub fn bring_up(&mut self, link: LinkId, now: Time, probe: &mut impl Probe) {
        let queue = self.changing_queue(link);
        self.queues[queue].outage = None;
        self.wake_if_free(queue, now, probe);
    }

    fn changing_queue(&self, link: LinkId) -> usize {
        let queue = self.extra(link).and_then(|extra| extra.queue);
        queue.expect("a link that changes has a queue of its own")
    }

    /// Drops a packet that waited when its link went down.
    fn drop_held(&mut self, queue: usize, now: Time, place: u32, probe: &mut impl Probe) {
        let ([arrived, _], packet) = self.transits.let_go(place, false);
        let stage = &mut self.queues[queue];
        stage.hold.note_drop(now, &packet, Reason::Full);
        let link = stage.link;
        self.drop_at_port(now, link, place, DropCause::PushedOut { arrived }, probe);
    }
}
