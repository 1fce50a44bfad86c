//! The edge where packets leave.

use std::collections::VecDeque;

use pacesim_units::Time;

use crate::order::{Held, Order};
use crate::symbol::{Cover, Place, Symbol};

/// A packet to hand on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Out<K, S> {
    /// The data packet of this key, which came.
    Arrived(K),
    /// A data packet that did not come, and since when that was known: when the first behind it
    /// came, of its block.
    Repaired(S, Time),
}

/// What a decoder has met since it was made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DecoderCounters {
    /// The data packets that came.
    pub arrived: u64,
    /// The repair packets that came.
    pub repairs: u64,
    /// The data packets that were repaired.
    pub repaired: u64,
    /// Those of them that came behind a packet that was sent after them.
    pub late: u64,
}

/// Keeps the running XOR of each block, and hands on what came or was repaired. A packet that
/// comes is known by a key of the caller's, `K`.
#[derive(Clone, Debug)]
pub struct Decoder<S, K> {
    /// The latest blocks: block b is at `b % blocks.len()`.
    blocks: Vec<Block<S>>,
    held: Option<Held<K>>,
    ready: VecDeque<Out<K, S>>,
    counters: DecoderCounters,
}

/// What came of a block.
#[derive(Clone, Debug, Default)]
struct Block<S> {
    number: u32,
    value: S,
    /// How many packets came, and the sum of their numbers.
    came: u16,
    numbers: u32,
    /// The number behind the last that came.
    next: u16,
    /// When the first came of those behind one that did not.
    gap_known: Option<Time>,
    /// Whether its repair packet came.
    closed: bool,
    /// The packet that was repaired.
    repaired: Option<u16>,
}

impl<S: Symbol> Block<S> {
    #[inline]
    fn add(&mut self, now: Time, index: u16, symbol: &S) {
        self.value.xor(symbol);
        self.came = self.came.saturating_add(1);
        self.numbers = self.numbers.wrapping_add(index.into());
        if index > self.next && self.gap_known.is_none() {
            self.gap_known = Some(now);
        }
        self.next = index.wrapping_add(1);
    }
}

impl<S: Symbol, K> Decoder<S, K> {
    /// The decoder for an encoder of this depth. Packets must come in the order in which they
    /// were sent if they are to be held; else some disorder does no harm.
    ///
    /// # Panics
    ///
    /// If the depth is zero, or packets that are interleaved are to be held.
    pub fn new(depth: u16, order: Order) -> Decoder<S, K> {
        assert!(depth > 0, "at least one block is filled at a time");
        assert!(
            depth == 1 || order == Order::Late,
            "packets of one block in turn are held, not of several"
        );
        // As many again as are filled at once, for those that come out of order. The size is a
        // power of two, so that blocks keep their places when numbers go round.
        let blocks = (2 * usize::from(depth)).next_power_of_two();
        Decoder {
            blocks: vec![Block::default(); blocks],
            held: match order {
                Order::Late => None,
                Order::Hold(bound) => Some(Held::new(bound)),
            },
            ready: VecDeque::new(),
            counters: DecoderCounters::default(),
        }
    }

    /// A data packet came; `false` if it was repaired before, and is not handed on again.
    #[inline]
    pub fn data(&mut self, now: Time, place: Place, key: K, symbol: &S) -> bool {
        self.counters.arrived += 1;
        if let Some(block) = self.block(place.block) {
            if block.closed && block.repaired == Some(place.index) {
                return false;
            }
            block.add(now, place.index, symbol);
        }
        match &mut self.held {
            None => self.ready.push_back(Out::Arrived(key)),
            Some(held) => held.data(now, place, key, |key| {
                self.ready.push_back(Out::Arrived(key));
            }),
        }
        true
    }

    /// A repair packet came: if exactly one packet of its block is missing, it is repaired.
    pub fn repair(&mut self, now: Time, cover: Cover, value: &S) {
        self.counters.repairs += 1;
        self.wake(now);
        let waits = self.held.as_ref().is_some_and(|h| h.next_wake().is_some());
        if let Some((missing, symbol, known)) = self.missing(cover, value) {
            self.counters.repaired += 1;
            self.counters.late += u64::from(missing + 1 < cover.count && !waits);
            let since = known.unwrap_or(now);
            self.ready.push_back(Out::Repaired(symbol, since));
        }
        if let Some(held) = &mut self.held {
            held.repair(cover, |key| self.ready.push_back(Out::Arrived(key)));
        }
    }

    /// The only packet of a block that did not come: its number, itself, and since when a packet
    /// behind it is there.
    fn missing(&mut self, cover: Cover, value: &S) -> Option<(u16, S, Option<Time>)> {
        let block = self.block(cover.block).filter(|block| !block.closed)?;
        block.closed = true;
        if block.came + 1 != cover.count {
            return None;
        }
        let all = u32::from(cover.count) * u32::from(cover.count - 1) / 2;
        let missing = all.wrapping_sub(block.numbers);
        let mut symbol = std::mem::take(&mut block.value);
        symbol.xor(value);
        block.repaired = Some(missing as u16);
        Some((missing as u16, symbol, block.gap_known))
    }

    /// What is kept of a block; a new one takes the place of an old one.
    #[inline]
    fn block(&mut self, number: u32) -> Option<&mut Block<S>> {
        let at = number as usize & (self.blocks.len() - 1);
        let block = &mut self.blocks[at];
        if block.number != number {
            if number.wrapping_sub(block.number) > u32::MAX / 2 {
                return None;
            }
            *block = Block {
                number,
                ..Block::default()
            };
        }
        Some(block)
    }

    /// The next packet to hand on, if there is one.
    #[inline]
    pub fn poll(&mut self, now: Time) -> Option<Out<K, S>> {
        self.wake(now);
        self.ready.pop_front()
    }

    fn wake(&mut self, now: Time) {
        if let Some(held) = &mut self.held {
            held.wake(now, |key| self.ready.push_back(Out::Arrived(key)));
        }
    }

    /// When to ask again though no packet comes.
    pub fn next_wake(&self) -> Option<Time> {
        self.held.as_ref()?.next_wake()
    }

    /// What it has met.
    pub fn counters(&self) -> DecoderCounters {
        self.counters
    }
}
