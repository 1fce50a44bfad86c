//! The tests of claims as one program. `cargo test -p pacesim-claims --test all presence` runs those of one file.

mod care;
mod claims;
mod claims_of_models;
#[path = "../../sweep/tests/common.rs"]
mod common;
mod judged_again;
mod presence;
#[path = "../../sweep/tests/queues.rs"]
mod queues;
