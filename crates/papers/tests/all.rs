//! The tests of the papers as one program. `cargo test -p pacesim-papers --test all reproduce` runs those of one file.

mod claims;
mod page;
mod reasons;
mod reproduce;
