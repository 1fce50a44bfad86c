//! Connections whose two ends answer each other: what an end hands over may wait for what has
//! arrived from the other. Each way is opened when it begins, and both are closed when all of both has
//! arrived, so that of many that follow each other only those in progress take the memory of connections.

use std::sync::Arc;

use pacesim_core::net::{Kind, Packet, Probe};
use pacesim_tcp::{Amount, Config};
use pacesim_units::{FlowId, Span, Time};

use super::application::Application;
use super::connection::Connection;
use super::{Agent, World};
use crate::model::{After, Exchange, Step};

/// Where the connection of one way is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    NotYet,
    /// At this place.
    Open(u32),
    Over,
}

impl Way {
    pub(super) fn connection(self) -> Option<u32> {
        match self {
            Way::Open(id) => Some(id),
            Way::NotYet | Way::Over => None,
        }
    }
}

/// The application of one end.
pub(super) struct Speaker {
    other: FlowId,
    steps: Arc<[Step]>,
    payload: u64,
    /// How many units it has handed over.
    handed: usize,
    /// How many units of the other end have arrived.
    heard: u32,
    /// How many of its own have arrived, and the packet behind the last of the next.
    arrived: usize,
    next_end: u64,
}

impl Speaker {
    pub(super) fn new(exchange: &Exchange, config: &Config) -> Speaker {
        let mut speaker = Speaker {
            other: exchange.other,
            steps: exchange.steps.clone(),
            payload: config.payload.0,
            handed: 0,
            heard: 0,
            arrived: 0,
            next_end: u64::from(config.syn),
        };
        speaker.next_end += speaker.packets_of_next();
        speaker
    }

    /// What is handed over now.
    pub(super) fn next(&mut self) -> Option<Amount> {
        let step = self.steps.get(self.handed)?;
        self.handed += 1;
        Some(Amount::Bytes(step.size))
    }

    /// Whether there are units that have not been handed over.
    pub(super) fn has_more(&self) -> bool {
        self.handed < self.steps.len()
    }

    /// How long the next unit waits from now, if that is known: the unit before has just been
    /// handed over.
    pub(super) fn wait(&self) -> Option<Span> {
        let step = self.steps.get(self.handed)?;
        let begins = match step.after {
            After::OwnUnit => true,
            After::Arrivals(units) => units <= self.heard,
        };
        begins.then_some(step.wait)
    }

    /// So many packets of its own have arrived in order; whether that ends a unit.
    fn note_arrivals(&mut self, packets: u32) -> bool {
        let before = self.arrived;
        while self.arrived < self.handed && u64::from(packets) >= self.next_end {
            self.arrived += 1;
            self.next_end += self.packets_of_next();
        }
        self.arrived > before
    }

    fn packets_of_next(&self) -> u64 {
        let next = self.steps.get(self.arrived);
        next.map_or(0, |step| step.size.0.div_ceil(self.payload))
    }

    /// So many units of the other end have arrived; how long the next of its own waits, if it
    /// waited for just that.
    fn hear(&mut self, units: u32) -> Option<Span> {
        let waited = self.wait().is_none();
        self.heard = units;
        self.wait().filter(|_| waited)
    }
}

impl<P: Probe> World<P> {
    /// Sets the timer of an end that waits for nothing that the other sends. Its wait begins with
    /// the connection: what an older one does at that instant comes first, as in ns-2's player.
    pub(super) fn arm_exchange(&mut self, place: u32, start: Time) {
        let session = &self.sessions[place as usize];
        if session.first < Time::NEVER {
            self.network.set_timer(session.flow.0, session.first, start);
        }
    }

    /// The timer of a receiving end has run out.
    #[inline(never)]
    pub(super) fn wake_listener(&mut self, place: u32, now: Time, began: Time) {
        if let Some(id) = self.sessions[place as usize].way.connection() {
            self.wake_receiver(id, now, began);
        }
    }

    /// The timer of a sending end has run out: the first time it is that of its first data.
    #[inline(never)]
    pub(super) fn wake_speaker(&mut self, place: u32, now: Time, began: Time) {
        if let Some(id) = self.way(place) {
            self.wake_sender(id, now, began);
        }
    }

    /// The connection of one way, opened if it has not begun; `None` if it is over.
    fn way(&mut self, place: u32) -> Option<u32> {
        if self.sessions[place as usize].way == Way::NotYet {
            let id = self.free_place();
            let session = &mut self.sessions[place as usize];
            // Its timers are its own: what ends at one beat of the clock goes by the order of flows.
            let timers = [session.flow.0, session.receiver_timer];
            let mut connection = Connection::new(place, session, timers, session.start);
            connection.next_data = session.first;
            session.way = Way::Open(id);
            self.put(id, connection);
        }
        self.sessions[place as usize].way.connection()
    }

    /// A packet or an acknowledgement has arrived at one end of such a connection.
    #[inline(never)]
    pub(super) fn take_in_exchange(&mut self, place: u32, now: Time, began: Time, packet: &Packet) {
        let Some(id) = self.way(place) else {
            if packet.kind == Kind::Ack {
                self.tallies.sacks.take(packet);
            }
            return;
        };
        self.take_in_tcp(id, now, began, packet);
        if packet.kind == Kind::Data {
            self.note_arrivals(id, now, began);
        }
        if self.sessions[place as usize].ended.is_some() {
            self.close_exchange(place, now);
        }
    }

    /// Tells the other end of units that have arrived.
    fn note_arrivals(&mut self, id: u32, now: Time, began: Time) {
        let connection = &self.connections[id as usize];
        let delivered = connection.receiver.delivered();
        let session = &mut self.sessions[connection.session as usize];
        if let Application::Exchange(speaker) = &mut session.application
            && speaker.note_arrivals(delivered)
        {
            let (other, units) = (speaker.other, speaker.arrived as u32);
            self.tell(other, units, now, began);
        }
    }

    /// The end whose flow this is has got units of the other.
    fn tell(&mut self, flow: FlowId, units: u32, now: Time, began: Time) {
        let Agent::Exchange(place) = self.agents[flow.index()] else {
            return;
        };
        let Some(id) = self.way(place) else {
            return;
        };
        let session = &mut self.sessions[place as usize];
        if let Application::Exchange(speaker) = &mut session.application
            && let Some(wait) = speaker.hear(units)
        {
            self.connections[id as usize].next_data = now.saturating_add(wait);
            self.pump(id, now, began);
        }
    }

    /// Closes both ways, if both are done and nothing of them is left that could do anything: no
    /// data in the network, no acknowledgement that is delayed.
    fn close_exchange(&mut self, place: u32, now: Time) {
        let Application::Exchange(speaker) = &self.sessions[place as usize].application else {
            return;
        };
        let Agent::Exchange(other) = self.agents[speaker.other.index()] else {
            return;
        };
        let ways = [place, other].map(|place| place as usize);
        let is_done = |place: usize| {
            let session = &self.sessions[place];
            let answers = |id: u32| self.connections[id as usize].receiver.next_timeout();
            session.ended.is_some()
                && self.tallies.of(session.flow).in_network() == 0
                && session.way.connection().and_then(answers).is_none()
        };
        if ways.into_iter().all(is_done) {
            for place in ways {
                let way = std::mem::replace(&mut self.sessions[place].way, Way::Over);
                if let Some(id) = way.connection() {
                    self.give_back(id, now);
                }
            }
        }
    }
}
