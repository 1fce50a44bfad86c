//! Networks of htsim with TCP and DCTCP, replayed by lists of transfers: each flow with its start, its
//! size and its path.

use std::fmt::Write as _;
use std::path::Path;

use pacesim::World;
use pacesim::model::{Leg, Model, PathKey};
use pacesim::scenario::load;
use pacesim::units::LinkId;
use pacesim_analytic::fabric::max_min;
use serde_json::Value;

/// Bytes in a packet of htsim, which has no headers.
const MSS: u64 = 1500;

/// A flow of a case, with the place of its path.
pub(crate) struct Row {
    pub(crate) start_us: f64,
    pub(crate) from: u64,
    pub(crate) to: u64,
    pub(crate) bytes: u64,
    pub(crate) path: u64,
}

/// The network of a case: a fat tree, or leaves with spines, of lines of 10 Gbps that take a microsecond.
pub(crate) struct Network<'c> {
    /// The keys of the topology.
    pub(crate) shape: String,
    pub(crate) config: &'c Value,
    /// In microseconds.
    pub(crate) duration: f64,
    pub(crate) warmup: f64,
}

fn number(value: &Value, key: &str) -> f64 {
    value[key]
        .as_f64()
        .unwrap_or_else(|| panic!("no number {key}"))
}

/// htsim's queues count the packet in transmission. Its TCP has no SACK; ours has, since losses of
/// many packets of a window take ours a round trip each without it.
pub(crate) fn world(network: &Network<'_>, rows: &[Row], seed: u64) -> World {
    let config = network.config;
    let is_dctcp = config["proto"] == "dctcp";
    let min_rto = number(config, "minrto_us");
    // The connection's first time-out is that of NewReno for a lost SYN, and the least for DCTCP.
    let (sender, initial_rto) = if is_dctcp {
        (
            "profile = \"linux\", control = \"dctcp\", ecn = true, acks = \"every_packet\", hz = 0, \
             window = \"200pkts\"",
            min_rto,
        )
    } else {
        (
            "profile = \"rfc\", variant = \"sack\", delayed_ack = false, max_cwnd = \"200pkts\"",
            3e6,
        )
    };
    let mark = match config["K"].as_u64() {
        Some(packets) if is_dctcp => format!(", mark = \"{packets}pkts\""),
        _ => String::new(),
    };
    let port = format!("buffer = \"{}pkts\"{mark}", number(config, "q") - 1.0);
    let line = "rate = \"10Gbps\", delay = \"1us\"";
    // Flows take turns at their hosts, whose queues are long and mark nothing.
    let access = format!(
        "{{ {line}, buffer = \"1000pkts\", discipline = {{ kind = \"drr\" }}, \
         back = {{ {port}, discipline = {{ kind = \"drop_tail\" }} }} }}"
    );
    let between = match network.shape.contains("leaf_spine") {
        true => format!("uplink = {{ {line}, {port} }}"),
        false => format!("link = {{ {line}, {port} }}"),
    };
    let text = format!(
        "host = \"none\"\nrun = {{ duration = \"{}us\", warmup = \"{}us\", ties = \"drawn\" }}\n\
         [topology]\n{}\naccess = {access}\n{between}\n\
         [[flow]]\nname = \"f\"\nfrom = \"host\"\nto = \"host\"\n\
         traffic = {{ kind = \"tcp\", {sender}, payload = \"1500B\", header = \"0B\", ack_size = \"40B\", syn_size = \"40B\", \
         min_rto = \"{min_rto}us\", initial_rto = \"{initial_rto}us\", initial_ssthresh = \"100pkts\", \
         job = {{ kind = \"list\", file = \"list.csv\" }} }}\n",
        network.duration, network.warmup, network.shape
    );
    let mut list = "start_us,from,to,size_bytes,path\n".to_owned();
    for row in rows {
        let Row {
            start_us,
            from,
            to,
            bytes,
            path,
        } = row;
        writeln!(list, "{start_us},{from},{to},{bytes},{path}").expect("a text takes all");
    }
    let files = move |_: &str| Ok(list.clone());
    let checked = load("network.toml", &text, &[], &files);
    let checked = checked.unwrap_or_else(|problems| panic!("{problems}"));
    let mut world = World::new(checked.expand(seed, 0)).expect("a world");
    world.run();
    world
}

/// The place of a path of a fat tree among ours: htsim numbers them aggregation switch by aggregation
/// switch, and takes the remainder where there are fewer.
fn place(k: u64, from: u64, to: u64, path: u64) -> u64 {
    let half = k / 2;
    if from / half == to / half {
        0
    } else if from / half / half == to / half / half {
        path % half
    } else {
        path
    }
}

/// Whole packets, with one more byte, as htsim counts its SYN.
pub(crate) fn size(bytes: u64) -> u64 {
    (bytes + MSS - 1).div_ceil(MSS) * MSS
}

fn within(what: &str, ours: f64, theirs: f64, share: f64) -> Result<(), String> {
    let off = ours / theirs - 1.0;
    if off.abs() <= share {
        return Ok(());
    }
    Err(format!(
        "{what} {ours:.4} for {theirs:.4}, {:+.1} %",
        off * 100.0
    ))
}

/// The links of each flow's path, by their numbers.
fn paths(model: &Model) -> Vec<Vec<usize>> {
    let mut paths = model.paths();
    let flows = model.flows.iter();
    flows
        .map(|flow| paths.by(PathKey::of(flow, Leg::There)).expect("a path"))
        .map(|path| path.into_iter().map(LinkId::index).collect())
        .collect()
}

/// The mean goodput of a permutation: within 5 % of htsim's, or of the max-min shares of its paths.
fn permutation(case: &Value, result: &Value) -> Result<String, String> {
    let (k, config) = (number(case, "k") as u64, &result["config"]);
    let list = |key: &str, of: &Value| of[key].as_array().cloned().unwrap_or_default();
    let (to, starts) = (list("permutation", case), list("start_us", case));
    let rows = list("paths", result)
        .into_iter()
        .zip(to)
        .zip(starts)
        .zip(0..);
    let rows: Vec<Row> = rows
        .map(|(((path, to), start), from)| {
            let to = to.as_u64().expect("a host");
            Row {
                start_us: start.as_f64().expect("a time"),
                from,
                to,
                bytes: 2_000_000_000,
                path: place(k, from, to, path.as_u64().expect("a path")),
            }
        })
        .collect();
    let network = Network {
        shape: format!("shape = \"fat_tree\"\nk = {k}"),
        config,
        duration: number(config, "end_us"),
        warmup: number(config, "warm_us"),
    };
    let world = world(&network, &rows, 1);
    let goodputs = world.flow_rows();
    let mean = goodputs.iter().map(|row| row.goodput_bps).sum::<f64>() / 1e9 / rows.len() as f64;
    let shares = max_min(&paths(world.model()), &vec![1.0; world.model().links.len()]);
    let share = 10.0 * shares.iter().sum::<f64>() / rows.len() as f64;
    let theirs = number(result, "mean_gbps");
    within("mean", mean, theirs, 0.05).or_else(|_| within("mean", mean, share, 0.05))?;
    Ok(format!(
        "{mean:.3} Gbps, htsim {theirs:.3}, max-min {share:.3}"
    ))
}

/// Runs of an incast with other ties: time-outs that double make the end a matter of luck, and the
/// median is judged.
const SEEDS: u64 = 5;

/// Completion of an incast: within 2 % without drops, else within a time-out; drops within 10 % where
/// the first windows are nearly all of the data.
fn incast(case: &Value, result: &Value) -> Result<String, String> {
    let config = &result["config"];
    let (k, bytes) = (number(config, "k") as u64, number(case, "bytes") as u64);
    let flows = result["flows"].as_array().cloned().unwrap_or_default();
    let rows: Vec<Row> = flows
        .iter()
        .map(|flow| {
            let from = flow[0].as_u64().expect("a host");
            Row {
                start_us: flow[1].as_f64().expect("a time"),
                from,
                to: 0,
                bytes: size(bytes),
                path: place(k, from, 0, flow[4].as_u64().expect("a path")),
            }
        })
        .collect();
    let network = Network {
        shape: format!("shape = \"fat_tree\"\nk = {k}"),
        config,
        duration: 4e5,
        warmup: 0.0,
    };
    let runs = (1..=SEEDS).map(|seed| {
        let mut world = world(&network, &rows, seed);
        let dropped: u64 = world.flow_rows().iter().map(|row| row.dropped_pkts).sum();
        let ends = world
            .take_transfers()
            .into_iter()
            .filter_map(|row| row.end_ps);
        let ends: Vec<u64> = ends.collect();
        let last = ends.iter().max().filter(|_| ends.len() == rows.len());
        last.map(|last| (*last as f64 / 1e6, dropped))
    });
    let runs: Option<Vec<(f64, u64)>> = runs.collect();
    let mut runs = runs.ok_or("some have not ended")?;
    runs.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (last, dropped) = runs[runs.len() / 2];
    let (theirs, drops) = (number(result, "completion_us"), number(result, "drops"));
    if drops == 0.0 && dropped == 0 {
        within("completion", last, theirs, 0.02)?;
    } else if (last - theirs).abs() > number(config, "minrto_us") {
        return Err(format!("completion {last:.1} us for {theirs:.1}"));
    }
    if drops > 50.0 && bytes <= 100_000 {
        within("drops", dropped as f64, drops, 0.1)?;
    }
    Ok(format!(
        "{last:.1} us, {dropped} drops; htsim {theirs:.1} us, {drops} drops"
    ))
}

/// The cases of a file: each protocol of TCP's kind, with what came out.
pub(crate) fn replay(path: &Path) -> Vec<(String, Result<String, String>)> {
    let text = std::fs::read_to_string(path).expect("a text");
    let name = path
        .file_stem()
        .expect("a name")
        .to_string_lossy()
        .into_owned();
    let case: Value = serde_json::from_str(&text).expect("JSON");
    let results = case["results"].as_object().cloned().unwrap_or_default();
    let of_tcp = results
        .into_iter()
        .filter(|(protocol, _)| protocol.starts_with("tcp") || protocol.starts_with("dctcp"));
    of_tcp
        .map(|(protocol, result)| {
            let found = match name.starts_with("permutation") {
                true => permutation(&case, &result),
                false => incast(&case, &result),
            };
            (format!("{name} {protocol}"), found)
        })
        .collect()
}
