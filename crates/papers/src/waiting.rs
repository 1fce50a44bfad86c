//! Experiments that cannot run yet, with reasons.

/// Id, subject, and missing feature.
pub(crate) const WAITING: &[(&str, &str, &str)] = &[];
