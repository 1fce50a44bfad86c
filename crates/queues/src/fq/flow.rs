//! A flow of fq, with its packets and its pace.

use std::collections::{BTreeMap, VecDeque};

use crate::places::Memory;
use crate::queue::Ecn;

/// A packet that waits in a flow.
#[derive(Clone, Copy, Debug)]
pub(super) struct Held {
    pub(super) key: u32,
    pub(super) size: u32,
    pub(super) ecn: Ecn,
    /// Earliest departure of the packet, in nanoseconds.
    pub(super) due: u64,
    /// True if the packet requested that time.
    pub(super) is_timed: bool,
    pub(super) band: u8,
}

/// The packets of a flow; those with an earlier time than a predecessor are kept separately.
#[derive(Debug)]
pub(super) struct Flow {
    in_order: VecDeque<Held>,
    early: BTreeMap<(u64, u32), Held>,
    early_count: u32,
    pub(super) credit: i64,
    pub(super) band: u8,
    /// Pacing rate in bytes per second.
    pub(super) rate: u64,
    /// Time at which the next packet may leave.
    pub(super) next: u64,
    pub(super) is_delayed: bool,
    /// Set while the flow is in no list: the time since then, if it ever was in one.
    pub(super) detached: Option<Option<u64>>,
}

const SECOND: u64 = 1_000_000_000;

impl Flow {
    pub(super) fn new(credit: u32) -> Flow {
        Flow {
            in_order: VecDeque::new(),
            early: BTreeMap::new(),
            early_count: 0,
            credit: credit.into(),
            band: 0,
            rate: u64::MAX,
            next: 0,
            is_delayed: false,
            detached: Some(None),
        }
    }

    /// True if the flow has a rate of its own.
    pub(super) fn is_paced(&self) -> bool {
        self.rate < u64::MAX
    }

    /// Its memory, if it may be forgotten after so many nanoseconds without packets.
    pub(super) fn memory(&self, now: u64, forgets: u64) -> Memory {
        match self.detached {
            Some(Some(since)) if now > since + forgets && !self.is_paced() => Memory::Forgot,
            Some(_) => Memory::Remembers,
            None => Memory::InUse,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.in_order.len() + self.early.len()
    }

    pub(super) fn push(&mut self, held: Held) {
        match self.in_order.back() {
            Some(last) if held.due < last.due => {
                self.early.insert((held.due, self.early_count), held);
                self.early_count += 1;
            }
            _ => self.in_order.push_back(held),
        }
    }

    /// True if the next packet is one that arrived out of order.
    fn is_early_next(&self) -> bool {
        let Some((&(due, _), _)) = self.early.first_key_value() else {
            return false;
        };
        self.in_order.front().is_none_or(|head| due < head.due)
    }

    /// The time at which the next packet may leave.
    pub(super) fn due(&self) -> Option<u64> {
        let due = if self.is_early_next() {
            self.early.first_key_value().map(|((due, _), _)| *due)
        } else {
            self.in_order.front().map(|head| head.due)
        };
        due.map(|due| due.max(self.next))
    }

    pub(super) fn pop(&mut self) -> Option<Held> {
        if self.is_early_next() {
            self.early.pop_first().map(|(_, held)| held)
        } else {
            self.in_order.pop_front()
        }
    }

    /// Sets the time of the next packet after a departure: after each quantum of packets, or after
    /// each packet at a low rate.
    pub(super) fn pace(
        &mut self,
        now: u64,
        held: &Held,
        max_rate: u64,
        (low_rate, quantum): (u64, u32),
    ) {
        let (mut rate, mut bytes) = (max_rate, u64::from(held.size));
        if !held.is_timed {
            rate = rate.min(self.rate);
            if rate <= low_rate {
                self.credit = 0;
            } else {
                bytes = bytes.max(quantum.into());
                if self.credit > 0 {
                    return;
                }
            }
        }
        if rate == u64::MAX {
            return;
        }
        let span = (bytes * SECOND)
            .checked_div(rate)
            .unwrap_or(SECOND)
            .min(SECOND);
        // A late departure shortens the following gap.
        let late = match self.next {
            0 => 0,
            next => (now - next).min(span / 2),
        };
        self.next = now + span - late;
    }
}
