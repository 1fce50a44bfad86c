//! The layout of the house: sizes of files, circles of imports, programs of tests, words with one meaning, and the map in
//! ARCHITECTURE.md held against the crates.
//! These tests need no other crate: `cargo test -p pacesim-units --test house`.

mod map;
mod names;
mod programs;
mod rooms;
