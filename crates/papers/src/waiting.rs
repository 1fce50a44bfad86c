//! Experiments that cannot be run yet, with reasons.

/// Id, subject, and missing feature.
pub(crate) const WAITING: &[(&str, &str, &str)] = &[(
    "beyond/l4s",
    "Prague beside CUBIC and BBR over nine queues, as on real hosts",
    "TCP Prague",
)];
