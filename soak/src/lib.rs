//! Random scenarios and broken files, by the thousand.
mod attempt;
mod author;
mod broken;
mod case;
mod dice;
mod draft;
mod files;
mod ledger;
mod mutate;
mod names;
mod places;
mod quantity;
mod rows;
mod shrink;
mod toml;
mod trial;

pub use attempt::{Verdict, try_case, try_tree};
pub use broken::{Broken, Kind, try_broken};
pub use case::{Made, Maker};
pub use places::{ending, places};
pub use shrink::shrink;
pub use toml::document;
pub use trial::{Failure, Fault, Figures};
