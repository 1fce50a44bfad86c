//! Tests for congestion controls.
//!
//! [`check`] runs a control, built-in or your own, through trials named after the criteria of RFC 9743
//! (*Specifying New Congestion Control Algorithms*, BCP 133), in which the laws of senders (window,
//! receiver's window, timers, pacing, delivery) are checked at every step. [`script`] plays scripted
//! cases: what a sender must transmit, and when, after given writes and acknowledgements.
//!
//! ```
//! use pacesim_tcp_conformance::check;
//! use pacesim_tcp::{AckSample, Config, CongestionControl, LossSample, OwnControl, Setup, Variant};
//!
//! /// One packet more for each window acknowledged, and half after a loss.
//! #[derive(Debug)]
//! struct Halving(f64);
//!
//! impl CongestionControl for Halving {
//!     fn window(&self) -> f64 {
//!         self.0
//!     }
//!     fn ssthresh(&self) -> f64 {
//!         f64::INFINITY
//!     }
//!     fn on_ack(&mut self, ack: &AckSample) {
//!         self.0 += f64::from(ack.acked) / self.0;
//!     }
//!     fn on_loss(&mut self, _: &LossSample) {
//!         self.0 = (self.0 / 2.0).max(1.0);
//!     }
//!     fn restart(&mut self, window: f64) {
//!         self.0 = window;
//!     }
//! }
//!
//! let mut config = Config::rfc(Variant::Sack);
//! config.control = OwnControl::new("halving", |_: &Setup| Halving(1.0)).into();
//! let report = check(&config);
//! assert_eq!(report.failures().count(), 0, "{report}");
//! ```
//!
//! Criteria of the RFC that concern more than a sender are not here: tunnels, circuit breakers,
//! multipath transport, incremental deployment.

mod criteria;
mod flow;
mod laws;
mod link;
mod network;
mod report;
pub mod script;
mod trial;

use pacesim_tcp::Config;

pub use report::{Finding, Report, Verdict, Violation};

/// Runs all trials with this sender and receiver. It takes less than a second.
///
/// The receiver's window is widened to the trials' needs.
///
/// # Panics
///
/// Panics if the configuration is not valid.
pub fn check(config: &Config) -> Report {
    let problems = config.validate();
    assert!(problems.is_empty(), "{problems:?}");
    let findings = criteria::ALL.iter().map(|trial| trial(config));
    Report {
        findings: findings.collect(),
    }
}
