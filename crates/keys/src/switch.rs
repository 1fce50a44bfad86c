//! [[switch]]: the memory that the ports of a node share.

use pacesim_core::net::Moment;
use pacesim_language::field::{NodeRef, Number, Probability};
use pacesim_language::names::Reference;
use pacesim_language::{table, words};
use pacesim_model::switch::{Alpha, Frees, Marking, Rule, SharedBuffer, Thresholds};
use pacesim_units::Bytes;

table! {
    /// A memory that all ports of a node share. A packet is refused at its arrival if the memory is
    /// full, or if its queue has reached its threshold. Each port has one queue, or one for each
    /// class. Packets that wait count, so a limited buffer of a link applies as well.
    pub struct SwitchGroup "switch" {
        nodes: Vec<Reference> as Vec<NodeRef>, "The nodes that have such a memory, each its own.", "[\"leaf\", \"spine[0..2]\"]";
        memory: Bytes, (else Bytes(1 << 40)), "The size of the memory, reserves included.", "12MB";
        alpha: Option<f64> as Option<Number>, "Dynamic thresholds: a queue may take this multiple of the memory that is free, reserves left out.", "1.0";
        class_alpha: Vec<f64> as Vec<Number>, (= "[]"), "In place of alpha: that of each class from class 0, which then has a queue of its own at each port; the last also holds for higher classes.", "[8.0, 1.0]";
        threshold: Option<Bytes>, "In place of alpha: a static threshold. With neither a queue may take all memory.", "300KB";
        reserve: Bytes, (= "0B"), "The memory that each queue has for itself; thresholds limit the rest.", "2KB";
        cell: Bytes, (= "1B"), "The piece in which the memory is given out: a packet takes whole ones.", "254B";
        rule: Rule as RuleWord, (= "after"), "The length that is compared with the threshold.", "before";
        frees: Frees as FreesWord, (= "start"), "The time at which the memory of a packet is free again.", "end";
        mark: Option<MarkKeys>, "Marks at its queues of packets that may be marked, beside those of their disciplines.", "{ min = \"100KB\" }";
    }
}

table! {
    /// Marks by the bytes that wait at the port beside a packet.
    pub struct MarkKeys "mark" derive(Copy) {
        min: Bytes, "The most bytes at which no packet is marked.", "100KB";
        max: Option<Bytes>, "The bytes beyond which each packet is marked; by default min, a step.", "400KB";
        probability: f64 as Probability, (= "1.0"), "The probability of a mark at max; from min it grows in proportion.", "0.2";
        at: Moment as MomentWord, (= "arrival"), "The moment at which the bytes are counted, and the packet is marked.", "departure";
    }
}

/// The length that is compared with a threshold.
struct RuleWord;

words! {
    RuleWord: Rule {
        "after" => Rule::After, "that of the queue with the packet, which may equal the threshold";
        "before" => Rule::Before, "that of the queue without the packet, which must be below the threshold";
    }
}

/// The time at which memory is free again.
struct FreesWord;

words! {
    FreesWord: Frees {
        "start" => Frees::Start, "the start of its transmission";
        "end" => Frees::End, "the end of its transmission";
    }
}

/// The moment of marks.
struct MomentWord;

words! {
    MomentWord: Moment {
        "arrival" => Moment::Arrival, "the packet's arrival";
        "departure" => Moment::Start, "the start of its transmission: the bytes that it leaves behind";
    }
}

impl SwitchGroup {
    /// The memory as models have it; none if its thresholds are invalid.
    pub fn in_model(&self) -> Option<SharedBuffer> {
        let by_class = self.class_alpha.iter().map(|alpha| Alpha::new(*alpha));
        let thresholds = match (self.alpha, self.threshold) {
            _ if !self.class_alpha.is_empty() => {
                Thresholds::ByClass(by_class.collect::<Option<_>>()?)
            }
            (Some(alpha), _) => Thresholds::Dynamic(Alpha::new(alpha)?),
            (None, Some(threshold)) => Thresholds::Static(threshold),
            (None, None) => Thresholds::None,
        };
        Some(SharedBuffer {
            memory: self.memory,
            reserve: self.reserve,
            cell: self.cell,
            thresholds,
            rule: self.rule,
            frees: self.frees,
            marking: self.mark.map(|mark| Marking {
                min: mark.min,
                max: mark.max.unwrap_or(mark.min),
                probability: mark.probability,
                at: mark.at,
            }),
        })
    }
}
