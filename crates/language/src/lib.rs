//! Declaration, reading, checking, writing and description of languages in TOML.
//!
//! 1. The keys of a file are declared by the macros [`table!`], [`cases!`] and [`words!`]: one
//!    line per key, which generates the struct's field and its documentation, the reader and
//!    its messages, the writer, the JSON [`schema()`] for editors and the [`reference()`] page.
//!    [`review()`] finds errors in such declarations, for a test.
//! 2. A [`Document`](document::Document) is a file as written, a tree of values with their
//!    places, after options such as `--set key.path=value`.
//! 3. [`walk`] compares the tree with the declarations; [`Record::read_keys`] reads the
//!    structs. Every mistake is a [`Fault`](problem::Fault) at a key, which the document turns
//!    into a [`Problem`](problem::Problem) with file, line and column: **all** of them at once.
//!
//! [`expression`] evaluates formulas of quantities with units.
//!
//! The crate handles quantities and their units, names and references to named things, but no
//! networks. It opens no file.
//!
//! [`Record::read_keys`]: field::Record::read_keys

mod declare;
pub mod document;
pub mod expression;
pub mod field;
pub mod files;
pub mod form;
mod formula;
pub mod formulas;
pub mod identity;
pub mod length;
pub mod names;
pub mod print_length;
pub mod problem;
mod reference;
mod review;
mod schema;
mod sets;
pub mod stand_ins;
pub mod tree;
pub mod walk;

pub use reference::{examples, reference};
pub use review::review;
pub use schema::schema;
