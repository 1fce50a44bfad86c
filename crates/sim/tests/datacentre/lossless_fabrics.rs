//! Lossless fabrics with the paths of the authors' hash: permutations of a fat tree, and lists of flows
//! over leaves and spines.

use std::fmt::Write as _;
use std::path::Path;

use pacesim::model::path_hash;
use serde_json::Value;

use crate::lossless::{Case, DEFAULTS, DRAWS, Network, Row, compare, row, rows_of, run, scenario};

/// The next hop among so many that a switch chooses for a flow, or for its answers, by the hash of the
/// authors' simulator.
fn choice((flow, from, to): (usize, u64, u64), is_back: bool, switch: u64, of: u32) -> u32 {
    let address = |host: u64| 0x0b00_0001 + (host as u32) * 0x100;
    let [source, sink] = [10_000 + flow as u32, 100 + flow as u32];
    let ports = match is_back {
        false => source | sink << 16,
        true => sink | source << 16,
    };
    path_hash([address(from), address(to), ports], switch as u32) % of
}

/// The paths of a flow and of its answers; `path` has the one from one host to another.
fn both_ways(flow: usize, row: &Row, path: fn((usize, u64, u64), bool) -> u32) -> Option<[u32; 2]> {
    let there = path((flow, row.from, row.to), false);
    Some([there, path((flow, row.to, row.from), true)])
}

/// Half of the ports of the fat tree's switches.
const HALF: u64 = 2;

/// A path in a fat tree with four ports a switch: hosts first, then edges, aggregation switches,
/// cores.
fn in_tree(ends: (usize, u64, u64), is_back: bool) -> u32 {
    let [from, to] = [ends.1, ends.2].map(|host| host / HALF);
    if from == to {
        return 0;
    }
    let up = choice(ends, is_back, 16 + from, HALF as u32);
    if from / HALF == to / HALF {
        return up;
    }
    let aggregation = 24 + from / HALF * HALF + u64::from(up);
    up * HALF as u32 + choice(ends, is_back, aggregation, HALF as u32)
}

/// A path in the leaf-spine fabric of the lists.
fn over_spine(ends: (usize, u64, u64), is_back: bool) -> u32 {
    let [from, to] = [ends.1, ends.2].map(|host| host / 8);
    if from == to {
        0
    } else {
        choice(ends, is_back, 32 + from, 2)
    }
}

/// The longest round trip that a driver printed.
fn longest_round_trip(header: &str) -> f64 {
    let mut words = header
        .split_whitespace()
        .skip_while(|word| *word != "maxRtt");
    words
        .nth(1)
        .and_then(|word| word.parse().ok())
        .expect("a round trip")
}

/// Permutations in a fat tree, with the paths of the authors' hash.
pub(crate) fn permutations(path: &Path) -> Vec<(String, Result<String, String>)> {
    let text = std::fs::read_to_string(path).expect("a text");
    let name = path
        .file_stem()
        .expect("a name")
        .to_string_lossy()
        .into_owned();
    let case: Value = serde_json::from_str(&text).expect("JSON");
    let results = case["results"].as_object().cloned().unwrap_or_default();
    let replay = |(control, result): (String, Value)| {
        let mut rows = rows_of(&result["flows"]);
        for (flow, row) in rows.iter_mut().enumerate() {
            row.paths = both_ways(flow, row, in_tree);
        }
        let link = "{ rate = \"25Gbps\", delay = \"1us\" }";
        let network = Network {
            text: format!("[topology]\nshape = \"fat_tree\"\nk = 4\naccess = {link}\n"),
            switches: "\"edge\", \"aggregation\", \"core\"".to_owned(),
            gbps: 25.0,
            headroom: Some(DEFAULTS.headroom),
            round_trip_ns: longest_round_trip(result["header"].as_str().expect("a text")),
        };
        let share = if control == "hpcc" { 0.03 } else { 0.1 };
        let case = Case {
            rows: &rows,
            pauses: None,
            drops: 0,
        };
        let found = compare(&case, share, |ties, seed| {
            run(&scenario(&network, &result["config"], &rows, ties), seed)
        });
        (format!("{name} {control}"), found)
    };
    results.into_iter().map(replay).collect()
}

/// Bounds of the size classes of lists, in bytes.
const CLASSES: [u64; 4] = [10_000, 100_000, 1_000_000, u64::MAX];

/// Median and 95th percentile of the slowdowns of each class: of the sorted values the one at the
/// share times their number, as the drivers' script has it.
fn slowdowns(rows: &[Row], took_ns: &[Option<f64>]) -> Slowdowns {
    let mut classes: [Vec<f64>; 4] = Default::default();
    for (row, took) in rows.iter().zip(took_ns) {
        let class = CLASSES
            .iter()
            .position(|most| row.bytes < *most)
            .unwrap_or(3);
        classes[class].push(took.unwrap_or(f64::INFINITY) / row.alone_ns);
    }
    let quantiles = |values: &mut Vec<f64>| {
        values.sort_by(f64::total_cmp);
        [0.5, 0.95].map(|share| {
            let place = (share * values.len() as f64) as usize;
            values
                .get(place.min(values.len().saturating_sub(1)))
                .copied()
                .unwrap_or(1.0)
        })
    };
    let found = classes
        .iter_mut()
        .map(|values| (values.len(), quantiles(values)));
    found.collect()
}

/// Lists of flows in a leaf-spine fabric: slowdowns by size.
pub(crate) fn lists(path: &Path) -> Result<String, String> {
    let text = std::fs::read_to_string(path).expect("a text");
    let mut lines = text.lines();
    let config = lines.next().expect("settings").trim_start_matches('#');
    let config: Value = serde_json::from_str(config).expect("settings in JSON");
    let header = lines.next().expect("a header");
    let mut rows: Vec<Row> = lines
        .skip(1)
        .map(|line| {
            let fields: Vec<f64> = line
                .split(',')
                .map(|field| field.parse().expect("a number"))
                .collect();
            row(&fields)
        })
        .collect();
    for (flow, row) in rows.iter_mut().enumerate() {
        row.paths = both_ways(flow, row, over_spine);
    }
    let network = Network {
        text: "[topology]\nshape = \"leaf_spine\"\nleaves = 4\nspines = 2\nhosts = 8\n\
               access = { rate = \"25Gbps\", delay = \"1us\" }\n\
               uplink = { rate = \"100Gbps\", delay = \"1us\" }\n"
            .to_owned(),
        switches: "\"leaf\", \"spine\"".to_owned(),
        gbps: 25.0,
        headroom: None,
        round_trip_ns: longest_round_trip(header),
    };
    let theirs: Vec<Option<f64>> = rows.iter().map(|row| row.took_ns).collect();
    let theirs = slowdowns(&rows, &theirs);
    let run = |ties: &str, seed| {
        let outcome = run(&scenario(&network, &config, &rows, ties), seed);
        assert_eq!(outcome.dropped, 0, "a lossless network");
        slowdowns(&rows, &outcome.took_ns)
    };
    let first = run("ids", 1);
    let text = told(&first, &theirs);
    if outside(&[first], &theirs).is_empty() {
        return Ok(text);
    }
    let drawn: Vec<Slowdowns> = (1..=DRAWS).map(|seed| run("drawn", seed)).collect();
    let outside = outside(&drawn, &theirs);
    if outside.is_empty() {
        return Ok(format!("{text} within {DRAWS} draws"));
    }
    Err(format!(
        "{text} outside {DRAWS} draws: {}",
        outside.join(", ")
    ))
}

/// The number of flows of each class, with median and 95th percentile of their slowdowns.
type Slowdowns = Vec<(usize, [f64; 2])>;

/// The two quantiles: their names, and how far they may be off.
const QUANTILES: [(&str, f64); 2] = [("p50", 0.05), ("p95", 0.15)];

fn told(ours: &Slowdowns, theirs: &Slowdowns) -> String {
    let mut text = String::new();
    for ((flows, ours), (_, theirs)) in ours.iter().zip(theirs) {
        for (i, (name, _)) in QUANTILES.iter().enumerate() {
            write!(text, "{name} {:.3}/{:.3} ", ours[i], theirs[i]).expect("a text takes all");
        }
        write!(text, "of {flows}; ").expect("a text takes all");
    }
    text
}

/// The quantiles of classes of some flows that are beyond the range of these outcomes.
fn outside(outcomes: &[Slowdowns], theirs: &Slowdowns) -> Vec<String> {
    let mut outside = Vec::new();
    for (class, (flows, theirs)) in theirs.iter().enumerate() {
        for (i, (name, share)) in QUANTILES.iter().enumerate() {
            let ours = outcomes.iter().map(|outcome| outcome[class].1[i]);
            let least = ours.clone().fold(f64::INFINITY, f64::min);
            let most = ours.fold(0.0, f64::max);
            let is_in = least * (1.0 - share) <= theirs[i] && theirs[i] <= most * (1.0 + share);
            if !is_in && *flows >= FEW {
                outside.push(format!(
                    "{name} {:.3} for {least:.3} to {most:.3}",
                    theirs[i]
                ));
            }
        }
    }
    outside
}

/// Flows below which a class has no quantiles to compare.
const FEW: usize = 5;
