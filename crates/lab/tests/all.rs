//! The tests of the lab, in one program: each file is compiled once with the lab, not linked with it anew.
//! `cargo test -p pacesim-lab --test all shards` runs those of one file.

mod captures;
#[cfg(feature = "studies")]
mod claims;
#[cfg(feature = "studies")]
mod figures;
#[cfg(feature = "studies")]
mod kept_recordings;
#[cfg(feature = "studies")]
mod measures;
mod names;
mod recorded;
#[cfg(feature = "studies")]
mod results_version;
#[cfg(feature = "studies")]
mod runaways;
mod runs;
mod series;
#[cfg(feature = "studies")]
mod shards;
#[cfg(feature = "studies")]
mod statistics;
#[cfg(feature = "studies")]
mod studies;
#[cfg(feature = "studies")]
mod tune;
mod warnings;

/// A file that is not listed above would be no test.
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
