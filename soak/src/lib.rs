//! Random scenarios and broken files, by the thousand.
//!
//! 1. A [`Maker`] writes a scenario from nothing but a number. It follows the JSON
//!    schema, which is made from the table of keys: a key that is new there is drawn
//!    here. What `check` refuses is drawn anew, part by part.
//! 2. [`try_case`] has it run step by step, at once with results, and again from those
//!    results; all must be the same, every packet accounted for, every number a number.
//! 3. What fails is made smaller by [`shrink`] as long as it fails in the same manner.
//!
//! [`METHODS`] are the ways to intervals: of many small studies, how many hold the truth.
//!
//! [`Swept::try_damaged`] damages the store of a study: every table that follows is that of an
//! undamaged one, or refused.
//!
//! [`try_broken`] changes some bytes of a file and reads it: accepted or refused, but
//! never a panic. `scripts/soak.sh` runs campaigns of both; the tests here a hundred.

mod attempt;
mod author;
mod broken;
mod case;
mod coverage;
mod damage;
mod dice;
mod draft;
mod files;
mod formats;
mod ledger;
mod mutate;
mod names;
mod places;
mod quantity;
mod rows;
mod shrink;
mod studies;
mod toml;
mod trial;

pub use attempt::{Verdict, try_case, try_tree};
pub use broken::{Broken, Kind, try_broken};
pub use case::{Made, Maker};
pub use coverage::{Coverage, METHODS, Method};
pub use damage::{Damaged, Swept};
pub use places::{ending, places};
pub use shrink::shrink;
pub use studies::{Studied, study, try_study};
pub use toml::document;
pub use trial::{Failure, Fault, Figures};
