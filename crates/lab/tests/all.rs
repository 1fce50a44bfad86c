//! The tests of the lab as one program, so that the lab is linked only once. `cargo test -p
//! pacesim-lab --test all shards` runs those of one file.

mod captures;
mod care;
mod claims;
mod claims_of_models;
mod common;
mod figures;
mod follow_ons;
mod kept_recordings;
mod measures;
mod measures_wrong;
mod names;
mod presence;
mod recorded;
mod results_version;
mod runaways;
mod runs;
mod series;
mod shards;
mod statistics;
mod steadiness;
mod studies;
mod traps;
mod tune;
mod units_of_theory;
mod views;
mod warnings;

/// A file missing from the list above would never run.
#[test]
fn every_file_is_part_of_this_program() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    for entry in std::fs::read_dir(folder).expect("this folder") {
        let path = entry.expect("an entry").path();
        let is_rust = path.extension().is_some_and(|extension| extension == "rs");
        let name = path.file_stem().expect("a name").to_string_lossy();
        let is_listed = include_str!("all.rs").contains(&format!("\nmod {name};\n"));
        assert!(!is_rust || name == "all" || is_listed, "{name}");
    }
}
