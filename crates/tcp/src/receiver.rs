//! The receiving side of a TCP connection.

mod linux;

use std::sync::Arc;

use pacesim_units::{Span, Time};

use crate::config::{Config, Profile};
use crate::packet::{Ack, Block, SackBlocks};
use crate::seqset::SeqSet;
pub use linux::Arrival;
use linux::LinuxAcks;

/// The receiving side of one flow: puts packets in order and answers with ACKs.
///
/// Each input returns the ACK to send now, if any; then read [`next_timeout`](Self::next_timeout)
/// again. `on_timer` before that time does nothing.
#[derive(Debug)]
pub struct Receiver {
    /// First packet missing; all before it have been delivered in order.
    next: u32,
    /// Value of `next` in the last ACK.
    acked: u32,
    /// Timestamp that the next ACK echoes.
    stamp: Time,
    delayed_until: Time,
    early: SeqSet,
    sacks: SackBlocks,
    duplicates: u64,
    delay: Option<Span>,
    /// True if delays end at multiples of their length.
    beats: bool,
    /// True if the first packet is a SYN, or is answered like one.
    first_at_once: bool,
    max_sack_blocks: u8,
    /// An old packet equal to the last in order may delay its ACK (ns-2).
    old_may_wait: bool,
    /// The number behind the packet that ends the data, if that is known.
    end: u32,
    /// A second ACK follows at once, after one with DCTCP's former state.
    owes_second: bool,
    /// Linux's timing of ACKs, in its profile.
    linux: Option<Box<LinuxAcks>>,
}

/// Value of the end of data that have no known end.
const NEVER: u32 = u32::MAX;

impl Receiver {
    /// A receiver that has not seen any packet.
    pub fn new(config: &Arc<Config>) -> Receiver {
        Receiver::opened(config, Time::ZERO, Span::ZERO)
    }

    /// A receiver opened at this time, so that none of its ACKs echoes an earlier one; its ticks
    /// start when time plus `phase` is a multiple of the tick, like a sender's.
    pub fn opened(config: &Arc<Config>, at: Time, phase: Span) -> Receiver {
        Receiver {
            next: 0,
            acked: 0,
            stamp: at,
            delayed_until: Time::NEVER,
            early: SeqSet::default(),
            sacks: SackBlocks::NONE,
            duplicates: 0,
            delay: config.delayed_ack,
            beats: config.delayed_ack_beat,
            first_at_once: !config.opened_by_other,
            max_sack_blocks: if config.variant.uses_sack() {
                config.max_sack_blocks
            } else {
                0
            },
            old_may_wait: config.profile == Profile::Ns2,
            end: NEVER,
            owes_second: false,
            linux: (config.profile == Profile::Linux)
                .then(|| Box::new(LinuxAcks::new(config, phase))),
        }
    }

    /// Packet `seq` ends the data (a FIN) and is answered at once.
    pub fn expect_end(&mut self, seq: u32) {
        self.end = seq + 1;
    }

    /// True if all data up to their end have arrived.
    pub fn has_all(&self) -> bool {
        self.next >= self.end
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
        let is_first = seq == 0 && self.first_at_once;
        if !is_first && in_order && !had_hole {
            self.answer_in_order(now)
        } else {
            Some(self.acknowledge())
        }
    }

    /// Handles the timer; without effect if no ACK is due.
    pub fn on_timer(&mut self, now: Time) -> Option<Ack> {
        if now < self.delayed_until {
            return None;
        }
        match self.linux {
            None => Some(self.acknowledge()),
            Some(_) => self.on_linux_timer(now),
        }
    }

    /// Time at which a delayed ACK is due.
    #[inline]
    pub fn next_timeout(&self) -> Option<Time> {
        (self.delayed_until != Time::NEVER).then_some(self.delayed_until)
    }

    /// Time at which the timer of [`next_timeout`](Self::next_timeout) was armed.
    pub fn timeout_armed(&self) -> Time {
        match &self.linux {
            None => self.delayed_until - self.delay.unwrap_or(Span::ZERO),
            Some(acks) => acks.timer_armed(),
        }
    }

    /// The window that the next ACK advertises, in packets; `None`: never a limit.
    #[inline(always)]
    pub fn advertised(&self, config: &Config) -> Option<u32> {
        let window = config.linux.advertises.then(|| self.offered())??;
        let packets = window.get() / config.payload.get();
        Some((packets as u32).min(config.window_cap as u32))
    }

    /// Number of packets delivered to the application, in order.
    pub fn delivered(&self) -> u32 {
        self.next
    }

    /// Number of packets that arrived again.
    pub fn duplicates(&self) -> u64 {
        self.duplicates
    }

    /// Number of packets that wait for a hole to be filled.
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

    /// Acknowledges every second packet, or after the delay (RFC 5681 §4.2).
    #[inline]
    fn answer_in_order(&mut self, now: Time) -> Option<Ack> {
        match self.delay {
            Some(delay) if self.delayed_until == Time::NEVER && !self.has_all() => {
                self.delayed_until = if self.beats {
                    next_multiple(now, delay)
                } else {
                    now.saturating_add(delay)
                };
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
            ece: false,
            marked: None,
        }
    }
}

/// The first multiple of a span after this time.
#[cold]
fn next_multiple(now: Time, span: Span) -> Time {
    let past = now.as_ps() % span.as_ps();
    now.saturating_add(Span::from_ps(span.as_ps() - past))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Variant;

    fn receiver(delayed_ack: Option<Span>) -> Receiver {
        let mut config = Config::ns2(Variant::Sack);
        config.delayed_ack = delayed_ack;
        Receiver::new(&Arc::new(config))
    }

    fn ms(n: u64) -> Time {
        Time::ZERO + Span::from_ms(n)
    }

    fn block(start: u32, end: u32) -> Block {
        Block { start, end }
    }

    #[test]
    fn blocks_tell_what_came_early_the_newest_first() {
        let mut r = receiver(None);
        let acks = [0, 2, 5, 3, 1].map(|seq| r.on_data(ms(1), seq, ms(0)).expect("an ACK"));
        assert_eq!(acks.map(|ack| ack.next), [1, 1, 1, 1, 4]);
        assert_eq!(*acks[2].sacks, [block(5, 6), block(2, 3)]);
        assert_eq!(*acks[3].sacks, [block(2, 4), block(5, 6)]);
        assert_eq!(*acks[4].sacks, [block(5, 6)]);
        assert_eq!((r.delivered(), r.out_of_order()), (4, 1));
    }

    #[test]
    fn every_second_packet_or_the_delay_brings_an_ack() {
        let mut r = receiver(Some(Span::from_ms(100)));
        assert!(r.on_data(ms(0), 0, ms(0)).is_some());
        assert!(r.on_data(ms(1), 1, ms(0)).is_none());
        assert_eq!(r.next_timeout(), Some(ms(101)));
        assert_eq!(r.on_data(ms(2), 2, ms(0)).map(|ack| ack.next), Some(3));
        assert!(r.on_data(ms(3), 3, ms(0)).is_none());
        assert!(r.on_timer(ms(102)).is_none());
        assert_eq!(r.on_timer(ms(103)).map(|ack| ack.next), Some(4));
        assert_eq!(r.next_timeout(), None);
    }

    #[test]
    fn the_end_of_the_data_is_answered_at_once() {
        let mut r = receiver(Some(Span::from_ms(100)));
        assert!(r.on_data(ms(0), 0, ms(0)).is_some());
        r.expect_end(2);
        assert!(r.on_data(ms(1), 1, ms(0)).is_none());
        assert!(r.on_timer(ms(101)).is_some() && !r.has_all());
        assert_eq!(r.on_data(ms(102), 2, ms(0)).map(|ack| ack.next), Some(3));
        assert!(r.has_all());
    }

    #[test]
    fn a_delay_may_end_with_a_beat_that_all_connections_share() {
        let mut config = Config::ns2(Variant::Reno);
        config.delayed_ack = Some(Span::from_ms(100));
        config.delayed_ack_beat = true;
        let mut r = Receiver::new(&Arc::new(config));
        assert!(r.on_data(ms(0), 0, ms(0)).is_some());
        assert!(r.on_data(ms(130), 1, ms(0)).is_none());
        assert_eq!(r.next_timeout(), Some(ms(200)));
        assert_eq!(r.timeout_armed(), ms(100));
        assert!(r.on_timer(ms(200)).is_some());
        // A tick at exactly this time does not count; the next one does.
        assert!(r.on_data(ms(300), 2, ms(0)).is_none());
        assert_eq!(r.next_timeout(), Some(ms(400)));
    }

    #[test]
    fn the_echo_is_of_the_first_packet_that_an_ack_covers() {
        let mut r = receiver(Some(Span::from_ms(100)));
        r.on_data(ms(50), 0, ms(10));
        r.on_data(ms(51), 1, ms(11));
        let ack = r.on_data(ms(52), 2, ms(12)).expect("the second");
        assert_eq!(ack.stamp, ms(11));
        // While a hole is open, the echo stays that of the last in order.
        let ack = r.on_data(ms(60), 5, ms(20)).expect("out of order");
        assert_eq!(ack.stamp, ms(11));
        let ack = r.on_data(ms(70), 3, ms(30)).expect("in order");
        assert_eq!((ack.next, ack.stamp), (4, ms(30)));
    }

    #[test]
    fn old_packets_are_counted_and_answered() {
        let mut r = receiver(None);
        r.on_data(ms(0), 0, ms(0));
        assert_eq!(r.on_data(ms(1), 0, ms(1)).map(|ack| ack.next), Some(1));
        assert_eq!(r.duplicates(), 1);
    }
}
