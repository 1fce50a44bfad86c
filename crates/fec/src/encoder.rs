//! The edge where packets enter.

use std::collections::VecDeque;

use pacesim_units::{Span, Time};

use crate::symbol::{Cover, Place, Symbol};

/// How packets are protected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// The data packets of a block, k: at least one.
    pub block: u16,
    /// How many blocks are filled in turn, so that neighbours are in different ones: at least
    /// one, which is no interleaving.
    pub depth: u16,
    /// After which time a block that is not full is closed with a repair packet of what it has.
    pub timeout: Option<Span>,
    /// The size of repair packets.
    pub size: RepairSize,
}

/// The size of repair packets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RepairSize {
    /// That of the largest packet that the pair has carried so far.
    #[default]
    PairLargest,
    /// That of the largest packet of the block.
    BlockLargest,
    /// This number of bytes; no packet may be larger.
    Fixed(u32),
}

impl Config {
    /// Blocks of k packets, one after the other, without a time-out: as in the paper.
    pub fn block(k: u16) -> Config {
        Config {
            block: k,
            depth: 1,
            timeout: None,
            size: RepairSize::PairLargest,
        }
    }
}

/// A repair packet to send.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Repair<S> {
    /// What it is for.
    pub cover: Cover,
    /// The XOR of the block.
    pub value: S,
    /// Its size in bytes.
    pub size: u32,
}

/// Counts packets into blocks, and adds each block up.
#[derive(Clone, Debug)]
pub struct Encoder<S> {
    config: Config,
    /// The blocks that are filled in turn.
    open: Vec<Open<S>>,
    /// Which of them takes the next packet.
    turn: usize,
    next_block: u32,
    /// The largest packet so far.
    largest: u32,
    ready: VecDeque<Repair<S>>,
}

#[derive(Clone, Debug, Default)]
struct Open<S> {
    cover: Cover,
    value: S,
    largest: u32,
    since: Time,
}

impl<S: Symbol> Encoder<S> {
    /// An encoder without packets.
    ///
    /// # Panics
    ///
    /// If block or depth are zero.
    pub fn new(config: Config) -> Encoder<S> {
        assert!(config.block > 0, "a block has at least one packet");
        assert!(config.depth > 0, "at least one block is filled at a time");
        Encoder {
            config,
            open: vec![Open::default(); usize::from(config.depth)],
            turn: 0,
            next_block: 0,
            largest: 0,
            ready: VecDeque::new(),
        }
    }

    /// The size of blocks from now on; a block that is begun ends when it has this many packets
    /// or more.
    pub fn set_block(&mut self, block: u16) {
        assert!(block > 0, "a block has at least one packet");
        self.config.block = block;
    }

    /// The size of blocks.
    pub fn block(&self) -> u16 {
        self.config.block
    }

    /// A data packet of this size passes: where it is.
    #[inline]
    pub fn data(&mut self, now: Time, symbol: &S, size: u32) -> Place {
        self.largest = self.largest.max(size);
        let open = &mut self.open[self.turn];
        if open.cover.count == 0 {
            open.cover.block = self.next_block;
            open.since = now;
            self.next_block = self.next_block.wrapping_add(1);
        }
        let Cover { block, count } = open.cover;
        open.cover.count += 1;
        open.largest = open.largest.max(size);
        open.value.xor(symbol);
        if open.cover.count >= self.config.block {
            self.close(self.turn);
        }
        self.turn += 1;
        if self.turn == self.open.len() {
            self.turn = 0;
        }
        Place {
            block,
            index: count,
        }
    }

    /// A repair packet that is to follow now, if there is one.
    #[inline]
    pub fn poll(&mut self, now: Time) -> Option<Repair<S>> {
        if self.config.timeout.is_some() {
            self.close_overdue(now);
        }
        self.ready.pop_front()
    }

    /// When to ask again though no packet comes.
    pub fn next_wake(&self) -> Option<Time> {
        let timeout = self.config.timeout?;
        let begun = self.open.iter().filter(|open| open.cover.count > 0);
        Some(begun.map(|open| open.since).min()? + timeout)
    }

    /// Closes the blocks whose time is out, the oldest first.
    fn close_overdue(&mut self, now: Time) {
        while self.next_wake().is_some_and(|wake| wake <= now) {
            let begun = self.open.iter().enumerate();
            let begun = begun.filter(|(_, open)| open.cover.count > 0);
            let oldest = begun.min_by_key(|(_, open)| (open.since, open.cover.block));
            let (slot, _) = oldest.expect("what is to be closed is open");
            self.close(slot);
        }
    }

    fn close(&mut self, slot: usize) {
        let open = std::mem::take(&mut self.open[slot]);
        self.ready.push_back(Repair {
            cover: open.cover,
            size: match self.config.size {
                RepairSize::PairLargest => self.largest,
                RepairSize::BlockLargest => open.largest,
                RepairSize::Fixed(size) => size,
            },
            value: open.value,
        });
    }
}
