//! Cases of switches, paths and senders in data centres, replayed exactly. Some are beside this
//! file; `PACESIM_DATACENTRE=DIR cargo test --release -p pacesim --test datacentre -- --nocapture`
//! replays those of another folder, and prints the numbers of each kind.

#[path = "datacentre/cases.rs"]
mod cases;
#[path = "datacentre/completions.rs"]
mod completions;
#[path = "datacentre/dcqcn.rs"]
mod dcqcn;
#[path = "datacentre/hashes.rs"]
mod hashes;
#[path = "datacentre/homa.rs"]
mod homa;
#[path = "datacentre/hpcc.rs"]
mod hpcc;
#[path = "datacentre/lossless.rs"]
mod lossless;
#[path = "datacentre/lossless_fabrics.rs"]
mod lossless_fabrics;
#[path = "datacentre/mmu.rs"]
mod mmu;
#[path = "datacentre/ndp.rs"]
mod ndp;
#[path = "datacentre/ndp_networks.rs"]
mod ndp_networks;
#[path = "datacentre/networks.rs"]
mod networks;
#[path = "datacentre/rates.rs"]
mod rates;
#[path = "datacentre/swift.rs"]
mod swift;
#[path = "datacentre/thresholds.rs"]
mod thresholds;
#[path = "datacentre/tolerances.rs"]
mod tolerances;

use std::collections::BTreeMap;

use cases::Case;

#[test]
fn networks_of_tcp_are_within_their_tolerances() {
    let of_senders = |name: &str| {
        let is_known = name.starts_with("permutation_") || name.starts_with("incast_");
        is_known && !name.contains("lossless")
    };
    let paths = cases::files("net", "json");
    let paths = paths.iter().filter(|path| {
        let name = path.file_name().expect("a name");
        of_senders(&name.to_string_lossy())
    });
    let found: Vec<_> = paths.flat_map(|path| networks::replay(path)).collect();
    for (name, result) in &found {
        let text = result.as_ref().unwrap_or_else(|difference| difference);
        println!("{name}: {text}");
    }
    let outside: Vec<&String> = found
        .iter()
        .filter_map(|(name, result)| result.is_err().then_some(name))
        .collect();
    let inside = found.len() - outside.len();
    println!(
        "networks: {} cases, {inside} within their tolerances",
        found.len()
    );
    assert!(outside.is_empty(), "{outside:?}");
    assert!(found.len() >= 4, "cases of both kinds");
}

/// Prints the networks that were replayed, and asserts that all are within their tolerances.
fn judge(kind: &str, found: &[(String, Result<String, String>)]) {
    for (name, result) in found {
        let mark = if result.is_ok() { "" } else { "OUTSIDE " };
        let text = result.as_ref().unwrap_or_else(|difference| difference);
        println!("{mark}{name}: {text}");
    }
    let outside = found.iter().filter(|(_, result)| result.is_err());
    let outside: Vec<&String> = outside.map(|(name, _)| name).collect();
    let inside = found.len() - outside.len();
    println!(
        "{kind}: {} cases, {inside} within their tolerances",
        found.len()
    );
    assert!(outside.is_empty(), "{outside:?}");
}

#[test]
fn networks_with_pauses_and_senders_by_rate_are_within_their_tolerances() {
    let name = |path: &std::path::Path| {
        let name = path.file_stem().expect("a name");
        name.to_string_lossy().into_owned()
    };
    let kinds = ["pfc_", "dcqcn_", "hpcc_", "timely_", "dctcp_rate_"];
    let tables = cases::files("net", "csv").into_iter();
    let tables = tables.filter(|path| kinds.iter().any(|kind| name(path).starts_with(kind)));
    let mut found: Vec<_> = tables
        .map(|path| (name(&path), lossless::of_table(&path)))
        .collect();
    let lists = cases::files("net", "json").into_iter();
    let lists = lists.filter(|path| name(path).starts_with("incast_lossless"));
    found.extend(lists.flat_map(|path| lossless::incasts(&path)));
    let lists = cases::files("net", "json").into_iter();
    let lists = lists.filter(|path| name(path).starts_with("permutation_lossless"));
    found.extend(lists.flat_map(|path| lossless_fabrics::permutations(&path)));
    let lists = cases::files("net", "csv").into_iter();
    let lists = lists.filter(|path| name(path).starts_with("fct_") && name(path) != "fct_slowdown");
    found.extend(lists.map(|path| (name(&path), lossless_fabrics::lists(&path))));
    judge("lossless networks", &found);
}

#[test]
fn completions_of_tcp_are_within_their_tolerances() {
    let cases = cases::files("net", "csv");
    let cases = cases.iter().filter(|path| {
        let name = path.file_stem().expect("a name").to_string_lossy();
        name.starts_with("fcth_") && (name.contains("_tcp") || name.contains("_dctcp"))
    });
    let cases: Vec<Case> = cases.map(|path| cases::read(path)).collect();
    let found: Vec<_> = cases.iter().flat_map(completions::replay).collect();
    found
        .iter()
        .for_each(|compared| println!("{}", compared.text));
    let close = found.iter().filter(|compared| compared.is_close).count();
    println!(
        "completions: {} lists, {close} of {} quantiles within their tolerances",
        cases.len(),
        found.len()
    );
    let wrong = found.iter().filter(|compared| compared.is_wrong);
    let wrong: Vec<&str> = wrong.map(|compared| &*compared.text).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(!cases.is_empty(), "a list");
}

#[test]
fn networks_of_ndp_are_within_their_tolerances() {
    let name = |path: &std::path::Path| {
        let name = path.file_stem().expect("a name");
        name.to_string_lossy().into_owned()
    };
    let cases = cases::files("net", "json").into_iter().filter(|path| {
        let is_known = ["permutation_", "incast_"];
        is_known.iter().any(|kind| name(path).starts_with(kind)) && !name(path).contains("lossless")
    });
    let mut found: Vec<_> = cases.flat_map(|path| ndp_networks::replay(&path)).collect();
    let lists = cases::files("net", "csv").into_iter();
    let lists =
        lists.filter(|path| name(path).starts_with("fcth_") && name(path).ends_with("_ndp"));
    found.extend(lists.map(|path| (name(&path), ndp_networks::lists(&path))));
    judge("networks of NDP", &found);
    assert!(found.len() >= 4, "cases of both kinds");
}

#[test]
fn the_example_of_ndp_on_its_page_loses_no_packet() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/datacentre.md");
    let page = std::fs::read_to_string(page).expect("the page");
    let blocks = page.split("```toml\n").skip(1);
    let mut blocks = blocks.filter_map(|rest| rest.split("```").next());
    let example = blocks.find(|block| block.contains("kind = \"ndp\""));
    ndp_networks::is_complete(example.expect("an example"));
}

/// The replay of a kind of cases, by the start of their names.
type Replay = fn(&Case) -> Result<(), String>;

const KINDS: [(&str, Replay); 9] = [
    ("dcqcn", dcqcn::replay),
    ("dctcp", rates::dctcp),
    ("dt", thresholds::replay),
    ("ecmp", hashes::replay),
    ("hpcc", hpcc::replay),
    ("mmu", mmu::replay),
    ("ndp", ndp::replay),
    ("swift", swift::replay),
    ("timely", rates::timely),
];

/// Networks with pauses, which nothing here replays.
const WAITING: [&str; 1] = ["pfc"];

#[test]
fn cases_are_replayed_exactly() {
    let cases = cases::all();
    let mut counts: BTreeMap<&str, [u32; 2]> = BTreeMap::new();
    let mut waiting: BTreeMap<&str, u32> = BTreeMap::new();
    let mut wrong = Vec::new();
    for case in &cases {
        let starts = |kind: &str| case.name.starts_with(kind);
        if let Some(kind) = WAITING.iter().find(|kind| starts(kind)) {
            *waiting.entry(kind).or_default() += 1;
            continue;
        }
        let known = KINDS.iter().find(|(kind, _)| starts(kind));
        let (kind, replay) = known.unwrap_or_else(|| panic!("{} is of no known kind", case.name));
        let [all, exact] = counts.entry(kind).or_default();
        *all += 1;
        match replay(case) {
            Ok(()) => *exact += 1,
            Err(difference) => wrong.push(format!("{}: {difference}", case.name)),
        }
    }
    for (kind, [all, exact]) in &counts {
        println!("{kind}: {all} cases, {exact} exact");
    }
    for (kind, count) in &waiting {
        println!("{kind}: {count} cases wait for lossless fabrics");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(counts.len() == KINDS.len(), "cases of each kind");
}
