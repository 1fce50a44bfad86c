//! The messages of Homa's paper (Montazeri et al., SIGCOMM 2018) under the queue of pFabric, against
//! the numbers that its authors published: `PACESIM_HOMA=DIR` names a folder with
//! `original-raw-data-from-paper.txt` (serhatarslan-hub/HomaL4Protocol-ns-3, commit 3cac711) and the
//! distributions of sizes of PlatformLab/HomaSimulation. Without it nothing is compared.
//!
//! `PACESIM_HOMA_ONLY="W4 at 0.8"` names a workload, `PACESIM_HOMA_TIMES=8` gives it eight times as many
//! messages, and `PACESIM_HOMA_BUFFER=24` its ports room for so many packets, with the least time-out
//! that this TCP has, 1 ms.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pacesim::World;
use pacesim::model::{Distribution, Load, Model, Sizes, Traffic};
use pacesim::net::{Kind, Packet, Probe};
use pacesim::scenario::load;
use pacesim::units::Time;

const HOSTS: u64 = 144;
const RACK: u64 = 16;
/// Bytes per second of a host's line, and of a line between switches.
const LINES: [f64; 2] = [1.25e9, 5e9];
/// Payload of a full packet, and headers, in ns-2's pFabric.
const PAYLOAD: u64 = 1460;
const HEADER: u64 = 40;

/// A workload: its name in the paper, in the published numbers, and its file; messages per run.
struct Workload {
    short: &'static str,
    long: &'static str,
    file: &'static str,
    /// Bytes of a unit of its file.
    unit: u64,
    messages: u64,
}

const WORKLOADS: [Workload; 5] = [
    Workload {
        short: "W1",
        long: "FACEBOOK_KEY_VALUE",
        file: "FacebookKeyValue_Sampled.txt",
        unit: 1,
        messages: 400_000,
    },
    Workload {
        short: "W2",
        long: "GOOGLE_SEARCH_RPC",
        file: "Google_SearchRPC.txt",
        unit: 1,
        messages: 3_200_000,
    },
    Workload {
        short: "W3",
        long: "GOOGLE_ALL_RPC",
        file: "Google_AllRPC.txt",
        unit: 1,
        messages: 400_000,
    },
    Workload {
        short: "W4",
        long: "FACEBOOK_HADOOP_ALL",
        file: "Facebook_HadoopDist_All.txt",
        unit: 1,
        messages: 240_000,
    },
    Workload {
        short: "W5",
        long: "DCTCP",
        file: "DCTCP_MsgSizeDist.txt",
        unit: 1442,
        messages: 15_000,
    },
];

/// Sizes with their probabilities.
fn sizes(folder: &Path, of: &Workload) -> Vec<(u64, f64)> {
    let path = folder.join(of.file);
    let text = std::fs::read_to_string(&path);
    let text = text.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut before = 0.0;
    let rows = text.lines().skip(1).filter(|line| !line.trim().is_empty());
    rows.map(|line| {
        let fields: Vec<f64> = (line.split_whitespace())
            .map(|field| field.parse().expect("a number"))
            .collect();
        let share = fields[1] - before;
        before = fields[1];
        (fields[0] as u64 * of.unit, share)
    })
    .collect()
}

/// A whole number in the environment.
fn setting(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok()?;
    Some(
        text.parse()
            .unwrap_or_else(|error| panic!("{name}: {error}")),
    )
}

fn packets(bytes: u64) -> u64 {
    bytes.div_ceil(PAYLOAD).max(1)
}

/// Mean bytes on the wire of a message and its ACKs.
fn mean_on_wire(sizes: &[(u64, f64)]) -> f64 {
    let on_wire = |bytes: u64| bytes + packets(bytes) * 2 * HEADER;
    sizes
        .iter()
        .map(|(bytes, share)| on_wire(*bytes) as f64 * share)
        .sum()
}

/// Seconds from the start of a message to the arrival of its last byte on idle lines.
fn ideal(bytes: u64, is_near: bool) -> f64 {
    let [slow, fast] = LINES;
    let before = (packets(bytes) - 1) as f64;
    let full = (PAYLOAD + HEADER) as f64;
    let last = (bytes - (packets(bytes) - 1) * PAYLOAD + HEADER) as f64;
    let (delay, between) = match is_near {
        true => (1.75e-6, 0.0),
        false => (2.25e-6, 2.0 / fast),
    };
    let others = (before + 1.0) * full / slow + full * between;
    let sent = (before * full + last) / slow + last * between;
    let turn = if before > 0.0 { others.max(sent) } else { sent };
    delay + turn + last / slow
}

/// The arrivals of each message: packets that came, and the time of the last.
#[derive(Default)]
struct Arrived(BTreeMap<(u32, u32), (u64, Time)>);

impl Probe for Arrived {
    fn in_order(&self) -> bool {
        false
    }

    fn delivered(&mut self, now: Time, packet: &Packet) {
        if packet.kind() == Kind::Data {
            let message = self.0.entry((packet.flow.0, packet.tag & !(1 << 31)));
            let (count, last) = message.or_insert((0, now));
            *count += 1;
            *last = now.max(*last);
        }
    }
}

fn model(sizes: &[(u64, f64)], load_of: f64, messages: u64) -> Model {
    let every = mean_on_wire(sizes) / LINES[0] / load_of / HOSTS as f64;
    let duration = every * messages as f64;
    let (buffer, rto) = match setting("PACESIM_HOMA_BUFFER") {
        Some(packets) => (format!("buffer = \"{packets}pkts\", "), "1ms"),
        None => (String::new(), "10s"),
    };
    let port = format!("{buffer}discipline = {{ kind = \"pfabric\" }}");
    let text = format!(
        "host = \"none\"\nrun = {{ duration = \"{:.0}ns\", multipath = \"packet\", ties = \"drawn\" }}\n\
         [topology]\nshape = \"leaf_spine\"\nleaves = 9\nspines = 4\nhosts = 16\n\
         access = {{ rate = \"10Gbps\", delay = \"1250ns\", {port}, back = {{ delay = \"500ns\", {port} }} }}\n\
         uplink = {{ rate = \"40Gbps\", delay = \"250ns\", {port}, back = {{ {port} }} }}\n\
         [[flow]]\nname = \"m\"\nfrom = \"host\"\nto = \"host\"\npair = \"all\"\n\
         traffic = {{ kind = \"tcp\", profile = \"rfc\", window = \"12pkts\", initial_window = \"12pkts\", \
         packet_size = \"1500B\", header = \"40B\", ack_size = \"40B\", sack_block_size = \"0B\", syn = false, delayed_ack = false, \
         dupack_threshold = 1000, min_rto = \"{rto}\", initial_rto = \"{rto}\", \
         transfers = {{ size = \"1KB\", connection = \"new\", arrivals = {{ kind = \"poisson\", every = \"{:.0}ps\" }} }} }}\n",
        duration * 1e9,
        every * 1e12,
    );
    let checked = load("homa.toml", &text, &[], &()).expect("it is sound");
    let mut model = checked.expand(1, 0);
    let mut sum = 0.0;
    let steps = sizes.iter().flat_map(|(bytes, share)| {
        let before = (*bytes as f64, sum);
        sum = f64::min(sum + share, 1.0);
        [before, (*bytes as f64, sum)]
    });
    let mut points: Vec<(f64, f64)> = steps.collect();
    points.last_mut().expect("sizes").1 = 1.0;
    let drawn = Distribution::Empirical {
        file: Arc::from("sizes"),
        points: points.into(),
    };
    for flow in &mut model.flows {
        if let Traffic::Tcp(tcp) = &mut flow.traffic
            && let Load::Transfers(transfers) = &mut tcp.load
        {
            transfers.size = Sizes::Drawn(drawn.clone()).into();
        }
    }
    model
}

/// The slowdowns of the messages of each size that began in the middle of the run.
fn slowdowns(model: Model) -> BTreeMap<u64, Vec<f64>> {
    let end = Time::ZERO + model.duration;
    let ends: Vec<_> = model
        .flows
        .iter()
        .map(|flow| (flow.from.0, flow.to.0))
        .collect();
    let first = ends.iter().map(|(from, _)| *from).min().expect("flows");
    let rack = |node: u32| u64::from(node - first) / RACK;
    let mut world = World::watched(model, Arrived::default()).expect("a world");
    world.run();
    let rows = world.take_transfers();
    let arrived = &world.probe().0;
    let mut found: BTreeMap<u64, Vec<f64>> = BTreeMap::new();
    for row in rows {
        let share = row.start_ps as f64 / end.as_ps() as f64;
        if !(0.1..0.8).contains(&share) {
            continue;
        }
        let (from, to) = ends[row.flow_id as usize];
        let ideal = ideal(row.size_bytes, rack(from) == rack(to));
        let came = arrived.get(&(row.flow_id, row.transfer));
        let came = came.filter(|(count, _)| *count >= packets(row.size_bytes));
        let slowdown = came.map_or(f64::INFINITY, |(_, last)| {
            (last.as_ps() - row.start_ps) as f64 / 1e12 / ideal
        });
        found.entry(row.size_bytes).or_default().push(slowdown);
    }
    found
}

/// The published numbers of a protocol: the greatest size of each class, its share of messages in per
/// cent, and its median and 99th percentile.
fn published(
    folder: &Path,
    protocol: &str,
    load: &str,
    of: &Workload,
) -> Vec<(u64, f64, [f64; 2])> {
    let path = folder.join("original-raw-data-from-paper.txt");
    let text = std::fs::read_to_string(&path).expect("the published numbers");
    let mut classes: BTreeMap<u64, (f64, [f64; 2])> = BTreeMap::new();
    for line in text.lines().skip(1) {
        let fields: Vec<&str> = line.split_whitespace().collect();
        if fields.len() != 10 || fields[..3] != [protocol, load, of.long] {
            continue;
        }
        let Ok(size) = fields[3].parse::<f64>() else {
            continue;
        };
        let class = classes.entry(size as u64).or_insert((0.0, [f64::NAN; 2]));
        class.0 = fields[4].parse().expect("a share");
        for (number, field) in class.1.iter_mut().zip(&fields[8..]) {
            if let Ok(value) = field.parse() {
                *number = value;
            }
        }
    }
    classes
        .into_iter()
        .map(|(size, (share, numbers))| (size, share, numbers))
        .collect()
}

fn quantile(values: &mut [f64], share: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    let place = (share * values.len() as f64).ceil() as usize;
    values[place.clamp(1, values.len()) - 1]
}

/// A tenth of all messages, by size: both simulators' mean over its classes, weighted by messages.
#[derive(Default)]
struct Tenth {
    to: u64,
    messages: usize,
    theirs: [f64; 2],
    ours: [f64; 2],
}

impl Tenth {
    /// Our median and 99th percentile over theirs.
    fn ratios(&self) -> [f64; 2] {
        [0, 1].map(|i| self.ours[i] / self.theirs[i])
    }

    fn text(&self) -> String {
        let ([p50, p99], [ours, theirs]) = (self.ratios(), [self.ours, self.theirs]);
        format!(
            "to {} B, {} messages: median {:.3} for {:.3} ({p50:.3}), p99 {:.3} for {:.3} ({p99:.3})",
            self.to, self.messages, ours[0], theirs[0], ours[1], theirs[1],
        )
    }
}

fn tenths(ours: &BTreeMap<u64, Vec<f64>>, theirs: &[(u64, f64, [f64; 2])]) -> Vec<Tenth> {
    let mut all: BTreeMap<usize, (f64, Tenth)> = BTreeMap::new();
    let (mut from, mut sum) = (0, 0.0);
    for (size, share, numbers) in theirs {
        let members = ours.range(from + 1..=*size).flat_map(|(_, values)| values);
        let mut members: Vec<f64> = members.copied().collect();
        let place = (sum / 10.0) as usize;
        (from, sum) = (*size, sum + share);
        if members.len() < 20 || numbers.iter().any(|number| number.is_nan()) {
            continue;
        }
        let mine = [0.5, 0.99].map(|share| quantile(&mut members, share));
        let (weight, tenth) = all.entry(place.min(9)).or_default();
        for i in 0..2 {
            let mean = |before: f64, one: f64| (before * *weight + one * share) / (*weight + share);
            tenth.theirs[i] = mean(tenth.theirs[i], numbers[i]);
            tenth.ours[i] = mean(tenth.ours[i], mine[i]);
        }
        *weight += share;
        tenth.to = *size;
        tenth.messages += members.len();
    }
    all.into_values().map(|(_, tenth)| tenth).collect()
}

#[test]
fn messages_of_homas_paper_have_the_slowdowns_of_pfabric() {
    let Some(folder) = std::env::var_os("PACESIM_HOMA").map(PathBuf::from) else {
        return;
    };
    let (mut close, mut wrong, mut all) = (0, Vec::new(), 0);
    let only = std::env::var("PACESIM_HOMA_ONLY").unwrap_or_default();
    for (workload, load) in (WORKLOADS.iter()).flat_map(|of| [(of, "0.8"), (of, "0.5")]) {
        let name = format!("{} at {load}", workload.short);
        if !name.contains(&only) {
            continue;
        }
        let sizes = sizes(&folder, workload);
        let messages = workload.messages * setting("PACESIM_HOMA_TIMES").unwrap_or(1);
        let model = model(&sizes, load.parse().expect("a load"), messages);
        let ours = slowdowns(model);
        for protocol in ["pFabric", "SRPT-Oracle"] {
            let theirs = published(&folder, protocol, load, workload);
            for (place, tenth) in tenths(&ours, &theirs).iter().enumerate() {
                let text = format!("{name}, {protocol}, {}", tenth.text());
                println!("{text}");
                // The aim leaves out the smallest sizes; the oracle has no queues to compare.
                if protocol == "pFabric" && place > 1 {
                    let ratios = tenth.ratios();
                    all += ratios.len();
                    close += ratios.iter().filter(|of| (0.9..=1.1).contains(*of)).count();
                    // The longest messages hang on the length of the run.
                    if place < 9 && !(0.9..=1.1).contains(&ratios[0]) {
                        wrong.push(text);
                    }
                }
            }
        }
    }
    println!("{close} of {all} numbers of pFabric within 10 %");
    assert!(wrong.is_empty(), "medians that are not alike: {wrong:#?}");
}
