//! The laws that every queue discipline keeps, as a function to run.
//!
//! 1. *Conservation*: an accepted packet is sent or dropped, once; [`Queue::waiting`] counts the
//!    packets in between, and a refusal does not change it.
//! 2. *The line*: nothing is sent while the line is busy.
//! 3. *Work*: a free line stays idle only if nothing waits, or until a future [`Queue::next_turn`].
//! 4. *Order*: of two packets of one connection and class, the first to arrive is sent first.
//! 5. *Bounds*: the queue never holds more than it promised, and refuses a packet as full, or
//!    pushes one out, only beyond that.
//! 6. *Marks*: only packets that may be marked are marked, and only those whose payload may be cut off
//!    lose it.
//! 7. *Repeatable*: constructed again and given the same packets, it behaves the same.
//!
//! A discipline that separates packets by their connections keeps another one, [`check_connections`].

use std::collections::BTreeMap;

pub use pacesim_units::laws::Violation;
use pacesim_units::{Bytes, Capacity, ConnectionId, FlowId, Rate, Span, Time, Transmitter};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

use crate::queue::{Ecn, Line, Mark, Pending, Queue, Reason, Turn, Waiting};

/// Promises of a discipline beyond the common laws.
#[derive(Clone, Copy, Debug)]
pub struct Promise {
    /// Limit on held packets.
    pub capacity: Capacity,
    /// True if the packet in transmission counts towards the limit.
    pub counts_sending: bool,
    /// The most packets pushed out to make room for one. If it is one, packets are pushed out only
    /// as far as necessary.
    pub batch: u64,
    /// True if packets of one connection keep their order only within the same ECN field.
    pub parts_by_ecn: bool,
    /// Packets of at most this size may overtake others.
    pub headers_first: u32,
}

impl Promise {
    /// Promises nothing beyond the common laws.
    pub const NONE: Promise = Promise {
        capacity: Capacity::Unlimited,
        counts_sending: false,
        batch: 1,
        parts_by_ecn: false,
        headers_first: 0,
    };

    /// Promises room for this much, without the packet in transmission.
    pub const fn of(capacity: Capacity) -> Promise {
        Promise {
            capacity,
            ..Promise::NONE
        }
    }

    fn allows(&self, held: Waiting, sending: Option<u32>) -> bool {
        let sending = sending.filter(|_| self.counts_sending);
        match self.capacity {
            Capacity::Unlimited => true,
            Capacity::Packets(most) => held.packets + u64::from(sending.is_some()) <= most,
            Capacity::Bytes(Bytes(most)) => {
                held.bytes.get() + u64::from(sending.unwrap_or(0)) <= most
            }
        }
    }
}

/// A packet that arrives at the port, with the time since the previous one.
#[derive(Clone, Copy, Debug)]
pub struct Arrival {
    /// Time since the previous arrival.
    pub gap: Span,
    /// True if the arrival precedes a departure at the same instant.
    pub comes_first: bool,
    /// The packet that arrives; its number replaces its key.
    pub packet: Pending,
}

/// The fate of a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// The packet was refused on arrival.
    Refused(Reason),
    /// The packet was accepted and dropped later.
    Dropped(Reason),
    /// The transmission of the packet started.
    Sent {
        /// Reason for the packet's mark, if it was marked.
        mark: Option<Mark>,
    },
}

/// Offers these arrivals to a discipline in front of a line of this rate, empties it, and returns
/// the fates of the packets in order of their numbers, or the first broken law.
///
/// ```
/// use pacesim_queues::{DropTail, laws};
/// use pacesim_units::{Capacity, Rate};
///
/// let capacity = Capacity::Packets(10);
/// let promise = laws::Promise::of(capacity);
/// for seed in 0..20 {
///     let arrivals = laws::random_arrivals(seed, 200);
///     let make = || DropTail::new(capacity, false);
///     laws::check(make, promise, Rate::from_mbps(100), &arrivals).unwrap();
/// }
/// ```
pub fn check<Q: Queue>(
    make: impl Fn() -> Q,
    promise: Promise,
    line: Rate,
    arrivals: &[Arrival],
) -> Result<Vec<(Time, u32, Fate)>, Violation> {
    let run = || {
        let mut trial = Trial::new(make(), promise, line);
        for &arrival in arrivals {
            trial.arrive(arrival)?;
        }
        trial.serve_until(Time::NEVER, false)?;
        trial.expect(trial.inside.is_empty(), "work", || {
            "packets are left".to_owned()
        })?;
        Ok(trial)
    };
    let (first, second) = (run()?, run()?);
    let same = first.fates == second.fates;
    first.expect(same, "repeatable", || {
        "the second of its kind did something else".to_owned()
    })?;
    Ok(first.fates)
}

/// Checks that a discipline separates packets by their connections, if it separates them at all: cut
/// into connections of one flow, of two or of as many flows, the same packets meet the same fates.
/// One whose queues are shared by a hash need not keep this law, since collisions differ.
pub fn check_connections<Q: Queue>(
    make: impl Fn() -> Q,
    promise: Promise,
    line: Rate,
    arrivals: &[Arrival],
) -> Result<(), Violation> {
    let of_one = |n| ConnectionId::of_call(FlowId(0), n + 1);
    let of_two = |n: u32| ConnectionId::of_call(FlowId(n % 2), n / 2 + 1);
    let of_many = |n| ConnectionId::of_call(FlowId(n), 1);
    let fates = |name: fn(u32) -> ConnectionId| {
        let cut = cut(arrivals, name);
        check(&make, promise, line, &cut)
    };
    let first = fates(of_one)?;
    for other in [fates(of_two)?, fates(of_many)?] {
        let pairs = first.iter().zip(&other);
        if let Some((one, other)) = pairs.into_iter().find(|(one, other)| one != other) {
            return Err(Violation {
                law: "connections",
                at: one.0.min(other.0),
                what: format!("by the names of flows {one:?} becomes {other:?}"),
            });
        }
    }
    Ok(())
}

/// The same arrivals, with other names for their connections, numbered as they first come.
fn cut(arrivals: &[Arrival], name: fn(u32) -> ConnectionId) -> Vec<Arrival> {
    let mut numbers = BTreeMap::new();
    let renamed = |arrival: &Arrival| {
        let next = numbers.len() as u32;
        let number = *numbers.entry(arrival.packet.connection).or_insert(next);
        let mut arrival = *arrival;
        arrival.packet.connection = name(number);
        arrival.packet.flow = arrival.packet.connection.flow;
        arrival
    };
    arrivals.iter().map(renamed).collect()
}

/// Mixed arrivals: bursts, equal times, gaps from picoseconds to a millisecond, sizes from 1 to
/// 9000 bytes, eight connections, four of them of one flow, four classes, all ECN fields.
pub fn random_arrivals(seed: u64, count: usize) -> Vec<Arrival> {
    let mut random = ArrivalMix(Xoshiro256PlusPlus::seed_from_u64(seed));
    (0..count).map(|_| random.arrival()).collect()
}

fn of_connection(connection: ConnectionId, size: u32) -> Pending {
    Pending::new(0, connection.flow, size).of_connection(connection)
}

/// A discipline beside a naive model of its required behaviour.
struct Trial<Q> {
    queue: Q,
    promise: Promise,
    line: Transmitter,
    now: Time,
    /// The packets inside by key, which is the order of arrival.
    inside: BTreeMap<u32, Pending>,
    /// Size of the packet in transmission, and the end of the transmission.
    sending: Option<(u32, Time)>,
    came: u32,
    /// Number of packets pushed out since the last arrival.
    pushed: Waiting,
    fates: Vec<(Time, u32, Fate)>,
}

fn sum(one: Waiting, other: Waiting) -> Waiting {
    Waiting {
        packets: one.packets + other.packets,
        bytes: Bytes(one.bytes.get() + other.bytes.get()),
    }
}

impl<Q: Queue> Trial<Q> {
    fn new(queue: Q, promise: Promise, line: Rate) -> Trial<Q> {
        Trial {
            queue,
            promise,
            line: Transmitter::new(line),
            now: Time::ZERO,
            inside: BTreeMap::new(),
            sending: None,
            came: 0,
            pushed: Waiting::default(),
            fates: Vec::new(),
        }
    }

    fn arrive(&mut self, arrival: Arrival) -> Result<(), Violation> {
        let now = self.now + arrival.gap;
        self.serve_until(now, arrival.comes_first)?;
        self.now = now;
        let packet = Pending {
            key: self.came,
            ..arrival.packet
        };
        self.came += 1;
        self.pushed = Waiting::default();
        let before = self.queue.waiting();
        match self.queue.arrive(now, packet) {
            Ok(()) => {
                self.inside.insert(packet.key, packet);
            }
            Err(reason) => {
                self.fates.push((now, packet.key, Fate::Refused(reason)));
                self.expect(self.queue.waiting() == before, "conservation", || {
                    format!("refusing {packet:?} changed the waiting packets")
                })?;
                self.must_be_full(reason, packet.size)?;
            }
        }
        self.check_waiting()?;
        self.ask()
    }

    /// Serves all departures up to `end`, inclusive or exclusive.
    fn serve_until(&mut self, end: Time, without_end: bool) -> Result<(), Violation> {
        while let Some(at) = self.next()
            && (at < end || (at == end && !without_end))
        {
            (self.now, self.sending) = (at, None);
            self.ask()?;
        }
        Ok(())
    }

    /// The time at which the line is free again, or the queue asks to be called.
    fn next(&self) -> Option<Time> {
        match self.sending {
            Some((_, at)) => Some(at),
            None => self.queue.next_turn(),
        }
    }

    /// Asks for the queue's next action until it holds.
    fn ask(&mut self) -> Result<(), Violation> {
        loop {
            let line = match self.sending {
                Some(_) => Line::Busy,
                None => Line::Free,
            };
            match self.queue.turn(self.now, line) {
                Turn::Hold => break,
                Turn::Drop(key, reason) => self.drop(key, reason)?,
                Turn::Trim { key, size } => self.trim(key, size.into())?,
                Turn::Go { key, mark } => self.send(key, mark, line)?,
            }
            self.check_waiting()?;
        }
        let idles = self.sending.is_none() && !self.inside.is_empty();
        let is_to_come = self.queue.next_turn().is_some_and(|at| at > self.now);
        self.expect(!idles || is_to_come, "work", || {
            format!("{} packets wait before a free line", self.inside.len())
        })?;
        let (held, sending) = (self.held(), self.sending.map(|(size, _)| size));
        self.expect(self.promise.allows(held, sending), "bounds", || {
            format!("{held:?} is over {}", self.promise.capacity)
        })?;
        self.check_waiting()
    }

    fn send(&mut self, key: u32, mark: Option<Mark>, line: Line) -> Result<(), Violation> {
        self.expect(line == Line::Free, "the line", || {
            format!("packet {key} goes while another is sent")
        })?;
        let packet = self.take_out(key)?;
        let mut earlier = self.inside.range(..key);
        let is_alike = |other: &Pending| {
            let is_apart = self.promise.parts_by_ecn && other.ecn != packet.ecn;
            let is_header = |packet: &Pending| packet.size <= self.promise.headers_first;
            let is_apart = is_apart || is_header(other) || is_header(&packet);
            (other.connection, other.class) == (packet.connection, packet.class) && !is_apart
        };
        let overtaken = earlier.any(|(_, other)| is_alike(other));
        self.expect(!overtaken, "order", || {
            format!("{packet:?} overtakes an earlier one of its connection")
        })?;
        self.expect(mark.is_none() || packet.ecn.is_capable(), "marks", || {
            format!("{packet:?} is marked")
        })?;
        self.fates.push((self.now, key, Fate::Sent { mark }));
        let departure = self.now + self.line.send(packet.size);
        self.sending = Some((packet.size, departure));
        Ok(())
    }

    fn trim(&mut self, key: u32, size: u32) -> Result<(), Violation> {
        let mut packet = self.take_out(key)?;
        let may_be = packet.is_trimmable && size <= packet.size;
        self.expect(may_be, "marks", || format!("{packet:?} is cut to {size} B"))?;
        (packet.size, packet.is_trimmable) = (size, false);
        self.inside.insert(key, packet);
        Ok(())
    }

    fn drop(&mut self, key: u32, reason: Reason) -> Result<(), Violation> {
        let packet = self.take_out(key)?;
        self.fates.push((self.now, key, Fate::Dropped(reason)));
        self.must_be_full(reason, packet.size)?;
        if reason == Reason::Full {
            self.pushed.packets += 1;
            self.pushed.bytes = Bytes(self.pushed.bytes.get() + u64::from(packet.size));
        }
        let (pushed, most) = (self.pushed.packets, self.promise.batch);
        let is_of_packets = matches!(self.promise.capacity, Capacity::Packets(_));
        let is_in_bounds = pushed <= most || most == 1 || !is_of_packets;
        self.expect(is_in_bounds, "bounds", || {
            format!("{pushed} packets are pushed out for one")
        })
    }

    fn take_out(&mut self, key: u32) -> Result<Pending, Violation> {
        self.inside.remove(&key).ok_or_else(|| Violation {
            law: "conservation",
            at: self.now,
            what: format!("packet {key} is not inside"),
        })
    }

    /// A drop for lack of room requires a queue that is full with that packet.
    fn must_be_full(&self, reason: Reason, size: u32) -> Result<(), Violation> {
        let alone = Waiting {
            packets: 1,
            bytes: Bytes(u64::from(size)),
        };
        let pushed = match self.promise.batch {
            1 => alone,
            _ => sum(self.pushed, alone),
        };
        let held = sum(self.held(), pushed);
        let sending = self.sending.map(|(size, _)| size);
        let full = !self.promise.allows(held, sending);
        self.expect(reason != Reason::Full || full, "bounds", || {
            format!("a packet of {size} B is dropped for lack of room, but it fits")
        })
    }

    fn held(&self) -> Waiting {
        Waiting {
            packets: self.inside.len() as u64,
            bytes: Bytes(self.inside.values().map(|p| u64::from(p.size)).sum()),
        }
    }

    fn check_waiting(&self) -> Result<(), Violation> {
        let (seen, expected) = (self.queue.waiting(), self.held());
        self.expect(seen == expected, "conservation", || {
            format!("{seen:?} waits, not {expected:?}")
        })
    }

    fn expect(
        &self,
        holds: bool,
        law: &'static str,
        what: impl FnOnce() -> String,
    ) -> Result<(), Violation> {
        Violation::unless(holds, law, self.now, what)
    }
}

/// A mix of arrivals.
struct ArrivalMix(Xoshiro256PlusPlus);

impl ArrivalMix {
    fn below(&mut self, n: u64) -> u64 {
        self.0.random_range(0..n)
    }

    /// Zero half of the time, otherwise of any magnitude up to a millisecond.
    fn gap(&mut self) -> Span {
        let magnitude = 1 << self.below(31);
        match self.below(2) {
            0 => Span::ZERO,
            _ => Span::from_ps(self.below(magnitude)),
        }
    }

    fn arrival(&mut self) -> Arrival {
        let size = 1 + self.below(9000) as u32;
        let connection = |n: u32| match n.checked_sub(4) {
            None => FlowId(n).into(),
            Some(call) => ConnectionId::of_call(FlowId(4), call + 1),
        };
        Arrival {
            gap: self.gap(),
            comes_first: self.below(2) == 0,
            packet: Pending {
                class: self.below(4) as u16,
                ecn: Ecn::from_bits(self.below(4) as u8),
                ..of_connection(connection(self.below(8) as u32), size)
            },
        }
    }
}
