//! Ports with a queue as a separate stage, which gives the line a packet when it is free.

use pacesim_units::{LinkId, Time};

use super::pauses::Pauses;
use super::{Network, Outage};
use crate::engine::EventQueue;
use crate::net::hold::Hold;
use crate::net::port::Accepted;
use crate::net::{
    DropCause, HoldCounters, Line, Mark, Moment, Packet, Parts, Passage, Probe, Reason, Stage, Turn,
};

/// The queue of a port, and the state of its line.
#[derive(Debug)]
pub(super) struct QueueStage<S> {
    pub(super) link: LinkId,
    pub(super) hold: Hold<S>,
    /// State of the link while it is down, if it is.
    pub(super) outage: Option<Outage>,
    /// Requests of switches: of the one at the other end to hold packets, of its own to send.
    pub(super) pauses: Pauses,
    /// True if the network's user is told when a packet would leave at once.
    pub(super) tells_ready: bool,
    /// Start and end of the transmission in progress.
    sending: Option<(Time, Time)>,
    /// The packet in transmission, if the port belongs to a switch.
    on_line: Option<Packet>,
    /// Time at which the last packet that the line transmitted arrives at the other end.
    last_arrival: Time,
}

impl<S: Stage> QueueStage<S> {
    pub(super) fn new(link: LinkId, queue: S) -> QueueStage<S> {
        QueueStage {
            link,
            hold: Hold::new(queue),
            outage: None,
            pauses: Pauses::default(),
            tells_ready: false,
            sending: None,
            on_line: None,
            last_arrival: Time::ZERO,
        }
    }

    /// True if nothing but the line keeps packets back.
    fn may_send(&self) -> bool {
        self.outage.is_none() && !self.pauses.hold_all()
    }

    /// Starts the transmission of a frame that belongs to no flow. Returns its arrival.
    pub(super) fn start_frame(&mut self, now: Time, sent: &Accepted) -> Time {
        (self.sending, self.on_line) = (Some((now, sent.departure)), None);
        self.arrival_behind_others(sent.arrive)
    }

    /// The arrival of what the line transmits: the delay may have become shorter, and nothing overtakes
    /// on a wire.
    fn arrival_behind_others(&mut self, arrive: Time) -> Time {
        self.last_arrival = self.last_arrival.max(arrive);
        self.last_arrival
    }

    /// Asks the queue to hold or release a class; false if it does not keep classes apart.
    pub(super) fn hold_class(&mut self, now: Time, class: u16, holds: bool) -> bool {
        self.hold.stage.hold_class(now, class, holds)
    }

    pub(super) fn line(&self) -> Line {
        match self.sending {
            Some(_) => Line::Busy,
            None => Line::Free,
        }
    }

    /// True if the transmission has ended before an event that happens at `now` and began at
    /// `began`: the order of events puts a departure first if both began together.
    fn has_sent(&self, now: Time, began: Time) -> bool {
        self.sending
            .is_some_and(|(start, end)| end < now || (end == now && start <= began))
    }
}

impl<Q: EventQueue, P: Parts> Network<Q, P> {
    /// The counters of a link's queue up to `now`, if it is a separate stage.
    pub fn queue_counters(&self, link: LinkId, now: Time) -> Option<HoldCounters> {
        let queue = self.extra(link)?.queue?;
        Some(self.queues[queue].hold.counters_at(now))
    }

    /// The queue of a link's port, if it is a separate stage.
    pub fn queue(&self, link: LinkId) -> Option<&P::Queue> {
        let queue = self.extra(link)?.queue?;
        Some(&self.queues[queue].hold.stage)
    }

    /// True if the link has such a queue: the queue then has the packet, which arrived at the port
    /// at `arrived`.
    pub(super) fn queue_takes(
        &mut self,
        now: Time,
        began: Time,
        arrived: Time,
        (id, place): (LinkId, u32),
        probe: &mut impl Probe,
    ) -> bool {
        let Some(queue) = self.extra(id).and_then(|extra| extra.queue) else {
            return false;
        };
        self.free_if_sent(queue, now, began, probe);
        let packet = self.note_coming((arrived, now), place);
        if self.queues[queue].outage == Some(Outage::Loses) {
            self.drop_at_port(now, id, place, DropCause::Full { arrived }, probe);
            return true;
        }
        let waiting = self.queues[queue].hold.held();
        match self.queues[queue].hold.arrive(now, place, &packet) {
            Ok(()) => {
                self.mark_behind(waiting, now, (id, place), probe);
                if !self.switches.is_empty() {
                    self.mark_by_switch(now, (id, place), probe);
                }
                let packet = self.transits.places()[place as usize].packet;
                probe.queued(now, id, &packet);
                self.serve(queue, now, true, probe);
            }
            Err(reason) => {
                let cause = match reason {
                    Reason::Full => DropCause::Full { arrived },
                    Reason::Early => DropCause::Early { arrived },
                };
                self.drop_at_port(now, id, place, cause, probe);
            }
        }
        true
    }

    /// Handles a queue's timer: its line has transmitted a packet, or it asked to be called.
    pub(super) fn wake_queue(&mut self, queue: usize, now: Time, probe: &mut impl Probe) {
        match self.queues[queue].line() {
            Line::Busy => self.free_line(queue, now, probe),
            Line::Free => self.serve(queue, now, true, probe),
        }
    }

    /// Serves a queue whose line may have rested and has work again.
    pub(super) fn wake_if_free(&mut self, queue: usize, now: Time, probe: &mut impl Probe) {
        if self.queues[queue].line() == Line::Free {
            self.serve(queue, now, true, probe);
        }
    }

    /// Frees the line if its transmission has ended before an event that happens at `now` and began
    /// at `began`.
    pub(super) fn free_if_sent(
        &mut self,
        queue: usize,
        now: Time,
        began: Time,
        probe: &mut impl Probe,
    ) {
        if self.queues[queue].has_sent(now, began) {
            self.free_line(queue, now, probe);
        }
    }

    /// Frees a line that has transmitted its packet: the next one follows without a gap.
    fn free_line(&mut self, queue: usize, now: Time, probe: &mut impl Probe) {
        let stage = &mut self.queues[queue];
        stage.sending = None;
        let link = stage.link;
        if let Some(packet) = stage.on_line.take() {
            self.tell_left(now, link, &packet, probe);
        }
        self.serve(queue, now, false, probe);
    }

    /// Asks the queue for its next action, and sets its timer. The line may have `rested`.
    fn serve(&mut self, queue: usize, now: Time, rested: bool, probe: &mut impl Probe) {
        let was_free = self.queues[queue].line() == Line::Free;
        if was_free && self.queues[queue].outage.is_none() {
            self.send_frame(queue, now, rested);
        }
        while self.queues[queue].may_send() {
            let stage = &mut self.queues[queue];
            let line = stage.line();
            match stage.hold.stage.turn(now, line) {
                Turn::Hold => break,
                Turn::Go { key: place, mark } => {
                    assert_eq!(line, Line::Free, "a queue sends while the line is busy");
                    self.start(queue, now, place, (mark, rested), probe);
                }
                Turn::Drop(place, reason) => self.drop_queued(queue, now, place, reason, probe),
                Turn::Trim { key: place, size } => self.trim(queue, now, place, size, probe),
            }
        }
        let stage = &mut self.queues[queue];
        let (link, is_beyond) = (stage.link, stage.hold.note_held(self.most_waiting));
        self.note_waiting(now, link, is_beyond);
        if was_free {
            self.arm_queue(queue, now);
        }
        self.note_ready(queue);
    }

    /// Transmits a packet at its turn.
    fn start(
        &mut self,
        queue: usize,
        now: Time,
        place: u32,
        (mark, rested): (Option<Mark>, bool),
        probe: &mut impl Probe,
    ) {
        let has_switches = !self.switches.is_empty();
        let unmarked = self.transits.places()[place as usize].packet;
        let id = self.queues[queue].link;
        let mark = match mark {
            None if has_switches => self.switch_marks(now, id, &unmarked, Moment::Start),
            _ => mark,
        };
        let ([arrived, joined], packet) = self.transits.let_go(place, mark.is_some());
        let stage = &mut self.queues[queue];
        stage.hold.note_release(now, joined, &packet, mark);
        probe.dequeued(now, id, &unmarked, joined);
        if mark.is_some() {
            probe.marked(now, id, &unmarked);
        }
        let mut accepted = self.links.send_at_once(id, now, joined, &packet, rested);
        if self.has_hosts {
            self.delay_by_host(id, packet.kind(), &mut accepted);
        }
        let stage = &mut self.queues[queue];
        stage.sending = Some((now, accepted.departure));
        stage.on_line = has_switches.then_some(packet);
        accepted.arrive = stage.arrival_behind_others(accepted.arrive);
        if has_switches {
            self.add_telemetry(now, id, place);
            self.tell_start(now, id, &packet, probe);
        }
        let onward = self.hops[packet.hop as usize + 1];
        self.put_on_wire(id, place, accepted, onward);
        let departure = accepted.departure;
        let passage = Passage {
            arrived,
            joined,
            departure,
        };
        probe.accepted(now, id, &packet, passage);
    }

    fn drop_queued(
        &mut self,
        queue: usize,
        now: Time,
        place: u32,
        reason: Reason,
        probe: &mut impl Probe,
    ) {
        let ([arrived, _], packet) = self.transits.let_go(place, false);
        let stage = &mut self.queues[queue];
        stage.hold.note_drop(now, &packet, reason);
        let link = stage.link;
        let cause = match reason {
            Reason::Full => DropCause::PushedOut { arrived },
            Reason::Early => DropCause::Departure { arrived },
        };
        self.drop_at_port(now, link, place, cause, probe);
    }

    /// One timer is enough: during a transmission it runs to the end of the transmission, otherwise
    /// to the queue's next call.
    fn arm_queue(&mut self, queue: usize, now: Time) {
        let timer = self.timers + (self.gates.len() + queue) as u32;
        let stage = &self.queues[queue];
        let due = match stage.sending {
            Some((start, end)) => Some((end, start)),
            None if !stage.may_send() => None,
            None => stage.hold.stage.next_turn().map(|next| (next, now)),
        };
        let Some((at, began)) = due else {
            return self.calendar.clear_timer(timer);
        };
        assert!(
            at > now || stage.sending.is_some(),
            "a queue that is ready at {at} holds at {now}"
        );
        self.calendar.set_timer(timer, at, began);
    }

    /// Until a packet is on the link, its two stored times are those of its arrival at the port and
    /// at the stage that holds it.
    pub(super) fn note_coming(&mut self, times: (Time, Time), place: u32) -> Packet {
        let transit = &mut self.transits.places_mut()[place as usize];
        transit.times = times.into();
        transit.packet
    }

    /// Drops a packet at a port, before its transmission.
    pub(super) fn drop_at_port(
        &mut self,
        now: Time,
        id: LinkId,
        place: u32,
        cause: DropCause,
        probe: &mut impl Probe,
    ) {
        let packet = self.transits.places()[place as usize].packet;
        self.links.drop_packet(id, now, &packet);
        if !self.switches.is_empty() {
            self.tell_drop(now, id, &packet, probe);
        }
        self.discard(now, id, place, cause, probe);
    }
}
