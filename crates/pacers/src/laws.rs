//! The laws that every pacer keeps, as a function to run.
//!
//! 1. *Conservation*: each packet that enters leaves once, unchanged; [`Pacer::waiting`] counts
//!    those in between.
//! 2. *Order*: of two packets of one flow and class that wait together, the one that arrived first
//!    leaves first, unless the later one has the earlier deadline.
//! 3. *Readiness*: `dequeue(now)` is `Some` exactly when `next_release` is ready at
//!    `now`; an early wake-up changes nothing.
//! 4. *Purity*: `next_release` and `waiting` change only by another call; a refusal
//!    changes nothing.
//! 5. *Progress*: a packet waits exactly when `next_release` names a time, and advancing
//!    to that time releases a packet.
//! 6. *Bounds*: the promised buffer and delay are kept.
//! 7. *Use*: over any time, no more of its rate is in use than was possible.

use std::collections::BTreeMap;

pub use pacesim_units::laws::Violation;
use pacesim_units::{Bytes, Capacity, FlowId, Span, Time};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

use crate::pacer::{Pacer, Pending, Refused, Release, Use, Waiting};

/// Promises of a pacer beyond the common laws.
#[derive(Clone, Copy, Debug)]
pub struct Promise {
    /// Most that the pacer holds; it refuses a packet as full only beyond this.
    pub capacity: Capacity,
    /// Delay bound of every packet, if it is served punctually.
    pub delay: Option<Span>,
    /// A packet's own deadline overrides the bound, and may reorder a flow.
    pub heeds_deadlines: bool,
}

impl Promise {
    /// Promises nothing beyond the common laws.
    pub const NONE: Promise = Promise {
        capacity: Capacity::Unlimited,
        delay: None,
        heeds_deadlines: false,
    };
}

/// One step of a trial.
#[derive(Clone, Copy, Debug)]
pub enum Operation {
    /// A packet arrives this long after the previous step; `bound` gives it a deadline.
    Arrive {
        /// Time since the step before, in which the pacer is served punctually.
        gap: Span,
        /// Flow of the packet.
        flow: FlowId,
        /// Size of the packet in bytes.
        size: u32,
        /// Class of the packet.
        class: u16,
        /// Deadline of the packet, relative to its arrival.
        bound: Option<Span>,
    },
    /// Wakes the pacer up, perhaps too early.
    Wake {
        /// Time since the step before, in which the pacer is served punctually.
        gap: Span,
    },
    /// Leaves the pacer unserved for this long.
    Neglect {
        /// Length of the time without service.
        gap: Span,
    },
}

/// Plays a sequence of operations to a pacer and empties it. Returns the releases with their times,
/// or the first law that was broken.
///
/// ```
/// use pacesim_pacers::{Hull, HullConfig, laws};
/// use pacesim_units::Span;
///
/// let config = HullConfig::new(Span::from_us(50));
/// let promise = laws::Promise { delay: Some(config.delay), ..laws::Promise::NONE };
/// for seed in 0..20 {
///     let pacer = Hull::new(&config)?;
///     laws::check(pacer, promise, &laws::random_operations(seed, 200)).unwrap();
/// }
/// # Ok::<(), pacesim_pacers::InvalidConfig>(())
/// ```
pub fn check<P: Pacer>(
    pacer: P,
    promise: Promise,
    operations: &[Operation],
) -> Result<Vec<(Time, Pending)>, Violation> {
    let mut trial = Trial::new(pacer, promise);
    for &operation in operations {
        trial.step(operation)?;
    }
    trial.serve_until(Time::NEVER)?;
    trial.expect(trial.inside.is_empty(), "progress", || {
        "packets are left".to_owned()
    })?;
    Ok(trial.released)
}

/// A mixed sequence: bursts, equal times, gaps from picoseconds to a millisecond, sizes from 1 to
/// 9000 bytes, eight flows, four classes, some packets with their own deadlines, early wake-ups and
/// some neglect.
pub fn random_operations(seed: u64, count: usize) -> Vec<Operation> {
    let mut random = Operations(Xoshiro256PlusPlus::seed_from_u64(seed));
    (0..count).map(|_| random.operation()).collect()
}

/// A packet that is inside the pacer.
struct Inside {
    packet: Pending,
    arrived: Time,
    /// The pacer was unserved while it waited, so its delay proves nothing.
    neglected: bool,
}

/// A pacer with a naive model of its duties.
struct Trial<P> {
    pacer: P,
    promise: Promise,
    now: Time,
    /// The packets inside by key, which is the order of arrival.
    inside: BTreeMap<u32, Inside>,
    bytes: u64,
    next_key: u32,
    released: Vec<(Time, Pending)>,
    /// Use of the pacer's rate, when last asked for.
    before: Use,
    /// True if the pacer was neglected and is not yet empty again.
    behind: bool,
}

impl<P: Pacer> Trial<P> {
    fn new(pacer: P, promise: Promise) -> Trial<P> {
        Trial {
            pacer,
            promise,
            now: Time::ZERO,
            inside: BTreeMap::new(),
            bytes: 0,
            next_key: 0,
            released: Vec::new(),
            before: Use::default(),
            behind: false,
        }
    }

    fn step(&mut self, operation: Operation) -> Result<(), Violation> {
        let was_behind = self.behind;
        self.operate(operation)?;
        self.check_use(was_behind || self.behind)
    }

    /// No more may be used than was possible since the last step, unless releases were late.
    fn check_use(&mut self, is_late: bool) -> Result<(), Violation> {
        let Some(by_now) = self.pacer.in_use(self.now) else {
            return Ok(());
        };
        let before = std::mem::replace(&mut self.before, by_now);
        let grows = by_now.used >= before.used && by_now.possible >= before.possible;
        let is_within = grows && by_now.used - before.used <= by_now.possible - before.possible;
        self.expect(is_within || is_late, "use", || {
            format!("{before:?}, and then {by_now:?}")
        })
    }

    fn operate(&mut self, operation: Operation) -> Result<(), Violation> {
        match operation {
            Operation::Arrive {
                gap,
                flow,
                size,
                class,
                bound,
            } => {
                self.serve_until(self.now + gap)?;
                let packet = Pending {
                    key: self.next_key,
                    flow,
                    size,
                    class,
                    deadline: bound.map_or(Time::NEVER, |b| self.now + b),
                };
                self.arrive(packet)
            }
            Operation::Wake { gap } => {
                self.serve_until(self.now + gap)?;
                self.take().map(|_| ())
            }
            Operation::Neglect { gap } => {
                self.now += gap;
                self.behind = !self.inside.is_empty();
                for inside in self.inside.values_mut() {
                    inside.neglected = true;
                }
                Ok(())
            }
        }
    }

    /// Serves every release up to `end` at its time, and advances there.
    fn serve_until(&mut self, end: Time) -> Result<(), Violation> {
        while let Release::At(at) = self.pacer.next_release()
            && at <= end
        {
            self.now = self.now.max(at);
            let taken = self.take()?;
            self.expect(taken, "progress", || {
                "nothing left at the promised time".to_owned()
            })?;
        }
        if end != Time::NEVER {
            self.now = self.now.max(end);
        }
        Ok(())
    }

    fn arrive(&mut self, packet: Pending) -> Result<(), Violation> {
        self.next_key += 1;
        let before = self.observe();
        match self.pacer.enqueue(self.now, packet) {
            Ok(()) => {
                self.bytes += u64::from(packet.size);
                let inside = Inside {
                    packet,
                    arrived: self.now,
                    neglected: self.behind,
                };
                self.inside.insert(packet.key, inside);
            }
            Err(reason) => self.check_refusal(before, packet, reason)?,
        }
        self.check_state()
    }

    fn check_refusal(
        &self,
        before: (Release, Waiting),
        packet: Pending,
        reason: Refused,
    ) -> Result<(), Violation> {
        self.expect(self.observe() == before, "purity", || {
            format!("refusing {packet:?} changed {before:?}")
        })?;
        self.expect(
            reason != Refused::Full || !self.fits(packet.size),
            "bounds",
            || format!("refused {packet:?} as full, but it fits"),
        )
    }

    /// Takes a packet if there is one, which must be the case exactly when it is ready.
    fn take(&mut self) -> Result<bool, Violation> {
        let before = self.observe();
        let taken = self.pacer.dequeue(self.now);
        let ready = before.0.is_ready(self.now);
        self.expect(taken.is_some() == ready, "readiness", || {
            format!("{before:?} but dequeue gave {taken:?}")
        })?;
        match taken {
            Some(packet) => self.check_release(packet)?,
            None => self.expect(self.observe() == before, "readiness", || {
                format!("an early wake-up changed {before:?}")
            })?,
        }
        self.check_state()?;
        Ok(taken.is_some())
    }

    fn check_release(&mut self, packet: Pending) -> Result<(), Violation> {
        let Some(inside) = self.inside.remove(&packet.key) else {
            return self.expect(false, "conservation", || {
                format!("{packet:?} is not inside")
            });
        };
        self.bytes -= u64::from(inside.packet.size);
        self.behind &= !self.inside.is_empty();
        self.released.push((self.now, packet));
        self.expect(inside.packet == packet, "conservation", || {
            format!("{:?} became {packet:?}", inside.packet)
        })?;
        self.check_order(packet)?;
        self.check_delay(&inside)
    }

    fn check_order(&self, packet: Pending) -> Result<(), Violation> {
        let overtaken = self
            .inside
            .range(..packet.key)
            .find(|(_, earlier)| !self.may_overtake(packet, earlier.packet));
        self.expect(overtaken.is_none(), "order", || {
            format!("{packet:?} overtook an earlier one of its flow")
        })
    }

    /// True if a packet may leave before one that arrived earlier: only if it is of another flow or
    /// class, or if their own deadlines allow it.
    fn may_overtake(&self, packet: Pending, earlier: Pending) -> bool {
        let own = |p: Pending| p.deadline != Time::NEVER;
        packet.flow != earlier.flow
            || packet.class != earlier.class
            || self.promise.heeds_deadlines
                && (own(packet) != own(earlier) || packet.deadline < earlier.deadline)
    }

    fn check_delay(&self, inside: &Inside) -> Result<(), Violation> {
        let Some(bound) = self.promise.delay else {
            return Ok(());
        };
        let deadline = match inside.packet.deadline {
            own if self.promise.heeds_deadlines && own != Time::NEVER => own,
            _ => inside.arrived + bound,
        };
        let in_time = inside.neglected || self.now <= deadline;
        self.expect(in_time, "bounds", || {
            format!("{:?} was due at {deadline}", inside.packet)
        })
    }

    /// Checks the laws of the state between two calls.
    fn check_state(&self) -> Result<(), Violation> {
        let seen = self.observe();
        self.expect(seen == self.observe(), "purity", || {
            format!("asking twice changed {seen:?}")
        })?;
        let expected = Waiting {
            packets: self.inside.len() as u64,
            bytes: Bytes(self.bytes),
        };
        self.expect(seen.1 == expected, "conservation", || {
            format!("{:?} waits, not {expected:?}", seen.1)
        })?;
        let idle = seen.0 == Release::Idle;
        self.expect(idle == self.inside.is_empty(), "progress", || {
            format!("{:?} with {expected:?}", seen.0)
        })?;
        self.expect(
            fits_within(expected, self.promise.capacity),
            "bounds",
            || format!("{expected:?} is over {}", self.promise.capacity),
        )
    }

    fn fits(&self, size: u32) -> bool {
        let waiting = Waiting {
            packets: self.inside.len() as u64 + 1,
            bytes: Bytes(self.bytes + u64::from(size)),
        };
        fits_within(waiting, self.promise.capacity)
    }

    fn observe(&self) -> (Release, Waiting) {
        (self.pacer.next_release(), self.pacer.waiting())
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

fn fits_within(waiting: Waiting, capacity: Capacity) -> bool {
    match capacity {
        Capacity::Packets(n) => waiting.packets <= n,
        Capacity::Bytes(n) => waiting.bytes <= n,
        Capacity::Unlimited => true,
    }
}

/// A generator of mixed operations.
struct Operations(Xoshiro256PlusPlus);

impl Operations {
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

    fn operation(&mut self) -> Operation {
        let gap = self.gap();
        match self.below(20) {
            0 | 1 => Operation::Wake { gap },
            2 => Operation::Neglect { gap },
            _ => Operation::Arrive {
                gap,
                flow: FlowId(self.below(8) as u32),
                size: 1 + self.below(9000) as u32,
                class: self.below(4) as u16,
                bound: (self.below(4) == 0).then(|| self.gap()),
            },
        }
    }
}
