//! Samples of the campaigns about answers that would be wrong in silence; `scripts/soak.sh` tries
//! more.

use std::path::PathBuf;

use pacesim_soak::{Maker, Shelves, try_bound, try_cut, try_formulas, try_laws, try_planted};
use tempfile::tempdir;

#[test]
fn stages_windows_and_tables_keep_the_laws() {
    let (maker, around) = (Maker::default(), tempdir().expect("a folder"));
    let (mut swept, mut equal) = (0, 0);
    for number in 1..=40 {
        let folder = around.path().join(number.to_string());
        match try_laws(&maker, number, &folder, false).expect("a disk to write on") {
            Ok(lawful) => {
                swept += u64::from(lawful.is_swept);
                equal += lawful.stagings;
            }
            Err((failure, text)) => panic!("laws {number}: {failure}\n{text}"),
        }
    }
    assert!(swept > 25 && equal > 20, "{swept} swept, {equal} stagings");
}

#[test]
fn a_formula_means_what_its_literal_means() {
    let (maker, around) = (Maker::default(), tempdir().expect("a folder"));
    let (mut accepted, mut refused) = (0, 0);
    for number in 1..=30 {
        let folder = around.path().join(number.to_string());
        let (equated, failed) = try_formulas(&maker, number, &folder).expect("a disk to write on");
        if let Some((failure, text)) = failed.first() {
            panic!("formulas {number}: {failure}\n{text}");
        }
        accepted += equated.accepted;
        refused += equated.refused;
    }
    assert!(
        accepted > 50 && refused > 20,
        "{accepted} accepted, {refused} refused"
    );
}

#[test]
fn a_planted_mistake_is_one_problem() {
    let (maker, around) = (Maker::default(), tempdir().expect("a folder"));
    let mut reported = 0;
    for number in 1..=30 {
        let folder = around.path().join(number.to_string());
        let (found, failed) = try_planted(&maker, number, &folder).expect("a disk to write on");
        if let Some((failure, text)) = failed.first() {
            panic!("planted {number}: {failure}\n{text}");
        }
        reported += found;
    }
    assert!(reported > 100, "{reported} mistakes");
}

#[test]
fn transfers_fare_the_same_over_connections_of_one_flow_or_of_several() {
    let around = tempdir().expect("a folder");
    for number in 1..=25 {
        let folder = around.path().join(number.to_string());
        if let Err((failure, text)) = try_cut(number, &folder).expect("a disk to write on") {
            panic!("cut {number}: {failure}\n{text}");
        }
    }
}

#[test]
fn constant_rates_and_windows_have_the_numbers_of_their_closed_forms() {
    for number in 1..=40 {
        if let Err((failure, text)) = try_bound(number) {
            panic!("bound {number}: {failure}\n{text}");
        }
    }
}

#[test]
fn no_command_believes_a_damaged_folder() {
    let program = PathBuf::from(env!("CARGO_BIN_EXE_soak"));
    let shelves = Shelves::new(program).expect("results");
    let mut refused = 0;
    for number in 1..=12 {
        match shelves.try_damaged(number).expect("a disk to write on") {
            Ok(found) => refused += found.refused,
            Err(failure) => panic!("damaged folder {number}: {failure}"),
        }
    }
    assert!(refused > 12, "{refused} refusals");
}
