//! Reordered packets: the decoder against an oracle that keeps everything it received.

use std::collections::{BTreeMap, BTreeSet};

use pacesim_fec::{Config, Decoder, Encoder, Order, Out, Place, Repair, Symbol};
use pacesim_units::Time;
use proptest::prelude::*;

/// The number of a packet, coded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Number(u32);

impl Symbol for Number {
    fn xor(&mut self, other: &Number) {
        self.0 ^= other.0;
    }
}

#[derive(Clone, Copy, Debug)]
enum Sent {
    Data(Place, Number),
    Repair(Repair<Number>),
}

/// Output of an encoder for this many packets.
fn sent(packets: u32, block: u16, depth: u16) -> Vec<Sent> {
    let mut encoder = Encoder::new(Config {
        depth,
        ..Config::block(block)
    });
    let mut all = Vec::new();
    for number in (1..=packets).map(Number) {
        all.push(Sent::Data(encoder.data(Time::ZERO, &number, 1), number));
        all.extend(std::iter::from_fn(|| encoder.poll(Time::ZERO)).map(Sent::Repair));
    }
    all
}

#[derive(Default)]
struct Block {
    came: BTreeSet<u16>,
    is_closed: bool,
    repaired: Option<u16>,
}

/// Packets passed on for each arrival, if blocks further back than `kept` are given up.
fn oracle(came: &[Sent], sent: &[Sent], kept: u32) -> Vec<Option<(u32, bool)>> {
    let mut blocks: BTreeMap<u32, Block> = BTreeMap::new();
    let mut newest = 0;
    let number_at = |wanted: Place| {
        let at = |each: &Sent| match each {
            Sent::Data(place, number) => (*place == wanted).then_some(number.0),
            Sent::Repair(_) => None,
        };
        sent.iter().find_map(at).expect("it was sent")
    };
    let mut handed_on = Vec::new();
    for each in came {
        handed_on.push(match each {
            Sent::Data(place, number) => {
                newest = newest.max(place.block);
                let block = blocks.entry(place.block).or_default();
                let is_known = newest - place.block <= kept;
                let is_again = is_known && block.repaired == Some(place.index);
                if is_known {
                    block.came.insert(place.index);
                }
                (!is_again).then_some((number.0, false))
            }
            Sent::Repair(repair) => {
                let number = repair.cover.block;
                newest = newest.max(number);
                let block = blocks.entry(number).or_default();
                let mut missing = (0..repair.cover.count).filter(|i| !block.came.contains(i));
                let only = missing.next().filter(|_| missing.next().is_none());
                let is_known = newest - number <= kept && !block.is_closed;
                block.repaired = only.filter(|_| is_known);
                block.is_closed = true;
                newest = newest.max(number + 1);
                let place = |index| Place {
                    block: number,
                    index,
                };
                let repaired = block.repaired.map(place);
                repaired.map(|place| (number_at(place), true))
            }
        });
    }
    handed_on
}

proptest! {
    #[test]
    fn packets_that_overtake_each_other_are_repaired_once(
        block in 1u16..5,
        depth in 1u16..4,
        fates in prop::collection::vec((0usize..12, prop::bool::weighted(0.15)), 1..120),
    ) {
        let sent = sent(fates.len() as u32, block, depth);
        // Each is late by some places, or lost.
        let fates = fates.iter().cycle().zip(&sent).enumerate();
        let mut came: Vec<(usize, Sent)> = fates
            .filter(|(_, ((_, is_lost), _))| !is_lost)
            .map(|(i, ((late, _), each))| (i + late, *each))
            .collect();
        came.sort_by_key(|(at, _)| *at);
        let came: Vec<Sent> = came.into_iter().map(|(_, each)| each).collect();

        let mut decoder = Decoder::new(depth, Order::Late);
        let mut found = Vec::new();
        for each in &came {
            match each {
                Sent::Data(place, number) => {
                    decoder.data(Time::ZERO, *place, number.0, number);
                }
                Sent::Repair(repair) => decoder.repair(Time::ZERO, repair.cover, &repair.value),
            }
            let out = decoder.poll(Time::ZERO);
            prop_assert_eq!(decoder.poll(Time::ZERO), None);
            found.push(out.map(|out| match out {
                Out::Arrived(number) => (number, false),
                Out::Repaired(number, _) => (number.0, true),
            }));
        }
        let kept = (2 * u32::from(depth)).next_power_of_two();
        prop_assert_eq!(found, oracle(&came, &sent, kept));
    }
}
