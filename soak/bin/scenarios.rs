//! Random scenarios.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::ops::Range;

use pacesim_soak::{Maker, Verdict, document, places, shrink, try_case, try_tree};
use serde_json::{Map, Value as Json};

use crate::{panics, watch};

/// The results of a campaign.
#[derive(Default)]
struct Sums {
    sound: u64,
    none: u64,
    failed: u64,
    refused: u64,
    packet_hops: u64,
    rows: u64,
    in_flight: u64,
    divided: u64,
    used: BTreeSet<String>,
}

/// Tries the scenarios of these numbers; returns the number of failures.
pub(crate) fn run(numbers: Range<u64>) -> io::Result<u64> {
    let maker = Maker::default();
    let around = tempfile::tempdir()?;
    let folder = around.path().join("case");
    let mut sums = Sums::default();
    for number in numbers.clone() {
        watch::case(format!("scenario {number}"));
        match try_case(&maker, number, &folder)? {
            Verdict::NoScenario => sums.none += 1,
            Verdict::Sound(made, figures) => {
                sums.sound += 1;
                sums.refused += made.refused;
                sums.packet_hops += figures.packet_hops;
                sums.rows += figures.rows;
                sums.in_flight += figures.in_flight;
                sums.divided += u64::from(figures.parts > 1);
                sums.used.extend(made.used);
            }
            Verdict::Failed(failure, tree) => {
                sums.failed += 1;
                println!("scenario {number}: {failure} {}", panics::place(&failure));
                let fails = |tree: &Map<String, Json>| try_tree(tree, &folder).err();
                println!("{}", document(&shrink(&tree, failure.fault, fails)));
            }
        }
        fs::remove_dir_all(&folder)?;
        if (number + 1 - numbers.start).is_multiple_of(10_000) {
            eprintln!("... {} cases", number + 1 - numbers.start);
        }
    }
    sums.report(&maker, &numbers);
    Ok(sums.failed)
}

impl Sums {
    fn report(&self, maker: &Maker, numbers: &Range<u64>) {
        let all = places(maker.schema());
        let used = all.intersection(&self.used).count();
        let (count, last) = (numbers.end - numbers.start, numbers.end.saturating_sub(1));
        println!(
            "{count} generated scenarios, numbers {} to {last}",
            numbers.start
        );
        println!("  failed: {}", self.failed);
        println!("  sound: {}", self.sound);
        println!("  given up, for check refused every draft: {}", self.none);
        println!(
            "  drafts that check refused on the way to the sound ones: {}",
            self.refused
        );
        println!(
            "  places of the language in sound ones: {used} of {}",
            all.len()
        );
        println!("  packet-hops, each run three times: {}", self.packet_hops);
        println!(
            "  packets in flight at the end, all accounted for: {}",
            self.in_flight
        );
        println!("  also run in parts on threads: {}", self.divided);
        println!("  rows written and read: {}", self.rows);
        if let Some(peak) = watch::peak_memory() {
            println!("  peak memory: {peak}");
        }
    }
}
