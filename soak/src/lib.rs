//! Random scenarios and broken files, by the thousand.
//!
//! 1. A [`Maker`] writes a scenario determined by a number. It follows the JSON schema, which is
//!    generated from the table of keys, so that new keys are drawn too. Parts that `check` refuses
//!    are redrawn.
//! 2. [`try_case`] runs it step by step, in one go with results, and again from those results; all
//!    must agree, every packet is accounted for, and every number is finite.
//! 3. [`shrink`] reduces a failing case as long as it fails in the same way.
//!
//! [`METHODS`] are methods for confidence intervals, whose coverage is measured over many small
//! studies.
//!
//! [`Swept::try_damaged`] damages the store of a study: every table made from it equals that of an
//! undamaged one, or is refused.
//!
//! [`try_broken`] changes some bytes of a file and reads it: it is accepted or refused, without a
//! panic. `scripts/soak.sh` runs campaigns of all of these; the tests here run a hundred cases.

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
pub use broken::{Broken, Kind, try_broken, write_base};
pub use case::{Made, Maker};
pub use coverage::{Coverage, METHODS, Method};
pub use damage::{Damaged, Swept};
pub use places::{ending, places};
pub use shrink::shrink;
pub use studies::{Studied, study, try_study};
pub use toml::document;
pub use trial::{Failure, Fault, Figures};
