//! The laws of ends: both, over a line that delays, loses, doubles and reorders their packets.

use std::collections::BTreeMap;
use std::time::Duration;

use pacesim_units::flags::Flags;
use pacesim_units::port::Ecn;
use pacesim_units::{Bytes, Span, Time};

use crate::{Amount, Command, Content, Datagram, End, EndEvent, Header, Transfer, Wish};

/// The most packets that an end may send at one instant.
const BURST: u32 = 100_000;
/// The most events of a trial: an end that has not delivered its data by then never will.
const MOST: u32 = 1_000_000;
/// The most wake-ups in a row that bring nothing.
const FRUITLESS: u32 = 100_000;
/// The most packets of a connection of which an end is given damaged copies.
const DAMAGED: usize = 1000;
/// The most packets and wake-ups after both ends were told to close.
const AFTER_CLOSE: u32 = 100_000;
/// The instants before which a repetition pauses, and the real time of a pause: a clock sees it.
const PAUSES: u32 = 20;
const PAUSE: Duration = Duration::from_millis(1);

/// The fate of a packet, by its number among those of its direction: lost, delivered twice, marked, or
/// delivered after this much more than the usual delay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// The packet never arrives.
    Lost,
    /// The packet arrives this much later than others.
    Late(Span),
    /// The packet arrives twice, the second time this much later.
    Twice(Span),
    /// The packet arrives marked (CE), if it may be marked.
    Marked,
}

/// Hands these transfers over to a sending end, all at the start, and carries the packets of both
/// ends until all are done.
///
/// # Panics
///
/// Panics if a law does not hold:
/// - without data nothing is sent, every burst ends, and wake-ups bring something now and then;
/// - a wake-up before its time changes nothing, and no wake-up lies in the past;
/// - packets hold their contents, and none is marked by its sender;
/// - transfers are done once each, in their order, and only after all their bytes have arrived;
/// - delivered bytes never decrease, and are those handed over at the end;
/// - an end with transfers in progress is busy, and has these pending; one whose transfers are done
///   is not busy, and has none;
/// - an end that counts its packets counts all, and those sent again.
pub fn check(
    source: &mut dyn End,
    sink: &mut dyn End,
    transfers: &[Bytes],
    delay: Span,
    fate: impl FnMut(u32) -> Fate,
) {
    let mut trial = Trial::new([source, sink], Time::ZERO, delay, fate);
    trial.carry_all(transfers);
}

/// Constructs both ends of a connection, sending end first, that opens at this time; checks them as
/// [`check`] does, and more. Returns a hash of each packet sent and of its time, by which the
/// connection can be compared with that of another process.
///
/// # Panics
///
/// Panics if a law of [`check`] does not hold, or one of these:
/// - constructed again, the ends send the same packets at the same times, to the last byte, though
///   this trial takes more real time;
/// - everything begun a second or an hour later, they send the same packets that much later;
/// - told to close, both come to rest, and an end that has closed only answers;
/// - no content makes an end panic, on either side: neither noise nor damaged copies of what its peer
///   sent.
pub fn check_made(
    mut make: impl FnMut(Time) -> [Box<dyn End>; 2],
    transfers: &[Bytes],
    delay: Span,
    fate: impl FnMut(u32) -> Fate + Clone,
) -> Vec<u64> {
    let mut sent_from = |start: Time, pauses: u32| {
        let [mut source, mut sink] = make(start);
        let mut trial = Trial::new([&mut *source, &mut *sink], start, delay, fate.clone());
        trial.pauses = pauses;
        trial.carry_all(transfers);
        trial.close();
        trial.log
    };
    let first = sent_from(Time::ZERO, 0);
    let again = sent_from(Time::ZERO, PAUSES);
    same(&first, &again, "when the ends are constructed again");
    for later in [Span::from_secs(1), Span::from_secs(3600)] {
        let shifted = sent_from(Time::ZERO + later, 0);
        let when = format!("when all begins {later} later, counted from there");
        same(&first, &shifted, &when);
    }
    for end in make(Time::ZERO) {
        take_garbage(end);
    }
    for end in make(Time::ZERO) {
        take_damaged(end, &first);
    }
    first.iter().map(hash_of).collect()
}

/// The sources of differences between trials, named in the message of a failure.
pub const LEAKS: &str = "An end may depend only on its calls: no clock, no random numbers but those of \
     its seed, no addresses, no order of a HashMap, no state kept outside of it.";

fn same(first: &[Sent], other: &[Sent], when: &str) {
    for (i, (one, two)) in first.iter().zip(other).enumerate() {
        assert!(
            one == two,
            "packet {i} differs {when}.\nfirst: {one:?}\nthen: {two:?}\n{LEAKS}"
        );
    }
    let (one, two) = (first.len(), other.len());
    assert!(
        one == two,
        "{one} packets were sent first, and {two} {when}.\n{LEAKS}"
    );
}

/// A hash of a packet, of its time and of its direction.
fn hash_of((at, is_data, datagram): &Sent) -> u64 {
    hash_of_text(&format!("{} {is_data} {datagram:?}", at.as_ps()))
}

/// FNV-1a.
pub(crate) fn hash_of_text(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// Hands an end packets that its peer would never send.
fn take_garbage(mut end: Box<dyn End>) {
    let mut word = 1_u64;
    for length in 0..300_usize {
        let now = Time::ZERO + Span::from_us(length as u64);
        let mut next = |_| {
            word = word.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (word >> 33) as u8
        };
        let bytes: Box<[u8]> = (0..length).map(&mut next).collect();
        let header = Header {
            seq: length as u32,
            size: length as u32 + 40,
            stamp: now,
            flags: Flags::default(),
        };
        for content in [Content::Bytes(bytes), Content::None] {
            end.receive(now, &header, content);
            burst(&mut *end, now);
            while end.event().is_some() {}
        }
    }
}

/// Hands an end damaged copies of all packets of a connection, its own among them.
fn take_damaged(mut end: Box<dyn End>, log: &[Sent]) {
    let contents = log.iter().enumerate();
    for (i, (at, _, datagram)) in contents.take(DAMAGED) {
        let (now, Content::Bytes(bytes)) = (Time::ZERO + *at, &datagram.content) else {
            continue;
        };
        let mut flipped = bytes.clone();
        if !flipped.is_empty() {
            let place = i * 7 % flipped.len();
            flipped[place] ^= 1 << (i % 8);
        }
        let half = bytes[..bytes.len() / 2].into();
        for content in [flipped, half] {
            end.receive(now, &header(datagram), Content::Bytes(content));
            burst(&mut *end, now);
            while end.event().is_some() {}
        }
    }
}

fn header(datagram: &Datagram) -> Header {
    Header {
        seq: datagram.seq,
        size: datagram.size,
        stamp: datagram.stamp,
        flags: datagram.flags,
    }
}

/// A packet that was sent: the time since the start, true for data, and the packet, whose stamp
/// counts from the start as well.
type Sent = (Span, bool, Datagram);

/// Two ends, and the line between them.
struct Trial<'e, F> {
    ends: [&'e mut dyn End; 2],
    start: Time,
    now: Time,
    delay: Span,
    fate: F,
    under_way: PacketsUnderWay,
    log: Vec<Sent>,
    /// Packets that the sending end sent, and those sent again.
    counts: (u64, u64),
    fruitless: u32,
    is_closed: [bool; 2],
    /// Number of instants before which the trial still pauses.
    pauses: u32,
}

impl<'e, F: FnMut(u32) -> Fate> Trial<'e, F> {
    fn new(ends: [&'e mut dyn End; 2], start: Time, delay: Span, fate: F) -> Trial<'e, F> {
        Trial {
            ends,
            start,
            now: start,
            delay,
            fate,
            under_way: PacketsUnderWay::default(),
            log: Vec::new(),
            counts: (0, 0),
            fruitless: 0,
            is_closed: [false; 2],
            pauses: 0,
        }
    }

    fn carry_all(&mut self, transfers: &[Bytes]) {
        let now = self.now;
        let source = &mut self.ends[0];
        assert_eq!(source.transmit(now), None, "nothing is sent without data");
        assert!(!source.standing().is_busy(), "an end without data is idle");
        for bytes in transfers {
            let handed = source.command(now, Command::Send(Amount::Bytes(*bytes)));
            assert_eq!(handed, Ok(()), "{bytes}");
        }
        let (mut done, mut arrived) = (0, 0);
        let whole: u64 = transfers.iter().map(|bytes| bytes.get()).sum();
        for _ in 0..MOST {
            self.send();
            for transfer in self.events() {
                assert_eq!(transfer.index as usize, done, "transfers end in order");
                assert_eq!(transfer.bytes, transfers[done]);
                done += 1;
                let so_far: u64 = transfers[..done].iter().map(|bytes| bytes.get()).sum();
                assert!(arrived >= so_far, "done before its bytes arrived");
            }
            if done == transfers.len() {
                break;
            }
            let source = &self.ends[0];
            let (is_busy, pending) = (source.standing().is_busy(), source.pending().len());
            assert!(is_busy, "idle with transfers in progress");
            assert_eq!(pending, transfers.len() - done, "transfers in progress");
            assert!(self.step(), "data are left, and no end waits for anything");
            let delivered = self.ends[1].delivered().bytes;
            assert!(delivered >= arrived, "delivered bytes were taken back");
            arrived = delivered;
        }
        assert_eq!(done, transfers.len(), "transfers that are never done");
        assert_eq!(arrived, whole, "bytes that were never sent, or twice");
        let source = &self.ends[0];
        assert!(source.pending().is_empty() && !source.standing().is_busy());
        let counters = source.counters();
        if counters.sent > 0 {
            assert_eq!((counters.sent, counters.retransmitted), self.counts);
        }
    }

    /// The application closes, and both ends come to rest.
    fn close(&mut self) {
        let handed = self.ends[0].command(self.now, Command::Close);
        assert_eq!(handed, Ok(()), "an end whose data are delivered may close");
        for _ in 0..AFTER_CLOSE {
            self.send();
            self.events();
            if !self.step() {
                return;
            }
        }
        panic!("an end goes on after its close: {AFTER_CLOSE} packets and wake-ups");
    }

    /// Takes the packets of both ends that leave now.
    fn send(&mut self) {
        for (side, is_data) in [(0, true), (1, false)] {
            for datagram in burst(self.ends[side], self.now) {
                assert!(!self.is_closed[side], "sent after it closed");
                self.fruitless = 0;
                if is_data {
                    self.counts.0 += 1;
                    self.counts.1 += u64::from(datagram.flags.is_again());
                }
                let mut noted = datagram.clone();
                noted.stamp = Time::ZERO + noted.stamp.saturating_since(self.start);
                self.log.push((self.now - self.start, is_data, noted));
                let at = self.now + self.delay;
                self.under_way.carry(at, is_data, datagram, &mut self.fate);
            }
        }
    }

    /// Takes the events of both ends, and returns the transfers that are done.
    fn events(&mut self) -> Vec<Transfer> {
        let mut done = Vec::new();
        for (end, is_closed) in self.ends.iter_mut().zip(&mut self.is_closed) {
            while let Some(event) = end.event() {
                self.fruitless = 0;
                match event {
                    EndEvent::TransferDone(transfer) => done.push(transfer),
                    EndEvent::Closed => *is_closed = true,
                    EndEvent::Failed(why) => panic!("an end failed: {why}"),
                    EndEvent::RoundTrip(_) => {}
                }
            }
        }
        done
    }

    /// Goes to the next arrival or wake-up; false if there is none.
    fn step(&mut self) -> bool {
        let wakes = [self.ends[0].next_wake(), self.ends[1].next_wake()];
        let wake = wakes.into_iter().flatten().min();
        let arrival = self.under_way.next();
        let Some(next) = [wake, arrival].into_iter().flatten().min() else {
            return false;
        };
        assert!(next >= self.now, "a wake-up in the past");
        self.now = next;
        if self.pauses > 0 {
            self.pauses -= 1;
            std::thread::sleep(PAUSE);
        }
        if arrival == Some(next) {
            self.fruitless = 0;
            let (is_data, datagram) = self.under_way.take();
            let header = header(&datagram);
            let side = usize::from(is_data);
            self.is_closed[side] = false;
            self.ends[side].receive(next, &header, datagram.content);
            // Each turn comes at once.
            while let Some(wish) = self.ends[side].wish() {
                if wish == Wish::Turn {
                    self.ends[side].turn(next);
                }
            }
            return true;
        }
        self.fruitless += 1;
        assert!(
            self.fruitless < FRUITLESS,
            "wake-ups without end that bring nothing"
        );
        let side = usize::from(wakes[0] != Some(next));
        self.ends[side].wake(next);
        true
    }
}

/// Takes the packets that an end sends at one instant.
fn burst(end: &mut dyn End, now: Time) -> Vec<Datagram> {
    let mut all = Vec::new();
    while let Some(datagram) = end.transmit(now) {
        if let Content::Bytes(bytes) = &datagram.content {
            assert!(bytes.len() <= datagram.size as usize, "more than its size");
        }
        assert_ne!(datagram.flags.ecn(), Ecn::Ce, "marked by its sender");
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
            Fate::Marked => {
                let ecn = datagram.flags.ecn();
                let marked = if ecn.is_capable() { Ecn::Ce } else { ecn };
                let flags = datagram.flags.with_ecn(marked);
                self.add(at, is_data, Datagram { flags, ..datagram });
            }
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

    /// Time of the next arrival.
    fn next(&self) -> Option<Time> {
        self.packets.first_key_value().map(|((at, _), _)| *at)
    }

    /// The packet that arrives next.
    fn take(&mut self) -> (bool, Datagram) {
        self.packets
            .pop_first()
            .expect("an arrival was announced")
            .1
    }
}
