//! The tests of sweeps as one program. `cargo test -p pacesim-sweep --test all tune` runs those of one file.

mod buffers;
mod common;
mod figures;
mod folders;
mod follow_ons;
mod kept_recordings;
mod overload;
mod plots;
mod queues;
mod runaways;
mod shipped;
mod statistics;
mod studies;
mod traps;
mod tune;
mod units_of_theory;
mod views;
