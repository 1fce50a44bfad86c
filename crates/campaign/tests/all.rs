//! The tests of campaigns as one program. `cargo test -p pacesim-campaign --test all shards` runs those of one file.

#[path = "../../sweep/tests/common.rs"]
mod common;
#[path = "../../sweep/tests/overload.rs"]
mod overload;
mod runaways;
mod shards;
mod slurm;
