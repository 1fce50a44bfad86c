//! Limits that keys of several tables share.

use pacesim_units::Span;

/// The maximum number of members of all groups of one kind together.
pub const MOST: u64 = 10_000_000;

/// The largest seed: TOML's largest whole number.
pub const LARGEST_SEED: u64 = i64::MAX as u64;

/// The longest run: 100 days of the 106 that result tables hold and of the 213 that the clock
/// holds, so that events in progress at the end still fit.
pub const LONGEST: Span = Span::from_secs(100 * 24 * 3600);
