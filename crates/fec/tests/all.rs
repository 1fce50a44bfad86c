//! The tests of forward error correction as one program. `cargo test -p pacesim-fec --test all adaptation` runs those of one file.

mod adaptation;
mod brute_force;
mod disorder;
