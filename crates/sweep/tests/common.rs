//! Setup shared by the tests of several files, here and in the crates whose tests make sweeps.

use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;

use pacesim_store::sweep::Sweep;
use pacesim_study::{Study, StudyText};

/// The study in this valid text, as if it were in `NAME.toml`.
pub(crate) fn checked(name: &str, text: &str) -> Study {
    let text = StudyText::parse(&format!("{name}.toml"), name, text.as_bytes(), Arc::new(()));
    text.check().unwrap_or_else(|problems| panic!("{problems}"))
}

/// A sweep of a whole study into this folder, with this many concurrent runs.
pub(crate) fn order<'a>(study: &'a Study, out: &'a Path, jobs: usize) -> Sweep<'a> {
    Sweep {
        jobs: NonZeroUsize::new(jobs).expect("a job"),
        ..Sweep::new(study, out)
    }
}
