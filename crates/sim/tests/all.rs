//! The tests of the library as one program, so that the engine is linked only once. `cargo test -p
//! pacesim --test all windows` runs those of one file.

mod common;

mod across;
mod ahead;
mod bulks;
mod changes;
mod connections;
mod dumbbell_queues;
mod exact;
mod exchanges;
mod fec;
mod fec_adaptive;
mod fec_scenarios;
mod giving_up;
mod identities;
mod linux;
mod loads;
mod middleboxes;
mod ns2_dumbbells;
mod ns2_tmix;
mod ns2_transfers;
mod ns2_workloads;
mod occupancy;
mod own_ends;
mod own_sources;
mod own_switches;
mod pacers;
mod prague;
mod properties;
mod queue_classes;
mod queueing;
mod queues;
mod receive_windows;
mod reroutes;
mod scenario_draws;
mod scenario_events;
mod scenario_tcp;
mod self_similar;
mod shipped;
mod smoothed;
mod sources;
mod tcp_laws;
mod tcp_limits;
mod tcp_log;
mod transfers;
mod utilisation;
mod windows;
mod wires;

/// A file missing from the list above would never run.
#[test]
fn every_file_is_part_of_this_program() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    for entry in std::fs::read_dir(folder).expect("this folder") {
        let path = entry.expect("an entry").path();
        let is_rust = path.extension().is_some_and(|extension| extension == "rs");
        let name = path.file_stem().expect("a name").to_string_lossy();
        let is_own = ["all", "ns2_traces"].contains(&&*name);
        let is_listed = include_str!("all.rs").contains(&format!("\nmod {name};\n"));
        assert!(!is_rust || is_own || is_listed, "{name}");
    }
}
