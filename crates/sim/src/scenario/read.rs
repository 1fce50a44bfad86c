//! From a tree to a [`Scenario`]. What is wrong with the tree has been told by
//! [`super::walk`]; here each wrong value is replaced by one that causes no
//! further complaint.

use std::sync::Arc;

use pacesim_units::{Bytes, Capacity, Rate, Span};

use super::files::{self, Files};
use super::keys::Of;
use super::language;
use super::pacer::{self, PacerSpec};
use super::problem::Faults;
use super::tcp;
use super::tree::{self, Item, Value as Raw};
use super::types::*;
use super::values::{Length, Pairing, Value};
use super::view::{View, flag, integer, parsed, table_of, text};
use super::walk::number;
use crate::model::{Loss, Metric, Phase, Sizes};
use crate::recording::Smooth;

/// Reads a whole scenario; adds what only reading shows, such as a missing file.
pub(crate) fn scenario(tree: &tree::Table, files: &dyn Files, faults: &mut Faults) -> Scenario {
    let mut reader = Reader { files, faults };
    let top = View {
        tree,
        table: &language::SCENARIO,
        path: String::new(),
    };
    Scenario {
        title: top.text("title").unwrap_or_default(),
        run: run(&top.table("run").unwrap_or_else(|| top.empty("run"))),
        topology: top
            .tagged("topology", "shape")
            .and_then(|view| reader.topology(&view)),
        nodes: top.tables("node").iter().map(node).collect(),
        links: top
            .tables("link")
            .iter()
            .map(|view| reader.link(view))
            .collect(),
        flows: top
            .tables("flow")
            .iter()
            .map(|view| reader.flow(view))
            .collect(),
        output: top
            .table("output")
            .map(|view| output(&view))
            .unwrap_or_default(),
    }
}

fn run(view: &View<'_>) -> Run {
    Run {
        // Longer than any warm-up: a missing duration makes no second complaint.
        duration: view.parsed("duration").unwrap_or(super::check::LONGEST),
        warmup: view.parsed("warmup").unwrap_or_default(),
        seed: view
            .get("seed", |item| u64::try_from(integer(item)?).ok())
            .unwrap_or(1),
        routing: view
            .get("routing", |item| match text(item)? {
                "hops" => Some(Metric::Hops),
                "delay" => Some(Metric::Delay),
                "length" => Some(Metric::Length),
                _ => None,
            })
            .unwrap_or_default(),
    }
}

fn node(view: &View<'_>) -> NodeGroup {
    NodeGroup {
        name: view.text("name").unwrap_or_default(),
        count: view.count("count"),
    }
}

fn pairing(view: &View<'_>) -> Pairing {
    view.get("pair", |item| match &item.value {
        Raw::Text(word) => Some(match word.as_str() {
            "cyclic" => Pairing::Cyclic,
            "block" => Pairing::Block,
            "all" => Pairing::All,
            "random" => Pairing::Random,
            _ => return None,
        }),
        Raw::Table(table) => {
            let stride = integer(table.get("stride")?)?;
            u32::try_from(stride)
                .ok()
                .filter(|n| *n > 0)
                .map(Pairing::Stride)
        }
        _ => None,
    })
    .unwrap_or_default()
}

fn buffer_counts(item: &Item) -> Option<BufferCounts> {
    match text(item)? {
        "waiting" => Some(BufferCounts::Waiting),
        "system" => Some(BufferCounts::System),
        "ns2_limit" => Some(BufferCounts::Ns2Limit),
        _ => None,
    }
}

fn loss(item: &Item) -> Option<Loss> {
    let table = table_of(item)?;
    let probability = |item: &Item| Some(number(&item.value)).filter(|p| (0.0..=1.0).contains(p));
    if let Some(item) = table.get("bernoulli") {
        return Some(Loss::Bernoulli {
            probability: probability(item)?,
        });
    }
    let chain = View {
        tree: table_of(table.get("gilbert_elliott")?)?,
        table: language::gilbert_elliott(),
        path: String::new(),
    };
    Some(Loss::GilbertElliott {
        to_bad: chain.get("to_bad", probability)?,
        to_good: chain.get("to_good", probability)?,
        loss_good: chain.get("loss_good", probability)?,
        loss_bad: chain.get("loss_bad", probability)?,
    })
}

fn output(view: &View<'_>) -> Output {
    Output {
        packets: view.table("packets").map(|view| PacketOutput {
            links: view.references("links", Of::Links),
            flows: view.references("flows", Of::Flows),
            from: view.parsed("from").unwrap_or_default(),
            to: view.parsed("to"),
        }),
        series: view.table("series").map(|view| SeriesOutput {
            interval: view.parsed("interval").unwrap_or(Span::from_secs(1)),
            links: view.references("links", Of::Links),
        }),
        tcp: view.table("tcp").map(|view| TcpOutput {
            flows: view.references("flows", Of::Flows),
        }),
    }
}

/// Reads what can fail in ways that the language's table cannot express.
struct Reader<'r> {
    files: &'r dyn Files,
    faults: &'r mut Faults,
}

impl Reader<'_> {
    fn topology(&mut self, view: &View<'_>) -> Option<Topology> {
        let count = |name| view.count(name).unwrap_or(1);
        let mut link = |name: &str| self.spec_at(view, name);
        Some(match view.table.name {
            "dumbbell" => Topology::Dumbbell {
                pairs: count("pairs"),
                access: link("access").unwrap_or_else(harmless),
                bottleneck: link("bottleneck").unwrap_or_else(harmless),
                exit: link("exit"),
            },
            "tandem" => Topology::Tandem {
                hops: count("hops"),
                link: link("link").unwrap_or_else(harmless),
            },
            "parking_lot" => Topology::ParkingLot {
                hops: count("hops"),
                link: link("link").unwrap_or_else(harmless),
                access: link("access").unwrap_or_else(harmless),
            },
            "star" => Topology::Star {
                leaves: count("leaves"),
                link: link("link").unwrap_or_else(harmless),
            },
            "access_tree" => Topology::AccessTree {
                hosts: count("hosts"),
                edges: count("edges"),
                access: link("access").unwrap_or_else(harmless),
                edge: link("edge").unwrap_or_else(harmless),
                core: link("core").unwrap_or_else(harmless),
            },
            _ => return self.mesh(view),
        })
    }

    fn mesh(&mut self, view: &View<'_>) -> Option<Topology> {
        Some(Topology::Mesh {
            list: self.list(view)?,
            link: self.spec_at(view, "link").unwrap_or_else(harmless),
            hosts: view.count("hosts").unwrap_or(0),
            access: self.spec_at(view, "access"),
        })
    }

    fn list(&mut self, view: &View<'_>) -> Option<EdgeList> {
        if view.table.key("file").is_none() {
            let list = view.text("list")?;
            return EdgeList::shipped(view.table.name, &list);
        }
        let file = view.text("file").filter(|file| !file.is_empty())?;
        let edges = self
            .files
            .text(&file)
            .and_then(|text| files::edge_list(&text));
        let edges = self.file(view, &file, edges, "a CSV file with the columns a, b, km")?;
        Some(EdgeList {
            source: ListSource::File(file),
            edges,
        })
    }

    /// What was read from a file, or a complaint at the key that names it.
    fn file<T>(
        &mut self,
        view: &View<'_>,
        name: &str,
        read: Result<T, String>,
        form: &str,
    ) -> Option<T> {
        match read {
            Ok(content) => Some(content),
            Err(error) => {
                let message = format!("cannot use the file \"{name}\": {error}");
                self.faults
                    .add(view.path("file"), message)
                    .help(format!("give {form}"));
                None
            }
        }
    }

    fn spec_at(&mut self, view: &View<'_>, name: &str) -> Option<LinkSpec> {
        view.table(name).map(|view| self.spec(&view))
    }

    fn spec(&mut self, view: &View<'_>) -> LinkSpec {
        LinkSpec {
            rate: view.drawn("rate").unwrap_or_else(fast),
            delay: view.drawn("delay"),
            length: view.parsed::<Length>("length"),
            queue: Queue {
                buffer: view.parsed("buffer").unwrap_or(Capacity::Unlimited),
                counts: view.get("buffer_counts", buffer_counts).unwrap_or_default(),
            },
            pacer: paced(view),
            loss: view.get("loss", loss),
            drops: self.drops(view),
            back: view
                .table("back")
                .map(|view| self.back(&view))
                .unwrap_or_default(),
        }
    }

    fn back(&mut self, view: &View<'_>) -> Back {
        Back {
            rate: view.drawn("rate"),
            delay: view.drawn("delay"),
            buffer: view.parsed("buffer"),
            counts: view.get("buffer_counts", buffer_counts),
            pacer: paced(view),
            loss: view.get("loss", loss),
            drops: self.drops(view),
        }
    }

    fn drops(&mut self, view: &View<'_>) -> Vec<Drop> {
        view.tables("drops")
            .iter()
            // What stands in for a wrong entry keeps the others at their places.
            .map(|view| self.drop_rule(view).unwrap_or(Drop::Packet(u64::MAX)))
            .collect()
    }

    /// Exactly one of packet, seq and ack; the last two with a flow.
    fn drop_rule(&mut self, view: &View<'_>) -> Option<Drop> {
        let given = |name| view.item(name).is_some();
        let chosen = ["packet", "seq", "ack"]
            .into_iter()
            .filter(|name| given(name))
            .count();
        let whole =
            chosen == 1 && given("flow") != given("packet") && !(given("packet") && given("k"));
        let known = |entry: &tree::Entry| view.table.key(&entry.key).is_some();
        if !whole && view.tree.entries.iter().all(known) {
            let message = "it is not clear which packet to drop";
            let help = "give { packet = 5 }, { flow = \"f\", seq = 7 } or { flow = \"f\", ack = 7 }, the last two perhaps with k";
            self.faults.add(view.path.clone(), message).help(help);
        }
        let flow = || view.reference("flow", Of::Flows);
        let k = view.count("k").unwrap_or(1);
        if let Some(packet) = view.get("packet", |item| {
            u64::try_from(integer(item)?).ok().filter(|n| *n > 0)
        }) {
            return Some(Drop::Packet(packet));
        }
        if let Some(seq) = view.count("seq") {
            return Some(Drop::Sequence {
                flow: flow(),
                seq,
                k,
            });
        }
        view.count("ack").map(|ack| Drop::Ack {
            flow: flow(),
            ack,
            k,
        })
    }

    fn link(&mut self, view: &View<'_>) -> LinkGroup {
        LinkGroup {
            name: view.text("name").unwrap_or_default(),
            from: view.reference("from", Of::Nodes),
            to: view.reference("to", Of::Nodes),
            pair: pairing(view),
            duplex: view.get("duplex", flag).unwrap_or(true),
            spec: self.spec(view),
        }
    }

    fn flow(&mut self, view: &View<'_>) -> FlowGroup {
        let traffic = view
            .tagged("traffic", "kind")
            .and_then(|view| self.traffic(&view));
        FlowGroup {
            name: view.text("name").unwrap_or_default(),
            count: view.count("count"),
            from: view.reference("from", Of::Nodes),
            to: view.reference("to", Of::Nodes),
            pair: pairing(view),
            start: view.drawn("start").unwrap_or(Value::Constant(Span::ZERO)),
            stop: view.parsed("stop"),
            class: view
                .get("class", |item| u16::try_from(integer(item)?).ok())
                .unwrap_or(0),
            traffic: traffic.unwrap_or(Traffic::Cbr {
                rate: fast(),
                size: Bytes(1),
            }),
        }
    }

    fn traffic(&mut self, view: &View<'_>) -> Option<Traffic> {
        let size = || view.parsed("size").unwrap_or(Bytes(1));
        Some(match view.table.name {
            "cbr" => Traffic::Cbr {
                rate: view.drawn("rate").unwrap_or_else(fast),
                size: size(),
            },
            "poisson" => Traffic::Poisson {
                rate: view.drawn("rate").unwrap_or_else(fast),
                size: match view.drawn::<Bytes>("size") {
                    Some(Value::Drawn(distribution)) => Sizes::Drawn(distribution),
                    Some(Value::Constant(size)) => Sizes::Constant(size),
                    None => Sizes::Constant(Bytes(1)),
                },
            },
            "on_off" => Traffic::OnOff {
                peak: view.drawn("peak").unwrap_or_else(fast),
                size: size(),
                mean_on: view
                    .drawn("mean_on")
                    .unwrap_or(Value::Constant(Span::from_secs(1))),
                mean_off: view
                    .drawn("mean_off")
                    .unwrap_or(Value::Constant(Span::from_secs(1))),
                phase: view
                    .get("phase", |item| match text(item)? {
                        "random" => Some(Phase::Random),
                        "on" => Some(Phase::On),
                        "off" => Some(Phase::Off),
                        _ => None,
                    })
                    .unwrap_or_default(),
            },
            "tcp" => tcp::read::traffic(view, self.faults),
            _ => self.recorded(view)?,
        })
    }

    fn recorded(&mut self, view: &View<'_>) -> Option<Traffic> {
        let file = view.text("file").filter(|file| !file.is_empty())?;
        let recording = files::recording(self.files, &file);
        let form =
            "a CSV or Parquet file with the columns t_s (or t_ms, t_us, t_ns, t_ps) and size_bytes";
        let recording = self.file(view, &file, recording, form)?;
        let smooth = view.get("smooth", |item| match flag(item) {
            Some(true) => Some(Smooth::Deadlines),
            Some(false) => None,
            None => parsed(item).map(Smooth::Within),
        });
        Some(Traffic::Recorded {
            file,
            recording,
            smooth,
        })
    }
}

/// The pacer of a link.
fn paced(view: &View<'_>) -> Option<PacerSpec> {
    view.tagged("pacer", "kind")
        .map(|view| pacer::read::pacer(&view))
}

/// A link that causes no complaint.
fn harmless() -> LinkSpec {
    LinkSpec::new(Rate::from_mbps(1_000))
}

fn fast() -> Value<Rate> {
    Value::Constant(Rate::from_mbps(1_000))
}

impl EdgeList {
    /// A list that ships with pacesim: ("nsfnet", "21_links"), ("us24", "long")...;
    /// `None` if there is no such list.
    pub fn shipped(shape: &str, list: &str) -> Option<EdgeList> {
        let text = files::shipped(shape, list)?;
        let (shape, list) = language::list_names(shape, list)?;
        let edges: Arc<[ListedEdge]> = files::edge_list(text).expect("shipped lists are valid");
        Some(EdgeList {
            source: ListSource::Shipped(shape, list),
            edges,
        })
    }
}

/// The files that a tree names, with the paths of the keys.
pub(crate) fn named_files(tree: &tree::Table) -> Vec<(String, String)> {
    let top = View {
        tree,
        table: &language::SCENARIO,
        path: String::new(),
    };
    let topology = top.tagged("topology", "shape").into_iter();
    let flows = top.tables("flow");
    let traffic = flows
        .iter()
        .filter_map(|view| view.tagged("traffic", "kind"));
    topology
        .chain(traffic)
        .filter(|view| view.table.key("file").is_some())
        .filter_map(|view| Some((view.path("file"), view.text("file")?)))
        .collect()
}
