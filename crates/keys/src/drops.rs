//! Drops of single packets on arrival.

use pacesim_language::field::{Count, Field, FlowRef, Reader, Record, Whole, Written};
use pacesim_language::form::Form;
use pacesim_language::names::Reference;
use pacesim_language::table;
use pacesim_language::tree::{Item, TomlTable};

use crate::limits::LARGEST_SEED;

/// A packet to drop on arrival; for each link of the group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Drop {
    /// The k-th of all packets, from one.
    Packet(u64),
    /// The k-th arrival of a data packet of these flows.
    Sequence {
        /// Flows whose packet is dropped.
        flow: Reference,
        /// Sequence number of the packet.
        seq: u32,
        /// Number of the packet's arrival, from one.
        k: u32,
    },
    /// The k-th arrival of an acknowledgement of these flows.
    Ack {
        /// Flows whose acknowledgement is dropped.
        flow: Reference,
        /// Number that is acknowledged.
        ack: u32,
        /// Number of the acknowledgement's arrival, from one.
        k: u32,
    },
}

type Sequence = Whole<u32, 0, { u32::MAX as u64 }>;

table! {
    /// One packet to drop: { packet = 5 }, { flow = "f", seq = 7 } or
    /// { flow = "f", ack = 7, k = 2 }.
    struct DropKeys "drop" derive(Default) {
        packet: Option<u64> as Option<Whole<u64, 1, LARGEST_SEED>>, "The number of the packet among all arrivals, from 1.", "5";
        flow: Option<Reference> as Option<FlowRef>, "The flow whose packet is dropped; with seq or ack.", "f[0]";
        seq: Option<u32> as Option<Sequence>, "A data packet with this sequence number.", "7";
        ack: Option<u32> as Option<Sequence>, "An acknowledgement with this number.", "7";
        k: Option<u32> as Option<Count>, "The number of the arrival of that packet, from 1; by default the first.", "1";
    }
}

impl Field for Drop {
    type Value = Drop;
    const FORM: &'static Form = DropKeys::FORM;

    fn read(item: &Item, reader: &mut Reader<'_>) -> Option<Drop> {
        let table = item.table()?;
        if !is_clear(table) {
            let help = "give { packet = 5 }, { flow = \"f\", seq = 7 } or { flow = \"f\", ack = 7 }, the last two perhaps with k";
            reader
                .fault("it is not clear which packet to drop")
                .help(help);
        }
        let keys = DropKeys::read_keys(table, reader)?;
        let flow = keys.flow.or_else(FlowRef::stand_in)?;
        let k = keys.k.unwrap_or(1);
        match keys {
            DropKeys {
                packet: Some(packet),
                ..
            } => Some(Drop::Packet(packet)),
            DropKeys { seq: Some(seq), .. } => Some(Drop::Sequence { flow, seq, k }),
            DropKeys { ack: Some(ack), .. } => Some(Drop::Ack { flow, ack, k }),
            _ => None,
        }
    }

    fn write(drop: &Drop) -> Option<Written> {
        let keys = match drop.clone() {
            Drop::Packet(packet) => DropKeys {
                packet: Some(packet),
                ..DropKeys::default()
            },
            Drop::Sequence { flow, seq, k } => DropKeys {
                flow: Some(flow),
                seq: Some(seq),
                k: Some(k),
                ..DropKeys::default()
            },
            Drop::Ack { flow, ack, k } => DropKeys {
                flow: Some(flow),
                ack: Some(ack),
                k: Some(k),
                ..DropKeys::default()
            },
        };
        DropKeys::write(&keys)
    }

    fn stand_in() -> Option<Drop> {
        Some(Drop::Packet(u64::MAX))
    }
}

/// True if exactly one of packet, seq and ack is given, the last two with a flow. A table with an
/// unknown key is not judged.
fn is_clear(table: &TomlTable) -> bool {
    let given = |key: &str| table.get(key).is_some();
    let known = DropKeys::TABLE.keys();
    let is_known = |key: &str| known.iter().any(|known| known.name == key);
    if !table.entries.iter().all(|entry| is_known(&entry.key)) {
        return true;
    }
    let chosen = ["packet", "seq", "ack"]
        .into_iter()
        .filter(|key| given(key));
    chosen.count() == 1 && given("flow") != given("packet") && !(given("packet") && given("k"))
}
