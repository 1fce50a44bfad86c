//! Networks of lossless switches and senders by rate, replayed flow by flow: pauses, closed loops,
//! incasts.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use pacesim::World;
use pacesim::scenario::load;
use serde_json::Value;

/// A flow of a case: its ends, its size, its start and its duration.
pub(crate) struct Row {
    pub(crate) from: u64,
    pub(crate) to: u64,
    pub(crate) bytes: u64,
    pub(crate) start_ns: f64,
    /// None if it had not ended.
    pub(crate) took_ns: Option<f64>,
    /// Its duration on an idle network, by the drivers' formula.
    pub(crate) alone_ns: f64,
    /// The places of its path and of that of its answers.
    pub(crate) paths: Option<[u32; 2]>,
}

/// Settings that drivers leave to the simulator.
pub(crate) struct Defaults {
    pub(crate) headroom: f64,
    pub(crate) least_mark: f64,
    pub(crate) most_mark: f64,
    pub(crate) share: f64,
}

pub(crate) const DEFAULTS: Defaults = Defaults {
    headroom: 9375.0,
    least_mark: 100_000.0,
    most_mark: 400_000.0,
    share: 0.2,
};

fn number(config: &Value, key: &str) -> Option<f64> {
    config.get(key)?.as_f64()
}

/// The control of a sender, and the bytes of headers in its packets.
fn control(config: &Value, round_trip_ns: f64) -> (String, f64) {
    let real = |key: &str| number(config, key).unwrap_or_else(|| panic!("no number {key}"));
    let us = |key: &str| format!("\"{}us\"", real(key));
    let mbps = |key: &str| format!("\"{}Mbps\"", real(key) / 1e6);
    match real("cc") {
        0.0 => ("{ kind = \"line\" }".to_owned(), 48.0),
        1.0 => (
            format!(
                "{{ kind = \"dcqcn\", variant = \"hpcc\", gain = {}, alpha_period = {}, increase_period = {}, \
                 fast_steps = {}, additive = {}, hyper = {}, least_rate = {}, check_period = {} }}",
                real("g"),
                us("t_alpha"),
                us("t_inc"),
                real("frt"),
                mbps("rai"),
                mbps("rhai"),
                mbps("minrate"),
                us("t_dec"),
            ),
            48.0,
        ),
        3.0 => (
            format!(
                "{{ kind = \"hpcc\", variant = \"authors\", round_trip = \"{round_trip_ns}ns\", target = {}, \
                 stages = {}, additive = {}, least_rate = {} }}",
                real("eta"),
                real("mi"),
                mbps("rai"),
                mbps("minrate"),
            ),
            90.0,
        ),
        7.0 => (
            format!(
                "{{ kind = \"timely\", variant = \"authors\", additive = {}, hyper = {}, least_rate = {} }}",
                mbps("rai"),
                mbps("rhai"),
                mbps("minrate"),
            ),
            56.0,
        ),
        8.0 => (
            format!(
                "{{ kind = \"dctcp_rate\", gain = {}, additive = {}, least_rate = {} }}",
                real("g"),
                mbps("dctcp_rai"),
                mbps("minrate"),
            ),
            48.0,
        ),
        other => panic!("no control {other}"),
    }
}

/// The keys of a sender.
fn sender(config: &Value, gbps: f64, round_trip_ns: f64) -> String {
    let real = |key: &str| number(config, key).unwrap_or_else(|| panic!("no number {key}"));
    let (control, header) = control(config, round_trip_ns);
    let has_window = real("has_win") != 0.0 && real("cc") != 3.0;
    let window = (gbps * round_trip_ns / 8.0).floor();
    let window = match has_window {
        true => format!(
            ", window = \"{window}B\", window_by_rate = {}",
            real("var_win") != 0.0
        ),
        false => String::new(),
    };
    // The answer carries telemetry back.
    let answer = if real("cc") == 3.0 { 88.0 } else { 60.0 };
    let packet = real("payload") + header;
    format!(
        "kind = \"rdma\", control = {control}, packet_size = \"{packet}B\", header = \"{header}B\", \
         ack_size = \"{answer}B\"{window}"
    )
}

/// A star around one switch, or switches with links of their own.
pub(crate) struct Network {
    pub(crate) text: String,
    /// The switches, as references.
    pub(crate) switches: String,
    /// Rate of the hosts' lines.
    pub(crate) gbps: f64,
    /// The headroom of an input, if the drivers give one.
    pub(crate) headroom: Option<f64>,
    /// The longest round trip of a packet of so many bytes, without its answer's transmission.
    pub(crate) round_trip_ns: f64,
}

/// The network of a list as the drivers have it: the number of nodes, of switches and of links; the
/// switches; the links.
fn network(lines: &[&str]) -> Network {
    let numbers = |line: &str| -> Vec<u64> {
        line.split_whitespace()
            .map(|word| word.parse().expect("a number"))
            .collect()
    };
    let switches = numbers(lines[1]);
    let nodes = numbers(lines[0])[0];
    let mut text = format!("[[node]]\nname = \"n\"\ncount = {nodes}\n");
    let (mut gbps, mut delay) = (0.0, 0.0);
    for line in &lines[2..] {
        let words: Vec<&str> = line.split_whitespace().collect();
        let (from, to) = (words[0], words[1]);
        writeln!(
            text,
            "[[link]]\nname = \"l{from}_{to}\"\nfrom = \"n[{from}]\"\nto = \"n[{to}]\"\nrate = \"{}\"\ndelay = \"{}\"",
            words[2], words[3]
        )
        .expect("a text takes all");
        gbps = words[2].trim_end_matches("Gbps").parse().expect("a rate");
        delay = words[3].trim_end_matches("ns").parse().expect("a delay");
    }
    let hops = switches.len() as f64 + 1.0;
    let names = switches.iter().map(|switch| format!("\"n[{switch}]\""));
    Network {
        text,
        switches: names.collect::<Vec<_>>().join(", "),
        gbps,
        headroom: Some(DEFAULTS.headroom * gbps / 25.0),
        round_trip_ns: hops * (2.0 * delay + 8000.0 / gbps),
    }
}

pub(crate) fn scenario(network: &Network, config: &Value, rows: &[Row], ties: &str) -> String {
    let of = |key: &str, default: f64| number(config, key).unwrap_or(default);
    let has_marks = matches!(number(config, "cc"), Some(1.0 | 8.0));
    // Thresholds in bytes, or in kilobytes at 25 Gbps, and in proportion to a port's rate.
    let threshold = |bytes: &str, kilobytes: &str, default: f64| {
        let of_rate = number(config, kilobytes).map(|kilobytes| kilobytes * 1000.0);
        let scaled = of_rate.unwrap_or(default) * network.gbps / 25.0;
        number(config, bytes).unwrap_or(scaled)
    };
    let mark = match has_marks {
        true => format!(
            "mark = {{ min = \"{}B\", max = \"{}B\", probability = {}, at = \"departure\", per_rate = \"{}Gbps\" }}\n",
            threshold("kmin_b", "kmin25", DEFAULTS.least_mark),
            threshold("kmax_b", "kmax25", DEFAULTS.most_mark),
            of("pmax", DEFAULTS.share),
            network.gbps,
        ),
        false => String::new(),
    };
    let mut text = format!(
        "host = \"none\"\nrun = {{ duration = \"{}us\", ties = \"{ties}\" }}\n{}",
        of("end_us", 100_000.0),
        network.text,
    );
    let headroom = number(config, "hdrm").or(network.headroom);
    let headroom = headroom.map(|bytes| format!("headroom = \"{bytes}B\", "));
    write!(
        text,
        "[[switch]]\nnodes = [{}]\nmemory = \"{}B\"\nreserve = \"4096B\"\n{mark}\
         pfc = {{ {}frame = \"43B\", alpha_rate = \"{}Gbps\" }}\n",
        network.switches,
        of("buffer", 0.0),
        headroom.unwrap_or_default(),
        network.gbps,
    )
    .expect("a text takes all");
    let sender = sender(config, network.gbps, network.round_trip_ns);
    let host = if network.text.contains("[[node]]") {
        "n"
    } else {
        "host"
    };
    for (i, row) in rows.iter().enumerate() {
        write!(
            text,
            "[[flow]]\nname = \"f{i}\"\nfrom = \"{host}[{}]\"\nto = \"{host}[{}]\"\nstart = \"{}ns\"\n{}\
             traffic = {{ {sender}, transfer = \"{}B\" }}\n",
            row.from,
            row.to,
            row.start_ns,
            row.paths.map_or(String::new(), |[there, back]| {
                format!("path = {there}\nback_path = {back}\n")
            }),
            row.bytes
        )
        .expect("a text takes all");
    }
    text
}

/// The outcome of a run: the duration of each flow, none for one that has not ended, and the numbers
/// of pauses and of drops.
pub(crate) struct Outcome {
    pub(crate) took_ns: Vec<Option<f64>>,
    pub(crate) pauses: u64,
    pub(crate) dropped: u64,
}

pub(crate) fn run(text: &str, seed: u64) -> Outcome {
    let checked = load("network.toml", text, &[], &|_: &str| Err(String::new()));
    let checked = checked.unwrap_or_else(|problems| panic!("{problems}\n{text}"));
    let mut world = World::new(checked.expand(seed, 0)).expect("a world");
    world.run();
    let dropped = world.flow_rows().iter().map(|row| row.dropped_pkts).sum();
    let links = world.link_rows();
    let pauses = links.iter().filter_map(|row| row.pauses).sum();
    let mut took_ns = vec![None; world.model().flows.len()];
    for row in world.take_transfers() {
        let ps = row.end_ps.map(|end| end - row.start_ps);
        took_ns[row.flow_id as usize] = ps.map(|ps| ps as f64 / 1000.0);
    }
    Outcome {
        took_ns,
        pauses,
        dropped,
    }
}

/// The durations in order among flows that differ in their source alone: which of these is quicker
/// hangs on ties. A flow that has not ended takes for ever.
fn in_order(rows: &[Row], took_ns: &[Option<f64>]) -> Vec<f64> {
    let mut groups: BTreeMap<(u64, u64, u64), Vec<f64>> = BTreeMap::new();
    for (row, took) in rows.iter().zip(took_ns) {
        let group = groups.entry((row.to, row.bytes, row.start_ns as u64));
        group.or_default().push(took.unwrap_or(f64::INFINITY));
    }
    groups
        .values_mut()
        .for_each(|group| group.sort_by(f64::total_cmp));
    groups.into_values().flatten().collect()
}

/// Draws of ties and marks for a case that is not met by the order of ids.
pub(crate) const DRAWS: u64 = 20;

/// Compares an outcome with a case. One that hangs on ties or drawn marks lies within what several
/// draws give.
pub(crate) fn compare(
    case: &Case<'_>,
    share: f64,
    run: impl Fn(&str, u64) -> Outcome,
) -> Result<String, String> {
    let by_ids = run("ids", 1);
    let theirs: Vec<Option<f64>> = case.rows.iter().map(|row| row.took_ns).collect();
    let last =
        |took_ns: &[Option<f64>]| in_order(case.rows, took_ns).into_iter().fold(0.0, f64::max);
    let text = format!(
        "last {:.0} ns for {:.0}, {} pauses for {}, {} drops for {}",
        last(&by_ids.took_ns),
        last(&theirs),
        by_ids.pauses,
        case.pauses.unwrap_or(f64::NAN),
        by_ids.dropped,
        case.drops
    );
    let first = case.outside(&[by_ids], share);
    if first.is_empty() {
        return Ok(text);
    }
    let drawn: Vec<Outcome> = (1..=DRAWS).map(|seed| run("drawn", seed)).collect();
    let outside = case.outside(&drawn, share);
    if outside.is_empty() {
        return Ok(format!(
            "{text}; within {DRAWS} draws (by ids: {})",
            first[0]
        ));
    }
    Err(format!(
        "{text}; outside {DRAWS} draws: {}",
        outside.join(", ")
    ))
}

/// True if a number is in a range that is made wider by a share and a number.
fn is_in([low, high]: [f64; 2], theirs: f64, share: f64, more: f64) -> bool {
    let is_in = low * (1.0 - share) - more <= theirs && theirs <= high * (1.0 + share) + more;
    // Two flows that have not ended.
    is_in || low == theirs
}

fn range(values: impl Iterator<Item = f64>) -> [f64; 2] {
    values.fold([f64::INFINITY, 0.0], |[low, high]: [f64; 2], value| {
        [low.min(value), high.max(value)]
    })
}

impl Case<'_> {
    /// The numbers of the case that are beyond what these outcomes have.
    fn outside(&self, outcomes: &[Outcome], share: f64) -> Vec<String> {
        let theirs: Vec<Option<f64>> = self.rows.iter().map(|row| row.took_ns).collect();
        let theirs = in_order(self.rows, &theirs);
        let orders = outcomes
            .iter()
            .map(|outcome| in_order(self.rows, &outcome.took_ns));
        let orders: Vec<Vec<f64>> = orders.collect();
        let mut outside = Vec::new();
        for (i, theirs) in theirs.iter().enumerate() {
            let ours = range(orders.iter().map(|order| order[i]));
            if !is_in(ours, *theirs, share, 0.0) {
                outside.push(format!(
                    "{theirs:.0} ns for {:.0} to {:.0}",
                    ours[0], ours[1]
                ));
            }
        }
        let pauses = range(outcomes.iter().map(|outcome| outcome.pauses as f64));
        if let Some(theirs) = self.pauses
            && !is_in(pauses, theirs, 0.0, 2.0)
        {
            outside.push(format!(
                "{theirs} pauses for {} to {}",
                pauses[0], pauses[1]
            ));
        }
        let dropped = outcomes[0].dropped;
        if (dropped > 0) != (self.drops > 0) {
            outside.push(format!("{} drops for {dropped}", self.drops));
        }
        outside
    }
}

/// A case: its flows, and the numbers of its pauses, where they are judged, and of its drops.
pub(crate) struct Case<'r> {
    pub(crate) rows: &'r [Row],
    pub(crate) pauses: Option<f64>,
    pub(crate) drops: u64,
}

/// The rows of a list with seven fields a flow.
pub(crate) fn row(fields: &[f64]) -> Row {
    Row {
        from: fields[1] as u64,
        to: fields[2] as u64,
        bytes: fields[3] as u64,
        start_ns: fields[4],
        took_ns: Some(fields[5]).filter(|ns| *ns > 0.0),
        alone_ns: fields[6],
        paths: None,
    }
}

/// A closed loop, or pauses without a control, of a table with its network in the settings.
pub(crate) fn of_table(path: &Path) -> Result<String, String> {
    let text = std::fs::read_to_string(path).expect("a text");
    let mut remarks = text.lines().take_while(|line| line.starts_with('#'));
    let config = remarks.next().expect("settings").trim_start_matches('#');
    let config: Value = serde_json::from_str(config).expect("settings in JSON");
    let flows = remarks
        .find(|line| line.starts_with("# flows"))
        .expect("flows");
    let flows = flows.split_once(": ").expect("a list").1.split(" | ");
    let mut rows: Vec<Row> = flows
        .map(|flow| {
            let fields: Vec<f64> = flow
                .split(',')
                .map(|n| n.parse().expect("a number"))
                .collect();
            row(&fields)
        })
        .collect();
    // Starts in the table are those of the list; completion is a time, not a duration.
    for row in &mut rows {
        row.took_ns = row.took_ns.map(|end| end - row.start_ns);
    }
    let lines = config["topology"].as_array().expect("a network");
    let lines: Vec<&str> = lines
        .iter()
        .map(|line| line.as_str().expect("a line"))
        .collect();
    let network = network(&lines);
    let share = match number(&config, "cc") {
        Some(0.0 | 3.0) => 0.01,
        Some(8.0) => 0.02,
        _ => 0.05,
    };
    let sent = text
        .lines()
        .filter(|line| line.starts_with("pfc_sent") && line.contains("pause"));
    let is_judged = number(&config, "cc") == Some(0.0);
    let case = Case {
        rows: &rows,
        pauses: is_judged.then(|| sent.count() as f64),
        drops: text.lines().filter(|line| line.starts_with("drop")).count() as u64,
    };
    compare(&case, share, |ties, seed| {
        run(&scenario(&network, &config, &rows, ties), seed)
    })
}

/// Incasts on one switch, for each control.
pub(crate) fn incasts(path: &Path) -> Vec<(String, Result<String, String>)> {
    let text = std::fs::read_to_string(path).expect("a text");
    let name = path
        .file_stem()
        .expect("a name")
        .to_string_lossy()
        .into_owned();
    let case: Value = serde_json::from_str(&text).expect("JSON");
    // "33 hosts on one switch, 100Gbps, 1000 ns a link"
    let words = case["topology"].as_str().expect("a network").split(", ");
    let rate = words
        .into_iter()
        .find(|word| word.ends_with("Gbps"))
        .expect("a rate");
    let results = case["results"].as_object().cloned().unwrap_or_default();
    let replay = |(control, result): (String, Value)| {
        let rows = rows_of(&result["flows"]);
        let hosts = rows.len() as u64 + 1;
        let mut lines = vec![format!("{} 1 {hosts}", hosts + 1), hosts.to_string()];
        lines.extend((0..hosts).map(|host| format!("{host} {hosts} {rate} 1000ns 0")));
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let text = scenario(&network(&lines), &result["config"], &rows, "ids");
        let Outcome {
            took_ns: took,
            pauses,
            dropped,
        } = run(&text, 1);
        let ends = rows
            .iter()
            .zip(&took)
            .map(|(row, took)| Some(row.start_ns + (*took)?));
        let last = ends.flatten().fold(0.0, f64::max);
        let theirs = number(&result, "last_ns").expect("a time");
        let frames = number(&result, "pfc_frames").expect("a number");
        let off = last / theirs - 1.0;
        let text = format!(
            "last end {last:.0} for {theirs:.0} ns ({:+.2} %), {} frames for {frames}, {dropped} drops",
            off * 100.0,
            2 * pauses
        );
        let share = if control == "hpcc" { 0.03 } else { 0.02 };
        let share = if control == "dcqcn" { 0.05 } else { share };
        let is_within = off.abs() <= share && dropped == 0 && took.iter().all(Option::is_some);
        let found = if is_within { Ok(text) } else { Err(text) };
        (format!("{name} {control}"), found)
    };
    results.into_iter().map(replay).collect()
}

pub(crate) fn rows_of(list: &Value) -> Vec<Row> {
    let flows = list.as_array().cloned().unwrap_or_default();
    let fields = |flow: &Value| -> Vec<f64> {
        let fields = flow.as_array().expect("a list").iter();
        fields
            .map(|field| field.as_f64().expect("a number"))
            .collect()
    };
    flows.iter().map(|flow| row(&fields(flow))).collect()
}
