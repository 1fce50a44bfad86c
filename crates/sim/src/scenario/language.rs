//! The scenario language: every table and key there is, with kind, default,
//! meaning and example. The reader, the messages, the JSON schema and the
//! reference all follow this file; to add a key, add it here and read it in
//! [`super::read`].

mod distribution;
mod flow;
mod link;
mod pacer;
mod shape;
mod tcp;

use pacesim_units::Quantity::Span;

use super::keys::Need::{Default, Optional, Required};
use super::keys::{Key, Kind, Need, Of, Table};
use flow::FLOW;
use link::LINK_ENTRY;
use shape::TOPOLOGY;

pub(crate) use link::gilbert_elliott;
pub(crate) use shape::list_names;

/// The most members that all groups of one kind may have together.
pub(crate) const MOST: u64 = 10_000_000;

/// The largest seed: TOML's largest whole number.
pub(crate) const LARGEST_SEED: u64 = i64::MAX as u64;

const fn key(
    name: &'static str,
    kind: Kind,
    need: Need,
    doc: &'static str,
    example: &'static str,
) -> Key {
    Key {
        name,
        kind,
        need,
        doc,
        example,
    }
}

const COUNT: Kind = Kind::Count {
    least: 1,
    most: u32::MAX as u64,
};
const ORDINAL: Kind = Kind::Count {
    least: 1,
    most: u32::MAX as u64,
};
const SEQUENCE: Kind = Kind::Count {
    least: 0,
    most: u32::MAX as u64,
};
const PROBABILITY: Kind = Kind::Number {
    low: 0.0,
    high: 1.0,
};
const NODES: Kind = Kind::List(&Kind::Table(&NODE));
const LINK_ENTRIES: Kind = Kind::List(&Kind::Table(&LINK_ENTRY));
const FLOWS: Kind = Kind::List(&Kind::Table(&FLOW));

/// The whole file.
pub(crate) static SCENARIO: Table = Table {
    name: "scenario",
    doc: "a network, its traffic, and how long to run it",
    parts: &[&[
        key(
            "title",
            Kind::Text,
            Default("\"\""),
            "What it is called in results.",
            "\"One link\"",
        ),
        key(
            "run",
            Kind::Table(&RUN),
            Required,
            "How long to run, and how.",
            "{ duration = \"60s\" }",
        ),
        key(
            "topology",
            TOPOLOGY,
            Optional,
            "A network of a known shape; [[node]] and [[link]] may extend it.",
            "{ shape = \"star\", leaves = 4, link = { rate = \"10Mbps\" } }",
        ),
        key(
            "node",
            NODES,
            Optional,
            "A host or router, or a group of them.",
            "[{ name = \"left\", count = 10 }]",
        ),
        key(
            "link",
            LINK_ENTRIES,
            Optional,
            "A link, or a group of links.",
            "[{ name = \"core\", from = \"a\", to = \"b\", rate = \"10Mbps\" }]",
        ),
        key(
            "flow",
            FLOWS,
            Optional,
            "Traffic from one node to another, or a group of such flows.",
            "[{ name = \"f\", from = \"a\", to = \"b\", traffic = { kind = \"cbr\", rate = \"1Mbps\", size = \"1KB\" } }]",
        ),
        key(
            "output",
            Kind::Table(&OUTPUT),
            Optional,
            "What to record beyond the counters that are always kept.",
            "{ series = { interval = \"100ms\" } }",
        ),
    ]],
};

static RUN: Table = Table {
    name: "run",
    doc: "how long to run, and how",
    parts: &[&[
        key(
            "duration",
            Kind::Quantity(Span),
            Required,
            "How long to simulate.",
            "\"60s\"",
        ),
        key(
            "warmup",
            Kind::Quantity(Span),
            Default("\"0s\""),
            "How long to run before statistics start; shorter than the duration.",
            "\"10s\"",
        ),
        key(
            "seed",
            Kind::Count {
                least: 0,
                most: LARGEST_SEED,
            },
            Default("1"),
            "The seed of all random streams.",
            "1",
        ),
        key(
            "routing",
            Kind::Choice(&[
                ("hops", "the fewest links"),
                ("delay", "the least propagation delay"),
                ("length", "the least length; every link must have one"),
            ]),
            Default("\"hops\""),
            "What a path is shortest in.",
            "\"hops\"",
        ),
    ]],
};

const NAME: Key = key(
    "name",
    Kind::Name,
    Required,
    "What others call it; members of a group are name[0], name[1]...",
    "\"left\"",
);

static NODE: Table = Table {
    name: "node",
    doc: "a host or router, or a group of them",
    parts: &[&[
        NAME,
        key(
            "count",
            COUNT,
            Optional,
            "Makes a group of so many: name[0], name[1]... Without it there is one, called name.",
            "10",
        ),
    ]],
};

static OUTPUT: Table = Table {
    name: "output",
    doc: "what to record beyond the counters that are always kept",
    parts: &[&[
        key(
            "packets",
            Kind::Table(&PACKETS),
            Optional,
            "Every packet at some ports.",
            "{ links = [\"core\"], from = \"1s\", to = \"2s\" }",
        ),
        key(
            "series",
            Kind::Table(&SERIES),
            Optional,
            "Volume and queue of some ports at regular times.",
            "{ interval = \"100ms\", links = [\"core\"] }",
        ),
        key(
            "tcp",
            Kind::Table(&TCP),
            Optional,
            "What TCP senders do: windows, time-outs, round trips.",
            "{ flows = [\"f\"] }",
        ),
    ]],
};

const LINKS: Key = key(
    "links",
    Kind::List(&Kind::Reference(Of::Links)),
    Default("[]"),
    "At these links; all without it.",
    "[\"core\", \"access[0..5]\", \"core.back\"]",
);

static PACKETS: Table = Table {
    name: "packets",
    doc: "every packet at some ports",
    parts: &[&[
        LINKS,
        key(
            "flows",
            Kind::List(&Kind::Reference(Of::Flows)),
            Default("[]"),
            "Of these flows; all without it.",
            "[\"f\"]",
        ),
        key(
            "from",
            Kind::Quantity(Span),
            Default("\"0s\""),
            "Arriving at or after.",
            "\"1s\"",
        ),
        key(
            "to",
            Kind::Quantity(Span),
            Optional,
            "Arriving before; to the end without it.",
            "\"2s\"",
        ),
    ]],
};

static SERIES: Table = Table {
    name: "series",
    doc: "volume and queue of some ports at regular times",
    parts: &[&[
        key(
            "interval",
            Kind::Quantity(Span),
            Required,
            "The time between two samples.",
            "\"100ms\"",
        ),
        LINKS,
    ]],
};

static TCP: Table = Table {
    name: "tcp",
    doc: "what TCP senders do: windows, time-outs, round trips",
    parts: &[&[key(
        "flows",
        Kind::List(&Kind::Reference(Of::Flows)),
        Default("[]"),
        "The senders of these flows; all TCP flows without it.",
        "[\"f\", \"g[3]\"]",
    )]],
};
