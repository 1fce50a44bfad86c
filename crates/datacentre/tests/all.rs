//! The tests of state machines for data centres as one program. `cargo test -p pacesim-datacentre --test all memory` runs those of one file.

mod fixed_points;
mod memory;
mod pulls;
mod senders;
mod tables;
mod thresholds;
