//! Encoder and decoder against an oracle that sees the whole trace at once and shares no code with
//! them: each packet's fate and time, and every repaired packet byte by byte.

use pacesim_fec::laws::{Fate, Sent, laws};
use pacesim_fec::{Broken, Config, Cover, Frame, Order, Place, RepairSize};
use pacesim_units::{Span, Time};
use proptest::prelude::*;

/// A packet in the oracle: its sending time, and whether it is lost.
type Packet = (u64, bool);

/// The packets of a block, and the time of its repair packet, if any.
#[derive(Clone, Debug)]
struct Block {
    members: Vec<usize>,
    closed: Option<u64>,
}

/// Deals packets into blocks: the i-th packet goes to the open block of its row.
fn blocks(packets: &[Packet], k: usize, depth: usize, timeout: Option<u64>) -> Vec<Block> {
    let mut all: Vec<Block> = Vec::new();
    for row in 0..depth {
        let row: Vec<usize> = (row..packets.len()).step_by(depth).collect();
        let mut rest = &row[..];
        while let [first, ..] = *rest {
            let end = timeout.map(|timeout| packets[first].0 + timeout);
            let in_time = rest.iter().take(k);
            let n = in_time
                .take_while(|i| end.is_none_or(|end| packets[**i].0 <= end))
                .count();
            let full = (n == k).then(|| packets[rest[n - 1]].0);
            all.push(Block {
                members: rest[..n].to_vec(),
                closed: full.or(end),
            });
            rest = &rest[n..];
        }
    }
    all.sort_by_key(|block| block.members[0]);
    all
}

/// Fate of every packet; `lost_repairs` by the number of the block.
fn oracle(
    packets: &[Packet],
    blocks: &[Block],
    lost_repairs: &[bool],
    bound: Option<u64>,
) -> Vec<Fate> {
    let ps = Time::from_ps;
    let mut fates = vec![Fate::Lost; packets.len()];
    for (number, block) in blocks.iter().enumerate() {
        let repair = block.closed.filter(|_| !lost_repairs[number]);
        let missing: Vec<usize> = (block.members.iter().copied())
            .filter(|i| packets[*i].1)
            .collect();
        // Range of times in which packets of this block wait for the first missing one.
        let after = |m: usize| {
            let mut behind = block.members.iter().filter(|i| **i > m);
            behind.find(|i| !packets[**i].1).map(|i| packets[*i].0)
        };
        let known = missing.first().and_then(|m| after(*m));
        let at_once = missing.len() > 1 && known == after(missing[1]);
        let next_block = (number + 1..blocks.len()).flat_map(|later| {
            let members = blocks[later].members.iter();
            let came = members.filter(|i| !packets[**i].1).map(|i| packets[*i].0);
            let repair = blocks[later].closed.filter(|_| !lost_repairs[later]);
            came.chain(repair)
        });
        let ends = [
            repair,
            missing.get(1).and_then(|m| after(*m)),
            next_block.min(),
            known.zip(bound).map(|(known, bound)| known + bound),
        ];
        let end = ends.into_iter().flatten().min();
        let wait = known.zip(end).filter(|_| bound.is_some() && !at_once);
        for i in &block.members {
            let (at, lost) = packets[*i];
            fates[*i] = match (lost, repair) {
                (false, _) => match wait {
                    Some((from, until)) if from <= at && at < until && *i > missing[0] => {
                        Fate::Arrived(ps(until))
                    }
                    _ => Fate::Arrived(ps(at)),
                },
                (true, Some(at)) if missing.len() == 1 => Fate::Repaired(ps(at)),
                (true, _) => Fate::Lost,
            };
        }
    }
    fates
}

fn frames() -> impl Strategy<Value = Sent<Frame>> {
    let size = prop_oneof![Just(40usize), 40usize..=9000, Just(9000)];
    let bytes = (size, any::<u64>(), any::<bool>()).prop_map(|(size, seed, zeros)| {
        let mut state = seed | 1;
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state as u8
        };
        let mut bytes: Vec<u8> = (0..size).map(|_| next()).collect();
        if zeros {
            bytes[size / 2..].fill(0);
        }
        bytes
    });
    let gap = prop_oneof![Just(0u64), Just(10), (0u64..50).prop_map(|gap| 2 * gap)];
    (gap, bytes, prop::bool::weighted(0.25)).prop_map(|(gap, bytes, lost)| Sent {
        gap: Span::from_ps(gap),
        size: bytes.len() as u32,
        symbol: Frame::of(&bytes),
        lost,
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn every_packet_has_the_fate_and_time_of_the_brute_force_oracle(
        packets in prop::collection::vec(frames(), 1..60),
        lost_repairs in prop::collection::vec(prop::bool::weighted(0.2), 60),
        block in 1u16..8,
        depth in 1u16..5,
        timeout in prop::option::of(0u64..100),
        bound in prop::option::of(0u64..150),
    ) {
        // Packets are held only where one block is filled at a time.
        let bound = bound.filter(|_| depth == 1);
        // Packets arrive at even times, time-outs expire at odd ones: never together.
        let timeout = timeout.map(|timeout| 2 * timeout + 1);
        let config = Config {
            depth,
            timeout: timeout.map(Span::from_ps),
            ..Config::block(block)
        };
        let order = bound.map_or(Order::Late, |bound| Order::Hold(Span::from_ps(bound)));
        let mut now = 0;
        let mut trace = Vec::new();
        for packet in &packets {
            now += packet.gap.as_ps();
            trace.push((now, packet.lost));
        }
        let dealt = blocks(&trace, block.into(), depth.into(), timeout);
        let expected = oracle(&trace, &dealt, &lost_repairs, bound);
        let found = laws(config, order, &packets, |block| lost_repairs[block as usize]);
        prop_assert_eq!(found.map_err(|e| TestCaseError::fail(e.to_string()))?, expected);
    }

    #[test]
    fn headers_and_frames_are_read_as_they_were_written(
        block: u32, index: u16, packet in frames(), padding in 0usize..50,
    ) {
        let packet = packet.symbol;
        let mut bytes = Place { block, index }.to_bytes().to_vec();
        bytes.extend(packet.to_bytes());
        bytes.resize(bytes.len() + padding, 0);
        let (place, rest) = Place::from_bytes(&bytes).expect("it has a header");
        prop_assert_eq!(place, Place { block, index });
        let read = Frame::from_bytes(rest).expect("it has a length");
        prop_assert_eq!(&read, &packet);
        prop_assert_eq!(read.packet(), packet.packet());
        let (cover, _) = Cover::from_bytes(&bytes).expect("it has a header");
        prop_assert_eq!(cover, Cover { block, count: index });
    }
}

/// Packet 1 waits for packet 0, whose repair packet is lost; the next block has packet 2 alone, which is lost and
/// repaired.
#[test]
fn packets_of_a_block_without_repair_go_before_what_the_next_repairs() {
    let packets = [(0, true), (0, false), (28, true)].map(|(gap, lost)| Sent {
        gap: Span::from_ps(gap),
        size: 40,
        symbol: Frame::of(&[gap as u8; 40]),
        lost,
    });
    let config = Config {
        timeout: Some(Span::from_ps(27)),
        ..Config::block(3)
    };
    let order = Order::Hold(Span::from_ps(82));
    let fates = laws(config, order, &packets, |block| block == 0).expect("in order");
    let at = Time::from_ps(55);
    assert_eq!(fates, [Fate::Lost, Fate::Arrived(at), Fate::Repaired(at)]);
}

#[test]
fn what_is_cut_short_or_no_packet_is_refused() {
    let short = Place::from_bytes(&[1, 2, 3]).expect_err("three bytes");
    assert_eq!(
        short,
        Broken::Short {
            found: 3,
            needed: 6
        }
    );
    Frame::from_bytes(&[]).expect_err("no byte");
    let frame = Frame::from_bytes(&[0, 0, 0, 9, 1, 2]).expect("it has a length");
    let broken = frame.packet().expect_err("9 bytes out of 2");
    assert_eq!(broken, Broken::Length { length: 9, room: 2 });
}

#[test]
fn repair_packets_are_as_large_as_told() {
    let sizes = |size| {
        let config = Config {
            size,
            ..Config::block(2)
        };
        let mut encoder = pacesim_fec::Encoder::new(config);
        let mut repairs = Vec::new();
        for size in [40, 1500, 40, 40, 9000, 500] {
            encoder.data(Time::ZERO, &Frame::default(), size);
            repairs.extend(encoder.poll(Time::ZERO).map(|repair| repair.size));
        }
        repairs
    };
    assert_eq!(sizes(RepairSize::PairLargest), [1500, 1500, 9000]);
    assert_eq!(sizes(RepairSize::BlockLargest), [1500, 40, 9000]);
    assert_eq!(sizes(RepairSize::Fixed(9216)), [9216; 3]);
}

/// A symbol that drops one bit.
#[derive(Clone, Debug, Default, PartialEq)]
struct Forgetful(u8);

impl pacesim_fec::Symbol for Forgetful {
    fn xor(&mut self, other: &Forgetful) {
        self.0 = (self.0 | other.0) & !(self.0 & other.0 & 0xFE);
    }
}

#[test]
fn the_laws_find_a_symbol_that_is_no_xor() {
    let packet = |value| Sent {
        gap: Span::ZERO,
        symbol: Forgetful(value),
        size: 1,
        lost: false,
    };
    let packets = [packet(1), packet(2)];
    let found = laws(Config::block(2), Order::Late, &packets, |_| false);
    assert_eq!(found.expect_err("it forgets").law, "XOR");
}
