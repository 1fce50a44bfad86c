//! Findings, and the report of all.

use std::fmt;

use pacesim_units::Time;

/// A broken law of senders.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The name of the law.
    pub law: &'static str,
    /// The simulated time.
    pub at: Time,
    /// The event that broke it.
    pub what: String,
}

/// The verdict on a criterion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The bound holds.
    Holds,
    /// The bound is missed, or a law of senders is broken.
    Fails,
    /// The criterion has no bound: the number stands for the reader to judge.
    Stated,
    /// The criterion does not apply to this configuration.
    Skipped,
}

/// The finding on a criterion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The criterion as RFC 9743 titles it.
    pub criterion: &'static str,
    /// The trial.
    pub trial: &'static str,
    /// The measured number, with its unit.
    pub measured: String,
    /// The bound, if the criterion has one.
    pub bound: Option<String>,
    /// The verdict.
    pub verdict: Verdict,
}

/// The findings on a congestion control.
///
/// It displays as a table; [`Report::failures`] are for tests:
///
/// ```
/// use pacesim_tcp_conformance::check;
/// use pacesim_tcp::{Config, Variant};
///
/// let report = check(&Config::rfc(Variant::Sack));
/// assert_eq!(report.failures().count(), 0, "{report}");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// One finding for each trial, in the order of the RFC.
    pub findings: Vec<Finding>,
}

impl Report {
    /// The criteria that fail.
    pub fn failures(&self) -> impl Iterator<Item = &Finding> {
        let findings = self.findings.iter();
        findings.filter(|finding| finding.verdict == Verdict::Fails)
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Verdict::Holds => "holds",
            Verdict::Fails => "FAILS",
            Verdict::Stated => "stated",
            Verdict::Skipped => "skipped",
        })
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Finding {
            criterion,
            trial,
            measured,
            verdict,
            ..
        } = self;
        write!(f, "{verdict:7}  {criterion}: {trial}: {measured}")?;
        match &self.bound {
            Some(bound) => write!(f, " (must be {bound})"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut findings = self.findings.iter();
        findings.try_for_each(|finding| writeln!(f, "{finding}"))
    }
}
