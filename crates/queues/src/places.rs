//! The places of the queues that each connection has for itself.

use std::collections::{BTreeMap, VecDeque};

use pacesim_units::ConnectionId;

/// The place of each connection's queue, from zero. A connection for one transfer loses its place
/// once its queue remembers nothing, so that memory does not grow with the number of transfers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Places {
    /// One more than the place of each flow's only connection, or zero.
    flows: Vec<u32>,
    calls: BTreeMap<ConnectionId, u32>,
    owners: Vec<Owner>,
    /// Places that no connection has.
    free: Vec<u32>,
    /// Places of connections for one transfer whose queues were empty, in the order in which they
    /// became empty.
    idle: VecDeque<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Owner {
    connection: ConnectionId,
    is_idle: bool,
}

/// The place found for a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// The connection had this place before.
    Known(u32),
    /// Another connection had this place before.
    Reused(u32),
    /// The connection is the first to have this place, which follows all others.
    Made(u32),
}

/// The state of a queue that has become empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Memory {
    /// The queue is in use again.
    InUse,
    /// The queue is empty, but its state still matters.
    Remembers,
    /// The queue is as good as new.
    Forgot,
}

impl Places {
    /// The place of a connection, if it has one.
    #[inline]
    pub(crate) fn get(&self, connection: ConnectionId) -> Option<u32> {
        if connection.call > 0 {
            return self.calls.get(&connection).copied();
        }
        let place = self.flows.get(connection.flow.index());
        place.and_then(|place| place.checked_sub(1))
    }

    /// The place of a connection, which receives one if it has none. The memory of queues that were
    /// empty is asked for.
    #[inline]
    pub(crate) fn of(
        &mut self,
        connection: ConnectionId,
        memory: impl FnMut(u32) -> Memory,
    ) -> Found {
        match self.get(connection) {
            Some(place) => Found::Known(place),
            None => self.add(connection, memory),
        }
    }

    /// The places of connections that are their flows' only ones, in the order of flows, and those
    /// of the others, in no order of their own.
    pub(crate) fn all(
        &self,
    ) -> (
        impl DoubleEndedIterator<Item = u32>,
        impl Iterator<Item = u32>,
    ) {
        let flows = self.flows.iter().filter_map(|place| place.checked_sub(1));
        (flows, self.calls.values().copied())
    }

    #[cold]
    fn add(&mut self, connection: ConnectionId, memory: impl FnMut(u32) -> Memory) -> Found {
        self.reclaim(memory);
        let owner = Owner {
            connection,
            is_idle: false,
        };
        let (place, found) = match self.free.pop() {
            Some(place) => {
                self.owners[place as usize] = owner;
                (place, Found::Reused(place))
            }
            None => {
                let place = self.owners.len() as u32;
                self.owners.push(owner);
                (place, Found::Made(place))
            }
        };
        if connection.call > 0 {
            self.calls.insert(connection, place);
        } else {
            let index = connection.flow.index();
            if self.flows.len() <= index {
                self.flows.resize(index + 1, 0);
            }
            self.flows[index] = place + 1;
        }
        found
    }

    /// Notes that the queue at this place is empty.
    #[cold]
    pub(crate) fn note_idle(&mut self, place: u32) {
        let owner = &mut self.owners[place as usize];
        if owner.connection.call > 0 && !owner.is_idle {
            owner.is_idle = true;
            self.idle.push_back(place);
        }
    }

    fn reclaim(&mut self, mut memory: impl FnMut(u32) -> Memory) {
        while let Some(&place) = self.idle.front() {
            let owner = &mut self.owners[place as usize];
            match memory(place) {
                Memory::Remembers => return,
                Memory::InUse => owner.is_idle = false,
                Memory::Forgot => {
                    self.calls.remove(&owner.connection);
                    self.free.push(place);
                }
            }
            self.idle.pop_front();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pacesim_units::FlowId;

    #[test]
    fn memory_follows_the_connections_that_queues_remember_and_not_their_number() {
        let mut places = Places::default();
        let mut queues = 0;
        for call in 1..=10_000 {
            // Two transfers ago is forgotten.
            let recent = call - 1;
            let forgets = |place: u32| {
                if place == recent % 3 {
                    Memory::Remembers
                } else {
                    Memory::Forgot
                }
            };
            let found = places.of(ConnectionId::of_call(FlowId(7), call), forgets);
            let (Found::Known(place) | Found::Reused(place) | Found::Made(place)) = found;
            queues = queues.max(place + 1);
            places.note_idle(place);
        }
        assert!(queues < 5, "{queues} queues");
        let kept = places.of(FlowId(7).into(), |_| Memory::Remembers);
        places.note_idle(match kept {
            Found::Known(place) | Found::Reused(place) | Found::Made(place) => place,
        });
        places.of(ConnectionId::of_call(FlowId(8), 1), |_| Memory::Forgot);
        assert!(
            places.get(FlowId(7).into()).is_some(),
            "a flow keeps its place"
        );
    }
}
