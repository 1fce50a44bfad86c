//! Random scenarios and broken files, by the thousand.
//!
//! 1. A [`Maker`] writes a scenario determined by a number. It follows the JSON schema, which is
//!    generated from the table of keys, so that new keys are drawn too. Parts that `check` refuses
//!    are redrawn.
//! 2. [`try_case`] runs it step by step, in one go with results, again from those results, and in drawn
//!    parts on threads; all must agree, every packet is accounted for, and every number is finite.
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
mod bounds;
mod broken;
mod case;
mod coverage;
mod cutting;
mod damage;
mod dice;
mod draft;
mod files;
mod folders;
mod formats;
mod formulas;
mod identity;
mod laws;
mod leaves;
mod ledger;
mod mutate;
mod names;
mod parts;
mod places;
mod planted;
mod quantity;
mod rows;
mod shrink;
mod studies;
mod toml;
mod trial;

pub use attempt::{Verdict, try_case, try_tree};
pub use bounds::try_bound;
pub use broken::{Broken, Kind, try_broken, write_base};
pub use case::{Made, Maker};
pub use coverage::{Coverage, METHODS, Method};
pub use cutting::try_cut;
pub use damage::{Damaged, Swept};
pub use folders::{Shelves, Unbelieved};
pub use formulas::{Equated, FORMULAS, try_formulas};
pub use identity::try_spellings;
pub use laws::{Lawful, try_laws};
pub use places::{ending, places};
pub use planted::{PLANTINGS, try_planted, try_planted_study};
pub use shrink::shrink;
pub use studies::{Studied, study, try_study};
pub use toml::document;
pub use trial::{Failure, Fault, Figures};
