//! The tests of languages as one program. `cargo test -p pacesim-language --test all documents` runs those of one file.

mod documents;
mod expression;
mod wrong_declarations;
