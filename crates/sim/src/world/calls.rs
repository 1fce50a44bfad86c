//! Connections for one transfer each: opened at the transfer's arrival, closed by its last
//! acknowledgement. Places are reused, so memory depends on the number of connections open at once.
//! Exchanges use the same places.

use pacesim_core::net::{Packet, Probe};
use pacesim_units::Time;

use super::World;
use super::connection::Connection;
use super::tag;

/// The places of connections for one transfer each, behind those of persistent connections.
#[derive(Debug, Default)]
pub(super) struct Pool {
    free: Vec<u32>,
    /// The first place, and the number of the first timer; each place has two timers.
    first_place: u32,
    first_timer: Option<u32>,
}

impl Pool {
    pub(super) fn behind(connections: usize) -> Pool {
        Pool {
            first_place: connections as u32,
            ..Pool::default()
        }
    }

    /// The number of persistent connections.
    pub(super) fn first_place(&self) -> u32 {
        self.first_place
    }

    /// The place that a timer belongs to, and true if it is the sender's.
    fn owner(&self, timer: u32) -> (u32, bool) {
        let place = timer - self.first_timer.expect("timers come with places");
        (self.first_place + place / 2, place.is_multiple_of(2))
    }
}

impl<P: Probe> World<P> {
    /// A transfer with its own connection arrives.
    #[inline(never)]
    pub(super) fn call(&mut self, place: u32, now: Time, began: Time) {
        let session = &mut self.sessions[place as usize];
        session.next_call = Time::NEVER;
        if now >= session.stop {
            return session.end_if_over(session.stop);
        }
        let amount = session.application.next();
        let next = session.application.after_start(session.start, now);
        self.await_call(place, next, now);
        let Some(amount) = amount else {
            return;
        };
        let id = self.open(place, now);
        let handed = self.connections[id as usize].sender.on_data(now, amount);
        match handed {
            Ok(()) => self.pump(id, now, began),
            // Either no data, or more than the sequence space of a connection.
            Err(_) => self.close(id, now),
        }
    }

    fn await_call(&mut self, place: u32, next: Option<Time>, now: Time) {
        if let Some(at) = next {
            let session = &mut self.sessions[place as usize];
            session.next_call = at;
            self.network.set_timer(session.flow.0, at, now);
        }
    }

    /// Opens a connection in a free or new place.
    fn open(&mut self, place: u32, now: Time) -> u32 {
        let id = self.free_place();
        let timers = self.pool.timers(id);
        let session = &mut self.sessions[place as usize];
        let mut connection = Connection::new(place, session, timers, now);
        let flow = (session.flow, &self.model.flows[session.flow.index()]);
        if let Some(routes) = self
            .several_paths
            .of_call(flow, session.calls, &self.network)
        {
            [connection.data_route, connection.ack_route] = routes;
        }
        connection.tag = tag::of_call(session.calls);
        connection.call = session.calls;
        session.open.add(session.calls, id);
        session.calls += 1;
        self.put(id, connection);
        id
    }

    /// Finds a free place, or adds a new one.
    pub(super) fn free_place(&mut self) -> u32 {
        self.pool.free.pop().unwrap_or_else(|| {
            let timer = self.network.add_timers(2);
            if self.pool.first_timer.is_none() {
                self.pool.first_timer = Some(timer);
                self.network.rank_timers_from(timer);
            }
            self.connections.len() as u32
        })
    }

    /// Puts a connection into a free place.
    pub(super) fn put(&mut self, id: u32, connection: Connection) {
        match self.connections.get_mut(id as usize) {
            None => self.connections.push(connection),
            Some(old) => *old = connection,
        }
    }

    /// Frees a connection's place after its session has taken over its counts. No wake-up stays
    /// pending: it would be the next owner's.
    pub(super) fn give_back(&mut self, id: u32, now: Time) {
        let connection = &mut self.connections[id as usize];
        connection.is_over = true;
        let wakes = [&mut connection.sender_wake, &mut connection.receiver_wake];
        for (wake, timer) in wakes.into_iter().zip(connection.timers) {
            if *wake < Time::NEVER {
                *wake = Time::NEVER;
                self.network.clear_timer(timer);
            }
        }
        let totals = connection.totals(now);
        self.sessions[connection.session as usize].add_closed(totals);
        self.pool.free.push(id);
    }

    /// Closes a connection whose last acknowledgement has arrived.
    #[inline(never)]
    pub(super) fn close(&mut self, id: u32, now: Time) {
        self.give_back(id, now);
        let Connection { session, call, .. } = self.connections[id as usize];
        let place = session;
        let session = &mut self.sessions[place as usize];
        session.open.remove(call);
        let next = session.application.after_last_ack(now);
        self.await_call(place, next, now);
        self.sessions[place as usize].end_if_over(now);
    }

    /// A packet of a flow with such connections has arrived. Those of a closed one are ignored.
    #[inline(never)]
    pub(super) fn take_in_call(&mut self, place: u32, now: Time, began: Time, packet: &Packet) {
        let open = &self.sessions[place as usize].open;
        if let Some(id) = tag::call(packet).and_then(|call| open.place(call)) {
            self.take_in_tcp(id, now, began, packet);
        }
    }

    /// Handles the timer of a connection for one transfer.
    pub(super) fn wake_call(&mut self, timer: u32, now: Time, began: Time) {
        let (id, is_sender) = self.pool.owner(timer);
        if is_sender {
            self.wake_sender(id, now, began);
        } else {
            self.wake_receiver(id, now, began);
        }
    }
}

impl Pool {
    fn timers(&self, id: u32) -> [u32; 2] {
        let first = self.first_timer.expect("timers come with places");
        let sender = first + 2 * (id - self.first_place);
        [sender, sender + 1]
    }
}
