//! A whole scenario file, and its tables other than parts of the network.

use std::collections::BTreeSet;

use pacesim_language::field::{
    Count, FlowRef, Keys, LinkRef, Name, NodeRef, PartName, Perhaps, Reader, Record, Tagged, Whole,
};
use pacesim_language::names::Reference;
use pacesim_language::problem::Faults;
use pacesim_language::tree::{Item, Toml, TomlTable};
use pacesim_language::{table, words};
use pacesim_model::{Metric, Salts, Spray, Ties};
use pacesim_units::Span;

use crate::accept::Accept;
use crate::event::Event;
use crate::fec::FecGroup;
use crate::files::{Files, ScenarioFiles};
use crate::flow::FlowGroup;
use crate::host::{Host, HostKey};
use crate::limits::{LARGEST_SEED, LONGEST};
use crate::link::LinkGroup;
use crate::live::Live;
use crate::switch::SwitchGroup;
use crate::topology::Topology;

type Seed = Whole<u64, 0, LARGEST_SEED>;
type Events = Whole<u64, 1, LARGEST_SEED>;
type Threads = Whole<u32, 1, 256>;

table! {
    /// A network, its traffic, and the length of the run.
    pub struct Scenario "scenario" {
        title: String, (= ""), "The title of the results.", "One link";
        host: Option<Host> as Option<HostKey>, "The hosts: all nodes with one link at which flows begin or end. By default those with TCP of profile linux are \"linux\", and all others, also those with TCP of another profile beside it, are ideal. A [[node]] may have its own.", "none";
        run: Run, "The length of the run, and its settings.", "{ duration = \"60s\" }";
        topology: Option<Topology> as Option<Tagged<Topology>>, "A network of a known shape; [[node]] and [[link]] may extend it.", "{ shape = \"star\", leaves = 4, link = { rate = \"10Mbps\" } }";
        nodes "node": Vec<NodeGroup> as Perhaps<Vec<NodeGroup>>, "A host or router, or a group of them.", "[{ name = \"left\", count = 10 }]";
        links "link": Vec<LinkGroup> as Perhaps<Vec<LinkGroup>>, "A link, or a group of links.", "[{ name = \"core\", from = \"a\", to = \"b\", rate = \"10Mbps\" }]";
        flows "flow": Vec<FlowGroup> as Perhaps<Vec<FlowGroup>>, "Traffic from one node to another, or a group of such flows.", "[{ name = \"f\", from = \"a\", to = \"b\", traffic = { kind = \"cbr\", rate = \"1Mbps\", size = \"1KB\" } }]";
        switches "switch": Vec<SwitchGroup> as Perhaps<Vec<SwitchGroup>>, "A memory that the ports of a node share.", "[{ nodes = [\"hub\"], memory = \"1MB\", alpha = 1.0 }]";
        fec: Vec<FecGroup> as Perhaps<Vec<FecGroup>>, "Protection of packets by repair packets, from their entry into a core to their exit.", "[{ ingress = \"a\", egress = \"b\", block = 3 }]";
        events "event": Vec<Event> as Perhaps<Vec<Event>>, "A change at a given time: of links, or of the flows that send.", "[{ at = \"30s\", links = [\"core\"], rate = \"5Mbps\" }]";
        threads "thread": Vec<ThreadGroup> as Perhaps<Vec<ThreadGroup>>, "Nodes that a thread of their own runs; the division of all others is found by the program.", "[{ nodes = [\"left\"] }]";
        live: Option<Live>, "Real hosts for pacesim live, and how late a machine may be; other commands do not use it.", "{ late = \"50%\" }";
        output: Output as Perhaps<Output>, "Recordings beyond the counters that are always kept.", "{ series = { interval = \"100ms\" } }";
        accepts "accept": Vec<Accept> as Perhaps<Vec<Accept>>, "Warnings that are expected, each with the reason.", "[{ warning = \"no_warmup\", because = \"the start of the run is the subject\" }]";
    }
}

table! {
    /// The length of the run, and its settings.
    pub struct Run "run" derive(Copy, Eq) {
        // Longer than any warm-up: a missing duration causes no second complaint.
        duration: Span, (else LONGEST), "The simulated time.", "60s";
        warmup: Span, (= "0s"), "The time before statistics start; shorter than the duration.", "10s";
        seed: u64 as Seed, (= "1"), "The seed of all random streams.", "1";
        ties: Option<Ties> as Option<TiesWord>, "The order of packets that arrive over different links at the same picosecond, and of sources that send together. By default they are drawn unless a TCP flow has profile ns2 or rfc.", "drawn";
        routing: Metric as RoutingMetric, (= "hops"), "The length that a path minimises: links, delay or length.", "hops";
        multipath: Multipath, (= "none"), "The use of several paths of equal cost.", "flow";
        salts: Salts as SaltsWord, (= "own"), "The salts with which switches hash connections to paths.", "same";
        spray: Option<Spray> as Option<SprayWord>, "With multipath = \"packet\": the order in which packets take the paths; by default permuted.", "random";
        flowlet_gap: Option<Span>, "With multipath = \"flowlet\": the pause of a connection after which its packets may take another path; by default 100us.", "50us";
        most_waiting: Option<u32> as Option<Count>, "The most packets that may wait at one port, in its pacer or in its queue; beyond that the run gives up. By default 10 million.", "1000000";
        most_events: Option<u64> as Option<Events>, "The most packets, calls or other timers of flows that may be due at one instant; if time stands still for longer, the run gives up. By default 10 million plus 100 per flow.", "50000000";
        threads: Option<u32> as Option<Threads>, "The most threads among which the run is divided; its results are the same for any. By default one for each [[thread]]; --threads says otherwise. Not a part of results.", "2";
    }
}

table! {
    /// Nodes that a thread of their own runs, if the run has several. Results do not depend on it.
    pub struct ThreadGroup "thread" derive(Eq) {
        nodes: Vec<Reference> as Vec<NodeRef>, "The nodes.", "[\"left\", \"hub\"]";
    }
}

/// The measure of a path's length.
struct RoutingMetric;

words! {
    RoutingMetric: Metric {
        "hops" => Metric::Hops, "the fewest links";
        "delay" => Metric::Delay, "the least propagation delay";
        "length" => Metric::Length, "the least length; every link must have one";
    }
}

words! {
    /// The use of several paths of equal cost. Rules with keys of their own are the first, the middle
    /// and the last, which stand in for a refused word.
    pub enum Multipath {
        Flow "flow", "ECMP: each switch hashes a connection, and its ACKs, to one of the next links";
        None "none", "all packets take the path whose links come first";
        Packet "packet", "each packet takes a path of its own, and so does each ACK";
        Hosts "hosts", "ECMP by hosts alone: all connections between two of them share a path";
        Least "least", "each switch sends a packet over the least loaded of some next links (DRILL)";
        Flowlet "flowlet", "a connection takes a path drawn anew after each pause in its sending";
    }
}

impl Multipath {
    /// True if switches hash packets to links.
    pub const fn is_hashed(self) -> bool {
        match self {
            Multipath::Flow | Multipath::Hosts => true,
            Multipath::None | Multipath::Packet | Multipath::Least | Multipath::Flowlet => false,
        }
    }
}

/// The salts of switches.
struct SaltsWord;

words! {
    SaltsWord: Salts {
        "own" => Salts::Own, "each switch has a random one";
        "same" => Salts::Same, "all have the same: switches in a row choose alike, and leave paths unused";
        "numbers" => Salts::Numbers, "each has the number of its node";
    }
}

/// The order in which packets take paths.
struct SprayWord;

words! {
    SprayWord: Spray {
        "permuted" => Spray::Permuted, "each path once a round, in an order drawn for each round";
        "random" => Spray::Random, "each packet draws its path";
        "round" => Spray::Round, "each path once a round, always in the same order";
    }
}

/// The order of packets that arrive together.
struct TiesWord;

words! {
    TiesWord: Ties {
        "drawn" => Ties::Drawn, "a random order at each instant, by the seed";
        "ids" => Ties::ByNumber, "the order of the links and flows, as in ns-2: the same wins every tie";
    }
}

table! {
    /// A host or router, or a group of them.
    pub struct NodeGroup "node" {
        name: String as Name, "The name that links and flows refer to; the members of a group are name[0], name[1]...", "left";
        count: Option<u32> as Option<Count>, "The number of nodes in the group name[0], name[1]... By default there is one node, called name.", "10";
        host: Option<Host> as Option<HostKey>, "The hosts at these nodes, if they are not those of the scenario.", "{ stalls = { every = \"1s\", length = \"5ms\" } }";
    }
}

table! {
    /// Recordings beyond the counters that are always kept.
    pub struct Output "output" derive(Default, Eq) {
        packets: Option<PacketOutput>, "Every packet at some ports.", "{ links = [\"core\"], from = \"1s\", to = \"2s\" }";
        series: Option<SeriesOutput>, "Links, flows or groups of flows at regular times.", "{ interval = \"100ms\", links = [\"core\"] }";
        tcp: Option<TcpOutput>, "A log of TCP senders: windows, time-outs, round trips.", "{ flows = [\"f\"] }";
        ends: Option<EndOutput>, "A log of senders of other transports: rates, windows, and the other numbers that they declare.", "{ flows = [\"f\"] }";
    }
}

table! {
    /// Every packet at some ports.
    pub struct PacketOutput "packets" derive(Default, Eq) {
        links: Vec<Reference> as Vec<LinkRef>, (= "[]"), "The links at whose ports packets are recorded; by default all.", "[\"core\", \"access[0..5]\", \"core.back\"]";
        flows: Vec<Reference> as Vec<FlowRef>, (= "[]"), "The flows whose packets are recorded; by default all.", "[\"f\"]";
        from: Span, (= "0s"), "The first time at which arrivals are recorded.", "1s";
        to: Option<Span>, "The time from which arrivals are no longer recorded; by default the end.", "2s";
    }
}

table! {
    /// Links, flows or groups of flows at regular times.
    pub struct SeriesOutput "series" derive(Eq) {
        interval: Span, "The time between two samples.", "100ms";
        of: Vec<Sampled>, (= "[\"links\"]"), "The things to sample.", "[\"links\", \"groups\"]";
        links: Vec<Reference> as Vec<LinkRef>, (= "[]"), "The links that are sampled; by default all.", "[\"core\", \"access[0..5]\", \"core.back\"]";
        flows: Vec<Reference> as Vec<FlowRef>, (= "[]"), "The flows that are sampled, and whose groups are; by default all.", "[\"f\", \"g[3]\"]";
        unchanged: bool, (= "false"), "Include a row for each value that equals the one in the previous sample.", "true";
    }
}

words! {
    /// The things that a time series samples.
    pub enum Sampled {
        Links "links", "volume and queue of each link's port";
        Flows "flows", "goodput and losses of each flow; of TCP also windows and round trips";
        Groups "groups", "the same of each group of flows together";
    }
}

table! {
    /// A log of TCP senders: windows, time-outs, round trips.
    pub struct TcpOutput "tcp" derive(Default, Eq) {
        flows: Vec<Reference> as Vec<FlowRef>, (= "[]"), "The senders of these flows; by default all TCP flows.", "[\"f\", \"g[3]\"]";
    }
}

table! {
    /// A log of senders that are not TCP: each change of a number that their transport declares.
    pub struct EndOutput "ends" derive(Default, Eq) {
        flows: Vec<Reference> as Vec<FlowRef>, (= "[]"), "The senders of these flows; by default all that declare numbers.", "[\"f\", \"g[3]\"]";
    }
}

impl Scenario {
    /// An empty network, run for this time with seed 1.
    pub fn new(duration: Span) -> Scenario {
        Scenario {
            title: String::new(),
            host: None,
            run: Run {
                duration,
                warmup: Span::ZERO,
                seed: 1,
                ties: None,
                routing: Metric::Hops,
                multipath: Multipath::None,
                salts: Salts::Own,
                spray: None,
                flowlet_gap: None,
                most_waiting: None,
                most_events: None,
                threads: None,
            },
            topology: None,
            nodes: Vec::new(),
            links: Vec::new(),
            flows: Vec::new(),
            switches: Vec::new(),
            fec: Vec::new(),
            events: Vec::new(),
            threads: Vec::new(),
            live: None,
            output: Output::default(),
            accepts: Vec::new(),
        }
    }

    /// Reads a whole file; errors that only reading reveals, such as a missing file, go to
    /// `faults`.
    pub fn read(tree: &TomlTable, files: &dyn Files, faults: &mut Faults) -> Scenario {
        let scenario = Scenario::read_keys(tree, &mut Reader::new(&ScenarioFiles(files), faults));
        scenario.expect("every key of the file has something that stands in for it")
    }

    /// The text of this scenario, fully resolved: read again, it gives the same
    /// scenario.
    pub fn to_toml(&self) -> String {
        Keys::of::<Scenario>(self).sections()
    }

    /// The same scenario without its division among threads, which no result depends on.
    pub fn undivided(&self) -> Scenario {
        let mut scenario = self.clone();
        scenario.run.threads = None;
        scenario.threads.clear();
        scenario
    }

    /// The names of the files that it was read from, once per mention.
    pub fn file_names(&self) -> Vec<String> {
        let mut keys = Keys::of::<Scenario>(self);
        let names = keys.files_mut().into_iter();
        names.map(|name| name.clone()).collect()
    }

    /// Names of the program's own parts in the scenario, sorted.
    pub fn own_parts(&self) -> Vec<PartName> {
        let keys = Keys::of::<Scenario>(self);
        let parts: BTreeSet<&PartName> = keys.parts().into_iter().collect();
        parts.into_iter().cloned().collect()
    }

    /// The same text with other names of files.
    pub fn to_toml_with_files(&self, named: impl Fn(&str) -> String) -> String {
        let mut keys = Keys::of::<Scenario>(self);
        for name in keys.files_mut() {
            *name = named(name);
        }
        keys.sections()
    }
}

impl NodeGroup {
    /// A group of one node with this name.
    pub fn one(name: &str) -> NodeGroup {
        NodeGroup {
            name: name.to_owned(),
            count: None,
            host: None,
        }
    }

    /// A group of nodes name\[0\], name\[1\]...
    pub fn many(name: &str, count: u32) -> NodeGroup {
        NodeGroup {
            name: name.to_owned(),
            count: Some(count),
            host: None,
        }
    }
}

/// The keys whose strings are file names, at any place.
const FILE_KEYS: [&str; 3] = ["file", "empirical", "opportunities"];

/// True if a string under this key is the name of a file.
pub fn names_file(key: &str) -> bool {
    FILE_KEYS.contains(&key)
}

/// The files named in a tree, with the paths of the keys.
pub fn named_files(tree: &TomlTable) -> Vec<(String, String)> {
    let mut named = Vec::new();
    for entry in &tree.entries {
        find_files(&entry.item, &entry.key, &entry.key, &mut named);
    }
    named
}

fn find_files(item: &Item, key: &str, path: &str, named: &mut Vec<(String, String)>) {
    match &item.value {
        Toml::Text(name) if names_file(key) => named.push((path.to_owned(), name.clone())),
        Toml::Table(table) => {
            for entry in &table.entries {
                let path = format!("{path}.{}", entry.key);
                find_files(&entry.item, &entry.key, &path, named);
            }
        }
        Toml::List(items) => {
            for (i, item) in items.iter().enumerate() {
                find_files(item, key, &format!("{path}[{i}]"), named);
            }
        }
        _ => (),
    }
}
