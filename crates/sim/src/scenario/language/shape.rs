//! [topology]: networks of known shapes.

use super::super::keys::Need::{Default, Optional, Required};
use super::super::keys::{Key, Kind, Table};
use super::link::LINK;
use super::{COUNT, key};

pub(super) const TOPOLOGY: Kind = Kind::Tagged {
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
