//! TCP traffic.

use pacesim_units::Quantity::{Bytes, Capacity, Packets, Rate, Span};

use super::super::keys::Need::{Default, Optional, Required};
use super::super::keys::{Key, Kind, Table};
use super::distribution::{bytes, span};
use super::{COUNT, PROBABILITY, key};

pub(super) static TCP: Table = Table {
    name: "tcp",
    doc: "TCP: a sender at from, a receiver at to that answers over the route back; pkts are full data packets",
    parts: &[
        &[
            variant(Default("\"reno\"")),
            profile(Default("\"ns2\"")),
            key(
                "others",
                Kind::Table(&OTHERS),
                Optional,
                "A share of the group that differs, and in what.",
                "{ share = 0.5, pacing = \"window\" }",
            ),
        ],
        COMMON,
    ],
};

static OTHERS: Table = Table {
    name: "others",
    doc: "a share of the group's flows with other values of these keys; what is left out is as for the rest of the group. Exactly the nearest whole number of flows is taken, evenly and without a rhythm over the group: those of the lowest fractional parts of the multiples of the golden ratio, the same in each run",
    parts: &[
        &[
            key(
                "share",
                PROBABILITY,
                Required,
                "Which part of the group's flows.",
                "0.3",
            ),
            variant(Optional),
            profile(Optional),
        ],
        COMMON,
    ],
};

const fn variant(need: super::Need) -> Key {
    let words = Kind::Choice(&[
        (
            "tahoe",
            "fast retransmit, then slow start from one packet, going back",
        ),
        ("reno", "fast recovery until any new ACK"),
        (
            "newreno",
            "fast recovery until all that was out is acknowledged",
        ),
        ("sack", "selective acknowledgements and a pipe estimate"),
        (
            "fack",
            "selective acknowledgements; what lies below the forward-most is lost",
        ),
    ]);
    let doc = "How losses are found and repaired.";
    key("variant", words, need, doc, "\"sack\"")
}

const fn profile(need: super::Need) -> Key {
    let words = Kind::Choice(&[
        ("ns2", "ns-2 2.35, packet for packet"),
        ("rfc", "the RFCs, with today's defaults"),
    ]);
    let doc = "Whose rules and defaults.";
    key("profile", words, need, doc, "\"ns2\"")
}

/// What the members of a group, and the others among them, may be told.
const COMMON: &[Key] = &[
    key(
        "window",
        Kind::Quantity(Packets),
        Optional,
        "The receiver's window. Without it 20 (ns2) or 10000 (rfc).",
        "\"64pkts\"",
    ),
    key(
        "packet_size",
        Kind::Quantity(Bytes),
        Optional,
        "A full data packet on the wire: payload and header together. Or give payload.",
        "\"1000B\"",
    ),
    key(
        "payload",
        Kind::Quantity(Bytes),
        Optional,
        "User bytes in a full data packet, the wire's packet_size less the header. Without it and packet_size 1000B (ns2) or 1448B (rfc).",
        "\"960B\"",
    ),
    key(
        "header",
        Kind::Quantity(Bytes),
        Optional,
        "Bytes of headers in each data packet; \"0B\" is ns-2's useHeaders_ 0. Without it 40B (ns2) or 52B (rfc).",
        "\"0B\"",
    ),
    key(
        "ack_size",
        Kind::Quantity(Bytes),
        Optional,
        "An ACK without SACK blocks on the wire. Without it 40B (ns2) or 52B (rfc).",
        "\"40B\"",
    ),
    key(
        "sack_block_size",
        Kind::Quantity(Bytes),
        Optional,
        "What each SACK block adds to an ACK. Without it 8B.",
        "\"8B\"",
    ),
    key(
        "sack_blocks",
        Kind::Count { least: 1, most: 3 },
        Optional,
        "The most SACK blocks in an ACK. Without it 3.",
        "3",
    ),
    key(
        "syn",
        Kind::Flag,
        Optional,
        "Whether a SYN without data goes first and its ACK opens the window. Without it true.",
        "true",
    ),
    key(
        "syn_size",
        Kind::Quantity(Bytes),
        Optional,
        "A SYN on the wire. Without it 40B (ns2) or 60B (rfc).",
        "\"40B\"",
    ),
    key(
        "initial_window",
        Kind::Quantity(Packets),
        Optional,
        "The first window. Without it 2 (ns2) or 10 (rfc).",
        "\"2pkts\"",
    ),
    key(
        "initial_ssthresh",
        Kind::Quantity(Packets),
        Optional,
        "Where the first slow start ends. Without it at the receiver's window (ns2), or nowhere (rfc).",
        "\"32pkts\"",
    ),
    key(
        "dupack_threshold",
        Kind::Count {
            least: 1,
            most: u32::MAX as u64,
        },
        Optional,
        "Duplicate ACKs that make a loss. Without it 3.",
        "3",
    ),
    key(
        "limited_transmit",
        Kind::Flag,
        Optional,
        "Whether each of the first duplicates lets a new packet out (RFC 3042). Without it true.",
        "true",
    ),
    key(
        "delayed_ack",
        Kind::FlagOr(Span),
        Optional,
        "How long an ACK may wait for a second packet; true is 100ms (ns2) or 40ms (rfc). Without it false (ns2) or 40ms (rfc).",
        "\"100ms\"",
    ),
    key(
        "tick",
        Kind::Quantity(Span),
        Optional,
        "The step of the clock that round trips are measured by: ns-2's tcpTick_, RFC 6298's G. Without it 10ms (ns2) or 1ms (rfc).",
        "\"10ms\"",
    ),
    key(
        "clock_phase",
        Kind::Quantity(Span),
        Optional,
        "Where ns2's coarse clock stands at time zero. Without it drawn for each flow, within a tick.",
        "\"0ms\"",
    ),
    key(
        "min_rto",
        Kind::Quantity(Span),
        Optional,
        "The least time-out. Without it 200ms.",
        "\"200ms\"",
    ),
    key(
        "max_rto",
        Kind::Quantity(Span),
        Optional,
        "The greatest, back-off included. Without it 60s.",
        "\"60s\"",
    ),
    key(
        "initial_rto",
        Kind::Quantity(Span),
        Optional,
        "The first, before a round trip is measured. Without it 3s (ns2) or 1s (rfc).",
        "\"3s\"",
    ),
    key(
        "pacing",
        PACING,
        Optional,
        "How the sender spreads its packets over time. Without it off.",
        "\"window\"",
    ),
    key(
        "transfer",
        Kind::Quantity(Capacity),
        Optional,
        "What there is to send, in bytes of payload or in packets (ns2 sends whole packets); without it, and with \"unlimited\", data without end. Or give transfers.",
        "\"100KB\"",
    ),
    key(
        "transfers",
        Kind::Table(&TRANSFERS),
        Optional,
        "One transfer after another.",
        "{ size = { exponential = \"100KB\" }, pause = \"1s\" }",
    ),
];

const PACING: Kind = Kind::ChoiceOr(
    &[
        ("off", "not at all"),
        (
            "window",
            "window over smoothed round trip; retransmissions leave at once (Wei's ns-2 patch)",
        ),
        ("window_all", "the same, but retransmissions wait too"),
        (
            "linux",
            "twice window over round trip in slow start, 1.2 times after; the first ten packets are free",
        ),
    ],
    &[key(
        "rate",
        Kind::Quantity(Rate),
        Optional,
        "At this rate on the wire from the first packet.",
        "\"1Mbps\"",
    )],
);

static TRANSFERS: Table = Table {
    name: "transfers",
    doc: "transfers one after another on one connection",
    parts: &[&[
        key(
            "size",
            Kind::Drawn(Bytes, bytes::KEYS),
            Required,
            "How large each is, in bytes of payload; a distribution is drawn for each.",
            "\"100KB\"",
        ),
        key(
            "pause",
            Kind::Drawn(Span, span::KEYS),
            Default("\"0s\""),
            "How long to wait once one is acknowledged; a distribution is drawn for each.",
            "\"1s\"",
        ),
        key(
            "count",
            COUNT,
            Optional,
            "How many; without it no end.",
            "10",
        ),
    ]],
};
