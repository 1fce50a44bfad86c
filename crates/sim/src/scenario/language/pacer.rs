//! Pacers, which hold packets before they join a port's queue.

use pacesim_units::Quantity::{Bytes, Capacity, Rate, Span};

use super::super::keys::Need::{Default, Optional, Required};
use super::super::keys::{Key, Kind, Table};
use super::{PROBABILITY, key};

pub(super) const PACER: Kind = Kind::Tagged {
    tag: "kind",
    cases: &[
        &NONE,
        &QLBP,
        &QLBP09,
        &RULE_OF_THUMB,
        &HULL,
        &HULL_MULTI,
        &TOKEN_BUCKET,
        &LEAKY_BUCKET,
        &DEADLINE_FRACTION,
    ],
};

pub(super) const PACER_DOC: &str = "What paces packets before they join the queue: its own buffer holds them, and what it releases goes to `buffer` and leaves at line rate. In a topology the links behind its middle (exit, edge_out, tail), which are otherwise as those before it, have none.";

const SHARE: &[Key] = &[key(
    "share",
    PROBABILITY,
    Default("1.0"),
    "Which part of the group's links has the pacer: the nearest whole number of them, evenly, as for others in tcp.",
    "0.3",
)];

const BUFFER: Key = key(
    "buffer",
    Kind::Quantity(Capacity),
    Default("\"unlimited\""),
    "What the pacer itself can hold.",
    "\"2000pkts\"",
);

const DELAY: Key = key(
    "delay",
    Kind::Quantity(Span),
    Required,
    "The longest that a packet is held.",
    "\"10ms\"",
);

const RELEASE: Key = key(
    "release",
    Kind::Choice(&[
        (
            "last_byte",
            "when the exit curve passes the packet's last byte: a lone packet is held for the whole delay",
        ),
        (
            "first_byte",
            "when it passes the first byte: a lone packet is not held",
        ),
    ]),
    Default("\"last_byte\""),
    "When a packet is released, seen from the exit curve.",
    "\"last_byte\"",
);

static NONE: Table = Table {
    name: "none",
    doc: "no pacing: a packet goes on at once",
    parts: &[SHARE],
};

const Q_MAX: Key = key(
    "q_max",
    Kind::Quantity(Capacity),
    Required,
    "Q_max, the held queue at which the rate has risen to mu_max.",
    "\"100pkts\"",
);

const Q_LIM: Key = key(
    "q_lim",
    Kind::Quantity(Capacity),
    Default("\"unlimited\""),
    "Q_lim, what the pacer can hold, in the unit of q_max.",
    "\"1000pkts\"",
);

static QLBP: Table = Table {
    name: "qlbp",
    doc: "queue-length based pacing: the rate rises with the held queue q from mu_min at q = 0 to mu_max at q_max, and is the line's beyond; the next release is set anew at each arrival",
    parts: &[
        &[
            key(
                "mu_min",
                Kind::Quantity(Rate),
                Optional,
                "The rate at an empty queue; leave it out for zero, as q counts the packet that waits.",
                "\"1Mbps\"",
            ),
            key(
                "mu_max",
                Kind::Quantity(Rate),
                Optional,
                "The rate at q_max; without it the line's.",
                "\"100Mbps\"",
            ),
            Q_MAX,
            Q_LIM,
        ],
        SHARE,
    ],
};

static QLBP09: Table = Table {
    name: "qlbp09",
    doc: "queue-length based pacing by Algorithm 1 of 2009: after each release a pause of S/mu(q), where mu rises from s_max/d_max at q = 0 to mu_max at q_max and stays there; the first packet is not held",
    parts: &[
        &[
            key(
                "d_max",
                Kind::Quantity(Span),
                Required,
                "D_max, the longest pause.",
                "\"10ms\"",
            ),
            key(
                "s_max",
                Kind::Quantity(Bytes),
                Default("\"1518B\""),
                "S_max, the largest packet.",
                "\"1518B\"",
            ),
            key(
                "mu_max",
                Kind::Quantity(Rate),
                Optional,
                "The rate from q_max on; without it the line's.",
                "\"200Mbps\"",
            ),
            Q_MAX,
            Q_LIM,
            key(
                "plug_in",
                Kind::Table(&PLUG_IN),
                Optional,
                "The variant of the prototype: no pause at all above q_max.",
                "{ alpha = 5.0, tick = \"1ms\" }",
            ),
            key(
                "jitter",
                Kind::Quantity(Span),
                Default("\"0s\""),
                "Every pause is longer by a random span up to this.",
                "\"100us\"",
            ),
        ],
        SHARE,
    ],
};

static PLUG_IN: Table = Table {
    name: "plug_in",
    doc: "the prototype's variant",
    parts: &[&[
        key(
            "alpha",
            Kind::Number {
                low: 0.0,
                high: 1e6,
            },
            Default("1.0"),
            "The factor that all pauses are scaled by, 1 or more; to hundredths.",
            "5.0",
        ),
        key(
            "tick",
            Kind::Quantity(Span),
            Default("\"0s\""),
            "The granularity of the timer; 0s for an ideal one.",
            "\"1ms\"",
        ),
    ]],
};

static RULE_OF_THUMB: Table = Table {
    name: "rule_of_thumb",
    doc: "qlbp with mu_max = (1 + utilisation)/2 and mu_min = utilisation/2 of the line's rate, and q_max = d_max * mu_max in bytes",
    parts: &[
        &[
            key(
                "utilisation",
                PROBABILITY,
                Required,
                "How much of the line is used on average.",
                "0.8",
            ),
            key(
                "d_max",
                Kind::Quantity(Span),
                Required,
                "The delay that is not to be exceeded in steady state.",
                "\"4ms\"",
            ),
            key(
                "q_lim",
                Kind::Quantity(Capacity),
                Default("\"unlimited\""),
                "Q_lim, what the pacer can hold, in bytes, at least d_max * mu_max.",
                "\"1MB\"",
            ),
        ],
        SHARE,
    ],
};

static HULL: Table = Table {
    name: "hull",
    doc: "the convex-hull pacer of one delay class: the smoothest releases that hold no packet longer than the delay",
    parts: &[&[DELAY, RELEASE, BUFFER], SHARE],
};

static HULL_MULTI: Table = Table {
    name: "hull_multi",
    doc: "the convex-hull pacer of many delay classes, earliest deadline first; a flow says its class by the key class",
    parts: &[
        &[
            key(
                "delays",
                Kind::List(&Kind::Quantity(Span)),
                Required,
                "The longest that packets of class 0, 1, 2... are held.",
                "[\"1ms\", \"10ms\"]",
            ),
            RELEASE,
            BUFFER,
        ],
        SHARE,
    ],
};

static TOKEN_BUCKET: Table = Table {
    name: "token_bucket",
    doc: "a bucket of tokens, one for a byte, full at the start: a packet leaves when there are as many as it has bytes",
    parts: &[
        &[
            key(
                "rate",
                Kind::Quantity(Rate),
                Required,
                "The rate at which tokens come.",
                "\"5Mbps\"",
            ),
            key(
                "burst",
                Kind::Quantity(Bytes),
                Required,
                "How many tokens the bucket holds; larger packets are dropped.",
                "\"15KB\"",
            ),
            BUFFER,
        ],
        SHARE,
    ],
};

static LEAKY_BUCKET: Table = Table {
    name: "leaky_bucket",
    doc: "releases at most at this rate, packet by packet",
    parts: &[
        &[
            key(
                "rate",
                Kind::Quantity(Rate),
                Required,
                "The rate at which it leaks.",
                "\"5Mbps\"",
            ),
            BUFFER,
        ],
        SHARE,
    ],
};

static DEADLINE_FRACTION: Table = Table {
    name: "deadline_fraction",
    doc: "holds every packet for the same part of the delay",
    parts: &[
        &[
            DELAY,
            key(
                "percent",
                Kind::Count {
                    least: 0,
                    most: 100,
                },
                Default("100"),
                "How much of the delay.",
                "50",
            ),
            BUFFER,
        ],
        SHARE,
    ],
};
