//! Connections whose two ends answer each other: data of one end may wait for data that arrive from
//! the other. The last end to run out of data closes the connection (FIN), and the other answers
//! once all its data have arrived. Each direction is opened when it begins; both are freed when all
//! their data have arrived, so only exchanges in progress take memory.

use pacesim_core::net::{Kind, Packet, Probe};
use pacesim_tcp::Receiver;
use pacesim_units::{FlowId, Time};

use super::application::Application;
use super::connection::Connection;
use super::exchange_end::{Ending, ExchangeEnd, Way};
use super::{Agent, World};

impl<P: Probe> World<P> {
    /// Arms the timer of an end that does not wait for the other. Its wait begins with the
    /// connection: older connections come first at that instant, as in ns-2's player.
    pub(super) fn arm_exchange(&mut self, place: u32, start: Time) {
        let session = &self.sessions[place as usize];
        if session.first < Time::NEVER {
            self.network.set_timer(session.flow.0, session.first, start);
        }
    }

    /// The timer of a receiving end has expired.
    #[inline(never)]
    pub(super) fn wake_listener(&mut self, place: u32, now: Time, began: Time) {
        if let Some(id) = self.sessions[place as usize].way.connection() {
            self.wake_receiver(id, now, began);
        }
    }

    /// The timer of a sending end has expired; the first expiry is that of its first data.
    #[inline(never)]
    pub(super) fn wake_exchange_end(&mut self, place: u32, now: Time, began: Time) {
        if let Some(id) = self.way(place) {
            self.wake_sender(id, now, began);
            self.note_end(place, id, now, began);
        }
    }

    /// Handles an end that has just run out of data: it closes the connection if the other end has
    /// none left either, and otherwise leaves that to the other end.
    fn note_end(&mut self, place: u32, id: u32, now: Time, began: Time) {
        let exchange_end = self.exchange_end(place);
        if exchange_end.ending != Ending::Due {
            return;
        }
        if exchange_end.other_waits {
            return self.close_way(place, id, now, began);
        }
        exchange_end.ending = Ending::Waits;
        let other = exchange_end.other;
        if let Some(other) = self.exchange_of(other) {
            self.exchange_end(other).other_waits = true;
        }
    }

    /// An end hands over its FIN.
    fn close_way(&mut self, place: u32, id: u32, now: Time, began: Time) {
        self.exchange_end(place).ending = Ending::Closed;
        self.connections[id as usize].sender.close(now);
        self.pump(id, now, began);
    }

    /// An end that has received the other's FIN sends its own as soon as all its data have arrived.
    fn answer_end(&mut self, place: u32, id: u32, now: Time, began: Time) {
        let exchange_end = self.exchange_end(place);
        let is_asked = exchange_end.other_closed && exchange_end.ending != Ending::Closed;
        if is_asked && self.connections[id as usize].sender.is_done() {
            self.close_way(place, id, now, began);
        }
    }

    /// The other end's FIN has arrived at the end that sends this flow.
    fn hear_end(&mut self, flow: FlowId, now: Time, began: Time) {
        let Some(place) = self.exchange_of(flow) else {
            return;
        };
        let Some(id) = self.way(place) else {
            return;
        };
        let exchange_end = self.exchange_end(place);
        if exchange_end.other_closed {
            return;
        }
        exchange_end.other_closed = true;
        if exchange_end.stands_when_closed {
            self.connections[id as usize].sender.stop_growing(now);
        }
        self.answer_end(place, id, now, began);
    }

    fn exchange_end(&mut self, place: u32) -> &mut ExchangeEnd {
        match &mut self.sessions[place as usize].application {
            Application::Exchange(exchange_end) => exchange_end,
            _ => unreachable!("an exchange has two ends that speak"),
        }
    }

    fn exchange_of(&self, flow: FlowId) -> Option<u32> {
        match self.agents[flow.index()] {
            Agent::Exchange(place) => Some(place),
            _ => None,
        }
    }

    /// The connection of one direction, opened if it has not begun; `None` if it is over.
    fn way(&mut self, place: u32) -> Option<u32> {
        if self.sessions[place as usize].way == Way::NotYet {
            let id = self.free_place();
            let session = &mut self.sessions[place as usize];
            // It has separate timers: events at one tick of the clock follow the order of flows.
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
            return;
        };
        self.take_in_tcp(id, now, began, packet);
        match packet.kind() {
            Kind::Data => self.note_arrivals(id, now, began),
            _ => self.answer_end(place, id, now, began),
        }
        if self.sessions[place as usize].ended.is_some() {
            self.give_back_exchange(place, now);
        }
    }

    /// Notifies the other end of units that have arrived.
    fn note_arrivals(&mut self, id: u32, now: Time, began: Time) {
        let connection = &self.connections[id as usize];
        let (delivered, has_all) = connection.receiver.delivered();
        let place = connection.session;
        let exchange_end = self.exchange_end(place);
        let other = exchange_end.other;
        if exchange_end.note_arrivals(delivered) {
            let units = exchange_end.arrived as u32;
            self.tell(other, units, now, began);
        }
        if has_all {
            self.hear_end(other, now, began);
        }
    }

    /// The end that sends this flow has received units of the other.
    fn tell(&mut self, flow: FlowId, units: u32, now: Time, began: Time) {
        let Some(place) = self.exchange_of(flow) else {
            return;
        };
        let Some(id) = self.way(place) else {
            return;
        };
        if let Some(wait) = self.exchange_end(place).hear(units) {
            self.connections[id as usize].next_data = now.saturating_add(wait);
            self.pump(id, now, began);
        }
    }

    /// Frees both directions if both are done and no event of theirs is pending.
    fn give_back_exchange(&mut self, place: u32, now: Time) {
        let other = self.exchange_end(place).other;
        let Some(other) = self.exchange_of(other) else {
            return;
        };
        let ways = [place, other];
        if ways.into_iter().all(|place| self.is_at_rest(place)) {
            for place in ways {
                let way = std::mem::replace(&mut self.sessions[place as usize].way, Way::Over);
                if let Some(id) = way.connection() {
                    self.give_back(id, now);
                }
            }
        }
    }

    /// True if one direction is done: its data and its FIN, if any, have arrived, none of its
    /// packets is in the network, and no acknowledgement is delayed.
    fn is_at_rest(&self, place: u32) -> bool {
        let session = &self.sessions[place as usize];
        let Application::Exchange(exchange_end) = &session.application else {
            return false;
        };
        let is_quiet = |id: u32| {
            let connection = &self.connections[id as usize];
            // Own ends have no exchanges.
            let waits = connection.receiver.tcp().and_then(Receiver::next_timeout);
            waits.is_none() && connection.sender.is_done()
        };
        session.ended.is_some()
            && matches!(exchange_end.ending, Ending::Never | Ending::Closed)
            && self.tallies.of(session.flow).in_network() == 0
            && session.way.connection().is_none_or(is_quiet)
    }
}
