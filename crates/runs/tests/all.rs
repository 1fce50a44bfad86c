//! The tests of runs as one program. `cargo test -p pacesim-runs --test all series` runs those of one file.

mod captures;
mod codel_law;
mod common;
mod ends;
mod fabrics;
mod metrics;
mod names;
mod reality;
mod recorded;
mod runs;
mod series;
mod steadiness;
mod tcp_port;
mod warnings;
