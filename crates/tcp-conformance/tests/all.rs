//! The tests of conformance as one program. `cargo test -p pacesim-tcp-conformance --test all scripts` runs those of one file.

mod built_in;
mod planted_faults;
mod scripts;
