//! [[flow]] and its traffic.

use pacesim_units::Quantity::{Bytes, Rate, Span};

use super::super::keys::Need::{Default, Optional, Required};
use super::super::keys::{Key, Kind, Of, Table};
use super::distribution::{bytes, rate, span};
use super::link::{PAIR_DOC, PAIRINGS, STRIDE};
use super::tcp::TCP;
use super::{COUNT, NAME, key};

const FLOW_PAIRINGS: &[(&str, &str)] = &[
    PAIRINGS[0],
    PAIRINGS[1],
    PAIRINGS[2],
    ("random", "from[i mod n] with a random other node of to"),
];

pub(super) static FLOW: Table = Table {
    name: "flow",
    doc: "traffic from one node to another, or from each of a group: name[0], name[1]...",
    parts: &[&[
        NAME,
        key(
            "count",
            COUNT,
            Optional,
            "How many flows; without it one for each node of the larger of from and to.",
            "100",
        ),
        key(
            "from",
            Kind::Reference(Of::Nodes),
            Required,
            "Where it starts.",
            "\"left\"",
        ),
        key(
            "to",
            Kind::Reference(Of::Nodes),
            Required,
            "Where it ends.",
            "\"right\"",
        ),
        key(
            "pair",
            Kind::ChoiceOr(FLOW_PAIRINGS, STRIDE),
            Default("\"cyclic\""),
            PAIR_DOC,
            "\"cyclic\"",
        ),
        key(
            "start",
            Kind::Drawn(Span, span::KEYS),
            Default("\"0s\""),
            "When its source starts.",
            "{ uniform = [\"0s\", \"10s\"] }",
        ),
        key(
            "stop",
            Kind::Quantity(Span),
            Optional,
            "When its source stops, if before the end.",
            "\"50s\"",
        ),
        key(
            "class",
            Kind::Count {
                least: 0,
                most: u16::MAX as u64,
            },
            Default("0"),
            "Its delay class, for pacers that have several.",
            "1",
        ),
        key(
            "traffic",
            TRAFFIC,
            Required,
            "What it sends.",
            "{ kind = \"cbr\", rate = \"1Mbps\", size = \"1KB\" }",
        ),
    ]],
};

const TRAFFIC: Kind = Kind::Tagged {
    tag: "kind",
    cases: &[&CBR, &POISSON, &ON_OFF, &RECORDED, &TCP],
};

const PACKET_SIZE: Key = key(
    "size",
    Kind::Quantity(Bytes),
    Required,
    "The size of each packet on the wire.",
    "\"1KB\"",
);

static CBR: Table = Table {
    name: "cbr",
    doc: "constant bit rate: equal packets at equal gaps, the first at the start",
    parts: &[&[
        key(
            "rate",
            Kind::Drawn(Rate, rate::KEYS),
            Required,
            "The rate, in bits on the wire.",
            "\"1Mbps\"",
        ),
        PACKET_SIZE,
    ]],
};

static POISSON: Table = Table {
    name: "poisson",
    doc: "Poisson arrivals, the first after one exponential gap",
    parts: &[&[
        key(
            "rate",
            Kind::Drawn(Rate, rate::KEYS),
            Required,
            "The mean rate, in bits on the wire.",
            "\"1Mbps\"",
        ),
        key(
            "size",
            Kind::Drawn(Bytes, bytes::KEYS),
            Required,
            "The size of the packets on the wire; a distribution is drawn for each packet.",
            "\"1KB\"",
        ),
    ]],
};

static ON_OFF: Table = Table {
    name: "on_off",
    doc: "Markov ON-OFF: exponential phases, a constant rate while ON",
    parts: &[&[
        key(
            "peak",
            Kind::Drawn(Rate, rate::KEYS),
            Required,
            "The rate while ON.",
            "\"2Mbps\"",
        ),
        PACKET_SIZE,
        key(
            "mean_on",
            Kind::Drawn(Span, span::KEYS),
            Required,
            "The mean length of an ON phase.",
            "\"100ms\"",
        ),
        key(
            "mean_off",
            Kind::Drawn(Span, span::KEYS),
            Required,
            "The mean length of an OFF phase.",
            "\"200ms\"",
        ),
        key(
            "phase",
            Kind::Choice(&[
                ("random", "drawn from the stationary distribution"),
                ("on", "ON"),
                ("off", "OFF"),
            ]),
            Default("\"random\""),
            "The phase at the start.",
            "\"random\"",
        ),
    ]],
};

static RECORDED: Table = Table {
    name: "recorded",
    doc: "arrivals from a CSV or Parquet file with a column of times from the flow's start (t_s, t_ms, t_us, t_ns, t_ps; or time_s...), a column of sizes (size_bytes) and perhaps one of deadlines (deadline_s...)",
    parts: &[&[
        key(
            "file",
            Kind::File,
            Required,
            "The file, relative to the scenario.",
            "\"arrivals.csv\"",
        ),
        key(
            "smooth",
            Kind::FlagOr(Span),
            Default("false"),
            "Sends each packet at the latest so long after it came, all as the off-line optimum does: on the shortest path between arrivals and deadlines, of the lowest peak and the least varying rate (Salehi et al. 1998). true takes the deadlines of the file's column.",
            "\"10ms\"",
        ),
    ]],
};
