//! Cases of switches and paths in data centres, replayed to the picosecond. Some are beside this
//! file; `PACESIM_DATACENTRE=DIR cargo test --release -p pacesim --test datacentre -- --nocapture`
//! replays those of another folder, and prints the numbers of each kind.

#[path = "datacentre/cases.rs"]
mod cases;
#[path = "datacentre/hashes.rs"]
mod hashes;
#[path = "datacentre/thresholds.rs"]
mod thresholds;

use std::collections::BTreeMap;

use cases::Case;

/// The replay of a kind of cases, by the start of their names.
type Replay = fn(&Case) -> Result<(), String>;

const KINDS: [(&str, Replay); 2] = [("dt", thresholds::replay), ("ecmp", hashes::replay)];

/// Kinds of senders and of lossless fabrics, which nothing here replays.
const WAITING: [&str; 8] = [
    "dcqcn", "dctcp", "hpcc", "mmu", "ndp", "pfc", "swift", "timely",
];

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
        println!("{kind}: {count} cases wait for lossless fabrics and their senders");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(counts.len() == KINDS.len(), "cases of each kind");
}
