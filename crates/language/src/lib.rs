//! How a language in TOML is declared, read, checked, written and described.
//!
//! 1. The keys of a file are declared by the macros [`table!`], [`cases!`] and [`words!`]: one
//!    line a key, from which follow the struct's field and its documentation, the reader and
//!    its messages, the writer, the JSON [`schema()`] for editors and the [`reference()`] to read.
//!    [`review()`] says what is wrong with such declarations, for a test.
//! 2. A [`Document`](document::Document) is a file as written, a tree whose values know where
//!    they stand, after options such as `--set key.path=value`.
//! 3. [`walk`] compares the tree with the declarations; [`Record::read_keys`] reads the
//!    structs. Whatever is wrong is a [`Fault`](problem::Fault) at a key, of which the document
//!    makes a [`Problem`](problem::Problem) with file, line and column: **all** of them at once.
//!
//! It knows quantities and their units, names and references to named things, and no network.
//! It opens no file.
//!
//! [`Record::read_keys`]: field::Record::read_keys

mod declare;
pub mod document;
pub mod field;
pub mod files;
pub mod form;
pub mod length;
pub mod names;
pub mod problem;
mod reference;
mod review;
mod schema;
mod sets;
pub mod tree;
pub mod walk;

pub use reference::reference;
pub use review::review;
pub use schema::schema;
