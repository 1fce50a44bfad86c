//! Experiments that cannot be run yet, with reasons.

/// Id, subject, and missing feature.
#[rustfmt::skip]
pub(crate) const WAITING: &[(&str, &str, &str)] = &[
    ("beyond/l4s", "Prague beside CUBIC and BBR over nine queues, as on real hosts", "TCP Prague"),
    ("beyond/modern", "The pacers beside today's senders and queues", "a study of QLBP and hull with BBR"),
];
