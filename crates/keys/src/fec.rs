//! [[fec]]: protection of packets between the edges of a core.

use std::sync::Arc;

use pacesim_fec::{Adaptation, Order, RepairSize, SizeTable};
use pacesim_language::field::{Count, Name, NodeRef, Probability, Whole};
use pacesim_language::names::Reference;
use pacesim_language::{table, words};
use pacesim_model::{SizeMethod, SizeModel};
use pacesim_units::{Bytes, Span};

/// The maximum size of a block: a packet's place in it has this many bits.
pub const MOST_IN_BLOCK: u16 = 1000;

type BlockSize = Whole<u16, 1, { MOST_IN_BLOCK as u64 }>;
type Depth = Whole<u16, 1, 64>;

table! {
    /// Forward error correction by XOR, from the entry of packets into a core to their exit: after
    /// each block of packets from an ingress node to an egress node the ingress sends a repair
    /// packet, from which the egress rebuilds a single missing packet. Repair packets are dropped
    /// like any other.
    pub struct FecGroup "fec" {
        name: String as Name, (= "fec"), "The name in results.", "fec";
        ingress: Reference as NodeRef, "The node or group where packets enter; the first of its nodes on a flow's path has the encoder, before the port's pacer, if any.", "ingress";
        egress: Reference as NodeRef, "The node or group where packets leave; the last of its nodes on a flow's path has the decoder. Each pair of an ingress and an egress has blocks of its own.", "egress";
        block: Option<u16> as Option<BlockSize>, "The number of data packets in a block, the same for all pairs.", "3";
        by_hops: Option<Vec<u16>> as Option<Vec<BlockSize>>, "Instead of block: the number of data packets in a block for pairs one link of the core apart, two, and so on. Links of the core are the links trunk[i] of a topology that has them, otherwise all between ingress and egress.", "[19, 4, 2]";
        from: Option<SizeMethod> as Option<SizesFrom>, "Instead of block and by_hops: block sizes up to 100, computed from the loads of the core's links (zerobuf 5.4).", "fec_network";
        load: Option<f64> as Option<Probability>, "With from: the mean load of the core's links without repair packets, to which all flows contribute equally. By default loads follow from the rates of the flows, which TCP does not have.", "0.11";
        adaptive: Option<Adaptive>, "Adapts the block size to the loss that the egress reports; block, by_hops or from gives the initial size.", "{ aim = { residual_loss = 0.001 } }";
        acks: Acks, (= "none"), "The protection of the acknowledgements of protected flows, from egress to ingress.", "together";
        order: Order as EgressOrder, (= "late"), "The order in which the egress forwards packets behind a missing one.", "late";
        timeout: Option<Span>, "The time after which an incomplete block is closed by a repair packet; by default a block waits until it is full.", "20ms";
        depth: u16 as Depth, (= "1"), "Interleaving: the number of blocks that are filled in turn, so that a burst of losses hits several.", "4";
        size: RepairSize as SizeOfRepair, (= "pair"), "The size of repair packets.", "pair";
        place: CoderPlace, (= "edge"), "The place of the encoder.", "edge";
    }
}

table! {
    /// Block sizes that follow a pair's loss. The egress reports its measurements in separate
    /// packets of 40B over the reverse path; the ingress looks up a size in a table.
    pub struct Adaptive "adaptive" derive(Copy) {
        aim: Aim as AimOfSizes, (= "least_loss"), "The aim that determines the block size for a given loss.", "least_loss";
        report: Span, (= "100ms"), "The minimum time between two reports of an egress.", "100ms";
        smoothing: u32 as Count, (= "1000"), "The number of packets over which the loss is smoothed; before that the initial size applies.", "1000";
        least: u16 as BlockSize, (= "2"), "The smallest block.", "2";
        most: u16 as BlockSize, (= "100"), "The largest block.", "100";
    }
}

/// The rule that derives block sizes from the loss.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Aim {
    /// The size with the least loss if all pairs used it.
    LeastLoss,
    /// The largest size with at most this residual loss.
    ResidualLoss(f64),
}

/// The block size that a loss calls for.
struct AimOfSizes;

words! {
    AimOfSizes: Aim {
        "least_loss" => Aim::LeastLoss, "the size that minimises the loss if all pairs use it, at the load that the loss implies on links without buffers (zerobuf eq. 13 to 18)";
    }
    or residual_loss: Probability => Aim::ResidualLoss, "The largest block with at most this residual loss, if losses are independent.", "0.001";
}

words! {
    /// The acknowledgements that are protected.
    pub enum Acks {
        None "none", "not protected: later ACKs replace lost ones, and in blocks of 3, with 40B for half of the packets, full-size repair packets would cost 64 % more bytes instead of 33 %";
        Together "together", "in the same blocks as the data in their direction";
        Apart "apart", "in blocks of their own";
    }
}

words! {
    /// The place of encoders.
    pub enum CoderPlace {
        Edge "edge", "at the ingress, before the pacer of its port";
        BehindLine "behind_line", "at the end of the ingress's line, behind its pacer: repair packets join the core there, unpaced";
    }
}

/// The model that determines block sizes.
struct SizesFrom;

words! {
    SizesFrom: SizeMethod {
        "fec_network" => SizeMethod::Heuristic, "the heuristic: one size for each number of links, all links alike (eq. 21 to 25)";
        "fec_network_exact" => SizeMethod::Exact, "a size for each pair that minimises the largest loss of any pair, given the load of each link (eq. 20)";
    }
}

/// The order of packets at the egress.
struct EgressOrder;

words! {
    EgressOrder: Order {
        "late" => Order::Late, "packets are forwarded as they arrive, repaired ones late, as in the paper";
    }
    or hold: Span => Order::Hold, "Packets behind a missing one wait for its repair, at most this long; with a depth of 1.", "5ms";
}

/// The size of repair packets.
struct SizeOfRepair;

words! {
    SizeOfRepair: RepairSize {
        "pair" => RepairSize::PairLargest, "that of the largest packet that the pair has carried so far";
        "block" => RepairSize::BlockLargest, "that of the largest packet of the block";
    }
    or bytes: RepairBytes => RepairSize::Fixed, "A fixed size, at least that of the largest packet.", "1500B";
}

/// A packet size as the codec counts it.
struct RepairBytes;

impl pacesim_language::field::Field for RepairBytes {
    type Value = u32;
    const FORM: &'static pacesim_language::form::Form =
        <Bytes as pacesim_language::field::Field>::FORM;

    fn read(
        item: &pacesim_language::tree::Item,
        _: &mut pacesim_language::field::Reader<'_>,
    ) -> Option<u32> {
        let bytes: Bytes = item.parsed()?;
        // The check reports sizes beyond the maximum of a packet.
        Some(u32::try_from(bytes.get()).unwrap_or(u32::MAX))
    }

    fn write(value: &u32) -> Option<pacesim_language::field::Written> {
        Some(pacesim_language::field::Written::text(Bytes(u64::from(
            *value,
        ))))
    }
}

/// The block size of a pair, or its basis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum BlockSizing {
    /// The number of data packets in a block.
    Stated(u16),
    /// It follows from this model once the loads of all links are known.
    Modelled(SizeModel),
}

impl FecGroup {
    /// Blocks of k packets between each of some nodes and each of others; all other keys have their
    /// defaults.
    pub fn new(ingress: impl Into<Reference>, egress: impl Into<Reference>, k: u16) -> FecGroup {
        FecGroup {
            name: "fec".to_owned(),
            ingress: ingress.into(),
            egress: egress.into(),
            block: Some(k),
            by_hops: None,
            from: None,
            load: None,
            adaptive: None,
            acks: Acks::None,
            order: Order::Late,
            timeout: None,
            depth: 1,
            size: RepairSize::PairLargest,
            place: CoderPlace::Edge,
        }
    }

    /// The block size of pairs this number of core links apart; `None` if the keys have none for
    /// that number.
    pub fn block_of(&self, hops: u32) -> Option<BlockSizing> {
        if let Some(method) = self.from {
            let load = self.load;
            return Some(BlockSizing::Modelled(SizeModel { method, load }));
        }
        let stated = match &self.by_hops {
            // Its first size is that of pairs one link apart.
            Some(by_hops) => by_hops.get((hops as usize).checked_sub(1)?).copied(),
            None => self.block,
        };
        stated.map(BlockSizing::Stated)
    }
}

impl Adaptive {
    /// The adaptation of blocks for pairs this number of core links apart.
    pub fn at(&self, hops: u32) -> Adaptation {
        let sizes = match self.aim {
            Aim::LeastLoss => SizeTable::for_load(hops.max(1), self.least, self.most),
            Aim::ResidualLoss(target) => SizeTable::for_residual(target, self.least, self.most),
        };
        Adaptation {
            sizes: Arc::new(sizes),
            smoothing: self.smoothing,
            report_every: self.report,
        }
    }
}
