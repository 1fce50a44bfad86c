//! [[link]], and what links are like.

use pacesim_units::Quantity::{Capacity, Rate, Span};

use super::super::keys::Need::{Default, Optional, Required};
use super::super::keys::{Key, Kind, Of, Table};
use super::distribution::{rate, span};
use super::pacer::{PACER, PACER_DOC};
use super::{COUNT, LARGEST_SEED, NAME, ORDINAL, PROBABILITY, SEQUENCE, key};

const DROPS: Kind = Kind::List(&Kind::Table(&DROP));

pub(super) const PAIRINGS: &[(&str, &str)] = &[
    ("cyclic", "member i joins from[i mod n] and to[i mod m]"),
    (
        "block",
        "members are dealt in equal runs: of k members, i joins from[i*n div k] and to[i*m div k]",
    ),
    ("all", "every node of from with every other node of to"),
];

pub(super) const STRIDE: &[Key] = &[key(
    "stride",
    COUNT,
    Optional,
    "As cyclic, but the shorter side takes a step only every so many members of the longer: from n nodes to m, with n < m, member i joins from[(i div stride) mod n] and to[i mod m]; else from[i mod n] and to[(i div stride) mod m].",
    "10",
)];

pub(super) const PAIR_DOC: &str = "How the nodes of from (n of them) and to (m) are paired.";

pub(super) static LINK_ENTRY: Table = Table {
    name: "link",
    doc: "a link from one node to another, or one for each pair from two groups. It is named name, or name[i] where from or to is a group; its way back name.back or name.back[i]",
    parts: &[
        &[
            NAME,
            key(
                "from",
                Kind::Reference(Of::Nodes),
                Required,
                "Where its port is.",
                "\"left[0..5]\"",
            ),
            key(
                "to",
                Kind::Reference(Of::Nodes),
                Required,
                "Where it leads.",
                "\"router\"",
            ),
            key(
                "pair",
                Kind::ChoiceOr(PAIRINGS, STRIDE),
                Default("\"cyclic\""),
                PAIR_DOC,
                "\"cyclic\"",
            ),
            key(
                "duplex",
                Kind::Flag,
                Default("true"),
                "Whether there is a link back as well.",
                "true",
            ),
        ],
        LINK_KEYS,
    ],
};

/// The links of a topology.
pub(super) static LINK: Table = Table {
    name: "link of a topology",
    doc: "what the links of a topology are like",
    parts: &[LINK_KEYS],
};

const LINK_KEYS: &[Key] = &[
    key(
        "rate",
        Kind::Drawn(Rate, rate::KEYS),
        Required,
        "The rate of the line.",
        "\"10Mbps\"",
    ),
    key(
        "delay",
        Kind::Drawn(Span, span::KEYS),
        Optional,
        "The propagation delay; 0s without it.",
        "\"20ms\"",
    ),
    key(
        "length",
        Kind::Length,
        Optional,
        "The length, for routing by length only.",
        "\"1100km\"",
    ),
    key(
        "buffer",
        Kind::Quantity(Capacity),
        Default("\"unlimited\""),
        "What its queue holds, in packets or bytes.",
        "\"10KB\"",
    ),
    key(
        "buffer_counts",
        Kind::Choice(BUFFER_COUNTS),
        Default("\"waiting\""),
        "What counts towards the buffer.",
        "\"waiting\"",
    ),
    key(
        "pacer",
        PACER,
        Optional,
        PACER_DOC,
        "{ kind = \"hull\", delay = \"10ms\" }",
    ),
    key(
        "loss",
        LOSS,
        Optional,
        "Random loss on the wire, behind the queue.",
        "{ bernoulli = 0.01 }",
    ),
    key(
        "drops",
        DROPS,
        Optional,
        "Packets that are dropped on arrival, whatever the queue holds.",
        "[{ packet = 5 }]",
    ),
    key(
        "back",
        Kind::Table(&BACK),
        Optional,
        "What is different on the way back. Pacer, loss and drops never carry over.",
        "{ rate = \"1Mbps\" }",
    ),
];

const BUFFER_COUNTS: &[(&str, &str)] = &[
    (
        "waiting",
        "packets that wait, not the one being sent; a packet is taken if the waiting and its own size fit",
    ),
    (
        "system",
        "packets that wait and the one being sent: K places as in M/M/1/K",
    ),
    (
        "ns2_limit",
        "as ns-2's limit_ for packets: one less than written, waiting",
    ),
];

static BACK: Table = Table {
    name: "back",
    doc: "what is different on the way back",
    parts: &[&[
        key(
            "rate",
            Kind::Drawn(Rate, rate::KEYS),
            Optional,
            "The rate, else the same.",
            "\"1Mbps\"",
        ),
        key(
            "delay",
            Kind::Drawn(Span, span::KEYS),
            Optional,
            "The propagation delay, else the same.",
            "\"20ms\"",
        ),
        key(
            "buffer",
            Kind::Quantity(Capacity),
            Optional,
            "What its queue holds, else the same.",
            "\"unlimited\"",
        ),
        key(
            "buffer_counts",
            Kind::Choice(BUFFER_COUNTS),
            Optional,
            "What counts towards the buffer, else the same.",
            "\"waiting\"",
        ),
        key(
            "pacer",
            PACER,
            Optional,
            "What paces packets on the way back.",
            "{ kind = \"hull\", delay = \"10ms\" }",
        ),
        key(
            "loss",
            LOSS,
            Optional,
            "Random loss on the way back.",
            "{ bernoulli = 0.01 }",
        ),
        key(
            "drops",
            DROPS,
            Optional,
            "Packets that are dropped on arrival.",
            "[{ packet = 5 }]",
        ),
    ]],
};

const LOSS: Kind = Kind::OneOf(&[
    key(
        "bernoulli",
        PROBABILITY,
        Optional,
        "Each packet is lost with this probability.",
        "0.01",
    ),
    key(
        "gilbert_elliott",
        Kind::Table(&GILBERT_ELLIOTT),
        Optional,
        "A chain of two states, one step per packet.",
        "{ to_bad = 0.001, to_good = 0.1, loss_bad = 0.5 }",
    ),
]);

static GILBERT_ELLIOTT: Table = Table {
    name: "gilbert_elliott",
    doc: "a good and a bad state, one step per packet",
    parts: &[&[
        key(
            "to_bad",
            PROBABILITY,
            Required,
            "The probability of a step from good to bad.",
            "0.001",
        ),
        key(
            "to_good",
            PROBABILITY,
            Required,
            "The probability of a step from bad to good.",
            "0.1",
        ),
        key(
            "loss_good",
            PROBABILITY,
            Default("0.0"),
            "The probability of loss while good.",
            "0.0",
        ),
        key(
            "loss_bad",
            PROBABILITY,
            Default("1.0"),
            "The probability of loss while bad.",
            "0.5",
        ),
    ]],
};

pub(super) static DROP: Table = Table {
    name: "drop",
    doc: "one packet to drop: { packet = 5 }, { flow = \"f\", seq = 7 } or { flow = \"f\", ack = 7, k = 2 }",
    parts: &[&[
        key(
            "packet",
            Kind::Count {
                least: 1,
                most: LARGEST_SEED,
            },
            Optional,
            "The so-many-th of all packets that arrive, from 1.",
            "5",
        ),
        key(
            "flow",
            Kind::Reference(Of::Flows),
            Optional,
            "The flow, with seq or ack.",
            "\"f[0]\"",
        ),
        key(
            "seq",
            SEQUENCE,
            Optional,
            "A data packet with this sequence number.",
            "7",
        ),
        key(
            "ack",
            SEQUENCE,
            Optional,
            "An acknowledgement with this number.",
            "7",
        ),
        key(
            "k",
            ORDINAL,
            Optional,
            "Which arrival of it, from 1; the first without it.",
            "1",
        ),
    ]],
};

/// For the reader of loss.
pub(crate) fn gilbert_elliott() -> &'static Table {
    &GILBERT_ELLIOTT
}
