//! The sender of Linux's profile against facts from the kernel's own scripted tests.
//!
//! `PACESIM_PACKETDRILL` names a folder of such facts, one JSON file per case; cases of our own are in
//! the crate `conformance`.

use std::io::Write;
use std::path::{Path, PathBuf};

use pacesim_tcp_conformance::script::{Mismatch, Script};

fn drill(path: &Path) -> Result<(), Mismatch> {
    let text = std::fs::read_to_string(path).expect("a readable file");
    let script = Script::parse(&text)?;
    script.play(script.config())
}

fn drill_folder(folder: &Path) -> Vec<(PathBuf, Mismatch)> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry").path())
        .collect();
    paths.retain(|path| path.extension().is_some_and(|ext| ext == "json"));
    paths.sort();
    let misses: Vec<(PathBuf, Mismatch)> = paths
        .iter()
        .filter_map(|path| drill(path).err().map(|why| (path.clone(), why)))
        .collect();
    let mut out = std::io::stdout().lock();
    for (path, why) in &misses {
        writeln!(out, "{}: {why}", path.display()).expect("standard output");
    }
    let exact = paths.len() - misses.len();
    writeln!(out, "{} cases, {exact} exact", paths.len()).expect("standard output");
    misses
}

#[test]
fn every_case_of_the_folder_in_the_environment_is_met() {
    if let Some(folder) = std::env::var_os("PACESIM_PACKETDRILL") {
        let misses = drill_folder(Path::new(&folder));
        assert!(misses.is_empty(), "{} cases differ", misses.len());
    }
}
