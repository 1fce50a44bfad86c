//! The tests of the scenario language, in one program. `cargo test -p pacesim-scenario --test all warnings` runs those of one file.

mod dealt;
mod discipline_problems;
mod examples;
mod expansion;
mod fabrics;
mod follow_ons;
mod formulas;
mod hosts;
mod jobs;
mod language;
mod live;
mod loads;
mod loads_of_recordings;
mod lossless;
mod pages;
mod problems;
mod problems_between_keys;
mod robust;
mod threads;
mod torn_stores;
mod traffic_problems;
mod warnings;
