//! The tests of the scenario language, in one program. `cargo test -p pacesim-scenario --test all warnings` runs those of one file.

mod dealt;
mod discipline_problems;
mod examples;
mod expansion;
mod follow_ons;
mod formulas;
mod language;
mod loads;
mod loads_of_recordings;
mod problems;
mod problems_between_keys;
mod robust;
mod torn_stores;
mod traffic_problems;
mod warnings;

/// A file that is not listed above would not be run.
#[test]
fn every_file_is_part_of_this_program() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    for entry in std::fs::read_dir(folder).expect("this folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_stem().expect("a name").to_string_lossy();
        let is_listed = include_str!("all.rs").contains(&format!("\nmod {name};\n"));
        assert!(name == "all" || is_listed, "{name}");
    }
}
