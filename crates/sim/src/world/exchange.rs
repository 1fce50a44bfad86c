//! Connections whose two ends answer each other: what an end hands over may wait for what has
//! arrived from the other.

use std::sync::Arc;

use pacesim_core::net::{Kind, Packet, Probe};
use pacesim_tcp::{Amount, Config};
use pacesim_units::{FlowId, Span, Time};

use super::World;
use super::application::Application;
use crate::model::{After, Exchange, Step};

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
    pub(super) fn arm_exchange(&mut self, id: u32, start: Time) {
        let connection = &self.connections[id as usize];
        if connection.next_data < Time::NEVER {
            let (timer, at) = (connection.timers[0], connection.next_data);
            self.network.set_timer(timer, at, start);
        }
    }

    /// A packet or an acknowledgement has arrived at one end of such a connection.
    #[inline(never)]
    pub(super) fn take_in_exchange(&mut self, id: u32, now: Time, began: Time, packet: &Packet) {
        self.take_in_tcp(id, now, began, packet);
        if packet.kind != Kind::Data {
            return;
        }
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
        let Some(id) = self.connection_id(flow) else {
            return;
        };
        let connection = &mut self.connections[id as usize];
        let session = &mut self.sessions[connection.session as usize];
        if let Application::Exchange(speaker) = &mut session.application
            && let Some(wait) = speaker.hear(units)
        {
            connection.next_data = now.saturating_add(wait);
            self.pump(id, now, began);
        }
    }
}
