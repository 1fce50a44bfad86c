//! The decoder, at the edge where protected packets leave the core.

use pacesim_units::Time;

use crate::order::{Held, Order};
use crate::small_queue::SmallQueue;
use crate::symbol::{Cover, Place, Symbol};

/// A packet that the decoder passes on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Out<K, S> {
    /// A data packet that arrived, by its key.
    Arrived(K),
    /// A repaired data packet, and the time since which its loss was known: the arrival of the
    /// first packet behind it in its block.
    Repaired(S, Time),
}

/// Counters of a decoder since the start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DecoderCounters {
    /// Data packets that arrived.
    pub arrived: u64,
    /// Repair packets that arrived.
    pub repairs: u64,
    /// Data packets that were repaired.
    pub repaired: u64,
    /// Repaired packets that left after a packet that was sent later.
    pub late: u64,
}

/// Keeps the running XOR of each block, and passes on packets that arrived or were repaired.
/// Packets are known by a key of the caller's, `K`. The fields that every packet touches come
/// first, as in [`Encoder`](crate::Encoder).
#[derive(Clone, Debug)]
#[repr(C)]
pub struct Decoder<S, K> {
    /// The newest known block, or the one behind it if its repair packet has arrived.
    latest: Block<S>,
    held: Option<Box<Held<K>>>,
    /// Counters without the packets of the latest block.
    counters: DecoderCounters,
    ready: SmallQueue<Out<K, S>>,
    /// Earlier blocks: block b is at `b % others.len()`.
    others: Vec<Block<S>>,
}

/// State of a block; the fields that every packet touches come first.
#[derive(Clone, Debug)]
#[repr(C)]
struct Block<S> {
    number: u32,
    value: S,
    /// Number of packets that arrived, and the sum of their indices.
    came: u32,
    numbers: u32,
    /// Arrival time of the first packet behind a missing one; never before that.
    gap_known: Time,
    /// True if the repair packet of the block has arrived.
    closed: bool,
    /// Index of the repaired packet, or [`NONE`].
    repaired: u32,
}

/// True if a block precedes another; block numbers wrap.
fn is_behind(number: u32, other: u32) -> bool {
    number != other && other.wrapping_sub(number) <= u32::MAX / 2
}

/// An index that no packet has.
const NONE: u32 = u32::MAX;

impl<S: Symbol> Block<S> {
    fn new(number: u32) -> Block<S> {
        Block {
            number,
            value: S::default(),
            came: 0,
            numbers: 0,
            gap_known: Time::NEVER,
            closed: false,
            repaired: NONE,
        }
    }
}

impl<S: Symbol> Block<S> {
    #[inline(always)]
    fn add(&mut self, now: Time, index: u16, symbol: &S) {
        self.value.xor(symbol);
        // Among packets in order the i-th arrives behind i others, if none is missing.
        if u32::from(index) > self.came {
            self.gap_known = self.gap_known.min(now);
        }
        self.came = self.came.wrapping_add(1);
        self.numbers = self.numbers.wrapping_add(index.into());
    }

    /// The only missing packet of the block: its index, the packet itself, and the time since which
    /// a packet behind it is known.
    fn missing(&mut self, cover: Cover, value: &S) -> Option<(u16, S, Time)> {
        if self.came.wrapping_add(1) != u32::from(cover.count) {
            return None;
        }
        let all = u32::from(cover.count) * u32::from(cover.count - 1) / 2;
        let missing = all.wrapping_sub(self.numbers);
        let mut symbol = std::mem::take(&mut self.value);
        symbol.xor(value);
        self.repaired = missing;
        Some((missing as u16, symbol, self.gap_known))
    }
}

impl<S: Symbol, K> Decoder<S, K> {
    /// A decoder for an encoder of this depth. If packets are to be held, they must arrive in the
    /// order of sending; otherwise some reordering is harmless.
    ///
    /// # Panics
    ///
    /// Panics if the depth is zero, or if interleaved packets would be held.
    pub fn new(depth: u16, order: Order) -> Decoder<S, K> {
        assert!(depth > 0, "at least one block is filled at a time");
        assert!(
            depth == 1 || order == Order::Late,
            "packets of one block in turn are held, not of several"
        );
        // Twice as many as are filled at once, for packets out of order. A power of two, so that
        // blocks keep their places when numbers wrap.
        let blocks = (2 * usize::from(depth)).next_power_of_two();
        Decoder {
            latest: Block::new(0),
            counters: DecoderCounters::default(),
            held: match order {
                Order::Late => None,
                Order::Hold(bound) => Some(Box::new(Held::new(bound))),
            },
            others: vec![Block::new(0); blocks],
            ready: SmallQueue::new(),
        }
    }

    /// Takes a data packet; `false` if it was repaired before, and is not passed on again.
    #[inline]
    pub fn data(&mut self, now: Time, place: Place, key: K, symbol: &S) -> bool {
        if !self.note(now, place, symbol) {
            return false;
        }
        match &mut self.held {
            None => self.ready.push(Out::Arrived(key)),
            Some(held) => held.data(now, place, key, |key| {
                self.ready.push(Out::Arrived(key));
            }),
        }
        true
    }

    /// [`data`](Decoder::data) for the common case of the packet of this index in the
    /// [`latest`](Decoder::latest) block, in a decoder that [never holds](Decoder::may_hold) any:
    /// the caller passes it on, and need not [`poll`](Decoder::poll) for it.
    #[inline(always)]
    pub fn data_in_latest(&mut self, now: Time, index: u16, symbol: &S) {
        debug_assert!(
            self.held.is_none() && !self.latest.closed,
            "nothing is held; behind its repair packet is another block"
        );
        self.latest.add(now, index, symbol);
    }

    /// True if packets may wait behind a missing one.
    pub fn may_hold(&self) -> bool {
        self.held.is_some()
    }

    /// Adds a data packet to its block; `false` if it was repaired before.
    fn note(&mut self, now: Time, place: Place, symbol: &S) -> bool {
        if is_behind(self.latest.number, place.block) {
            self.go_on_to(place.block);
        }
        if place.block == self.latest.number {
            self.latest.add(now, place.index, symbol);
            return true;
        }
        self.counters.arrived += 1;
        let Some(block) = self.older(place.block) else {
            return true;
        };
        if block.repaired == u32::from(place.index) {
            return false;
        }
        block.add(now, place.index, symbol);
        true
    }

    /// Takes a repair packet: if exactly one packet of its block is missing, it is repaired.
    pub fn repair(&mut self, now: Time, cover: Cover, value: &S) {
        self.counters.repairs += 1;
        self.wake(now);
        if let Some(held) = &mut self.held {
            held.leave_other_blocks(cover.block, |key| self.ready.push(Out::Arrived(key)));
        }
        let waits = self.held.as_ref().is_some_and(|h| h.next_wake().is_some());
        if let Some((missing, symbol, known)) = self.settle(cover, value) {
            self.counters.repaired += 1;
            self.counters.late += u64::from(missing + 1 < cover.count && !waits);
            self.ready.push(Out::Repaired(symbol, known.min(now)));
        }
        if let Some(held) = &mut self.held {
            held.repair(cover, |key| self.ready.push(Out::Arrived(key)));
        }
    }

    /// Closes a block and returns its only missing packet, as [`Block::missing`] does.
    fn settle(&mut self, cover: Cover, value: &S) -> Option<(u16, S, Time)> {
        if cover.block == self.latest.number {
            return self.settle_latest(cover, value);
        }
        if !is_behind(cover.block, self.latest.number) {
            self.go_on_to(cover.block.wrapping_add(1));
        }
        let block = self.older(cover.block).filter(|block| !block.closed)?;
        block.closed = true;
        block.missing(cover, value)
    }

    /// [`settle`](Self::settle) for the latest block, the common case. A closed block needs little
    /// of its state: the memory of others is cold, and not read.
    fn settle_latest(&mut self, cover: Cover, value: &S) -> Option<(u16, S, Time)> {
        let next = Block::new(cover.block.wrapping_add(1));
        let mut block = std::mem::replace(&mut self.latest, next);
        self.counters.arrived += u64::from(block.came);
        let missing = block.missing(cover, value);
        let home = self.place(block.number);
        let kept = &mut self.others[home];
        (kept.number, kept.closed, kept.repaired) = (block.number, true, block.repaired);
        missing
    }

    /// State of a block before the latest, unless it is too old; a new block replaces an old one.
    fn older(&mut self, number: u32) -> Option<&mut Block<S>> {
        let age = self.latest.number.wrapping_sub(number) as usize;
        if age > self.others.len() {
            return None;
        }
        let place = self.place(number);
        let other = &mut self.others[place];
        if is_behind(other.number, number) {
            *other = Block::new(number);
        }
        (other.number == number).then_some(other)
    }

    /// Makes a newer block the latest.
    fn go_on_to(&mut self, number: u32) {
        self.counters.arrived += u64::from(self.latest.came);
        let home = self.place(self.latest.number);
        self.others[home] = std::mem::replace(&mut self.latest, Block::new(number));
    }

    /// True while the packets that arrived from a block are kept for its repair packet.
    pub fn knows(&self, number: u32) -> bool {
        number == self.latest.number
            || self.latest.number.wrapping_sub(number) as usize <= self.others.len()
                && self.others[self.place(number)].number == number
    }

    fn place(&self, number: u32) -> usize {
        number as usize & (self.others.len() - 1)
    }

    /// The block to which the next packet probably belongs.
    #[inline]
    pub fn latest(&self) -> u32 {
        self.latest.number
    }

    /// The next packet to pass on, if any.
    #[inline]
    pub fn poll(&mut self, now: Time) -> Option<Out<K, S>> {
        self.wake(now);
        self.ready.pop()
    }

    fn wake(&mut self, now: Time) {
        if let Some(held) = &mut self.held {
            held.wake(now, |key| self.ready.push(Out::Arrived(key)));
        }
    }

    /// Time at which to poll next if no packet arrives.
    pub fn next_wake(&self) -> Option<Time> {
        self.held.as_ref()?.next_wake()
    }

    /// Counters since the start.
    pub fn counters(&self) -> DecoderCounters {
        DecoderCounters {
            arrived: self.counters.arrived + u64::from(self.latest.came),
            ..self.counters
        }
    }
}
