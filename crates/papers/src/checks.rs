//! Experiments other than scenarios: algorithms against brute force, event rules, closed forms.
//! Each has a file named after its subject.

mod grid;
mod impact;
mod qlbp09;
mod qlbp11;
mod served;
mod zerobuf;

use crate::Fault;
use crate::context::Context;
use crate::report::Report;

/// An experiment in Rust.
#[derive(Clone, Copy, Debug)]
pub struct Check {
    /// Name of the check in the catalogue.
    pub(crate) id: &'static str,
    pub(crate) summary: &'static str,
    pub(crate) run: fn(&Context<'_>) -> Result<Report, Fault>,
}

const fn check(
    id: &'static str,
    summary: &'static str,
    run: fn(&Context<'_>) -> Result<Report, Fault>,
) -> Check {
    Check { id, summary, run }
}

/// All checks; a new one needs a file, and a line here.
#[rustfmt::skip]
pub(crate) const CHECKS: &[Check] = &[
    check("qlbp11/law", "Pacing rate against queue, and steady states for constant input", qlbp11::law::run),
    check("qlbp11/response", "Pacing rate after a step of the input, against an exponential", qlbp11::response::run),
    check("qlbp09/algorithm1", "Event rules of the first QLBP, one by one", qlbp09::algorithm1::run),
    check("qlbp09/bibo", "Bounded queue for bounded input, and its decay without input", qlbp09::bibo::run),
    check("impact/fig2", "Two waves through a pacer: closed form and fluid simulation", impact::fig2::run),
    check("zerobuf/fig13", "Off-line optimum against random feasible exit curves", zerobuf::fig13::run),
    check("zerobuf/fig14-15", "One-class hull against a hull built from scratch, and its cost", zerobuf::fig14_15::run),
    check("zerobuf/fig16-17", "Hull for arbitrary deadlines against a hull built from scratch", zerobuf::fig16_17::run),
];

/// Changes that break the claims of a check.
#[cfg(test)]
mod breaking {

    use pacesim_lab::Unwatched;
    use pacesim_lab::claims::{Claim, Verdict};

    use super::Context;

    /// A short run.
    pub(super) fn context() -> Context<'static> {
        Context::new(0.1, None, &Unwatched)
    }

    /// Checks that every claim passes, and that each is broken by one of the changes, except for
    /// those listed as unbreakable.
    pub(super) fn every_claim_breaks(claims: &[Claim], changed: &[&[Claim]], unbroken: &[&str]) {
        for claim in claims {
            assert_eq!(claim.verdict, Verdict::Pass, "{claim:?}");
            let changed = changed.iter().flat_map(|claims| claims.iter());
            let mut same = changed.filter(|other| other.claim == claim.claim);
            let is_broken = same.any(|other| other.verdict != Verdict::Pass);
            let may_be = unbroken.iter().any(|text| claim.claim.contains(text));
            assert_ne!(is_broken, may_be, "{}", claim.claim);
        }
    }
}
