//! The receiving side of one flow.

use std::sync::Arc;

use pacesim_units::{Span, Time};

use crate::config::{Config, Profile};
use crate::packet::{Ack, Block, SackBlocks};
use crate::seqset::SeqSet;

/// The receiving side of one flow: puts packets in order and answers with ACKs.
///
/// Each input returns the ACK to send now, if any; then read
/// [`next_timeout`](Self::next_timeout) again. `on_timer` before its time does nothing.
#[derive(Debug)]
pub struct Receiver {
    /// The first packet missing; all below have been delivered in order.
    next: u32,
    /// `next` as last acknowledged.
    acked: u32,
    /// What the next ACK echoes.
    stamp: Time,
    delayed_until: Time,
    early: SeqSet,
    sacks: SackBlocks,
    duplicates: u64,
    delay: Option<Span>,
    max_sack_blocks: u8,
    /// An old packet equal to the last in order may wait for its ACK (ns-2).
    old_may_wait: bool,
}

impl Receiver {
    /// A receiver that has received nothing.
    pub fn new(config: &Arc<Config>) -> Receiver {
        Receiver {
            next: 0,
            acked: 0,
            stamp: Time::ZERO,
            delayed_until: Time::NEVER,
            early: SeqSet::default(),
            sacks: SackBlocks::NONE,
            duplicates: 0,
            delay: config.delayed_ack,
            max_sack_blocks: if config.variant.uses_sack() {
                config.max_sack_blocks
            } else {
                0
            },
            old_may_wait: config.profile == Profile::Ns2,
        }
    }

    /// Data packet `seq`, sent at `stamp`, arrived.
    #[inline]
    pub fn on_data(&mut self, now: Time, seq: u32, stamp: Time) -> Option<Ack> {
        let before = self.next;
        let had_hole = !self.early.is_empty();
        self.keep_stamp(seq, stamp);
        self.take(seq);
        let in_order = if self.old_may_wait {
            seq + 1 == self.next
        } else {
            seq == before
        };
        if seq > 0 && in_order && !had_hole {
            self.answer_in_order(now)
        } else {
            Some(self.acknowledge())
        }
    }

    /// Time has passed; harmless if no ACK is due.
    pub fn on_timer(&mut self, now: Time) -> Option<Ack> {
        (now >= self.delayed_until).then(|| self.acknowledge())
    }

    /// When a delayed ACK is due.
    #[inline]
    pub fn next_timeout(&self) -> Option<Time> {
        (self.delayed_until != Time::NEVER).then_some(self.delayed_until)
    }

    /// How many packets have been delivered to the application, in order.
    pub fn delivered(&self) -> u32 {
        self.next
    }

    /// Packets that came again.
    pub fn duplicates(&self) -> u64 {
        self.duplicates
    }

    /// Packets that wait for a hole to be filled.
    pub fn out_of_order(&self) -> u32 {
        self.early.len()
    }

    /// RFC 7323 §4.3: the echo is of the packet that last moved, or could
    /// have moved, the acknowledgement.
    #[inline]
    fn keep_stamp(&mut self, seq: u32, stamp: Time) {
        if seq <= self.acked && stamp >= self.stamp {
            self.stamp = stamp;
        }
    }

    #[inline]
    fn take(&mut self, seq: u32) {
        if seq == self.next {
            self.next += 1;
            if !self.early.is_empty() {
                self.close_hole();
            }
        } else if seq < self.next {
            self.duplicates += 1;
        } else {
            self.take_early(seq);
        }
    }

    #[cold]
    fn close_hole(&mut self) {
        self.next = self.early.next_missing(self.next);
        self.early.remove_below(self.next);
        self.sacks.acknowledge(self.next);
    }

    #[cold]
    fn take_early(&mut self, seq: u32) {
        self.early.remove_below(self.next);
        if self.early.insert(seq, seq + 1) == 0 {
            self.duplicates += 1;
        }
        let run = Block {
            start: self.early.run_start(seq),
            end: self.early.next_missing(seq),
        };
        self.sacks.renew(run, usize::from(self.max_sack_blocks));
    }

    /// RFC 5681 §4.2: every second packet, or after the delay.
    #[inline]
    fn answer_in_order(&mut self, now: Time) -> Option<Ack> {
        match self.delay {
            Some(delay) if self.delayed_until == Time::NEVER => {
                self.delayed_until = now.saturating_add(delay);
                None
            }
            _ => Some(self.acknowledge()),
        }
    }

    #[inline]
    fn acknowledge(&mut self) -> Ack {
        self.acked = self.next;
        self.delayed_until = Time::NEVER;
        Ack {
            next: self.next,
            stamp: self.stamp,
            sacks: if self.max_sack_blocks > 0 {
                self.sacks
            } else {
                SackBlocks::NONE
            },
        }
    }
}
