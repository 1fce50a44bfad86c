//! [[link]], and the properties of links.

use pacesim_language::field::{
    Cases, Count, Field, Keys, Name, NodeRef, Perhaps, Probability, Reader, Tagged, Written,
};
use pacesim_language::form::{Form, Key};
use pacesim_language::length::Length;
use pacesim_language::names::Reference;
use pacesim_language::tree::Item;
use pacesim_language::{cases, row, table, words};
use pacesim_model::{Buffer, Loss, OwnLoss, PeriodicLoss, PortQueue};
use pacesim_parts::Own;
use pacesim_units::{Bytes, Capacity, Rate, Span};

use crate::discipline::Discipline;
use crate::drops::Drop;
use crate::middlebox::MiddleboxKind;
use crate::pacer::{OpportunityFile, PacerSpec};
use crate::values::{Pairing, Value};

table! {
    /// A link from one node to another, or one for each pair from two groups. It is named name,
    /// or name[i] where from or to is a group; its link back name.back or name.back[i].
    pub struct LinkGroup "link" {
        name: String as Name, "The name used in references; the members of a group are name[0], name[1]...", "left";
        from: Reference as NodeRef, "The node or group that sends into the link.", "left[0..5]";
        to: Reference as NodeRef, "The node or group that the link leads to.", "router";
        pair: Pairing as LinkPairing, (= "cyclic"), "The pairing of the nodes of from (n of them) and to (m).", "cyclic";
        duplex: bool, (= "true"), "Add a link back.", "true";
        spec: LinkSpec, "Their properties.";
    }
}

/// The pairing of the ends of links.
struct LinkPairing;

words! {
    LinkPairing: Pairing {
        "cyclic" => Pairing::Cyclic, "member i joins from[i mod n] and to[i mod m]";
        "block" => Pairing::Block, "consecutive members share nodes: of k members, i joins from[i*n div k] and to[i*m div k]";
        "all" => Pairing::All, "every node of from with every other node of to";
    }
    or stride: Count => Pairing::Stride, "As cyclic, but the shorter side advances only after this number of members of the longer side: from n nodes to m, with n < m, member i joins from[(i div stride) mod n] and to[i mod m]; else from[i mod n] and to[(i div stride) mod m].", "10";
}

table! {
    /// The properties of the links of a topology.
    pub struct LinkSpec "links of a topology" {
        rate: Value<Rate>, "The rate of the line.", "10Mbps";
        delay: Option<Value<Span>>, "The propagation delay; default: 0s.", "20ms";
        length: Option<Length>, "The length, for routing by length only.", "1100km";
        queue: Queue, "The queue in front of the line.";
        discipline: Option<Discipline> as Option<Tagged<Discipline>>, "The queue discipline, which chooses the next packet and decides on drops and marks; by default first come, first served, as drop_tail but without its counts and waiting times.", "{ kind = \"codel\" }";
        pacer: Option<PacerSpec>, "A pacer before the queue: it holds packets in a buffer of its own; released packets join `buffer` and leave at line rate. In a topology, links behind the middle (exit, edge_out, tail) copy those before it, but have no pacer.", "{ kind = \"hull\", delay = \"10ms\" }";
        loss: Option<LinkLoss> as Option<LinkLossKeys>, "Loss on the wire, behind the queue.", "{ bernoulli = 0.01 }";
        drops: Vec<Drop> as Perhaps<Vec<Drop>>, "Packets to drop on arrival, regardless of the queue.", "[{ packet = 5 }]";
        opportunities: Option<OpportunityFile>, "Recorded opportunities to send, in Mahimahi's format: one line per opportunity, in milliseconds, for 1504 bytes each; the file repeats after its last line. The line takes packets from its queue, of any discipline, only at these times. The rate still applies: set one that is high enough not to matter.", "cellular.trace";
        jitter: Option<Value<Span>>, "An extra delay behind the wire, drawn for each packet. Packets keep their order: each waits for those before it.", "{ exponential = \"2ms\" }";
        jitter_reorders: bool as Perhaps<bool>, "With jitter: let packets overtake each other.", "true";
        middleboxes: Vec<MiddleboxKind> as Perhaps<Vec<Tagged<MiddleboxKind>>>, "Middleboxes behind the wire and its jitter, in the order of the packets.", "[{ kind = \"ack_thinning\", every = 4 }]";
        back: Back as Perhaps<Back>, "The properties of the link back that differ. Discipline, pacer, loss, drops, opportunities, jitter and middleboxes never carry over.", "{ rate = \"1Mbps\" }";
    }
}

table! {
    /// A drop-tail queue as declared in a scenario.
    pub struct Queue "queue" derive(Copy, Eq) {
        buffer: Capacity, (= "unlimited"), "The size of its buffer, in packets or bytes.", "10KB";
        counts "buffer_counts": BufferCounts, (= "waiting"), "The packets that count towards the buffer.", "waiting";
        mark: Option<Capacity>, "The backlog from which an arriving packet is marked, if it may be marked, as in DCTCP's switches; for a queue without a discipline.", "20pkts";
        bulks: BulkRule, (= "partly"), "The fate of a bulk (several packets sent by a source at one instant) of which only a part fits.", "partly";
    }
}

words! {
    /// The fate of a bulk that does not fit.
    pub enum BulkRule {
        Partly "partly", "the packets that fit are accepted";
        Whole "whole", "all are refused; each is assumed to be as large as the first";
    }
}

words! {
    /// The packets that count towards a buffer.
    pub enum BufferCounts {
        Waiting "waiting", "waiting packets, without the one in transmission; a packet is accepted if it fits together with these";
        System "system", "waiting packets and the one in transmission: K places as in M/M/1/K";
        Ns2Limit "ns2_limit", "as with ns-2's limit_ in packets: one packet fewer than specified may wait";
    }
}

table! {
    /// The properties of the link back that differ.
    pub struct Back "back" derive(Default) {
        rate: Option<Value<Rate>>, "The rate; by default the same.", "1Mbps";
        delay: Option<Value<Span>>, "The propagation delay; by default the same.", "20ms";
        buffer: Option<Capacity>, "The size of its buffer; by default the same.", "unlimited";
        counts "buffer_counts": Option<BufferCounts>, "The packets that count towards the buffer; by default the same.", "waiting";
        mark: Option<Capacity>, "The backlog from which packets are marked; by default the same.", "20pkts";
        discipline: Option<Discipline> as Option<Tagged<Discipline>>, "The queue discipline on the link back.", "{ kind = \"codel\" }";
        pacer: Option<PacerSpec>, "A pacer on the link back.", "{ kind = \"hull\", delay = \"10ms\" }";
        loss: Option<LinkLoss> as Option<LinkLossKeys>, "Loss on the link back.", "{ bernoulli = 0.01 }";
        drops: Vec<Drop> as Perhaps<Vec<Drop>>, "Packets that are dropped on arrival.", "[{ packet = 5 }]";
        opportunities: Option<OpportunityFile>, "Opportunities to send on the link back.", "cellular.trace";
        jitter: Option<Value<Span>>, "Jitter of the link back.", "{ exponential = \"2ms\" }";
        jitter_reorders: bool as Perhaps<bool>, "With jitter: let packets overtake each other.", "true";
        middleboxes: Vec<MiddleboxKind> as Perhaps<Vec<Tagged<MiddleboxKind>>>, "Middleboxes behind the wire of the link back.", "[{ kind = \"ack_aggregation\", every = \"10ms\" }]";
    }
}

table! {
    /// A good and a bad state, one step per packet.
    struct GilbertElliott "gilbert_elliott" {
        to_bad: f64 as Probability, "The probability of a step from good to bad.", "0.001";
        to_good: f64 as Probability, "The probability of a step from bad to good.", "0.1";
        loss_good: f64 as Probability, (= "0.0"), "The probability of loss while good.", "0.0";
        loss_bad: f64 as Probability, (= "1.0"), "The probability of loss while bad.", "0.5";
    }
}

/// Loss on the wire of a link.
#[derive(Clone, Debug, PartialEq)]
pub enum LinkLoss {
    /// Random loss, by one of the two models.
    Random(Loss),
    /// Loss by another model.
    Model(LossModelKind),
}

cases! {
    /// Loss models beyond random loss.
    pub enum LossModelKind by "kind" {
        /// Periodic loss: one packet in every group of consecutive packets, the last, is lost.
        Periodic "periodic" {
            every: u32 as Count, "The size of these groups, in packets.", "100";
        }
    }
    or Own(Own<OwnLoss>), "A loss model of the program's own."
}

impl LossModelKind {
    /// The loss model as a model of links has it.
    pub fn in_model(&self) -> OwnLoss {
        match self {
            LossModelKind::Periodic { every } => PeriodicLoss { every: *every }.part(),
            LossModelKind::Own(own) => own.make.clone(),
        }
    }
}

struct LinkLossKeys;

impl Field for LinkLossKeys {
    type Value = LinkLoss;
    const FORM: &'static Form = {
        const KEYS: &[Key] = &[
            RANDOM[0],
            RANDOM[1],
            row!(@key model: Option<LossModelKind> as Option<Tagged<LossModelKind>>, "Another model.", "{ kind = \"periodic\", every = 100 }"),
        ];
        &Form::OneOf(KEYS)
    };

    fn read(item: &Item, reader: &mut Reader<'_>) -> Option<LinkLoss> {
        match item.table()?.get("model") {
            Some(item) => LossModelKind::read_tagged(item, reader).map(LinkLoss::Model),
            None => LossKeys::read(item, reader).map(LinkLoss::Random),
        }
    }

    fn write(loss: &LinkLoss) -> Option<Written> {
        Some(match loss {
            LinkLoss::Random(loss) => return LossKeys::write(loss),
            LinkLoss::Model(model) => Keys::one::<Tagged<LossModelKind>>("model", model),
        })
    }
}

/// Loss by one of two models.
pub(crate) struct LossKeys;

const RANDOM: &[Key] = &[
    row!(@key bernoulli: Option<f64> as Option<Probability>, "Each packet is lost with this probability.", "0.01"),
    row!(@key gilbert_elliott: Option<GilbertElliott>, "A chain of two states, one step per packet.", "{ to_bad = 0.001, to_good = 0.1, loss_bad = 0.5 }"),
];

impl Field for LossKeys {
    type Value = Loss;
    const FORM: &'static Form = &Form::OneOf(RANDOM);

    fn read(item: &Item, reader: &mut Reader<'_>) -> Option<Loss> {
        let table = item.table()?;
        if let Some(item) = table.get("bernoulli") {
            let probability = Probability::read(item, reader)?;
            return Some(Loss::Bernoulli { probability });
        }
        let chain = GilbertElliott::read(table.get("gilbert_elliott")?, reader)?;
        Some(Loss::GilbertElliott {
            to_bad: chain.to_bad,
            to_good: chain.to_good,
            loss_good: chain.loss_good,
            loss_bad: chain.loss_bad,
        })
    }

    fn write(loss: &Loss) -> Option<Written> {
        Some(match *loss {
            Loss::Bernoulli { probability } => Keys::one::<Probability>("bernoulli", &probability),
            Loss::GilbertElliott {
                to_bad,
                to_good,
                loss_good,
                loss_bad,
            } => {
                let chain = GilbertElliott {
                    to_bad,
                    to_good,
                    loss_good,
                    loss_bad,
                };
                Keys::one::<GilbertElliott>("gilbert_elliott", &chain)
            }
        })
    }
}

impl LinkGroup {
    /// A bidirectional link between two nodes, or for each pair of two groups.
    pub fn new(
        name: &str,
        from: impl Into<Reference>,
        to: impl Into<Reference>,
        spec: LinkSpec,
    ) -> LinkGroup {
        LinkGroup {
            name: name.to_owned(),
            from: from.into(),
            to: to.into(),
            pair: Pairing::Cyclic,
            duplex: true,
            spec,
        }
    }
}

impl LinkSpec {
    /// A link without delay and loss, with an unlimited buffer.
    pub fn new(rate: impl Into<Value<Rate>>) -> LinkSpec {
        LinkSpec {
            rate: rate.into(),
            delay: None,
            length: None,
            queue: Queue {
                buffer: Capacity::Unlimited,
                counts: BufferCounts::Waiting,
                mark: None,
                bulks: BulkRule::Partly,
            },
            discipline: None,
            pacer: None,
            loss: None,
            drops: Vec::new(),
            opportunities: None,
            jitter: None,
            jitter_reorders: false,
            middleboxes: Vec::new(),
            back: Back::default(),
        }
    }

    /// Sets the propagation delay of the link.
    pub fn delay(mut self, delay: impl Into<Value<Span>>) -> LinkSpec {
        self.delay = Some(delay.into());
        self
    }

    /// Puts this pacer before the queue of the link.
    pub fn pacer(mut self, pacer: impl Into<PacerSpec>) -> LinkSpec {
        self.pacer = Some(pacer.into());
        self
    }

    /// Gives the link this buffer for waiting packets.
    pub fn buffer(mut self, buffer: Capacity) -> LinkSpec {
        self.queue.buffer = buffer;
        self
    }
}

impl LinkSpec {
    /// The queue of the link back.
    pub fn back_queue(&self) -> Queue {
        Queue {
            buffer: self.back.buffer.unwrap_or(self.queue.buffer),
            counts: self.back.counts.unwrap_or(self.queue.counts),
            mark: self.back.mark.or(self.queue.mark),
            bulks: self.queue.bulks,
        }
    }
}

impl Queue {
    /// The queue of a port that is more than drop-tail.
    pub fn discipline(self) -> Option<PortQueue> {
        match self.bulks {
            BulkRule::Partly => None,
            BulkRule::Whole => Some(PortQueue::WholeBulks),
        }
    }

    /// The buffer in the model's two conventions. ns-2's drop-tail drops packets that find `limit_
    /// - 1` waiting.
    pub fn in_model(self) -> Buffer {
        let less = match self.buffer {
            Capacity::Packets(n) => Capacity::Packets(n.saturating_sub(1)),
            Capacity::Bytes(n) => Capacity::Bytes(Bytes(n.0.saturating_sub(1))),
            Capacity::Unlimited => Capacity::Unlimited,
        };
        match self.counts {
            BufferCounts::Waiting => Buffer::waiting(self.buffer),
            BufferCounts::System => Buffer::system(self.buffer),
            BufferCounts::Ns2Limit => Buffer::waiting(less),
        }
    }
}
