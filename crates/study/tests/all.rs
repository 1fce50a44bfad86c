//! The tests of the language of studies as one program. `cargo test -p pacesim-study --test all amounts` runs those of one file.

mod amounts;
mod common;
mod examples;
mod kinds;
mod language;
mod one_identity;
mod references;
mod statistics;
mod studies;
mod studies_claims;
