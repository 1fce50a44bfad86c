//! The scenario language: every table and key there is, with kind, default,
//! meaning and example. The reader, the messages, the JSON schema and the
//! reference all follow this file; to add a key, add it here and read it in
//! [`super::read`].

use pacesim_units::Quantity::{Bytes, Capacity, Rate, Span};

use super::keys::Need::{Default, Optional, Required};
use super::keys::{Key, Kind, Need, Of, Table};

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
/// Any finite number: what a distribution allows is told by the distribution.
const SHAPE: Kind = Kind::Number {
    low: f64::NEG_INFINITY,
    high: f64::INFINITY,
};

const NODES: Kind = Kind::List(&Kind::Table(&NODE));
const LINK_ENTRIES: Kind = Kind::List(&Kind::Table(&LINK_ENTRY));
const FLOWS: Kind = Kind::List(&Kind::Table(&FLOW));
const DROPS: Kind = Kind::List(&Kind::Table(&DROP));

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

const TOPOLOGY: Kind = Kind::Tagged {
    tag: "shape",
    cases: &[
        &DUMBBELL,
        &TANDEM,
        &PARKING_LOT,
        &STAR,
        &ACCESS_TREE,
        &NSFNET,
        &US24,
        &EDGE_LIST,
    ],
};

static DUMBBELL: Table = Table {
    name: "dumbbell",
    doc: "nodes left[i], L, R, right[i]; links access[i] (left[i] to L), core (L to R), exit[i] (R to right[i])",
    parts: &[&[
        key(
            "pairs",
            COUNT,
            Required,
            "How many nodes there are on each side.",
            "10",
        ),
        key(
            "access",
            Kind::Table(&LINK),
            Required,
            "The links from left[i] to L.",
            "{ rate = \"10Mbps\", delay = \"1ms\" }",
        ),
        key(
            "bottleneck",
            Kind::Table(&LINK),
            Required,
            "The link from L to R, named core.",
            "{ rate = \"10Mbps\", delay = \"20ms\", buffer = \"50KB\" }",
        ),
        key(
            "exit",
            Kind::Table(&LINK),
            Optional,
            "The links from R to right[i]; without it they are as access, with draws of their own.",
            "{ rate = \"100Mbps\" }",
        ),
    ]],
};

static TANDEM: Table = Table {
    name: "tandem",
    doc: "a chain of nodes node[0] to node[hops]; links hop[i] (node[i] to node[i+1])",
    parts: &[&[
        key(
            "hops",
            COUNT,
            Required,
            "How many links there are in a row.",
            "3",
        ),
        key(
            "link",
            Kind::Table(&LINK),
            Required,
            "These links.",
            "{ rate = \"10Mbps\", delay = \"2ms\" }",
        ),
    ]],
};

static PARKING_LOT: Table = Table {
    name: "parking_lot",
    doc: "a chain router[0] to router[hops] by links hop[i]; the long path is from node head (link head, to router[0]) to node tail (link tail, from router[hops]); the cross path of each hop is from enter[i] (link access[i], to router[i]) to leave[i] (link exit[i], from router[i+1])",
    parts: &[&[
        key(
            "hops",
            COUNT,
            Required,
            "How many links there are in a row.",
            "3",
        ),
        key(
            "link",
            Kind::Table(&LINK),
            Required,
            "The links hop[i].",
            "{ rate = \"10Mbps\", delay = \"5ms\", buffer = \"20pkts\" }",
        ),
        key(
            "access",
            Kind::Table(&LINK),
            Required,
            "All other links.",
            "{ rate = \"100Mbps\", delay = \"1ms\" }",
        ),
    ]],
};

static STAR: Table = Table {
    name: "star",
    doc: "nodes leaf[i] around a node hub; links spoke[i] (leaf[i] to hub)",
    parts: &[&[
        key("leaves", COUNT, Required, "How many leaves there are.", "8"),
        key(
            "link",
            Kind::Table(&LINK),
            Required,
            "The links spoke[i].",
            "{ rate = \"1Gbps\", delay = \"10us\" }",
        ),
    ]],
};

static ACCESS_TREE: Table = Table {
    name: "access_tree",
    doc: "hosts behind edge routers behind one core link. Nodes left[i], ingress[j], L, R, egress[j], right[i]; links access[i] (left[i] to ingress[i mod edges]), edge[j] (ingress[j] to L), core (L to R), edge_out[j] (R to egress[j]), exit[i] (egress[(i div edges) mod edges] to right[i])",
    parts: &[&[
        key(
            "hosts",
            COUNT,
            Required,
            "How many hosts there are on each side.",
            "1000",
        ),
        key(
            "edges",
            COUNT,
            Required,
            "How many edge routers there are on each side.",
            "10",
        ),
        key(
            "access",
            Kind::Table(&LINK),
            Required,
            "The links access[i] and exit[i].",
            "{ rate = { uniform = [\"8Mbps\", \"12Mbps\"] }, delay = { uniform = [\"1ms\", \"5ms\"] } }",
        ),
        key(
            "edge",
            Kind::Table(&LINK),
            Required,
            "The links edge[j] and edge_out[j].",
            "{ rate = \"100Mbps\", delay = { uniform = [\"5ms\", \"15ms\"] } }",
        ),
        key(
            "core",
            Kind::Table(&LINK),
            Required,
            "The link core.",
            "{ rate = \"100Mbps\", delay = \"100ms\", buffer = \"10KB\" }",
        ),
    ]],
};

const MESH_KEYS: &[Key] = &[
    key(
        "link",
        Kind::Table(&LINK),
        Required,
        "The links trunk[i], in the order of the list. Without a delay here each has that of its length, 5 us per km.",
        "{ rate = \"1Gbps\", buffer = \"50KB\" }",
    ),
    key(
        "hosts",
        Kind::Count {
            least: 0,
            most: u32::MAX as u64,
        },
        Default("0"),
        "How many hosts each router has: host[i] is at router[i div hosts] by access[i].",
        "4",
    ),
    key(
        "access",
        Kind::Table(&LINK),
        Optional,
        "The links access[i] (host[i] to its router); needed with hosts.",
        "{ rate = \"100Mbps\", delay = \"1ms\" }",
    ),
];

static NSFNET: Table = Table {
    name: "nsfnet",
    doc: "the 14 nodes of NSFNET, router[0] to router[13], with links trunk[i] and their lengths; hosts host[i] with links access[i]",
    parts: &[
        &[key(
            "list",
            Kind::Choice(&[
                ("21_links", "the 21-link list, paths of at most 4500 km"),
                (
                    "22_links",
                    "the 22-link list with the lengths common in optical studies, at most 3900 km",
                ),
                (
                    "22_links_classic",
                    "the same 22 links with twice those lengths",
                ),
            ]),
            Default("\"21_links\""),
            "Which of the lists in use.",
            "\"21_links\"",
        )],
        MESH_KEYS,
    ],
};

static US24: Table = Table {
    name: "us24",
    doc: "a US core of 24 nodes, router[0] to router[23], with 43 links trunk[i] and their lengths; hosts host[i] with links access[i]",
    parts: &[
        &[key(
            "list",
            Kind::Choice(&[
                ("long", "links of 250 to 2800 km"),
                ("alternative", "the same but for six lengths"),
                ("short", "the same graph with links of 164 to 648 km"),
            ]),
            Default("\"long\""),
            "Which of the lists in use.",
            "\"long\"",
        )],
        MESH_KEYS,
    ],
};

static EDGE_LIST: Table = Table {
    name: "edge_list",
    doc: "the links of a CSV file with the columns a, b, km and, if wanted, delay_ms; its nodes, in ascending order, are router[0], router[1]...; hosts host[i] with links access[i]",
    parts: &[
        &[key(
            "file",
            Kind::File,
            Required,
            "The CSV file, relative to the scenario.",
            "\"network.csv\"",
        )],
        MESH_KEYS,
    ],
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

const PAIRINGS: &[(&str, &str)] = &[
    ("cyclic", "member i joins from[i mod n] and to[i mod m]"),
    (
        "block",
        "members are dealt in equal runs: of k members, i joins from[i*n div k] and to[i*m div k]",
    ),
    ("all", "every node of from with every other node of to"),
];

const FLOW_PAIRINGS: &[(&str, &str)] = &[
    PAIRINGS[0],
    PAIRINGS[1],
    PAIRINGS[2],
    ("random", "from[i mod n] with a random other node of to"),
];

const STRIDE: &[Key] = &[key(
    "stride",
    COUNT,
    Optional,
    "The longer side counts i, the shorter i div stride.",
    "10",
)];

const PAIR_DOC: &str = "How the nodes of from (n of them) and to (m) are paired.";

static LINK_ENTRY: Table = Table {
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
static LINK: Table = Table {
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
        "What is different on the way back. Loss and drops never carry over.",
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

static DROP: Table = Table {
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

static FLOW: Table = Table {
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
    cases: &[&CBR, &POISSON, &ON_OFF, &RECORDED],
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
    doc: "arrivals from a CSV file with a column of times (t_s, t_ms, t_us, t_ns or t_ps, from the flow's start) and a column size_bytes",
    parts: &[&[key(
        "file",
        Kind::File,
        Required,
        "The CSV file, relative to the scenario.",
        "\"arrivals.csv\"",
    )]],
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

/// The distributions of one quantity: modules named after the quantity.
macro_rules! distributions {
    ($module:ident, $quantity:ident, $low:literal, $high:literal) => {
        mod $module {
            use super::*;
            const VALUE: Kind = Kind::Quantity($quantity);
            pub(super) const KEYS: &[Key] = &[
                key(
                    "uniform",
                    Kind::Pair(&VALUE),
                    Optional,
                    "Equally likely between two values.",
                    concat!("[\"", $low, "\", \"", $high, "\"]"),
                ),
                key(
                    "exponential",
                    VALUE,
                    Optional,
                    "Exponential, by its mean.",
                    concat!("\"", $low, "\""),
                ),
                key(
                    "pareto",
                    Kind::Table(&PARETO),
                    Optional,
                    "Pareto.",
                    concat!("{ mean = \"", $low, "\", shape = 1.5 }"),
                ),
                key(
                    "normal",
                    Kind::Table(&NORMAL),
                    Optional,
                    "Normal.",
                    concat!("{ mean = \"", $high, "\", std_dev = \"", $low, "\" }"),
                ),
                key(
                    "lognormal",
                    Kind::Table(&LOGNORMAL),
                    Optional,
                    "Log-normal.",
                    concat!("{ mean = \"", $low, "\", sigma = 0.5 }"),
                ),
                key(
                    "geometric",
                    VALUE,
                    Optional,
                    "Geometric on 1, 2, 3..., by its mean.",
                    concat!("\"", $low, "\""),
                ),
            ];
            const MEAN: Key = key(
                "mean",
                VALUE,
                Required,
                "Its mean.",
                concat!("\"", $low, "\""),
            );
            static PARETO: Table = Table {
                name: "pareto",
                doc: "mean and shape",
                parts: &[&[
                    MEAN,
                    key(
                        "shape",
                        SHAPE,
                        Required,
                        "Its shape, above 1; the smaller, the heavier the tail.",
                        "1.5",
                    ),
                ]],
            };
            static NORMAL: Table = Table {
                name: "normal",
                doc: "mean and standard deviation",
                parts: &[&[
                    MEAN,
                    key(
                        "std_dev",
                        VALUE,
                        Required,
                        "Its standard deviation.",
                        concat!("\"", $low, "\""),
                    ),
                ]],
            };
            static LOGNORMAL: Table = Table {
                name: "lognormal",
                doc: "mean and the standard deviation of the logarithm",
                parts: &[&[
                    MEAN,
                    key(
                        "sigma",
                        SHAPE,
                        Required,
                        "The standard deviation of the logarithms.",
                        "0.5",
                    ),
                ]],
            };
        }
    };
}

distributions!(rate, Rate, "8Mbps", "12Mbps");
distributions!(span, Span, "1ms", "5ms");
distributions!(bytes, Bytes, "40B", "1500B");

/// For the reader of loss.
pub(crate) fn gilbert_elliott() -> &'static Table {
    &GILBERT_ELLIOTT
}

/// The static names of a shipped list.
pub(crate) fn list_names(shape: &str, list: &str) -> Option<(&'static str, &'static str)> {
    let table = [&NSFNET, &US24]
        .into_iter()
        .find(|table| table.name == shape)?;
    let Kind::Choice(words) = table.key("list")?.kind else {
        return None;
    };
    let (word, _) = words.iter().find(|(word, _)| *word == list)?;
    Some((table.name, word))
}
