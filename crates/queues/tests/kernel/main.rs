//! The disciplines compared with Linux's own, packet by packet.
//!
//! The recordings have each packet's arrival, its fate and the nanosecond of its departure. Those
//! in `fixtures` are a selection: recorded from Linux 6.12's own disciplines in virtual time,
//! DualPI2's from mainline's in the same kernel. To replay a folder of others:
//!
//! ```text
//! PACESIM_QDISC=DIR cargo test --release -p pacesim-queues --test kernel -- --nocapture
//! ```

mod cases;
mod disciplines;
mod free;
mod line;
mod replay;
mod rfc;
mod samples;
mod table;
mod words;

use std::path::{Path, PathBuf};

use cases::Case;
use replay::{Outcome, replay};

#[test]
fn disciplines_do_what_linux_does() {
    let (mut count, mut exact, mut wrong) = (0, 0, 0);
    for case in cases() {
        count += 1;
        match replay(&case) {
            Outcome::Exact => exact += 1,
            Outcome::NotModelled(what) => println!("{}: {what} is not modelled", case.name),
            Outcome::Differs(difference) => {
                wrong += 1;
                println!("{}: {difference}", case.name);
            }
        }
    }
    println!("{count} cases, {exact} exact");
    assert_eq!(wrong, 0, "cases that differ");
    assert!(exact > 0, "nothing was compared");
}

#[test]
fn disciplines_that_draw_stay_within_the_bands_of_linux() {
    let mut outside = Vec::new();
    for case in cases() {
        outside.extend(free::outside(&case));
    }
    assert!(outside.is_empty(), "{}", outside.join("\n"));
}

#[test]
fn codel_by_its_rfc_stays_within_the_bands_of_linux() {
    let (mut rows, mut outside) = (Vec::new(), Vec::new());
    for comparison in cases().iter().filter_map(rfc::compare) {
        rows.push(comparison.row);
        outside.extend(comparison.outside);
    }
    println!("case, drops and marks of Linux and of the RFC, mean delay in ms likewise");
    println!("{}", rows.join("\n"));
    let are_shipped = std::env::var_os("PACESIM_QDISC").is_none();
    assert!(rows.len() >= 6 || !are_shipped, "{} cases", rows.len());
    assert!(outside.is_empty(), "{}", outside.join("\n"));
}

/// The cases of the requested folder, or those that ship.
fn cases() -> Vec<Case> {
    let folders = match std::env::var_os("PACESIM_QDISC") {
        Some(folder) => found(Path::new(&folder)),
        None => found(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/kernel/fixtures")),
    };
    assert!(!folders.is_empty(), "no folder with cases.csv");
    folders
        .iter()
        .flat_map(|folder| Case::all(folder))
        .collect()
}

/// The folder, or the folders in it, with cases.
fn found(folder: &Path) -> Vec<PathBuf> {
    let holds = |folder: &Path| {
        let table = std::fs::read_to_string(folder.join("cases.csv"));
        table.is_ok_and(|text| {
            text.lines()
                .next()
                .is_some_and(|names| names.contains("drop_enqueue"))
        })
    };
    if holds(folder) {
        return vec![folder.to_owned()];
    }
    let entries = std::fs::read_dir(folder).expect("the folder of recordings can be read");
    let mut folders: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    folders.retain(|folder| holds(folder));
    folders.sort();
    folders
}
