//! pFabric's queue (Alizadeh et al., SIGCOMM 2013, section 4.1): the shortest remaining transfer
//! first.

use std::collections::VecDeque;

use pacesim_units::{Capacity, Time};

use crate::built_in::{BuiltIn, Site};
use crate::places::{Found, Memory, Places};
use crate::queue::{Line, Pending, Queue, Reason, Turn, Waiting};
use crate::room::Room;

/// A FIFO for each connection, with shared room. The connection whose oldest packet states the least
/// data left of its transfer is served first, so that no transfer is reordered; a packet that does
/// not fit pushes out the newest packets of the one with the most. Among equals the first to arrive
/// goes first.
#[derive(Clone, Debug)]
pub struct Pfabric {
    room: Room,
    connections: Vec<VecDeque<(u64, Pending)>>,
    places: Places,
    /// The connections with packets in the order of service. Only their oldest packets move them, so
    /// nearly all changes are at an end.
    order: VecDeque<Standing>,
    came: u64,
}

/// A connection by the oldest of its packets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Standing {
    remaining: u32,
    /// The number of that packet in the order of arrival.
    number: u64,
    place: u32,
}

impl Pfabric {
    /// An empty queue of this capacity for all connections, with or without the packet in
    /// transmission.
    pub fn new(capacity: Capacity, counts_sending: bool) -> Pfabric {
        Pfabric {
            room: Room::new(capacity, counts_sending),
            connections: Vec::new(),
            places: Places::default(),
            order: VecDeque::new(),
            came: 0,
        }
    }

    /// The place of the connection that the packet belongs to.
    fn place(&mut self, packet: &Pending) -> u32 {
        let connections = &self.connections;
        let memory = |place: u32| match connections[place as usize].is_empty() {
            true => Memory::Forgot,
            false => Memory::InUse,
        };
        match self.places.of(packet.connection, memory) {
            Found::Known(place) | Found::Reused(place) => place,
            Found::Made(place) => {
                self.connections.push(VecDeque::new());
                place
            }
        }
    }

    /// Lets a connection stand where its oldest packet belongs; one without packets is idle.
    fn stand(&mut self, place: u32) {
        let Some((number, packet)) = self.connections[place as usize].front() else {
            return self.places.note_idle(place);
        };
        let standing = Standing {
            remaining: packet.remaining,
            number: *number,
            place,
        };
        let at = self.order.partition_point(|before| *before < standing);
        self.order.insert(at, standing);
    }

    /// Pushes out the newest packet of the connection with the most data left.
    #[cold]
    fn push_out(&mut self) -> Option<Turn> {
        let last = *self.order.back()?;
        let packets = &mut self.connections[last.place as usize];
        let (_, packet) = packets.pop_back()?;
        if packets.is_empty() {
            self.order.pop_back();
            self.places.note_idle(last.place);
        }
        self.room.drop(packet.size);
        Some(Turn::Drop(packet.key, Reason::Full))
    }

    /// Takes the oldest packet of the connection with the least data left.
    fn next(&mut self) -> Option<Pending> {
        let first = self.order.pop_front()?;
        let (_, packet) = self.connections[first.place as usize].pop_front()?;
        self.stand(first.place);
        Some(packet)
    }
}

impl BuiltIn for Pfabric {
    type Config = ();
    const NAME: &'static str = "pfabric";

    fn at(site: Site, _: &Self::Config) -> Pfabric {
        Pfabric::new(site.capacity, site.counts_sending)
    }
}

impl Queue for Pfabric {
    fn arrive(&mut self, _now: Time, packet: Pending) -> Result<(), Reason> {
        if self.room.is_too_large(packet.size) {
            return Err(Reason::Full);
        }
        let place = self.place(&packet);
        let packets = &mut self.connections[place as usize];
        packets.push_back((self.came, packet));
        self.came += 1;
        if packets.len() == 1 {
            self.stand(place);
        }
        self.room.take(packet.size);
        Ok(())
    }

    fn turn(&mut self, _now: Time, line: Line) -> Turn {
        if self.room.is_over()
            && let Some(turn) = self.push_out()
        {
            return turn;
        }
        if line == Line::Busy {
            return Turn::Hold;
        }
        let next = self.next();
        self.room.go(next.map(|packet| (packet, None)))
    }

    fn waiting(&self) -> Waiting {
        self.room.held()
    }
}
