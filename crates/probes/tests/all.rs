//! The tests of measures as one program. `cargo test -p pacesim-probes --test all stages` runs those of one file.

#[path = "../../sweep/tests/common.rs"]
mod common;
mod delivered;
mod measures;
mod measures_wrong;
mod spectra;
mod stages;
