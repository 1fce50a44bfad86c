//! The sender of Linux's profile against the kernel's own TCP, packet by packet, state by state.
//!
//! A trace has every packet at the entry of a path and the sender's state after every ACK, recorded
//! from Linux 6.12 in virtual time. The sender is fed the ACKs of the trace and must act exactly as
//! the kernel did. `PACESIM_LINUX_TRACES` names a folder of such traces (`cases.csv`, `scenarios/`,
//! `traces/`) to check.

#[path = "linux_trace/case.rs"]
mod case;
#[path = "linux_trace/clock.rs"]
mod clock;
#[path = "linux_trace/events.rs"]
mod events;
#[path = "linux_trace/receiver.rs"]
mod receiver;
#[path = "linux_trace/replay.rs"]
mod replay;
#[path = "linux_trace/search.rs"]
mod search;

use std::collections::BTreeSet;
use std::io::Write;
use std::path::Path;

use case::Case;
use pacesim_units::Bytes;

/// The names of a folder's cases with one of these controls.
fn names(folder: &Path, controls: &[&str]) -> BTreeSet<String> {
    let table = std::fs::read_to_string(folder.join("cases.csv"))
        .unwrap_or_else(|why| panic!("{}: {why}", folder.display()));
    let rows = table
        .lines()
        .skip(1)
        .map(|line| line.split(',').collect::<Vec<_>>());
    rows.filter(|row| controls.contains(&row[4]))
        .map(|row| row[0].to_owned())
        .collect()
}

/// Replays the cases of a folder; returns their number, and the first difference of each that
/// differs.
fn replay_folder(folder: &Path) -> (usize, Vec<(String, String)>) {
    let only = std::env::var("PACESIM_LINUX_CASE").ok();
    let cases: Vec<Case> = names(folder, &["cubic", "reno", "dctcp", "bbr", "bbr3"])
        .iter()
        .filter(|name| only.as_ref().is_none_or(|only| only == *name))
        .filter_map(|name| Case::read(folder, name))
        .filter(|case| case.scenario.flows == 1)
        .collect();
    let misses: Vec<(String, String)> = cases
        .iter()
        .filter_map(|case| {
            search::check(case)
                .err()
                .map(|why| (case.name.clone(), why))
        })
        .collect();
    (cases.len(), misses)
}

/// Reports the number of cases that agree, past the test harness, which would swallow it.
fn report(all: usize, misses: &[(String, String)]) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    for (name, why) in misses {
        writeln!(out, "{name}: {why}")?;
    }
    writeln!(out, "{all} cases, {} exact", all - misses.len())
}

#[test]
fn every_shipped_trace_is_replayed_exactly() {
    let (all, misses) = replay_folder(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/linux"));
    assert!(all >= 20 && misses.is_empty(), "of {all}: {misses:#?}");
}

/// The search over choices and microseconds does not compensate for other constants: those of BBR's
/// draft.
#[test]
fn a_sender_with_slightly_other_gains_is_noticed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/linux");
    let mut case = Case::read(&folder, "bbr3_10m40_b8").expect("a shipped case");
    assert_eq!(search::check(&case), Ok(()), "Google's constants");
    "bbr3_draft".clone_into(&mut case.scenario.control);
    let difference = search::check(&case).expect_err("the draft's constants are noticed");
    assert!(difference.starts_with("at "), "{difference}");
}

#[test]
fn every_trace_of_the_folder_in_the_environment_is_replayed_exactly() {
    if let Some(folder) = std::env::var_os("PACESIM_LINUX_TRACES") {
        let (all, misses) = replay_folder(Path::new(&folder));
        report(all, &misses).expect("standard output");
        assert!(misses.is_empty(), "{} cases differ", misses.len());
    }
}

/// Compares the ACKs of each unscripted receiver of a folder; returns their number, and the first
/// difference of each.
fn replay_receivers(folder: &Path) -> (usize, Vec<(String, String)>) {
    let only = std::env::var("PACESIM_LINUX_CASE").ok();
    let cases: Vec<Case> = names(folder, &["cubic", "reno", "dctcp", "bbr", "bbr3"])
        .iter()
        .filter(|name| only.as_ref().is_none_or(|only| only == *name))
        .filter_map(|name| Case::read(folder, name))
        .filter(|case| case.scenario.flows == 1 && !case.scenario.peer)
        .collect();
    let misses = cases
        .iter()
        .filter_map(|case| Some((case.name.clone(), receiver::check(case).err()?)));
    (cases.len(), misses.collect())
}

#[test]
fn every_shipped_receiver_acknowledges_as_recorded() {
    let (all, misses) =
        replay_receivers(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/linux"));
    assert!(all >= 15 && misses.is_empty(), "of {all}: {misses:#?}");
}

#[test]
fn every_receiver_of_the_folder_in_the_environment_acknowledges_as_recorded() {
    if let Some(folder) = std::env::var_os("PACESIM_LINUX_TRACES") {
        let (all, misses) = replay_receivers(Path::new(&folder));
        report(all, &misses).expect("standard output");
        assert!(misses.is_empty(), "{} receivers differ", misses.len());
    }
}

/// As recorded from the kernel with 256 MiB asked for, which it doubles: its window grows to what half of the memory holds
/// from the greatest that its scale can express, and 16 quick ACKs are left then.
#[test]
fn a_large_buffer_acknowledges_pairs_once_its_window_no_longer_grows() {
    let singly = receiver::acknowledged_singly(Bytes(2 * 268_435_456));
    assert_eq!(singly, 23_190);
}
