//! The encoder, at the edge where packets to be protected enter the core.

use std::collections::VecDeque;

use pacesim_units::{Span, Time};

use crate::small_queue::SmallQueue;
use crate::symbol::{Cover, Place, Symbol};

/// Parameters of an encoder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// Number of data packets in a block, k: at least one.
    pub block: u16,
    /// Number of blocks filled in turn, so that neighbouring packets are in different blocks: at
    /// least one, which means no interleaving.
    pub depth: u16,
    /// Time after which an incomplete block is closed with a repair packet for the packets it has.
    pub timeout: Option<Span>,
    /// Rule for the size of repair packets.
    pub size: RepairSize,
}

/// Rule for the size of repair packets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RepairSize {
    /// The size of the largest packet that the pair has carried so far.
    #[default]
    PairLargest,
    /// The size of the largest packet of the block.
    BlockLargest,
    /// This many bytes; no data packet may be larger.
    Fixed(u32),
}

impl Config {
    /// Consecutive blocks of k packets, without a time-out, as in the paper.
    pub fn block(k: u16) -> Config {
        Config {
            block: k,
            depth: 1,
            timeout: None,
            size: RepairSize::PairLargest,
        }
    }

    /// Number of the first packet of a block whose arrival does more than join the block.
    fn last(&self) -> u16 {
        match (self.depth, self.timeout) {
            (1, None) => self.block,
            _ => 0,
        }
    }
}

/// A repair packet for the caller to send.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Repair<S> {
    /// The block of data packets that it covers.
    pub cover: Cover,
    /// The XOR of the packets of the block.
    pub value: S,
    /// Size of the repair packet in bytes.
    pub size: u32,
}

/// Counts packets into blocks, and XORs each block. With thousands of encoders, each idle most of
/// the time, caches matter: the fields that every packet touches come first, in as few bytes as
/// possible.
#[derive(Clone, Debug)]
#[repr(C)]
pub struct Encoder<S> {
    /// The block that takes the next packet.
    current: Open<S>,
    /// Number of the next block to start, with interleaving.
    next_block: u32,
    /// Size of the largest packet of the closed blocks, and the number of their packets.
    largest: u32,
    closed: u64,
    ready: SmallQueue<Repair<S>>,
    config: Config,
    /// The other blocks that are filled in turn, the next first: none without interleaving.
    others: VecDeque<Open<S>>,
}

#[derive(Clone, Debug)]
#[repr(C)]
struct Open<S> {
    value: S,
    block: u32,
    count: u16,
    /// Number of packets at which the block is full, if nothing else closes a block and one is
    /// filled at a time; otherwise zero.
    last: u16,
    largest: u32,
    /// Arrival time of the first packet of the block, if it matters.
    since: Time,
}

impl<S: Symbol> Open<S> {
    fn new(config: &Config) -> Open<S> {
        Open {
            value: S::default(),
            block: 0,
            count: 0,
            last: config.last(),
            largest: 0,
            since: Time::ZERO,
        }
    }

    /// The next block, if one is filled at a time.
    fn next(&self, config: &Config) -> Open<S> {
        Open {
            block: self.block.wrapping_add(1),
            ..Open::new(config)
        }
    }

    #[inline(always)]
    fn add(&mut self, symbol: &S, size: u32) {
        self.value.xor(symbol);
        self.count += 1;
        if size > self.largest {
            self.largest = size;
        }
    }
}

impl<S: Symbol> Encoder<S> {
    /// An encoder that has seen no packets.
    ///
    /// # Panics
    ///
    /// Panics if block or depth is zero.
    pub fn new(config: Config) -> Encoder<S> {
        assert!(config.block > 0, "a block has at least one packet");
        assert!(config.depth > 0, "at least one block is filled at a time");
        Encoder {
            current: Open::new(&config),
            next_block: 0,
            largest: 0,
            closed: 0,
            ready: SmallQueue::new(),
            config,
            others: vec![Open::new(&config); usize::from(config.depth) - 1].into(),
        }
    }

    /// Sets the size of blocks from now on; an open block ends when it has this many packets or
    /// more.
    pub fn set_block(&mut self, block: u16) {
        assert!(block > 0, "a block has at least one packet");
        self.config.block = block;
        self.current.last = self.config.last();
    }

    /// Number of data packets that have passed.
    pub fn protected(&self) -> u64 {
        let open = self.others.iter().chain([&self.current]);
        self.closed + open.map(|open| u64::from(open.count)).sum::<u64>()
    }

    /// The size of blocks.
    pub fn block(&self) -> u16 {
        self.config.block
    }

    /// [`data`](Encoder::data) for a packet that is not the last of its block, so that there is
    /// nothing to [`poll`](Encoder::poll). `None`, with nothing done, if it may have further
    /// effects.
    #[inline(always)]
    pub fn data_amid(&mut self, symbol: &S, size: u32) -> Option<Place> {
        let index = self.current.count;
        if index + 1 >= self.current.last {
            return None;
        }
        self.current.add(symbol, size);
        let block = self.current.block;
        Some(Place { block, index })
    }

    /// Takes a data packet of this size, and returns its place.
    pub fn data(&mut self, now: Time, symbol: &S, size: u32) -> Place {
        if self.current.count == 0 {
            self.begin(now);
        }
        let (block, count) = (self.current.block, self.current.count);
        if count + 1 < self.config.block {
            self.current.add(symbol, size);
        } else {
            // Taken before the last is added: reading a field just after its write would stall.
            let next = self.current.next(&self.config);
            let mut full = std::mem::replace(&mut self.current, next);
            full.add(symbol, size);
            self.close(full);
        }
        self.turn();
        Place {
            block,
            index: count,
        }
    }

    /// Starts a block with its first packet. With interleaving, it gets its number now.
    fn begin(&mut self, now: Time) {
        self.current.since = now;
        if self.config.depth > 1 {
            self.current.block = self.next_block;
            self.next_block = self.next_block.wrapping_add(1);
        }
    }

    /// Moves on to the next block in turn.
    fn turn(&mut self) {
        if self.config.depth == 1 {
            return;
        }
        if let Some(next) = self.others.pop_front() {
            let filled = std::mem::replace(&mut self.current, next);
            self.others.push_back(filled);
        }
    }

    /// The next repair packet to send now, if any.
    #[inline]
    pub fn poll(&mut self, now: Time) -> Option<Repair<S>> {
        if self.config.timeout.is_some() {
            self.close_overdue(now);
        }
        self.ready.pop()
    }

    /// True if incomplete blocks are closed after a time.
    pub fn has_timeout(&self) -> bool {
        self.config.timeout.is_some()
    }

    /// Time at which to poll next if no packet arrives.
    pub fn next_wake(&self) -> Option<Time> {
        let timeout = self.config.timeout?;
        let all = self.others.iter().chain([&self.current]);
        let begun = all.filter(|open| open.count > 0);
        let first = begun.map(|open| open.since).min()?;
        // A time-out may exceed the range of the clock.
        Some(first.saturating_add(timeout)).filter(|at| *at < Time::NEVER)
    }

    /// Closes the blocks whose time-out has expired, the oldest first.
    fn close_overdue(&mut self, now: Time) {
        while self.next_wake().is_some_and(|wake| wake <= now) {
            let all = self.others.iter_mut().chain([&mut self.current]);
            let begun = all.filter(|open| open.count > 0);
            let oldest = begun.min_by_key(|open| (open.since, open.block));
            let oldest = oldest.expect("what is to be closed is open");
            let next = oldest.next(&self.config);
            let overdue = std::mem::replace(oldest, next);
            self.close(overdue);
        }
    }

    /// Size of the largest packet of the open blocks.
    fn largest_open(&self) -> u32 {
        let open = self.others.iter().chain([&self.current]);
        open.map(|open| open.largest).max().unwrap_or(0)
    }

    fn close(&mut self, block: Open<S>) {
        self.largest = self.largest.max(block.largest);
        self.closed += u64::from(block.count);
        let of_open = match self.config.depth {
            1 => self.current.largest,
            _ => self.largest_open(),
        };
        self.ready.push(Repair {
            cover: Cover {
                block: block.block,
                count: block.count,
            },
            size: match self.config.size {
                RepairSize::PairLargest => self.largest.max(of_open),
                RepairSize::BlockLargest => block.largest,
                RepairSize::Fixed(size) => size,
            },
            value: block.value,
        });
    }
}
