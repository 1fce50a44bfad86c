//! The tests of the engine as one program. `cargo test -p pacesim-core --test all routing` runs those of one file.

mod junctions;
mod routing;
mod switches;
