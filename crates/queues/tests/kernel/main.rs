//! The disciplines against Linux's own, packet by packet.
//!
//! The recordings hold each packet's arrival, its fate and the nanosecond at which it left. Those that ship, in
//! `fixtures`, are some of many: recorded from Linux 6.12's own disciplines in virtual time, DualPI2's from mainline's in the same
//! kernel. A folder of others is replayed by
//!
//! ```text
//! PACESIM_QDISC=DIR cargo test --release -p pacesim-queues --test kernel -- --nocapture
//! ```

#![allow(dead_code)]

mod cases;
mod disciplines;
mod line;
mod replay;
mod table;

use std::path::{Path, PathBuf};

use cases::Case;
use replay::{Outcome, replay};

#[test]
fn disciplines_do_what_linux_does() {
    let folders = match std::env::var_os("PACESIM_QDISC") {
        Some(folder) => found(Path::new(&folder)),
        None => found(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/kernel/fixtures")),
    };
    assert!(!folders.is_empty(), "no folder with cases.csv");
    let (mut count, mut exact, mut wrong) = (0, 0, 0);
    for folder in folders {
        for case in Case::all(&folder) {
            count += 1;
            match replay(&case) {
                Outcome::Exact => exact += 1,
                Outcome::NotModelled => println!("{}: not modelled", case.name),
                Outcome::Differs(difference) => {
                    wrong += 1;
                    println!("{}: {difference}", case.name);
                }
            }
        }
    }
    println!("{count} cases, {exact} exact");
    assert_eq!(wrong, 0, "cases that differ");
    assert!(exact > 0, "nothing was compared");
}

/// The folder, or those in it, that hold cases.
fn found(folder: &Path) -> Vec<PathBuf> {
    let holds = |folder: &Path| folder.join("cases.csv").is_file();
    if holds(folder) {
        return vec![folder.to_owned()];
    }
    let entries = std::fs::read_dir(folder).expect("the folder of recordings can be read");
    let mut folders: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    folders.retain(|folder| holds(folder));
    folders.sort();
    folders
}
