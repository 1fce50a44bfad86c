//! The sender and the receiver against ns-2 2.35, packet by packet.
//!
//! A trace has the times at which data reached the receiver and ACKs the sender. Both ends are fed
//! those arrivals; all their actions must equal ns-2's: each transmission, window, round trip,
//! timeout, and each ACK. `PACESIM_NS2_TRACES` names a further folder of traces to check.

#[path = "ns2_trace/replay.rs"]
mod replay;
#[path = "ns2_trace/trace.rs"]
mod trace;

use std::io::Write;
use std::path::{Path, PathBuf};

use trace::Trace;

fn traces_in(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.expect("a readable folder").path())
        .filter(|path| path.extension().is_some_and(|ext| ext == "json"))
        .collect();
    paths.sort();
    assert!(!paths.is_empty(), "no trace in {}", folder.display());
    paths
}

/// Replays all traces of a folder; the first difference of each that differs.
fn replay_folder(folder: &Path) -> Vec<(PathBuf, String)> {
    let paths = traces_in(folder);
    let misses: Vec<(PathBuf, String)> = paths
        .iter()
        .filter_map(|path| {
            replay::check(&Trace::read(path))
                .err()
                .map(|why| (path.clone(), why))
        })
        .collect();
    report(folder, paths.len(), &misses).expect("standard output");
    misses
}

/// Reports the number of traces that agree, past the test harness, which would swallow it.
fn report(folder: &Path, all: usize, misses: &[(PathBuf, String)]) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    for (path, why) in misses {
        writeln!(out, "{}: {why}", path.display())?;
    }
    let exact = all - misses.len();
    writeln!(out, "{}: {all} traces, {exact} exact", folder.display())
}

#[test]
fn every_shipped_trace_is_replayed_exactly() {
    let misses = replay_folder(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ns2"));
    assert!(misses.is_empty(), "{misses:#?}");
}

#[test]
fn every_trace_of_the_folder_in_the_environment_is_replayed_exactly() {
    if let Some(folder) = std::env::var_os("PACESIM_NS2_TRACES") {
        let misses = replay_folder(Path::new(&folder));
        assert!(misses.is_empty(), "{} traces differ", misses.len());
    }
}
