//! The laws of ends: both, over a line that delays, loses, doubles and reorders their packets.

use std::collections::BTreeMap;

use pacesim_units::{Bytes, Span, Time};

use crate::{Amount, Command, Datagram, End, EndEvent, Header};

/// The most packets that an end may send at one instant.
const BURST: u32 = 100_000;
/// The most events of a trial: an end that has not delivered its data by then never will.
const MOST: u32 = 1_000_000;

/// The fate of a packet, by its number among those of its direction: lost, delivered twice, or
/// delivered after this much more than the usual delay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// The packet never arrives.
    Lost,
    /// The packet arrives this much later than others.
    Late(Span),
    /// The packet arrives twice, the second time this much later.
    Twice(Span),
}

/// Hands these transfers over to a sending end, all at the start, and carries the packets of both
/// ends until all are done.
///
/// # Panics
///
/// Panics if a law does not hold:
/// - without data nothing is sent, and every burst ends;
/// - a wake-up before its time changes nothing, and no wake-up lies in the past;
/// - transfers are done once each, in their order, and only after all their bytes have arrived;
/// - delivered bytes never decrease, and are those handed over at the end;
/// - an end whose transfers are done is not busy, and has none pending;
/// - packets sent are counted, and so are those sent again.
pub fn check(
    source: &mut dyn End,
    sink: &mut dyn End,
    transfers: &[Bytes],
    delay: Span,
    mut fate: impl FnMut(u32) -> Fate,
) {
    let mut under_way = PacketsUnderWay::default();
    let mut now = Time::ZERO;
    assert_eq!(source.transmit(now), None, "nothing is sent without data");
    assert!(!source.standing().is_busy(), "an end without data is idle");
    for bytes in transfers {
        let handed = source.command(now, Command::Send(Amount::Bytes(*bytes)));
        assert_eq!(handed, Ok(()), "{bytes}");
    }
    let (mut done, mut arrived, mut sent, mut again) = (0, 0, 0_u64, 0_u64);
    let whole: u64 = transfers.iter().map(|bytes| bytes.get()).sum();
    for _ in 0..MOST {
        for datagram in burst(source, now) {
            sent += 1;
            again += u64::from(datagram.flags.is_again());
            under_way.carry(now + delay, true, datagram, &mut fate);
        }
        for datagram in burst(sink, now) {
            under_way.carry(now + delay, false, datagram, &mut fate);
        }
        while let Some(event) = source.event() {
            if let EndEvent::TransferDone(transfer) = event {
                assert_eq!(transfer.index as usize, done, "transfers end in order");
                assert_eq!(transfer.bytes, transfers[done]);
                done += 1;
                let so_far: u64 = transfers[..done].iter().map(|bytes| bytes.get()).sum();
                assert!(arrived >= so_far, "done before its bytes arrived");
            }
        }
        if done == transfers.len() {
            break;
        }
        now = under_way.step(now, source, sink);
        let delivered = sink.delivered().bytes;
        assert!(delivered >= arrived, "delivered bytes were taken back");
        arrived = delivered;
    }
    assert_eq!(done, transfers.len(), "transfers that are never done");
    assert_eq!(arrived, whole, "bytes that were never sent, or twice");
    assert!(source.pending().is_empty() && !source.standing().is_busy());
    let counters = source.counters();
    assert_eq!((counters.sent, counters.retransmitted), (sent, again));
}

/// Takes the packets that an end sends at one instant.
fn burst(end: &mut dyn End, now: Time) -> Vec<Datagram> {
    let mut all = Vec::new();
    while let Some(datagram) = end.transmit(now) {
        all.push(datagram);
        assert!((all.len() as u32) < BURST, "a burst without an end");
    }
    if let Some(at) = end.next_wake()
        && at > now
    {
        end.wake(now);
        assert_eq!(end.transmit(now), None, "woken before its time");
        assert_eq!(end.next_wake(), Some(at), "woken before its time");
    }
    all
}

/// The packets on the way, by time and order of sending; true for those of the sending end.
#[derive(Default)]
struct PacketsUnderWay {
    packets: BTreeMap<(Time, u64), (bool, Datagram)>,
    count: u64,
    numbers: [u32; 2],
}

impl PacketsUnderWay {
    fn carry(
        &mut self,
        at: Time,
        is_data: bool,
        datagram: Datagram,
        fate: &mut impl FnMut(u32) -> Fate,
    ) {
        let number = &mut self.numbers[usize::from(is_data)];
        *number += 1;
        // Only the sending end's packets have fates, so that every answer may arrive.
        let fate = match is_data {
            true => fate(*number - 1),
            false => Fate::Late(Span::ZERO),
        };
        match fate {
            Fate::Lost => {}
            Fate::Late(by) => self.add(at + by, is_data, datagram),
            Fate::Twice(by) => {
                self.add(at, is_data, datagram.clone());
                self.add(at + by, is_data, datagram);
            }
        }
    }

    fn add(&mut self, at: Time, is_data: bool, datagram: Datagram) {
        self.count += 1;
        self.packets.insert((at, self.count), (is_data, datagram));
    }

    /// Goes to the next arrival or wake-up, and returns its time.
    fn step(&mut self, now: Time, source: &mut dyn End, sink: &mut dyn End) -> Time {
        let wakes = [source.next_wake(), sink.next_wake()];
        let wake = wakes.into_iter().flatten().min();
        let arrival = self.packets.first_key_value().map(|((at, _), _)| *at);
        let next = [wake, arrival].into_iter().flatten().min();
        let next = next.expect("data are left, and no end waits for anything");
        assert!(next >= now, "a wake-up in the past");
        if arrival == Some(next) {
            let (_, (is_data, datagram)) = self.packets.pop_first().expect("it was there");
            let header = Header {
                seq: datagram.seq,
                size: datagram.size,
                stamp: datagram.stamp,
                flags: datagram.flags,
            };
            match is_data {
                true => sink.receive(next, &header, datagram.content),
                false => source.receive(next, &header, datagram.content),
            }
        } else if wakes[0] == Some(next) {
            source.wake(next);
        } else {
            sink.wake(next);
        }
        next
    }
}
