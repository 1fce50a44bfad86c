//! Networks of htsim with NDP, replayed: trimming queues, spray, pulls that all flows to a host share.
//! The coin of full queues and the order of paths are drawn, so that a case lies within what several
//! seeds give.

use std::fmt::Write as _;
use std::path::Path;

use pacesim::World;
use pacesim::scenario::load;
use serde_json::Value;

/// Bytes of a packet's header, and of an answer.
const HEADER: u64 = 64;

/// Runs of a case with other draws.
const SEEDS: u64 = 10;

/// A flow of a case.
struct Row {
    from: u64,
    to: u64,
    /// None for one without end.
    bytes: Option<u64>,
    start_us: f64,
}

/// The network of a case.
struct Network<'c> {
    /// The keys of the topology.
    shape: String,
    config: &'c Value,
    duration_us: f64,
    warmup_us: f64,
}

fn number(value: &Value, key: &str) -> f64 {
    let number = value.get(key).and_then(Value::as_f64);
    number.unwrap_or_else(|| panic!("no number {key}"))
}

/// htsim's packets are all full, and its queues count the packet in transmission.
fn scenario(network: &Network<'_>, rows: &[Row]) -> String {
    let config = network.config;
    let mtu = number(config, "mtu") as u64;
    let queue = format!(
        "buffer = \"{}B\", buffer_counts = \"system\", discipline = {{ kind = \"trim\", variant = \"htsim\" }}",
        number(config, "q") as u64 * mtu,
    );
    let line = format!(
        "rate = \"10Gbps\", delay = \"{}us\"",
        number(config, "hop_us")
    );
    let of_switches = format!("{{ {line}, {queue}, back = {{ {queue} }} }}");
    let (more, access) = ("link", format!("{{ {line}, back = {{ {queue} }} }}"));
    let more = match network.shape.contains("leaf_spine") {
        true => "uplink",
        false => more,
    };
    let mut text = format!(
        "host = \"none\"\nrun = {{ duration = \"{}us\", warmup = \"{}us\", ties = \"drawn\", multipath = \"packet\" }}\n\
         [topology]\n{}\naccess = {access}\n{more} = {of_switches}\n",
        network.duration_us, network.warmup_us, network.shape
    );
    for (i, row) in rows.iter().enumerate() {
        let transfer = row.bytes.map_or("unlimited".to_owned(), |bytes| {
            format!("{}B", bytes.div_ceil(mtu) * mtu)
        });
        write!(
            text,
            "[[flow]]\nname = \"f{i}\"\nfrom = \"host[{}]\"\nto = \"host[{}]\"\nstart = \"{}us\"\n\
             traffic = {{ kind = \"ndp\", variant = \"htsim\", window = {}, packet_size = \"{}B\", transfer = \"{transfer}\" }}\n",
            row.from,
            row.to,
            row.start_us,
            number(config, "cwnd"),
            mtu + HEADER,
        )
        .expect("a text takes all");
    }
    text
}

fn world(text: &str, seed: u64) -> World {
    let checked = load("network.toml", text, &[], &|_: &str| Err(String::new()));
    let checked = checked.unwrap_or_else(|problems| panic!("{problems}\n{text}"));
    let mut world = World::new(checked.expand(seed, 0)).expect("a world");
    world.run();
    let rows = world.flow_rows();
    assert_eq!(
        rows.iter().map(|row| row.dropped_pkts).sum::<u64>(),
        0,
        "no header is lost"
    );
    world
}

/// The time at which each transfer ended, in microseconds; for ever if it did not.
fn ends(world: &mut World) -> Vec<f64> {
    let mut ends = vec![f64::INFINITY; world.model().flows.len()];
    for row in world.take_transfers() {
        let end = row.end_ps.map_or(f64::INFINITY, |end| end as f64 / 1e6);
        ends[row.flow_id as usize] = end;
    }
    ends
}

/// Asserts that all transfers of a file end, and that some packet was cut.
pub(crate) fn is_complete(text: &str) {
    let mut world = world(text, 1);
    assert!(trims(&world) > 0);
    assert!(ends(&mut world).iter().all(|end| end.is_finite()));
}

fn trims(world: &World) -> u64 {
    let links = world.link_rows();
    links.iter().filter_map(|row| row.trimmed_pkts).sum()
}

/// Judges a number: within the range of the runs and a share more.
fn judge(what: &str, ours: &[f64], theirs: f64, share: f64) -> Result<String, String> {
    let least = ours.iter().copied().fold(f64::INFINITY, f64::min);
    let most = ours.iter().copied().fold(0.0, f64::max);
    let text = format!("{what} {least:.3} to {most:.3}, htsim {theirs:.3}");
    match least * (1.0 - share) <= theirs && theirs <= most * (1.0 + share) {
        true => Ok(text),
        false => Err(text),
    }
}

fn list<'v>(of: &'v Value, key: &str) -> &'v [Value] {
    of[key].as_array().map_or(&[], Vec::as_slice)
}

fn incast(case: &Value, result: &Value) -> Result<String, String> {
    let config = &result["config"];
    let number_of = |value: &Value| value.as_f64().expect("a number");
    let row = |flow: &Value| Row {
        from: number_of(&flow[0]) as u64,
        to: number(case, "receiver") as u64,
        bytes: Some(number(case, "bytes") as u64),
        start_us: number_of(&flow[1]),
    };
    let rows: Vec<Row> = list(result, "flows").iter().map(row).collect();
    let network = Network {
        shape: format!("shape = \"fat_tree\"\nk = {}", number(config, "k")),
        config,
        duration_us: 4e5,
        warmup_us: 0.0,
    };
    let text = scenario(&network, &rows);
    let last = |ends: &[f64]| ends.iter().copied().fold(0.0, f64::max);
    let mut trimmed = Vec::new();
    let ours: Vec<f64> = (1..=SEEDS)
        .map(|seed| {
            let mut world = world(&text, seed);
            trimmed.push(trims(&world) as f64);
            last(&ends(&mut world))
        })
        .collect();
    let told =
        judge("trims", &trimmed, number(result, "trims"), 0.1).unwrap_or_else(|outside| outside);
    let found = judge(
        "completion in us",
        &ours,
        number(result, "completion_us"),
        0.03,
    );
    let add = |text: String| format!("{text}; {told}");
    found.map(add).map_err(add)
}

fn permutation(case: &Value, result: &Value) -> Result<String, String> {
    let config = &result["config"];
    let (to, starts) = (list(case, "permutation"), list(case, "start_us"));
    let rows: Vec<Row> = (0..)
        .zip(to.iter().zip(starts))
        .map(|(from, (to, start))| Row {
            from,
            to: to.as_u64().expect("a host"),
            bytes: None,
            start_us: start.as_f64().expect("a time"),
        })
        .collect();
    let network = Network {
        shape: format!("shape = \"fat_tree\"\nk = {}", number(case, "k")),
        config,
        duration_us: number(config, "end_us"),
        warmup_us: number(config, "warm_us"),
    };
    let text = scenario(&network, &rows);
    let (mut means, mut least) = (Vec::new(), Vec::new());
    for seed in 1..=SEEDS.min(if rows.len() > 16 { 3 } else { SEEDS }) {
        let world = world(&text, seed);
        let rows = world.flow_rows();
        let goodputs: Vec<f64> = rows.iter().map(|row| row.goodput_bps / 1e9).collect();
        means.push(goodputs.iter().sum::<f64>() / goodputs.len() as f64);
        least.push(goodputs.iter().copied().fold(f64::INFINITY, f64::min));
    }
    let sorted = list(result, "sorted_gbps");
    let of_least = sorted[0].as_f64().expect("a rate");
    let mean = judge("mean in Gbps", &means, number(result, "mean_gbps"), 0.01);
    let low = judge("least", &least, of_least, 0.02);
    match (mean, low) {
        (Ok(mean), Ok(low)) => Ok(format!("{mean}; {low}")),
        (mean, low) => {
            let text = |found: Result<String, String>| found.unwrap_or_else(|text| text);
            Err(format!("{}; {}", text(mean), text(low)))
        }
    }
}

/// The cases of NDP in a file.
pub(crate) fn replay(path: &Path) -> Vec<(String, Result<String, String>)> {
    let text = std::fs::read_to_string(path).expect("a text");
    let name = path.file_stem().expect("a name").to_string_lossy();
    let case: Value = serde_json::from_str(&text).expect("JSON");
    let results = case["results"].as_object().cloned().unwrap_or_default();
    let of_ndp = results
        .into_iter()
        .filter(|(protocol, _)| protocol.starts_with("ndp"));
    of_ndp
        .map(|(protocol, result)| {
            let found = match name.starts_with("permutation") {
                true => permutation(&case, &result),
                false => incast(&case, &result),
            };
            (format!("{name} {protocol}"), found)
        })
        .collect()
}

/// Bounds of the size classes of lists, in bytes.
const CLASSES: [u64; 4] = [10_000, 100_000, 1_000_000, u64::MAX];

/// Quantiles of slowdowns, and how far they may be off.
const QUANTILES: [(f64, f64); 2] = [(0.5, 0.05), (0.95, 0.15)];

/// Flows below which a class has no quantiles to compare.
const FEW: usize = 5;

/// A flow of a list: its size, its start, its duration in the source, and that on an idle network.
struct Listed {
    bytes: u64,
    start_us: f64,
    took_us: f64,
    alone_us: f64,
}

/// The quantiles of the slowdowns of each class: of the sorted values the one at the share times their
/// number, as the drivers' script has it.
fn slowdowns(flows: &[Listed], took_us: &[f64]) -> Vec<Vec<f64>> {
    let mut classes: [Vec<f64>; 4] = Default::default();
    for (flow, took) in flows.iter().zip(took_us) {
        let class = CLASSES.iter().position(|most| flow.bytes < *most);
        classes[class.unwrap_or(3)].push(took / flow.alone_us);
    }
    let quantiles = |mut values: Vec<f64>| {
        values.sort_by(f64::total_cmp);
        let last = values.len().saturating_sub(1);
        let at = |share: f64| values.get(((share * values.len() as f64) as usize).min(last));
        let found = QUANTILES.map(|(share, _)| at(share).copied());
        match values.len() < FEW {
            true => Vec::new(),
            false => found.into_iter().flatten().collect(),
        }
    };
    classes.into_iter().map(quantiles).collect()
}

/// The settings and the flows of a list.
fn listed(path: &Path) -> (Value, Vec<Row>, Vec<Listed>) {
    let text = std::fs::read_to_string(path).expect("a text");
    let config = text.lines().next().expect("settings");
    let config = serde_json::from_str(config.trim_start_matches('#')).expect("settings in JSON");
    let of_flow = |line: &&str| line.starts_with(|c: char| c.is_ascii_digit());
    let flow = |line: &str| {
        let fields = line.split(',').map(|n| n.parse().expect("a number"));
        let fields: Vec<f64> = fields.collect();
        let (bytes, start_us) = (fields[3] as u64, fields[4]);
        let row = Row {
            from: fields[1] as u64,
            to: fields[2] as u64,
            bytes: Some(bytes),
            start_us,
        };
        let listed = Listed {
            bytes,
            start_us,
            took_us: fields[6],
            alone_us: fields[7],
        };
        (row, listed)
    };
    let (rows, flows) = text.lines().filter(of_flow).map(flow).unzip();
    (config, rows, flows)
}

/// A list of flows in a leaf-spine fabric.
pub(crate) fn lists(path: &Path) -> Result<String, String> {
    let (config, rows, flows) = listed(path);
    let network = Network {
        shape: "shape = \"leaf_spine\"\nleaves = 8\nspines = 4\nhosts = 4".to_owned(),
        config: &config,
        duration_us: 2e5,
        warmup_us: 0.0,
    };
    let text = scenario(&network, &rows);
    let theirs: Vec<f64> = flows.iter().map(|flow| flow.took_us).collect();
    let theirs = slowdowns(&flows, &theirs);
    let ours = (1..=SEEDS).map(|seed| {
        let ends = ends(&mut world(&text, seed));
        let took = flows
            .iter()
            .zip(ends)
            .map(|(flow, end)| end - flow.start_us);
        slowdowns(&flows, &took.collect::<Vec<f64>>())
    });
    let ours: Vec<Vec<Vec<f64>>> = ours.collect();
    let (mut told, mut is_inside) = (Vec::new(), true);
    for (class, theirs) in theirs.iter().enumerate() {
        for (i, (theirs, (quantile, share))) in theirs.iter().zip(QUANTILES).enumerate() {
            let values: Vec<f64> = ours.iter().map(|classes| classes[class][i]).collect();
            let what = format!("p{:.0} of class {class}", quantile * 100.0);
            let found = judge(&what, &values, *theirs, share);
            is_inside &= found.is_ok();
            told.push(found.unwrap_or_else(|text| format!("OUTSIDE {text}")));
        }
    }
    match is_inside {
        true => Ok(told.join("; ")),
        false => Err(told.join("; ")),
    }
}
