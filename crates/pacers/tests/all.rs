//! The tests of pacers as one program. `cargo test -p pacesim-pacers --test all qlbp_papers` runs those of one file.

mod burstiness;
mod common;
mod config;
mod hull_oracle;
mod keep_the_laws;
mod offline_optimum;
mod qlbp_blocking;
mod qlbp_papers;
mod set_rate;
