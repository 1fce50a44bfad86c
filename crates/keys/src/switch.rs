//! [[switch]]: the memory that the ports of a node share.

use std::sync::Arc;

use pacesim_core::net::Moment;
use pacesim_language::field::{NodeRef, Number, Probability, Whole};
use pacesim_language::names::Reference;
use pacesim_language::{table, words};
use pacesim_model::switch::{
    Alpha, Frees, Headroom, Lossless, Marking, OwnSwitch, Rule, SharedBuffer, Thresholds,
};
use pacesim_units::{Bytes, Rate, Span};

table! {
    /// A memory that all ports of a node share. A packet is refused at its arrival if the memory is
    /// full, or if its queue has reached its threshold. Each port has one queue, or one for each
    /// class. Packets that wait count, so a limited buffer of a link applies as well.
    pub struct SwitchGroup "switch" {
        nodes: Vec<Reference> as Vec<NodeRef>, "The nodes that have such a memory, each its own.", "[\"leaf\", \"spine[0..2]\"]";
        chip: Option<Chip>, "The chip that gives the defaults of memory and cell, and an alpha of 1 where no threshold is given.", "trident2";
        memory: Option<Bytes>, "The size of the memory, reserves included; by default that of the chip.", "12MB";
        alpha: Option<f64> as Option<Number>, "Dynamic thresholds: a queue may take this multiple of the memory that is free, reserves left out.", "1.0";
        class_alpha: Vec<f64> as Vec<Number>, (= "[]"), "In place of alpha: that of each class from class 0, which then has a queue of its own at each port; the last also holds for higher classes.", "[8.0, 1.0]";
        class_memory: Vec<Bytes> as Vec<Bytes>, (= "[]"), "With class_alpha: the part of the memory that the queues of each class share, reserves included; by default all share all of it.", "[\"2MB\", \"10MB\"]";
        threshold: Option<Bytes>, "In place of alpha: a static threshold. With neither a queue may take all memory.", "300KB";
        reserve: Bytes, (= "0B"), "The memory that each queue has for itself; thresholds limit the rest.", "2KB";
        cell: Option<Bytes>, "The piece in which the memory is given out: a packet takes whole ones. By default that of the chip, or a byte.", "254B";
        rule: Rule as RuleWord, (= "after"), "The length that is compared with the threshold.", "before";
        frees: Frees as FreesWord, (= "start"), "The time at which the memory of a packet is free again.", "end";
        pfc: Option<PfcKeys>, "Pause frames: packets count at their input, and an input beyond its threshold has the node that sends over it hold its packets, so that none is refused. Alpha is then that of inputs, by default 1/8, and reserve that of each input and class.", "{ headroom = \"30KB\" }";
        mark: Option<MarkKeys>, "Marks at its queues of packets that may be marked, beside those of their disciplines.", "{ min = \"100KB\" }";
    }
}

table! {
    /// Marks by the bytes that wait at the port beside a packet.
    pub struct MarkKeys "mark" derive(Copy) {
        min: Bytes, "The most bytes at which no packet is marked.", "100KB";
        max: Option<Bytes>, "The bytes beyond which each packet is marked; by default min, a step.", "400KB";
        probability: f64 as Probability, (= "1.0"), "The probability of a mark at max; from min it grows in proportion.", "0.2";
        per_rate: Option<Rate>, "The rate of ports with this min and max, which other ports have in proportion to their rate. By default all have the same.", "25Gbps";
        at: Moment as MomentWord, (= "arrival"), "The moment at which the bytes are counted, and the packet is marked.", "departure";
    }
}

table! {
    /// Pause frames by priority (IEEE 802.1Qbb).
    pub struct PfcKeys "pfc" derive(Copy, Eq) {
        headroom: Option<Bytes>, "The memory of each input and class for packets that arrive after a pause; by default what it needs: the packet that crosses the threshold, the wire both ways, a largest packet at each end, the frame, and the response.", "30KB";
        resume: Bytes, (= "3072B"), "The bytes by which an input is below its threshold when it is resumed.", "3KB";
        frame: Bytes, (= "64B"), "The size of a frame that pauses or resumes.", "64B";
        response: Span, (= "0s"), "The time that a node takes to obey a frame.", "1us";
        quanta: Option<u16> as Option<Whole<u16, 1, 65535>>, "The time after which a pause ends by itself, in quanta of 512 bit times of the input's line. Frames are sent again after half of it while the input is to be paused. By default a pause ends at the frame that resumes it.", "65535";
        classes: u16 as Whole<u16, 1, 8>, (= "1"), "The number of classes that are paused apart, at upstream ports whose discipline is strict_priority; with one class, or another discipline, all packets of a port are held.", "2";
        alpha_rate: Option<Rate>, "The rate of inputs that have this alpha: it doubles with each doubling of the rate. By default all inputs have it.", "25Gbps";
    }
}

words! {
    /// Switches whose memories are known.
    pub enum Chip {
        TridentPlus "trident_plus", "Broadcom Trident+ (2010, 0.64 Tbps): 9 MB in 46,080 cells of 208 bytes";
        Trident2 "trident2", "Broadcom Trident 2 (2012, 1.28 Tbps): 12 MB in cells of 208 bytes";
        Tomahawk "tomahawk", "Broadcom Tomahawk (2014, 3.2 Tbps): 16 MB in cells of 208 bytes";
        Tomahawk2 "tomahawk2", "Broadcom Tomahawk 2 (2016, 6.4 Tbps): 42 MB in cells of 208 bytes";
        Tomahawk3 "tomahawk3", "Broadcom Tomahawk 3 (2017, 12.8 Tbps): 64 MB in cells of 254 bytes";
    }
}

impl Chip {
    /// The number of cells, and their size. Vendors state whole megabytes, here of 2^20 bytes.
    const fn cells(self) -> (u64, u64) {
        match self {
            Chip::TridentPlus => (46_080, 208),
            Chip::Trident2 => ((12 << 20) / 208, 208),
            Chip::Tomahawk => ((16 << 20) / 208, 208),
            Chip::Tomahawk2 => ((42 << 20) / 208, 208),
            Chip::Tomahawk3 => ((64 << 20) / 254, 254),
        }
    }
}

/// The memory of a switch as models have it.
#[derive(Clone, Debug, PartialEq)]
pub enum Memory {
    /// One that refuses packets.
    Lossy(SharedBuffer),
    /// One that pauses its inputs.
    Lossless(Lossless),
}

impl Memory {
    /// The part that models place at a node; `classes` has the class of each flow.
    pub fn part(self, classes: Arc<[u16]>) -> OwnSwitch {
        match self {
            Memory::Lossy(memory) => memory.part(classes),
            Memory::Lossless(memory) => memory.part(classes),
        }
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

/// Alpha of queues of a chip, as SONiC's profiles have it for lossy queues.
const ALPHA_OF_CHIPS: f64 = 1.0;
/// Alpha of inputs that say nothing else, as in the simulator of HPCC's authors.
const ALPHA_OF_INPUTS: f64 = 0.125;

impl SwitchGroup {
    /// The size of the memory; with neither size nor chip, which is refused, a large one.
    pub fn size(&self) -> Bytes {
        let of_chip = || self.chip.map(Chip::cells);
        let size = self
            .memory
            .or_else(|| of_chip().map(|(cells, size)| Bytes(cells * size)));
        size.unwrap_or(Bytes(1 << 40))
    }

    /// The piece in which the memory is given out.
    pub fn cell_size(&self) -> Bytes {
        let of_chip = self.chip.map(|chip| Bytes(chip.cells().1));
        self.cell.or(of_chip).unwrap_or(Bytes(1))
    }

    /// The memory as models have it, in a network whose packets are at most this large; none if its
    /// thresholds are invalid.
    pub fn in_model(&self, largest: Bytes) -> Option<Memory> {
        match &self.pfc {
            None => self.lossy().map(Memory::Lossy),
            Some(pfc) => self.lossless(pfc, largest).map(Memory::Lossless),
        }
    }

    /// The memory without pauses; none if its thresholds are invalid.
    pub fn lossy(&self) -> Option<SharedBuffer> {
        let by_class = self.class_alpha.iter().map(|alpha| Alpha::new(*alpha));
        let thresholds = match (self.alpha, self.threshold) {
            _ if !self.class_alpha.is_empty() => {
                Thresholds::ByClass(by_class.collect::<Option<_>>()?)
            }
            (Some(alpha), _) => Thresholds::Dynamic(Alpha::new(alpha)?),
            (None, Some(threshold)) => Thresholds::Static(threshold),
            (None, None) if self.chip.is_some() => Thresholds::Dynamic(Alpha::new(ALPHA_OF_CHIPS)?),
            (None, None) => Thresholds::None,
        };
        Some(SharedBuffer {
            memory: self.size(),
            reserve: self.reserve,
            cell: self.cell_size(),
            thresholds,
            class_memory: self.class_memory.clone(),
            rule: self.rule,
            frees: self.frees,
            marking: self.marking(),
        })
    }

    fn lossless(&self, pfc: &PfcKeys, largest: Bytes) -> Option<Lossless> {
        Some(Lossless {
            memory: self.size(),
            reserve: self.reserve,
            alpha: Alpha::new(self.alpha.unwrap_or(ALPHA_OF_INPUTS))?,
            alpha_rate: pfc.alpha_rate,
            headroom: pfc
                .headroom
                .map_or(Headroom::Enough(largest), Headroom::Each),
            resume_gap: pfc.resume,
            frame: pfc.frame,
            response: pfc.response,
            quanta: pfc.quanta,
            classes: pfc.classes,
            marking: self.marking(),
        })
    }

    fn marking(&self) -> Option<Marking> {
        self.mark.map(|mark| Marking {
            min: mark.min,
            max: mark.max.unwrap_or(mark.min),
            probability: mark.probability,
            at: mark.at,
            per_rate: mark.per_rate,
        })
    }
}
